"""Settings of the models that summarise."""

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from tailrace.streams.settings.section import SettingSection


class SummarizerModel(SettingSection):
    """One model that can summarise. Its key comes from a variable or a file, never from here."""

    provider: Literal["openai", "anthropic"] = "openai"
    #: As the provider names it.
    model: str = Field(min_length=1, max_length=200)
    #: Of a server that speaks the provider's protocol: vLLM, Ollama, LiteLLM. Unset: the provider's own.
    base_url: str | None = None
    #: Variable that holds the key. Unset: OPENAI_API_KEY or ANTHROPIC_API_KEY.
    api_key_variable: str | None = None
    #: The key in a file of its own, as secrets are mounted.
    api_key_file: Path | None = None
    #: Unset: what the catalogues know.
    window_tokens: int | None = Field(default=None, ge=2_000)

    @field_validator("base_url")
    @classmethod
    def _address_holds_no_secrets(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not value.startswith(("http://", "https://")) or "@" in value or "?" in value:
            raise ValueError("a URL that begins with http:// or https://, without credentials and parameters")
        return value


class SummarizerSettings(SettingSection):
    """Models that summarise, in the order in which they are asked. Without any, summaries are extracts."""

    models: tuple[SummarizerModel, ...] = ()
    #: What the model is told to do, in your own words. Unset: see docs/summaries.md.
    prompt_file: Path | None = None
    #: What a model may write: the JSON around the texts counts too.
    output_tokens_max: int = Field(default=4_096, ge=256, le=32_000)
    #: One call may take this long.
    timeout_seconds: float = Field(default=60.0, gt=0, le=600)
    #: Calls of one model for one text before the next model is asked.
    tries_max: int = Field(default=3, ge=1, le=10)
    #: A request that has no answer by then becomes a dead letter.
    request_seconds: float = Field(default=300.0, gt=0, le=3600)
    #: Calls under way at once, for each provider.
    concurrency: int = Field(default=4, ge=1, le=64)
    #: What the calls for one tenant may cost in an hour, in money and in tokens. Unset: no limit.
    tenant_hour_usd: float | None = Field(default=None, ge=0)
    tenant_hour_tokens: int | None = Field(default=None, ge=0)
    #: The same for the calls for all tenants together, of all machines.
    fleet_hour_usd: float | None = Field(default=None, ge=0)
    fleet_hour_tokens: int | None = Field(default=None, ge=0)
    #: After so many failures in a row a model is left alone for a while.
    breaker_failures: int = Field(default=5, ge=1, le=100)
    breaker_seconds: float = Field(default=30.0, gt=0, le=3600)
