import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.main import get_command
from typer.testing import CliRunner

from tailrace.schemas.errors import ConfigError, Unavailable
from tailrace.schemas.providers.tools import TOOL_FORMATS, tool_definitions
from tailrace.streams.cli import app
from tailrace.streams.cli.byte_text import as_json_value, as_text
from tailrace.streams.cli.command_list import COMMANDS
from tailrace.streams.cli.errors import ErrorsInOneLine
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import printable


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> None:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder / "data"))


def examples(path: tuple[str, ...]) -> list[str]:
    """What stands as an example in the help of the command to which these words lead."""
    command: Any = get_command(app)
    for name in path:
        command = command.commands[name]
    lines = inspect.cleandoc(command.help or "").splitlines()
    return [line.strip() for line in lines if line.startswith("    ")]


def paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that lead to each command and group."""
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from paths(inner, (*path, name))


ALL_PATHS = list(paths(get_command(app)))


def run(*words: str, env: dict[str, str] | None = None) -> Any:
    return CliRunner().invoke(app, words, env=env)


LISTED = {name: (heading, line) for heading, lines in COMMANDS.items() for name, line in lines.items()}


def test_the_list_says_of_every_command_what_the_command_says_itself() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]  a group
    first = {name: " ".join((command.help or "").split("\n\n")[0].split()) for name, command in commands.items()}

    assert first == {name: line for name, (_, line) in LISTED.items()}


def test_a_shell_is_told_the_commands_that_begin_like_this() -> None:
    shell = {"_TAILRACE_COMPLETE": "complete_bash", "COMP_WORDS": "tailrace co", "COMP_CWORD": "1"}
    command = [sys.executable, "-c", "from tailrace.streams.cli import app; app(prog_name='tailrace')"]

    done = subprocess.run(command, env=os.environ | shell, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["context", "cost", "compact", "config"]


@pytest.mark.parametrize("path", ALL_PATHS, ids=" ".join)
def test_the_help_of_every_command_says_what_it_does(path: tuple[str, ...]) -> None:
    result = run(*path, "--help")
    assert result.exit_code == 0, result.output
    # Usage, a sentence or more, the options.
    assert len(result.output.split()) > 20
    assert result.output == run(*path, "-h").output


@pytest.mark.parametrize("path", [path for path in ALL_PATHS if examples(path)], ids=" ".join)
def test_every_example_in_a_help_has_a_line_of_its_own(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    # Typer dedents what follows the first paragraph, so an example needs a sentence between that and itself.
    monkeypatch.setenv("COLUMNS", "200")
    shown = [line.strip() for line in run(*path, "--help").stdout.splitlines()]
    assert [line for line in examples(path) if line not in shown] == []


def test_without_a_command_the_help_says_what_to_do_first() -> None:
    assert "tailrace broker start" in run().output


@pytest.mark.parametrize("words", [["--version"], ["version"]])
def test_the_version_is_printed(words: list[str]) -> None:
    assert run(*words).output.split()[:2] == ["tailrace", run("--version").output.split()[1]]


@pytest.mark.parametrize("tool_format", TOOL_FORMATS)
def test_the_tools_are_printed_as_a_request_takes_them(tool_format: str) -> None:
    assert json.loads(run("tools", "--format", tool_format).stdout) == tool_definitions(tool_format)


def test_tools_for_an_unknown_api_are_refused_with_those_that_are_known() -> None:
    result = run("tools", "--format", "smoke")
    assert result.exit_code == 2
    assert "openai.chat" in result.stderr


def test_the_versions_are_there_for_programs() -> None:
    versions = json.loads(run("version", "--json").stdout)
    assert {"tailrace", "python", "faust-streaming", "aiokafka", "tiktoken", "sqlite-utils"} <= versions.keys()


@pytest.mark.parametrize(
    "words",
    [
        ["topics", "plan"],
        ["topics", "apply"],
        ["topics", "check"],
        ["dlq", "list"],
        ["dlq", "show", "0-0"],
        ["dlq", "replay", "--all"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("broker", [None, "127.0.0.1:1"])
def test_without_a_broker_the_error_is_one_line_that_says_what_to_do(words: list[str], broker: str | None) -> None:
    result = run(*words, env={"TAILRACE_BROKER": broker} if broker else None)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("error: no ")
    assert "tailrace broker" in result.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TAILRACE_BROKER", "nonsense"),
        ("TAILRACE_TOPICS__PARTITIONS", "0"),
        ("TAILRACE_SECURITY__PROTOCOL", "SASL_SSL"),
        ("TAILRACE_ARTIFACTS__KEYS", "2026a:c2hvcnQ="),
        ("TAILRACE_ARTIFACTS__KEY_ID", "2026a"),
    ],
)
def test_a_wrong_setting_is_one_line_and_exit_code_2(variable: str, value: str) -> None:
    result = run("config", "check", env={variable: value})
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "can't be used. Allowed: " in result.stderr


def test_config_check_says_ok() -> None:
    assert run("config", "check").output.startswith("ok")
    assert json.loads(run("config", "check", "--json").stdout) == {"ok": True, "file": None}


def test_config_check_names_everything_that_is_wrong_with_its_line(tmp_path: Path) -> None:
    lines = ["group = ''", "[worker]", "# a comment", "speed = 5", "[policy]", "upper_fraction = 7", "steps = 1"]
    (tmp_path / "tailrace.toml").write_text("\n".join(lines))
    env = {"TAILRACE_HTTP__PORT": "70000", "TAILRACE_SPEED": "1"}

    result, as_json = run("config", "check", env=env), run("config", "check", "--json", env=env)

    places = [line.removeprefix("error: ").partition(" = ")[0] for line in result.stderr.splitlines()]
    assert (result.exit_code, as_json.exit_code) == (2, 2)
    assert places == [
        "TAILRACE_SPEED",
        "http.port",
        "tailrace.toml:1: group",
        "tailrace.toml:4: worker.speed",
        "tailrace.toml:6: policy.upper_fraction",
        "tailrace.toml:7: policy.steps",
    ]
    assert [problem["key"] for problem in json.loads(as_json.stdout)["problems"]] == places


def test_config_check_looks_at_all_that_settings_only_name() -> None:
    env = {"TAILRACE_SECURITY__PROTOCOL": "SASL_SSL", "TAILRACE_ARTIFACTS__KEYS": "2026a:c2hvcnQ="}

    assert len(run("config", "check", env=env).stderr.splitlines()) == 2


def test_config_show_tells_where_each_value_comes_from_and_no_secret() -> None:
    Path("tailrace.toml").write_text("[topics]\npartitions = 3\nprefix = 'file.'\n[policy]\nupper_fraction = 0.9\n")
    env = {
        "TAILRACE_TOPICS__PREFIX": "env.",
        "TAILRACE_SECURITY__SASL_PASSWORD": "hidden-word",
        "TAILRACE_MODELS": '{"m": 5}',
    }
    result = run("config", "show", "--json", env=env)
    assert "hidden-word" not in result.output
    shown = json.loads(result.stdout)
    assert shown["file"] == "tailrace.toml"
    assert shown["settings"]["topics"]["prefix"] == "env."
    assert shown["settings"]["topics"]["partitions"] == 3
    assert set(shown["settings"]["security"]["sasl_password"]) == {"*"}
    assert shown["settings"]["models"] == {"m": 5}
    assert shown["settings"]["policy"]["lower_fraction"] == 0.6
    origins = shown["origins"]
    assert origins["topics.prefix"] == origins["security.sasl_password"] == origins["models"] == "environment"
    assert origins["topics.partitions"] == origins["policy.upper_fraction"] == "tailrace.toml"
    assert origins["topics.replication"] == origins["policy.lower_fraction"] == "default"


def test_config_show_tells_which_part_of_a_policy_comes_from_its_base() -> None:
    Path("tailrace.toml").write_text("[policy]\nbase = 'codex'\n[policy.keep]\nopen_call_turns = 5\n")
    shown = json.loads(run("config", "show", "--json", env={"TAILRACE_POLICY__TIERS__USER_FRACTION": "0.5"}).stdout)
    assert shown["settings"]["policy"]["keep"]["open_call_turns"] == 5
    assert shown["settings"]["policy"]["steps"][0]["use"] == "summarize"
    origins = {key.removeprefix("policy."): origin for key, origin in shown["origins"].items()}
    assert origins["base"] == origins["keep.open_call_turns"] == "tailrace.toml"
    assert origins["upper_fraction"] == origins["steps"] == origins["keep.first_user"] == "policy codex"
    assert origins["tiers.user_fraction"] == "environment"
    assert origins["keep.system"] == origins["window_tokens"] == "default"


def test_config_show_prints_a_line_for_each_setting() -> None:
    lines = run("config", "show").stdout.splitlines()
    assert "topics.partitions" in {line.split()[0] for line in lines}


def test_strimzi_topics_are_printed_without_a_broker() -> None:
    result = run("topics", "plan", "--strimzi", "--cluster", "mine", env={"TAILRACE_TOPICS__PARTITIONS": "3"})
    documents = list(yaml.safe_load_all(result.stdout))
    assert {document["metadata"]["labels"]["strimzi.io/cluster"] for document in documents} == {"mine"}
    assert {document["spec"]["partitions"] for document in documents} == {3}


@pytest.mark.parametrize("words", [[], ["0-1", "--all"]])
def test_replay_wants_either_ids_or_all(words: list[str]) -> None:
    result = run("dlq", "replay", *words)
    assert result.exit_code == 2
    assert "--all" in result.stderr


@pytest.mark.parametrize("letter_id", ["", "17", "a-b", "1-", "1-2-3"])
def test_a_letter_id_that_is_none_is_refused_with_an_example(letter_id: str) -> None:
    result = run("dlq", "show", letter_id)
    assert result.exit_code == 2
    assert "3-17" in result.stderr


def test_doctor_fails_without_a_broker_and_says_what_to_do() -> None:
    result = run("doctor", "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    states = {finding["check"]: finding["state"] for finding in report["checks"]}
    assert report["ok"] is False
    assert {name: states[name] for name in ("python", "packages", "vocabulary", "broker", "topics", "clock")} == {
        "python": "ok",
        "packages": "ok",
        "vocabulary": "ok",
        "broker": "fail",
        "topics": "skip",
        "clock": "skip",
    }


failing = typer.Typer(cls=ErrorsInOneLine)


@failing.command()
def fail(kind: str) -> None:
    raise {
        "config": ConfigError("key", "value", "another"),
        "unavailable": Unavailable("gone; bring it back"),
        "interrupt": KeyboardInterrupt(),
        "bug": ZeroDivisionError(),
    }[kind]


@failing.command()
def other() -> None: ...


@pytest.mark.parametrize(
    ("kind", "code", "text"),
    [
        ("config", 2, "error: key = 'value' can't be used. Allowed: another\n"),
        ("unavailable", 1, "error: gone; bring it back\n"),
        ("interrupt", 130, ""),
    ],
)
def test_errors_end_in_one_line_and_interrupts_in_none(kind: str, code: int, text: str) -> None:
    result = CliRunner().invoke(failing, ["fail", kind])
    assert (result.exit_code, result.stderr, result.stdout) == (code, text, "")


def test_a_mistake_of_our_own_is_not_hidden() -> None:
    assert isinstance(CliRunner().invoke(failing, ["fail", "bug"]).exception, ZeroDivisionError)


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "tailrace.streams.cli", "config", "show"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""


def test_what_others_wrote_can_not_move_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert printable("a\x1b[2J\tb\nü\u202e流") == "a\\x1b[2J\tb\nü\\u202e流"
    print_table(("key", "text"), [("[bold]k[/bold]", "\x1b]0;title\x07 two\nlines")])
    assert capsys.readouterr().out.splitlines()[1].rstrip() == "[bold]k[/bold]  \\x1b]0;title\\x07 two\\nlines"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (b"", ""),
        (b"hello", "hello"),
        (b"\xff\x00", "0xff00"),
        ("ü" * 9 + "x", "ü" * 8 + "… (10 characters)"),
    ],
)
def test_bytes_are_shown_as_text_where_they_are_text(value: bytes | str | None, text: str) -> None:
    assert as_text(value.encode() if isinstance(value, str) else value, 8) == text


def test_bytes_are_whole_in_json() -> None:
    assert [as_json_value(value) for value in (None, b"\x00", b"\xff")] == [None, {"text": "\x00"}, {"base64": "/w=="}]


def test_both_names_of_anthropics_format_work_where_a_format_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    file.write_text(
        '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}]', encoding="utf-8"
    )
    for words in (("tools",), ("compact", str(file))):
        short, whole = (run(*words, "--format", name) for name in ("anthropic", "anthropic.messages"))
        assert short.exit_code == whole.exit_code == 0, short.output
        assert short.stdout == whole.stdout
        assert json.loads(short.stdout)
