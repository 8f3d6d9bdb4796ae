"""Summaries without a model: what the assistant found is told while there is room, and first what is asked for now."""

import pytest
from corpora.findings import CONCLUDING, STATING, TALKING
from support.extracts import FOUND, call, ran, result, said, summary, under

from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart

LOOKED = call("inspect", {"what": "rack_41"}), result("rack_41: seen")


@pytest.mark.parametrize("text", [*CONCLUDING, *STATING])
def test_what_was_found_is_told_while_there_is_room(text: str) -> None:
    assert " ".join(text.split()) in under(summary(said("assistant", text), *LOOKED), FOUND)


@pytest.mark.parametrize("text", TALKING)
def test_talk_without_a_name_is_not_told(text: str) -> None:
    # Somebody writes its words in small letters, so none of them is a name.
    assert text not in extract_summary(
        [said("assistant", text), *LOOKED], budget_tokens=2_000, count_text=len, staying_text=text.lower()
    )


def test_a_conclusion_goes_before_what_is_merely_so() -> None:
    talk = [said("assistant", "The old mill has a slate roof."), said("assistant", "The roof leaks because it sags.")]

    assert summary(*talk, chars=75) == f"{FOUND}\n- The roof leaks because it sags."


def test_what_was_found_survives_summaries_of_summaries() -> None:
    text = summary(said("assistant", CONCLUDING[0]))
    for _ in range(5):
        earlier = Message(role="assistant", parts=(CompactionPart(content=f"[Summary]\n{text}"),))
        text = summary(earlier, *LOOKED)

    assert CONCLUDING[0] in text


def test_what_another_agent_reports_in_prose_is_told() -> None:
    text = summary(call("delegate", {"task": "look at the roof"}), result("The roof leaks because two tiles are gone."))

    assert "two tiles are gone" in under(text, FOUND)


ANSWERS = [
    ("Why does the cellar smell of gas?", "The smell comes from the old stove in the cellar."),
    ("What is wrong with pump_9?", "The impeller of pump_9 rubs against its housing."),
    ("Warum ist der Vertrag noch offen?", "Den Vertrag hat der Vermieter zurückgeschickt, noch offen ist die Kaution."),
    ("Can the choir rehearse on Friday?", "On Friday the choir rehearses in the chapel."),
    ("¿Quién tiene la llave del almacén?", "El capataz guarda la llave del almacén."),
]
BESIDE = [
    "The windows were painted white last spring.",
    "The gardener prefers the small wheelbarrow.",
    "The neighbours painted the other gate.",
    "The piano stands behind the green curtain.",
    "The baker sleeps until the afternoon.",
]


@pytest.mark.parametrize(("asked", "answer"), ANSWERS)
def test_what_is_said_of_that_which_is_asked_now_goes_before_the_rest(asked: str, answer: str) -> None:
    talk = [said("assistant", text) for text in (*BESIDE[:2], answer, *BESIDE[2:])]
    chars = len(FOUND) + len(answer) + 10

    text = extract_summary(talk, budget_tokens=chars + chars // 4, count_text=len, staying_text=asked, asked=asked)

    assert answer in text


def test_what_everything_is_about_is_nothing_that_is_asked_for() -> None:
    talk = [said("assistant", f"The bridge has a pillar number {number}.") for number in range(30)]
    short = said("assistant", "It is wet, so wait.")

    asked = "How many pillars has the bridge, and how high is it?"

    text = extract_summary(
        [*talk, short], budget_tokens=len(FOUND) + 40, count_text=len, staying_text=asked, asked=asked
    )

    assert text == f"{FOUND}\n- It is wet, so wait."


def test_an_address_that_the_assistant_uses_is_a_name() -> None:
    address = "http://valley.example/level"
    talk = [*(call("open", {"what": address}, str(n)) for n in range(3)), said("assistant", "The river was calm.")]

    assert address in summary(*talk, chars=120)


def test_a_number_that_the_assistant_uses_again_is_worth_as_much_as_a_name() -> None:
    talk = [
        said("assistant", "Valve 4711 is open."),
        said("assistant", "Valve 4711 it was."),
        said("assistant", "Only gate_77 is open."),
    ]

    assert "4711" in summary(*talk, chars=60)


def test_a_long_path_is_not_cut() -> None:
    path = "D:\\valley\\keeper\\documents\\of-the-year\\locks\\spring\\inspections\\second\\report-of-the-lower-gate.md"

    assert f"[Write {path}]" in summary(call("Write", {"path": path, "text": "x"}), result("ok"))


@pytest.mark.parametrize("note", ["[result expired]", "[Pruned - 412 tokens]"])
def test_a_note_of_what_was_taken_out_is_not_quoted(note: str) -> None:
    text = summary(*ran("git add gates/flow.py", note), *ran("cat gates/flow_12.py", note))

    assert note not in text
    assert "[Bash] git add gates/flow.py" in text
