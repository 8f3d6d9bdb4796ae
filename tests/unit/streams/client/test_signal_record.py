"""Signals as records: checked before they are sent, and read back as what they were."""

import json

import pytest

from tailrace.schemas.errors import Invalid
from tailrace.schemas.ingest import decode_signal
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, Topic, signal_record
from tailrace.schemas.records.signal import Announce, AnySignal, CallStarted, Compact, Tick, signal_of
from tailrace.streams.client.publication import CLIENT_SOURCE
from tailrace.streams.client.signal_record import make_signal


def test_a_signal_reads_back_as_what_it_was() -> None:
    publication = make_signal("c", "t1", Compact(target_fraction=0.5, reason="a"), tenant="ours", signal_id="s1")
    headers = dict(publication.record.headers)
    assert (headers["ce_type"], headers["ce_source"]) == (SIGNAL_TYPE.encode(), CLIENT_SOURCE.encode())
    thread, signal_id, data = decode_signal(publication.record, value_bytes_max=10_000)
    signal = signal_of(data, signal_id=signal_id, thread=thread, logged_at_ms=5)
    assert (signal.id, signal.thread, signal.tenant) == ("s1", "t1", "ours")
    assert signal.what == Compact(target_fraction=0.5, reason="a")
    assert publication.size_bytes == len(publication.record.value or b"")


def test_a_signal_without_an_id_gets_one_of_its_own_and_none_is_taken_for_a_message() -> None:
    one, other = (make_signal("c", "t1", Announce(tokens=5), tenant="default") for _ in range(2))
    assert one.key != other.key
    assert one.key != ("t1", one.id)


@pytest.mark.parametrize(
    ("thread", "what", "tenant"),
    [
        ("", Announce(tokens=5), "default"),
        ("t1", Compact(reason=5), "default"),
        ("t1", CallStarted(call="x" * 2_000), "default"),
        ("t1", Announce(tokens=5), "a\nb"),
    ],
)
def test_what_a_worker_would_refuse_for_its_shape_is_never_sent(thread: str, what: AnySignal, tenant: str) -> None:
    with pytest.raises(Invalid):
        make_signal("c", thread, what, tenant=tenant)


def test_the_record_of_a_tick_is_the_same_whoever_sends_it() -> None:
    ticks = [
        signal_record(Tick(timer="idle", due_ms=7), thread="t1", tenant="ours", signal_id="tick:idle:7") for _ in "ab"
    ]
    assert ticks[0] == ticks[1]
    assert ticks[0].topic is Topic.CONVERSATIONS
    assert json.loads(ticks[0].value or b"") == {"kind": "tick", "tenant": "ours", "timer": "idle", "due_ms": 7}
    assert "ce_term" not in dict(ticks[0].headers)
