"""Settings of what listens: the worker's metrics, and the API."""

from pathlib import Path

from pydantic import Field, SecretStr

from tailrace.streams.settings.section import SettingSection


class HttpSettings(SettingSection):
    """Where a worker serves /metrics, /livez and /readyz. Port 0 takes any free one."""

    host: str = "127.0.0.1"
    port: int = Field(default=9464, ge=0, le=65535)


class ApiSettings(SettingSection):
    """Where `tailrace api` listens, who may ask, and how much. Port 0 takes any free one."""

    #: Anything but loopback needs tokens.
    host: str = "127.0.0.1"
    port: int = Field(default=8700, ge=0, le=65535)
    #: `name:tenant:role:token` each, separated by spaces, commas or lines; the tenant `*` is all of them.
    tokens: SecretStr | None = None
    #: The same in a file of its own, as secrets are mounted.
    tokens_file: Path | None = None
    #: Larger bodies are refused. Content that is too large for a record goes into the artifact store.
    body_bytes_max: int = Field(default=16_000_000, ge=1_000, le=1_000_000_000)
    #: A body that has not arrived by then is given up.
    body_seconds: float = Field(default=30.0, gt=0, le=600)
    #: Of one caller; twice as many may come at once.
    requests_per_second: float = Field(default=500.0, gt=0, le=1_000_000)
    #: Requests under way at once, of all callers.
    concurrency: int = Field(default=200, ge=1, le=100_000)
    #: Event streams that are open at once, of all callers.
    streams_max: int = Field(default=1_000, ge=0, le=100_000)
