"""The metrics of a file that grows while workers run and is kept within bounds: `projection.db` and `recall.db`."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from tailrace.streams.worker.projection_retention import Removed


class ProjectionMetrics:
    """How large the file is, and what left it."""

    def __init__(self, registry: CollectorRegistry, name: str = "projection") -> None:
        """Register them, under the name of the file."""
        self._bytes = Gauge(f"tailrace_{name}_bytes", f"Size of {name}.db", registry=registry)
        self._removed = Counter(
            f"tailrace_{name}_removed_total", f"Rows that left {name}.db", ["reason"], registry=registry
        )

    def pruned(self, removed: Removed) -> None:
        """Note what a round has found."""
        self._bytes.set(removed.file_bytes)
        self._removed.labels("age").inc(removed.age)
        self._removed.labels("size").inc(removed.size)
