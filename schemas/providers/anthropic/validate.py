"""What Anthropic's Messages API refuses in `system` and `messages`.

Its rules, by what it answers with: the first message is a user's; no message has fields beside role and content; texts
hold more than white space; images and documents are a user's, and the system prompt is text alone; a result is a text
or a list of blocks, and of texts where it is an error; every `tool_use` has one `tool_result` in the turn right behind
it, before anything else there, and ids of `tool_use` are unique words; `input` is an object; thinking is an
assistant's, is signed, comes first in its message and not last in the conversation, and isn't marked for the cache;
results of its own tools come after their calls; the last words of an assistant don't end in white space; no more than
four blocks are marked for the cache. The system prompt is beside the messages: only the newest models take one among
them. Messages of one role in a row count as one turn.
"""

from collections.abc import Mapping
from typing import Any

from tailrace.schemas.providers.anthropic.content import OWN_CALLS, is_own_result, own_id_of
from tailrace.schemas.providers.anthropic.request import CALL_FORM, USERS_BLOCKS
from tailrace.schemas.providers.cache_marks import MARK, MARKS_MAX, marked_in
from tailrace.schemas.providers.call_forms import is_fitting_id
from tailrace.schemas.providers.pairs import Pairable, judge, unpaired
from tailrace.schemas.providers.rules import duplicate_call, extra_fields, misnamed_tool, nothing_to_send
from tailrace.schemas.providers.violation import Api, Breaches, Placed, is_text, misshapen, objects_in, text_of

_THINKING = frozenset({"thinking", "redacted_thinking"})
_FIELDS = frozenset({"role", "content"})


def _blocks(path: str, message: dict[str, Any]) -> list[Placed]:
    return objects_in(message.get("content"), f"{path}.content")


