"""What OpenAI's chat completions refuse in `messages`.

Its rules, by what it answers with: an assistant message with `tool_calls` must be followed by tool messages that
respond to each id; a tool message must respond to a preceding message with `tool_calls`; content is a string or a list
that is not empty, and may be missing only where an assistant calls a tool or refuses; `tool_calls` is not empty; ids
have at most 40 characters, names of tools are words of at most 64; a call has a type, and arguments that are a string;
only an assistant calls; a speaker's name has no spaces. Images, sound and files are the user's alone; an image is an
object with a url, a text is a string. Fields that it doesn't know are refused; those that other servers of this format
have are let through. Texts may be empty, roles may come in any order.
"""

from collections.abc import Mapping
from typing import Any

from tailrace.schemas.providers.call_forms import is_fitting_id
from tailrace.schemas.providers.content import is_among
from tailrace.schemas.providers.openai_chat.content import lacks_address, lacks_text
from tailrace.schemas.providers.openai_chat.request import ASSISTANTS_FIELD, CALL_FORM, FIELDS, NAME, USERS_CONTENT
from tailrace.schemas.providers.pairs import Pairable, judge, repeated, unpaired
from tailrace.schemas.providers.rules import extra_fields, misnamed_tool, misshapen_content, nothing_to_send
from tailrace.schemas.providers.violation import Api, Breaches, misshapen, objects_in, text_of

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})

#: Where each kind of call keeps its name and what the model wrote.
_KINDS = {"function": "arguments", "custom": "input"}


def _pairs(messages: list[tuple[str, dict[str, Any]]]) -> tuple[list[Pairable], list[Pairable]]:
    calls: list[Pairable] = []
    results: list[Pairable] = []
    turn, answering = 0, False
    for path, message in messages:
        is_result = message.get("role") == "tool"
        turn += not (answering and is_result)  # a run of tool messages is one turn
        answering = is_result
        if is_result:
            results.append(Pairable(path=path, key=text_of(message.get("tool_call_id")), turn=turn))
        elif message.get("role") == "assistant":
            calls += [
                Pairable(path=place, key=text_of(call.get("id")), turn=turn)
                for place, call in objects_in(message.get("tool_calls"), f"{path}.tool_calls")
            ]
    return calls, results


class _View:
    """What the rules look at, found once."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.messages = objects_in(request.get("messages"), "messages")
        self.calls = [
            (place, call)
            for path, message in self.messages
            if message.get("role") == "assistant"
            for place, call in objects_in(message.get("tool_calls"), f"{path}.tool_calls")
        ]
        self.verdict = judge(*_pairs(self.messages), adjacent=True)


def _shape(view: _View) -> Breaches:
    yield from misshapen(view.request.get("messages"), "messages", "message")
    for path, message in view.messages:
        yield from misshapen_content(message.get("content"), f"{path}.content")
        for place, item in objects_in(message.get("content"), f"{path}.content"):
            if not isinstance(item.get("type"), str):
                yield place, "must have a type"
        if "tool_calls" in message and message.get("role") == "assistant":
            yield from misshapen(message["tool_calls"], f"{path}.tool_calls", "tool call")
            if message["tool_calls"] == []:
                yield f"{path}.tool_calls", "must not be empty"


def _extra_field(view: _View) -> Breaches:
    return extra_fields(view.messages, FIELDS, "no field of a message is called so")


def _unknown_role(view: _View) -> Breaches:
    for path, message in view.messages:
        role = message.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            yield path, f"must have one of the roles {', '.join(sorted(_ROLES))}"


def _empty_content(view: _View) -> Breaches:
    for path, message in view.messages:
        content = message.get("content")
        instead = message.get("role") == "assistant" and any(
            message.get(key) for key in ("tool_calls", "function_call", "refusal", "audio")
        )
        if content == [] or (content is None and not instead):
            yield path, "must have content"


def _misplaced_content(view: _View) -> Breaches:
    for path, message in view.messages:
        for place, item in objects_in(message.get("content"), f"{path}.content"):
            if is_among(item.get("type"), USERS_CONTENT) and message.get("role") != "user":
                yield place, "must be in a user's message: no other may hold media"


def _content_form(view: _View) -> Breaches:
    for path, message in view.messages:
        for place, item in objects_in(message.get("content"), f"{path}.content"):
            if lacks_text(item):
                yield place, "must have a string as text"
            if lacks_address(item):
                yield place, "must have an object with a url as image_url"


def _misplaced_calls(view: _View) -> Breaches:
    for path, message in view.messages:
        if ASSISTANTS_FIELD in message and message.get("role") != "assistant":
            yield f"{path}.{ASSISTANTS_FIELD}", "must not be there: only an assistant calls"


def _duplicate_call(view: _View) -> Breaches:
    for path, message in view.messages:
        placed = objects_in(message.get("tool_calls"), f"{path}.tool_calls")
        calls = [Pairable(path=place, key=text_of(call.get("id")), turn=0) for place, call in placed]
        for call in repeated(calls):
            yield call.path, "must have an id of its own in its message"


def _call_arguments(view: _View) -> Breaches:
    for path, call in view.calls:
        kind = text_of(call.get("type"))
        field = _KINDS.get(kind)
        body = call.get(kind) if field else None
        if not isinstance(body, dict) or not isinstance(body.get(field), str):
            yield path, "must be of the type function or custom, with arguments that are a string"


def _call_form(view: _View) -> Breaches:
    for path, call in view.calls:
        call_id, kind = call.get("id"), call.get("type", "function")
        if not isinstance(call_id, str) or not is_fitting_id(call_id, CALL_FORM):
            yield path, f"must have an id of 1 to {CALL_FORM.id_characters_max} characters"
        body = call.get(kind) if isinstance(kind, str) else None
        name = body.get("name") if isinstance(body, dict) else ""
        if isinstance(body, dict):
            yield from misnamed_tool(name, path, CALL_FORM)


def _speaker_name(view: _View) -> Breaches:
    for path, message in view.messages:
        name = message.get("name")
        if "name" in message and not (isinstance(name, str) and NAME.fullmatch(name)):
            yield path, "must have a name of 1 to 64 characters without spaces, <, |, \\, / and >"


API = Api(
    view=_View,
    rules={
        "nothing_to_send": nothing_to_send("messages", "message"),
        "shape": _shape,
        "extra_field": _extra_field,
        "unknown_role": _unknown_role,
        "empty_content": _empty_content,
        "misplaced_content": _misplaced_content,
        "content_form": _content_form,
        "misplaced_calls": _misplaced_calls,
        "orphan_call": unpaired("orphan_calls", "must be followed by a tool message that responds to it"),
        "orphan_result": unpaired("orphan_results", "must respond to a call of a message before it"),
        "result_order": unpaired("misplaced", "must directly follow the message with its call"),
        "duplicate_result": unpaired("duplicates", "must be the only response to its call"),
        "duplicate_call": _duplicate_call,
        "call_arguments": _call_arguments,
        "call_form": _call_form,
        "speaker_name": _speaker_name,
    },
)
