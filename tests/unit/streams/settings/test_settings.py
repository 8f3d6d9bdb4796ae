"""Settings: where they come from, which comes first, and what is said about a wrong one."""

from pathlib import Path

import msgspec
import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.steps import Truncate
from tailrace.streams.settings.settings import CONFIG_FILE, CONFIG_VARIABLE, Settings, load_settings

SECRET = "hunter2"  # noqa: S105  nobody's


pytestmark = pytest.mark.usefixtures("bare_folder")


def write(text: str, path: str = CONFIG_FILE) -> None:
    Path(path).write_text(text, encoding="utf-8")


def test_everything_has_a_default() -> None:
    settings = load_settings()
    assert settings.broker is None
    assert settings.http.host == "127.0.0.1"
    assert settings.topic("dlq") == "tailrace.dlq"
    assert settings.compaction_policy.upper_fraction == 0.85


def test_the_file_in_the_working_folder_is_read() -> None:
    write(
        "group = 'mine'\n[worker]\nbatch_events_max = 7\n[policy]\nwindow_tokens = 9000\n[models]\n'my-model' = 5000\n"
    )
    settings = load_settings()
    assert (settings.group, settings.worker.batch_events_max) == ("mine", 7)
    assert settings.compaction_policy.window_tokens == 9000
    assert settings.models == {"my-model": 5000}


def test_the_home_folder_may_be_written_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write("data_dir = '~/kept'")
    assert load_settings().data_dir == tmp_path / "kept"


def test_another_file_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    write("group = 'here'")
    write("group = 'there'", "other.toml")
    monkeypatch.setenv(CONFIG_VARIABLE, "other.toml")
    assert load_settings().group == "there"


def test_the_environment_comes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("group = 'file'\n[worker]\nbatch_events_max = 7\nbuffer_records_max = 70\n")
    monkeypatch.setenv("TAILRACE_GROUP", "environment")
    monkeypatch.setenv("TAILRACE_WORKER__BATCH_EVENTS_MAX", "8")
    settings = load_settings()
    assert settings.group == "environment"
    assert (settings.worker.batch_events_max, settings.worker.buffer_records_max) == (8, 70)


def test_the_command_line_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_GROUP", "environment")
    assert load_settings(group="argument").group == "argument"


def test_policy_numbers_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_POLICY__WINDOW_TOKENS", "32000")
    monkeypatch.setenv("TAILRACE_POLICY__UPPER_FRACTION", "0.9")
    policy = load_settings().compaction_policy
    assert (policy.window_tokens, policy.upper_fraction) == (32000, 0.9)


def test_a_section_may_stand_in_one_variable_and_its_keys_come_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    write("[topics]\nreplication = 3\n[topics.retention_days]\nwork = 2\n")
    monkeypatch.setenv("TAILRACE_TOPICS", '{"partitions": 5, "prefix": "whole."}')
    monkeypatch.setenv("TAILRACE_TOPICS__PREFIX", "key.")
    monkeypatch.setenv("TAILRACE_TOPICS__RETENTION_DAYS", '{"dlq": 9}')
    topics = load_settings().topics
    assert (topics.replication, topics.partitions, topics.prefix) == (3, 5, "key.")
    assert (topics.retention_days.work, topics.retention_days.dlq) == (2, 9)


def test_a_list_in_a_variable_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_SUMMARIZER__MODELS", '[{"model": "m", "api_key_file": "~/key"}]')
    (model,) = load_settings().summarizer.models
    assert (model.provider, model.model, model.api_key_file) == ("openai", "m", Path.home() / "key")


def test_a_password_that_reads_like_json_is_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_SECURITY__SASL_PASSWORD", '{"a": 1}')
    password = load_settings().security.sasl_password
    assert password is not None
    assert password.get_secret_value() == '{"a": 1}'


def test_a_prefix_with_a_line_break_at_its_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_TOPICS__PREFIX", "a.\n")
    with pytest.raises(ConfigError, match=r"topics\.prefix"):
        load_settings()


