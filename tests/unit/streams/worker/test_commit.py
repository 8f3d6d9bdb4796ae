"""The committer: seven steps in order, nothing skipped, nothing acknowledged too early."""

from collections.abc import Awaitable, Sequence

import pytest
from support.conversations import Move, play, small_engine

from tailrace.agents.engine.lookups import NOTHING, Contents, Needs
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, Stored, Topic
from tailrace.streams.worker.commit import Batch, CommitStep, Committer, Fetched, OwnedPartition
from tailrace.streams.worker.memory import MemoryLog
from tailrace.streams.worker.recovery import Rebuilding

GENERATION = 4
LONG = play([Move(kind, 60) for kind in ("user", "assistant") * 6] + [Move("poison")])


class Diary(MemoryLog):
    """A log, projection and observer that notes the order of what happens to it."""

    def __init__(self) -> None:
        super().__init__(partitions=2)
        self.events: list[str] = []
        self.fails_at: str | None = None
        self.batches: list[Sequence[InputRecord]] = []

    def note(self, what: str) -> None:
        self.events.append(what)
        if what == self.fails_at:
            raise Fatal(f"{what} failed")

    async def send(self, records: Sequence[tuple[int, OutputRecord]]) -> Awaitable[None]:
        kind = "contexts" if records[0][1].topic is Topic.CONTEXTS else "describing"
        assert len({record.topic is Topic.CONTEXTS for _, record in records}) == 1
        self.note(f"send {kind}")
        delivery = await super().send(records)

        async def deliver() -> None:
            await delivery
            self.note(f"delivered {kind}")

        return deliver()

    async def keep(self, stored: Sequence[Stored]) -> None:
        self.note("store")

    async def contents(self, needs: Needs) -> Contents:
        return NOTHING

    async def commit(self, outcomes: Sequence[RecordOutcome]) -> None:
        self.note("project")

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        self.note(f"processed {record.partition}/{record.offset} {outcome.result}")

    def delivered(self, records: Sequence[InputRecord]) -> None:
        self.batches.append(records)


def committer(diary: Diary, *, next_offset: int = 0, steps: list[CommitStep] | None = None) -> Committer:
    made = Committer(
        engine=small_engine(),
        log=diary,
        shelf=diary,
        projection=diary,
        observer=diary,
        checkpoint=steps.append if steps is not None else lambda _step: None,
    )
    made.partitions = Rebuilding([0]).owned(GENERATION)
    made.progress.assign(GENERATION, {0: next_offset})
    return made


def batch(*offsets: int, follows: int | None = None, generation: int = GENERATION, partition: int = 0) -> Batch:
    """Events at these offsets, read right one after the other; `follows` is where reading was before the first."""
    fetched = []
    expected = offsets[0] if follows is None else follows
    for offset in offsets:
        fetched.append(Fetched(LONG[offset % len(LONG)].at(offset, partition), follows_offset=expected))
        expected = offset + 1
    return Batch(generation, fetched)


def with_artifacts() -> Batch:
    """A call, and an answer that is so long that it is distilled."""
    said = play([Move("user"), Move("calls"), Move("answer", 30_000)])
    return Batch(GENERATION, [Fetched(one.at(offset), follows_offset=offset) for offset, one in enumerate(said)])


async def test_the_steps_come_in_their_order_with_deliveries_twice() -> None:
    steps: list[CommitStep] = []
    await committer(Diary(), steps=steps).run(batch(*range(len(LONG))))
    describing = contexts = [CommitStep.SEND, CommitStep.DELIVER]
    assert steps == [CommitStep.TAKE, CommitStep.DECIDE, *describing, CommitStep.PROJECT, *contexts, CommitStep.ADVANCE]


