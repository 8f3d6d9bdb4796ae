"""Settings: one frozen object, read once at the edge from a TOML file and `TAILRACE_*` variables.

Precedence: command line > environment > file > default. Nested settings join with two underscores:
`TAILRACE_POLICY__WINDOW_TOKENS=32000` is `window_tokens` under `[policy]`.
"""

import os
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.policy.files import Layer, examine, layers, make_policy, merged
from tailrace.streams.settings.errors import SettingsFile, config_error, unknown_variables, without_secrets
from tailrace.streams.settings.gateway import GatewaySettings
from tailrace.streams.settings.http import ApiSettings, HttpSettings
from tailrace.streams.settings.mcp import McpSettings
from tailrace.streams.settings.projection import ProjectionSettings
from tailrace.streams.settings.section import SettingSection as _Section
from tailrace.streams.settings.summarizer import SummarizerSettings
from tailrace.streams.topics.topic_settings import TopicSettings

#: Where the file is looked for when TAILRACE_CONFIG doesn't name it.
CONFIG_FILE = "tailrace.toml"
CONFIG_VARIABLE = "TAILRACE_CONFIG"

_ARTIFACT_SCHEMES = ("s3", "gs", "az", "file")


def cache_dir() -> Path:
    """Folder for what can be fetched or computed again: Kafka's jars, vocabularies."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("TAILRACE_CACHE_DIR") or Path(base) / "tailrace")


def _default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tailrace"


class SecuritySettings(_Section):
    """How to reach the broker: both Faust and the client use it."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    sasl_username: str | None = None
    sasl_password: SecretStr | None = None
    ssl_ca_file: Path | None = None
    ssl_certificate_file: Path | None = None
    ssl_key_file: Path | None = None
    ssl_key_password: SecretStr | None = None


class WorkerSettings(_Section):
    """The worker's batches and time limits."""

    #: Events taken at once. Larger batches share round trips; the batch is also what is repeated after a crash.
    batch_events_max: int = Field(default=500, ge=1, le=10_000)
    #: Records that may wait between fetching and processing.
    buffer_records_max: int = Field(default=5_000, ge=1, le=1_000_000)
    #: A worker that is silent for this long loses its partitions.
    session_timeout_seconds: float = Field(default=10.0, ge=2, le=300)
    heartbeat_seconds: float = Field(default=2.0, gt=0, le=60, validate_default=True)
    #: Events since the last commit are processed again after a crash, without effect.
    commit_interval_seconds: float = Field(default=0.5, gt=0, le=60)
    #: A record that the broker has not acknowledged by then stops the worker.
    delivery_seconds: float = Field(default=30.0, ge=1, le=600)
    #: From SIGTERM to exit.
    shutdown_seconds: float = Field(default=8.0, ge=1, le=300)
    #: Lag without a commit for this long stops the worker.
    watchdog_seconds: float = Field(default=60.0, ge=5, le=3600)

    @field_validator("heartbeat_seconds")
    @classmethod
    def _heartbeats_fit_into_the_session(cls, value: float, info: ValidationInfo) -> float:
        session_seconds = info.data.get("session_timeout_seconds")
        if session_seconds is not None and value > session_seconds / 2:
            # One lost heartbeat would cost the worker its partitions.
            raise ValueError(f"at most half of worker.session_timeout_seconds ({session_seconds:g})")
        return value


class IngestSettings(_Section):
    """What is accepted."""

    #: Kafka's default limit is near 1 MB; what is larger belongs into an artifact store.
    value_bytes_max: int = Field(default=1_000_000, ge=1_000, le=100_000_000)


class ClientSettings(_Section):
    """Limits of the client."""

    #: A context that is not there by then is replaced by the local window.
    context_wait_ms: int = Field(default=2_000, ge=0)
    publish_wait_ms: int = Field(default=10_000, ge=1)


class StrategySettings(_Section):
    """Limits for strategies of the operator's own."""

    #: One call may take this long; then the step is skipped. Workers wait for it, so it must be well below the session
    #: timeout.
    timeout_seconds: float = Field(default=1.0, gt=0, le=10)