def test_a_policy_builds_on_a_ready_made_one(monkeypatch: pytest.MonkeyPatch) -> None:
    write('[policy]\nbase = "codex"\nlower_fraction = 0.4\n[policy.keep]\nopen_call_turns = 5\n')
    monkeypatch.setenv("TAILRACE_POLICY__KEEP__SYSTEM", "false")
    monkeypatch.setenv("TAILRACE_POLICY__STEPS", '[{"use": "truncate"}]')
    policy = load_settings().compaction_policy
    assert (policy.name, policy.upper_fraction, policy.lower_fraction) == ("codex", 0.9, 0.4)
    assert (policy.keep.system, policy.keep.first_user, policy.keep.open_call_turns) == (False, False, 5)
    assert policy.steps == (Truncate(),)


def test_the_base_of_a_policy_is_relative_to_the_file_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("conf").mkdir()
    write('[policy]\nbase = "strict.toml"', "conf/tailrace.toml")
    write('name = "strict"', "conf/strict.toml")
    monkeypatch.setenv(CONFIG_VARIABLE, "conf/tailrace.toml")
    assert load_settings().compaction_policy.name == "strict"


def test_settings_can_t_be_changed() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        load_settings().group = "other"  # type: ignore[misc]  that it can't be set is the point


#: Variables that are wrong, and what the error has to name: the key, the value and what is allowed.
WRONG = {
    "TAILRACE_BROKER=localhost": ("broker", "'localhost'", "host:port"),
    "TAILRACE_BROKER=localhost:0": ("broker", "'localhost:0'", "host:port"),
    "TAILRACE_BROKER=a:1,b": ("broker", "'a:1,b'", "host:port"),
    "TAILRACE_GROUP=": ("group", "''", "at least 1 character"),
    "TAILRACE_HTTP__PORT=70000": ("http.port", "'70000'", "65535"),
    "TAILRACE_WORKER__BATCH_EVENTS_MAX=0": (
        "worker.batch_events_max",
        "'0'",
        "a whole number, at least 1 and at most 10000",
    ),
    "TAILRACE_WORKER__BATCH_EVENTS_MAX=lots": ("worker.batch_events_max", "'lots'", "a whole number"),
    "TAILRACE_WORKER__SHUTDOWN_SECONDS=nan": ("worker.shutdown_seconds", "'nan'", "300"),
    "TAILRACE_WORKER__HEARTBEAT_SECONDS=9": (
        "worker.heartbeat_seconds",
        "9.0",
        "half of worker.session_timeout_seconds",
    ),
    "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS=3": ("worker.heartbeat_seconds", "2.0", "session_timeout_seconds (3)"),
    "TAILRACE_TOPICS__PREFIX=a b": ("topics.prefix", "'a b'", "A-Za-z0-9"),
    "TAILRACE_LOG__LEVEL=loud": ("log.level", "'loud'", "one of debug, info"),
    "TAILRACE_POLICY__UPPER_FRACTION=1.5": ("policy.upper_fraction", "1.5", "at most 1"),
    "TAILRACE_POLICY__LOWER_FRACTION=0.9": ("policy.lower_fraction", "0.9", "below policy.upper_fraction"),
    "TAILRACE_POLICY__WINDOW_TOKENS=many": ("policy.window_tokens", "many", "a whole number"),
    "TAILRACE_POLICY__WINDOW=5": ("policy.window", "'5'", "known keys: base, version, name, upper_fraction"),
    "TAILRACE_POLICY__BASE=codx": ("policy.base", "'codx'", "gemini-cli"),
    "TAILRACE_POLICY__KEEP__SYTEM=1": ("policy.keep.sytem", "= '1'", "first_user"),
    'TAILRACE_POLICY__STEPS=[{"use": "x"}]': ("policy.steps[0].use", "'x'", "truncate"),
    "TAILRACE_STRATEGIES__TIMEOUT_SECONDS=0": ("strategies.timeout_seconds", "'0'", "above 0"),
    "TAILRACE_WORKER__SPEED=9": ("worker.speed", "'9'", "known keys: batch_events_max"),
    'TAILRACE_MODELS={"m": 0}': ("models", "'m': 0", "positive"),
    "TAILRACE_MODELS={m": ("models", "'{m'", "a table"),
    "TAILRACE_SPEED=9": ("TAILRACE_SPEED", "***", "TAILRACE_WORKER"),
    "TAILRACE_CONFIG=nowhere.toml": ("TAILRACE_CONFIG", "'nowhere.toml'", "exists"),
}