async def test_artifacts_are_stored_before_anything_is_sent_that_names_them() -> None:
    steps: list[CommitStep] = []
    diary = Diary()
    await committer(diary, steps=steps).run(with_artifacts())
    assert steps[:4] == [CommitStep.TAKE, CommitStep.DECIDE, CommitStep.STORE, CommitStep.SEND]
    assert [event for event in diary.events if not event.startswith("processed")][:2] == ["store", "send describing"]


async def test_no_progress_is_made_where_artifacts_can_t_be_stored() -> None:
    diary = Diary()
    diary.fails_at = "store"
    worker = committer(diary)
    with pytest.raises(Fatal):
        await worker.run(with_artifacts())
    assert worker.progress.uncommitted() == {}
    assert not [event for event in diary.events if event.startswith("send")]


async def test_what_describes_is_delivered_before_any_context_is_sent() -> None:
    diary = Diary()
    await committer(diary).run(batch(*range(len(LONG))))
    effects = [event for event in diary.events if not event.startswith("processed")]
    describing, contexts = ["send describing", "delivered describing"], ["send contexts", "delivered contexts"]
    assert effects == [*describing, "project", *contexts]
    assert {record.topic for record in diary.written(Topic.COMPACTIONS, 0)} == {Topic.COMPACTIONS}


async def test_what_can_t_be_projected_makes_no_event_covered() -> None:
    """Or a replay would take it for done, and the projection would never have it."""
    diary = Diary()
    diary.fails_at = "project"
    with pytest.raises(Fatal):
        await committer(diary).run(batch(*range(len(LONG))))
    assert "send contexts" not in diary.events


@pytest.mark.parametrize(
    "fails_at",
    [
        "processed 0/3 appended",
        "send describing",
        "delivered describing",
        "send contexts",
        "delivered contexts",
        "project",
    ],
)
async def test_whatever_fails_no_progress_is_made(fails_at: str) -> None:
    diary = Diary()
    diary.fails_at = fails_at
    worker = committer(diary)
    with pytest.raises(Fatal):
        await worker.run(batch(*range(len(LONG))))
    assert worker.progress.uncommitted() == {}
    assert not diary.batches


async def test_progress_moves_behind_the_last_event_of_the_batch() -> None:
    worker = committer(Diary())
    await worker.run(batch(0, 1, 2))
    assert worker.progress.uncommitted() == {0: 3}


async def test_everything_is_written_under_the_term_of_its_partition() -> None:
    diary = Diary()
    worker = committer(diary)
    worker.partitions[0].term = 17
    await worker.run(batch(*range(len(LONG))))
    for topic in (Topic.CONTEXTS, Topic.COMPACTIONS, Topic.LIFECYCLE):
        assert {dict(record.headers)["ce_term"] for record in diary.written(topic, 0)} == {b"17"}


#: Progress of the partition, and offsets that come next although those before were never finished.
PINNED = [(2585, (2586, 2587, 2588, 2589)), (0, (1, 2, 3)), (0, (1, 2, 3)), (10, (12, 13))]


@pytest.mark.parametrize(("next_offset", "finished"), PINNED, ids=["committed", "none", "zero", "two missing"])
async def test_progress_never_moves_over_an_event_that_was_not_processed(
    next_offset: int, finished: tuple[int, ...]
) -> None:
    """The four cases in which Faust would commit over a hole: here each of them stops the process."""
    worker = committer(Diary(), next_offset=next_offset)
    with pytest.raises(Fatal, match=f"expected offset {next_offset}, got {finished[0]}"):
        await worker.run(batch(*finished))
    assert worker.progress.next_offset(0) == next_offset
    assert worker.progress.uncommitted() == {}


async def test_a_hole_within_a_batch_stops_it_too() -> None:
    worker = committer(Diary())
    first, second = batch(0, 1), batch(3)
    with pytest.raises(Fatal, match="lost between reading and processing"):
        await worker.run(Batch(GENERATION, [*first.fetched, *second.fetched]))
    assert worker.progress.uncommitted() == {}


