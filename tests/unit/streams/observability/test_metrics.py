"""Metrics: what is counted, in which units, under which labels."""

import time

import msgspec
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from support.conversations import Move, play, small_engine

from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.context import Head
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, InputRecord
from tailrace.schemas.records.spend import Purpose, Spent
from tailrace.streams.observability.metrics import LATENCY_SECONDS_MAX, Metrics
from tailrace.streams.observability.spend_metrics import OTHERS, SERIES_MAX, SpendMetrics


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def after(*moves: Move, metrics: Metrics | None = None) -> Metrics:
    """Metrics of a worker that has processed these moves."""
    metrics = metrics or Metrics()
    partition = PartitionView()
    for offset, published in enumerate(play(moves)):
        record = published.at(offset)
        metrics.processed(record, process(partition, record, small_engine()))
    return metrics


def test_events_are_counted_by_outcome() -> None:
    metrics = after(Move("user", 3), Move("assistant", 3), Move("repeat"), Move("poison"), Move("stray_answer"))
    assert value(metrics, "tailrace_events_total", outcome="appended") == 2
    assert value(metrics, "tailrace_events_total", outcome="duplicate") == 1
    assert value(metrics, "tailrace_events_total", outcome="dead_letter") == 2


def test_dead_letters_are_counted_by_kind() -> None:
    metrics = after(Move("user"), Move("poison", pick=1), Move("poison", pick=1), Move("stray_answer"))
    assert value(metrics, "tailrace_dead_letters_total", code="undecodable") == 2
    assert value(metrics, "tailrace_dead_letters_total", code="misplaced") == 1


def test_compactions_are_counted_with_tokens_before_and_after() -> None:
    metrics = after(*[Move(kind, 60) for kind in ("user", "assistant") * 6])
    labels = {"trigger": "budget", "strategy": "composed", "outcome": "completed"}
    compactions = value(metrics, "tailrace_compactions_total", **labels)
    assert compactions
    assert value(metrics, "tailrace_compaction_tokens_before_count") == compactions
    before, after_it = (value(metrics, f"tailrace_compaction_tokens_{when}_sum") for when in ("before", "after"))
    assert before
    assert after_it
    assert before > after_it


def signalled(metrics: Metrics, partition: PartitionView, offset: int, value: bytes) -> None:
    record = InputRecord(
        topic="c",
        partition=0,
        offset=offset,
        timestamp_ms=offset,
        key=b"t",
        value=value,
        headers=(("ce_type", SIGNAL_TYPE.encode()), ("ce_id", f"s{offset}".encode())),
    )
    metrics.processed(record, process(partition, record, small_engine()))


def test_signals_are_counted_by_kind_and_by_what_became_of_them() -> None:
    metrics, partition = Metrics(), PartitionView()
    for number, published in enumerate(play([Move("user", 3)], thread="t")):
        process(partition, published.at(number), small_engine())
    for number, value_ in enumerate(
        (b'{"kind":"announce","tokens":1}', b'{"kind":"announce","tokens":"x"}', b'{"kind":"call_ended","call":"c"}')
    ):
        signalled(metrics, partition, number + 5, value_)
    assert value(metrics, "tailrace_signals_total", kind="announce", outcome="noted") == 1
    assert value(metrics, "tailrace_signals_total", kind="unreadable", outcome="refused") == 1
    assert value(metrics, "tailrace_signals_total", kind="call_ended", outcome="refused") == 1


def test_threads_that_can_not_be_brought_under_their_limit_are_counted_as_long_as_they_can_not() -> None:
    metrics, partition = Metrics(), PartitionView()
    stuck = msgspec.structs.replace
    for number, published in enumerate(play([Move("user", 3)], thread="t")):
        record = published.at(number)
        outcome = process(partition, record, small_engine())
    (head,) = [one for one in outcome.emissions if isinstance(one, Head)]
    too_much = stuck(head, standing=stuck(head.standing, stuck=True))
    metrics.processed(record, RecordOutcome([too_much], "noted"))
    metrics.processed(record, RecordOutcome([too_much], "noted"))
    assert value(metrics, "tailrace_threads_stuck") == 1
    metrics.processed(record, RecordOutcome([head], "noted"))
    assert value(metrics, "tailrace_threads_stuck") == 0
    partition.threads["t"].standing = too_much.standing
    metrics.own({0: partition})
    assert value(metrics, "tailrace_threads_stuck") == 1
    metrics.own({})
    assert value(metrics, "tailrace_threads_stuck") == 0


def test_a_compaction_that_could_not_be_done_is_counted_too() -> None:
    metrics = after(*[Move("pinned", 40)] * 5)
    labels = {"trigger": "budget", "strategy": "composed", "outcome": "noop"}
    assert value(metrics, "tailrace_compactions_total", **labels) == 1


def published_at(timestamp_ms: int) -> list[InputRecord]:
    record = InputRecord(
        topic="conversations", partition=0, offset=0, timestamp_ms=timestamp_ms, key=b"t", value=b"{}", headers=()
    )
    return [record]


