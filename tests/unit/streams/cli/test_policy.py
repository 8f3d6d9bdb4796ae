"""`tailrace policy`: list, show, check and diff, for people and for programs."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tailrace.schemas.policy.document import read_policy
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.cli import app
from tailrace.streams.policy.files import open_policy, ready_made_names

pytestmark = pytest.mark.usefixtures("bare_folder")


def run(*words: str, env: dict[str, str] | None = None) -> Any:
    return CliRunner().invoke(app, ["policy", *words], env=env)


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


def test_list_names_every_ready_made_policy_with_its_hash() -> None:
    lines = run("list").stdout.splitlines()[1:]
    assert [line.split()[:2] for line in lines] == [
        [name, open_policy(name, Path()).hash] for name in ready_made_names()
    ]
    listed = json.loads(run("list", "--json").stdout)["policies"]
    assert [entry["name"] for entry in listed] == ready_made_names()
    assert all(entry["about"] for entry in listed)


def test_show_without_a_name_shows_what_the_settings_make_of_it() -> None:
    write("tailrace.toml", '[policy]\nbase = "codex"\n[policy.keep]\nopen_call_turns = 5\n')
    shown = run("show", env={"TAILRACE_POLICY__UPPER_FRACTION": "0.8"}).stdout
    policy = read_policy(tomllib.loads(shown))
    assert shown.splitlines()[0] == f"# codex {policy.hash}"
    assert (policy.upper_fraction, policy.keep.open_call_turns, policy.scope) == (0.8, 5, "total")


@pytest.mark.parametrize("name", ready_made_names())
def test_show_prints_toml_that_is_the_same_policy(name: str) -> None:
    policy = open_policy(name, Path())
    shown = run("show", name).stdout
    assert shown.splitlines()[0] == f"# {name} {policy.hash}"
    assert read_policy(tomllib.loads(shown)) == policy
    as_json = json.loads(run("show", name, "--json").stdout)
    assert (as_json["name"], as_json["hash"]) == (name, policy.hash)
    assert read_policy(as_json["policy"]) == policy


def test_what_is_shown_can_be_used_as_a_file() -> None:
    write("mine.toml", run("show", "kaged").stdout)
    assert run("diff", "kaged", "mine.toml").exit_code == 0


@pytest.mark.parametrize("name", ready_made_names())
def test_what_is_shown_as_json_can_be_used_as_a_file_too(name: str) -> None:
    write("mine.json", run("show", name, "--json").stdout)
    assert run("check", "mine.json").stdout.splitlines()[-1].startswith("mine.json: ok, ")
    assert run("diff", name, "mine.json").exit_code == 0


def test_a_file_may_hold_a_policy_as_settings_do() -> None:
    write("mine.toml", '[policy]\nbase = "kaged"\n\n[policy.keep]\nfirst_user = false\n')
    write("plain.toml", 'base = "kaged"\n\n[keep]\nfirst_user = false\n')
    assert run("diff", "plain.toml", "mine.toml").exit_code == 0
    assert run("diff", "kaged", "mine.toml").exit_code == 1


def test_an_unknown_policy_is_one_line_and_exit_code_2() -> None:
    result = run("show", "codx")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("error: policy = 'codx' can't be used. Allowed: one of default, ")


def test_check_says_ok_with_name_and_hash() -> None:
    write("mine.toml", 'name = "mine"')
    result = run("check", "mine.toml", "codex")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"mine.toml: ok, mine {Policy(name='mine').hash}"
    assert result.stdout.splitlines()[1].startswith("codex: ok")


def test_check_names_every_problem_of_every_file_with_what_is_allowed() -> None:
    write("a.toml", 'speed = 1\n[[steps]]\nuse = "sumarize"\n')
    write("b.toml", "= 1")
    result = run("check", "a.toml", "b.toml", "nowhere.toml")
    assert result.exit_code == 1
    assert [line.split(" = ")[0] for line in result.stdout.splitlines()] == [
        "a.toml: policy.speed",
        "a.toml: policy.steps[0].use",
        "b.toml: policy",
        "nowhere.toml: policy",
    ]
    assert all("Allowed: " in line for line in result.stdout.splitlines())
    report = json.loads(run("check", "a.toml", "--json").stdout)
    assert report["ok"] is False
    assert [problem["key"] for problem in report["files"][0]["problems"]] == ["policy.speed", "policy.steps[0].use"]


def test_check_names_a_key_that_stands_in_the_wrong_table() -> None:
    write("k.toml", "[keep]\nrecent_turns = 2\nupper_fraction = 0.8\n")
    result = run("check", "k.toml")
    assert result.exit_code == 1
    assert result.stdout.startswith("k.toml: policy.keep.upper_fraction = 0.8 can't be used. Allowed: ")
    assert "nly known keys: system, first_user" in result.stdout


def test_check_warns_of_steps_that_can_never_act_and_still_says_ok() -> None:
    write("a.toml", 'name = "a"\nsteps = [{use = "truncate"}, {use = "collapse_repeats"}]')
    result = run("check", "a.toml")
    assert result.exit_code == 0
    assert "a.toml: warning: policy.steps[1]: collapse_repeats is never taken" in result.stdout
    assert json.loads(run("check", "a.toml", "--json").stdout)["files"][0]["warnings"][0]["key"] == "policy.steps[1]"


def test_check_warns_of_a_policy_that_would_be_taken_for_another() -> None:
    write("a.toml", 'base = "codex"\nupper_fraction = 0.8')
    assert "warning: policy.name" in run("check", "a.toml").stdout


def test_check_refuses_a_strategy_that_is_not_installed() -> None:
    write("a.toml", 'name = "a"\nsteps = [{use = "custom", name = "nobody-has-this"}]')
    result = run("check", "a.toml")
    assert result.exit_code == 1
    assert "policy.steps[0].name = 'nobody-has-this'" in result.stdout


def test_what_is_missing_and_what_was_meant_is_said() -> None:
    write("a.toml", "uper_fraction = 0.8\nsteps = [{keep_turns = 1}]")
    shown = run("check", "a.toml").stdout
    assert "a.toml: policy.steps[0].use is missing. Allowed: one of " in shown
    assert "policy.uper_fraction = 0.8 can't be used. Allowed: did you mean upper_fraction? Only known keys: " in shown


def test_diff_shows_the_keys_that_differ_and_no_others() -> None:
    write("a.toml", 'base = "codex"\nupper_fraction = 0.8\n[keep]\nsources = {rag = "keep"}\n')
    result = run("diff", "codex", "a.toml")
    assert result.exit_code == 1
    heads, lines = result.stdout.splitlines()[:2], result.stdout.splitlines()[2:]
    assert [head.split()[:2] for head in heads] == [["---", "codex"], ["+++", "a.toml"]]
    assert lines == ["-upper_fraction = 0.9", "+upper_fraction = 0.8", '+keep.sources.rag = "keep"']
    changes = json.loads(run("diff", "codex", "a.toml", "--json").stdout)
    assert changes["equal"] is False
    assert changes["changes"][0] == {"key": "upper_fraction", "a": "0.9", "b": "0.8"}


def test_diff_shows_another_order_of_patterns() -> None:
    write("a.toml", '[keep]\nsources = {rag-main = "protect", "rag*" = "drop"}\n')
    write("b.toml", '[keep]\nsources = {"rag*" = "drop", rag-main = "protect"}\n')
    result = run("diff", "a.toml", "b.toml")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[2:] == [
        '-keep.sources = ["rag-main", "rag*"]',
        '+keep.sources = ["rag*", "rag-main"]',
    ]


def test_a_step_more_does_not_change_the_others() -> None:
    write(
        "a.toml",
        'base = "b.toml"\nsteps = [{use = "collapse_repeats"}, {use = "prune_tool_results"}, {use = "truncate"}]',
    )
    write("b.toml", 'base = "kaged"\nsteps = [{use = "prune_tool_results"}, {use = "truncate"}]')
    lines = run("diff", "b.toml", "a.toml").stdout.splitlines()[2:]
    assert lines == [
        '-steps = ["prune_tool_results", "truncate"]',
        '+steps = ["collapse_repeats", "prune_tool_results", "truncate"]',
        "+steps.collapse_repeats.tokens_min = 50",
    ]


def test_equal_policies_have_no_difference() -> None:
    result = run("diff", "codex", "codex")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("codex and codex say the same (")
    assert json.loads(run("diff", "codex", "codex", "--json").stdout) == {"equal": True, "changes": []}


TRIGGERS = """
name = "mine"
window_tokens = 10000
output_reserve_tokens = 0
rehydration_reserve_tokens = 0
safety_tokens = 0
[triggers]
hold = "cache_hot"
rules = [{name = "follow", when = "fraction > 80% and pending_input"}]
[triggers.timers]
idle_ms = 300000
cron = "0 3 * * *"
call_deadline_ms = 90000
chunk_ms = 120000
[chunks]
enabled = true
[triggers.governor]
cooldown_ms = 30000
"""


def test_explain_says_every_trigger_in_words_with_its_numbers() -> None:
    write("mine.toml", TRIGGERS)
    policy = open_policy("mine.toml", Path())
    result = run("explain", "mine.toml")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"mine {policy.hash}: ")
    lines = {line["trigger"]: line for line in json.loads(run("explain", "mine.toml", "--json").stdout)["triggers"]}
    assert list(lines) == [
        *("limit", "upper mark", "rule follow", "hold", "timer idle", "timer cron", "timer chunk"),
        "timer tool call",
        *("call in flight", "overflow", "invoked", "governor"),
    ]
    assert "5 min" in lines["timer idle"]["when"]
    assert "2 min: what is open closes as a chunk" in lines["timer chunk"]["when"]
    assert "1 min 30 s" in lines["timer tool call"]["when"]
    assert lines["rule follow"]["when"] == "fraction > 80% and pending_input"
    assert "30 s between two compactions" in lines["governor"]["when"]
    assert {line["now"] for line in lines.values()} == {None}


def test_explain_takes_the_window_of_a_model_or_one_that_is_given() -> None:
    small, large = (json.loads(run("explain", "--window", size, "--json").stdout) for size in ("8000", "80000"))
    assert (small["window_tokens"], large["window_tokens"]) == (8_000, 80_000)
    assert small["triggers"][0]["when"] != large["triggers"][0]["when"]


def test_explain_names_the_window_of_the_policy_where_it_has_its_own() -> None:
    write("mine.toml", 'name = "mine"\nwindow_tokens = 16_000')
    assert json.loads(run("explain", "mine.toml", "--json").stdout)["window_tokens"] == 16_000
    assert "of a window of 8,000 tokens" in run("explain", "mine.toml", "--window", "8000").stdout


def test_a_policy_whose_conditions_make_no_sense_is_refused_with_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.toml", '[triggers]\nhold = "cach_hot"\n[triggers.timers]\ncron = "61 * * * *"')
    report = json.loads(run("check", "a.toml", "--json").stdout)
    keys = [problem["key"] for problem in report["files"][0]["problems"]]
    assert keys == ["policy.triggers.hold", "policy.triggers.timers.cron"]
    monkeypatch.setenv("TAILRACE_POLICY__TRIGGERS__HOLD", "total >= limt and cache_hot")
    refused = CliRunner().invoke(app, ["threads"])
    assert refused.exit_code == 2
    message, line, mark = refused.stderr.splitlines()
    assert message.startswith(
        "error: policy.triggers.hold = 'total >= limt and cache_hot' can't be used. Allowed: limit, "
    )
    assert line[mark.index("^") : mark.rindex("^") + 1] == "limt"


def test_check_takes_a_file_of_settings_for_the_policy_in_it() -> None:
    write("tailrace.toml", 'broker = "kafka:9092"\n[topics]\nprefix = "x."\n[policy]\nname = "mine"\nbase = "codex"\n')
    result = run("check", "tailrace.toml")
    assert result.exit_code == 0
    assert result.stdout.startswith("tailrace.toml: ok, mine ")

    write("tailrace.toml", 'broker = "kafka:9092"\n[policy]\nspeed = 1\n')
    result = run("check", "tailrace.toml")
    assert result.exit_code == 1
    assert "tailrace.toml: policy.speed = 1 can't be used" in result.stdout


def test_check_overlooks_no_key_beside_the_policy_of_a_file() -> None:
    write("mixed.toml", 'upper_fraction = 0.5\n[policy]\nname = "mine"\n')
    result = run("check", "mixed.toml")
    assert result.exit_code == 1
    assert "move upper_fraction there" in result.stdout