async def test_a_hole_that_the_log_itself_has_is_no_loss() -> None:
    """Markers of transactions take offsets, and whoever reads gets the next record right after the one before."""
    worker = committer(Diary(), next_offset=5)
    await worker.run(batch(7, 9, follows=5))
    assert worker.progress.uncommitted() == {0: 10}


async def test_events_that_were_processed_already_are_left_alone() -> None:
    diary = Diary()
    worker = committer(diary)
    await worker.run(batch(0, 1))
    await worker.run(batch(0, 1, 2))
    assert [event for event in diary.events if event.startswith("processed")] == [
        "processed 0/0 appended",
        "processed 0/1 appended",
        "processed 0/2 appended",
    ]


async def test_a_batch_from_before_a_rebalance_is_ignored() -> None:
    diary = Diary()
    worker = committer(diary)
    await worker.run(batch(0, 1, generation=GENERATION - 1))
    assert not [event for event in diary.events if event != "project"]
    assert worker.progress.next_offset(0) == 0
    assert not diary.batches


async def test_a_partition_that_is_not_ours_is_ignored() -> None:
    diary = Diary()
    await committer(diary).run(batch(0, partition=1))
    assert not diary.written(Topic.CONTEXTS, 1)


async def test_an_event_that_the_state_covers_is_not_written_again() -> None:
    diary = Diary()
    await committer(diary).run(batch(0, 1))
    successor = committer(diary)
    rebuilding = Rebuilding([0])
    rebuilding.apply(0, diary.written(Topic.CONTEXTS, 0))
    successor.partitions = rebuilding.owned(GENERATION + 1)
    written = len(diary.written(Topic.CONTEXTS, 0))
    await successor.run(batch(0, 1))
    assert len(diary.written(Topic.CONTEXTS, 0)) == written
    assert successor.progress.uncommitted() == {0: 2}


async def test_taking_over_sweeps_what_the_former_owner_still_owed() -> None:
    diary = Diary()
    await committer(diary).run(batch(*range(12)))
    records = list(diary.written(Topic.CONTEXTS, 0))
    last_head = max(index for index, record in enumerate(records) if record.key == b"thread")
    rebuilding = Rebuilding([0])
    rebuilding.apply(0, records[: last_head + 1])
    owed = {record.key for record in records[last_head + 1 :] if record.value is None}
    assert owed
    successor = committer(Diary())
    log = successor._log
    assert isinstance(log, Diary)
    await successor.own(rebuilding.owned(GENERATION + 1))
    assert {record.key for record in log.written(Topic.CONTEXTS, 0)} == owed
    assert not successor.partitions[0].view.unswept()


def owned(*partitions: int) -> dict[int, OwnedPartition]:
    return Rebuilding(partitions).owned(1)


async def test_a_worker_keeps_its_partitions_through_two_generations_in_a_row() -> None:
    worker = committer(Diary())
    assert worker.begin(5, {0: 0, 1: 0}) == {0, 1}
    await worker.own(owned(0, 1))
    worker.progress.assign(5, {0: 0, 1: 0})
    before = worker.partitions[1]
    assert worker.begin(6, {1: 0, 2: 0}) == {2}
    assert worker.partitions == {1: before}


async def test_a_worker_that_missed_a_generation_recovers_everything() -> None:
    worker = committer(Diary())
    worker.begin(5, {0: 0})
    await worker.own(owned(0))
    worker.progress.assign(5, {0: 0})
    assert worker.begin(7, {0: 0}) == {0}
    assert worker.partitions == {}


async def test_a_worker_does_not_keep_a_state_behind_what_was_committed() -> None:
    """It was frozen, and somebody else has processed and committed more in the meantime."""
    worker = committer(Diary())
    worker.begin(5, {0: 0})
    await worker.own(owned(0))
    worker.progress.assign(5, {0: 0})
    await worker.run(batch(0, 1, generation=5))
    assert worker.begin(6, {0: 3}) == {0}