def test_latency_is_in_seconds_from_the_record_s_timestamp() -> None:
    metrics = Metrics()
    metrics.delivered(published_at(int(time.time() * 1000) - 1500))
    seconds = value(metrics, "tailrace_publish_to_context_seconds_sum")
    assert seconds == pytest.approx(1.5, abs=1)
    assert value(metrics, "tailrace_batch_events_count") == 1


@pytest.mark.parametrize("clock_ms", [-1, 0, 253_402_300_799_999])
def test_a_clock_in_1970_or_9999_says_nothing_about_latency(clock_ms: int) -> None:
    metrics = Metrics()
    metrics.delivered(published_at(clock_ms))
    assert value(metrics, "tailrace_publish_to_context_seconds_count") == 0
    assert LATENCY_SECONDS_MAX < 10 * 86_400


def test_a_thread_on_the_wrong_partition_is_reported_once() -> None:
    moves = (Move("user", 3), Move("assistant", 3), Move("repeat", pick=0), Move("stray_answer"))
    assert value(after(*moves, metrics=Metrics(lambda _key: 0)), "tailrace_foreign_partition_threads_total") == 0
    assert value(after(*moves, metrics=Metrics(lambda _key: 1)), "tailrace_foreign_partition_threads_total") == 1


def test_a_thread_whose_first_message_is_repeated_is_still_one_thread() -> None:
    moves = (Move("user", 3), Move("repeat"), Move("repeat"))
    assert value(after(*moves, metrics=Metrics(lambda _key: 1)), "tailrace_foreign_partition_threads_total") == 1


def test_failed_deliveries_are_counted() -> None:
    metrics = Metrics()
    metrics.delivery_failed()
    assert value(metrics, "tailrace_delivery_failures_total") == 1


def test_names_are_ours_units_are_base_units_and_no_label_grows_with_threads() -> None:
    metrics = after(Move("user", 3), Move("poison"))
    families = list(text_string_to_metric_families(generate_latest(metrics.registry).decode()))
    assert len(families) > 10
    for family in families:
        assert family.name.startswith("tailrace_")
        assert not any(unit in family.name for unit in ("_ms", "millis", "_kb", "minutes"))
        assert family.documentation
        for sample in family.samples:
            assert set(sample.labels) <= {"outcome", "trigger", "strategy", "code", "partition", "le", "version"}


def reported(thread: str, agent: str, offset: int, **usage: int) -> InputRecord:
    body = {"id": f"m{offset}", "native": {"role": "assistant", "content": "ok"}, "format": "openai.chat"}
    value = msgspec.json.encode({**body, "model": "gpt-4o-mini", "agent": agent, "usage": usage})
    return InputRecord(
        topic="c", partition=0, offset=offset, timestamp_ms=0, key=thread.encode(), value=value, headers=()
    )


def test_what_agents_report_of_their_own_calls_is_counted_and_priced() -> None:
    metrics, partition = Metrics(), PartitionView()
    for offset, agent in enumerate(("planner", "planner", "coder")):
        record = reported("t", agent, offset, input_tokens=1_000_000, cache_read_tokens=400_000, output_tokens=1_000)
        metrics.processed(record, process(partition, record, small_engine()))
        metrics.processed(record, process(partition, record, small_engine()))  # a replay is covered, and counts once
    series = {"purpose": "primary", "model": "gpt-4o-mini", "tenant": "default", "agent": "planner"}
    assert value(metrics, "tailrace_spend_calls_total", **series) == 2
    assert value(metrics, "tailrace_spend_tokens_total", **series, direction="input") == 1_200_000
    assert value(metrics, "tailrace_spend_tokens_total", **series, direction="cache_read") == 800_000
    assert value(metrics, "tailrace_spend_tokens_total", **series, direction="output") == 2_000
    usd = value(metrics, "tailrace_spend_usd_total", **series)
    assert usd == pytest.approx(2 * (0.6 * 0.15 + 0.4 * 0.075 + 0.001 * 0.6))
    assert value(metrics, "tailrace_spend_calls_total", **{**series, "agent": "coder"}) == 1


def test_names_without_end_share_one_series() -> None:
    registry = CollectorRegistry()
    spend = SpendMetrics(registry)
    for number in range(SERIES_MAX + 5):
        spend.note(
            Spent(
                id=str(number),
                purpose=Purpose.PRIMARY,
                thread="t",
                tenant=f"tenant {number}",
                agent=None,
                model="m",
                at_ms=0,
                input_tokens=7,
                output_tokens=1,
            )
        )
    series = {"purpose": "primary", "model": OTHERS, "tenant": OTHERS, "agent": OTHERS}
    assert registry.get_sample_value("tailrace_spend_calls_total", series) == 5
    assert len(next(iter(registry.collect())).samples) <= 2 * (SERIES_MAX + 1)


def test_two_workers_in_one_process_have_metrics_of_their_own() -> None:
    one, other = Metrics(), Metrics()
    one.delivery_failed()
    assert value(other, "tailrace_delivery_failures_total") == 0
