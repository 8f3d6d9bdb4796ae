"""What a program writes in a user's name is told from what the user says, by its source and by its form."""

import pytest

from tailrace.agents.messages.program_notes import as_written, elements, is_note
from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

NOTES = [
    "<sluice-status>Gate 4 was opened by hand. Do not answer this.</sluice-status>",
    "<kitchen-printer>\nTicket 51 was printed at the pass.\n</kitchen-printer>\n",
    "<tool-name>/reset</tool-name>",
    "<shell-input>ls barn</shell-input><shell-output>hay\nrope</shell-output>",
    "<session_interrupted></session_interrupted>",
    '<sensor_feed at="07:00">humidity is 41 percent</sensor_feed>',
    "<user-prompt-hook>You must load the price list first.</user-prompt-hook>",
    "<build-finished>hull 7 welded</build-finished>\n<build-log>no errors found today</build-log>",
]
WORDS = [
    "<task>Paint the fence. Never use red.</task>",
    "<user_query>Which ewes were shorn in May?</user_query>",
    "<tool-name>/paint</tool-name><tool-args>the fence, but not the gate</tool-args>",
    "<tool-message>count-the-herd</tool-message>\n<tool-name>/count-the-herd</tool-name>\n<tool-args></tool-args>",
    "<bug_report>The till must not round down.</bug_report>",
    "<coding_style>Always use tabs.</coding_style>",
    "<user_message>Send the invoice by Friday.</user_message>",
    "<house-rules>No shoes on the deck.</house-rules>",
    "<gate-status>open</gate-status> Why is it open? You must close it.",
    "What does <gate-status> mean?</gate-status>",
    "You must keep the <b>old</b> lock.",
    "[x] ordered the seals, [ ] must order the pump",
    "<b>Never</b> sell the mare.",
]


def user(text: str) -> Message:
    return Message(role="user", parts=(TextPart(content=text),))


def summary(*messages: Message) -> str:
    return extract_summary(messages, budget_tokens=1_000, count_text=len)


@pytest.mark.parametrize("text", NOTES)
def test_tags_as_programs_name_them_are_a_note(text: str) -> None:
    assert is_note(elements(text))
    assert "What the user asked for" not in summary(user(text))


@pytest.mark.parametrize("text", WORDS)
def test_what_a_person_asks_for_is_no_note(text: str) -> None:
    assert not is_note(elements(text))
    assert summary(user(text)).startswith("What the user asked for and demands:\n- ")


def test_what_a_program_says_is_told_as_found_and_without_its_tags() -> None:
    note = user("<shell-input>ls barn_2</shell-input><shell-output>hay.csv is 41 kB\nrope.csv</shell-output>")
    demand = user("You must count the ropes.")

    assert summary(note, demand) == (
        "What the user asked for and demands:\n- You must count the ropes.\n"
        "What was said and found:\n- [program] ls barn_2 hay.csv is 41 kB rope.csv"
    )


def test_a_command_stands_in_a_summary_as_it_was_typed() -> None:
    command = user(
        "<tool-message>shear</tool-message><tool-name>/shear</tool-name><tool-args>the ewes of pen 4</tool-args>"
    )

    assert summary(command) == "What the user asked for and demands:\n- /shear the ewes of pen 4"


def test_the_source_tells_where_the_form_does_not() -> None:
    text = "The weighbridge reports lorry K-771. You must not answer this."

    assert summary(as_written(user(text), "program")).startswith("What was said and found:\n- [program] ")
    assert summary(as_written(user(text), "scale")).startswith("What the user asked for")
    assert as_written(Message(role="assistant", parts=()), "program").role == "assistant"


def test_what_was_found_so_is_still_found_in_a_summary_of_the_summary() -> None:
    once = summary(as_written(user("Lorry K-771 weighs 41 tons. You must not answer."), "program"))
    again = summary(Message(role="assistant", parts=(TextPart(content=once),)))

    assert "What the user asked for" not in again
    assert "[program] " in again


def test_tags_without_an_end_are_read_once() -> None:
    assert elements("<gate-status>" * 50_000 + "</gate-state>") == []
