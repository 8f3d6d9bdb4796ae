"""Faust, with the four places changed where it would lose, repeat or stall.

- `Consumer._drain_messages`: fetched records go to our intake in bulk. Faust makes two tasks for each message and drops
  one whenever a rebalance interrupts it, yet counts it as read.
- `Consumer.commit`: commits our own progress, never Faust's acknowledgements (faust#606, and events skipped in a
  rebalance are acknowledged).
- `Consumer.perform_seek`: where reading starts is found before the state is read, and becomes our progress. A log that
  was cut before it was read, or that is another one, stops the worker.
- `Producer`: idempotent, and no produce request leaves without a valid lease.

All of it can go when faust commits only what an application has finished, and aiokafka fences a producer by the
generation of its group.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

import aiokafka
import faust
from aiokafka.protocol.produce import ProduceRequest
from aiokafka.structs import ConsumerRecord, OffsetAndMetadata, TopicPartition
from faust.transport.drivers import aiokafka as driver
from faust.types import TP

from tailrace.streams.kafka.topic_end import input_record
from tailrace.streams.topics.commit_note import CommitNotes
from tailrace.streams.worker.commit import Batch, Fetched
from tailrace.streams.worker.exit import ExitCode, fail_stop
from tailrace.streams.worker.intake import Intake
from tailrace.streams.worker.lease import Lease
from tailrace.streams.worker.progress import Progress

#: How often a produce request without a lease looks whether a heartbeat has come through.
_LEASE_POLL_SECONDS = 0.05
#: Looks, two seconds apart, after which a log that is too short is another one.
_SHORT_LOOKS_MAX = 5


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """The thread that polls and heartbeats; every heartbeat the broker accepts renews the lease."""

    app: "TailraceApp"
    #: Behind what each partition has given, with the last fetch: records, and markers of transactions, which are none.
    reached: Mapping[TP, int] = MappingProxyType({})

    async def on_start(self) -> None:
        """Start the consumer, then listen in on its heartbeats."""
        await super().on_start()
        coordinator = self._ensure_consumer()._coordinator  # noqa: SLF001  aiokafka has no hook for heartbeats
        lease = self.app.lease
        send_heartbeat = coordinator._do_heartbeat  # noqa: SLF001

        async def heartbeat() -> bool:
            sent_at_seconds = lease.now()
            accepted: bool = await send_heartbeat()
            if accepted:
                lease.renew(sent_at_seconds)
            return accepted

        coordinator._do_heartbeat = heartbeat  # noqa: SLF001
        self._note_commits()

    def _note_commits(self) -> None:
        """Put our note beside every offset that Faust commits: it would leave the place empty."""
        consumer, notes = self._ensure_consumer(), self.app.notes
        commit = consumer.commit

        async def commit_with_notes(offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
            await commit({place: (position.offset, notes.text(place.partition)) for place, position in offsets.items()})

        consumer.commit = commit_with_notes

    async def _fetch_records(self, consumer: aiokafka.AIOKafkaConsumer, *args: Any, **kwargs: Any) -> Any:
        """Fetch, and note in one go with what was fetched how far that reaches."""
        records = await super()._fetch_records(consumer, *args, **kwargs)
        assignment = consumer._subscription.subscription.assignment  # noqa: SLF001  `position` waits for the broker
        states = {TP(*place): assignment.state_value(place) for place in assignment.tps} if assignment else {}
        self.reached = {tp: state.position for tp, state in states.items() if state.has_valid_position}
        return records

    async def leave_group(self) -> None:
        """Leave the group for good; to be called in this thread."""
        # The coordinator alone: stopping the whole consumer can hang (aiokafka#773).
        await self._ensure_consumer()._coordinator.close()  # noqa: SLF001


class Consumer(driver.Consumer):
    """Hands records to the intake, in sequence, and commits our own progress."""

    app: "TailraceApp"
    _thread: ConsumerThread

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Know no positions until the first are looked up."""
        #: Where reading starts, and the generation for which that holds.
        self._positions: tuple[int, dict[TP, int]] = (-1, {})
        #: Offset that has to be fetched next.
        self._fetch_next: dict[TP, int] = {}
        #: Offset that a fetch reached beyond the last record without giving one.
        self._reached: dict[TP, int] = {}
        #: The same, where nothing was cut: what is there are markers of transactions.
        self._scanned: dict[TP, int] = {}
        #: How often in a row the log was seen to end before what was fetched of it.
        self._too_short: Counter[TP] = Counter()
        #: Offset that a partition was sought to again, because fetching had skipped it.
        self._sought_again: dict[TP, int] = {}
        super().__init__(*args, **kwargs)

    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def _inputs(self, partitions: Iterable[TP]) -> list[TP]:
        return sorted(tp for tp in partitions if tp.topic == self.app.input_topic)

    async def find_positions(self) -> dict[int, int]:
        """Look up where reading has to start. To be called before the state is read, which must not be behind it."""
        generation = self.app.consumer_generation_id
        inputs = self._inputs(self.assignment())
        positions: dict[TP, int] = {}
        if inputs:
            committed = {TP(*tp): offset for tp, offset in (await self.seek_to_committed()).items()}
            begins = await self.earliest_offsets(*inputs)
        for tp in inputs:
            position = committed.get(tp)
            # What was cut before it was read is refused where the states of the partitions are looked at.
            positions[tp] = begins[tp] if position is None or position < begins[tp] else position
        if not positions:
            self.app.progress.assign(generation, {})  # there is nothing to seek, and Faust doesn't ask for it
        self._positions = (generation, positions)
        return {tp.partition: offset for tp, offset in positions.items()}

    async def perform_seek(self) -> None:
        """Seek to the positions that were found, and expect exactly what follows them."""
        generation, positions = self._positions
        if generation == self.app.consumer_generation_id:
            await self.seek_wait(positions)
        if generation != self.app.consumer_generation_id:
            return  # another rebalance: it finds its own
        self._fetch_next = dict(positions)
        self._sought_again = {}
        self._reached = {}
        self._scanned = {}
        self.app.progress.assign(generation, {tp.partition: offset for tp, offset in positions.items()})

    async def lag_records(self) -> dict[int, int]:
        """Return for each partition of ours how many records it has that were not processed yet."""
        progress: Progress = self.app.progress
        inputs = [tp for tp in self._inputs(self.assignment()) if progress.next_offset(tp.partition) is not None]
        ends = await self.highwaters(*inputs) if inputs else {}
        lags: dict[int, int] = {}
        scanned: dict[TP, int] = {}
        for tp in inputs:
            done = progress.next_offset(tp.partition)
            if done is not None and done == self._fetch_next.get(tp):
                # Markers of transactions have offsets too: all that was read is done, and no record came with the rest.
                done = scanned[tp] = max(done, self._reached.get(tp, 0))
            lags[tp.partition] = max(0, ends[tp] - done) if done is not None else 0
            self._refuse_another_log(tp, ends[tp])
        await self._refuse_cuts(inputs)
        # Where nothing was cut, a fetch can't have jumped over records.
        self._scanned |= scanned
        self._pass_markers()
        return lags

    def _pass_markers(self) -> None:
        """Let progress go past the markers behind the last record.

        A retention that takes them away later would look as if it had taken records that nobody had read.
        """
        progress: Progress = self.app.progress
        for tp, scanned in self._scanned.items():
            read = self._fetch_next.get(tp)
            if read is not None and read == progress.next_offset(tp.partition) and scanned > read:
                self._fetch_next[tp] = scanned
                progress.advance(progress.generation, {tp.partition: scanned})

    async def _refuse_cuts(self, inputs: Collection[TP]) -> None:
        """End the process where the log begins behind what was fetched.

        Records between are gone that nobody has read.
        """
        begins = await self.earliest_offsets(*inputs) if inputs else {}
        for tp, begin in begins.items():
            fetched = self._fetch_next.get(TP(*tp))
            if fetched is not None and begin > max(fetched, self._scanned.get(TP(*tp), 0)):
                fail_stop(
                    ExitCode.CONFIG,
                    "input.cut",
                    topic=tp.topic,
                    partition=tp.partition,
                    first_offset=fetched,
                    last_offset=begin - 1,
                    do="these records were deleted before they were read; restore the topic if you can. To go on "
                    "without them, "
                    "with all workers stopped: tailrace topics accept-loss",
                )

    def _refuse_another_log(self, tp: TP, end: int) -> None:
        """End the process where the log stays shorter than what was fetched of it.

        A new leader may show less for a moment.
        """
        self._too_short[tp] = self._too_short[tp] + 1 if end < self._fetch_next.get(tp, 0) else 0
        if self._too_short[tp] >= _SHORT_LOOKS_MAX:
            fail_stop(
                ExitCode.CONFIG,
                "input.created_anew",
                topic=tp.topic,
                partition=tp.partition,
                read_offset=self._fetch_next[tp],
                end_offset=end,
                do="the topic was emptied or created anew while it was read; restore it, or begin anew with another "
                "TAILRACE_GROUP and another TAILRACE_TOPICS__PREFIX",
            )

    async def verify_all_partitions_active(self) -> None:
        """Leave it to the watchdog.

        Faust looks at streams, ours are empty, and so each idle partition would be an error.
        """

    async def _drain_messages(self, fetcher: Any) -> None:
        """Fetch for as long as the worker runs; called by Faust's fetcher."""
        while not (self.should_stop or fetcher.should_stop):
            generation = self.app.progress.generation
            records, _ = await self._wait_next_records(timeout=1.0)
            if generation == self.app.progress.generation:
                self._note_markers(records or {})
            if not records or not self.flow_active:
                await asyncio.sleep(0)
                continue
            # In sequence means: read after the seek of this very generation.
            generation = self.app.progress.generation
            holes = [TP(*tp) for tp, chunk in records.items() if self._has_hole(TP(*tp), chunk)]
            if holes:
                await self._refuse_cuts(holes)
                if generation != self.app.progress.generation:
                    continue  # sought again meanwhile: they will be read again
            fetched = [record for tp, chunk in records.items() for record in self._in_sequence(TP(*tp), chunk)]
            if fetched:
                await self.app.intake.put(Batch(generation, fetched))

    def _note_markers(self, records: Mapping[TP, list[ConsumerRecord]]) -> None:
        """Note where a fetch went on behind the last record and gave none."""
        for tp, reached in self._thread.reached.items():
            expected = self._fetch_next.get(tp)
            # What was sought again is fetched again from there.
            if expected is not None and not records.get(tp) and self._sought_again.get(tp) != expected < reached:
                self._reached[tp] = reached

    def _has_hole(self, tp: TP, chunk: list[ConsumerRecord]) -> bool:
        """Tell whether the records go on behind the place where they should."""
        expected = self._fetch_next.get(tp)
        return expected is not None and chunk[0].offset > expected

    def _in_sequence(self, tp: TP, chunk: list[ConsumerRecord]) -> Iterator[Fetched]:
        expected = self._fetch_next.get(tp)
        if expected is None:
            return  # not ours, or not sought yet: it will be read again
        fresh = [record for record in chunk if record.offset >= expected]
        if not fresh:
            return
        if fresh[0].offset > expected and self._sought_again.get(tp) != expected:
            # Either the log has a hole here or a fetch from before the last seek got through: look again.
            self._sought_again[tp] = expected
            self._thread.seek(tp, expected)
            return
        for record in fresh:
            yield Fetched(input_record(record), follows_offset=expected)
            expected = record.offset + 1
        self._fetch_next[tp] = expected

    async def commit(self, topics: object = None, start_new_transaction: bool = True) -> bool:  # noqa: FBT001, FBT002
        """Commit what our progress says; the arguments are Faust's and have no meaning here."""
        del topics, start_new_transaction
        progress: Progress = self.app.progress
        generation = progress.generation
        offsets = progress.uncommitted()
        if not offsets or self.app.rebalancing:
            return False
        accepted: bool = await self._commit({TP(self.app.input_topic, p): offset for p, offset in offsets.items()})
        if accepted and generation == progress.generation:
            progress.committed(offsets)
            self.app.committed_at_seconds = self.app.lease.now()
        return accepted

    async def leave_group(self) -> None:
        """Tell the broker that we go, so that our partitions move at once and not after the session timeout."""
        await self._thread.call_thread(self._thread.leave_group)


