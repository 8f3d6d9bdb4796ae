"""Laws of reading the contexts topic: from the beginning or late, whole or log-compacted, the context is the same."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.conversations import AT_PROVIDER, IN_PIECES, THREAD, Move, Published, laws, moves, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.context import Departed, Entry, Head
from tailrace.schemas.records.kafka_records import ContextChange, OutputRecord, Tombstone, Topic, decode_context, encode

#: Models that use the id of a call again, before or after it was answered.
_reusing = moves(("user", "assistant", "same_call_again", "answer_same_call", "small_model", "large_model"))
conversations = (moves() | moves(IN_PIECES) | moves(AT_PROVIDER) | _reusing).map(play)
#: Which of the records that Kafka may drop it has dropped so far.
droppings = st.randoms(use_true_random=False)
#: A ledger comes to stand in the group of a pointer that is of a later turn, and is retired while that stays.
_LEDGER_BESIDE_POINTER = (
    *["user"] * 10,
    *("calls", "split_calls", "user", "calls", "anthropic_answer_with_words", "user", "anthropic_answer"),
    *("small_model", "calls"),
)
ledger_beside_pointer = play(
    [*(Move(kind, words=0, pick=0) for kind in _LEDGER_BESIDE_POINTER), Move("response_items", words=0, pick=2)]
)


def written(conversation: Sequence[Published], term: int = 1) -> list[OutputRecord]:
    """Records of the contexts topic that one worker writes."""
    partition = PartitionView()
    emissions = [
        emission
        for offset, published in enumerate(conversation)
        for emission in process(partition, published.at(offset), small_engine()).written
    ]
    return [record for record in (encode(one, term) for one in emissions) if record.topic is Topic.CONTEXTS]


def read(records: Iterable[OutputRecord]) -> PartitionView:
    partition = PartitionView()
    for record in records:
        partition.apply_record(record.key or b"", record.value, record.headers)
    return partition


def log_compacted(records: Sequence[OutputRecord], chance: Random | None = None) -> list[OutputRecord]:
    """Some form that Kafka's log compaction may give to a topic; the smallest one without `chance`.

    It may drop whatever has a later record with the same key, and a tombstone once all before it are gone.
    """
    last = {record.key: index for index, record in enumerate(records)}
    kept = [
        (index, record)
        for index, record in enumerate(records)
        if last[record.key] == index or (chance is not None and chance.random() < 0.5)
    ]
    first = {record.key: index for index, record in reversed(kept)}
    return [
        record
        for index, record in kept
        if record.value is not None
        or first[record.key] != index
        or last[record.key] != index
        or (chance is not None and chance.random() < 0.5)
    ]


def cut(records: Sequence[OutputRecord], data: st.DataObject) -> Sequence[OutputRecord]:
    """What is there after a worker died at any moment."""
    return records[: data.draw(st.integers(0, len(records)), label="records written")]


@laws
@given(conversations, st.data(), droppings)
def test_a_reader_of_a_log_compacted_topic_sees_the_same(
    conversation: list[Published], data: st.DataObject, chance: Random
) -> None:
    records = cut(written(conversation), data)
    whole = read(records)
    assert read(log_compacted(records, chance)).threads == whole.threads


@laws
@given(conversations)
@example(ledger_beside_pointer)
def test_a_reader_of_the_smallest_log_compacted_topic_sees_the_same(conversation: list[Published]) -> None:
    records = written(conversation)
    assert read(log_compacted(records)).threads == read(records).threads


@laws
@given(conversations, st.data(), droppings)
def test_a_worker_goes_on_from_a_log_compacted_topic_as_if_it_had_written_it(
    conversation: list[Published], data: st.DataObject, chance: Random
) -> None:
    at = data.draw(st.integers(0, len(conversation)), label="events before the change of hands")
    partition = read(log_compacted(written(conversation[:at]), chance))
    for offset in range(at, len(conversation)):
        process(partition, conversation[offset].at(offset), small_engine())
    assert partition.threads == read(written(conversation)).threads


@laws
@given(conversations, st.data())
def test_records_written_twice_count_once(conversation: list[Published], data: st.DataObject) -> None:
    """A successor repeats what its predecessor had written but not committed, from any event on."""
    records = written(conversation)
    start = data.draw(st.integers(0, len(records)), label="first repeated record")
    assert read([*records, *_from_an_event(records, start)]).threads == read(records).threads


def _from_an_event(records: Sequence[OutputRecord], start: int) -> list[OutputRecord]:
    return [OutputRecord(one.topic, one.key, one.value, _with_term(one, 2)) for one in records[start:]]


def _with_term(record: OutputRecord, term: int) -> tuple[tuple[str, bytes], ...]:
    return tuple((name, b"%d" % term if name == "ce_term" else value) for name, value in record.headers)


@laws
@given(conversations, st.data())
def test_late_records_of_a_former_owner_count_for_nothing(conversation: list[Published], data: st.DataObject) -> None:
    late = written(conversation[: data.draw(st.integers(0, len(conversation)))], term=1)
    records = written(conversation, term=2)
    # Before the successor's first record they are not late.
    place = data.draw(st.integers(min(1, len(records)), len(records)), label="place of the late records")
    assert read([*records[:place], *late, *records[place:]]).threads == read(records).threads


@laws
@given(conversations, st.data())
def test_late_records_with_an_equal_term_change_nothing(conversation: list[Published], data: st.DataObject) -> None:
    """Two owners have the same term when the first was frozen before it wrote anything."""
    records = written(conversation)
    late = records[: data.draw(st.integers(0, len(records)), label="late records")]
    place = data.draw(st.integers(0, len(records)), label="place of the late records")
    whole = read([*records[:place], *late, *records[place:]])
    assert context_of(whole) == context_of(read(records))


def context_of(partition: PartitionView) -> dict[str, object]:
    """What a reader and the next owner see of each thread."""
    return {
        name: (view.head, view.live(), view.groups, view.tokens, view.totals, view.covers, view.model, view.departed)
        for name, view in partition.threads.items()
    }


@laws
@given(conversations)
def test_entries_of_a_newer_epoch_wait_for_their_head(conversation: list[Published]) -> None:
    view = ThreadView()
    for record in written(conversation):
        change = decoded(record)
        context = {entry.id for entry in view.live()}
        view.apply(change)
        if isinstance(change, Entry) and change.epoch > view.epoch:
            assert {entry.id for entry in view.live()} == context
        if isinstance(change, Head):
            assert not view.staged


@laws
@given(conversations)
def test_the_context_changes_only_with_a_head_or_an_append(conversation: list[Published]) -> None:
    """Tombstones and lists of departed ids only free space: nothing is seen to happen when they arrive."""
    view = ThreadView()
    for record in written(conversation):
        change = decoded(record)
        before = view.live()
        view.apply(change)
        if isinstance(change, Tombstone | Departed):
            assert view.live() == before


@laws
@given(conversations, st.data())
def test_what_a_dead_worker_owed_is_swept_by_its_successor(conversation: list[Published], data: st.DataObject) -> None:
    records = cut(written(conversation), data)
    partition = read(records)
    context = {name: view.live() for name, view in partition.threads.items()}
    owed = partition.unswept()
    swept = read([*records, *(encode(tombstone, 2) for tombstone in owed)])
    assert not swept.unswept()
    assert {name: view.live() for name, view in swept.threads.items()} == context
    live = {entry.id for view in swept.threads.values() for entry in [*view.live(), *view.staged.values()]}
    assert {record.key for record in log_compacted([*records, *(encode(one, 2) for one in owed)])} == {
        record.key
        for record in records
        if not isinstance(one := decoded(record), Entry | Tombstone) or _message_id(one) in live
    }


def _message_id(change: Entry | Tombstone) -> str:
    return change.id if isinstance(change, Entry) else change.message_id


def decoded(record: OutputRecord) -> ContextChange:
    change = decode_context(record.key or b"", record.value)
    assert change is not None
    return change


LONG = [Move(kind, 60, 1) for kind in ("system", "user", "calls", "answer", "answer", "assistant") * 5]


def test_removed_ranges_hold_all_that_ever_left() -> None:
    records = written(play(LONG))
    entries = {one.id: one for one in map(decoded, records) if isinstance(one, Entry)}
    gone: set[str] = set()
    heads = 0
    for change in map(decoded, records):
        if isinstance(change, Tombstone):
            gone.add(change.message_id)
        if isinstance(change, Head) and change.epoch:
            heads += 1
            ranges = change.removed
            assert all(any(first <= entries[one].rank <= last for first, last, _ in ranges) for one in gone)
    assert heads > 2


def test_a_reader_that_never_sees_a_tombstone_has_the_same_context() -> None:
    records = written(play(LONG))
    without = [record for record in records if record.value is not None]
    assert read(without).threads[THREAD].live() == read(records).threads[THREAD].live()


def test_without_its_head_a_compaction_has_not_happened() -> None:
    records = written(play(LONG))
    last_head = max(index for index, one in enumerate(map(decoded, records)) if isinstance(one, Head))
    # The departed ids and the new entries stand right before their head.
    first = max(index for index, one in enumerate(map(decoded, records)) if isinstance(one, Departed))
    before, almost = read(records[:first]), read(records[:last_head])
    assert almost.threads[THREAD].live() == before.threads[THREAD].live()
    assert len(almost.threads[THREAD].staged) == last_head - first - 1
    assert read(records[: last_head + 1]).threads[THREAD].totals.compactions > before.threads[THREAD].totals.compactions


def test_a_plan_that_was_not_committed_is_forgotten_when_its_message_is_appended_instead() -> None:
    """A worker died between entry and head of a compaction, and its successor has a policy that needs none."""
    records = written(play([Move("user", 5), Move("assistant", 5)]))
    head = decoded(records[1])
    assert isinstance(head, Head)
    entry = next(one for one in map(decoded, records) if isinstance(one, Entry) and one.id == "thread-2")
    view = ThreadView()
    for change in map(decoded, records[:2]):
        view.apply(change)
    view.apply(_at_epoch(entry, 1))
    view.apply(entry)
    assert not view.staged


def _at_epoch(entry: Entry, epoch: int) -> Entry:
    record = encode(entry, 1)
    assert record.value is not None
    changed = decode_context(record.key or b"", record.value.replace(b'"epoch":0', b'"epoch":%d' % epoch))
    assert isinstance(changed, Entry)
    assert changed.epoch == epoch
    return changed


@pytest.mark.parametrize("name", ["␟", "a b", "日本", "%", "a/b"])
def test_any_thread_name_survives_the_keys(name: str) -> None:
    records = written(play([Move("user", 3), Move("assistant", 3)], thread=name))
    assert list(read(records).threads) == [name]
