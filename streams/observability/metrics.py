"""Every metric of Tailrace. Base units, no label that grows with the number of threads."""

import time
from collections.abc import Callable, Mapping, Sequence

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

from tailrace.agents.distill.fleet_cache import SHARED_TYPE
from tailrace.agents.engine.partition import OUTCOMES, RecordOutcome
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.rehydration import REHYDRATION
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Head
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.kafka_records import Emission, InputRecord, Stored
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.spend import Purpose
from tailrace.streams.observability.model_calls_table import priced
from tailrace.streams.observability.projection_metrics import ProjectionMetrics
from tailrace.streams.observability.skipped_records import skipped_counter
from tailrace.streams.observability.spend_metrics import SpendMetrics

log = structlog.get_logger("tailrace.metrics")

#: A record stamped longer ago than this comes from a replay or a wrong clock and says nothing about our latency.
LATENCY_SECONDS_MAX = 86_400.0

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300)
_TOKENS = (256, 1024, 4096, 16_384, 65_536, 131_072, 262_144, 1_048_576)

_REHYDRATED = {LifecycleKind.REHYDRATED: "brought_back", LifecycleKind.NOOP: "no_room"}
_UNDONE = {LifecycleKind.NOOP: "noop", LifecycleKind.FAILED: "failed"}