class Producer(driver.Producer):
    """An idempotent producer that asks for the lease before every produce request."""

    app: "TailraceApp"

    def _settings_extra(self) -> Mapping[str, Any]:
        return {"acks": "all", "enable_idempotence": True}

    def _new_producer(self, transactional_id: str | None = None) -> aiokafka.AIOKafkaProducer:
        producer = super()._new_producer(transactional_id)
        app = self.app
        send = producer.client.send

        async def fenced_send(node_id: Any, request: Any, **kwargs: Any) -> Any:
            if isinstance(request, ProduceRequest):
                await app.lease_held()
            return await send(node_id, request, **kwargs)

        # Not a subclass: the sender keeps the client it was made with.
        producer.client.send = fenced_send
        return producer


class Transport(driver.Transport):
    """Faust's Kafka transport with our consumer and producer."""

    Consumer = Consumer
    Producer = Producer


class TailraceApp(faust.App):
    """A Faust app whose only input is the conversations topic."""

    consumer: Consumer

    def __init__(
        self,
        name: str,
        *,
        input_topic: str,
        lease: Lease,
        progress: Progress,
        notes: CommitNotes,
        intake: Intake,
        **conf: Any,
    ) -> None:
        """Take over the parts that Faust's consumer and producer have to share with the worker."""
        self.input_topic = input_topic
        self.lease = lease
        self.progress = progress
        self.notes = notes
        self.intake = intake
        self.committed_at_seconds = lease.now()
        super().__init__(name, **conf)

    def _new_transport(self) -> Transport:
        return Transport(self.conf.broker_consumer, self)

    def _new_producer_transport(self) -> Transport:
        return Transport(self.conf.broker_producer, self)

    @property
    def kafka_producer(self) -> aiokafka.AIOKafkaProducer:
        """The producer below Faust's: it can send whole batches."""
        return cast(Producer, self.producer)._ensure_producer()  # noqa: SLF001

    async def lease_held(self) -> None:
        """Return as soon as the lease is valid; end the process if the partitions may be someone else's."""
        if self.lease.valid:
            return
        generation = self.progress.generation
        if generation < 0:
            return  # before the first assignment there is nothing to protect
        deadline_seconds = self.lease.now() + self.conf.producer_request_timeout
        while not self.lease.valid:
            if self.consumer_generation_id != generation or self.lease.now() > deadline_seconds:
                fail_stop(ExitCode.TEMPORARY, "lease.lost", generation=generation)
            await asyncio.sleep(_LEASE_POLL_SECONDS)
