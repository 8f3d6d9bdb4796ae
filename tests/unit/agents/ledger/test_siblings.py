"""Statements that one word tells apart are kept apart, and shown together where there is room.

They never make more of what is unlike.
"""

import pytest

from tailrace.agents.ledger.render import LedgerRoom, Rendering
from tailrace.agents.ledger.siblings import SIBLINGS_MAX, siblings
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Ledger

PAIRS = [
    ("The eastern gauge reads in metres.", "The western gauge reads in feet."),
    ("Night crews report to Oda Brandt.", "Harbour crews report to Per Lund."),
    ("Paint steel doors with primer first.", "Paint oak doors with oil first."),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_what_one_word_tells_apart_belongs_together(pair: tuple[str, str]) -> None:
    others = ("Lock the shed at night.", "Herons nest on the sluice.")

    assert siblings([others[0], pair[0], others[1], pair[1]]) == {1: (1, 3), 3: (1, 3)}


def test_what_only_begins_alike_or_is_a_long_list_does_not() -> None:
    assert siblings(["Call the harbour master before noon.", "Call it a day when the bell rings twice."]) == {}
    many = [f"The {name} gauge reads in metres." for name in ("north", "south", "east", "west", "upper", "lower")]
    assert len(many) > SIBLINGS_MAX
    assert siblings(many) == {}


def shown(room: int, *texts: str) -> list[str]:
    directives = tuple(Directive(kind=DirectiveKind.RULE, text=text, source=f"m{n}") for n, text in enumerate(texts))
    return [one.text for one in Rendering(Ledger(directives=directives), LedgerRoom.of(room), len).directives]


def test_where_not_all_fits_one_of_two_is_not_shown_without_the_other() -> None:
    east, west = "The eastern gauge reads in metres.", "The western gauge must only be read in feet."
    other = "Herons nest on the sluice in early May."

    assert shown(1_000, east, other, west) == [east, other, west]
    assert shown(120, east, other, west) == [east, west]


def test_where_there_is_no_room_for_both_one_is_better_than_none() -> None:
    east, west = "The eastern gauge reads in metres.", "The western gauge must only be read in feet."

    assert shown(60, east, west) == [east]
