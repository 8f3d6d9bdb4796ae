"""Items of a list that are let go of by their numbers, and what only sounds so."""

import pytest

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.strike_by_number import Strike, strike_of
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

#: What is said, and the numbers that it strikes; the last is -1.
STRUCK: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("forget step 2", (2,)),
    ("skip point 3 of that list", (3,)),
    ("strike the second one", (2,)),
    ("Strike the second one.", (2,)),
    ("Please drop rule 4.", (4,)),
    ("Point 3 no longer applies.", (3,)),
    ("forget steps 2 and 4", (2, 4)),
    ("skip points 2-4", (2, 3, 4)),
    ("forget steps 5 to 3", (3, 4, 5)),
    ("the last one is off", (-1,)),
    ("remove the third rule", (3,)),
    ("Vergiss Punkt 2.", (2,)),
    ("Streich den zweiten Punkt.", (2,)),
    ("Punkt 3 entfällt.", (3,)),
    ("Lass Schritt 2 weg.", (2,)),
    ("oublie le point 2", (2,)),
    ("supprime la deuxième règle", (2,)),
    ("olvida el punto 3", (3,)),
    ("quita el segundo", (2,)),
    ("salta il punto 3", (3,)),
    ("vergeet punt 2", (2,)),
    ("scratch #3", (3,)),
    ("never mind number 1", (1,)),
    ("You can drop item 2.", (2,)),
    ("cross out the first one", (1,)),
    ("Drop number 3, please.", (3,)),
)
NOT_STRUCK = tuple(
    """\
forget the second floor
skip the second paragraph of the letter
drop 2 eggs into the water
remove 3 chairs
strike the last match
cancel the first flight
forget it
delete lines 3 to 9 in main.py
the second one is bigger
the last one is broken
step 2 is done
Point 3 is important.
skip lunch
leave out the onions
take out the trash
the first rule of cooking is to taste
remove the last slide
drop me a line
Streich die Wand.
step 2 failed
""".splitlines()
)
VENTS, LOG, VISITORS = "Never open the vents at night.", "Always log the temperature.", "No visitors in lab B."
NUMBERED = f"Rules:\n1. {VENTS}\n2. {LOG}\n3. {VISITORS}"
MARKED = f"Rules:\n- {VENTS}\n- {LOG}\n- {VISITORS}"
INLINE = f"Rules: 1) {VENTS} 2) {LOG} 3) {VISITORS}"
BEHIND = f"Welcome to the lab. 1. {VENTS} 2. {LOG} 3. {VISITORS}"
#: What the assistant says begins with this.
HEARD = "> "


def held(*conversation: str) -> list[str]:
    book = Book()
    for place, text in enumerate(conversation):
        role = "assistant" if text.startswith(HEARD) else "user"
        message = Message(role=role, parts=(TextPart(content=text.removeprefix(HEARD)),))
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=0)
    return [f"{one.text} ({one.amends})" if one.amends else one.text for one in book.directives.items]


@pytest.mark.parametrize(("text", "numbers"), STRUCK)
def test_items_are_struck_by_their_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert strike_of(text) == Strike(numbers, sure=True)


@pytest.mark.parametrize("text", NOT_STRUCK)
def test_what_is_no_item_is_not_struck(text: str) -> None:
    assert strike_of(text) is None


@pytest.mark.parametrize("rules", [NUMBERED, MARKED, INLINE, BEHIND])
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("forget step 2", [VENTS, VISITORS]),
        ("skip point 3 of that list", [VENTS, LOG]),
        ("Strike the second one.", [VENTS, VISITORS]),
        ("the last one is off", [VENTS, LOG]),
        ("forget steps 1 and 3", [LOG]),
        ("Punkt 2 entfällt.", [VENTS, VISITORS]),
        ("forget step 7", [VENTS, LOG, VISITORS]),
    ],
)
def test_the_item_of_that_number_is_lifted(rules: str, said: str, left: list[str]) -> None:
    assert held(rules, said) == left


def test_numbers_stay_what_they_were() -> None:
    assert held(NUMBERED, "forget step 2", "forget step 3") == [VENTS]


def test_what_is_skipped_for_once_stands_beside_the_item() -> None:
    assert held(NUMBERED, "skip step 2 today") == [VENTS, LOG, VISITORS, f"skip step 2 today ({LOG})"]


@pytest.mark.parametrize(
    "other", ["> Plan:\n1. Buy paint\n2. Call Anna\n3. Paint", "Shopping:\n- milk\n- eggs\n- salt"]
)
def test_a_number_of_another_list_lifts_nothing(other: str) -> None:
    assert held(NUMBERED, other, "strike the second one") == [VENTS, LOG, VISITORS]


def test_a_list_that_was_only_repeated_is_the_same() -> None:
    assert held(NUMBERED, f"> So:\n1. {VENTS}\n2. {LOG}\n3. {VISITORS}", "forget step 2") == [VENTS, VISITORS]


def test_what_stands_below_an_item_has_no_number_of_the_list() -> None:
    nested = "1. In the hold:\n   - no lamps\n   - no radios\n2. No whistling.\n3. Never run."

    assert held(nested, "forget point 2") == ["In the hold: no lamps", "In the hold: no radios", "Never run."]