class ArtifactSettings(_Section):
    """Where what left a context is kept whole, and the keys that it is encrypted with."""

    #: `s3://bucket/prefix`, `gs://`, `az://` or `file:///folder`. Unset: `artifacts.db` in the data folder.
    url: str | None = None
    #: How to reach it, under obstore's names: region, endpoint, allow_http. Credentials come from the provider's
    #: variables.
    options: dict[str, str] = Field(default_factory=dict)
    #: `id:base64` of 32 bytes each, separated by spaces, commas or lines. Without any, nothing is encrypted.
    keys: SecretStr | None = None
    #: The same in a file of its own, as secrets are mounted.
    keys_file: Path | None = None
    #: The key to write with; the others only read. With a single key it is that one.
    key_id: str | None = None
    #: Distillations of tool outputs from so many characters on are shared by all workers, through the store: shorter
    #: ones take less time to distil than to ask for. 0 shares none.
    shared_chars_min: int = Field(default=50_000, ge=0)

    @field_validator("url")
    @classmethod
    def _url_is_of_a_known_kind(cls, value: str | None) -> str | None:
        if value is None:
            return None
        scheme, separator, rest = value.partition("://")
        if scheme not in _ARTIFACT_SCHEMES or not separator or not rest.strip("/"):
            raise ValueError(f"a URL with a bucket or folder, beginning with {', '.join(_ARTIFACT_SCHEMES)} and ://")
        if "@" in rest.partition("/")[0] or "?" in rest:
            raise ValueError(
                "a URL without credentials and parameters; the former belong into the provider's variables"
            )
        return value

    @field_validator("options")
    @classmethod
    def _options_hold_no_secrets(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value:
            if any(word in name.lower() for word in ("secret", "key", "token", "password", "sas", "credential")):
                raise ValueError(f"nothing secret, because options are shown; put {name} into the provider's variable")
        return value


class LogSettings(_Section):
    """How the worker logs: never any message text."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "text"] = "auto"


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix="TAILRACE_",
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        nested_model_default_partial_update=True,
    )

    #: Bootstrap servers, `host:port` separated by commas. Unset: the local broker that `tailrace broker start` runs.
    broker: str | None = None
    group: str = Field(default="tailrace", min_length=1)
    data_dir: Path = Field(default_factory=_default_data_dir)
    security: SecuritySettings = SecuritySettings()
    topics: TopicSettings = TopicSettings()
    worker: WorkerSettings = WorkerSettings()
    ingest: IngestSettings = IngestSettings()
    http: HttpSettings = HttpSettings()
    api: ApiSettings = ApiSettings()
    client: ClientSettings = ClientSettings()
    gateway: GatewaySettings = GatewaySettings()
    log: LogSettings = LogSettings()
    strategies: StrategySettings = StrategySettings()
    artifacts: ArtifactSettings = ArtifactSettings()
    projection: ProjectionSettings = ProjectionSettings()
    summarizer: SummarizerSettings = SummarizerSettings()
    mcp: McpSettings = McpSettings()
    #: Context windows in tokens, by model name: before any catalogue.
    models: dict[str, int] = {}
    #: See `Policy`; `base` names a ready-made one or a file that the other keys build on.
    policy: dict[str, Any] = {}

    @field_validator("data_dir")
    @classmethod
    def _home(cls, folder: Path) -> Path:
        return folder.expanduser()

    @field_validator("broker")
    @classmethod
    def _broker_has_ports(cls, value: str | None) -> str | None:
        for server in value.split(",") if value else ():
            host, _, port = server.strip().rpartition(":")
            if not host or not port.isdecimal() or not 0 < int(port) < 65536:  # noqa: PLR2004  highest TCP port
                raise ValueError("host:port, several separated by commas")
        return value

    @field_validator("models")
    @classmethod
    def _windows_are_positive(cls, value: dict[str, int]) -> dict[str, int]:
        for model, window_tokens in value.items():
            if window_tokens < 1:
                raise ValueError(f"a positive number of tokens for {model}")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read arguments, then the environment, then the file."""
        del dotenv_settings, file_secret_settings
        file = config_file()
        if file is None:
            return init_settings, env_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=file)

    @cached_property
    def compaction_policy(self) -> Policy:
        """The policy as the agents know it."""
        return make_policy(Layer(_POLICY, self.policy), policy_folder())

    @property
    def policy_layers(self) -> list[Layer]:
        """What the policy is made from: what is set, then the policies that it builds on."""
        return layers(Layer(_POLICY, self.policy), policy_folder())

    def topic(self, name: str) -> str:
        """Full name of a topic."""
        return f"{self.topics.prefix}{name}"


