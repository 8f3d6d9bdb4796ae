"""The metrics of `projection.db`, whose writers are workers of both roles."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from tailrace.streams.worker.projection_retention import Removed


class ProjectionMetrics:
    """How large the file is, and what left it."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register them."""
        self._bytes = Gauge("tailrace_projection_bytes", "Size of projection.db", registry=registry)
        self._removed = Counter(
            "tailrace_projection_removed_total", "Rows that left projection.db", ["reason"], registry=registry
        )

    def pruned(self, removed: Removed) -> None:
        """Note what a round has found."""
        self._bytes.set(removed.file_bytes)
        self._removed.labels("age").inc(removed.age)
        self._removed.labels("size").inc(removed.size)
