"""What closes an obligation in other words, and what only speaks of it: small conversations of many trades."""

import pytest
from support.obligation_thread import answered, assistant, called, chosen, owed, user

from tailrace.schemas.records.ledger import ObligationKind
from tailrace.schemas.records.message import Message

RENDER = (called("start_render", {"scene": "mill"}), answered('{"job_id":"rn-7","status":"queued"}'))
ROOF = "Plan:\n1. Set up the scaffold\n2. Strip the tiles\n3. Replace the battens"
WARD = "Plan:\n1. Take blood samples\n2. Call the anaesthetist"


def after(first: str, *later: str) -> list[Message]:
    """A conversation in which the assistant says these, and a person something in between."""
    talk = [user("Begin."), assistant(first)]
    for said in later:
        talk += [user("What is the time?"), assistant(said)]
    return talk


@pytest.mark.parametrize(
    ("promise", "report"),
    [
        ("I'll send the brief to Ms. Tanaka tonight.", "Done."),
        ("I'll finish the rest this afternoon.", "All 28 essays are graded; the average is 2.4."),
        ("I'll call the office on Monday.", "Then I won't call them."),
        ("I'll print the worksheets and put them on your desk.", "The worksheets are printed and lie on your desk."),
        ("I'll order the yeast this evening.", "The yeast has been ordered, it comes at six."),
        ("Ich werde morgen den Mörtel bestellen.", "Der Mörtel ist bestellt und kommt am Freitag."),
        ("Ich werde den Entwurf morgen an Frau Berg schicken.", "Erledigt."),
        ("J'enverrai le devis à M. Roux demain.", "Le devis est parti chez M. Roux ce matin."),
        ("Ik zal de offerte morgen sturen.", "De offerte is verstuurd."),
        ("Traduciré el resto mañana.", "Todos los capítulos están traducidos."),
        ("Enviarei o contrato amanhã.", "O contrato foi enviado."),
    ],
)
def test_a_promise_may_be_kept_in_other_words(promise: str, report: str) -> None:
    assert owed(after(promise, report), ObligationKind.NEXT_STEP) == []


@pytest.mark.parametrize(
    ("promise", "report"),
    [
        ("I'll order the yeast this evening.", "Last week 4 kg of yeast were used."),
        ("I'll shape the 60 loaves after the rest.", "Half of the loaves are shaped."),
        ("I'll grade the essays tomorrow.", "12 of 28 essays are graded."),
        ("I'll print the worksheets tomorrow.", "I won't change the slides, they are fine."),
        ("Ich werde den Entwurf morgen an Frau Berg schicken.", "Nein, der Entwurf ist noch nicht fertig."),
        ("If the temperature drops below 180, I'll turn it up.", "The temperature is 200."),
        ("I'll call the fishmonger tomorrow morning.", "Done with the dishes."),
    ],
)
def test_a_promise_stands_where_a_part_or_something_else_was_done(promise: str, report: str) -> None:
    assert owed(after(promise, report), ObligationKind.NEXT_STEP) == [promise]


def test_a_bare_done_keeps_neither_of_two_promises() -> None:
    both = "I'll order the belt tomorrow. And I'll call the customer on Friday."

    assert len(owed(after(both, "Done."), ObligationKind.NEXT_STEP)) == 2
    assert owed(after(both, "The belt is ordered."), ObligationKind.NEXT_STEP) == [
        "And I'll call the customer on Friday."
    ]


@pytest.mark.parametrize(
    ("plan", "report", "left"),
    [
        (ROOF, "Tiles stripped, battens replaced.", ["1. Set up the scaffold"]),
        (
            ROOF,
            "1. Set up the scaffold \u2705\n2. Strip the tiles \u2705\n3. Replace the battens \u23f3",
            ["3. Replace the battens"],
        ),
        (ROOF, "All steps are done; the roof is tight again.", []),
        (ROOF, "Half of the tiles are stripped.", ROOF.split("\n")[1:]),
        (WARD, "I called the anaesthetist.", ["1. Take blood samples"]),
        (WARD, "I'll take the blood samples first, then call the anaesthetist.", WARD.split("\n")[1:]),
        (WARD, "The anaesthetist was not called yet, and the blood samples were not taken.", WARD.split("\n")[1:]),
        (WARD, "Once all steps are done, I'll tell you.", WARD.split("\n")[1:]),
        ("Étapes:\n1. Monter l'échafaudage\n2. Retirer les tuiles", "Toutes les étapes sont terminées.", []),
        (
            "Steps:\n- book the van\n- pack the files",
            "The files are packed.",
            ["book the van"],
        ),
    ],
)
def test_steps_are_struck_by_marks_by_words_and_all_at_once(plan: str, report: str, left: list[str]) -> None:
    assert owed(after(plan, report), ObligationKind.PLAN) == (["; ".join(left)] if left else [])


def test_the_assistant_may_tell_that_a_job_has_ended() -> None:
    talk = [user("Render it."), *RENDER]

    assert owed([*talk, assistant("rn-7 finished with 240 frames.")], ObligationKind.BACKGROUND) == []
    for said in ("rn-7 has not finished yet.", "I'll tell you when rn-7 is done.", "Is rn-7 done?"):
        assert len(owed([*talk, assistant(said)], ObligationKind.BACKGROUND)) == 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("The dose of 40 mg is twice the usual. Do you confirm?", "Confirmed by Dr. Lind."),
        ("Should I book the 9:40 or the 11:05?", "Take it."),
        ("Which menu?\nA) Fish\nB) Lamb", "B, and lamb well done please"),
        ("Which slot?\n1. Monday\n2. Tuesday", "2, in the afternoon if possible"),
        ("Should I use the silver?", "No need, the steel will do."),
        ("Shall I file it with the court today?", "Then file it, but leave out annex 3."),
    ],
)
def test_questions_are_answered_in_other_words_too(question: str, said: str) -> None:
    assert [text.endswith(f" - {said}") for text, _, _ in chosen([assistant(question), user(said)])] == [True]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Should I use the silver?", "The silver is in the left drawer."),
        ("Should I book the 9:40?", "Let me ask my wife."),
        ("The table is set. Shall I light the candles?", "Thanks!"),
        ("Which slot?\n1. Monday\n2. Tuesday", "2 people are coming"),
        ("Shall I cancel the boat?", "Ask the captain first."),
    ],
)
def test_questions_stay_open_where_nobody_answers(question: str, said: str) -> None:
    assert chosen([assistant(question), user(said)]) == []


@pytest.mark.parametrize(
    "text",
    ["The nets are dry. What's next?", "What would you like to do next?", "Was machen wir jetzt?", "Что дальше?"],
)
def test_whatever_is_asked_for_answers_who_asks_for_more_work(text: str) -> None:
    assert owed([user("Dry the nets."), assistant(text)], ObligationKind.CONFIRMATION) == []
    assert owed([user("Dry them."), assistant("What should I do with the nets?")], ObligationKind.CONFIRMATION) != []
