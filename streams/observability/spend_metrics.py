"""What calls of models cost, on metrics.

Primary against compactor, by tenant and agent, in the worker and in the role `summarize`.

Threads are no label: there is no end to them. They are in the projection.
"""

from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter

from tailrace.schemas.records.spend import Spent

#: Combinations of model, tenant and agent that have series of their own. Names come from outside: what comes later is
#: told together.
SERIES_MAX: Final = 1_000
OTHERS: Final = "other"


class SpendMetrics:
    """Counters of calls, tokens and dollars."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the counters."""
        labels = ["purpose", "model", "tenant", "agent"]
        self._calls = Counter(
            "tailrace_spend_calls_total", "Calls of models that were answered", labels, registry=registry
        )
        self._tokens = Counter(
            "tailrace_spend_tokens_total", "Tokens of these calls", [*labels, "direction"], registry=registry
        )
        self._cost = Counter("tailrace_spend_usd_total", "Price of these calls", labels, registry=registry)
        self._by_labels: dict[tuple[str, ...], _Series] = {}

    def note(self, spent: Spent) -> None:
        """Count a call, with its price."""
        series = self._series(str(spent.purpose), spent.model, spent.tenant, spent.agent or "")
        series.calls.inc()
        series.read.inc(max(0, spent.input_tokens - spent.cache_read_tokens - spent.cache_write_tokens))
        series.cache_read.inc(spent.cache_read_tokens)
        series.cache_write.inc(spent.cache_write_tokens)
        series.written.inc(spent.output_tokens)
        series.cost.inc(spent.cost_usd)

    def _series(self, *labels: str) -> "_Series":
        series = self._by_labels.get(labels)
        if series is None:
            if len(self._by_labels) >= SERIES_MAX and labels[1:] != (OTHERS,) * 3:
                return self._series(labels[0], *(OTHERS,) * 3)
            # Looking up labels costs more than counting: done once.
            series = self._by_labels[labels] = _Series(
                calls=self._calls.labels(*labels),
                read=self._tokens.labels(*labels, "input"),
                cache_read=self._tokens.labels(*labels, "cache_read"),
                cache_write=self._tokens.labels(*labels, "cache_write"),
                written=self._tokens.labels(*labels, "output"),
                cost=self._cost.labels(*labels),
            )
        return series


@dataclass(frozen=True, slots=True)
class _Series:
    """The counters of one combination of labels."""

    calls: Counter
    read: Counter
    cache_read: Counter
    cache_write: Counter
    written: Counter
    cost: Counter
