"""A context as the arguments of an Anthropic message: the system prompt beside the messages.

The API wants results first in the user message directly behind their calls, and thinking first in the assistant message
that holds its calls. It refuses blank texts, media of an assistant, in the system prompt or in an error, unsigned or
marked thinking, results of its own tools without their calls, fields of a message beside role and content, an assistant
that speaks first, an assistant's last words that end in white space or in thinking, and more than four marks for its
cache.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from tailrace.schemas.fields import rest
from tailrace.schemas.providers.anthropic.content import read_blocks
from tailrace.schemas.providers.anthropic.write import write_messages
from tailrace.schemas.providers.as_text import json_text, note_of
from tailrace.schemas.providers.cache_marks import MARK, MARKS_MAX, marked_in, newest_marked
from tailrace.schemas.providers.call_answers import BEGINNING, Fitting, Made, begun_by_user, paired
from tailrace.schemas.providers.call_forms import WORD_CHARACTER, CallForm
from tailrace.schemas.providers.content import shortest, text_item
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import Json, ToolCallPart

#: Ids and names that the API takes.
CALL_FORM = CallForm(
    id_pattern=WORD_CHARACTER, id_characters_max=256, name_pattern=WORD_CHARACTER, name_characters_max=128
)

#: Fields of calls and results that no extra may speak for.
_OWN_FIELDS = frozenset({"type", "id", "name", "input", "tool_use_id"})

#: Blocks that only a user's message may hold.
USERS_BLOCKS = frozenset({"image", "document"})

_THINKING = frozenset({"thinking", "redacted_thinking"})

Block = dict[str, Any]


def request(messages: Sequence[Message], carry: Carry) -> dict[str, Any]:
    """Return `{"system": ..., "messages": [...]}`, without `system` where there is none."""
    written = write_messages(begun_by_user(paired(messages, _FITTING)), carry)
    system = [block for message in written if message["role"] == "system" for block in _system_blocks(message)]
    turns: list[dict[str, Any]] = []
    for message in written:
        turn = _cleaned(message) if message["role"] != "system" else None
        if turn is not None:
            _add(turns, turn)
    ordered = _begun(_ended([_with_blocks(turn, _thinking_first(_blocks(turn))) for turn in turns]))
    ordered = newest_marked(ordered, MARKS_MAX)
    system = newest_marked(system, MARKS_MAX - sum(1 for _ in marked_in(ordered)))
    return {"system": shortest(system), "messages": ordered} if system else {"messages": ordered}


def _fit_call(made: Made) -> ToolCallPart:
    extra = made.call.extra
    return replace(made.call, extra=rest(extra, _OWN_FIELDS)) if _OWN_FIELDS & extra.keys() else made.call


def _fit_answer(answer: Message, _: Made) -> Message:
    (part,) = answer.parts
    return replace(answer, parts=(replace(part, extra=rest(part.extra, _OWN_FIELDS)),))


def _blocks(turn: dict[str, Any]) -> list[Block]:
    content = turn["content"]
    return content if isinstance(content, list) else [text_item(content)]


def _with_blocks(turn: dict[str, Any], blocks: list[Block]) -> dict[str, Any]:
    # What needs no change keeps its form, so that what was sent before is sent again.
    return turn if blocks == _blocks(turn) else {"role": turn["role"], "content": shortest(blocks)}


def _system_blocks(message: dict[str, Any]) -> list[Block]:
    blocks = [_noted(block) if block.get("type") in USERS_BLOCKS else block for block in _blocks(message)]
    return [block for block in blocks if block.get("type") == "text" and not _is_blank(block)]


def _cleaned(message: dict[str, Any]) -> dict[str, Any] | None:
    turn = {"role": message["role"], "content": message["content"]}
    typed = [block if isinstance(block.get("type"), str) else text_item(json_text(block)) for block in _blocks(turn)]
    if turn["role"] == "assistant":
        typed = [_noted(block) if block["type"] in USERS_BLOCKS else block for block in typed]
    taken = [_unmarked(block) for block in typed if _is_taken(block, turn["role"])]
    blocks = [cleaned for block in taken for cleaned in _cleaned_result(block)]
    return _with_blocks(turn, blocks) if blocks else None


def _noted(block: Block) -> Block:
    return text_item(note_of(block, read_blocks))


def _is_taken(block: Block, role: str) -> bool:
    kind = block.get("type")
    if kind in _THINKING:
        proof = block.get("signature" if kind == "thinking" else "data")
        return role == "assistant" and isinstance(proof, str) and bool(proof)
    return kind != "text" or not _is_blank(block)


def _is_blank(block: Block) -> bool:
    text = block.get("text")
    return not isinstance(text, str) or not text.strip()


def _unmarked(block: Block) -> Block:
    # Thinking is in the cache with what follows it, and takes no mark of its own.
    return rest(block, (MARK,)) if block["type"] in _THINKING and MARK in block else block


def _cleaned_result(block: Block) -> list[Block]:
    """Return the result, and behind it the media that may not stand in it."""
    if block.get("type") != "tool_result" or "content" not in block:
        return [block]
    content, beside = _cleaned_content(block["content"]), []
    if block.get("is_error") is True and isinstance(content, list):
        beside = [item for item in content if item["type"] in USERS_BLOCKS]
        content = [_as_text(item) for item in content if item["type"] not in USERS_BLOCKS]
    if content == block["content"]:
        return [block]
    other = rest(block, ("content",))
    return [{**other, "content": content} if content else other, *beside]


def _as_text(block: Block) -> Block:
    return block if block["type"] == "text" else text_item(readable_json(block))


def _cleaned_content(content: Json) -> Json:
    if isinstance(content, list):
        if not all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content):
            return json_text(content)
        return [block for block in content if block["type"] != "text" or not _is_blank(block)]
    return content if isinstance(content, str) and content.strip() else None


def _add(turns: list[dict[str, Any]], turn: dict[str, Any]) -> None:
    last = turns[-1] if turns else None
    if last is not None and last["role"] == turn["role"] and _MERGES[turn["role"]](last, turn):
        blocks = sorted([*_blocks(last), *_blocks(turn)], key=_ORDERS[turn["role"]])
        turns[-1] = {"role": turn["role"], "content": blocks}
    else:
        turns.append(_with_blocks(turn, sorted(_blocks(turn), key=_results_first)))


def _has(turn: dict[str, Any], kinds: frozenset[str]) -> bool:
    return any(block.get("type") in kinds for block in _blocks(turn))


def _belong_together(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return _has(first, _THINKING | {"tool_use"}) or _has(second, _THINKING)


def _follow_results(first: dict[str, Any], _: dict[str, Any]) -> bool:
    return _has(first, frozenset({"tool_result"}))


def _results_first(block: Block) -> bool:
    return block.get("type") != "tool_result"


def _calls_last(block: Block) -> bool:
    return block.get("type") == "tool_use"


def _thinking_first(blocks: list[Block]) -> list[Block]:
    # Thinking between other blocks is the model's own order, as long as thinking began it.
    if not blocks or blocks[0].get("type") in _THINKING:
        return blocks
    return sorted(blocks, key=lambda block: block.get("type") not in _THINKING)


def _begun(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if turns and turns[0]["role"] != "user":
        return [{"role": "user", "content": BEGINNING}, *turns]
    return turns


def _ended(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not turns or turns[-1]["role"] != "assistant":
        return turns
    blocks = list(_blocks(turns[-1]))
    while blocks and blocks[-1].get("type") in _THINKING:
        blocks.pop()
    if not blocks:
        return _ended(turns[:-1])
    last = blocks[-1]
    if last.get("type") == "text":
        blocks[-1] = {**last, "text": last["text"].rstrip()}
    return [*turns[:-1], _with_blocks(turns[-1], blocks)]


#: When two messages of one role in a row become one, and in which order their blocks then stand.
_MERGES: dict[str, Callable[[dict[str, Any], dict[str, Any]], bool]] = {
    "user": _follow_results,
    "assistant": _belong_together,
}
_ORDERS: dict[str, Callable[[Block], bool]] = {"user": _results_first, "assistant": _calls_last}

_FITTING = Fitting(
    format=Format.ANTHROPIC_MESSAGES, form=CALL_FORM, answering_role="user", call=_fit_call, answer=_fit_answer
)
