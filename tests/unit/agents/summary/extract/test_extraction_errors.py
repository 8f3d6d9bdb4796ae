"""Summaries without a model: what is told as an error, and what is none, or none any more."""

import pytest
from support.extracts import ERRORS, call, ran, result, said, section, summary

from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, Json

EDIT: Json = {"path": "locks/sluice.py", "old": "a", "new": "paddle = 2"}
SNIPPET = 'The file was updated:\n 4  raise LockError("the gate failed")\n 5  paddle = 2'


def test_what_an_editor_shows_of_a_file_is_no_error() -> None:
    text = summary(call("Edit", EDIT), result(SNIPPET))

    assert ERRORS not in text
    assert "[Edit locks/sluice.py]" in text


LOOKING = [
    "cat locks/sluice.py",
    "cd locks && sed -n '1,80p' sluice.py",
    "git -C locks diff main -- sluice.py",
    "cd locks; grep -n raise sluice.py | head -5",
    "git --no-pager log -p sluice.py && git status",
    "gh issue view 9",
    "awk 'NR < 9' sluice.py",
]


@pytest.mark.parametrize("command", LOOKING)
@pytest.mark.parametrize("around", ["{}", "Exit code: 0\nOutput:\n{}", "Process exited with code 0\nOutput:\n{}"])
def test_what_a_command_only_shows_is_no_error(command: str, around: str) -> None:
    text = summary(*ran(command, around.format('raise LockError("gate_7 failed")')))

    assert ERRORS not in text


@pytest.mark.parametrize("answer", ["Exit code 128\nfatal: bad revision", "fatal: bad revision 'gate_7'"])
def test_a_command_that_was_to_show_something_may_fail(answer: str) -> None:
    text = summary(*ran("cd locks && git diff gate_7", answer))

    assert "bad revision" in section(text, ERRORS)[0]


COUNTS = [
    "12 passed, 0 failed in gate_7",
    "gate_7: failed=0 passed=9",
    "Failed: 0, Passed: 9 (gate_7)",
    "failed_gates=0 at gate_7",
]


@pytest.mark.parametrize("answer", COUNTS)
def test_no_failure_at_all_is_no_error(answer: str) -> None:
    assert ERRORS not in summary(*ran("make test", answer))
    assert "10 failed" in section(summary(*ran("make test", "10 failed in gate_7")), ERRORS)[0]


def test_an_error_that_was_overcome_is_told_as_such() -> None:
    text = summary(
        *ran("make test", "FAIL test_gate_7: level is 9"),
        *(call("Edit", EDIT), result("ok")),
        *ran("make test", "all 12 tests of gate_7 are fine"),
    )

    assert section(text, ERRORS) == ["- [Bash make test, worked later] FAIL test_gate_7: level is 9"]


def test_an_error_that_came_back_is_one() -> None:
    text = summary(
        *ran("make test", "FAIL test_gate_7: level is 9"),
        *ran("make test", "all 12 tests of gate_7 are fine"),
        *ran("make test", "FAIL test_gate_8: level is 4"),
    )

    assert section(text, ERRORS)[0].startswith("- [Bash make test, 2 times] ")


def test_another_command_overcomes_nothing() -> None:
    text = summary(*ran("make test", "FAIL test_gate_7: level is 9"), *ran("make lint", "fine"))

    assert section(text, ERRORS) == ["- [Bash make test] FAIL test_gate_7: level is 9"]


def test_a_change_that_failed_first_is_told_as_done_later() -> None:
    text = summary(
        *(call("Edit", EDIT), result("Error: file is locked")),
        *(call("Edit", EDIT, "2"), result("The file was updated.", "2")),
    )

    assert section(text, ERRORS) == ["- [Edit locks/sluice.py, worked later] Error: file is locked"]


def test_what_was_overcome_stays_so_in_later_summaries_until_it_fails_again() -> None:
    text = summary(*ran("make test", "FAIL test_gate_7: level is 9"), *ran("make test", "gate_7 is fine"))
    earlier = Message(role="assistant", parts=(CompactionPart(content=f"[Context Summary - Turns 1-2]\n{text}"),))

    again = summary(earlier, said("assistant", "Next comes gate_8."))
    failed = summary(earlier, *ran("make test", "FAIL test_gate_8: level is 4"))
    fixed = summary(
        Message(role="assistant", parts=(CompactionPart(content=summary(*ran("make test", "FAIL test_gate_7"))),)),
        *ran("make test", "gate_7 is fine"),
    )

    assert section(again, ERRORS) == section(text, ERRORS)
    assert section(failed, ERRORS)[0].startswith("- [Bash make test, 2 times] ")
    assert section(fixed, ERRORS) == ["- [Bash make test, worked later] FAIL test_gate_7"]


def test_a_result_that_was_not_read_overcomes_nothing() -> None:
    text = summary(
        *ran("make test", "FAIL test_gate_7: level is 9"),
        *(call("Bash", {"command": "make test"}), result("", unread=True)),
    )

    assert section(text, ERRORS) == ["- [Bash make test] FAIL test_gate_7: level is 9"]


def test_why_something_failed_goes_before_what_was_tried() -> None:
    tried = "\n".join(f"gate_{n} is moved to level_{n} by paddle_{n}" for n in range(20))
    text = summary(
        call("Bash", {"command": f"git commit -m 'Move the gates\n{tried}'"}),
        result("Exit code 1\nhook: the message is too long for the log of the lock"),
        chars=420,
    )

    assert "hook: the message is too long" in section(text, ERRORS)[0]
