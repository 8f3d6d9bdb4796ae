"""Makes the contexts again from the log: the same agents step over the same records, and come to the same contexts.

Only `contexts` is written: what describes is there already, under the same ids. It goes as far as the group has read;
what comes after is the workers' to do. While it is under way the group's notes say so, and no worker starts; so what is
interrupted can only be begun again.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import msgspec
from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.lookups import NOTHING
from tailrace.agents.engine.partition import New, decide, read
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.context import REBUILT_KEY
from tailrace.schemas.records.kafka_records import (
    InputRecord,
    OutputRecord,
    Topic,
    encode,
    rebuilt_record,
    swept_record,
    term_of,
)
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.commit_note import CommitNote
from tailrace.streams.topics.group_commit import commit_for_group
from tailrace.streams.topics.log_problems import LogState
from tailrace.streams.topics.log_states import log_states
from tailrace.streams.topics.topic_plan import problems
from tailrace.streams.topics.topics import record_bytes_max
from tailrace.streams.worker.outbox import Outbox

#: Records that are on their way at once.
_BATCH_RECORDS = 500


class RebuiltContexts(Struct, frozen=True, kw_only=True):
    """What was made again."""

    topic: str
    partitions: int
    #: Input that was stepped over.
    events: int
    threads: int
    #: Records that were written, without what frees the space of former ones.
    records: int


async def rebuild_contexts(settings: Settings, *, incomplete: bool = False) -> RebuiltContexts:
    """Make the contexts of all that the group has read again.

    With `incomplete`, also from a log whose beginning is gone. Raises Unavailable while workers run, and where the log
    doesn't hold what is needed; nothing is changed then.
    """
    existing = await topic_admin.describe(settings)
    topic_admin.refuse(problems(existing, settings), settings)
    partitions = topic_admin.partitions_of(existing)
    # What nobody has read, workers will step over by themselves.
    states = [state for state in await log_states(settings, partitions) if state.committed]
    _refuse_gaps(states, settings, incomplete=incomplete)
    await commit_for_group(settings, {state.partition: _mark(state, rebuilding=True) for state in states})
    async with AsyncExitStack() as stack:
        store = await open_store(settings)
        stack.push_async_callback(store.close)
        options: dict[str, Any] = {
            "acks": "all",
            "enable_idempotence": True,
            "max_request_size": 2 * record_bytes_max(settings),
        }
        producer = await stack.enter_async_context(clients.producer(settings, **options))
        outbox = Outbox(lambda: producer, settings.topic, delivery_seconds=settings.worker.delivery_seconds)
        builder = _Builder(settings, ArtifactShelf(store, settings.compaction_policy), outbox)
        terms = {state.partition: await builder.partition(state) for state in states}
    after = await log_states(settings, terms)
    await commit_for_group(settings, {state.partition: _mark(state, term=terms[state.partition]) for state in after})
    return RebuiltContexts(topic=settings.topic(Topic.CONTEXTS), partitions=len(states), **builder.counts)


def _refuse_gaps(states: Sequence[LogState], settings: Settings, *, incomplete: bool) -> None:
    topic = settings.topic(Topic.CONVERSATIONS)
    for state in states:
        committed = state.committed or 0
        if committed > state.input_end:
            raise Unavailable(
                f"{topic} partition {state.partition} ends at offset {state.input_end}, and offset {committed} "
                f"was read. "
                "Restore that topic first: contexts can only be made from it"
            )
        if state.input_begin and not incomplete:
            raise Unavailable(
                f"{topic} partition {state.partition} begins at offset {state.input_begin}: what was said before "
                f"is gone, and "
                "contexts from the rest lack it. Restore that topic; or, to take what is left: "
                "tailrace rebuild contexts --incomplete"
            )


def _mark(state: LogState, *, term: int | None = None, rebuilding: bool = False) -> tuple[int, CommitNote]:
    before = state.note or CommitNote()
    note = msgspec.structs.replace(
        before,
        contexts_begin=state.contexts_begin,
        contexts_end=state.contexts_end,
        term=before.term if term is None else term,
        rebuilding=rebuilding,
    )
    return state.committed or 0, note


class _Builder:
    """Makes one partition after the other."""

    def __init__(self, settings: Settings, shelf: ArtifactShelf, outbox: Outbox) -> None:
        self._settings = settings
        self._shelf = shelf
        self._outbox = outbox
        self._engine: Engine = make_engine(settings)
        self.counts = {"events": 0, "threads": 0, "records": 0}

    async def partition(self, state: LogState) -> int:
        """Make the contexts of a partition, and return the term under which they are written."""
        former, highest_term = await self._former(state)
        term = 1 + max(highest_term, state.note.term if state.note is not None else 0)
        live = await self._live(state, term)
        written = list(live.values())
        self.counts["records"] += len(written)
        # Without former records there is nothing to tell the new ones from.
        begin = [rebuilt_record(term)] if former else []
        swept = [swept_record(key, term) for key in former if key not in live]
        await self._write(state.partition, [*begin, *written, *swept])
        return term

    async def _former(self, state: LogState) -> tuple[dict[bytes, None], int]:
        """Keys of the records that are there, and the highest term among them."""
        keys: dict[bytes, None] = {}
        term = 0
        async for record in self._records(Topic.CONTEXTS, state.partition):
            term = max(term, term_of(record.headers) or 0)
            if record.key is not None and record.key != REBUILT_KEY:
                keys[record.key] = None
        return keys, term

    async def _live(self, state: LogState, term: int) -> dict[bytes | None, OutputRecord]:
        """Return the last record of each key, of all that workers have written, in the order in which they wrote it.

        That is what a compacted topic holds.
        """
        view = PartitionView()
        live: dict[bytes | None, OutputRecord] = {}
        async for record in self._records(Topic.CONVERSATIONS, state.partition):
            if record.offset >= (state.committed or 0):
                break
            self.counts["events"] += 1
            for output in await self._written(view, input_record(record), term):
                live.pop(output.key, None)
                if output.value is not None:
                    live[output.key] = output
        self.counts["threads"] += len(view.threads)
        return live

    async def _written(self, view: PartitionView, record: InputRecord, term: int) -> list[OutputRecord]:
        pending = read(view, record, self._engine)
        needs = pending.needs if isinstance(pending, New) else None
        contents = await self._shelf.contents(needs) if needs else NOTHING
        outputs = [encode(record, term) for record in decide(view, pending, self._engine, contents).written]
        return [output for output in outputs if output.topic is Topic.CONTEXTS]

    async def _write(self, partition: int, records: Sequence[OutputRecord]) -> None:
        for first in range(0, len(records), _BATCH_RECORDS):
            batch = records[first : first + _BATCH_RECORDS]
            await (await self._outbox.send([(partition, record) for record in batch]))

    async def _records(self, topic: Topic, partition: int) -> AsyncIterator[ConsumerRecord]:
        place = TopicPartition(self._settings.topic(topic), partition)
        # A consumer of its own for each: what was read once can't be read again with the same one.
        async with clients.consumer(self._settings, **FROM_BEGINNING) as reader:
            async for _, records in read_to_end(reader, [place]):
                for record in records:
                    yield record
