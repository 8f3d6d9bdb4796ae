"""What a call costs: the catalogue's own sums, for every kind of price that it has."""

from datetime import UTC, datetime

import pytest
from genai_prices import Usage
from genai_prices.data import providers
from genai_prices.data_snapshot import DataSnapshot

from tailrace.streams.models.model_prices import price_usd

AT = datetime(2026, 3, 4, 5, tzinfo=UTC)
#: Input, of that out of the cache and into it, and output.
CALLS = [
    (1_000, 0, 0, 10),
    (150_000, 120_000, 0, 900),
    (150_000, 100_000, 40_000, 900),
    (250_000, 0, 250_000, 4_000),
    (900_000, 880_000, 0, 1),
    (0, 0, 0, 50),
]
MODELS = ["gpt-4o-mini", "o3", "claude-sonnet-4-5", "claude-3-5-haiku-latest", "gemini-2.5-pro", "deepseek-chat"]


@pytest.mark.parametrize("model", MODELS)
def test_a_price_is_what_the_catalogue_says(model: str) -> None:
    snapshot = DataSnapshot(providers=providers, from_auto_update=False)
    for read, cached, stored, written in CALLS:
        usage = Usage(input_tokens=read, cache_read_tokens=cached, cache_write_tokens=stored, output_tokens=written)
        expected = float(snapshot.calc(usage, model, None, None, AT).total_price)
        found = price_usd(
            None,
            model,
            input_tokens=read,
            cache_read_tokens=cached,
            cache_write_tokens=stored,
            output_tokens=written,
            at_ms=int(AT.timestamp() * 1000),
        )
        assert expected > 0
        assert found == pytest.approx(expected), (read, cached, stored, written)


def test_a_provider_that_counts_its_cache_apart_is_believed() -> None:
    cache = {"cache_read_tokens": 9_000, "cache_write_tokens": 950}
    apart = price_usd(None, "claude-sonnet-4-5", input_tokens=50, output_tokens=0, **cache)
    whole = price_usd(None, "claude-sonnet-4-5", input_tokens=10_000, output_tokens=0, **cache)
    assert 0 < apart == whole


@pytest.mark.parametrize("model", ["our-own-model", "", "x" * 1_000])
def test_what_nobody_knows_costs_nothing(model: str) -> None:
    assert price_usd(None, model, input_tokens=10**6, output_tokens=10**6) == 0


@pytest.mark.parametrize("at_ms", [0, 10**18, -(10**18)])
def test_a_clock_that_is_wrong_by_ages_breaks_nothing(at_ms: int) -> None:
    assert price_usd("openai", "gpt-4o-mini", input_tokens=10, output_tokens=1, at_ms=at_ms) >= 0
