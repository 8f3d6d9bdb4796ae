"""How a message enters its thread, in two steps with the shell's lookups between them.

`look_at` judges the event by what the log says: late results, the model's window, tool results and which are large.
`enter` makes the entry, with the contents of the artifact store that were looked up.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from tailrace.agents.engine.arrival import ArrivalInputs, EntryForm, arrive
from tailrace.agents.engine.claim_check import arrive_claimed
from tailrace.agents.engine.dead_calls import late_calls, with_late_text
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.lookups import Contents
from tailrace.agents.engine.open_calls import OpenCalls
from tailrace.agents.engine.thread_window import ThreadWindow, window_at
from tailrace.agents.engine.tool_results import LargeOutput, ToolResult, is_plain, large_outputs, tool_results
from tailrace.agents.messages.envelope import determinism_given
from tailrace.agents.messages.groups import is_reasoning_only, place, said_beside_results
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.message import Message
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

_encode_json = msgspec.json.Encoder().encode

#: What writing a message raises that JSON can't hold: nested too deeply, a number too large, or half a character.
_NOT_JSON = (RecursionError, OverflowError, UnicodeEncodeError)
_NONE_LATE: frozenset[str] = frozenset()


class CountedEvent(Struct, frozen=True):
    """An event at its place in the log, with what counting and the model catalogue say about it."""

    event: Event
    offset: int
    tokens: int
    #: Window of the event's model; None where the event names no model.
    window_tokens: int | None
    #: When the broker took it, by the broker's clock.
    logged_at_ms: int = 0


class Incoming(Struct, frozen=True):
    """An event that was looked at: all that can be judged of it without the artifact store."""

    counted: CountedEvent
    window: ThreadWindow
    #: Calls whose results come too late to be results.
    late: frozenset[str]
    #: Whether it enters as it is, unless its content was only claimed.
    plain: bool
    #: Its tool results, and which of them are to be distilled; none of a plain message.
    results: tuple[ToolResult, ...] = ()
    large: tuple[LargeOutput, ...] = ()


class Arrived(Struct, frozen=True):
    """A message that has entered its thread."""

    view: ThreadView
    engine: Engine
    #: The event in the form in which the thread takes it: late results are text.
    event: Event
    offset: int
    logged_at_ms: int
    window: ThreadWindow
    #: The form of its message, and what is written beside it.
    form: EntryForm
    entry: Entry

    @property
    def agent(self) -> str | None:
        """The agent that the thread belongs to."""
        return self.view.agent or self.event.agent

    def count(self, message: Message) -> int:
        """Tokens of a message as the thread's model counts them."""
        return self.engine.count_tokens(message, self.window.model)


def look_at(view: ThreadView, counted: CountedEvent, engine: Engine) -> Incoming:
    """Judge an event that the thread does not know yet. Raises a PoisonEvent for what can't be written."""
    event, policy = counted.event, engine.policy
    window = window_at(view, event, counted.window_tokens, policy)
    late = late_calls(event.message, view) if event.message.answered_ids else _NONE_LATE
    plain = is_plain(event, counted.tokens, policy)
    if plain and event.claim is None:
        return Incoming(counted, window, late, plain)
    try:
        results = tool_results(event, policy, OpenCalls(view).find)
        large = large_outputs(
            event,
            results,
            counted.tokens,
            policy=policy,
            limit_tokens=window.usable_tokens,
            count=_count_for(engine, window),
        )
    except _NOT_JSON as error:
        raise _unwritable(error) from error
    return Incoming(counted, window, late, plain, results, large)


def enter(view: ThreadView, incoming: Incoming, contents: Contents, engine: Engine) -> Arrived:
    """Make the entry of a message. Raises a PoisonEvent where it does not belong here, or can't be written."""
    counted, window = incoming.counted, incoming.window
    event = counted.event
    if incoming.plain and contents.claimed is None and not incoming.late:
        form = EntryForm(event.message, counted.tokens, sensitivity=event.sensitivity)
    else:
        try:
            form = _form(incoming, contents, engine)
        except _NOT_JSON as error:
            raise _unwritable(error) from error
    if incoming.late:
        event = _taken_late(event, incoming.late)
    entry = _entry(view, event, incoming, form)
    return Arrived(view, engine, event, counted.offset, counted.logged_at_ms, window, form, entry)


def _count_for(engine: Engine, window: ThreadWindow) -> Callable[[Message], int]:
    """Counts tokens as the model of a window does."""
    return lambda message: engine.count_tokens(message, window.model)


def _form(incoming: Incoming, contents: Contents, engine: Engine) -> EntryForm:
    counted = incoming.counted
    event, count = counted.event, _count_for(engine, incoming.window)
    inputs = ArrivalInputs(
        engine.policy,
        incoming.window.usable_tokens,
        count,
        counted.offset,
        incoming.results,
        incoming.large,
        {shared.of: shared for shared in contents.shared},
    )
    if contents.claimed is not None:
        form = arrive_claimed(event, contents.claimed, inputs)
    elif incoming.plain:
        form = EntryForm(event.message, counted.tokens, sensitivity=event.sensitivity)
    else:
        form = arrive(event, counted.tokens, inputs)
    if not incoming.late:
        return form
    # However late a result comes, it is as large and as sensitive as it is.
    message = with_late_text(form.message, incoming.late)
    return msgspec.structs.replace(form, message=message, tokens=count(message))


def _taken_late(event: Event, late: frozenset[str]) -> Event:
    """The event with its late results as text.

    Written by a program: it begins no turn of its own, unless a person says something beside it.
    """
    source = event.source if said_beside_results(event.message) else PROGRAM_SOURCE
    return msgspec.structs.replace(event, message=with_late_text(event.message, late), source=source)


def _entry(view: ThreadView, event: Event, incoming: Incoming, form: EntryForm) -> Entry:
    message, answers = event.message, event.message.answered_ids
    counted, window = incoming.counted, incoming.window
    rank, turn = place(view, event, answers)
    return Entry(
        version=1,
        thread=event.thread,
        tenant=event.tenant,
        id=event.id,
        epoch=view.epoch,
        rank=rank,
        turn=turn,
        tokens=form.tokens,
        offset=counted.offset,
        role=message.role,
        message=_written(form.message),
        kind=form.kind,
        group=event.group,
        calls=message.call_ids,
        answers=answers,
        reasoning_only=is_reasoning_only(message),
        pinned=event.pinned,
        source=event.source,
        agent=event.agent,
        model=event.model,
        window_tokens=window.catalogue_tokens if window.is_new else None,
        usage=event.usage,
        sensitivity=form.sensitivity,
        created_at_ms=event.created_at_ms,
        logged_at_ms=counted.logged_at_ms,
        artifact_id=form.artifact_id,
        whole_tokens=form.whole_tokens,
        durability=form.durability,
        determinism=determinism_given(message, event.tools) if event.tools else (),
    )


def _written(message: Message) -> msgspec.Raw:
    try:
        # Copied, because the encoder's buffer is larger than what it wrote, and the entry may live for long.
        return msgspec.Raw(bytes(memoryview(_encode_json(message))))
    except _NOT_JSON as error:
        raise _unwritable(error) from error


def _unwritable(error: Exception) -> Invalid:
    return Invalid(f"the message can't be written as JSON: {error}")
