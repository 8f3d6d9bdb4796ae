"""Recovery without a broker: what records make of a partition, and under which term its owner writes."""

import json

import msgspec
import pytest
from support.conversations import Move, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Misplaced, PoisonEvent
from tailrace.schemas.records.kafka_records import ENTRY_TYPE, HEAD_TYPE, OutputRecord, Topic, encode, rebuilt_record
from tailrace.streams.worker.recovery import Rebuilding


def written(term: int) -> list[OutputRecord]:
    partition = PartitionView()
    emissions = [
        emission
        for offset, published in enumerate(play([Move("user", 60), Move("assistant", 60)] * 6))
        for emission in process(partition, published.at(offset), small_engine()).written
    ]
    return [record for record in (encode(one, term) for one in emissions) if record.topic is Topic.CONTEXTS]


def owned_after(records: list[OutputRecord], generation: int) -> int:
    rebuilding = Rebuilding([0])
    rebuilding.apply(0, records)
    return rebuilding.owned(generation)[0].term


def test_records_in_portions_give_the_same_state_as_all_at_once() -> None:
    records = written(1)
    whole, portions = Rebuilding([3]), Rebuilding([3])
    whole.apply(3, records)
    for start in range(0, len(records), 4):
        portions.apply(3, records[start : start + 4])
    assert whole.owned(2) == portions.owned(2)


def test_a_partition_without_records_is_empty_and_ours() -> None:
    owned = Rebuilding([0, 5]).owned(2)
    assert owned.keys() == {0, 5}
    assert owned[5].view.threads == {}


def test_the_term_is_the_generation_of_the_group() -> None:
    assert owned_after(written(term=3), generation=8) == 8


def test_who_was_frozen_and_reads_late_does_not_get_a_term_above_its_successor_s_by_reading() -> None:
    """Both read the same log; only the generation tells who came later."""
    frozen, successor = owned_after(written(3), generation=4), owned_after(written(3), generation=5)
    assert frozen < successor


def test_where_the_log_is_ahead_of_the_group_the_term_is_above_the_generation() -> None:
    assert owned_after(written(term=8), generation=3) == 9
    assert owned_after(written(term=8), generation=8) == 9


def test_what_rests_on_input_that_is_not_there_is_left_out_and_nothing_else() -> None:
    records = written(1)
    whole, told = Rebuilding([0]), Rebuilding([0], {0: 12})
    whole.apply(0, records)
    told.apply(0, records)
    assert told.owned(2) == whole.owned(2)
    for record in (one for one in records if dict(one.headers)["ce_type"] in {HEAD_TYPE.encode(), ENTRY_TYPE.encode()}):
        value = json.loads(record.value or b"")
        value |= {"covers_through": {"event_id": "x", "offset": 12}} if "covers_through" in value else {"offset": 12}
        with pytest.raises(Misplaced, match="the log ends at offset 12"):
            told.take(0, msgspec.structs.replace(record, value=json.dumps(value).encode()))
    assert told.owned(2) == whole.owned(2)


def test_contexts_that_were_made_again_count_and_what_lies_before_them_does_not() -> None:
    """Also where what is left of the former ones is of a later epoch than what comes now."""
    records = written(1)
    cut = [record for record in records if b"epoch" in (record.value or b"")][len(records) // 2 :]
    whole, over_the_rest = Rebuilding([0]), Rebuilding([0])
    whole.apply(0, [rebuilt_record(5), *written(5)])
    over_the_rest.apply(0, [*cut, rebuilt_record(5), *written(5)])
    assert over_the_rest.owned(6) == whole.owned(6)
    assert whole.owned(6)[0].view.threads


def test_threads_are_named_whose_records_were_written_over_by_what_can_not_be_read() -> None:
    records = written(1)
    entry = next(record for record in records if dict(record.headers)["ce_type"] == ENTRY_TYPE.encode())
    thread = entry.key.partition(b"\x1f")[0].decode()
    rebuilding = Rebuilding([0])
    rebuilding.apply(0, records)

    foreign = [OutputRecord(Topic.CONTEXTS, key, b"no JSON", entry.headers) for key in (b"nobody\x1fm1", entry.key)]
    for record in foreign:
        with pytest.raises(PoisonEvent):
            rebuilding.take(0, record)

    assert rebuilding.damaged() == {0: [thread]}
    rebuilding.take(0, entry)
    assert rebuilding.damaged() == {}
