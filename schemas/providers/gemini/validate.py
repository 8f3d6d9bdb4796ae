"""What the Gemini API refuses in `system_instruction` and `contents`.

Its rules, by what it answers with: roles are user and model, which alternate and of which the user begins; a content
has parts, and a part has data, of one kind; the system instruction has parts of text alone; a content with function
calls is directly followed by one with as many function responses, which stand nowhere else; calls are the model's and
responses the user's; both have a name, `args` and `response` are objects; thoughts and their signatures are the
model's. Since Gemini 3, the first call of each content since the user last wrote needs a signature. Calls and responses
are paired by name, because ids may be missing on either side.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tailrace.schemas.providers.gemini.content import SIGNATURE_KEYS, data_fields, holds_data, is_signed
from tailrace.schemas.providers.gemini.functions import body_of
from tailrace.schemas.providers.pairs import Pairable, judge, unpaired
from tailrace.schemas.providers.rules import nothing_to_send
from tailrace.schemas.providers.violation import Api, Breaches, Placed, misshapen, objects_in, text_of

_CALL, _RESPONSE = "functionCall", "functionResponse"


def _parts(path: str, content: dict[str, Any]) -> list[Placed]:
    return objects_in(content.get("parts"), f"{path}.parts")


class _View:
    """What the rules look at, found once."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.contents = objects_in(request.get("contents"), "contents")
        self.parts = [
            (place, part, text_of(content.get("role")))
            for path, content in self.contents
            for place, part in _parts(path, content)
        ]
        system = request.get("system_instruction")
        self.system_parts = _parts("system_instruction", system) if isinstance(system, dict) else []
        calls, responses = self._pairable(_CALL, "model"), self._pairable(_RESPONSE, "user")
        self.verdict = judge(calls, responses, adjacent=True)

    def bodies(self, field: str) -> list[Placed]:
        """Return what parts hold under that name, each with the path of its part."""
        placed_bodies = [(path, body_of(part, field)) for path, part, _ in self.parts]
        return [(path, body) for path, body in placed_bodies if body is not None]

    def _pairable(self, field: str, role: str) -> list[Pairable]:
        return [
            Pairable(path=place, key=text_of(body.get("name")), turn=turn)
            for turn, (path, content) in enumerate(self.contents)
            if content.get("role") == role
            for place, part in _parts(path, content)
            if (body := body_of(part, field)) is not None
        ]


def _shape(view: _View) -> Breaches:
    yield from misshapen(view.request.get("contents"), "contents", "content")
    for path, content in view.contents:
        if content.get("parts") is not None:
            yield from misshapen(content["parts"], f"{path}.parts", "part")
    system = view.request.get("system_instruction")
    if system is not None:
        parts = system.get("parts") if isinstance(system, dict) else None
        yield from misshapen(parts, "system_instruction.parts", "part")


def _unknown_role(view: _View) -> Breaches:
    for path, content in view.contents:
        if content.get("role") not in ("user", "model"):
            yield path, "must have the role user or model"


def _first_role(view: _View) -> Breaches:
    contents = view.contents
    if contents and contents[0][1].get("role") == "model":
        yield contents[0][0], "must be the user's: the model doesn't speak first"


def _alternation(view: _View) -> Breaches:
    for (_, before), (path, content) in pairwise(view.contents):
        if before.get("role") == content.get("role"):
            yield path, "must be of the other role than the content before it"


def _empty_content(view: _View) -> Breaches:
    for path, content in view.contents:
        if content.get("parts") in (None, []):
            yield path, "must have parts"
    system = view.request.get("system_instruction")
    if isinstance(system, dict) and system.get("parts") == []:
        yield "system_instruction", "must have parts, or not be there"


def _system_content(view: _View) -> Breaches:
    for path, part in view.system_parts:
        if set(data_fields(part)) - {"text"}:
            yield path, "must be a text: the system instruction holds nothing else"


def _empty_part(view: _View) -> Breaches:
    for path, part, _ in view.parts:
        if not holds_data(part) or (part.get("text") == "" and not is_signed(part)):
            yield path, "must have data: a text that is not empty, media, a function call or its response"


def _joint_data(view: _View) -> Breaches:
    for path, part, _ in view.parts:
        if len(fields := data_fields(part)) > 1:
            yield path, f"must hold one thing, not {' and '.join(fields)}"


def _misplaced_part(view: _View) -> Breaches:
    for path, part, role in view.parts:
        field = {"user": _CALL, "model": _RESPONSE}.get(role)
        if field and body_of(part, field) is not None:
            yield path, "must be in a content of the other role: the model calls, the user answers"


def _call_arguments(view: _View) -> Breaches:
    for path, call in view.bodies(_CALL):
        if not isinstance(call.get("args", {}), dict | None):
            yield path, "must have an object as args"
    for path, response in view.bodies(_RESPONSE):
        if not isinstance(response.get("response"), dict):
            yield path, "must have an object as response"


def _call_form(view: _View) -> Breaches:
    for field in (_CALL, _RESPONSE):
        for path, body in view.bodies(field):
            if not isinstance(body.get("name"), str) or not body["name"]:
                yield path, "must name its function"


def _thought_place(view: _View) -> Breaches:
    for path, part, role in view.parts:
        if role == "user" and (part.get("thought") is True or any(part.get(key) for key in SIGNATURE_KEYS)):
            yield path, "must be in a content of the model"


def _unsigned_call(view: _View) -> Breaches:
    contents = view.contents
    written = [index for index, (path, content) in enumerate(contents) if _is_written(path, content)]
    for path, content in contents[written[-1] :] if written else []:
        calls = [(place, part) for place, part in _parts(path, content) if body_of(part, _CALL) is not None]
        if calls and content.get("role") == "model" and not is_signed(calls[0][1]):
            yield calls[0][0], "must have the signature that it came with"


def _is_written(path: str, content: dict[str, Any]) -> bool:
    return content.get("role") == "user" and any(part.get("text") for _, part in _parts(path, content))


API = Api(
    view=_View,
    rules={
        "nothing_to_send": nothing_to_send("contents", "content"),
        "shape": _shape,
        "unknown_role": _unknown_role,
        "first_role": _first_role,
        "alternation": _alternation,
        "empty_content": _empty_content,
        "system_content": _system_content,
        "empty_part": _empty_part,
        "joint_data": _joint_data,
        "orphan_call": unpaired("orphan_calls", "must have a function response in the next content"),
        "orphan_result": unpaired("orphan_results", "must have its function call in the content before"),
        "result_order": unpaired("misplaced", "must be in the content right behind its function call"),
        "duplicate_result": unpaired("duplicates", "must be the only response to its function call"),
        "misplaced_part": _misplaced_part,
        "call_arguments": _call_arguments,
        "call_form": _call_form,
        "thought_place": _thought_place,
        "unsigned_call": _unsigned_call,
    },
)
