"""What OpenAI's Responses API refuses in `input`.

Its rules, by what it answers with: every call needs an output, of the kind that belongs to it, and every output a call
before it; a reasoning item must be followed by the item that it led to; no item comes twice; ids of messages, calls and
reasoning begin as those of their kind do; ids that pair calls have at most 64 characters, names of tools are words of
at most 64; arguments and inputs are strings, outputs of functions and custom tools strings or lists; reasoning has a
summary, an image a source, the bytes of a file a name; messages have one of four roles, content, and no fields that it
doesn't know; an assistant's content is output, all other is input. Where an output stands between its call and the end
is left to the caller.

It also refuses an item whose reasoning is missing, where it made both: it remembers which ids were of one response. A
request doesn't say so, and a call without reasoning is as good as any, so there is no rule for it here. Groups keep
them together.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.providers.call_forms import is_fitting_id
from tailrace.schemas.providers.content import is_among
from tailrace.schemas.providers.openai_responses.content import lacks_image, lacks_name
from tailrace.schemas.providers.openai_responses.items import (
    ID_PREFIXES,
    PLAIN_OUTPUTS,
    call_id_of,
    can_answer,
    has_strange_id,
    is_call,
    is_led_to,
    is_output,
    item_id_of,
    kind_of_item,
)
from tailrace.schemas.providers.openai_responses.read import ROLES
from tailrace.schemas.providers.openai_responses.request import CALL_FORM, GIVEN_CONTENT, MESSAGE_FIELDS, OWN_CONTENT
from tailrace.schemas.providers.pairs import Pairable, judge, repeated, unpaired
from tailrace.schemas.providers.rules import (
    duplicate_call,
    extra_fields,
    misnamed_tool,
    misshapen_content,
    nothing_to_send,
)
from tailrace.schemas.providers.violation import Api, Breaches, misshapen, objects_in

#: Calls whose tools have names, and where they keep what the model wrote.
_NAMED = {"function_call": "arguments", "custom_tool_call": "input"}


class _View:
    """What the rules look at, found once."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.items = objects_in(request.get("input"), "input")
        self.spoken = [(path, item) for path, item in self.items if kind_of_item(item) == "message"]
        self.outputs = [(path, item) for path, item in self.items if kind_of_item(item) in PLAIN_OUTPUTS]
        self.calls = self._pairable(is_call)
        self.verdict = judge(self.calls, self._pairable(is_output), adjacent=False)

    def _pairable(self, belongs: Callable[[dict[str, Any], str], bool]) -> list[Pairable]:
        return [
            Pairable(path=path, key=call_id_of(item, kind_of_item(item)), turn=turn)
            for turn, (path, item) in enumerate(self.items)
            if belongs(item, kind_of_item(item))
        ]


def _shape(view: _View) -> Breaches:
    yield from misshapen(view.request.get("input"), "input", "item")
    for path, item in view.items:
        if not kind_of_item(item):
            yield path, "must have a type"
    for path, item in view.spoken:
        yield from misshapen_content(item.get("content"), f"{path}.content")


def _extra_field(view: _View) -> Breaches:
    return extra_fields(view.spoken, MESSAGE_FIELDS, "no field of a message is called so")


def _unknown_role(view: _View) -> Breaches:
    for path, item in view.spoken:
        if item.get("role") not in ROLES:
            yield path, f"must have one of the roles {', '.join(ROLES)}"


def _empty_content(view: _View) -> Breaches:
    for path, item in view.spoken:
        if item.get("content") in (None, []):
            yield path, "must have content"


def _misplaced_content(view: _View) -> Breaches:
    for path, item in view.spoken:
        refused = GIVEN_CONTENT if item.get("role") == "assistant" else OWN_CONTENT
        for place, content in objects_in(item.get("content"), f"{path}.content"):
            if is_among(content.get("type"), refused):
                yield place, "must be of the other side: an assistant's content is output, all other is input"


