"""What clients count. Apart from the worker's metrics, because a client has no use for what those need."""

from typing import Final
from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter, Histogram

_WAIT_SECONDS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300)


class ClientMetrics:
    """The metrics of all clients that share a registry: usually the application's own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register everything there. A registry takes each name once: use `client_metrics`."""
        self.fallbacks = Counter(
            "tailrace_client_fallbacks_total",
            "Contexts that a client cut by itself because Tailrace did not answer in time, by reason",
            ["reason"],
            registry=registry,
        )
        self.context_wait = Histogram(
            "tailrace_client_context_wait_seconds",
            "From asking for a context to having it, from Tailrace or not",
            buckets=_WAIT_SECONDS,
            registry=registry,
        )
        self.publish_failures = Counter(
            "tailrace_client_publish_failures_total",
            "Messages that the broker had not acknowledged when the caller's patience ended",
            registry=registry,
        )


_client_metrics: WeakKeyDictionary[CollectorRegistry, ClientMetrics] = WeakKeyDictionary()


def client_metrics(registry: CollectorRegistry) -> ClientMetrics:
    """Return the client metrics of a registry, always the same ones."""
    metrics = _client_metrics.get(registry)
    if metrics is None:
        metrics = _client_metrics[registry] = ClientMetrics(registry)
    return metrics