def _kind(block: dict[str, Any]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _pairs(messages: list[Placed]) -> tuple[list[Pairable], list[Pairable]]:
    calls: list[Pairable] = []
    results: list[Pairable] = []
    turn, role = 0, None
    for path, message in messages:
        turn += message.get("role") != role
        role = message.get("role")
        for place, block in _blocks(path, message):
            if _kind(block) == "tool_use" and role == "assistant":
                calls.append(Pairable(path=place, key=text_of(block.get("id")), turn=turn))
            elif _kind(block) == "tool_result" and role == "user":
                results.append(Pairable(path=place, key=text_of(block.get("tool_use_id")), turn=turn))
    return calls, results


class _View:
    """What the rules look at, found once."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.messages = objects_in(request.get("messages"), "messages")
        self.blocks = [
            (place, block, text_of(message.get("role")))
            for path, message in self.messages
            for place, block in _blocks(path, message)
        ]
        self.calls, results = _pairs(self.messages)
        self.verdict = judge(self.calls, results, adjacent=True)


def _shape(view: _View) -> Breaches:
    yield from misshapen(view.request.get("messages"), "messages", "message")
    for path, message in view.messages:
        content = message.get("content")
        if not isinstance(content, str):
            yield from misshapen(content, f"{path}.content", "content block")
        for place, block in _blocks(path, message):
            if not isinstance(block.get("type"), str):
                yield place, "must have a type"
            inner = block.get("content") if _kind(block) == "tool_result" else None
            if isinstance(inner, list):
                yield from misshapen(inner, f"{place}.content", "content block")
            elif not isinstance(inner, str | None):
                yield f"{place}.content", "must be a string or a list of content blocks"


def _extra_field(view: _View) -> Breaches:
    return extra_fields(view.messages, _FIELDS, "a message has a role and content")


def _system_role(view: _View) -> Breaches:
    for path, message in view.messages:
        if message.get("role") == "system":
            yield path, "must be in `system`, beside the messages"


def _unknown_role(view: _View) -> Breaches:
    for path, message in view.messages:
        if message.get("role") not in ("user", "assistant", "system"):
            yield path, "must have the role user or assistant"


def _first_role(view: _View) -> Breaches:
    messages = view.messages
    if messages and messages[0][1].get("role") == "assistant":
        yield messages[0][0], "must be a user's: no assistant speaks first"


def _empty_content(view: _View) -> Breaches:
    for path, message in view.messages:
        if message.get("content") in ("", []):
            yield path, "must have content"


def _blank_text(view: _View) -> Breaches:
    system = view.request.get("system", "-")
    if not isinstance(system, list) and not is_text(system):
        yield "system", "must hold more than white space, or not be there"
    texts = [*objects_in(system, "system")]
    for path, message in view.messages:
        content = message.get("content")
        if isinstance(content, str) and content and not is_text(content):
            yield f"{path}.content", "must hold more than white space"
        texts += _blocks(path, message)
        for place, block in _blocks(path, message):
            texts += _blocks(place, block) if _kind(block) == "tool_result" else []
    for path, block in texts:
        if _kind(block) == "text" and not is_text(block.get("text")):
            yield path, "must hold more than white space"


def _system_content(view: _View) -> Breaches:
    for path, block in objects_in(view.request.get("system"), "system"):
        if _kind(block) != "text":
            yield path, "must be a text: the system prompt holds nothing else"


def _cache_marks(view: _View) -> Breaches:
    listed = [(key, view.request.get(key)) for key in ("tools", "system", "messages")]
    marked = [place for key, items in listed if isinstance(items, list) for place in marked_in(items, key)]
    for path in marked[MARKS_MAX:]:
        yield path, f"must have no {MARK}: a request takes {MARKS_MAX}"


def _results_first(view: _View) -> Breaches:
    role, others = None, False
    for path, message in view.messages:
        others = others and message.get("role") == role
        role = message.get("role")
        if isinstance(message.get("content"), str):
            others = True
        for place, block in _blocks(path, message):
            if role == "user" and _kind(block) == "tool_result" and others:
                yield place, "must come before everything that is no tool_result"
            others = others or _kind(block) != "tool_result"


def _misplaced_block(view: _View) -> Breaches:
    for path, block, role in view.blocks:
        if (_kind(block), role) in (("tool_use", "user"), ("tool_result", "assistant")):
            yield path, "must be in a message of the other role: an assistant calls, a user answers"


def _misplaced_media(view: _View) -> Breaches:
    for path, block, role in view.blocks:
        if _kind(block) in USERS_BLOCKS and role == "assistant":
            yield path, "must be in a user's message: an assistant shows no media"


def _error_content(view: _View) -> Breaches:
    errors = [(path, block) for path, block, _ in view.blocks if block.get("is_error") is True]
    for path, block in (placed for error in errors if _kind(error[1]) == "tool_result" for placed in _blocks(*error)):
        if _kind(block) != "text":
            yield path, "must be a text: an error holds nothing else"


def _orphan_own_result(view: _View) -> Breaches:
    called: set[str] = set()
    for path, block, role in view.blocks:
        if _kind(block) in OWN_CALLS and role == "assistant":
            called.add(own_id_of(block))
        if is_own_result(_kind(block)) and own_id_of(block) not in called:
            yield path, f"must have its {' or '.join(sorted(OWN_CALLS))} before it"


def _call_input(view: _View) -> Breaches:
    for path, block, _ in view.blocks:
        if _kind(block) == "tool_use" and not isinstance(block.get("input"), dict):
            yield path, "must have an object as input"


def _call_form(view: _View) -> Breaches:
    for path, block, _ in view.blocks:
        if _kind(block) != "tool_use":
            continue
        call_id, name = block.get("id"), block.get("name")
        if not isinstance(call_id, str) or not is_fitting_id(call_id, CALL_FORM):
            yield path, "must have an id of letters, digits, _ or -"
        yield from misnamed_tool(name, path, CALL_FORM)


def _unsigned_thinking(view: _View) -> Breaches:
    for path, block, _ in view.blocks:
        proof = {"thinking": "signature", "redacted_thinking": "data"}.get(_kind(block))
        if proof and not (isinstance(block.get(proof), str) and block[proof]):
            yield path, f"must have its {proof}, as it came"


def _marked_thinking(view: _View) -> Breaches:
    for path, block, _ in view.blocks:
        if _kind(block) in _THINKING and block.get(MARK) is not None:
            yield path, f"must have no {MARK}: thinking takes none"


def _thinking_place(view: _View) -> Breaches:
    for path, message in view.messages:
        blocks = _blocks(path, message)
        thinking = [place for place, block in blocks if _kind(block) in _THINKING]
        if thinking and message.get("role") != "assistant":
            yield thinking[0], "must be in a message of the assistant"
        elif thinking and _kind(blocks[0][1]) not in _THINKING:
            yield thinking[0], "must come first in its message"


def _thinking_last(view: _View) -> Breaches:
    messages = view.messages
    blocks = _blocks(*messages[-1]) if messages and messages[-1][1].get("role") == "assistant" else []
    if blocks and _kind(blocks[-1][1]) in _THINKING:
        yield blocks[-1][0], "must not be the last block of the conversation"


def _trailing_whitespace(view: _View) -> Breaches:
    messages = view.messages
    if not messages or messages[-1][1].get("role") != "assistant":
        return
    path, message = messages[-1]
    content = message.get("content")
    blocks = _blocks(path, message)
    if blocks and _kind(blocks[-1][1]) == "text":
        path, content = blocks[-1][0], blocks[-1][1].get("text")
    if isinstance(content, str) and is_text(content) and content != content.rstrip():
        yield path, "must not end in white space: it is the assistant's last word"


API = Api(
    view=_View,
    rules={
        "nothing_to_send": nothing_to_send("messages", "message"),
        "shape": _shape,
        "extra_field": _extra_field,
        "system_role": _system_role,
        "unknown_role": _unknown_role,
        "first_role": _first_role,
        "empty_content": _empty_content,
        "blank_text": _blank_text,
        "system_content": _system_content,
        "orphan_call": unpaired("orphan_calls", "must have a tool_result in the next message"),
        "orphan_result": unpaired("orphan_results", "must have its tool_use in the message before"),
        "result_order": unpaired("misplaced", "must be in the message right behind its tool_use"),
        "results_first": _results_first,
        "duplicate_result": unpaired("duplicates", "must be the only tool_result of its tool_use"),
        "duplicate_call": duplicate_call("an id"),
        "misplaced_block": _misplaced_block,
        "misplaced_media": _misplaced_media,
        "error_content": _error_content,
        "orphan_own_result": _orphan_own_result,
        "call_input": _call_input,
        "call_form": _call_form,
        "unsigned_thinking": _unsigned_thinking,
        "marked_thinking": _marked_thinking,
        "thinking_place": _thinking_place,
        "thinking_last": _thinking_last,
        "trailing_whitespace": _trailing_whitespace,
        "cache_marks": _cache_marks,
    },
)
