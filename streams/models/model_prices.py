"""What a call costs, by the catalogue that is installed. Nothing is asked over the network.

A worker prices every call that a producer reports. The catalogue takes half a millisecond for one, so what it knows of
a model is looked up once an hour, which is as often as prices change, and the sum is done here by the catalogue's own
rule.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from tailrace.streams.models.model_names import spellings

_MODELS_MAX = 1_024
_HOUR_MS = 3_600_000
_MILLION = 1_000_000
#: What the catalogue calls the rates below, in their order.
_FIELDS = ("input_mtok", "cache_read_mtok", "cache_write_mtok", "output_mtok")


@dataclass(frozen=True, slots=True)
class _Rates:
    """Prices of a million tokens, each with those that hold from so many input tokens on."""

    read: Any
    cache_read: Any
    cache_write: Any
    written: Any


def price_usd(  # noqa: PLR0913  one keyword for each kind of token
    provider: str | None,
    model: str,
    *,
    input_tokens: int,
    output_tokens: int,
    cache_read_tokens: int = 0,
    cache_write_tokens: int = 0,
    at_ms: int | None = None,
) -> float:
    """Price of a call in US dollars; 0 where the catalogue has none, as for a model of one's own.

    What came out of the provider's cache and what went into it are part of `input_tokens`; a provider that counts them
    apart is believed. `at_ms` is when it was, now without it.
    """
    hour = (at_ms if at_ms is not None else int(datetime.now(tz=UTC).timestamp() * 1000)) // _HOUR_MS
    rates = _rates(provider, model, hour)
    if rates is None:
        return 0.0
    cache_tokens = cache_read_tokens + cache_write_tokens
    if cache_tokens > input_tokens:
        input_tokens += cache_tokens
    usd = (
        _rate(rates.read, input_tokens) * (input_tokens - cache_tokens)
        + _rate(rates.read if rates.cache_read is None else rates.cache_read, input_tokens) * cache_read_tokens
        + _rate(rates.read if rates.cache_write is None else rates.cache_write, input_tokens) * cache_write_tokens
        + _rate(rates.written, input_tokens) * output_tokens
    )
    return usd / _MILLION


def _rate(price: Any, input_tokens: int) -> float:
    """The price that holds for a call of so many input tokens: of all its tokens, not of those above a mark."""
    if price is None:
        return 0.0
    tiers = getattr(price, "tiers", None)
    if tiers is None:
        return float(price)
    return float(next((tier.price for tier in reversed(tiers) if input_tokens > tier.start), price.base))


@lru_cache(maxsize=_MODELS_MAX)
def _rates(provider: str | None, model: str, hour: int) -> _Rates | None:
    # Imported here because it takes most of a second.
    from genai_prices.data import providers  # noqa: PLC0415
    from genai_prices.data_snapshot import DataSnapshot  # noqa: PLC0415

    snapshot = DataSnapshot(providers=providers, from_auto_update=False)
    for name, named_provider in spellings(model):
        try:
            _, info = snapshot.find_provider_model(name, None, named_provider or provider, None)
            prices = info.get_prices(datetime.fromtimestamp(hour * _HOUR_MS / 1000, UTC))
        except (LookupError, ValueError, OverflowError, OSError):
            continue
        return _Rates(*(getattr(prices, field, None) for field in _FIELDS))
    return None
