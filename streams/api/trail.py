"""What happened to threads, from the API's file: histories, records of compactions, and the audit as a stream."""

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec

from tailrace.schemas.api import problem
from tailrace.schemas.api.history import CompactionsReply, Happened, HistoryReply
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.kafka_records import Topic, decode_compaction, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.contexts import no_such_thread, summary_of
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.observability.audit_trail import Trail
from tailrace.streams.observability.thread_history import Happening, in_order

#: A shorter beginning of an id would find anything.
_ID_CHARACTERS_MIN: Final = 4
_CHOICES_MAX: Final = 5
#: Of one thread: older ones are not looked at.
_EVENTS_MAX: Final = 20_000

_Written = TypeVar("_Written", CompactionRecord, LifecycleEvent)


async def show_history(services: Services, call: ApiCall) -> HistoryReply:
    """What happened to a thread, newest part first, each part oldest first."""
    trail = await read_trail(services, call)
    mark = services.views.mark(call.thread)
    seen = mark is not None and call.caller.sees(mark.tenant)
    state = await services.views.state(call.thread) if seen else None
    if state is None and not (trail.compactions or trail.events):
        raise no_such_thread(call.thread)
    shown, before = _part(list(in_order(trail)), call)
    return HistoryReply(
        thread=call.thread,
        now=None if state is None else summary_of(state, services.settings),
        happened=tuple(_happened(happening) for happening in shown),
        before=before,
        skipped_records=trail.skipped,
    )


async def list_compactions(services: Services, call: ApiCall) -> CompactionsReply:
    """Records of the compactions of a thread."""
    trail = await read_trail(services, call)
    mark = services.views.mark(call.thread)
    if not trail.compactions and (mark is None or not call.caller.sees(mark.tenant)):
        raise no_such_thread(call.thread)
    shown, before = _part([Happening(record) for record in trail.compactions], call)
    records = (happening.what for happening in shown)
    return CompactionsReply(
        compactions=tuple(record for record in records if isinstance(record, CompactionRecord)), before=before
    )


async def show_compaction(services: Services, call: ApiCall) -> CompactionRecord:
    """One record, by its id or how that begins."""
    beginning = call.path["compaction"]
    if len(beginning) < _ID_CHARACTERS_MIN:
        raise ProblemError(
            problem.INVALID,
            f"{beginning!r} is too short for an id",
            f"give at least {_ID_CHARACTERS_MIN} characters of it",
            where="compaction",
        )
    topic = services.settings.topic(Topic.COMPACTIONS)
    values = await services.file.read(partial(_by_beginning, topic=topic, beginning=beginning))
    records = (readable(decode_compaction, *row) for row in values)
    seen = [record for record in records if record is not None and call.caller.sees(record.tenant)]
    exact = [record for record in seen if record.id == beginning]
    if len(exact or seen) == 1:
        return (exact or seen)[0]
    if not seen:
        raise ProblemError(
            problem.NOT_FOUND,
            f"there is no compaction {beginning}",
            "/v1/threads/{thread}/compactions has those of a thread, with their ids",
            where="compaction",
        )
    choices = ", ".join(record.id for record in seen[:_CHOICES_MAX])
    raise ProblemError(
        problem.CONFLICT, f"several compactions begin so: {choices}", "give more of the id", where="compaction"
    )


async def read_trail(services: Services, call: ApiCall) -> Trail:
    """All that is known about what happened to the thread of the path, as far as the caller may see it."""
    read = partial(_trail_of, thread=call.thread, settings_topics=_topics(services))
    compactions, events, skipped = await services.file.read(read)
    return Trail(_seen(compactions, call), _seen(events, call), skipped)


def _topics(services: Services) -> tuple[str, str]:
    return services.settings.topic(Topic.COMPACTIONS), services.settings.topic(Topic.LIFECYCLE)


def _seen(records: Sequence[_Written], call: ApiCall) -> list[_Written]:
    return sorted((record for record in records if call.caller.sees(record.tenant)), key=lambda record: record.offset)


def _part(happened: list[Happening], call: ApiCall) -> tuple[list[Happening], int | None]:
    """The newest part of what is asked for, and where the part before it ends."""
    earlier = [each for each in happened if call.query.before is None or each.what.offset < call.query.before]
    shown = earlier[-call.query.limit :]
    return shown, shown[0].what.offset if len(shown) < len(earlier) else None


def _happened(happening: Happening) -> Happened:
    what = happening.what
    if isinstance(what, CompactionRecord):
        return Happened(compaction=what, failed=happening.reason)
    return Happened(event=what)


def _trail_of(
    connection: sqlite3.Connection, *, thread: str, settings_topics: tuple[str, str]
) -> tuple[list[CompactionRecord], list[LifecycleEvent], int]:
    query = "SELECT value, at_ms FROM trail WHERE thread = ? AND topic = ? ORDER BY offset DESC LIMIT ?"
    compactions, lifecycle = (
        connection.execute(query, (thread, topic, _EVENTS_MAX)).fetchall() for topic in settings_topics
    )
    records = [readable(decode_compaction, *row) for row in compactions]
    happened = [readable(decode_lifecycle, *row) for row in lifecycle]
    return (
        [record for record in records if record is not None],
        [event for event in happened if event is not None],
        records.count(None) + happened.count(None),
    )


def readable(decode: Callable[[bytes], _Written], value: bytes, at_ms: int) -> _Written | None:
    """A record with a time, which those of an earlier release don't say; None for one that this release can't read."""
    try:
        written = decode(value)
    except PoisonEvent:
        return None
    return written if written.at_ms else msgspec.structs.replace(written, at_ms=at_ms)


def _by_beginning(connection: sqlite3.Connection, *, topic: str, beginning: str) -> list[tuple[bytes, int]]:
    query = "SELECT value, at_ms FROM trail WHERE topic = ? AND id >= ? AND id < ? LIMIT ?"
    return connection.execute(query, (topic, beginning, beginning + "\U0010ffff", 100 * _CHOICES_MAX)).fetchall()
