"""Where a text that was introduced ends: none of its orders is its sender's, and what they say behind it is."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from support.obligation_thread import assistant, owed, user

from tailrace.agents.ledger.statements import statements
from tailrace.schemas.records.ledger import ObligationKind

#: Messages, what of each is stated, and what is only shown; each told by some of its words.
MESSAGES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        (
            "Here is the mail from the landlord:\n\nThe bins stand in the yard.\n\n"
            "Never leave bikes in the hall. Rent must be paid by the 3rd.\n\nAlways lock the cellar.\n\n"
            "Is he allowed to demand that?"
        ),
        (),
        ("bikes", "Rent", "cellar"),
    ),
    (
        (
            "This is what the old manual says:\n\nAlways drain the boiler first.\n\n"
            "Never open valve 3 under pressure.\n\nYou must wear gloves.\n\n"
            "Please summarise it. Never use more than five lines."
        ),
        ("five lines",),
        ("boiler", "valve", "gloves"),
    ),
    (
        (
            "Der Text lautet:\n\nFahrräder dürfen nie im Flur stehen.\n\nDie Miete muss bis zum 3. bezahlt werden.\n\n"
            "Fass ihn zusammen. Antworte immer auf Englisch."
        ),
        ("Antworte immer",),
        ("Fahrräder", "Miete"),
    ),
    (
        (
            "My boss wrote:\n\nAll orders must go through me.\n\nNever call the supplier yourself.\n\n"
            "Draft a reply to him. Never mention the bonus."
        ),
        ("bonus",),
        ("orders", "supplier"),
    ),
    (
        (
            "I got this letter from the court:\n\nYou must appear on 4 May.\n\n"
            "All documents have to be handed in before that.\n\nNever contact the other party.\n\n"
            "What does it mean for us? Keep your answers short from now on."
        ),
        ("short",),
        ("appear", "documents", "contact"),
    ),
    (
        (
            "Mail from the caterer:\n\nWe must know the number of guests by Friday.\n\n"
            "Never store the fish outside.\n\nBest regards,\nTomas\n\nNever order from them without asking me."
        ),
        ("asking me",),
        ("guests", "fish"),
    ),
    (
        (
            "Voici le courriel du syndic :\n\nLes vélos ne doivent jamais rester dans l'entrée.\n\n"
            "Il faut toujours fermer la cave.\n\nEst-ce légal ? Réponds toujours en deux phrases."
        ),
        ("deux phrases",),
        ("vélos", "cave"),
    ),
    (
        (
            "Este es el correo del casero:\n\nNunca dejen bicicletas en el pasillo.\n\n"
            "Hay que pagar siempre antes del día 3.\n\n¿Es legal?"
        ),
        (),
        ("bicicletas", "pagar"),
    ),
    (
        (
            "Here's the contract clause:\n\nThe tenant must not keep pets.\n\nThe tenant must heat all rooms.\n\n"
            "I never signed that. Always address her as Ms Brandt in your letters."
        ),
        ("Brandt",),
        ("pets", "heat"),
    ),
    (
        (
            "Excerpt from the ward handbook:\n\nNurses must count the keys twice.\n\n"
            "Never leave the trolley alone.\n--- end of excerpt ---\nAlways write times as 24 hours."
        ),
        ("24 hours",),
        ("keys", "trolley"),
    ),
    (
        (
            "Here is the notice on the site fence:\n\nHelmets must be worn.\n\nNo visitors after 5 pm.\n\n"
            "Translate the notice into Polish. Never translate the names."
        ),
        ("names",),
        ("Helmets", "visitors"),
    ),
    (
        (
            "From: Harbour Office <office@port.example>\nSubject: Dredging\n\n"
            "Dear berth holders,\nboats must leave berth 12. Never anchor in the channel.\nKind regards,\n"
            "Harbour Office\n\nPut it in my diary, please. And never plan a trip on a dredging day."
        ),
        ("dredging day",),
        ("berth 12", "anchor"),
    ),
    (
        (
            "Von: Anja Roth\nBetreff: Lieferung\n\nHallo,\ndie Ware muss bis Freitag raus. Nie wieder über Hafen 3.\n"
            "Viele Grüße\nAnja\n\nWas soll ich ihr schreiben? Versprich ihr niemals einen Termin."
        ),
        ("niemals einen Termin",),
        ("Ware", "Hafen 3"),
    ),
    (
        (
            "From: ward 7\nTo: pharmacy\n\nAlways send the forms twice.\n\nBest wishes,\nP. Lund\n\n"
            "This mail is confidential. You must never copy it to me or others."
        ),
        (),
        ("forms", "copy it"),
    ),
    (
        (
            "From: kiln room\nSubject: firing\n\nNever open kiln 2 above 300.\n\nRegards,\nOdo\n\n"
            "From: studio\nSubject: Re: firing\n\nYou must log every firing.\n\nCheers,\nMina"
        ),
        (),
        ("kiln 2", "log every"),
    ),
    (
        "From: landlord\nSubject: stairs\n\nYou must sweep the stairs.\n\nNever put shoes there. My wife fell.",
        (),
        ("sweep", "shoes"),
    ),
    (
        "Here are my rules:\n\nNever ring twice.\n\nAlways knock.",
        ("ring twice", "knock"),
        (),
    ),
    (
        "Here is what I want:\n\nNever use red.\n\nAlways use blue.",
        ("red", "blue"),
        (),
    ),
    (
        "These are the rules for the kitchen:\n\nNever leave the gas on.\n\nAlways wash your hands.",
        ("gas", "wash"),
        (),
    ),
    (
        "I wrote this mail to the crew, keep to it:\n\nNever be late.\n\nAlways sign in.",
        ("late", "sign in"),
        (),
    ),
    (
        "The message is simple:\n\nNever skip the tests.\n\nAlways ask first.",
        ("tests", "ask first"),
        (),
    ),
    (
        (
            "What the teacher sent me:\n\nChildren must bring slippers.\n\nNever send sweets.\n\n"
            "Make me a list of it. Never include sweets in any lunch plan."
        ),
        ("lunch plan",),
        ("slippers", "Never send"),
    ),
    (
        (
            "From the manual:\n\nNever tilt the machine.\n\nOil must be changed every month.\n\n"
            "How often is that in a year?"
        ),
        (),
        ("tilt", "Oil"),
    ),
    (
        (
            "Here is the email from the hotel:\n\nGuests must leave the room by ten.\n\n"
            "Never smoke on the balcony.\n\nAll keys have to be returned.\n\n"
            "Can you tell me when we must leave? Never book that hotel again."
        ),
        ("book that hotel",),
        ("balcony", "keys", "room by ten"),
    ),
    (
        (
            "This is what the inspector wrote:\n\nThe stairs must be fixed by June.\n\nNo one may use the lift.\n\n"
            "Always keep the exits free.\n\nMy question: who pays?"
        ),
        (),
        ("stairs", "lift", "exits"),
    ),
    (
        (
            "Das steht im Mietvertrag:\n\nHaustiere sind niemals erlaubt.\n\nDer Mieter muss den Schnee räumen.\n\n"
            "Stimmt das so? Schreib ihm bitte immer per Sie."
        ),
        ("per Sie",),
        ("Haustiere", "Schnee"),
    ),
    (
        (
            "Die Hausverwaltung schreibt:\n\nDer Keller muss bis Freitag leer sein.\n\n"
            "Fahrräder dürfen nie im Hof stehen.\n\nMit freundlichen Grüßen\nA. Holm\n\n"
            "Antworte ihr nie ohne meine Zustimmung."
        ),
        ("Zustimmung",),
        ("Keller", "Hof"),
    ),
    (
        (
            "Ecco la mail del condominio:\n\nNon lasciate mai le bici nell'atrio.\n\n"
            "Bisogna sempre chiudere il cancello.\n\nÈ legale? Rispondi sempre in italiano."
        ),
        ("in italiano",),
        ("bici", "cancello"),
    ),
    (
        (
            "Here's what the doctor sent:\n\nTake two tablets every morning.\n\n"
            "Never drink grapefruit juice with it.\n\nYou must rest.\n\nExplain this to me. Always use plain words."
        ),
        ("plain words",),
        ("tablets", "grapefruit"),
    ),
    (
        (
            "We received this notice from the city:\n\nAll stalls must close at 22:00.\n\n"
            "Music is never allowed after nine.\n\nWhat should we answer? Never agree to a fine."
        ),
        ("fine",),
        ("stalls", "Music"),
    ),
    (
        (
            "Text of the poster:\n\nNever feed the swans.\n\nDogs must be on a lead.\n\n"
            "Rewrite it for children. It must not exceed 40 words."
        ),
        ("40 words",),
        ("swans", "lead"),
    ),
    (
        (
            "The old recipe reads as follows:\n\nAlways whip the cream by hand.\n\nThe oven must be at 220.\n\n"
            "Never use margarine.\n\nI don't have a whisk. Always give me grams, not cups."
        ),
        ("grams",),
        ("cream", "oven", "margarine"),
    ),
    (
        (
            "Her answer:\n\nYou must refund me.\n\nNever write to me again.\n\n"
            "Should I reply to her? In all drafts, always stay polite."
        ),
        ("polite",),
        ("refund", "again"),
    ),
    (
        "Here is the plan:\n\nNever work on Sundays.\n\nAlways start at eight.",
        ("Sundays", "eight"),
        (),
    ),
    (
        "My rules for your texts:\n\nNever use adverbs.\n\nAlways use short words.",
        ("adverbs", "short words"),
        (),
    ),
    (
        "House rules:\n\nNever smoke inside.\n\nAlways close the windows.",
        ("smoke", "windows"),
        (),
    ),
    (
        "What I told the painter:\n\nNever paint over the sockets.\n\nAlways use two coats.",
        ("sockets", "coats"),
        (),
    ),
    (
        "A note on style:\n\nNever use capitals for emphasis.\n\nAlways end with a summary.",
        ("capitals", "summary"),
        (),
    ),
    (
        "Here is how I want the letter:\n\nNever above one page.\n\nAlways with a date.",
        ("one page", "date"),
        (),
    ),
    (
        (
            "Hier ist die Nachricht der Lehrerin:\n\nKinder müssen Hausschuhe mitbringen.\n\n"
            "Süßigkeiten sind nie erlaubt.\n\nMach mir eine Liste daraus. Schreib Listen immer ohne Nummern."
        ),
        ("ohne Nummern",),
        ("Hausschuhe", "Süßigkeiten"),
    ),
    (
        (
            "Our supplier's reply:\n\nWe must raise prices by 4 %.\n\nOrders under 50 kg are never accepted.\n\n"
            "Kind regards\nPia Novak\n\nFrom now on order flour only from Hansen."
        ),
        ("Hansen",),
        ("raise", "50 kg"),
    ),
    (
        "Here's the mail.\n\nAll invoices must be paid in 10 days.\n\nNever send cash.\n\nWhat shall I do?",
        (),
        ("invoices", "cash"),
    ),
    (
        (
            "Translate the following into Dutch:\n\nAlways close the gate.\n\nDogs must be on a lead.\n\n"
            "Never use the formal form in your translations."
        ),
        ("formal form",),
        ("gate", "lead"),
    ),
    (
        (
            "Here is the article:\n\nTrains must stop at red.\n\n---\n\nDrivers never sleep on duty.\n\n---\n\n"
            "Summarise it. Always name your sources."
        ),
        ("sources",),
        ("Trains", "Drivers"),
    ),
    (
        (
            'The guide says:\n\n"Never touch the coral.\n\nAlways stay with your buddy."\n\n'
            "Always book two guides for my groups."
        ),
        ("two guides",),
        ("coral", "buddy"),
    ),
    (
        (
            "This is the message from school:\n```\nChildren must be picked up at noon.\n\n"
            "Never park in the yard.\n```\nAlways remind me at eleven."
        ),
        ("remind me",),
        ("noon", "yard"),
    ),
    (
        (
            "Here is the mail from Ms Oduya:\n\n> Never call before nine.\n>\n> All forms must be signed.\n\n"
            "Always call her by her first name."
        ),
        ("first name",),
        ("nine", "forms"),
    ),
    (
        (
            "Email from the council below:\n\nHedges must be cut by 1 March.\n\nOwners must never burn waste.\n\n"
            "I live at number 7. Never mention my neighbour in the answer."
        ),
        ("neighbour",),
        ("Hedges", "burn"),
    ),
    (
        (
            "Here is the recipe from my aunt:\n\nAlways sift the flour.\n\nNever open the oven.\n\n"
            "Scale it for 12 people and always use grams."
        ),
        (),
        ("sift", "oven"),
    ),
    (
        "Please keep to these points:\n\nNever promise a refund.\n\nAlways offer a voucher.",
        ("refund", "voucher"),
        (),
    ),
    (
        "For the reply to the customer:\n\nNever promise a refund.\n\nAlways offer a voucher.",
        ("refund", "voucher"),
        (),
    ),
    (
        "In the letter to the court:\n\nNever use abbreviations.\n\nAlways cite the file number.",
        ("abbreviations", "file number"),
        (),
    ),
    (
        "Style of the newsletter:\n\nNever use emojis.\n\nAlways link the shop.",
        ("emojis", "shop"),
        (),
    ),
    (
        "Rules for the brochure:\n\nNever show prices.\n\nAlways show the map.",
        ("prices", "map"),
        (),
    ),
    (
        "When a guest says:\n\nNever argue.\n\nAlways call me.",
        ("argue", "call me"),
        (),
    ),
    (
        "Here we go:\n\nNever deploy on Fridays.\n\nAlways tag the release.",
        ("Fridays", "tag"),
        (),
    ),
    (
        (
            "Hier der Brief vom Gericht:\n\nSie müssen am 4. Mai erscheinen.\n\n"
            "Alle Belege sind mitzubringen. Niemals Kopien einreichen.\n\n"
            "Muss ich da hin? Ich will nie allein hingehen."
        ),
        (),
        ("erscheinen", "Belege", "Kopien"),
    ),
    (
        (
            "Из письма арендодателя:\n\nНикогда не оставляйте велосипеды в коридоре.\n\nПлатить нужно до 3 числа.\n\n"
            "Это законно? Отвечай всегда коротко."
        ),
        ("коротко",),
        ("велосипеды", "Платить"),
    ),
    (
        (
            "Hier is de mail van de gemeente:\n\nHeggen moeten voor maart gesnoeid zijn.\n\n"
            "Afval verbranden is nooit toegestaan.\n\nKlopt dat? Antwoord altijd in het Engels."
        ),
        ("Engels",),
        ("Heggen", "Afval"),
    ),
    (
        "房东的邮件:\n\n自行车不得放在走廊。\n\n必须在3号前付房租。\n\n这合法吗？以后请一律用中文回答。",
        ("中文",),
        ("自行车", "房租"),
    ),
)


@pytest.mark.parametrize(("text", "own", "shown"), MESSAGES)
def test_what_stands_behind_a_paste_is_stated_and_nothing_of_it(
    text: str, own: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    stated = " | ".join(said for _, said in statements(text))

    assert [one for one in own if one not in stated] == []
    assert [one for one in shown if one in stated] == []


def test_what_somebody_said_is_a_paragraph() -> None:
    assert [said for _, said in statements("The cook says:\nNever salt a stew.\n\nAlways weigh the flour.")] == [
        "Always weigh the flour."
    ]


def test_a_yes_in_a_mail_that_is_shown_is_nobodys_answer() -> None:
    question = assistant("Shall I cancel the crane?")
    shown = "Here is the mail of the builder:\n\nYes, cancel the crane.\n\nPia"

    assert owed([question, user(shown)], ObligationKind.CONFIRMATION) == ["Shall I cancel the crane?"]
    assert owed([question, user(f"{shown}\n\nWhat do you think? Yes, cancel it.")], ObligationKind.CONFIRMATION) == []
