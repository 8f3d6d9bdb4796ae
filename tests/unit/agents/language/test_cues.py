"""What names of tools, commands and lines give away."""

import pytest

from tailrace.agents.language import cues


@pytest.mark.parametrize(
    "tool", ["Edit", "write_file", "cancel_reservation", "mcp__tracker__create_issue", "sendMessage", "mv"]
)
def test_tools_that_change_something(tool: str) -> None:
    assert cues.tool_changes(tool)


@pytest.mark.parametrize(
    "tool", ["Read", "get_order_details", "list_issues", "TodoWrite", "TaskUpdate", "update_plan", "settle"]
)
def test_tools_that_only_look_or_keep_their_own_list(tool: str) -> None:
    assert not cues.tool_changes(tool)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m x",
        "cd gates && rm old.txt",
        "sed -i s/a/b/ weir.py",
        "echo 9 > level",
        "sudo mkdir /gates",
        "npm install",
    ],
)
def test_commands_that_change_something(command: str) -> None:
    assert cues.command_changes(command)


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "cat rm.txt",
        "grep -r '->' .",
        "ls 2>/dev/null",
        "go test ./... 2>&1",
        "sed -n 1p x",
        "git branch -a",
        "git tag",
        "git stash list",
    ],
)
def test_commands_that_only_look(command: str) -> None:
    assert not cues.command_changes(command)


@pytest.mark.parametrize(
    "line",
    [
        "TypeError: level is None",
        "--- FAIL: TestGate",
        "Process exited with code 2",
        "bash: weir: not found",
        "error[E0308]: mismatch",
    ],
)
def test_errors(line: str) -> None:
    assert cues.is_error(line)
    assert cues.may_hold_errors(line)


@pytest.mark.parametrize("line", ["exit code 0", "no problems", "func level() (int, error) {"])
def test_lines_without_an_error(line: str) -> None:
    assert not cues.is_error(line)


@pytest.mark.parametrize("text", ["不要打开闸门", "ゲートを開けないでください", "반드시 확인", "لا تفتح"])
def test_demands_in_scripts_without_spaces(text: str) -> None:
    assert cues.is_unspaced_demand(text)