def config_file() -> Path | None:
    """The file that settings are read from, if there is one."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise ConfigError(CONFIG_VARIABLE, named, "the path of a TOML file that exists")
        return Path(named)
    return Path(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else None


def policy_folder() -> Path:
    """Folder that `policy.base` is relative to: that of the file, else the current one."""
    file = config_file()
    return file.parent if file is not None else Path()


def load_settings(**overrides: Any) -> Settings:
    """Read and check the settings. Raises ConfigError that names the key, the value and what is allowed."""
    settings, problems = examine_settings(**overrides)
    if settings is None:
        raise problems[0]
    return settings


def examine_settings(**overrides: Any) -> tuple[Settings | None, list[ConfigError]]:
    """The settings, or None and everything that is wrong with them.

    Each with its key, its value and what is allowed.
    """
    problems = unknown_variables(Settings.model_fields, _OTHER_VARIABLES)
    settings = None
    try:
        settings = Settings(**overrides)
        problems += _located(examine(Layer(_POLICY, settings.policy), policy_folder())[1], overrides)
    except ConfigError as error:
        problems.append(error)
    except ValidationError as error:
        wrong = [config_error(details, _SHOWN_OF_SECRET_SECTIONS) for details in error.errors()]
        problems += _located([*wrong, *_policy_problems(overrides)], overrides)
    except SettingsError as error:
        # A whole section in one variable, and no JSON; the error itself says which, but not the value.
        problems.append(ConfigError("settings", str(error), "JSON where a variable holds a whole section"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(ConfigError(str(config_file()), str(error), "a TOML file"))
    return (None if problems else settings), problems


_POLICY = "policy"

#: Variables of other parts of the project that are no settings.
_OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "TAILRACE_CACHE_DIR", "TAILRACE_TEST_BROKER"})


def _policy_problems(overrides: Mapping[str, Any]) -> list[ConfigError]:
    """What is wrong with the policy, where other settings are wrong as well."""
    values = [source.get(_POLICY) for source in (*_above(overrides), _in_file())]
    stack = [Layer(_POLICY, policy) for policy in values if isinstance(policy, Mapping)]
    return examine(Layer(_POLICY, merged(stack)), policy_folder())[1]


def _located(errors: list[ConfigError], overrides: Mapping[str, Any]) -> list[ConfigError]:
    path = config_file()
    return errors if path is None else SettingsFile(path, _in_file(), _above(overrides)).located(errors)


def _above(overrides: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """What comes before the file."""
    return overrides, EnvSettingsSource(Settings)()


def _in_file() -> Mapping[str, Any]:
    path = config_file()
    return {} if path is None else TomlConfigSettingsSource(Settings, toml_file=path)()


#: Fields that an error may show, by section; of the sections that are not here it may show all.
_SHOWN_OF_SECRET_SECTIONS = {
    "security": without_secrets(SecuritySettings),
    "api": without_secrets(ApiSettings),
    "mcp": without_secrets(McpSettings),
    # People write credentials into both, and that is what makes them wrong.
    "artifacts": without_secrets(ArtifactSettings, "url", "options"),
    "summarizer": without_secrets(SummarizerSettings, "models"),
}
