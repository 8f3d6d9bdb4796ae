"""What the role `summarize` measures. Base units, no label that grows without end."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

from tailrace.streams.observability.projection_metrics import ProjectionMetrics
from tailrace.streams.observability.skipped_records import skipped_counter
from tailrace.streams.observability.spend_metrics import SpendMetrics

_SECONDS = (0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)


class SummarizerMetrics:
    """The metrics of one worker of this role."""

    def __init__(self) -> None:
        """Register everything in a registry of its own."""
        self.registry = CollectorRegistry()
        self.build = Info("tailrace_build", "Release", registry=self.registry)
        self.answers = Counter(
            "tailrace_summary_requests_total", "Requests by what became of them", ["outcome"], registry=self.registry
        )
        self.seconds = Histogram(
            "tailrace_summary_seconds",
            "From taking a request to its answer",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.calls = Counter(
            "tailrace_model_calls_total",
            "Calls by model and outcome",
            ["provider", "model", "outcome"],
            registry=self.registry,
        )
        self.count_skipped = skipped_counter(self.registry)
        self.spend = SpendMetrics(self.registry)
        self.projection = ProjectionMetrics(self.registry)
        self.breaker_open = Gauge(
            "tailrace_model_breaker_open",
            "1 while a model is left alone",
            ["provider", "model"],
            registry=self.registry,
        )
