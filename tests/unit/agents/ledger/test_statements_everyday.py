"""How the rules do with the words of other places than those they were made in.

What they notice, what they leave, what they change.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest
from corpora.everyday_changes import (
    APART,
    APART_LATER,
    BESIDE,
    BESIDE_LATER,
    CHANGED,
    CHANGED_LATER,
    ELLIPTIC,
    ELLIPTIC_LATER,
    LIFTED,
    LIFTED_LATER,
    NOT_LIFTED,
    NOT_LIFTED_LATER,
)
from corpora.everyday_messages import HOSTILE, MESSAGES, MESSAGES_LATER, OWN
from corpora.everyday_rules import LASTING, LASTING_LATER, PASSING, PASSING_LATER

from tailrace.agents.ledger.directives import Directives
from tailrace.agents.ledger.statements import statements
from tailrace.schemas.records.ledger import Directive, DirectiveKind

#: Between the two statements of a pair, so that nothing rests on their being neighbours.
BETWEEN = ("Never lean on the railing.", "Always lock the shed at night.")

#: Of what the rules were made with, what they miss or take for more than it is. A rule more may take one out, never put
#: one in.
MISSED: frozenset[str] = frozenset(
    """\
Nil by mouth from midnight for Mrs. Okonkwo.
Please spell it "practise" when it is a verb.
I voti si danno in decimi.
Sprich die Patienten mit Nachnamen an.
El pan se vende por unidades.
Tout colis se pèse avant l'envoi.
Sourdough proves overnight.
Room service stops at midnight.
Das Brot kommt zuletzt in die Auslage.
Si entra solo con il casco.
Reading room is silent.
Handle ceramics with both hands.
Friday is stocktake.
Vor der Operation gibt es nichts zu fressen.
For weddings we ask for half up front.
Lilies are out: the cat next door.
Props go back on the table they came from.
Provided nobody objects, the minutes count as approved after a week.
Cats before dogs in the morning surgery.
Никто не говорит с прессой.
Hard hats on deck.
Zeldzame boeken blijven binnen.
Orders after 3 pm go out the next day.
We run two intervals, fifteen minutes each.
Away kit is white.
Los libros raros no salen de la sala.
Les livres rares ne sortent pas.
Shelve by author, then by year.
I libri rari non escono.
珍本书不外借。
Funeral work takes precedence.
Редкие книги не выдаём на дом.
""".splitlines()
)
TAKEN = frozenset(
    """\