@pytest.mark.parametrize("variable", WRONG)
def test_a_wrong_setting_is_refused_with_key_value_and_what_is_allowed(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = variable.partition("=")
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as refused:
        load_settings()
    for part in WRONG[variable]:
        assert part in str(refused.value)


@pytest.mark.parametrize(
    ("text", "word"), [("group = = 1", "line 1"), ("worker = 5", "worker"), ("[speed]\nx = 1", "speed")]
)
def test_a_wrong_file_is_refused_with_the_place(text: str, word: str) -> None:
    write(text)
    with pytest.raises(ConfigError, match=word):
        load_settings()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[policy]\nspeed = 1", "policy.speed"),
        ('[policy]\nsteps = [{use = "nope"}]', r"policy.steps\[0\].use"),
        ("[worker]\nspeed = 1", "worker.speed"),
    ],
)
def test_a_wrong_value_is_said_of_the_file_that_it_is_in(text: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(text)
    with pytest.raises(ConfigError, match=f"^{CONFIG_FILE}:2: {key} = "):
        load_settings()
    write("[policy]\nupper_fraction = 0.8")
    monkeypatch.setenv("TAILRACE_POLICY__UPPER_FRACTION", "7")
    with pytest.raises(ConfigError, match=r"^policy\.upper_fraction = "):
        load_settings()


def test_a_file_that_is_no_text_is_refused() -> None:
    Path(CONFIG_FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=CONFIG_FILE):
        load_settings()


@pytest.mark.parametrize(
    "variable",
    [
        "TAILRACE_SECURITY__SASL_PASSWORT",
        "TAILRACE_SECURITY__PASSWORD",
        "TAILRACE_SECURITY",
        "TAILRACE_PASSWORD",
        "TAILRACE_SASL_PASSWORD",
    ],
)
def test_a_password_under_a_wrong_name_is_not_shown(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, SECRET)
    with pytest.raises(ConfigError) as refused:
        load_settings()
    assert SECRET not in str(refused.value)
    assert SECRET not in repr(vars(refused.value))


@pytest.mark.parametrize("text", [f"security = '{SECRET}'", f"[security]\nsasl_password = ['{SECRET}']"])
def test_a_password_in_the_wrong_place_is_not_shown(text: str) -> None:
    write(text)
    with pytest.raises(ConfigError) as refused:
        load_settings()
    assert SECRET not in str(refused.value)


def test_a_password_is_hidden_wherever_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_SECURITY__SASL_PASSWORD", SECRET)
    settings = load_settings()
    assert settings.security.sasl_password is not None
    assert settings.security.sasl_password.get_secret_value() == SECRET
    assert SECRET not in f"{settings!r} {settings} {msgspec.structs.asdict(settings.security)}"
    with pytest.raises(TypeError):
        msgspec.json.encode(settings)


def test_a_wrong_protocol_is_shown_because_it_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_SECURITY__PROTOCOL", "HTTPS")
    with pytest.raises(ConfigError, match=r"security.protocol = 'HTTPS'"):
        load_settings()


def test_variables_of_tests_and_caches_are_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_CACHE_DIR", "somewhere")
    monkeypatch.setenv("TAILRACE_TEST_BROKER", "localhost:9092")
    assert isinstance(load_settings(), Settings)
