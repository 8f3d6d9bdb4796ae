"""Settings: one frozen object, read once at the edge from a TOML file and `TAILRACE_*` variables.

Precedence: command line > environment > file > default. Nested settings join with two underscores:
`TAILRACE_POLICY__WINDOW_TOKENS=32000` is `window_tokens` under `[policy]`.
"""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from tailrace.schemas.decoder import decode_toml
from tailrace.schemas.document import Special, examine_document
from tailrace.schemas.errors import ConfigError, Undecodable
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.policy.files import Layer, examine, layers, make_policy, merge
from tailrace.streams.settings.environment import environment_values, unknown_variables
from tailrace.streams.settings.errors import SettingsFile, hide_secrets, without_secrets
from tailrace.streams.settings.gateway import GatewaySettings
from tailrace.streams.settings.http import ApiSettings, HttpSettings
from tailrace.streams.settings.mcp import McpSettings
from tailrace.streams.settings.projection import ProjectionSettings
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.section import SettingSection
from tailrace.streams.settings.summarizer import SummarizerSettings
from tailrace.streams.topics.topic_settings import TopicSettings

#: Where the file is looked for when TAILRACE_CONFIG doesn't name it.
CONFIG_FILE = "tailrace.toml"
CONFIG_VARIABLE = "TAILRACE_CONFIG"

_ARTIFACT_SCHEMES = ("s3", "gs", "az", "file")
_SECRET_WORDS = ("secret", "key", "token", "password", "sas", "credential")
_PORT_MAX = 65535


def cache_dir() -> Path:
    """Folder for what can be fetched or computed again: Kafka's jars, vocabularies."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("TAILRACE_CACHE_DIR") or Path(base) / "tailrace")


def _default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tailrace"


class SecuritySettings(SettingSection, frozen=True, kw_only=True):
    """How to reach the broker: both Faust and the client use it."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    sasl_username: str | None = None
    sasl_password: SecretText | None = None
    ssl_ca_file: Path | None = None
    ssl_certificate_file: Path | None = None
    ssl_key_file: Path | None = None
    ssl_key_password: SecretText | None = None


class WorkerSettings(SettingSection, frozen=True, kw_only=True):
    """The worker's batches and time limits."""

    #: Events taken at once. Larger batches share round trips; the batch is also what is repeated after a crash.
    batch_events_max: Annotated[int, Meta(ge=1, le=10_000)] = 500
    #: Records that may wait between fetching and processing.
    buffer_records_max: Annotated[int, Meta(ge=1, le=1_000_000)] = 5_000
    #: A worker that is silent for this long loses its partitions.
    session_timeout_seconds: Annotated[float, Meta(ge=2, le=300)] = 10.0
    heartbeat_seconds: Annotated[float, Meta(gt=0, le=60)] = 2.0
    #: Events since the last commit are processed again after a crash, without effect.
    commit_interval_seconds: Annotated[float, Meta(gt=0, le=60)] = 0.5
    #: A record that the broker has not acknowledged by then stops the worker.
    delivery_seconds: Annotated[float, Meta(ge=1, le=600)] = 30.0
    #: From SIGTERM to exit.
    shutdown_seconds: Annotated[float, Meta(ge=1, le=300)] = 8.0
    #: Lag without a commit for this long stops the worker.
    watchdog_seconds: Annotated[float, Meta(ge=5, le=3600)] = 60.0

    def __post_init__(self) -> None:
        """Refuse heartbeats of which a single lost one would cost the worker its partitions."""
        if self.heartbeat_seconds > self.session_timeout_seconds / 2:
            allowed = f"at most half of worker.session_timeout_seconds ({self.session_timeout_seconds:g})"
            raise ConfigError("worker.heartbeat_seconds", self.heartbeat_seconds, allowed)


class IngestSettings(SettingSection, frozen=True, kw_only=True):
    """What is accepted."""

    #: Kafka's default limit is near 1 MB; what is larger belongs into an artifact store.
    value_bytes_max: Annotated[int, Meta(ge=1_000, le=100_000_000)] = 1_000_000


class ClientSettings(SettingSection, frozen=True, kw_only=True):
    """Limits of the client."""

    #: A context that is not there by then is replaced by the local window.
    context_wait_ms: Annotated[int, Meta(ge=0)] = 2_000
    publish_wait_ms: Annotated[int, Meta(ge=1)] = 10_000


class StrategySettings(SettingSection, frozen=True, kw_only=True):
    """Limits for strategies of the operator's own."""

    #: One call may take this long; then the step is skipped. Workers wait for it, so it must be well below the session
    #: timeout.
    timeout_seconds: Annotated[float, Meta(gt=0, le=10)] = 1.0


