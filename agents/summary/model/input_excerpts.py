"""What a summariser reads of a span: excerpts under short names, trimmed before any model sees them.

Tool outputs are three quarters of a conversation. Of each the last lines are read, of all together the newest, up to a
cap; what people and the assistant said is read whole. A span that exceeds a model's window is read in parts.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tailrace.agents.messages.part_text import text_of
from tailrace.agents.summary.model.text import quotations_of
from tailrace.schemas.records.parts import ReasoningPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.records.summary import FREE_FIELDS, QUOTED_FIELDS, StructuredSummary
from tailrace.schemas.records.work import SpanMessage

#: Of one output, and of all outputs together.
OUTPUT_CHARS_MAX = 6_000
OUTPUTS_TOKENS_MAX = 50_000
CLEARED = "[Old tool result content cleared]"
_CUT = "[the beginning is left out]\n"
#: Around each excerpt: marks, name and role.
EXCERPT_OVERHEAD_TOKENS = 24

CountText = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One event as a summariser reads it."""

    #: Short name in the prompt: ids are long, and models copy them badly.
    alias: str
    id: str
    role: str
    text: str
    tokens: int
    is_output: bool = False


def excerpts(messages: Sequence[SpanMessage], count_text: CountText) -> list[Excerpt]:
    """Excerpts of a span in its order, with its tool outputs trimmed."""
    read = [_excerpt(f"e{number}", message, count_text) for number, message in enumerate(messages, start=1)]
    room_tokens = OUTPUTS_TOKENS_MAX
    trimmed: list[Excerpt] = []
    for excerpt in reversed(read):
        if excerpt.is_output:
            room_tokens -= excerpt.tokens
            if room_tokens < 0:
                trimmed.append(replace(excerpt, text=CLEARED, tokens=count_text(CLEARED) + EXCERPT_OVERHEAD_TOKENS))
                continue
        trimmed.append(excerpt)
    return trimmed[::-1]


def in_parts(read: Sequence[Excerpt], room_tokens: int, count_text: CountText) -> list[list[Excerpt]]:
    """Cut the excerpts into as few parts of at most `room_tokens` as their order allows.

    An excerpt that exceeds a whole part is clipped.
    """
    parts: list[list[Excerpt]] = [[]]
    left_tokens = room_tokens
    for excerpt in read:
        fitting = excerpt if excerpt.tokens <= room_tokens else _clipped(excerpt, room_tokens, count_text)
        if fitting.tokens > left_tokens and parts[-1]:
            parts.append([])
            left_tokens = room_tokens
        parts[-1].append(fitting)
        left_tokens -= fitting.tokens
    return parts


def without_oldest(read: Sequence[Excerpt]) -> list[Excerpt]:
    """What is left when the oldest quarter goes, outputs first: for a model that says that it can't read so much."""
    outputs = [excerpt for excerpt in read if excerpt.is_output and excerpt.text != CLEARED]
    going = {excerpt.alias for excerpt in (outputs or read)[: max(1, len(read) // 4)]}
    return [excerpt for excerpt in read if excerpt.alias not in going]


def conversation_text(read: Sequence[Excerpt]) -> str:
    """The excerpts between marks that none of them can hold."""
    mark = hashlib.blake2b(
        "\0".join(excerpt.text for excerpt in read).encode(errors="replace"), digest_size=6
    ).hexdigest()
    return "\n".join(f"<<{mark} {excerpt.alias} {excerpt.role}>>\n{excerpt.text}\n<</{mark}>>" for excerpt in read)


def with_ids(summary: StructuredSummary, read: Sequence[Excerpt]) -> StructuredSummary:
    """The summary with ids of events in the place of short names; what is neither stays, to be refused."""
    return renamed(summary, {excerpt.alias: excerpt.id for excerpt in read})


def renamed(summary: StructuredSummary, names: Mapping[str, str]) -> StructuredSummary:
    """What a model said in a summary, with other names for the events that it cites."""
    quoted: dict[str, Any] = {
        field: tuple(
            msgspec.structs.replace(quotation, event=names.get(quotation.event, quotation.event))
            for quotation in quotations_of(summary, field)
        )
        for field in QUOTED_FIELDS
    }
    free = {
        field: tuple(
            # A model may name an event twice.
            msgspec.structs.replace(
                claim, events=tuple(dict.fromkeys(names.get(event, event) for event in claim.events))
            )
            for claim in getattr(summary, field)
        )
        for field in FREE_FIELDS
    }
    task = quoted.pop("current_task")
    return StructuredSummary(current_task=task[0] if task else None, **quoted, **free)


def merged(summaries: Sequence[StructuredSummary]) -> StructuredSummary:
    """Merge the summaries of parts that follow each other: all that they say, in order.

    The current task and the plan are those of the last part that has one.
    """
    if len(summaries) == 1:
        return summaries[0]
    lists = {
        field: tuple(item for summary in summaries for item in getattr(summary, field))
        for field in ("constraints", "decisions", "open_items", *FREE_FIELDS)
    }
    tasks = [summary.current_task for summary in summaries if summary.current_task is not None]
    plans = [summary.current_plan for summary in summaries if summary.current_plan]
    return StructuredSummary(
        current_task=tasks[-1] if tasks else None, current_plan=plans[-1] if plans else (), **lists
    )


def _excerpt(alias: str, span_message: SpanMessage, count_text: CountText) -> Excerpt:
    message = span_message.message
    is_output = bool(message.answered_ids)
    texts = []
    for part in message.parts:
        match part:
            case ReasoningPart():
                continue
            case ToolCallPart():
                texts.append(f"calls {part.name}: {text_of(part)}")
            case ToolCallResponsePart():
                texts.append(_last_lines(text_of(part)))
            case _:
                texts.append(text_of(part))
    text = "\n".join(texts)
    role = "program" if span_message.by_program else "tool" if is_output and message.role == "user" else message.role
    return Excerpt(alias, span_message.id, role, text, count_text(text) + EXCERPT_OVERHEAD_TOKENS, is_output)


def _last_lines(text: str) -> str:
    if len(text) <= OUTPUT_CHARS_MAX:
        return text
    tail = text[-OUTPUT_CHARS_MAX:]
    _, newline, lines = tail.partition("\n")
    return _CUT + (lines if newline and lines else tail)


def _clipped(excerpt: Excerpt, room_tokens: int, count_text: CountText) -> Excerpt:
    """An excerpt that fits: the end of an output, the beginning of anything else."""
    text = excerpt.text
    tokens = excerpt.tokens
    while tokens > room_tokens and text:
        # A little less than what would fit if all characters cost the same, until it does.
        chars = min(len(text) - 1, int(len(text) * max(room_tokens - EXCERPT_OVERHEAD_TOKENS, 1) / tokens * 0.95))
        text = text[len(text) - chars :] if excerpt.is_output else text[:chars]
        tokens = count_text(text) + EXCERPT_OVERHEAD_TOKENS
    return replace(excerpt, text=text, tokens=tokens)
