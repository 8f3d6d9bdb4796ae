"""Settings of the models that summarise."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.section import SettingSection


class SummarizerModel(SettingSection, frozen=True, kw_only=True):
    """One model that can summarise. Its key comes from a variable or a file, never from here."""

    provider: Literal["openai", "anthropic"] = "openai"
    #: As the provider names it.
    model: Annotated[str, Meta(min_length=1, max_length=200)]
    #: Of a server that speaks the provider's protocol: vLLM, Ollama, LiteLLM. Unset: the provider's own.
    base_url: str | None = None
    #: Variable that holds the key. Unset: OPENAI_API_KEY or ANTHROPIC_API_KEY.
    api_key_variable: str | None = None
    #: The key in a file of its own, as secrets are mounted.
    api_key_file: Path | None = None
    #: Unset: what the catalogues know.
    window_tokens: Annotated[int, Meta(ge=2_000)] | None = None

    def __post_init__(self) -> None:
        """Refuse an address that is none, or that holds secrets."""
        url = self.base_url
        if url is not None and (not url.startswith(("http://", "https://")) or "@" in url or "?" in url):
            allowed = "a URL that begins with http:// or https://, without credentials and parameters"
            raise ConfigError("base_url", url, allowed)


class SummarizerSettings(SettingSection, frozen=True, kw_only=True):
    """Models that summarise, in the order in which they are asked. Without any, summaries are extracts."""

    models: tuple[SummarizerModel, ...] = ()
    #: What the model is told to do, in your own words. Unset: see docs/summaries.md.
    prompt_file: Path | None = None
    #: What a model may write: the JSON around the texts counts too.
    output_tokens_max: Annotated[int, Meta(ge=256, le=32_000)] = 4_096
    #: One call may take this long.
    timeout_seconds: Annotated[float, Meta(gt=0, le=600)] = 60.0
    #: Calls of one model for one text before the next model is asked.
    tries_max: Annotated[int, Meta(ge=1, le=10)] = 3
    #: A request that has no answer by then becomes a dead letter.
    request_seconds: Annotated[float, Meta(gt=0, le=3600)] = 300.0
    #: Calls under way at once, for each provider.
    concurrency: Annotated[int, Meta(ge=1, le=64)] = 4
    #: What the calls for one tenant may cost in an hour, in money and in tokens. Unset: no limit.
    tenant_hour_usd: Annotated[float, Meta(ge=0)] | None = None
    tenant_hour_tokens: Annotated[int, Meta(ge=0)] | None = None
    #: The same for the calls for all tenants together, of all machines.
    fleet_hour_usd: Annotated[float, Meta(ge=0)] | None = None
    fleet_hour_tokens: Annotated[int, Meta(ge=0)] | None = None
    #: After so many failures in a row a model is left alone for a while.
    breaker_failures: Annotated[int, Meta(ge=1, le=100)] = 5
    breaker_seconds: Annotated[float, Meta(gt=0, le=3600)] = 30.0
