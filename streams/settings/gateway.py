"""Settings of the gateway."""

from typing import Annotated, Literal

from msgspec import Meta

from tailrace.streams.settings.section import SettingSection


class GatewaySettings(SettingSection, frozen=True, kw_only=True):
    """Where agents that know nothing but a base URL reach their providers through Tailrace."""

    #: Whether `tailrace api` serves agents too, on its own address and with its own tokens.
    enabled: bool = True
    #: Of `tailrace gateway`. Loopback alone: whoever reaches it can read and write threads.
    host: Literal["127.0.0.1", "::1", "localhost"] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8700
    #: The providers behind it, or servers that speak their protocols.
    openai_url: Annotated[str, Meta(pattern=r"^https?://[^@?#]+\Z")] = "https://api.openai.com"
    anthropic_url: Annotated[str, Meta(pattern=r"^https?://[^@?#]+\Z")] = "https://api.anthropic.com"
    #: A context that is not there by then is not waited for: the request goes on as it came.
    context_wait_ms: Annotated[int, Meta(ge=0, le=60_000)] = 1_500
    #: A provider may be silent for this long.
    upstream_seconds: Annotated[float, Meta(ge=1, le=3_600)] = 600.0
    #: Larger requests are refused with 413.
    body_bytes_max: Annotated[int, Meta(ge=1_000, le=1024 * 1024 * 1024)] = 64 * 1024 * 1024
    #: A request that has not arrived by then is given up.
    body_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 60.0
