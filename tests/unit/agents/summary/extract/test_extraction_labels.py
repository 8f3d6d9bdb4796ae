"""Summaries without a model, as whoever goes on reads them.

Labels that tell what was done, and quotations that mean what was meant.
"""

import pytest
from support.extracts import CHANGED, FOUND, call, ran, result, said, section, summary

CODE = "def open_gate(level: int) -> None:\n    gate.move(level)\n    log.note(level)\n\n\n" * 4
TAILS = ["{}}}", "{}end_of_edit", "{}EOF\n)", "{}*** End Patch", "{}# ---"]


@pytest.mark.parametrize("tail", TAILS)
def test_a_change_is_told_by_how_it_begins_and_not_by_its_last_bracket(tail: str) -> None:
    text = summary(call("Write", {"path": "locks/gate.py", "text": tail.format(CODE)}), result("ok"), chars=120)

    assert text == f"{CHANGED}\n- [Write locks/gate.py] def open_gate(level: int) -> None:"


def test_a_patch_is_told_by_what_it_adds() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: locks/gate.py\n@@ class Gate:\n-    level = 1\n"
        "+    level_mm = 9_000  # as built\n*** End Patch"
    )

    text = summary(call("apply_patch", {"input": patch}), result("ok"))

    assert text == f"{CHANGED}\n- [Update locks/gate.py] level_mm = 9_000 # as built"


PREAMBLES = [
    "cd /srv/projects/waterways/locks && ",
    'cd "/srv/projects/water ways" ; ',
    "cd /srv/projects/waterways\n",
    "LEVEL=/srv/projects/waterways/locks/level_of_today ",
    'export A="a b" B=$(date) && ',
    "set -e\ncd locks\n",
]


@pytest.mark.parametrize("before", PREAMBLES)
def test_a_command_is_known_by_what_it_does_and_not_by_where(before: str) -> None:
    text = summary(
        said("assistant", "The gates are ready for the upper lock."), *ran(f"{before}git push origin gates"), chars=140
    )

    assert section(text, CHANGED) == ["- [Bash git push origin gates] The gates are ready for the upper lock."]


def test_a_command_in_another_folder_is_known_by_what_it_does() -> None:
    text = summary(
        said("assistant", "The gates are ready for the upper lock."),
        *ran("git -C /srv/projects/waterways/locks --no-pager push origin gates"),
        chars=140,
    )

    assert section(text, CHANGED) == ["- [Bash git push origin gates] The gates are ready for the upper lock."]


def test_a_command_is_known_by_more_than_its_program() -> None:
    pattern = "(level|gate|paddle|sluice|weir|lock)_of_north"
    text = summary(*ran(f"rg -n '{pattern}' src", "src/north_1.py holds level_of_north"), chars=125)

    assert text == f"{FOUND}\n- [Bash rg -n '(level|gate|paddle|sluice|weir|l…] src/north_1.py holds level_of_north"


def test_the_same_command_elsewhere_overcomes_nothing() -> None:
    text = summary(*ran("cd upper && make test", "FAIL test_gate_7"), *ran("cd lower && make test", "gate_7 is fine"))

    assert "worked later" not in text


def test_another_way_to_look_at_the_end_is_the_same_command() -> None:
    text = summary(
        *ran("make test 2>&1 | tail -30", "FAIL test_gate_7"), *ran("make test 2>&1 | tail -5", "gate_7 is fine")
    )

    assert "worked later" in text


def test_what_a_command_is_for_is_told_apart_from_it() -> None:
    text = summary(*ran("git push origin gates", description="Bring the gates to the others"))

    assert section(text, CHANGED) == ["- [Bash] git push origin gates # Bring the gates to the others"]


def test_a_label_does_not_repeat_what_the_text_begins_with() -> None:
    text = summary(*ran("git push origin gates"), *ran("git push origin gates"), chars=90)

    assert text == f"{CHANGED}\n- [Bash, 2 times] git push origin gates"


