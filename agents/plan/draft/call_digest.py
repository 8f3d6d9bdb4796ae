"""Calls and their results as one short message: which tools were called, with what, and how each result begins.

A step tells old calls so, each result up to a given length. Where calls and results are kept and don't fit however
short each of them is made, the same message says as much of them as fits: an agent that doesn't see its calls makes
them again.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tailrace.agents.artifacts.shorten import Count
from tailrace.agents.messages.part_text import response_text, text_of
from tailrace.agents.messages.wording import WHOLE_NOTE, earlier_calls_text, left_out_text, tool_results_text
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

#: Enough to tell two calls of a tool apart.
ARGUMENTS_CHARS_MAX = 80
#: Tools that are named where single calls are not.
TOOLS_NAMED_MAX = 10
#: Of what is said beside calls that don't fit, so much is shown.
SAID_CHARS_MAX = 200
_NO_RESULT, _EMPTY = "no result", "empty"


class Telling(Struct, frozen=True):
    """How much is told of each call."""

    result_chars_max: int
    arguments_chars_max: int = ARGUMENTS_CHARS_MAX
    #: Say of every result that is cut where all of it is, not only of those that no call brings again.
    names_all: bool = False


#: Where room is scarce: first results get shorter, then arguments, and then nothing says where the whole is.
TELLINGS = (
    Telling(200, names_all=True),
    Telling(60, names_all=True),
    Telling(20, 40, names_all=True),
    Telling(60),
    Telling(20, 40),
)


class _Called(Struct, frozen=True):
    """One call, and the message that holds its result."""

    name: str
    arguments: str
    result: str | None
    item: Item | None


def told_calls(group: DraftGroup, telling: Telling) -> Message:
    """The group as it is read now, in one message."""
    return _message(_texts_of([item.message for item in group.items]), [*_called(group, as_read=True)], telling)


def told_within(group: DraftGroup, tokens_max: int, count: Count) -> Message:
    """As much of the group as so many tokens can tell: of every call, or of the newest.

    At least how many there were, whatever that costs.
    """
    every = every_told_within(group, tokens_max, count)
    if every is not None:
        return every
    called = [*_called(group, as_read=False)]
    # The newest calls that fit, by halves.
    fits = _of_text(f"[{left_out(group)}]")
    few, many = 0, len(called)
    while many - few > 1:
        number = (few + many) // 2
        message = _message((), called, TELLINGS[-1], number)
        if count(message) <= tokens_max:
            fits, few = message, number
        else:
            many = number
    return fits


def every_told_within(group: DraftGroup, tokens_max: int, count: Count) -> Message | None:
    """The most that so many tokens can tell of every call of the group; None where they can't."""
    called = [*_called(group, as_read=False)]
    # What a person said beside the results is not the assistant's to tell.
    texts = [
        text[:SAID_CHARS_MAX] for text in _texts_of([item.original for item in group.items if not item.entry.answers])
    ]
    messages = (_message(texts, called, telling) for telling in TELLINGS)
    return next((message for message in messages if count(message) <= tokens_max), None)


def left_out(group: DraftGroup) -> str:
    """How many messages there were, and which tools were called."""
    return left_out_text(len(group.ids), sorted(set(group.tool_names().values()))[:TOOLS_NAMED_MAX])


def holds_others_words(group: DraftGroup) -> bool:
    """Whether somebody speaks beside the results: those words must not become the assistant's."""
    return any(isinstance(part, TextPart) for item in group.items if item.entry.answers for part in item.message.parts)


def _message(texts: Sequence[str], called: Sequence[_Called], telling: Telling, newest: int = 0) -> Message:
    shown = called[-newest:] if newest else called
    outcomes = [
        (call.name, _one_line(call.arguments, telling.arguments_chars_max), _outcome(call, telling)) for call in shown
    ]
    tools = sorted({call.name for call in called[:-newest]}) if newest else []
    earlier = earlier_calls_text(len(called) - len(shown), tools[:TOOLS_NAMED_MAX]) if newest else ""
    return _of_text("\n".join([*texts, tool_results_text(outcomes, earlier)]))


def _of_text(text: str) -> Message:
    return Message(role="assistant", parts=(TextPart(content=text),), content_shape=ContentShape.STRING)


def _texts_of(messages: Sequence[Message]) -> list[str]:
    return [
        part.content for message in messages for part in message.parts if isinstance(part, TextPart) and part.content
    ]


def _called(group: DraftGroup, *, as_read: bool) -> Iterator[_Called]:
    """The calls of a group in order.

    As the draft has them now, or as they are in the thread, for a draft may have cut them to nothing.
    """
    messages = [(item, item.message if as_read else item.original) for item in group.items]
    results = {
        part.id: (item, response_text(part.response))
        for item, message in messages
        if item.entry.answers
        for part in message.parts
        if isinstance(part, ToolCallResponsePart)
    }
    for _, message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                item, result = results.get(part.id, (None, None))
                yield _Called(part.name, text_of(part), result, item)


def _outcome(call: _Called, telling: Telling) -> str:
    if call.result is None or call.item is None:
        return _NO_RESULT
    line = _one_line(call.result, telling.result_chars_max) or _EMPTY
    # What no call brings again says where all of it is.
    named = telling.names_all or call.item.entry.durability is Durability.NON_REPLAYABLE
    cut = len(call.result) > telling.result_chars_max
    return f"{line} {WHOLE_NOTE.format(artifact_id=call.item.whole_id)}" if cut and named else line


def _one_line(text: str, chars_max: int) -> str:
    line = " ".join(text[:chars_max].split())
    return f"{line}..." if len(text) > chars_max else line
