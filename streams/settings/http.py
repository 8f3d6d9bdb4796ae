"""Settings of what listens: the worker's metrics, and the API."""

from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from tailrace.streams.settings.jwt import JwtSettings
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.section import SettingSection

#: Of a worker whose port was not set, if it is free.
DEFAULT_PORT: Final = 9464


class HttpSettings(SettingSection, frozen=True, kw_only=True):
    """Where a worker serves /metrics, /livez and /readyz. Port 0 takes any free one."""

    host: str = "127.0.0.1"
    #: Unset: 9464, or the next one that is free.
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None


class ApiSettings(SettingSection, frozen=True, kw_only=True):
    """Where `tailrace api` listens, who may ask, and how much. Port 0 takes any free one."""

    #: Anything but loopback needs tokens.
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8700
    #: `name:tenant:role:token` each, separated by spaces, commas or lines; the tenant `*` is all of them.
    tokens: SecretText | None = None
    #: The same in a file of its own, as secrets are mounted.
    tokens_file: Path | None = None
    #: Tokens that an identity provider signs, beside those.
    jwt: JwtSettings = JwtSettings()
    #: Other processes of the API, by address: of machines whose workers have written down other passages and cost.
    peers: tuple[Annotated[str, Meta(pattern=r"^https?://[^/@?#]+/?\Z")], ...] = ()
    #: Who of them has not answered by then is named in the reply.
    peer_wait_ms: Annotated[int, Meta(ge=1, le=60_000)] = 2_000
    #: Larger bodies are refused. Content that is too large for a record goes into the artifact store.
    body_bytes_max: Annotated[int, Meta(ge=1_000, le=1_000_000_000)] = 16_000_000
    #: A body that has not arrived by then is given up.
    body_seconds: Annotated[float, Meta(gt=0, le=600)] = 30.0
    #: Of one caller; twice as many may come at once.
    requests_per_second: Annotated[float, Meta(gt=0, le=1_000_000)] = 500.0
    #: Requests under way at once, of all callers.
    concurrency: Annotated[int, Meta(ge=1, le=100_000)] = 200
    #: Event streams that are open at once, of all callers.
    streams_max: Annotated[int, Meta(ge=0, le=100_000)] = 1_000
