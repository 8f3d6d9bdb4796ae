"""A context as the arguments of Gemini's `generate_content`: the system instruction beside the contents.

Roles alternate, the user begins, and a content with function calls is followed by one with as many responses, in the
order of the calls. Gemini 3 wants a signature on the first call of every step since the user last spoke; one that came
without gets the value that the API documents for calls which another model made, at once and for ever, so that what was
sent stays a prefix. A part holds one thing, and the system instruction is text. Empty parts are left out.
"""

from collections.abc import Sequence
from typing import Any

from tailrace.schemas.providers.as_text import note_of
from tailrace.schemas.providers.call_answers import BEGINNING, Fitting, begun_by_user, paired
from tailrace.schemas.providers.call_forms import ANY_CHARACTER, CallForm
from tailrace.schemas.providers.gemini.content import SIGNATURE_KEYS, holds_data, is_signed, one_by_one, read_parts
from tailrace.schemas.providers.gemini.functions import body_of, with_body
from tailrace.schemas.providers.gemini.write import write_messages
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.records.message import Format, Message

#: Ids and names that the API takes.
CALL_FORM = CallForm(
    id_pattern=ANY_CHARACTER, id_characters_max=256, name_pattern=ANY_CHARACTER, name_characters_max=256
)

#: The signature of a call that Gemini did not sign.
UNSIGNED = "skip_thought_signature_validator"

_FITTING = Fitting(format=Format.GEMINI, form=CALL_FORM, answering_role="user", in_call_order=True)

GeminiPart = dict[str, Any]
Content = dict[str, Any]


def request(messages: Sequence[Message], carry: Carry) -> dict[str, Any]:
    """Return `{"system_instruction": {"parts": [...]}, "contents": [...]}`, without the former where there is none."""
    written = write_messages(begun_by_user(paired(messages, _FITTING)), carry)
    system = [part for content in written if content["role"] == "system" for part in _system_parts(content)]
    contents: list[Content] = []
    for content in written:
        if content["role"] != "system":
            _add(contents, content)
    if contents and contents[0]["role"] == "model":
        contents.insert(0, {"role": "user", "parts": [{"text": BEGINNING}]})
    sendable = [_signed(content) for content in _aligned(contents)]
    return {"system_instruction": {"parts": system}, "contents": sendable} if system else {"contents": sendable}


def _parts(content: Content) -> list[GeminiPart]:
    parts = content.get("parts")
    return [single for part in parts for single in one_by_one(part)] if isinstance(parts, list) else []


def _system_parts(content: Content) -> list[GeminiPart]:
    parts = [{"text": note_of(part, read_parts)} if _is_media(part) else part for part in _parts(content)]
    return [part for part in parts if _says(part)]


def _is_media(part: GeminiPart) -> bool:
    return body_of(part, "inlineData") is not None or body_of(part, "fileData") is not None


def _says(part: GeminiPart) -> bool:
    text = part.get("text")
    return isinstance(text, str) and bool(text.strip())


def _add(contents: list[Content], content: Content) -> None:
    role = "model" if content["role"] == "model" else "user"
    parts = [_cleaned(part, role) for part in _parts(content) if _is_taken(part, role)]
    if not parts:
        return
    if contents and contents[-1]["role"] == role:
        contents[-1] = {"role": role, "parts": [*contents[-1]["parts"], *parts]}
    else:
        contents.append({"role": role, "parts": parts})


def _is_taken(part: GeminiPart, role: str) -> bool:
    if body_of(part, "functionCall") is not None or body_of(part, "functionResponse") is not None:
        return True
    if not holds_data(part) or (role == "user" and part.get("thought") is True):
        return False
    # An empty text may carry the signature of what the model said before it.
    return not isinstance(part.get("text"), str) or _says(part) or (role == "model" and is_signed(part))


def _cleaned(part: GeminiPart, role: str) -> GeminiPart:
    return part if role == "model" else _without(part, SIGNATURE_KEYS | {"thought"})


def _without(part: GeminiPart, keys: frozenset[str]) -> GeminiPart:
    return {key: value for key, value in part.items() if key not in keys} if keys & part.keys() else part


def _aligned(contents: list[Content]) -> list[Content]:
    aligned: list[Content] = []
    for content in contents:
        calls = (
            [body for part in _parts(aligned[-1]) if (body := body_of(part, "functionCall")) is not None]
            if aligned
            else []
        )
        aligned.append({**content, "parts": _answering(content["parts"], calls)} if calls else content)
    return aligned


def _answering(parts: list[GeminiPart], calls: list[dict[str, Any]]) -> list[GeminiPart]:
    responses = [part for part in parts if body_of(part, "functionResponse") is not None]
    others = [part for part in parts if body_of(part, "functionResponse") is None]
    return [*(_answer_to(call, part) for call, part in zip(calls, responses, strict=True)), *others]


def _answer_to(call: dict[str, Any], part: GeminiPart) -> GeminiPart:
    body = body_of(part, "functionResponse") or {}
    body = {**body, "name": call["name"], "response": body.get("response") or {}}
    if call.get("id"):
        body["id"] = call["id"]
    else:
        body.pop("id", None)
    return with_body(part, "functionResponse", body)


def _signed(content: Content) -> Content:
    if content["role"] != "model":
        return content
    parts = list(content["parts"])
    for index, part in enumerate(parts):
        if body_of(part, "functionCall") is not None:
            if not is_signed(part):
                parts[index] = {**_without(part, SIGNATURE_KEYS), _signature_key(part): UNSIGNED}
            break
    return {**content, "parts": parts}


def _signature_key(part: GeminiPart) -> str:
    return "thoughtSignature" if isinstance(part.get("functionCall"), dict) else "thought_signature"
