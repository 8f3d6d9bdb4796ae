"""Settings of the gateway."""

from typing import Literal

from pydantic import Field

from tailrace.streams.settings.section import SettingSection


class GatewaySettings(SettingSection):
    """Where agents that know nothing but a base URL reach their providers through Tailrace."""

    #: Whether `tailrace api` serves agents too, on its own address and with its own tokens.
    enabled: bool = True
    #: Of `tailrace gateway`. Loopback alone: whoever reaches it can read and write threads.
    host: Literal["127.0.0.1", "::1", "localhost"] = "127.0.0.1"
    port: int = Field(default=8700, ge=0, le=65535)
    #: The providers behind it, or servers that speak their protocols.
    openai_url: str = Field(default="https://api.openai.com", pattern=r"^https?://[^@?#]+$")
    anthropic_url: str = Field(default="https://api.anthropic.com", pattern=r"^https?://[^@?#]+$")
    #: A context that is not there by then is not waited for: the request goes on as it came.
    context_wait_ms: int = Field(default=1_500, ge=0, le=60_000)
    #: A provider may be silent for this long.
    upstream_seconds: float = Field(default=600.0, ge=1, le=3_600)
    #: Larger requests are refused with 413.
    body_bytes_max: int = Field(default=64 * 1024 * 1024, ge=1_000, le=1024 * 1024 * 1024)
