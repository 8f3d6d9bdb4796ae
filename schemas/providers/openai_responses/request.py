"""A context as the input of an OpenAI response.

Instructions stay in the input as system and developer messages. The API pairs each call with one output of the kind
that belongs to it, and refuses a reasoning item that the item it led to doesn't follow, an item that it knows by its id
without the reasoning before it, and an id that no item of its kind can have. What an assistant said it takes as the
model's output, all else as its input. What holds nothing is left out.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from tailrace.schemas.fields import rest
from tailrace.schemas.providers.as_text import json_text, note_of
from tailrace.schemas.providers.call_answers import Fitting, Made, paired
from tailrace.schemas.providers.call_forms import ANY_CHARACTER, WORD_CHARACTER, CallForm
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.providers.openai_responses.content import (
    FILE_NAME,
    lacks_image,
    lacks_name,
    read_items,
    usual_type,
)
from tailrace.schemas.providers.openai_responses.items import (
    PLAIN_OUTPUTS,
    can_answer,
    has_strange_id,
    is_call,
    is_led_to,
    is_output,
    is_writable,
    item_id_of,
    kind_of,
    kind_of_item,
)
from tailrace.schemas.providers.openai_responses.write import write_messages
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import Json, ToolCallPart, ToolCallResponsePart

#: Ids and names that the API takes.
CALL_FORM = CallForm(
    id_pattern=ANY_CHARACTER, id_characters_max=64, name_pattern=WORD_CHARACTER, name_characters_max=64
)

#: Fields of a message that go out; the API refuses any other. Items of other kinds are the API's own, and go as they
#: came.
MESSAGE_FIELDS = frozenset({"type", "role", "content", "id", "status", "phase"})

#: Content that is the model's own, and content that is said to it.
OWN_CONTENT = frozenset({"output_text", "refusal"})
GIVEN_CONTENT = frozenset({"input_text", "input_image", "input_file", "input_audio"})

_TEXT_ARGUMENTS = frozenset({"function_call", "custom_tool_call"})


def request(messages: Sequence[Message], carry: Carry) -> dict[str, Any]:
    """Return `{"input": [...]}`."""
    items = [_sendable(item) for item in write_messages(paired(messages, _FITTING), carry) if not _is_empty(item)]
    kept: list[dict[str, Any]] = []
    for item in reversed(_without_lost_reasoning(_each_once(items))):
        if item.get("type") != "reasoning" or (kept and is_led_to(kept[-1])):
            kept.append(item)
    return {"input": kept[::-1]}


def _each_once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    seen: set[str] = set()
    once: list[dict[str, Any]] = []
    for item in items:
        kind = kind_of_item(item)
        item_id = item_id_of(item, kind)
        if item_id not in seen:
            once.append(item)
        elif kind == "message" or is_call(item, kind) or is_output(item, kind):
            once.append(_without_id(item))  # said twice, under one id
        if item_id is not None:
            seen.add(item_id)
    return once


def _without_lost_reasoning(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items without the ids of those whose reasoning may have been cut.

    By its id the API knows an item again, and refuses it without the reasoning that it remembers to have led there.
    Items of the API have ids: a message without one, wherever it stands in a response, may stand for that reasoning. An
    item without an id is taken as it is. Reasoning under an id that is not OpenAI's is left out, and lost to what
    follows.
    """
    written: list[dict[str, Any]] = []
    is_cut = False
    for item in items:
        kind = kind_of_item(item)
        if kind == "reasoning" and has_strange_id(item, kind):
            is_cut = True
            continue
        if kind == "reasoning" or not is_led_to(item):
            is_cut = False
        elif kind == "message" and item_id_of(item, kind) is None:
            is_cut = True
        written.append(_without_id(item) if is_cut and (kind == "message" or is_call(item, kind)) else item)
    return written


def _without_id(item: dict[str, Any]) -> dict[str, Any]:
    return rest(item, ("id",)) if "id" in item else item


