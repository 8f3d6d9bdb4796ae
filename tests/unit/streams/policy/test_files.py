"""Policies in files: by name or path, one on top of another, and what is said about a file that can't be used."""

import json
from pathlib import Path

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import Truncate
from tailrace.streams.policy.files import Layer, examine, make_policy, open_policy, read_file, ready_made_names

NAMES = [
    "default",
    "agent-framework",
    "codex",
    "gemini-cli",
    "kaged",
    "ladder",
    "opencode",
    "openhands",
    "reducer-chain",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "common.toml").write_text('base = "codex"\nname = "common"\nkeep.sources = {rag = "keep"}\n')
    (tmp_path / "mine.toml").write_text(
        'base = "team/common.toml"\nname = "mine"\nupper_fraction = 0.8\n[keep]\nsources = {time = "drop"}\n'
    )
    return tmp_path


def refused(values: dict[str, object], folder: Path) -> ConfigError:
    with pytest.raises(ConfigError) as error:
        make_policy(Layer("policy", values), folder)
    return error.value


def test_the_names_are_known_and_the_default_needs_no_file() -> None:
    assert ready_made_names() == NAMES
    assert open_policy("default", Path()) == Policy()


def test_tables_are_merged_and_lists_are_replaced(folder: Path) -> None:
    policy = open_policy("mine.toml", folder)
    assert policy.name == "mine"
    assert policy.upper_fraction == 0.8
    assert policy.lower_fraction == open_policy("codex", Path()).lower_fraction
    assert policy.keep.sources == {"rag": "keep", "time": "drop"}
    assert policy.keep.first_user is False
    steps = make_policy(Layer("policy", {"base": "codex", "steps": [{"use": "truncate"}]}), folder).steps
    assert steps == (Truncate(),)


def test_a_base_is_relative_to_the_file_that_names_it(folder: Path) -> None:
    (folder / "team" / "strict.json").write_text(json.dumps({"base": "./common.toml", "upper_fraction": 0.7}))
    assert open_policy(str(folder / "team" / "strict.json"), Path("/")).keep.sources == {"rag": "keep"}


def test_json_says_the_same_as_toml(folder: Path) -> None:
    (folder / "a.json").write_text('{"upper_fraction": 0.8, "window_tokens": null}')
    (folder / "a.toml").write_text('upper_fraction = 0.8\nwindow_tokens = "null"')
    assert open_policy("a.json", folder) == open_policy("a.toml", folder)


@pytest.mark.parametrize(("name", "text"), [("a.toml", "upper_fraction = 0.8"), ("a.json", '{"upper_fraction": 0.8}')])
def test_a_mark_of_the_order_of_bytes_is_passed_over(folder: Path, name: str, text: str) -> None:
    (folder / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert open_policy(name, folder).upper_fraction == 0.8


def test_an_unknown_name_lists_the_known_ones(folder: Path) -> None:
    error = refused({"base": "codx"}, folder)
    assert (error.key, error.value) == ("policy.base", "codx")
    assert all(name in error.allowed for name in NAMES)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.toml", b"upper_fraction = = 1", "a TOML file: "),
        ("a.toml", b"\xff\xfe", "a TOML file: "),
        ("a.json", b"{upper_fraction: 1}", "a JSON file: "),
        ("a.json", b"[1]", "a table of keys at its top"),
        ("a.json", b'{"keep": {"first_user": true, "first_user": false}}', "'first_user' is there twice"),
        ("a.json", b'{"upper_fraction": NaN}', "a JSON file: "),
        ("a.json", b'{"name": "\\ud800"}', "a JSON file: "),
        ("a.json", b"[" * 100_000, "a JSON file: "),
    ],
)
def test_a_file_that_is_neither_toml_nor_json_says_so(folder: Path, name: str, content: bytes, words: str) -> None:
    (folder / name).write_bytes(content)
    error = refused({"base": name}, folder)
    assert error.key == "policy.base"
    assert str(error.value).endswith(name)
    assert words in error.allowed


def test_a_file_that_is_not_there_says_so(folder: Path) -> None:
    assert "No such file" in refused({"base": "nowhere.toml"}, folder).allowed


def test_a_base_that_is_no_text_is_refused(folder: Path) -> None:
    assert refused({"base": 5}, folder).key == "policy.base"


def test_files_that_build_on_each_other_are_refused(folder: Path) -> None:
    (folder / "a.toml").write_text('base = "b.toml"')
    (folder / "b.toml").write_text(f'base = "../{folder.name}/a.toml"')
    assert "lead back to one of themselves" in refused({"base": "a.toml"}, folder).allowed


def test_a_tower_of_files_is_refused_once_it_is_too_high(folder: Path) -> None:
    for number in range(12):
        (folder / f"{number}.toml").write_text(f'base = "{number + 1}.toml"')
    (folder / "12.toml").write_text("version = 1")
    assert "on top of each other" in refused({"base": "0.toml"}, folder).allowed


def test_what_is_wrong_below_is_said_of_the_file_that_it_is_in(folder: Path) -> None:
    (folder / "team" / "common.toml").write_text("speed = 1")
    error = refused({"base": "mine.toml"}, folder)
    assert error.key == f"{folder / 'team' / 'common.toml'}: policy.speed"


def test_what_is_wrong_with_a_file_is_said_of_that_file(folder: Path) -> None:
    (folder / "mine.toml").write_text("speed = 1")
    with pytest.raises(ConfigError, match="speed") as raised:
        open_policy("mine.toml", folder)
    assert raised.value.key == f"{folder / 'mine.toml'}: policy.speed"
    (folder / "team" / "common.toml").write_text('base = "nowhere"')
    (folder / "mine.toml").write_text('base = "team/common.toml"')
    with pytest.raises(ConfigError) as raised:
        open_policy("mine.toml", folder)
    assert raised.value.key == f"{folder / 'team' / 'common.toml'}: policy.base"


def test_every_problem_of_a_file_is_found(folder: Path) -> None:
    (folder / "a.toml").write_text('base = "codex"\nspeed = 1\nscope = "all"')
    policy, problems = examine(read_file(folder / "a.toml"), folder)
    assert policy is None
    assert sorted(error.key for error in problems) == ["policy.scope", "policy.speed"]
