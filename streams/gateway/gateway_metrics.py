"""Metrics of a gateway."""

from prometheus_client import CollectorRegistry, Counter


class GatewayMetrics:
    """What became of requests and answers."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register everything there."""
        self.requests = Counter(
            "tailrace_gateway_requests_total",
            "Requests for answers of models, by API and by what became of them: original, compacted or passed",
            ["api", "context"],
            registry=registry,
        )
        self.answers = Counter(
            "tailrace_gateway_answers_total",
            "Answers of providers: published, incomplete or unreadable",
            ["outcome"],
            registry=registry,
        )
        self.overflows = Counter(
            "tailrace_gateway_overflows_total",
            "Requests that a provider refused as too long, by API",
            ["api"],
            registry=registry,
        )