def test_the_number_of_a_line_is_no_name() -> None:
    lines = "\n".join(f"{n}→    }}" for n in range(400, 480))

    assert summary(call("Read", {"path": "locks/gate.py"}), result(lines), said("assistant", "gate_7 leaks.")) == (
        f"{FOUND}\n- gate_7 leaks."
    )


def test_what_a_harness_says_around_an_output_is_not_quoted() -> None:
    around = "Chunk ID: 8ab4\nWall time: 1.02 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n"

    done = summary(*ran("ls locks", f"{around}gate_7.py gate_8.py"))
    running = summary(*ran("make serve", around.replace("exited with code 0", "running with session ID 4711") + "up"))

    assert "Chunk" not in done
    assert "gate_7.py gate_8.py" in done
    assert "session ID 4711" in running


def test_how_a_result_is_to_look_is_not_told() -> None:
    text = summary(
        call("Grep", {"pattern": "gate_7", "path": "locks", "output_mode": "content", "-C": 3, "head_limit": 30}),
        result("locks/gate.py"),
    )

    assert section(text, FOUND) == ["- [Grep locks] locks/gate.py"]


def test_a_change_that_failed_without_a_word_ends_without_a_gap() -> None:
    text = summary(
        said("assistant", "Now I widen paddle_2."), call("Edit", {"path": "locks/gate.py", "new": ""}), result("", "1")
    )

    assert not text.endswith("…")


def test_of_a_file_that_was_written_anew_only_the_newest_content_is_told() -> None:
    rota = "day;early;late\nMonday;{};Boll\nTuesday;Ceylan;{}"
    text = summary(
        *(
            call("write_file", {"path": "plan/rota.csv", "text": rota.format("Ahrens", "Dorn")}),
            result("wrote 3 lines"),
        ),
        *(
            call("write_file", {"path": "plan/rota.csv", "text": rota.format("Dorn", "Ahrens")}),
            result("wrote 3 lines"),
        ),
    )

    assert "[write_file plan/rota.csv, 2 times]" in text
    assert "Monday;Dorn;Boll Tuesday;Ceylan;Ahrens" in text
    assert "Monday;Ahrens" not in text


def test_a_file_that_could_not_be_written_anew_is_told_as_it_is() -> None:
    text = summary(
        *(call("write_file", {"path": "plan/rota.csv", "text": "Monday;Ahrens;Boll"}), result("wrote 1 line")),
        *(call("write_file", {"path": "plan/rota.csv", "text": "Monday;Dorn;Boll"}), result("Error: file is locked")),
    )

    assert "[write_file plan/rota.csv] Monday;Ahrens;Boll" in section(text, CHANGED)[0]


def test_attempts_that_differ_in_a_number_are_told_by_the_newest() -> None:
    tries = [
        one
        for n in range(20)
        for one in (
            *(call("edit_file", {"path": "locks/gate.py", "old": "", "new": f"delay_ms = {n}00"}), result("ok")),
            *ran("make test", f"FAILED test_gate_opens: no answer after {n}01 ms"),
        )
    ]

    text = summary(*tries)

    assert section(text, CHANGED) == ["- [edit_file locks/gate.py, 20 times] delay_ms = 1900"]
    assert section(text, "Errors:") == ["- [Bash make test, 20 times] FAILED test_gate_opens: no answer after 1901 ms"]


def test_what_another_agent_reports_is_told_before_what_it_was_asked() -> None:
    asked = "Look for callers of open_gate in package_3, and follow all imports. Report file and line."
    report = "package_3/lock_3.py:36 calls open_gate without a level."

    text = summary(call("Task", {"prompt": asked}), result(report), chars=160)

    assert report in text


def test_names_in_a_script_without_spaces_are_found() -> None:
    text = summary(
        said("assistant", "棚B-17の記録は25件ありました。重複は2件です。"),
        said("assistant", "確認しました。続けます。"),
    )

    assert text == f"{FOUND}\n- 棚B-17の記録は25件ありました。 重複は2件です。"
