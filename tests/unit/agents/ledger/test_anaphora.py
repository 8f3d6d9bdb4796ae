"""What a value alone is about: what was stated or spoken of last and has a value of that kind.

In doubt, each of them.
"""

import pytest

from tailrace.agents.ledger.book import Book
from tailrace.schemas.records.ledger import Directive
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

#: What the assistant says begins with this.
HEARD = "> "
BOARDS, RAILS = "Scaffold boards must be 5 cm thick.", "Rails must be 110 cm high."
PAGES, TESTS = "Pupils read at most 20 pages.", "Tests last 45 minutes."
GROUPS, TOURS = "Groups have at most 12 people.", "Tours last at most 3 hours."

#: A conversation, and what its last message is about.
MEANT = (
    ((GROUPS, "The deposit is 50 euros.", TOURS, "Make it 7."), TOURS),
    (
        ("Use at most 3 eggs per cake.", "Serve soup at 65 degrees.", "> For the cake I noted 3 eggs.", "Make it 4."),
        "Use at most 3 eggs per cake.",
    ),
    ((GROUPS, "The deposit is 50 euros.", "How big can a group be again?", "> 12 people.", "Make it 10."), GROUPS),
    (("Bed rest is at most 2 days.", "Give 3 doses per day.", "Make that 4 doses."), "Give 3 doses per day."),
    (("Meetings start at 9:30.", "Rooms hold at most 8 people.", "Make it 10:00."), "Meetings start at 9:30."),
    (
        ("The discount is 10 %.", "Returns are possible for 14 days.", "Actually, make it 15 %."),
        "The discount is 10 %.",
    ),
    (
        ("Walls are 24 cm thick.", "The slab is at least 20 cm thick.", "> Understood.", "Make that 25."),
        "The slab is at least 20 cm thick.",
    ),
    ((f"{PAGES}\n{TESTS}", "> I set the tests to 45 minutes.", "Make it 30."), TESTS),
    (
        ("Das Budget ist 900 Euro.", "Der Termin ist um 14:00 Uhr.", "Doch lieber 15:00 Uhr."),
        "Der Termin ist um 14:00 Uhr.",
    ),
    (("Send at most 3 mails a day.", "Never write to Boris.", "No wait, 5."), "Send at most 3 mails a day."),
    ((TOURS, "Make it 7 hours."), TOURS),
    (
        ("Bake the rolls for at most 18 minutes.", "The oven must be at least 220 degrees.", "Actually 20 minutes."),
        "Bake the rolls for at most 18 minutes.",
    ),
    (
        (
            "Visitors may stay at most 2 hours.",
            "Only 3 visitors per bed.",
            "> Noted, 3 visitors per bed.",
            "Make it 2.",
        ),
        "Only 3 visitors per bed.",
    ),
    (
        (
            "Briefs have at most 30 pages.",
            "Footnotes use 9 point type.",
            "What was the page limit?",
            "> 30.",
            "Make that 25.",
        ),
        "Briefs have at most 30 pages.",
    ),
    (("Bags weigh at most 20 kg.", "The bus leaves at 7:15.", "Make it 23 kg."), "Bags weigh at most 20 kg."),
    (("Lessons last 45 minutes.", "Breaks last 10 minutes.", "Make it 15 minutes."), "Breaks last 10 minutes."),
    (("Le budget est de 800 euros maximum.", "Il faut au moins 4 places.", "Plutôt 5."), "Il faut au moins 4 places."),
    (("Deliver by 5 March.", "Pay at most 300 euros.", "Let's make it 8 March."), "Deliver by 5 March."),
    (("Dose is 5 mg.", "Interval is 6 hours.", "> Anything on the dose?", "Make it 10."), "Dose is 5 mg."),
    (("Serve at most 40 covers.", "We close at 22:00.", "Make it 23:00.", "Make it 50."), "Serve at most 40 covers."),
)
#: The same where nobody can tell, with all that may be meant.
UNCLEAR = (
    ((f"{BOARDS}\n{RAILS}", "Make it 6."), f"{BOARDS} / {RAILS}"),
    ((f"{GROUPS}\n{TOURS}", "Make it 7.", "Make it 8."), f"{GROUPS} / {TOURS}"),
    (
        (f"{PAGES}\n{TESTS}", "> So tests last 45 minutes, and pupils read 20 pages.", "Make it 30."),
        f"{PAGES} / {TESTS}",
    ),
)


def held(*conversation: str) -> list[Directive]:
    book = Book()
    for place, text in enumerate(conversation):
        role = "assistant" if text.startswith(HEARD) else "user"
        message = Message(role=role, parts=(TextPart(content=text.removeprefix(HEARD)),))
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=0)
    return book.directives.items


@pytest.mark.parametrize(("conversation", "meant"), MEANT)
def test_a_value_alone_changes_what_was_spoken_of_last(conversation: tuple[str, ...], meant: str) -> None:
    items = held(*conversation)

    assert (items[-1].text, items[-1].amends) == (conversation[-1], meant)
    assert meant not in [one.text for one in items]


@pytest.mark.parametrize(("conversation", "meant"), UNCLEAR)
def test_what_may_be_about_several_is_shown_with_each_and_changes_none(
    conversation: tuple[str, ...], meant: str
) -> None:
    items = held(*conversation)

    assert [one.text for one in items] == [*meant.split(" / "), conversation[-1]]
    assert items[-1].amends == meant


def test_what_was_changed_so_is_changed_and_lifted_by_its_own_name() -> None:
    assert [one.text for one in held(TOURS, "Make it 7.", "Tours last at most 5 hours.")] == [
        "Tours last at most 5 hours."
    ]
    assert [one.text for one in held(TOURS, "Make it 7.", TOURS)] == [TOURS]
    assert held(TOURS, "Make it 7.", "The limit on tours is lifted.") == []


def test_what_is_made_another_value_by_its_name_is_changed() -> None:
    rent, notice = "Rent is 1,450 a month.", "The notice period is 3 months."

    assert [one.text for one in held(rent, notice, "Make the rent 1,500.")] == [notice, "Make the rent 1,500."]
    assert [one.text for one in held(rent, "Make the crew 3 sandwiches.")] == [rent]