class ArtifactSettings(SettingSection, frozen=True, kw_only=True):
    """Where what left a context is kept whole, and the keys that it is encrypted with."""

    #: `s3://bucket/prefix`, `gs://`, `az://` or `file:///folder`. Unset: `artifacts.db` in the data folder.
    url: str | None = None
    #: How to reach it, under obstore's names: region, endpoint, allow_http. Credentials come from the provider's
    #: variables.
    options: dict[str, str] = field(default_factory=dict)
    #: `id:base64` of 32 bytes each, separated by spaces, commas or lines. Without any, nothing is encrypted.
    keys: SecretText | None = None
    #: The same in a file of its own, as secrets are mounted.
    keys_file: Path | None = None
    #: The key to write with; the others only read. With a single key it is that one.
    key_id: str | None = None
    #: Distillations of tool outputs from so many characters on are shared by all workers, through the store: shorter
    #: ones take less time to distil than to ask for. 0 shares none.
    shared_chars_min: Annotated[int, Meta(ge=0)] = 50_000

    def __post_init__(self) -> None:
        """Refuse a URL that names no store, and secrets: options are shown."""
        if self.url is not None:
            _check_artifact_url(self.url)
        for name in self.options:
            if any(word in name.lower() for word in _SECRET_WORDS):
                allowed = f"nothing secret, because options are shown; put {name} into the provider's variable"
                raise ConfigError("artifacts.options", self.options, allowed)


def _check_artifact_url(url: str) -> None:
    scheme, separator, rest = url.partition("://")
    if scheme not in _ARTIFACT_SCHEMES or not separator or not rest.strip("/"):
        allowed = f"a URL with a bucket or folder, beginning with {', '.join(_ARTIFACT_SCHEMES)} and ://"
        raise ConfigError("artifacts.url", url, allowed)
    if "@" in rest.partition("/")[0] or "?" in rest:
        allowed = "a URL without credentials and parameters; the former belong into the provider's variables"
        raise ConfigError("artifacts.url", url, allowed)


class LogSettings(SettingSection, frozen=True, kw_only=True):
    """How the worker logs: never any message text."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "text"] = "auto"


class Settings(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that can be set."""

    #: Bootstrap servers, `host:port` separated by commas. Unset: the local broker that `tailrace broker start` runs.
    broker: str | None = None
    group: Annotated[str, Meta(min_length=1)] = "tailrace"
    data_dir: Path = field(default_factory=_default_data_dir)
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

    def __post_init__(self) -> None:
        """Refuse addresses without ports, and windows without room."""
        for server in self.broker.split(",") if self.broker else ():
            host, _, port = server.strip().rpartition(":")
            if not host or not port.isdecimal() or not 0 < int(port) <= _PORT_MAX:
                raise ConfigError("broker", self.broker, "host:port, several separated by commas")
        for model, window_tokens in self.models.items():
            if window_tokens < 1:
                raise ConfigError("models", self.models, f"a positive number of tokens for {model}")

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
    problems = unknown_variables(Settings, _OTHER_VARIABLES)
    try:
        sources = [overrides, environment_values(Settings), file_values()]
        values = merge(merge(sources[2], sources[1]), overrides)
        policy = values.pop(_POLICY, {})
        settings, wrong = examine_document(values, Settings, "", _SPECIAL)
        wrong = [hide_secrets(error, _SHOWN_OF_SECRET_SECTIONS) for error in wrong]
        problems += _located([*wrong, *_policy_problems(policy)], sources)
    except ConfigError as error:
        return None, [*problems, error]
    return (None if problems else msgspec.structs.replace(settings, policy=policy)), problems


_POLICY = "policy"

#: Variables of other parts of the project that are no settings.
_OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "TAILRACE_CACHE_DIR", "TAILRACE_TEST_BROKER"})

_SPECIAL = Special(texts={Path: lambda text: Path(text).expanduser(), SecretText: SecretText})


def file_values() -> dict[str, Any]:
    """What the file says, if there is one. Raises a ConfigError for one that is no TOML."""
    file = config_file()
    try:
        return decode_toml(file.read_text(encoding="utf-8")) if file is not None else {}
    except (Undecodable, UnicodeDecodeError) as error:
        raise ConfigError(str(file), str(error), "a TOML file") from error


def _policy_problems(policy: Any) -> list[ConfigError]:
    if not isinstance(policy, Mapping):
        return [ConfigError(_POLICY, policy, "a table; in a variable, as JSON")]
    return examine(Layer(_POLICY, policy), policy_folder())[1]


def _located(errors: list[ConfigError], sources: list[dict[str, Any]]) -> list[ConfigError]:
    path = config_file()
    return errors if path is None else SettingsFile(path, sources[-1], sources[:-1]).located(errors)


#: Fields that an error may show, by section; of the sections that are not here it may show all.
_SHOWN_OF_SECRET_SECTIONS = {
    "security": without_secrets(SecuritySettings),
    "api": without_secrets(ApiSettings),
    "mcp": without_secrets(McpSettings),
    # People write credentials into both, and that is what makes them wrong.
    "artifacts": without_secrets(ArtifactSettings, "url", "options"),
    "summarizer": without_secrets(SummarizerSettings, "models"),
}
