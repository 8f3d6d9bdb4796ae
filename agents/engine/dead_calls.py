"""Tool calls that nobody answers: after a while a stand-in takes the place of the result, so that the model can go on.

No provider takes a call without its result, so a thread that waits for one for ever is stuck. The stand-in is stable:
it is written once, and a result that comes after all is a message of its own behind it, in which the prefix before it
never changes. So is the result of a call that has left the context since: the record of what left with it remembers it.
And so is a second result of a call that has one: no provider takes two. Where one message answers calls of several
responses, no provider takes it: the results of the newest stay, the others are told.
"""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from tailrace.agents.engine.open_calls import answered_by
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import late_result_text, stand_in_text
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, RANKS_PER_GROUP, Entry, EntryKind, id_hash
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import AnyPart, TextPart, ToolCallResponsePart
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Dead calls",
    does="a tool call was not answered in time: put a stand-in for its result",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.LIFECYCLE, Topic.CONTEXTS),
)

_encode_json = msgspec.json.Encoder().encode


def stand_in_message(call_id: str, waited_ms: int) -> Message:
    """What the model reads in the place of the result."""
    part = ToolCallResponsePart(id=call_id, response=stand_in_text(waited_ms))
    return Message(role="tool", parts=(part,), content_shape=ContentShape.STRING)


def stand_in(view: ThreadView, call_id: str, message: Message, tokens: int, *, offset: int, at_ms: int) -> Entry | None:
    """Entry that answers an open call; None where it is open no more."""
    sequence = max(view.open_calls.get(call_id, (-1,)))
    group = view.groups.get(sequence)
    if group is None or view.head is None:
        return None
    # By its place, because a group may make a call of the same id again.
    rank = sequence * RANKS_PER_GROUP + group.members
    return Entry(
        version=1,
        thread=view.head.thread,
        tenant=view.head.tenant,
        id=f"{DERIVED_ID_PREFIX}{EntryKind.STAND_IN}:{id_hash(f'{rank}/{call_id}')}",
        epoch=view.epoch,
        rank=rank,
        turn=view.totals.turns,
        tokens=tokens,
        offset=offset,
        role=message.role,
        message=msgspec.Raw(bytes(memoryview(_encode_json(message)))),
        kind=EntryKind.STAND_IN,
        answers=(call_id,),
        logged_at_ms=at_ms,
    )


def late_calls(message: Message, view: ThreadView) -> frozenset[str]:
    """The calls whose results in a message come too late to be results.

    They were given up, have left, have another result, or are of an older response than the newest that the message
    answers. Empty where a result is of a call that nobody knows.
    """
    if not message.answered_ids:
        return _NO_CALLS
    closed = {call_id for call_id in message.answered_ids if call_id not in view.open_calls}
    if not all(view.gave_up(call_id) or answered_by(view, call_id) for call_id in closed):
        return _NO_CALLS
    waiting = [call_id for call_id in message.answered_ids if call_id not in closed]
    return frozenset(closed | _of_older_responses(view, waiting))


_NO_CALLS: frozenset[str] = frozenset()


def with_late_text(message: Message, late: Collection[str]) -> Message:
    """The message of a user with the results of these calls as text."""
    # Results that are in time stay results, and come first, where every provider wants them.
    in_time: list[AnyPart] = []
    others: list[AnyPart] = []
    for part in message.parts:
        if not isinstance(part, ToolCallResponsePart):
            others.append(part)
        elif part.id in late:
            others.append(TextPart(content=late_result_text(part.id, response_text(part.response))))
        else:
            in_time.append(part)
    return Message(role="user", parts=(*in_time, *others))


def _of_older_responses(view: ThreadView, waiting: Sequence[str]) -> set[str]:
    """Calls among these that the newest response with one of them did not make. Each of them is open."""
    if len(waiting) < 2:  # noqa: PLR2004  a single call is of one response
        return set()
    newest = max(sequence for call_id in waiting for sequence in view.open_calls[call_id])
    common = set.intersection(*(set(view.open_calls[call_id]) for call_id in waiting))
    return set() if common else {call_id for call_id in waiting if newest not in view.open_calls[call_id]}
