"""What the task is.

Over several messages, with details, answers and other questions on the way, and when another one begins.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from support.obligation_thread import answered, assistant, called, ledger_of, owed, user

from tailrace.agents.ledger.obligations import TASK_TURNS_MAX
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import ObligationKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart


def asked(*messages: Message) -> list[str]:
    return owed(messages, ObligationKind.TASK, ObligationKind.ADDED)


def test_a_task_may_come_in_several_messages() -> None:
    assert asked(user("I need a report about the pumps."), user("It covers 2030."), user("And make it short.")) == [
        "I need a report about the pumps.",
        "It covers 2030.",
        "And make it short.",
    ]


@pytest.mark.parametrize(
    ("task", "report", "detail"),
    [
        ("Write a report about the pumps.", "The report is written.", "make it shorter"),
        ("Write a report about the pumps.", "The report is written.", "Also add a table of costs."),
        ("Schreib einen Bericht.", "Er ist fertig.", "Und jetzt noch auf Englisch."),
        ("Écris un rapport.", "C'est fait.", "Et ajoute un tableau."),
        ("Escribe un informe.", "Hecho.", "También en inglés, por favor."),
        ("写一份报告。", "写好了。", "另外加一个表格。"),
    ],
)
def test_a_detail_leaves_the_task_what_it_is(task: str, report: str, detail: str) -> None:
    assert asked(user(task), assistant(report), user(detail)) == [task, detail]


@pytest.mark.parametrize(
    ("task", "report", "later"),
    [
        ("Write a report about the pumps.", "The report is written.", "Book a ferry to Oslo for Monday."),
        ("Cancel booking AB12CD.", "It is cancelled. Is there anything else?", "Yes, change my seat on XY34ZW."),
        ("Mach das Licht aus.", "Das Licht ist aus.", "Stell die Heizung auf 20 Grad."),
    ],
)
def test_what_is_asked_after_a_report_that_leaves_nothing_open_is_another_task(
    task: str, report: str, later: str
) -> None:
    assert asked(user(task), assistant(report), user(later)) == [later]


def test_a_question_on_the_way_is_over_once_it_is_answered() -> None:
    plan = called("update_todos", {"todos": [{"content": "move invoices", "status": "in_progress"}]})
    begin = [user("Refactor the billing."), plan, answered("ok"), user("What port does the database use?")]

    assert asked(*begin) == ["Refactor the billing.", "What port does the database use?"]
    assert asked(*begin, assistant("Port 5432."), user("Ok, continue.")) == ["Refactor the billing."]


def test_whoever_answers_has_not_ended_the_larger_task() -> None:
    talk = [user("Refactor the billing."), assistant("Shall I begin with the invoices?"), user("Yes.")]

    assert asked(*talk) == ["Refactor the billing.", "Shall I begin with the invoices? - Yes."]


@pytest.mark.parametrize("text", ["No, thanks.", "Nein, danke!", "Thank you!", "没有了，谢谢"])
def test_whoever_declines_or_thanks_asks_for_nothing(text: str) -> None:
    talk = [user("Cancel booking AB12CD."), assistant("It is cancelled. Is there anything else?"), user(text)]

    assert asked(*talk) == ["Cancel booking AB12CD."]
    assert owed(talk, ObligationKind.CONFIRMATION) == []
    assert ledger_of(talk).evidence[-1].text != f"Is there anything else? - {text}"
    assert "Open:" not in render(ledger_of(talk), tokens_max=1_000, count_text=len)


def test_a_task_that_was_reported_on_is_open_again_once_somebody_wants_more() -> None:
    talk = [user("Paint the gates."), assistant("Gate 1 is painted.")]

    assert "asked: Paint" not in render(ledger_of(talk), tokens_max=1_000, count_text=len)
    assert "- asked: Paint the gates." in render(ledger_of([*talk, user("Go on.")]), tokens_max=1_000, count_text=len)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Hi!\n\nCould you move the gauge to port 9090?\nThe old one is taken.",
            "Could you move the gauge to port 9090? The old one is taken.",
        ),
        ("```\nTraceback of weir.py\n```\nFind out why this happens.", "Find out why this happens."),
        ("[3 files attached]\nCompare them, please.", "Compare them, please."),
        ("> you wrote that it is shut\nWhich gate did you mean?", "Which gate did you mean?"),
        ("Please do these:\n- shut gate 3\n- open gate 4", "Please do these: - shut gate 3 - open gate 4"),
    ],
)
def test_the_task_is_told_without_greetings_and_pasted_text(text: str, told: str) -> None:
    assert asked(user(text)) == [told]


def test_a_programs_note_asks_for_nothing() -> None:
    assert asked(user("Look at the gates."), user("[Request interrupted by user]")) == ["Look at the gates."]


def test_what_a_person_types_beside_results_counts() -> None:
    beside = Message(
        role="user",
        parts=(ToolCallResponsePart(id="c1", response="All fine."), TextPart(content="Also look at gate 7.")),
    )
    repeated = Message(
        role="user", parts=(ToolCallResponsePart(id="c1", response="All fine."), TextPart(content="All fine."))
    )
    begin = [user("Look at the gates."), called("look", {"at": "gates"})]

    assert asked(*begin, beside) == ["Look at the gates.", "Also look at gate 7."]
    assert asked(*begin, repeated) == ["Look at the gates."]


def test_a_task_that_nobody_ends_is_given_up_some_day() -> None:
    asides = [user(f"Put gauge {number} on the list too.") for number in range(TASK_TURNS_MAX + 2)]

    assert asked(user("Refactor the billing."), *asides[:3])[0] == "Refactor the billing."
    assert "Refactor the billing." not in asked(user("Refactor the billing."), *asides)


def test_a_note_of_a_program_asks_for_nothing() -> None:
    note = "<gate-status>Gate 4 was opened by hand. Do not answer this.</gate-status>"
    assert asked(user("Paint the fence."), user(note)) == ["Paint the fence."]


@pytest.mark.parametrize(
    ("tagged", "request_in_it"),
    [
        ("<task>Paint the fence.</task>", "Paint the fence."),
        (
            "<shortcut>paint</shortcut>\n<shortcut_name>/paint</shortcut_name>\n<with>the fence, green</with>",
            "/paint the fence, green",
        ),
        ("<b>Old</b>\nWhy is this word bold?", "Why is this word bold?"),
    ],
)
def test_of_a_message_that_is_all_tags_what_stands_between_them_is_asked(tagged: str, request_in_it: str) -> None:
    assert asked(user(tagged)) == [request_in_it]
