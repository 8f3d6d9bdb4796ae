"""What the role `index` measures."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Info

from tailrace.streams.observability.projection_metrics import ProjectionMetrics
from tailrace.streams.observability.skipped_records import skipped_counter


class IndexMetrics:
    """The metrics of one worker of this role."""

    def __init__(self) -> None:
        """Register everything in a registry of its own."""
        self.registry = CollectorRegistry()
        self.build = Info("tailrace_build", "Release", registry=self.registry)
        self.lag = Gauge(
            "tailrace_index_lag_records", "Records of conversations that recall can't find yet", registry=self.registry
        )
        self.messages = Counter("tailrace_index_messages_total", "Messages made findable", registry=self.registry)
        self.count_skipped = skipped_counter(self.registry)
        self.recall_file = ProjectionMetrics(self.registry, "recall")