We had three falls this week, which is a lot.
The recipe only mentions butter once.
Bed 9 was discharged this morning.
I always burn my fingers on that handle.
Karlsen Freight raised its prices again.
The bishop told us not to clap.
When I was a boy, we always sang in Latin.
The cows only come when Marta calls.
The tenors came in late at bar 40.
I can't reach the far trough.
Find out where container 77 is.
Get the feed in before it rains.
The museum in Bergen lent us two paintings.
The lift has been stuck since Tuesday.
The X-ray shows nothing unusual.
The critic from the Herald never showed up.
The cat in cage 2 won't eat.
Tank 4 is leaking.
The under-12s always win at home.
We sold out by noon.
Nadie vino a la función.
The night porter never sleeps, apparently.
The roses came in half frozen.
Le four n'a pas chauffé.
The guest in 9 wants a quieter room.
""".splitlines()
)
#: Pairs and messages of which the same is true, by the second of a pair or by how a message begins.
MISREAD = (
    "He goes:",
    "Ingredients:",
    "Art. 7:",
    "The recipe:",
    "As my teacher put it:",
    "Quote of the day:",
)
STANDS_BESIDE = frozenset(("Ms. Osei takes over complaints from Ms. Brandt.",))
UNNOTICED = frozenset(
    (
        "Sunday deliveries are okay for hospitals.",
        "The driver says hazmat may travel with other goods.",
        "Guide dogs are fine.",
    )
)


def noticed(text: str) -> tuple[str, ...]:
    return tuple(said for _, said in statements(text))


def after(first: str, second: str, between: tuple[str, ...] = BETWEEN) -> list[str]:
    """What holds after a rule, two others and a later message."""
    directives = Directives()
    for place, text in enumerate((first, *between)):
        directives.take(Directive(kind=DirectiveKind.RULE, text=text, source=f"m{place}"))
    directives.note(second, source="m9", turn=9, created_at_ms=0)
    return [one.text for one in directives.items]


def is_replaced(first: str, second: str) -> bool:
    return after(first, second) == [*BETWEEN, second]


@pytest.mark.parametrize("text", [*LASTING[::2], *LASTING_LATER])
def test_what_is_to_last_is_noticed(text: str) -> None:
    assert noticed(text) == (() if text in MISSED else (text,))


@pytest.mark.parametrize("text", [*PASSING[::2], *PASSING_LATER])
def test_what_is_for_the_moment_is_not(text: str) -> None:
    assert noticed(text) == ((text,) if text in TAKEN else ())


@pytest.mark.parametrize(("text", "stated"), [*MESSAGES[::2], *MESSAGES_LATER])
def test_of_a_message_only_what_its_sender_says_is_stated(text: str, stated: tuple[str, ...]) -> None:
    assert (noticed(text) == stated) is not text.startswith(MISREAD)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_programs_and_laws_say_is_not_stated(text: str) -> None:
    assert (noticed(text) == ()) is not text.startswith(MISREAD)


@pytest.mark.parametrize("text", OWN)
def test_what_only_looks_like_it_is(text: str) -> None:
    assert "\n".join(noticed(text)) == text


@pytest.mark.parametrize(("first", "second"), [*CHANGED[::2], *CHANGED_LATER])
def test_what_says_it_anew_takes_the_place_of_the_former(first: str, second: str) -> None:
    assert is_replaced(first, second) is (second not in STANDS_BESIDE)


@pytest.mark.parametrize(("first", "second"), [*ELLIPTIC, *ELLIPTIC_LATER])
def test_a_value_alone_is_about_what_was_said_before(first: str, second: str) -> None:
    assert after(first, second, ()) == [second]


@pytest.mark.parametrize(("first", "second"), [*APART[::2], *APART_LATER, *NOT_LIFTED, *NOT_LIFTED_LATER])
def test_what_is_about_something_else_changes_nothing(first: str, second: str) -> None:
    assert after(first, second)[:3] == [first, *BETWEEN]


@pytest.mark.parametrize(("first", "second"), [*LIFTED[::2], *LIFTED_LATER])
def test_what_was_taken_back_no_longer_holds(first: str, second: str) -> None:
    assert after(first, second) == [*BETWEEN]


@pytest.mark.parametrize(("first", "second"), [*BESIDE[::2], *BESIDE_LATER])
def test_what_speaks_of_a_case_is_read_behind_the_rule(first: str, second: str) -> None:
    assert after(first, second) == [first, *BETWEEN, *([] if second in UNNOTICED else [second])]


def test_most_of_what_the_rules_were_not_made_for_is_read_as_it_was_meant() -> None:
    lasting, passing, messages = LASTING[1::2], PASSING[1::2], MESSAGES[1::2]

    assert sum(" ".join(noticed(text)) == text for text in lasting) >= 0.78 * len(lasting)
    assert sum(bool(noticed(text)) for text in passing) <= 0.18 * len(passing)
    assert sum(noticed(text) == stated for text, stated in messages) >= 0.75 * len(messages)


def test_most_changes_that_the_rules_were_not_made_for_are_seen_and_hardly_one_too_many() -> None:
    assert sum(is_replaced(*pair) for pair in CHANGED[1::2]) >= 0.80 * len(CHANGED[1::2])
    assert sum(after(*pair) == [*BETWEEN] for pair in LIFTED[1::2]) >= 0.85 * len(LIFTED[1::2])
    assert sum(after(*pair)[0] != pair[0] for pair in APART[1::2]) <= 1