class Metrics:
    """The metrics of one worker; implements the committer's observer."""

    def __init__(self, partition_of: Callable[[bytes], int] | None = None) -> None:
        """Register everything in a registry of its own. `partition_of` is where a key belongs."""
        self.registry = CollectorRegistry()
        self._partition_of = partition_of
        self._register_tool_outputs()
        self._register_triggers()
        self.spend = SpendMetrics(self.registry)
        self.projection = ProjectionMetrics(self.registry)
        self.events = Counter("tailrace_events_total", "Input records by outcome", ["outcome"], registry=self.registry)
        # Looking up a label costs more than counting: done once, not for every event.
        self._outcomes = {name: self.events.labels(name) for name in OUTCOMES}
        self.compactions = Counter(
            "tailrace_compactions_total",
            "Compactions by trigger, strategy and outcome",
            ["trigger", "strategy", "outcome"],
            registry=self.registry,
        )
        self.tokens_before = Histogram(
            "tailrace_compaction_tokens_before",
            "Tokens of a context when its compaction began",
            buckets=_TOKENS,
            registry=self.registry,
        )
        self.tokens_after = Histogram(
            "tailrace_compaction_tokens_after",
            "Tokens of a context after its compaction",
            buckets=_TOKENS,
            registry=self.registry,
        )
        self.dead_letters = Counter(
            "tailrace_dead_letters_total", "Dead letters by kind of failure", ["code"], registry=self.registry
        )
        self.count_skipped = skipped_counter(self.registry)
        self.latency = Histogram(
            "tailrace_publish_to_context_seconds",
            "From the record's timestamp to the delivery of the context that covers it",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.batch_events = Histogram(
            "tailrace_batch_events",
            "Input records in a batch",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
            registry=self.registry,
        )
        self._register_delivery()
        self._register_state()

    def _register_delivery(self) -> None:
        """Register what goes wrong on the way in and out."""
        self.delivery_failures = Counter(
            "tailrace_delivery_failures_total", "Batches whose records were not delivered", registry=self.registry
        )
        self.foreign_partition = Counter(
            "tailrace_foreign_partition_threads_total",
            "Threads that began on another partition than murmur2 of their key gives: a producer with another "
            "partitioner",
            registry=self.registry,
        )

    def _register_state(self) -> None:
        """Register how far the worker is, and what it holds."""
        self.lag = Gauge(
            "tailrace_consumer_lag_records", "Records not yet processed", ["partition"], registry=self.registry
        )
        self.lost = Gauge(
            "tailrace_input_lost_records",
            "Input that was cut before it was read, and whose loss somebody has accepted",
            ["partition"],
            registry=self.registry,
        )
        self.commit_age = Gauge(
            "tailrace_commit_age_seconds", "Time since progress was last committed", registry=self.registry
        )
        self.recovery = Gauge("tailrace_recovery_seconds", "Duration of the last recovery", registry=self.registry)
        self.threads = Gauge("tailrace_threads", "Threads this worker holds", registry=self.registry)
        self.build = Info("tailrace_build", "Version of this worker", registry=self.registry)

    def _register_tool_outputs(self) -> None:
        """Register what is counted about tool outputs and artifacts."""
        self.distillations = Counter(
            "tailrace_distillations_total", "Tool outputs distilled as they arrived", ["method"], registry=self.registry
        )
        self.distilled_before = Counter(
            "tailrace_distilled_tokens_before_total", "Tokens of these outputs", registry=self.registry
        )
        self.distilled_after = Counter(
            "tailrace_distilled_tokens_after_total", "Tokens of their distillations", registry=self.registry
        )
        shared = Counter(
            "tailrace_shared_distillations_total",
            "Distillations that were looked for in the artifact store: made by another worker, or made here",
            ["outcome"],
            registry=self.registry,
        )
        self.shared_hits, self.shared_misses = shared.labels("hit"), shared.labels("miss")
        self.artifacts = Counter(
            "tailrace_artifacts_stored_total", "Contents put into the artifact store", registry=self.registry
        )
        self.artifacts_expired = Counter(
            "tailrace_artifacts_expired_total",
            "Contents removed from it because their time was over",
            registry=self.registry,
        )
        self.rehydrations = Counter(
            "tailrace_rehydrations_total", "Artifacts brought back or refused", ["outcome"], registry=self.registry
        )

    def _register_triggers(self) -> None:
        """Register what is counted about signals and timers."""
        self.signals = Counter(
            "tailrace_signals_total",
            "Signals by kind and by what became of them",
            ["kind", "outcome"],
            registry=self.registry,
        )
        self.ticks = Counter("tailrace_ticks_sent_total", "Ticks put on the log", registry=self.registry)
        self.timers = Gauge("tailrace_timers_pending", "Threads that wait for a timer", registry=self.registry)
        self.stuck = Gauge(
            "tailrace_threads_stuck",
            "Threads that can't be brought under their limit: more is kept than fits",
            registry=self.registry,
        )
        self._stuck: set[tuple[int, str]] = set()

    def own(self, views: Mapping[int, PartitionView]) -> None:
        """Count anew what can only be told of all threads that are ours now."""
        self._stuck = {
            (partition, thread)
            for partition, view in views.items()
            for thread, thread_view in view.threads.items()
            if thread_view.standing.stuck
        }
        self.stuck.set(len(self._stuck))

    def own_losses(self, lost: Mapping[int, int]) -> None:
        """Show what the partitions that are ours now have lost for good."""
        self.lost.clear()
        for partition, records in lost.items():
            self.lost.labels(str(partition)).set(records)

    def _note_stuck(self, partition: int, head: Head) -> None:
        place = partition, head.thread
        if head.standing.stuck != (place in self._stuck):
            self._stuck.symmetric_difference_update({place})
            self.stuck.set(len(self._stuck))

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        """Count the outcome of one record."""
        self._outcomes[outcome.result].inc()
        if outcome.signal is not None:
            self.signals.labels(outcome.signal, outcome.result).inc()
        for call in outcome.spent:
            # What the compactor spends is counted where it is spent.
            if call.purpose is Purpose.PRIMARY:
                self.spend.note(priced(call))
        if len(outcome.emissions) == 1 and outcome.result == "appended":
            return  # the common case: nothing but an entry
        self.shared_hits.inc(outcome.shared_hits)
        for emission in outcome.emissions:
            if isinstance(emission, Head):
                self._note_stuck(record.partition, emission)
                if emission.totals.messages == 1 and outcome.result == "appended":
                    self._check_partition(record)
            else:
                self._count(emission)

    def _count(self, emission: Emission) -> None:
        match emission:
            case DeadLetter():
                self.dead_letters.labels(emission.code).inc()
                # The reason may quote the record; `tailrace dlq` shows it.
                log.warning(
                    "event.dead_letter", code=emission.code, partition=emission.partition, offset=emission.offset
                )
            case CompactionRecord():
                self.compactions.labels(emission.trigger, emission.strategy, "completed").inc()
                self.tokens_before.observe(emission.before_tokens)
                self.tokens_after.observe(emission.after_tokens)
            case Distillation():
                self.distillations.labels(emission.method).inc()
                self.distilled_before.inc(emission.before_tokens)
                self.distilled_after.inc(emission.after_tokens)
            case Stored() if emission.artifact.media_type == SHARED_TYPE:
                self.shared_misses.inc()
            case Stored():
                self.artifacts.inc()
            case LifecycleEvent() if emission.strategy == REHYDRATION:
                outcome_name = _REHYDRATED.get(emission.kind, "refused")
                self.rehydrations.labels(outcome_name).inc(len(emission.message_ids))
            case LifecycleEvent() if emission.kind in _UNDONE:
                strategy = emission.strategy or ""
                self.compactions.labels(emission.trigger, strategy, _UNDONE[emission.kind]).inc()
            case _:
                pass

    def _check_partition(self, record: InputRecord) -> None:
        """Report the first event of a thread where our client would not look for it."""
        if self._partition_of is None or record.key is None:
            return
        expected = self._partition_of(record.key)
        if expected != record.partition:
            self.foreign_partition.inc()
            log.warning(
                "thread.foreign_partition",
                partition=record.partition,
                expected_partition=expected,
                do="let every producer use the murmur2 partitioner (librdkafka: partitioner=murmur2_random)",
            )

    def delivered(self, records: Sequence[InputRecord]) -> None:
        """Note the latency of a batch."""
        now_seconds = time.time()
        self.batch_events.observe(len(records))
        for record in records:
            latency_seconds = now_seconds - record.timestamp_ms / 1000
            if 0 <= latency_seconds <= LATENCY_SECONDS_MAX:
                self.latency.observe(latency_seconds)

    def delivery_failed(self) -> None:
        """Note that records were not delivered."""
        self.delivery_failures.inc()
