"""Promises of the assistant: what ends them, and what does not."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from support.obligation_thread import answered, assistant, called, ledger_of, owed, user

from tailrace.agents.ledger.obligations import NEXT_TURNS_MAX, PROMISES_MAX, WAITING_TURNS_MAX
from tailrace.schemas.records.ledger import ObligationKind
from tailrace.schemas.records.message import Message

NOTES = "I'll send the migration notes once the backup finishes."


def promised(*messages: Message) -> list[str]:
    return owed(messages, ObligationKind.NEXT_STEP)


@pytest.mark.parametrize(
    ("promise", "aside", "reply"),
    [
        (NOTES, "what is the weather in the north office?", "Sunny, 20 degrees."),
        ("I'll remind you on Friday about the invoice.", "Which gate is open?", "Gate 3."),
        ("I will keep an eye on the pump and report back.", "Who is on duty?", "Mara."),
        ("Ich melde mich, sobald die Fähre bestätigt ist.", "Wie wird das Wetter?", "Sonnig."),
        ("Ich werde dir morgen die Rechnung schicken.", "Wer hat heute Dienst?", "Mara."),
        ("Je vous enverrai le rapport dès que l'audit sera terminé.", "Quelle heure est-il ?", "Midi."),
        ("Te avisaré cuando llegue el paquete.", "¿Qué tiempo hace?", "Hace sol."),
        ("备份完成后我会把迁移说明发给你。", "今天天气怎么样？", "晴天。"),
    ],
)
def test_a_promise_outlasts_what_says_nothing_about_it(promise: str, aside: str, reply: str) -> None:
    assert promised(user("Go."), assistant(promise), user(aside), assistant(reply)) == [promise]


@pytest.mark.parametrize(
    ("promise", "kept"),
    [
        (NOTES, "I have sent the migration notes to everybody."),
        ("I'll build the fence tomorrow.", "The fence is built: I built it this morning."),
        ("Ich werde dir morgen die Rechnung schicken.", "Ich habe dir die Rechnung geschickt."),
        ("Je vous enverrai le rapport dès que l'audit sera terminé.", "J'ai envoyé le rapport."),
        ("Ich werde den Pegel nach dem Regen prüfen.", "Ich habe den Pegel geprüft, alles gut."),
        ("Enviaré el informe mañana.", "He enviado el informe."),
        ("备份完成后我会把迁移说明发给你。", "迁移说明已经发给你了。"),
    ],
)
def test_a_promise_ends_when_it_is_said_to_be_kept(promise: str, kept: str) -> None:
    assert promised(user("Go."), assistant(promise), user("And the pumps?"), assistant(kept)) == []


@pytest.mark.parametrize(
    "report",
    [
        "I have not sent the migration notes yet.",
        "The migration notes could be sent on Monday.",
        "Should the migration notes be sent to Mara?",
        "The backup has finished.",
    ],
)
def test_a_promise_is_not_kept_by_speaking_of_it(report: str) -> None:
    assert NOTES in promised(assistant(NOTES), user("And?"), assistant(report))


def test_a_promise_ends_with_the_call_that_does_it_and_not_with_one_that_fails() -> None:
    call = called("send_email", {"to": "all@weirs.example", "subject": "Migration notes"})
    begin = (assistant(NOTES), user("The backup is through."), call)

    assert promised(*begin, answered("sent")) == []
    assert promised(*begin, answered("Error: no route to host")) == [NOTES]
    assert promised(*begin, answered("", is_error=True)) == [NOTES]


@pytest.mark.parametrize(
    "text",
    [
        "No need to send the migration notes, I did that.",
        "Don't send any migration notes.",
        "Forget the migration notes, nobody wants me to send those.",
    ],
)
def test_a_person_may_call_a_promise_off(text: str) -> None:
    assert promised(assistant(NOTES), user(text)) == []
    assert promised(assistant(NOTES), user("Don't open gate 7.")) == [NOTES]


def test_the_assistant_may_take_a_promise_back_or_make_it_anew() -> None:
    later = "I'll send the migration notes on Monday."

    assert promised(assistant(NOTES), user("?"), assistant("I won't send the migration notes: they are secret.")) == []
    assert promised(assistant(NOTES), user("?"), assistant(later)) == [later]


def test_what_comes_next_is_the_task_once_somebody_agrees() -> None:
    talk = [user("Repair the weir."), assistant("The basin is dry. Next I'll weld the sill."), user("Ok, go on.")]

    assert promised(*talk) == []
    assert owed(talk, ObligationKind.TASK, ObligationKind.ADDED) == [
        "Repair the weir.",
        "Next I'll weld the sill. - Ok, go on.",
    ]


def test_what_comes_next_gives_way_to_another_step_only() -> None:
    weld = (user("Repair the weir."), assistant("Next I'll weld the sill."))

    assert promised(*weld, user("How cold is it?"), assistant("12 degrees.")) == ["Next I'll weld the sill."]
    assert promised(*weld, user("How cold is it?"), assistant("Cold. Next I'll paint the gate.")) == [
        "Next I'll paint the gate."
    ]
    assert promised(*weld, user("Thanks!")) == ["Next I'll weld the sill."]


@pytest.mark.parametrize(
    "text",
    [
        "If you like, I'll also paint the gate. Let me know.",
        "I'll be happy to help.",
        "I won't touch the gates.",
        "I'll wait for your answer.",
        "Shall I say that I'll paint it?",
        '{"reason": "The next step is to count the gates"}',
        "Ich würde danach den Anfang streichen.",
        "Done. The gate is shut.",
    ],
)
def test_offers_courtesies_and_refusals_are_no_promises(text: str) -> None:
    assert promised(user("Go."), assistant(text)) == []


def test_one_report_may_promise_several_things() -> None:
    text = "I'll remind you on Friday about the invoice. And I'll check the pump again tomorrow."

    assert promised(assistant(text), user("Thanks!")) == [
        "I'll remind you on Friday about the invoice.",
        "And I'll check the pump again tomorrow.",
    ]


def test_promises_are_bounded_in_number_and_age_and_have_a_clock() -> None:
    places = ("north", "south", "upper", "lower", "eastern", "western")
    many = [assistant(f"I'll inspect the {place} {place}weir tomorrow.") for place in places]
    small_talk = [user("Which gate is open?"), assistant("Gate 3.")]

    assert promised(*many) == [f"I'll inspect the {one} {one}weir tomorrow." for one in places[-PROMISES_MAX:]]
    assert promised(assistant(NOTES), *(small_talk * WAITING_TURNS_MAX)) == [NOTES]
    assert promised(assistant(NOTES), *(small_talk * (WAITING_TURNS_MAX + 1))) == []
    next_step = assistant("Next I'll weld the sill.")
    assert promised(next_step, *(small_talk * NEXT_TURNS_MAX)) == ["Next I'll weld the sill."]
    assert promised(next_step, *(small_talk * (NEXT_TURNS_MAX + 1))) == []
    ledger = ledger_of([user("Go."), assistant(NOTES), user("Which gate is open?")])
    (one,) = [one for one in ledger.obligations if one.kind is ObligationKind.NEXT_STEP]
    assert (one.since_ms, one.source, one.turn) == (1_000, "m1", 1)


@pytest.mark.parametrize("agreed", ["Ok.", "How cold is it?"])
def test_of_two_steps_in_one_report_the_other_stands_when_one_is_done(agreed: str) -> None:
    both = assistant("I'll number the exhibits. Then I'll call Judge Abara about the date.")
    left = ["Then I'll call Judge Abara about the date."]

    assert promised(user("Prepare the trial."), both, user(agreed), assistant("The exhibits are numbered.")) == left


BADGES = "I'll print 60 badges this afternoon."


@pytest.mark.parametrize(
    ("promise", "text"),
    [
        (BADGES, "Cancel the badges."),
        (BADGES, "Skip the badges please. We need chairs."),
        (BADGES, "Don't print any."),
        ("Ich werde morgen die Ausweise drucken.", "Vergiss die Ausweise."),
        ("J'imprimerai les badges demain.", "Oublie les badges."),
    ],
)
def test_a_promise_is_called_off_by_what_it_is_about(promise: str, text: str) -> None:
    assert promised(assistant(promise), user(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget the badges.",
        "Cancel the hotel.",
        "Cancel.",
        "Do not laminate the badges.",
        "Never cancel the badges.",
    ],
)
def test_a_promise_is_not_called_off_by_what_is_about_something_else(text: str) -> None:
    assert promised(assistant(BADGES), user(text)) == [BADGES]
