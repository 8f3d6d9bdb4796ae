"""The models that the settings name, ready to be asked."""

import asyncio
from collections.abc import Callable
from typing import Any

from tailrace.agents.summary.model.prompt import INSTRUCTIONS
from tailrace.schemas.errors import ConfigError
from tailrace.streams.models.counters import counter_for
from tailrace.streams.models.model_windows import window_for
from tailrace.streams.settings.settings import Settings
from tailrace.streams.settings.summarizer import SummarizerModel
from tailrace.streams.summarizer.anthropic_provider import AnthropicProvider
from tailrace.streams.summarizer.api_keys import api_key_of
from tailrace.streams.summarizer.model_caller import SummarizingModel
from tailrace.streams.summarizer.openai_provider import OpenAIProvider
from tailrace.streams.summarizer.provider import ModelProvider

_PROVIDERS: dict[str, Callable[..., Any]] = {"openai": OpenAIProvider, "anthropic": AnthropicProvider}


def make_models(settings: Settings) -> list[SummarizingModel]:
    """The models in their order. Raises ConfigError where there is none, or one that can't be asked."""
    configured = settings.summarizer.models
    if not configured:
        example = '[[summarizer.models]] with provider = "openai" and model = "..."'
        raise ConfigError("summarizer.models", [], f"at least one model for the role `summarize`: {example}")
    places: dict[tuple[str, str | None], asyncio.Semaphore] = {}
    return [_model(model, settings, places) for model in configured]


def _model(
    model: SummarizerModel, settings: Settings, places: dict[tuple[str, str | None], asyncio.Semaphore]
) -> SummarizingModel:
    server = (model.provider, model.base_url)
    provider: ModelProvider = _PROVIDERS[model.provider](
        api_key_of(model), base_url=model.base_url, timeout_seconds=settings.summarizer.timeout_seconds
    )
    return SummarizingModel(
        provider_name=model.provider,
        name=model.model,
        provider=provider,
        window_tokens=model.window_tokens or window_for(model.model, overrides=settings.models).window_tokens,
        counter=counter_for(model.model),
        places=places.setdefault(server, asyncio.Semaphore(settings.summarizer.concurrency)),
    )


def read_instructions(settings: Settings) -> str:
    """What models are told to do: the operator's file, else ours. Raises ConfigError for a file that can't be used."""
    path = settings.summarizer.prompt_file
    if path is None:
        return INSTRUCTIONS
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = f"a text file that can be read ({type(error).__name__})"
        raise ConfigError("summarizer.prompt_file", str(path), reason) from error
    if not text.strip():
        raise ConfigError("summarizer.prompt_file", str(path), "a text file that says what to do")
    return text
