"""Items of the OpenAI Responses API that are no messages, to parts and back: calls, outputs, reasoning.

A part's `extra` is the item less what the named fields carry; a type that is not the usual one of its part stays in it.
Calls and outputs of kinds that came after this release are still calls and outputs, so that they find each other.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import id_field, rest, text_field, wrong
from tailrace.schemas.providers.openai_responses.content import read_items
from tailrace.schemas.records.parts import Json, ReasoningPart, ToolCallPart, ToolCallResponsePart

#: Where each kind of call keeps what the model wrote.
_ARGUMENT_FIELDS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "computer_call": "action",
}

#: Calls of tools that have a name of their own; any other tool is named by its kind.
_NAMED = frozenset({"function_call", "custom_tool_call"})

#: The one kind of output that names its call by `id`; some clients send `call_id` all the same.
_NAMED_BY_ID = "local_shell_call_output"

_LIKE_A_FUNCTION = ("function_call_output", "local_shell_call")

#: Items that the caller puts in, beside messages and outputs.
_FROM_CALLER = frozenset({"item_reference", "mcp_approval_response", "additional_tools", "compaction_trigger"})

#: What the provider's own tools did, and what only names things that the provider holds.
_BOUND = frozenset(
    {
        "item_reference",
        "file_search_call",
        "web_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_list_tools",
        "tool_search_call",
        "tool_search_output",
        "program",
        "program_output",
        "additional_tools",
        "compaction_trigger",
    }
)

#: How the ids of items begin; the API refuses any other. Of kinds that are not here it takes what it made itself.
ID_PREFIXES = {"message": "msg", "function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs"}

COMPACTION_TYPES = frozenset({"compaction", "compaction_summary", "context_compaction"})

#: Types of items that are no messages: a bare object of one of them can be nothing else.
ITEM_TYPES = frozenset(
    {
        *_ARGUMENT_FIELDS,
        *(f"{kind}_output" for kind in _ARGUMENT_FIELDS),
        *_BOUND,
        *COMPACTION_TYPES,
        "reasoning",
        "mcp_call",
        "mcp_approval_request",
        "mcp_approval_response",
    }
)

#: Outputs that are a text or a list of content items.
PLAIN_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})

_SUMMARY_FIELDS = {"type", "text"}


def is_bound(kind: str) -> bool:
    """Return whether items of a type without a named part are of use to OpenAI alone."""
    return kind in _BOUND


def kind_of_item(item: Mapping[str, Any]) -> str:
    """Return the type of an item: a message may leave it out. Empty where it is no string."""
    kind = item.get("type")
    return kind if isinstance(kind, str) else "message" if kind is None else ""


def is_call(item: Mapping[str, Any], kind: str) -> bool:
    """Return whether the item is a call that the caller of the API answers."""
    return kind in _NAMED or (kind.endswith("_call") and _has_id(item, "call_id"))


def is_output(item: Mapping[str, Any], kind: str) -> bool:
    """Return whether the item answers a call."""
    if kind in PLAIN_OUTPUTS:
        return True
    return kind.endswith("_output") and (_has_id(item, "call_id") or _is_id_of_call(item, kind))


def call_id_of(item: Mapping[str, Any], kind: str) -> str:
    """Return what pairs a call with its output; empty where the item has nothing of the kind."""
    value = item.get("id" if _is_id_of_call(item, kind) else "call_id")
    return value if isinstance(value, str) else ""


def item_id_of(item: Mapping[str, Any], kind: str) -> str | None:
    """Return the id of the item itself, by which the API tells whether it comes twice; None where it has none."""
    value = item.get("id")
    return value if isinstance(value, str) and value and kind != _NAMED_BY_ID else None


def has_strange_id(item: Mapping[str, Any], kind: str) -> bool:
    """Return whether the item has an id that the API can't have given to one of its kind, and therefore refuses."""
    value, prefix = item.get("id"), ID_PREFIXES.get(kind)
    return value is not None and prefix is not None and not (isinstance(value, str) and value.startswith(prefix))


def is_writable(call_kind: str) -> bool:
    """Return whether a text can be written as the output of such a call."""
    return call_kind in _NAMED or call_kind in _OUTPUT_WRITERS


def can_answer(output_kind: str, call_kind: str) -> bool:
    """Return whether the API takes such an output for such a call."""
    # A shell on the caller's own machine may be answered like any function.
    return output_kind == f"{call_kind}_output" or (output_kind, call_kind) == _LIKE_A_FUNCTION


def is_led_to(item: Mapping[str, Any]) -> bool:
    """Return whether reasoning can stand right before the item: whether the model made it, or thought on."""
    kind = kind_of_item(item)
    if kind == "message":
        return item.get("role") == "assistant"
    return not kind.endswith("_output") and kind not in _FROM_CALLER


def kind_of(part: ToolCallPart | ToolCallResponsePart) -> str:
    """Return the type of the item that a call or an output came as, or is written as."""
    kind = part.extra.get("type")
    if isinstance(kind, str):
        return kind
    return "function_call" if isinstance(part, ToolCallPart) else "function_call_output"


