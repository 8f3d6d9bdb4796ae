"""What the ledger makes of statements from places that its word lists were not made for."""

import pytest
from corpora.statement_pairs import DISTINCT, ELLIPTIC, NOT_REVOKED, PASSING, REVOKED, STATED, UPDATES

from tailrace.agents.ledger.directives import Directives
from tailrace.schemas.records.ledger import Directive, DirectiveKind

#: Between the two statements of a pair, so that nothing rests on their being neighbours.
BETWEEN = ("Never lean on the railing.", "Always lock the shed at night.")

#: Nothing in them says that anything changes, or what; they stand beside what they were meant to replace.
MISSED = {
    "Ines Valdor has left; the choir master is Tobias Ek.",
    "make it dark red instead",
}


def held(*texts: str) -> list[str]:
    """Return the statements that hold after these, each in a message of its own.

    It does not matter whether they would be noticed among others.
    """
    directives = Directives()
    for place, text in enumerate(texts):
        directives.take(Directive(kind=DirectiveKind.RULE, text=text, source=f"m{place}"))
    return [one.text for one in directives.items]


def noticed(text: str) -> list[str]:
    directives = Directives()
    directives.note(text, source="m0", turn=1, created_at_ms=0)
    return [one.text for one in directives.items]


@pytest.mark.parametrize(("first", "second"), DISTINCT)
def test_what_speaks_of_something_else_replaces_nothing(first: str, second: str) -> None:
    assert held(first, *BETWEEN, second) == [first, *BETWEEN, second]
    assert held(second, *BETWEEN, first) == [second, *BETWEEN, first]


@pytest.mark.parametrize(("first", "second"), UPDATES)
def test_what_says_it_anew_takes_the_place_of_the_former(first: str, second: str) -> None:
    former = [first] if second in MISSED else []

    assert held(first, *BETWEEN, second) == [*former, *BETWEEN, second]


@pytest.mark.parametrize(("first", "second"), ELLIPTIC)
def test_a_value_alone_changes_what_was_said_right_before(first: str, second: str) -> None:
    former = [first] if second in MISSED else []

    assert held(*BETWEEN, first, second) == [*BETWEEN, *former, second]


@pytest.mark.parametrize(("first", "second"), REVOKED)
def test_what_is_taken_back_no_longer_holds(first: str, second: str) -> None:
    assert (first in held(first, *BETWEEN, second)) == (second in MISSED)
    assert set(BETWEEN) <= set(held(first, *BETWEEN, second))


@pytest.mark.parametrize(("first", "second"), NOT_REVOKED)
def test_words_of_revocation_about_something_else_take_nothing_back(first: str, second: str) -> None:
    assert held(first, *BETWEEN, second)[:3] == [first, *BETWEEN]


@pytest.mark.parametrize("text", [text for text in STATED if "mai" not in text])
def test_what_must_last_is_noticed_word_for_word(text: str) -> None:
    assert noticed(text) == [text]


@pytest.mark.parametrize("text", PASSING)
def test_what_is_for_the_moment_is_not_noticed(text: str) -> None:
    assert noticed(text) == []
