"""Summaries without a model: what they keep, in which form, and that they fit."""

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, TextPart, ToolCallPart, ToolCallResponsePart

DEMAND = "Never open more than two gates at once."
PLAIN = "The river was calm and the sky was grey over the hills all day long. "


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def call(call_id: str, tool: str, **arguments: Any) -> Message:
    return Message(role="assistant", parts=(ToolCallPart(id=call_id, name=tool, arguments=arguments),))


def result(call_id: str, text: str) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=text),))


def summary(*messages: Message, tokens: int = 1_000, known: str = "") -> str:
    return extract_summary(messages, budget_tokens=tokens, count_text=len, staying_text=known)


def test_a_demand_outlasts_everything_else() -> None:
    talk = [
        said("user", f"{PLAIN}{DEMAND} {PLAIN}"),
        *(said("assistant", f"gate_{n} is at {n}00 mm") for n in range(200)),
    ]

    assert summary(*talk, tokens=100) == f"What the user asked for and demands:\n- {DEMAND}"


def test_a_change_stands_beside_what_was_said_about_it() -> None:
    text = summary(
        said("assistant", "The sensor counts twice, so I halve its reading."),
        call("1", "Edit", file_path="/srv/gates/flow.py", old_string="x", new_string="half_flow = reading / 2"),
        result("1", "The file was updated."),
        call("2", "Edit", file_path="/srv/gates/flow.py", old_string="y", new_string="low_flow = 3"),
        result("2", "The file was updated."),
    )

    about = "The sensor counts twice, so I halve its reading. … half_flow = reading / 2 … low_flow = 3"
    assert text == f"What was changed:\n- [Edit /srv/gates/flow.py, 2 times] {about}"


def test_every_change_without_a_path_is_told_apart() -> None:
    text = summary(
        *(call("1", "cancel_booking", booking="VA5SGQ"), result("1", "ok")),
        *(call("2", "cancel_booking", booking="H9ZU1C"), result("2", "ok")),
    )

    assert text == "What was changed:\n- [cancel_booking] VA5SGQ\n- [cancel_booking] H9ZU1C"


def test_a_change_is_told_even_where_there_is_nothing_to_quote() -> None:
    text = summary(call("1", "delete_file", path="gates/old.py"), result("1", ""))

    assert text == "What was changed:\n- [delete_file gates/old.py]"


def test_an_error_names_the_command_that_failed() -> None:
    text = summary(call("1", "Bash", command="make gates"), result("1", "weir.c:9: error: level undeclared"))

    assert "Errors:\n- [Bash make gates] weir.c:9: error: level undeclared" in text


def test_names_that_the_assistant_uses_go_before_names_that_a_tool_shows() -> None:
    shown = "\n".join(
        f"sensor_{number} reports nothing of interest to anybody in this valley today" for number in range(50)
    )
    talk = [result("1", shown), said("assistant", "It is sensor_77 that matters."), result("2", shown)]

    assert summary(*talk, tokens=60) == "What was said and found:\n- It is sensor_77 that matters."


def test_what_stays_in_the_context_is_not_repeated() -> None:
    talk = [
        said("assistant", "Gate gate_41 sticks in the cold."),
        said("assistant", "Gate gate_42 sticks in the heat."),
    ]

    assert "gate_42" in summary(*talk, tokens=63)
    assert "gate_41" in summary(*talk, tokens=63, known="gate_42 was repaired")


def test_nothing_worth_saying_is_an_empty_text() -> None:
    assert summary() == ""
    assert summary(result("1", PLAIN)) == ""
    assert summary(said("user", DEMAND), tokens=10) == ""


def test_pieces_that_stood_together_are_quoted_together() -> None:
    text = summary(said("user", f"{DEMAND} Always close gate_9 first. {PLAIN}Only at night."))

    assert f"- {DEMAND} Always close gate_9 first. … Only at night." in text


def test_a_demand_survives_ten_summaries_of_summaries() -> None:
    text = summary(
        *(said("system", "You must log every move."), said("user", DEMAND)),
        *(call("0", "Write", path="a/plan.md", text="x"), result("0", "")),
    )
    for turn in range(10):
        earlier = Message(role="assistant", parts=(CompactionPart(content=f"[Summary {turn}]\n{text}"),))
        news = [said("assistant", f"In turn {turn} gate_{turn}{n} moved to {n}50 mm.") for n in range(50)]
        text = summary(earlier, *news, tokens=400)

    assert (
        f"Standing instructions:\n- You must log every move.\nWhat the user asked for and demands:\n- {DEMAND}\n"
        in text
    )
    assert "- [Write a/plan.md]" in text


def test_changes_before_and_after_a_summary_are_counted_together() -> None:
    edit = call("1", "Edit", path="a/weir.py", new="level = 9"), result("1", "")
    earlier = said("assistant", summary(*edit, *edit))

    assert "- [Edit a/weir.py, 3 times] level = 9" in summary(earlier, *edit)


def test_what_is_counted_around_the_summary_is_paid_once() -> None:
    talk = [said("user", f"Never open gate_{number}.") for number in range(20)]

    text = extract_summary(talk, budget_tokens=400, count_text=lambda text: 100 + len(text))

    assert 250 < len(text) <= 300


_SAME = """
from tests.unit.agents.summary.extract.test_extraction import varied, extract_summary
print(extract_summary(varied(), budget_tokens=900, count_text=len))
"""


def varied() -> Sequence[Message]:
    """Messages in which many pieces are worth the same."""
    talk = [said("user", " ".join(f"Never move gate_{n}." for n in range(30)))]
    talk += [said("assistant", f"Gates gate_{n}, weir_{n} and lock_{n} move alike.") for n in range(30)]
    return talk


def test_the_text_does_not_depend_on_the_order_of_sets() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-c", _SAME],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(texts) == 1


def test_the_latest_report_goes_before_older_ones_but_not_before_what_was_changed() -> None:
    def report(n: int) -> Message:
        return said(
            "assistant",
            "\n".join(f"Gate {k} got the seal_{n}_{k} that was in the shed by the {n}th weir." for k in range(9)),
        )

    change = call("1", "Edit", file_path="/srv/gates/flow.py", new_string="half_flow = reading / 2")
    talk = [
        report(1),
        report(2),
        change,
        result("1", "ok"),
        report(3),
        said("user", "Thanks."),
        said("assistant", "Done."),
    ]
    text = summary(*talk, tokens=500)

    assert "[Edit /srv/gates/flow.py]" in text
    assert "seal_3_" in text
    assert "seal_1_" not in text
    assert "seal_3_" not in summary(*talk, tokens=120)


def test_a_long_path_is_known_by_its_end() -> None:
    path = "D:\\" + "\\".join(["gates"] * 20) + "\\sill.py"

    assert "gates\\sill.py] sill = 4" in summary(
        call("1", "Write", file_path=path, content="sill = 4 metres"), result("1", "")
    )
