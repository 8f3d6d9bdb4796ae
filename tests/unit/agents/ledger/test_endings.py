"""How people end what was asked for and planned, and what sounds like it and is not."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from support.obligation_thread import answered, assistant, called, chosen, owed, user

from tailrace.schemas.records.ledger import ObligationKind
from tailrace.schemas.records.message import Message

WORK = (
    user("Refactor the billing."),
    assistant("Plan:\n1. Move invoices\n2. Move credits\n\nI'll begin once the tests pass."),
)
WANTED = (ObligationKind.TASK, ObligationKind.ADDED, ObligationKind.PLAN, ObligationKind.NEXT_STEP)
LEFT = ["Refactor the billing.", "1. Move invoices; 2. Move credits", "I'll begin once the tests pass."]


def wanted(*messages: Message) -> list[str]:
    return owed([*WORK, *messages], *WANTED)


@pytest.mark.parametrize(
    "text",
    [
        "Drop all of that.",
        "forget the plan",
        "Never mind, leave it",
        "stop here",
        "Stop!",
        "Ok, let's leave it at that.",
        "Scrap the whole thing, please.",
        "No need to continue.",
        "That's all, thanks!",
        "Vergiss das alles.",
        "Nein, hör auf damit.",
        "Lass gut sein.",
        "Brich das ab.",
        "Laisse tomber.",
        "Oublie tout ça.",
        "Arrête là.",
        "Olvídalo.",
        "Déjalo así.",
        "Olvida el plan, por favor.",
        "Lascia perdere.",
        "Esqueça tudo isso.",
        "Laat maar zitten.",
        "Забудь об этом.",
        "算了吧",
        "算了，不用写了。",
        "别弄了。",
        "忘了这个计划吧",
        "やめてください",
    ],
)
def test_a_person_may_end_all_that_was_asked_for_and_planned(text: str) -> None:
    assert wanted(user(text)) == []


@pytest.mark.parametrize("text", ["continue", "Go on, please.", "weiter", "继续", "Thanks!"])
def test_whoever_sends_somebody_on_ends_nothing(text: str) -> None:
    assert wanted(user(text)) == LEFT


@pytest.mark.parametrize(
    "text",
    [
        "drop the table of invoices",
        "stop the server",
        "Stop here for today, we continue tomorrow.",
        "never mind the old rule",
        "leave the lights on",
        "Leave it to me.",
        "don't stop",
        "cancel it",
        "Stop using tabs.",
        "Vergiss die alten Rechnungen nicht.",
        "Lass die Tür offen.",
        "Oublie la porte de gauche.",
        "Para dos personas.",
        "不要打开闸门。",
        "取消订单",
    ],
)
def test_what_names_something_or_only_pauses_ends_nothing(text: str) -> None:
    assert set(LEFT) <= set(wanted(user(text)))


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Ok, forget it. Book a hotel in Oslo instead.", "Book a hotel in Oslo instead."),
        ("Drop all of that - what is the weather?", "what is the weather?"),
        ("Vergiss das, such mir lieber ein Hotel.", "such mir lieber ein Hotel."),
        ("算了，帮我订酒店。", "帮我订酒店。"),
    ],
)
def test_what_else_is_said_is_the_task_then(text: str, task: str) -> None:
    assert wanted(user(text)) == [task]


def test_where_a_question_is_open_a_short_refusal_answers_only_that() -> None:
    asked = assistant("Shall I move the credits first?")

    assert wanted(asked, user("No need."))[:1] == ["Refactor the billing."]
    assert "1. Move invoices; 2. Move credits" in wanted(asked, user("Leave it."))
    assert chosen([*WORK, asked, user("Leave it.")])[0][0] == "Shall I move the credits first? - Leave it."
    assert wanted(asked, user("Stop. Forget the whole thing.")) == []


def test_what_runs_goes_on_whatever_is_dropped() -> None:
    started = (called("start_export", {"table": "gates"}), answered('{"job_id": "exp-17", "status": "running"}'))

    assert owed([*WORK, *started, user("Drop all of that.")], ObligationKind.BACKGROUND) == [
        "start_export gates [exp-17]"
    ]
