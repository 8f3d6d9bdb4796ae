"""Whatever stands in a topic, everything of ours that reads it goes on: records with something wrong, for each topic.

`make fuzz` takes many more of them: FUZZ_RECORDS for each topic, from number FUZZ_FIRST on.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path

import pytest
from aiokafka.structs import ConsumerRecord
from rich.console import Console
from support.conversations import THREAD, Published, small_engine

from ops.chaos.fuzzed_records import FUZZED_TYPES, fuzzed
from tailrace.agents.engine.partition import PartitionView, process
from tailrace.agents.engine.spend import compactor_calls
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.kafka_records import (
    Topic,
    decode_compaction,
    decode_distillation,
    decode_lifecycle,
    encode,
)
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.summary import Answered
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.cli.audit_lines import event_line
from tailrace.streams.cli.history import in_order, print_happening
from tailrace.streams.client.context_partition import ContextPartition
from tailrace.streams.dead_letters.letters import letter_in
from tailrace.streams.indexer.index_file import IndexFile
from tailrace.streams.indexer.log_intake import LogIntake
from tailrace.streams.kafka.topic_end import input_record
from tailrace.streams.observability.audit_trail import Sieve, Trail
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.rebuild.projection import dead_letter_of
from tailrace.streams.settings.settings import Settings
from tailrace.streams.summarizer.answers import Answers
from tailrace.streams.summarizer.catch_up import answer_in
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.summarizer.work_intake import dead_letter, read_request
from tailrace.streams.worker.projection import SqliteProjection
from tailrace.streams.worker.recovery import Rebuilding

RECORDS = int(os.environ.get("FUZZ_RECORDS", "1500"))
FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
#: Records of one partition, one file, one thread: whatever was taken stays with what comes later.
PORTION = 100
#: Where the input ends for who recovers, and goes on.
LOG_END = 10**9


def portions(topic: Topic) -> Iterable[list[ConsumerRecord]]:
    numbers = range(FIRST, FIRST + RECORDS)
    for begin in range(0, RECORDS, PORTION):
        yield [fuzzed(topic, number) for number in numbers[begin : begin + PORTION]]


def say(partition: PartitionView, offset: int) -> None:
    """Go on with the thread, until it is compacted."""
    for number in range(3):
        value = b'{"role":"user","content":"%s"}' % (b"word " * 150)
        outcome = process(partition, Published(THREAD.encode(), value).at(offset + number), small_engine())
        assert [encode(emission, 9) for emission in outcome.written]


def test_a_worker_takes_or_refuses_whatever_is_said(tmp_path: Path) -> None:
    projection = SqliteProjection(tmp_path / "projection.db")
    results = set()
    for records in portions(Topic.CONVERSATIONS):
        partition = PartitionView()
        for record in records:
            outcome = process(partition, input_record(record), small_engine())
            results.add(outcome.result)
            assert all(encode(emission, 1) for emission in outcome.written)
            projection.write(outcome.emissions, outcome.spent)
        say(partition, records[-1].offset + 1)
    projection.close()

    assert {"appended", "dead_letter", "refused"} <= results


async def test_the_index_takes_in_or_leaves_out_whatever_is_said_and_decided(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    file, store = IndexFile(tmp_path / "recall.db"), await open_store(settings)
    intake = LogIntake(settings, file, ArtifactShelf(store, Policy()), SkippedRecords())
    taken = 0
    for said, decided in zip(portions(Topic.CONVERSATIONS), portions(Topic.COMPACTIONS), strict=True):
        taken += await intake.take_messages(0, said)
        await intake.take_compactions(0, decided)
        assert file.positions(Topic.CONVERSATIONS) == {0: said[-1].offset + 1}
    file.close()
    await store.close()

    assert 0 < taken < RECORDS


def test_a_worker_recovers_from_whatever_stands_in_contexts() -> None:
    taken = refused = 0
    for records in portions(Topic.CONTEXTS):
        # A worker leaves out what names input behind the end of the log.
        rebuilding, reader = Rebuilding([0], {0: LOG_END}), ContextPartition(keep_all=True)
        for record in records:
            reader.take(record)
            try:
                rebuilding.take(0, record)
                taken += 1
            except PoisonEvent:
                refused += 1
        owned = rebuilding.owned(3)[0]
        assert owned.term < 10**18
        for view in owned.view.threads.values():
            view.messages()
            view.owed()
        say(owned.view, LOG_END)

    assert min(taken, refused) > RECORDS / 10


def test_who_tells_what_happened_leaves_out_what_can_t_be_read(tmp_path: Path) -> None:
    console = Console(file=StringIO(), width=100)
    shown = 0
    for events, compactions in zip(portions(Topic.LIFECYCLE), portions(Topic.COMPACTIONS), strict=True):
        skipped = SkippedRecords()
        trail = Trail(
            Sieve[CompactionRecord](decode_compaction, skipped).take(compactions),
            Sieve[LifecycleEvent](decode_lifecycle, skipped).take(events),
            skipped.total,
        )
        for happening in in_order(trail):
            print_happening(console, happening)
            shown += 1
        for event in trail.events:
            event_line(event, fired=True)
        assert trail.skipped
    assert shown > RECORDS / 50


@pytest.mark.parametrize(
    ("topic", "decode"), [(Topic.COMPACTIONS, decode_compaction), (Topic.DISTILLATIONS, decode_distillation)]
)
def test_the_projection_is_rebuilt_from_whatever_is_there(
    topic: Topic, decode: Callable[[bytes | None], CompactionRecord | Distillation], tmp_path: Path
) -> None:
    projection = SqliteProjection(tmp_path / "projection.db")
    skipped, written = SkippedRecords(), 0
    for records in portions(topic):
        decided = [one for record in records if (one := skipped.read(record, decode)) is not None]
        projection.write(decided)
        written += len(decided)
    projection.close()

    assert min(written, skipped.total) > RECORDS / 20


async def test_a_summarizer_takes_in_whatever_others_have_answered(tmp_path: Path) -> None:
    file = RecordsFile(tmp_path / "projection.db")
    answers, skipped, read = Answers(file), SkippedRecords(), 0
    for records in portions(Topic.SUMMARIES):
        told: Sequence[Answered] = [one for record in records if (one := answer_in(record, skipped)) is not None]
        await answers.keep_read(told, "summaries", 0, records[-1].offset + 1)
        assert all(compactor_calls(one) is not None for one in told)
        read += len(told)
    file.close()

    assert min(read, skipped.total) > RECORDS / 20


def test_a_request_is_read_or_becomes_a_dead_letter() -> None:
    letters = 0
    for records in portions(Topic.WORK):
        for record in records:
            try:
                read_request(record)
            except PoisonEvent as error:
                letters += bool(encode(dead_letter(record, error), 0).headers)
    assert 0 < letters < RECORDS


def test_whatever_stands_among_the_dead_letters_is_listed(tmp_path: Path) -> None:
    projection = SqliteProjection(tmp_path / "projection.db")
    for records in portions(Topic.DLQ):
        opened = [letter_in(record) for record in records]
        assert [one.letter.offset for one in opened] == [record.offset for record in records]
        projection.write([letter for one in opened if (letter := dead_letter_of(one)) is not None])
    projection.close()


def test_every_type_is_among_the_records_of_every_topic() -> None:
    for topic in Topic:
        types = {dict(fuzzed(topic, number).headers).get("ce_type") for number in range(4000)}
        assert types >= FUZZED_TYPES, f"{topic}: {FUZZED_TYPES - types}"
