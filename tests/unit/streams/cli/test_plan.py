"""`tailrace plan` and `tailrace compact` on files: what they show, what they write, and how they refuse."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from tailrace.agents.plan import planner
from tailrace.agents.plan.steps.registry import ANALYZE
from tailrace.schemas.policy.steps import ExpireToolResults
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.streams.cli import app
from tailrace.streams.demo.sample_conversations import load_samples

SUPPORT = next(sample for sample in load_samples() if sample.thread == "support-de")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
#: Each turn has a result that no later turn needs.
TURNS: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    *(
        message
        for number in range(6)
        for message in (
            {"role": "user", "content": f"What is in pool {number}?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": f"call-{number}",
                        "type": "function",
                        "function": {"name": "look", "arguments": json.dumps({"pool": number})},
                    }
                ],
            },
            {
                "role": "tool",
                "tool_call_id": f"call-{number}",
                "content": "\n".join(f"fish {number}-{fish}: a trout" for fish in range(30)),
            },
            {"role": "assistant", "content": f"Thirty trout swim in pool {number}."},
        )
    ),
]

#: One step with a known outcome: what the ready-made policies do is tested elsewhere.
STUBS = """
name = "stubs"
tiers.tool_results_fraction = "null"
steps = [{ use = "expire_tool_results", default = { keep_turns = 1 }, stub = "[gone]" }]
"""
PLAN = ("pools.json", "--budget", "1500", "--policy", "stubs.toml")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> None:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder / "data"))
    Path("stubs.toml").write_text(STUBS)
    Path("pools.json").write_text(json.dumps(TURNS))
    Path("support.jsonl").write_text("\n".join(json.dumps(message) for message in SUPPORT.messages))


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, words, input=stdin)


def plans(*words: str) -> list[dict[str, Any]]:
    result = run("plan", *words, "--json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)["plans"]
    return found


def test_a_plan_says_what_goes_by_which_step_and_why_and_what_it_comes_to() -> None:
    lines = run("plan", *PLAN, "--no-diff").stdout.splitlines()

    (plan,) = plans(*PLAN)
    before, after, freed = (f"{plan[key]:,}" for key in ("before_tokens", "after_tokens", "freed_tokens"))
    assert lines[0].startswith("pools.json  model unknown, policy stubs (")
    assert any(line.startswith("clear by expire_tool_results: of an earlier turn") for line in lines)
    assert any(line.split()[:1] == ["1"] and "look ← fish 0-0: a trout fish 0-1" in line for line in lines)
    assert f"tokens    {before} before, {after} after, limit 1,500, freed {freed} (" in "\n".join(lines)
    assert f"messages  25 before, {plan['messages_after']} after" in lines


def test_a_policy_that_asks_for_approval_is_planned_and_carried_out_only_where_somebody_wants_it() -> None:
    Path("asks.toml").write_text(STUBS + 'strategy = "checkpoint"\n')
    tokens = plans(*PLAN)[0]["before_tokens"]
    words = ("pools.json", "--policy", "asks.toml", "--budget", str(tokens + 1))

    (waits,) = plans(*words)
    shown = run("plan", *words).stdout
    left = run("compact", *words)
    done = run("compact", *words, "--force")

    assert waits["changes"] == []
    assert "asks for approval" in shown
    assert "--force plans all the same" in shown
    assert json.loads(left.stdout) == TURNS
    assert "asks for approval" in left.stderr
    assert len(json.loads(done.stdout)) == plans(*words, "--force")[0]["messages_after"] < len(TURNS)


@pytest.mark.parametrize("text", ["speed = 1", 'steps = [{ use = "custom", name = "nowhere" }]'])
def test_of_several_policies_the_wrong_one_is_named(text: str) -> None:
    Path("wrong.toml").write_text(text)
    result = run("plan", "pools.json", "--policy", "default", "--policy", "wrong.toml")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: wrong.toml: policy.")


def test_definitions_of_tools_in_a_request_are_taken_off_the_limit() -> None:
    tools = [{"type": "function", "function": {"name": "look", "description": "a word " * 900, "parameters": {}}}]
    Path("request.json").write_text(json.dumps({"model": "gpt-4o", "messages": TURNS, "tools": tools}))
    Path("plain.json").write_text(json.dumps({"model": "gpt-4o", "messages": TURNS}))

    result = run("plan", "request.json", "--json")
    limit, without = (plans(name)[0]["limit_tokens"] for name in ("request.json", "plain.json"))

    assert 1_800 < without - limit < 2_200
    assert "request.json, 1 definitions of tools, " in result.stderr
    assert [plans(name, "--budget", "1000")[0]["limit_tokens"] for name in ("request.json", "plain.json")] == [
        1_000
    ] * 2


def test_the_diff_shows_what_goes_what_stands_there_and_how_much_stays() -> None:
    shown = run("plan", *PLAN).stdout
    diff = shown[shown.index("  … ") :].splitlines()

    (plan,) = plans(*PLAN)
    gone = [line for line in diff if line.startswith("- ")]
    folded = sum(int(line.split()[1]) for line in diff if line.endswith("unchanged"))
    assert len(gone) == sum(len(change["ids"]) for change in plan["changes"])
    assert folded + len(gone) == plan["messages_before"] == len(TURNS)
    assert [line.split()[-1] for line in diff if line.startswith("+ ")] == ["[gone]"] * len(gone)


def test_a_summary_stands_behind_the_first_message_that_it_is_for_and_the_others_go_where_they_stood() -> None:
    shown = run("plan", "support.jsonl", "--budget", "1500", "--policy", "codex").stdout
    diff = shown[shown.index("  … ") :].splitlines()
    summary = diff.index(next(line for line in diff if "[Context Summary" in line))

    assert diff[0] == "  … 2 messages unchanged"
    assert all(line.startswith("- ") for line in diff[1:summary])
    assert any(line.startswith("- ") for line in diff[summary:])


def test_the_ledger_has_its_row_and_stands_in_the_diff_word_for_word() -> None:
    rule = "Never open the sluice above 60 percent."
    talk = [{"role": "user", "content": "Watch the pools."}, {"role": "user", "content": rule}, *TURNS[1:]]
    Path("rules.json").write_text(json.dumps(talk))
    words = ("rules.json", "--budget", "300", "--force")
    shown = run("plan", *words).stdout

    (plan,) = plans(*words)
    assert rule in plan["ledger"]["message"]["parts"][0]["content"]
    assert "ledger of what was stated, is open and was done in what has left" in shown
    assert f"+ - {rule}" in shown.splitlines()
    gone = sum(line.startswith("- ") for line in shown.splitlines())
    assert gone == sum(len(change["ids"]) for change in plan["changes"])


def test_nothing_to_do_has_its_reason_and_the_way_to_force_it() -> None:
    result = run("plan", "pools.json")
    assert result.exit_code == 0
    assert "nothing to do: " in result.stdout
    assert "below the upper mark" in result.stdout
    assert "--budget" in result.stdout
    assert "--force plans all the same" in result.stdout


@pytest.mark.parametrize("fraction", [0.8, 0.1])
def test_force_plans_between_the_marks_and_below_them(fraction: float) -> None:
    (plan,) = plans("pools.json")
    budget = str(int(plan["before_tokens"] / fraction))
    assert plans("pools.json", "--budget", budget)[0]["changes"] == []
    assert plans("pools.json", "--budget", budget, "--force")[0]["changes"]


def test_the_json_has_the_annotations_of_every_message_and_of_what_stands_for_some() -> None:
    (plan,) = plans(*PLAN)
    gone = {key for change in plan["changes"] for key in change["ids"]}
    new = {change["replacement_id"] for change in plan["changes"] if change["replacement"]}
    annotated = plan["annotations"]

    assert {key for key, value in annotated.items() if value["_excluded"]} == gone
    assert len(annotated) == len(TURNS) + len(new)
    assert new <= annotated.keys()
    assert all("_group" in value for value in annotated.values())


def test_several_policies_stand_side_by_side() -> None:
    words = (*PLAN, "--policy", "codex")
    lines = run("plan", *words).stdout.splitlines()
    table = {line[:17].strip(): line[17:].split() for line in lines}

    two = plans(*words)
    assert [plan["policy"]["name"] for plan in two] == lines[2].split() == ["stubs", "codex"]
    assert table["tokens after"] == [f"{plan['after_tokens']:,}" for plan in two]
    assert table["messages left"] == [str(plan["messages_after"]) for plan in two]
    assert table["clear"][0] == str(sum(len(one["ids"]) for one in two[0]["changes"] if one["action"] == "clear"))


def test_a_comparison_says_how_to_see_what_one_policy_changes() -> None:
    words = (*PLAN, "--policy", "codex")
    assert run("plan", *words).stdout.splitlines()[-1] == "one --policy alone shows what it changes, and how"
    assert run("plan", *words, "--no-diff").exit_code == 0
    assert "one --policy" not in run("plan", "pools.json", "--policy", "default", "--policy", "codex").stdout


def test_policies_of_one_name_are_told_apart_by_how_they_were_asked_for() -> None:
    for file, upper in (("one.toml", 0.8), ("two.toml", 0.7)):
        Path(file).write_text(f'name = "ours"\nupper_fraction = {upper}\n')
    words = ("plan", "pools.json", "--budget", "1500", "--policy", "one.toml", "--policy", "two.toml")
    columns = run(*words, "--policy", "codex", "--policy", "codex").stdout.splitlines()[2]

    assert re.split(r"\s{2,}", columns.strip()) == ["ours (one.toml)", "ours (two.toml)", "codex"]


def test_model_and_window_decide_about_the_limit_where_no_budget_is_given() -> None:
    small, large, given = (
        plans("pools.json", *words)[0]
        for words in (["--model", "gpt-4-32k"], ["--model", "gpt-4o"], ["--model", "gpt-4o", "--window", "32000"])
    )
    assert (small["window_tokens"], large["window_tokens"], given["window_tokens"]) == (32_000, 128_000, 32_000)
    assert small["limit_tokens"] == given["limit_tokens"] < large["limit_tokens"]


def test_a_window_goes_before_that_of_the_policy() -> None:
    Path("mine.toml").write_text('name = "mine"\nwindow_tokens = 50_000\n')
    own, given = (plans("pools.json", "--policy", "mine.toml", *words)[0] for words in ([], ["--window", "20000"]))
    assert own["limit_tokens"] - given["limit_tokens"] == 30_000
    assert (own["window_tokens"], given["window_tokens"]) == (50_000, 20_000)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_row_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in ([], ["--no-diff"], ["--policy", "default", "--policy", "codex", "--policy", "ladder"]):
        shown = run("plan", "support.jsonl", "--budget", "1500", *words).stdout
        assert "support.jsonl" in shown
        assert max(len(line) for line in ANSI.sub("", shown).splitlines()) <= width


def test_a_message_is_cut_at_the_edge_of_the_terminal_and_takes_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("plan", *PLAN, "--no-diff").stdout.splitlines()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    cut = ANSI.sub("", run("plan", *PLAN, "--no-diff").stdout).splitlines()

    assert max(map(len, whole)) > 80
    assert len(cut) == len(whole)
    assert any(row.endswith("…") for row in cut)


def test_what_stands_there_instead_is_whole_on_a_narrow_terminal_and_every_row_has_its_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ("plan", "support.jsonl", "--budget", "1500", "--policy", "codex")

    def new_rows() -> list[str]:
        shown = ANSI.sub("", run(*words).stdout)
        return ["".join(row[1:].split()) for row in shown.splitlines() if row.startswith("+ ")]

    whole = new_rows()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    rows = new_rows()

    assert "".join(rows) == "".join(whole)
    assert len(rows) > len(whole)


def test_what_people_said_can_not_move_the_terminal() -> None:
    said = {"role": "user", "content": "\x1b[2J[red]big[/red] " + "word " * 400}
    shown = run("plan", "-", "--budget", "300", stdin=json.dumps([said, *TURNS[1:5], said])).stdout
    assert "\x1b" not in shown
    assert "\\x1b[2J[red]big[/red]" in shown


def test_a_plan_writes_nothing() -> None:
    before = {file.name: file.read_bytes() for file in Path().iterdir()}
    assert run("plan", *PLAN).exit_code == 0
    assert {file.name: file.read_bytes() for file in Path().iterdir() if file.is_file()} == before


def test_compacting_writes_a_list_that_is_ready_to_send_and_one_line_of_report() -> None:
    result = run("compact", "pools.json", "--budget", "1500")
    messages = json.loads(result.stdout)
    (plan,) = plans("pools.json", "--budget", "1500")

    assert len(messages) == plan["messages_after"]
    assert messages[0] == TURNS[0]
    tokens = f"{plan['before_tokens']:,} → {plan['after_tokens']:,} tokens of 1,500"
    report = f"pools.json: {tokens}, 25 → {plan['messages_after']} messages, policy default"
    assert result.stderr.splitlines() == [report]


def test_compacting_says_which_step_was_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_step: object, _draft: object) -> list[object]:
        raise ValueError("boom\nin two lines")

    monkeypatch.setitem(ANALYZE, ExpireToolResults, fails)
    result = run("compact", *PLAN)
    assert json.loads(result.stdout)
    assert "skipped: expire_tool_results: ValueError: boom in two lines\n" in result.stderr


def test_what_was_compacted_comes_back_unchanged_through_a_pipe() -> None:
    once = run("compact", "pools.json", "--budget", "1500").stdout
    again = run("compact", "-", "--budget", "1500", stdin=once)
    assert again.stdout == once
    assert "below the upper mark" in again.stderr


def test_another_format_and_a_file_can_be_asked_for() -> None:
    result = run("compact", "pools.json", "-o", "out.json", "--format", "anthropic.messages")
    assert (result.exit_code, result.stdout) == (0, "")
    expected = request_of([read_native(detect_format(message), message) for message in TURNS], "anthropic.messages")
    assert msgspec.json.decode(Path("out.json").read_bytes()) == expected
    assert expected["system"] == "Be brief."


def test_what_is_written_for_anthropic_is_read_again_with_its_system_prompt() -> None:
    written = run("compact", "pools.json", "--format", "anthropic.messages").stdout
    back = json.loads(run("compact", "-", "--format", "openai.chat", stdin=written).stdout)
    assert [message["role"] for message in back[:2]] == ["system", "user"]
    assert run("compact", "-", stdin=written).stdout == written


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["plan", "nowhere"], 1, "there is no file nowhere, and as a thread: no broker"),
        (["plan", "pools.json", "--policy", "codecs"], 2, "policy = 'codecs' can't be used"),
        (["plan", "empty.json"], 1, "empty.json"),
        (["plan", "notes.txt"], 1, "notes.txt"),
        (["compact", "nowhere.json"], 2, "No such file"),
        (["compact", "nowhere.jsonl.zst"], 2, "No such file"),
        (["compact", "pools.json", "--target-tokens", "5"], 2, "--target-tokens"),
        (["compact", "t1", "--budget", "500"], 2, "--budget: there is no file t1, and this is for files"),
        (["compact", "data", "--model", "gpt-4o"], 2, "--model: data is a folder, and this is for files"),
        (["plan", "data"], 1, "data is a folder, and as a thread: no broker"),
        (["compact", "--thread", "t1", "--budget", "5"], 2, "--budget: t1 is a thread, and this is for files"),
        (["plan", "pools.json", "--budget", "100", "--window", "100"], 2, "--window: leave it out beside --budget"),
        (
            ["plan", "pools.json", "--diff", "--policy", "a", "--policy", "b"],
            2,
            "--diff: it shows one policy; name one",
        ),
        (["compact", "pools.json", "--budget", "9", "--window", "9"], 2, "--window: leave it out beside --budget"),
        (["compact", "pools.json", "--budget", "1"], 1, "pools.json can't be brought under 1 tokens: "),
        (["compact", "prompt.json", "--format", "gemini"], 1, "gemini would refuse this request: contents must hold"),
        (["compact", "--thread", "pools.json", "-o", "out.json"], 2, "--output"),
        (["signal", "t1", "tick"], 2, "no kind of signal"),
        (["signal", "t1", "announce"], 1, "tokens"),
        (["signal", "t1", "announce", "--tokens", "5", "--call", "c"], 1, "call"),
        (["compact", "empty.json"], 1, "empty.json"),
        (["compact", "pools.json", "--policy", "missing.toml"], 2, "missing.toml"),
        (["compact", "pools.json", "--format", "morse"], 2, "morse"),
        (["compact", "pools.json", "-o", "no/such/folder.json"], 2, "No such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_can_not_be_used_is_refused_with_a_reason(words: list[str], code: int, text: str) -> None:
    Path("empty.json").touch()
    Path("prompt.json").write_text('[{"role": "system", "content": "Be brief."}]')
    Path("notes.txt").write_text("Dear diary,\ntoday I saw a trout.\n")
    Path("data").mkdir(exist_ok=True)
    result = run(*words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert text in " ".join(result.stderr.replace("│", " ").split())


def test_a_closed_input_has_nothing_to_read() -> None:
    command = [sys.executable, "-m", "tailrace.streams.cli", "compact", "-"]
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing to read" in done.stderr


def test_what_does_not_fit_is_not_written_and_a_plan_only_says_so() -> None:
    Path("out.json").write_text("of another time")
    result = run("compact", "pools.json", "--budget", "1", "-o", "out.json")

    assert (result.exit_code, Path("out.json").read_text()) == (1, "of another time")
    planned = run("plan", "pools.json", "--budget", "1", "--force")
    assert planned.exit_code == 0
    assert "not enough: " in planned.stdout


def test_what_takes_several_plans_is_written_once_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "LISTED_BYTES_MAX", 2_000)
    monkeypatch.setattr(planner, "SPANS_APART_MAX", 4)
    said = [{"role": ("user", "assistant")[place % 2], "content": f"is it {place}"} for place in range(600)]
    result = run("compact", "-", "--budget", "1000", stdin=json.dumps(said))
    before, after = re.findall(r"([\d,]+) → ([\d,]+) tokens of 1,000", result.stderr)[0]

    assert int(after.replace(",", "")) <= 850
    assert int(before.replace(",", "")) > 3_000


def test_skipped_lines_are_named_and_the_rest_is_used() -> None:
    Path("torn.jsonl").write_text(
        '{"role":"user","content":"hi"}\n{"role":"us\n{"role":"tool","tool_call_id":"x","content":"y"}\n'
    )
    result = run("compact", "torn.jsonl")
    assert json.loads(result.stdout) == [{"role": "user", "content": "hi"}]
    skipped = [line for line in result.stderr.splitlines() if line.startswith("skipped: torn.jsonl, line ")]
    assert [line.split("line ")[1][0] for line in skipped] == ["2", "3"]


CLAUDE_CODE = [
    {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": "hi"}},
    {
        "type": "assistant",
        "uuid": "u2",
        "parentUuid": "u1",
        "sessionId": "s",
        "message": {
            "id": "msg_1",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": "Hello."}],
            "usage": {"input_tokens": 20_000, "output_tokens": 5},
        },
    },
]
CODEX = [
    {"type": "turn_context", "payload": {"model": "gpt-4-32k"}},
    *(
        {
            "type": "response_item",
            "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": text}]},
        }
        for role, kind, text in (("user", "input_text", "hi"), ("assistant", "output_text", "Hello."))
    ),
]


@pytest.mark.parametrize(
    ("records", "model", "window_tokens"),
    [(CLAUDE_CODE, "claude-sonnet-4-5", 200_000), (CODEX, "gpt-4-32k", 32_000)],
    ids=["Claude Code", "Codex"],
)
def test_transcripts_of_agents_are_read_with_the_model_that_they_name(
    records: list[Any], model: str, window_tokens: int
) -> None:
    Path("session.jsonl").write_text("\n".join(json.dumps(record) for record in records))
    (plan,) = plans("session.jsonl")
    assert (plan["model"], plan["window_tokens"], plan["messages_before"]) == (model, window_tokens, 2)
    assert plans("session.jsonl", "--model", "gpt-4o")[0]["window_tokens"] == 128_000


def _spoken_line(number: int, role: str, content: Any) -> dict[str, Any]:
    parent = f"u{number - 1}" if number else None
    message = {"role": role, "content": content}
    return {"type": role, "uuid": f"u{number}", "parentUuid": parent, "sessionId": "s", "message": message}


def test_lines_of_one_answer_that_have_no_id_keep_their_results_and_what_the_user_said_beside_them() -> None:
    results = [{"type": "tool_result", "tool_use_id": call, "content": f"pool {call}"} for call in "ab"]
    said = [
        ("user", "Look."),
        *(("assistant", [{"type": "tool_use", "id": call, "name": "look", "input": {}}]) for call in "ab"),
        ("user", [*results, {"type": "text", "text": "and stop after this"}]),
    ]
    lines = [_spoken_line(number, role, content) for number, (role, content) in enumerate(said)]
    Path("session.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    result = run("compact", "session.jsonl", "--format", "anthropic.messages")
    assert "skipped" not in result.stderr
    assert json.loads(result.stdout)["messages"][-1] == {"role": "user", "content": said[-1][1]}


def test_what_a_transcript_says_of_its_cost_counts_as_in_a_thread() -> None:
    Path("session.jsonl").write_text("\n".join(json.dumps(record) for record in CLAUDE_CODE))
    limits = []
    for usage_anchor in ("true", "false"):
        Path("mine.toml").write_text(f'name = "mine"\nusage_anchor = {usage_anchor}\n')
        limits.append(plans("session.jsonl", "--policy", "mine.toml")[0]["limit_tokens"])
    assert limits[1] - limits[0] == pytest.approx(20_000, abs=100)