def _media_form(view: _View) -> Breaches:
    lists = [(f"{path}.content", item.get("content")) for path, item in view.spoken]
    lists += [(f"{path}.output", item.get("output")) for path, item in view.outputs]
    for place, content in (placed for path, contents in lists for placed in objects_in(contents, path)):
        if lacks_image(content):
            yield place, "must have an image_url or a file_id"
        if lacks_name(content):
            yield place, "must have a filename beside its file_data"


def _reasoning_form(view: _View) -> Breaches:
    for path, item in view.items:
        if kind_of_item(item) == "reasoning" and not isinstance(item.get("summary"), list):
            yield path, "must have a list as summary, be it empty"


def _output_form(view: _View) -> Breaches:
    for path, item in view.outputs:
        output = item.get("output")
        if isinstance(output, list):
            yield from misshapen(output, f"{path}.output", "content item")
        elif not isinstance(output, str):
            yield path, "must have a string or a list of content items as output"


def _output_kind(view: _View) -> Breaches:
    kinds = {
        call_id_of(item, kind_of_item(item)): kind_of_item(item)
        for _, item in view.items
        if is_call(item, kind_of_item(item))
    }
    for path, item in view.items:
        kind = kind_of_item(item)
        call_kind = kinds.get(call_id_of(item, kind)) if is_output(item, kind) else None
        if call_kind is not None and not can_answer(kind, call_kind):
            yield path, f"must be of the type {call_kind}_output, as its call asks for"


def _dangling_reasoning(view: _View) -> Breaches:
    items = view.items
    for index, (path, item) in enumerate(items):
        following = items[index + 1][1] if index + 1 < len(items) else {}
        if kind_of_item(item) == "reasoning" and not is_led_to(following):
            yield path, "must be followed by the item that it led to"


def _duplicate_item(view: _View) -> Breaches:
    named = [(path, item_id_of(item, kind_of_item(item))) for path, item in view.items]
    for item in repeated([Pairable(path=path, key=item_id, turn=0) for path, item_id in named if item_id]):
        yield item.path, "must be in the input once: an item before it has the same id"


def _item_id(view: _View) -> Breaches:
    for path, item in view.items:
        kind = kind_of_item(item)
        if has_strange_id(item, kind):
            yield f"{path}.id", f"must begin with {ID_PREFIXES[kind]}, or not be there"


def _call_arguments(view: _View) -> Breaches:
    for path, item in view.items:
        field = _NAMED.get(kind_of_item(item))
        if field is not None and not isinstance(item.get(field), str):
            yield path, f"must have a string as {field}"


def _call_form(view: _View) -> Breaches:
    for path, item in view.items:
        kind = kind_of_item(item)
        if is_call(item, kind) and not is_fitting_id(call_id_of(item, kind), CALL_FORM):
            yield path, f"must have a call_id of 1 to {CALL_FORM.id_characters_max} characters"
        if kind in _NAMED:
            yield from misnamed_tool(item.get("name"), path, CALL_FORM)


API = Api(
    view=_View,
    rules={
        "nothing_to_send": nothing_to_send("input", "item"),
        "shape": _shape,
        "extra_field": _extra_field,
        "unknown_role": _unknown_role,
        "empty_content": _empty_content,
        "misplaced_content": _misplaced_content,
        "media_form": _media_form,
        "orphan_call": unpaired("orphan_calls", "must have an output behind it"),
        "orphan_result": unpaired("orphan_results", "must be the output of a call before it"),
        "result_order": unpaired("misplaced", "must come after its call"),
        "duplicate_result": unpaired("duplicates", "must be the only output of its call"),
        "duplicate_call": duplicate_call("a call_id"),
        "output_kind": _output_kind,
        "output_form": _output_form,
        "reasoning_form": _reasoning_form,
        "dangling_reasoning": _dangling_reasoning,
        "duplicate_item": _duplicate_item,
        "item_id": _item_id,
        "call_arguments": _call_arguments,
        "call_form": _call_form,
    },
)