def read_call(item: dict[str, Any], kind: str) -> ToolCallPart:
    """Return the part for a call."""
    call_id = id_field(item, "call_id", "message")
    taken = {"call_id"} if kind != "function_call" else {"call_id", "type"}
    name = kind
    if kind in _NAMED:
        name = text_field(item, "name", "message")
        taken.add("name")
    field = _ARGUMENT_FIELDS.get(kind, "arguments")
    arguments = item.get(field)
    if arguments is not None:
        if kind in _NAMED and not isinstance(arguments, str | dict):
            raise wrong(f"message.{field}", "a string", arguments)
        taken.add(field)
    return ToolCallPart(id=call_id, name=name, arguments=arguments, extra=rest(item, taken))


def write_call(part: ToolCallPart) -> dict[str, Any]:
    """Return the item for a call."""
    kind = kind_of(part)
    item = {**part.extra, "type": kind, "call_id": part.id}
    if kind in _NAMED:
        item["name"] = part.name
    if part.arguments is not None:
        item[_ARGUMENT_FIELDS.get(kind, "arguments")] = part.arguments
    return item


def read_output(item: dict[str, Any], kind: str) -> ToolCallResponsePart:
    """Return the part for what answers a call."""
    call_id = id_field(item, "id" if _is_id_of_call(item, kind) else "call_id", "message")
    taken = {"call_id"} if kind != "function_call_output" else {"call_id", "type"}
    if kind == _NAMED_BY_ID and "id" in item:
        taken.clear()  # which of the two ids names the call shows only while both are there
    output = item.get("output")
    if output is not None:
        if kind in PLAIN_OUTPUTS:
            _check_output(output)
        taken.add("output")
    return ToolCallResponsePart(id=call_id, response=output, extra=rest(item, taken))


def write_output(part: ToolCallResponsePart) -> dict[str, Any]:
    """Return the item for an output."""
    kind = kind_of(part)
    item = {**part.extra, "type": kind, "id" if _is_id_of_call(part.extra, kind) else "call_id": part.id}
    if part.response is not None:
        item["output"] = part.response
    return item


def output_item(call_kind: str, call_id: str, output: str | list[dict[str, Any]]) -> dict[str, Any]:
    """Return the item that answers a call of that kind; kinds that take no list get its texts."""
    writer = _OUTPUT_WRITERS.get(call_kind)
    if writer is None:
        kind = "custom_tool_call_output" if call_kind == "custom_tool_call" else "function_call_output"
        return {"type": kind, "call_id": call_id, "output": output}
    text = output if isinstance(output, str) else "\n".join(str(item["text"]) for item in output if "text" in item)
    return writer(call_id, text)


def read_reasoning(item: dict[str, Any]) -> tuple[ReasoningPart, ...]:
    """Return one part for each text of the summary; the first holds the other fields of the item."""
    summary = item.get("summary")
    if isinstance(summary, list) and summary and all(map(_is_usual_summary, summary)):
        first = ReasoningPart(content=summary[0]["text"], extra=rest(item, ("type", "summary")))
        return (first, *(ReasoningPart(content=entry["text"]) for entry in summary[1:]))
    return (ReasoningPart(content="", extra=rest(item, ("type",))),)


def write_reasoning(parts: tuple[ReasoningPart, ...]) -> dict[str, Any]:
    """Return the item for the reasoning of one message."""
    item: dict[str, Any] = {"type": "reasoning", **parts[0].extra}
    texts = [part.content for part in parts if part.content]
    if texts:
        item["summary"] = [{"type": "summary_text", "text": text} for text in texts]
    return item


def _is_usual_summary(entry: Json) -> bool:
    if not isinstance(entry, dict) or entry.keys() != _SUMMARY_FIELDS or entry["type"] != "summary_text":
        return False
    return isinstance(entry["text"], str) and bool(entry["text"])


def _check_output(output: Json) -> None:
    if isinstance(output, list):
        read_items(output, "message.output")  # checked here; the answer keeps them as they came
    elif not isinstance(output, str):
        raise wrong("message.output", "a string or a list of content items", output)


def _is_id_of_call(item: Mapping[str, Any], kind: str) -> bool:
    return kind == _NAMED_BY_ID and not _has_id(item, "call_id") and _has_id(item, "id")


def _has_id(item: Mapping[str, Any], key: str) -> bool:
    value = item.get(key, UNSET)
    return isinstance(value, str) and bool(value)


def _shell_output(call_id: str, text: str) -> dict[str, Any]:
    chunk = {"stdout": text, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
    return {"type": "shell_call_output", "call_id": call_id, "output": [chunk]}


def _apply_patch_output(call_id: str, text: str) -> dict[str, Any]:
    return {"type": "apply_patch_call_output", "call_id": call_id, "status": "completed", "output": text}


def _local_shell_output(call_id: str, text: str) -> dict[str, Any]:
    return {"type": "local_shell_call_output", "id": call_id, "output": text}


#: Writers of outputs that are no list of content items.
_OUTPUT_WRITERS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "shell_call": _shell_output,
    "apply_patch_call": _apply_patch_output,
    "local_shell_call": _local_shell_output,
}
