"""Who says yes or no to what was asked, and who only speaks of the same.

Consent that nobody gave is the worst that a ledger can say.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from support.obligation_thread import assistant, chosen, ledger_of, owed, user

from tailrace.agents.ledger.questions import leaves_open
from tailrace.schemas.records.ledger import EvidenceKind, ObligationKind

#: By question, what only follows it.
OTHER = {
    "Shall I wipe the disk?": (
        "Show me the disk usage.",
        "The disk is full.",
        "Don't use tabs.",
        "Never commit on Fridays.",
        "No idea.",
        "Not sure.",
        "Wipe the table.",
        "Tell me how to wipe a disk.",
        "I bought a new disk yesterday.",
    ),
    "Shall I order the ropes?": (
        "Let's talk about ropes.",
        "Ropes must be stored dry.",
        "Right now I am at lunch.",
        "Fine sand is best for the sandpit.",
        "Exactly 40 guests have come.",
        "No smoking in the hall.",
        "OK, now look at the pumps.",
        "Okay what do ropes cost",
    ),
    "Soll ich die Seile bestellen?": (
        "Zeig mir die Seile.",
        "Mach mir bitte einen Kaffee.",
        "Die Seile sind alt.",
    ),
    "¿Debo borrar el archivo?": ("Si llueve, cierra la puerta.",),
    "Dois-je supprimer le dossier ?": ("Montre-moi le dossier.",),
    "要我删除旧档案吗？": (
        "旧档案在哪里",
        "不知道",
    ),
    "Devo cancellare il file?": ("Leggi il file.",),
    "Shall I discharge the patient in bed 4?": ("The patient in bed 4 has a fever.",),
    "May I send the contract to the landlord?": ("Read the contract again.",),
    "Should I pour the concrete today?": (
        "Both cranes are down.",
        "All of the men are sick.",
        "Sounds from the pit worry me.",
    ),
    "Shall I delete the old photos or keep them?": ("Show me the photos.",),
    "Удалить старые записи?": ("Покажи старые записи.",),
    "Shall I cancel the booking of the Meyers?": (
        "Read me the booking of the Meyers.",
        "The Meyers have two children.",
        "Let's look at the other bookings.",
        "Do not disturb room 9.",
        "Sure signs of mould in room 9.",
        "Cancel the newspaper for room 9.",
        "Correct the spelling of Meyers.",
        "No dogs in the breakfast room.",
        "I have to think about it.",
    ),
    "Should I tear down the north wall?": (
        "Who built the north wall",
        "Measure the north wall.",
        "The north wall is load-bearing.",
        "Go on with the roof.",
        "Proceed to the next page of the drawing.",
        "Absolutely gorgeous weather today.",
        "Never mix lime and cement.",
        "Do both doors open inwards",
        "Draw the north wall in red.",
    ),
    "Darf ich die Akte schließen?": (
        "Lies mir die Akte vor.",
        "Klar ist nur, dass sie alt ist.",
        "Keine Hunde im Büro.",
        "In der Akte fehlt eine Seite.",
    ),
    "Dois-je envoyer la facture ?": (
        "La facture est trop longue.",
        "Si Paul appelle, dis-lui que je dors.",
    ),
    "Devo inviare il preventivo?": ("Non trovo il preventivo.",),
    "Zal ik de bestelling annuleren?": ("Laat me de bestelling zien.",),
    "需要我取消预订吗？": ("预订是谁做的",),
    "¿Cancelo la reserva?": ("La reserva es de Ana.",),
    "Would you like me to grade the essays now?": ("The essays are on the shelf.",),
    "Shall I sign the lease?": (
        "I read the lease last night. It is long.",
        "What does clause 4 say? And who is the landlord?",
        "Thanks!",
        "Thanks for the summary of the lease.",
        "Please send me the lease first.",
        "You should know that the lease is old.",
        "The sign at the door is broken.",
        "Sign in to the portal of the city.",
        "Sign for the parcel at the door.",
    ),
    "Shall I give Mr. Okafor 5 mg of morphine?": (
        "Give him water.",
        "Mr. Okafor sleeps.",
        "Ask the doctor.",
    ),
    "I will move the lesson to Tuesday. Please confirm.": (
        "Tuesday is full.",
        "The lesson plan has a typo.",
    ),
    "Kann ich die Mahnung abschicken?": (
        "Die Mahnung muss auf Briefpapier.",
        "Wenn Herr Lang anruft, sag mir Bescheid.",
    ),
    "Posso demolire il muro?": ("Il muro è portante.",),
    "Mag ik de offerte versturen?": ("De offerte is te hoog.",),
    "Czy mam wysłać fakturę?": ("Faktura jest błędna.",),
    "Devo enviar a fatura?": ("A fatura está errada.",),
    "Do you want the window seat or the aisle?": ("The window of my room is broken.",),
    "Is the oven off?": ("Turn off the lights.",),
    "Proceed with the demolition?": ("The demolition permit is missing.",),
    "Ready to file the motion?": ("The motion picture was great.",),
    "Shall I fillet the salmon?": (
        "The salmon goes into the fridge.",
        "Salmon please",
    ),
}

#: By question, what answers it.
ANSWERS = {
    "Shall I wipe the disk?": (
        "Yes.",
        "yes please go ahead",
        "Yes, but only after lunch.",
        "If Anna agrees.",
        "Only if Anna agrees.",
        "No, it holds the payroll.",
        "Wipe it.",
        "wipe only the second one",
        "Don't wipe it, the audit needs it.",
        "Don't.",
        "Never!",
        "Please do.",
        "Sure, go ahead.",
        "ok",
        "Fine by me.",
        "Sounds good.",
        "Go ahead and wipe it tonight.",
        "Not yet.",
        "You may wipe it.",
        "I'd rather not.",
        "Let's do it.",
        "Of course not.",
        "That works for me.",
    ),
    "Shall I order the ropes?": (
        "Yes, order forty metres from Keller.",
        "Order them on Monday.",
        "Let's order them.",
        "Great, please order them.",
        "Wait, no.",
        "Okay, but only if they are under 90 euros.",
    ),
    "Soll ich die Seile bestellen?": (
        "Ja, aber erst nach dem Mittag.",
        "Bestell sie.",
        "Nein, wir haben noch welche.",
        "Nur wenn Anna zustimmt.",
        "Mach das.",
        "Gerne.",
    ),
    "Dois-je supprimer le dossier ?": (
        "Oui, mais pas avant midi.",
        "Supprime-le.",
        "Non, c'est le seul exemplaire.",
    ),
    "¿Debo borrar el archivo?": (
        "Sí, bórralo.",
        "No, todavía no.",
        "No lo borres.",
    ),
    "要我删除旧档案吗？": (
        "可以",
        "不要删除",
        "删除吧",
    ),
    "Удалить старые записи?": (
        "Да, удали.",
        "Не удаляй.",
    ),
    "The dose is above the limit. Please confirm.": ("Confirmed.",),
    "Do you want the report in French?": ("In French.",),
    "Shall I delete the old photos or keep them?": ("Keep them.",),
    "Did you switch off the pump?": ("I switched it off at noon.",),
    "Shall I cancel the booking of the Meyers?": (
        "Yes, they wrote that they are ill.",
        "yeah do it",
        "Please cancel it.",
        "Cancel their booking.",
        "No thanks.",
        "Nope, they are regulars.",
        "Only if they haven't paid.",
        "When the deposit is back, yes.",
        "Okay.",
        "By all means.",
        "Feel free to cancel it.",
        "I don't think so.",
    ),
    "Should I tear down the north wall?": (
        "Do it.",
        "Yes once the engineer has signed.",
        "Tear it down.",
        "Don't touch it!",
        "Not before the engineer has seen it.",
        "Definitely.",
        "Under no circumstances.",
        "No, leave it, it carries the roof.",
        "Hmm, okay, go for it.",
    ),
    "Darf ich die Akte schließen?": (
        "Ja, schließ sie.",
        "Nein, es fehlt noch ein Gutachten.",
        "Erst wenn das Gutachten da ist.",
        "Noch nicht.",
        "In Ordnung.",
    ),
    "Dois-je envoyer la facture ?": (
        "Envoie-la demain.",
        "Oui, vas-y.",
        "D'accord, mais sans la remise.",
    ),
    "Devo inviare il preventivo?": (
        "Sì, invialo.",
        "No, aspetta Luca.",
    ),
    "Zal ik de bestelling annuleren?": ("Ja, annuleer maar.",),
    "需要我取消预订吗？": ("好的,取消吧。",),
    "¿Cancelo la reserva?": ("Sí, si Ana está de acuerdo.",),
    "Would you like me to grade the essays now?": (
        "I'd like that.",
        "Maybe later.",
    ),
    "Should I book the 9:40 or the 11:05 train?": (
        "The 11:05 one.",
        "Whichever is cheaper.",
    ),
    "Shall I sign the lease?": (
        "I read it last night. Sign it.",
        "Good morning! Yes, sign it, but strike clause 4.",
        "Ok thanks",
    ),
    "Shall I give Mr. Okafor 5 mg of morphine?": (
        "Give him 2.",
        "Only after the doctor has seen him.",
    ),
    "I will move the lesson to Tuesday. Please confirm.": (
        "Confirmed, thanks.",
        "Move it to Wednesday instead.",
    ),
    "Kann ich die Mahnung abschicken?": (
        "Schick sie ab.",
        "Ja aber nicht vor Freitag",
        "Wenn Herr Lang zustimmt, ja.",
    ),
    "Posso demolire il muro?": (
        "Demoliscilo.",
        "Sì, ma solo domani.",
    ),
    "Czy mam wysłać fakturę?": ("Tak, wyślij.",),
    "Devo enviar a fatura?": ("Envia.",),
    "Do you want the window seat or the aisle?": (
        "Window.",
        "I prefer the aisle.",
    ),
    "Which dose did the doctor order?": ("40 mg",),
    "Is the oven off?": ("The oven is off.",),
    "Proceed with the demolition?": ("Proceed.",),
    "Ready to file the motion?": ("File it.",),
    "Shall I fillet the salmon?": ("Fillet half of it.",),
}


@pytest.mark.parametrize(
    ("question", "said"), [(question, said) for question, replies in OTHER.items() for said in replies]
)
def test_who_speaks_of_the_same_has_not_consented(question: str, said: str) -> None:
    assert leaves_open(said, question)


@pytest.mark.parametrize(
    ("question", "said"), [(question, said) for question, replies in ANSWERS.items() for said in replies]
)
def test_who_says_yes_or_no_or_orders_that_very_act_has_answered(question: str, said: str) -> None:
    assert not leaves_open(said, question)


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("ok, works. great", True),
        ("ok cool let's go - write to the mayor", True),
        ("let's do it in May - I want the roof first", True),
        ("Do it with the soft brush.", True),
        ("ok cool. let's write to the mayor", True),
        ("Do the dishes.", False),
        ("Works of art hang there.", False),
        ("Let's do the accounts.", False),
        ("Great, what's next?", False),
        ("/while", False),
    ],
)
def test_an_order_for_any_act_means_the_one_that_was_asked(said: str, answers: bool) -> None:  # noqa: FBT001  a sample
    assert leaves_open(said, "Want me to clean the statue while we're here?") is not answers


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Yes, but only after lunch.", "Yes, but only after lunch."),
        ("If Anna agrees.", "If Anna agrees."),
        ("Yes. But only if Anna from the office has signed the form, and not before noon.", None),
        (
            (
                "Okay, provided that the crane is gone, the neighbours were told and the street is closed.\n"
                "What is for lunch"
            ),
            "Okay, provided that the crane is gone, the neighbours were told and the street is closed.",
        ),
        ("No, because the beam above it carries the roof of both houses and nobody has looked at it.", None),
        (
            "I looked at it this morning with the engineer from town. Do it, but leave the door as it is.",
            "Do it, but leave the door as it is.",
        ),
    ],
)
def test_a_condition_and_a_reason_stay_with_the_answer(said: str, kept: str | None) -> None:
    question = (
        "The plans are here and the permit came with the mail. Should I tear down the north wall of the old mill?"
    )
    talk = [assistant(question), user(said)]
    (decided,) = [one.text for one in ledger_of(talk).evidence if one.kind is EvidenceKind.DECISION]

    assert decided.endswith(f"the old mill? - {kept or said}")
    assert owed(talk, ObligationKind.ADDED, ObligationKind.TASK)[-1].endswith(kept or said)


def test_a_question_that_nobody_answered_is_no_decision() -> None:
    talk = [assistant("Shall I wipe the disk?"), user("Show me the disk usage.")]

    assert [one for one in ledger_of(talk).evidence if one.kind is EvidenceKind.DECISION] == []
    assert owed(talk, ObligationKind.CONFIRMATION) == ["Shall I wipe the disk?"]


@pytest.mark.parametrize(("others", "open_still"), [(1, True), (3, True), (4, False)])
def test_a_question_that_nobody_answers_lapses(others: int, open_still: bool) -> None:  # noqa: FBT001  a case each
    talk = [user("Tidy the boathouse."), assistant("Done. Shall I sell the old oars?")]
    for place in range(others):
        talk += [user(f"Please list the ropes of shelf {place + 1}."), assistant("Three ropes, all dry.")]

    waiting = owed(talk, ObligationKind.CONFIRMATION)

    assert waiting == (["Shall I sell the old oars?"] if open_still else [])


def test_a_question_that_has_lapsed_is_answered_by_no_late_yes() -> None:
    talk = [user("Tidy the boathouse."), assistant("Done. Shall I sell the old oars?")]
    for place in range(4):
        talk += [user(f"Please list the ropes of shelf {place + 1}."), assistant("Three ropes, all dry.")]

    assert chosen([*talk, user("Yes.")]) == []


#: What was asked, what was said and reported since, and the last word; whether that answers.
LATER = (
    ("Shall I send Amin the slot?", "who else is free?", "Both are.", "ok. shorten the talks to 30 minutes", False),
    ("Should I delete the proxies?", "how big are they?", "180 GB.", "ok", False),
    ("Should I delete the proxies?", "how big are they?", "180 GB.", "Right. Write the credits.", False),
    ("Soll ich den Ofen leeren?", "wie heiß ist er?", "Noch 300 Grad.", "gut", False),
    ("Found Lagoon, blue. Order 20 sqm?", "what is the lead time?", "3 weeks.", "forget green. only blue", False),
    ("Found Lagoon, blue. Order 20 sqm?", "what is the lead time?", "3 weeks.", "only blue ones", False),
    ("Shall I close the lock?", "is a boat in it?", "No.", "ok, then close it", True),
    ("Shall I book the cleaners?", "do they do ovens?", "Yes.", "then yes", True),
    ("Should I take the B12?", "which is shorter?", "The B12, by 9 km.", "then go for it", True),
    ("Would you like me to book the scan?", "Can you do Tuesday?", "Tuesday is free.", "Perfect, do that.", True),
    ("Soll ich den Ofen leeren?", "wie heiß ist er?", "Noch 30 Grad.", "dann ja", True),
)


@pytest.mark.parametrize(("asked", "back", "told", "said", "answers"), LATER)
def test_a_word_that_takes_note_of_a_report_answers_no_older_question(
    asked: str, back: str, told: str, said: str, *, answers: bool
) -> None:
    talk = (user("Help me."), assistant(asked), user(back), assistant(told), user(said))

    assert (owed(talk, ObligationKind.CONFIRMATION) == []) is answers


@pytest.mark.parametrize(
    ("asked", "offer"),
    [
        ("Shall I counter with 425k?", "Then I could counter with 418k."),
        ("Soll ich Donnerstag liefern?", "Dann könnte ich Freitag liefern."),
        ("Dois-je livrer jeudi ?", "Alors je pourrais livrer vendredi."),
    ],
)
def test_who_agrees_to_an_offer_does_not_agree_to_what_was_asked_before(asked: str, offer: str) -> None:
    ledger = ledger_of(
        (user("Help me."), assistant(asked), user("Let me ask Ida first."), assistant(offer), user("do it"))
    )

    decided = [one.text for one in ledger.evidence if one.kind is EvidenceKind.DECISION]
    assert decided == [f"{offer} - do it"]


@pytest.mark.parametrize("said", ["30 is enough", "30 kg are fine", "30 genügen", "make it 30, for waste"])
def test_another_amount_answers_an_offer_of_one(said: str) -> None:
    assert owed((user("Check A-119."), assistant("Shall I reorder 50?"), user(said)), ObligationKind.CONFIRMATION) == []