def _fit_call(made: Made) -> ToolCallPart:
    call = made.call
    if made.format != Format.OPENAI_RESPONSES or isinstance(call.arguments, str):
        return call
    if kind_of(call) not in _TEXT_ARGUMENTS:
        return call
    return replace(call, arguments="{}" if call.arguments is None else json_text(call.arguments))


def _fit_answer(answer: Message, made: Made) -> Message | None:
    call_kind = kind_of(made.call) if made.format == Format.OPENAI_RESPONSES else "function_call"
    (part,) = answer.parts
    if answer.format != Format.OPENAI_RESPONSES or not isinstance(part, ToolCallResponsePart):
        return answer if is_writable(call_kind) else None
    if can_answer(kind_of(part), call_kind):
        return answer
    if not is_writable(call_kind):
        return None
    # Written again as the kind that the call asks for: only the text of the output goes with it.
    text = part.response if isinstance(part.response, str) else _text_of(part.response)
    return Message(role="tool", parts=(ToolCallResponsePart(id=part.id, response=text),))


def _text_of(response: Json) -> str:
    if isinstance(response, list):
        return "\n".join(
            item["text"] for item in response if isinstance(item, dict) and isinstance(item.get("text"), str)
        )
    return "" if response is None else readable_json(response)


def _can_stand_in(made: Made) -> bool:
    return made.format != Format.OPENAI_RESPONSES or is_writable(kind_of(made.call))


def _sendable(item: dict[str, Any]) -> dict[str, Any]:
    kind = kind_of_item(item)
    if kind != "reasoning" and has_strange_id(item, kind):
        item = _without_id(item)
    repair = _REPAIRS.get(kind)
    return repair(item) if repair else item


def _sendable_message(item: dict[str, Any]) -> dict[str, Any]:
    if isinstance(item.get("content"), list):
        role = str(item.get("role"))
        refused = GIVEN_CONTENT if role == "assistant" else OWN_CONTENT
        item = _with(item, "content", [_fitting(part, usual_type(role), refused) for part in item["content"]])
    return item if item.keys() <= MESSAGE_FIELDS else {key: item[key] for key in item if key in MESSAGE_FIELDS}


def _sendable_reasoning(item: dict[str, Any]) -> dict[str, Any]:
    return item if isinstance(item.get("summary"), list) else {**item, "summary": []}


def _sendable_output(item: dict[str, Any]) -> dict[str, Any]:
    output = item.get("output") or ""
    if isinstance(output, list) and all(isinstance(part, dict) for part in output):
        output = [_fitting(part, "input_text", frozenset()) for part in output]
    elif not isinstance(output, str):
        output = readable_json(output)
    return _with(item, "output", output)


def _with(item: dict[str, Any], key: str, value: Json) -> dict[str, Any]:
    # What needs no change is what was given.
    return item if key in item and item[key] == value else {**item, key: value}


def _fitting(part: dict[str, Any], usual: str, refused: frozenset[str]) -> dict[str, Any]:
    """Return a content item that can stand there.

    A text has the type of its side, and what can't be shown is a note.
    """
    if kind_of_item(part) in refused or lacks_image(part):
        return {"type": usual, "text": note_of(part, read_items)}
    return {**part, "filename": FILE_NAME} if lacks_name(part) else part


def _is_empty(item: dict[str, Any]) -> bool:
    return kind_of_item(item) == "message" and not item.get("content")


#: What each kind of item may bring that the API refuses, taken away.
_REPAIRS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "message": _sendable_message,
    "reasoning": _sendable_reasoning,
    **dict.fromkeys(PLAIN_OUTPUTS, _sendable_output),
}

_FITTING = Fitting(
    format=Format.OPENAI_RESPONSES, form=CALL_FORM, call=_fit_call, answer=_fit_answer, can_stand_in=_can_stand_in
)
