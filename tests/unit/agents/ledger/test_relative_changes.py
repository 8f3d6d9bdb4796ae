"""Changes that tell by how much a value moves, or as news what it has become, and what only has their words."""

import pytest
from corpora.relative_changes import EITHER, MOVED, SHIFTED, SHIFTED_LATER, UNMOVED, UNMOVED_LATER

from tailrace.agents.ledger.anaphora import JOINT
from tailrace.agents.ledger.directives import Directives
from tailrace.schemas.records.ledger import Directive, DirectiveKind

#: No form knows them: they stand in the ledger beside what they change, or not at all.
UNLINKED = {
    "Two more per raft is fine.",
    "It needs 15 minutes more.",
    "You can go 10% over.",
    "We got a two-week extension.",
    "Der Zug hat sich um 20 Minuten verspätet.",
}


def noted(*stated: str, said: str, answer: str = "OK, noted.") -> dict[str, str]:
    """What holds after one message that states something and a later one, each with what it is about."""
    directives = Directives()
    for text in stated:
        directives.take(Directive(kind=DirectiveKind.RULE, text=text, source="m1"))
    directives.answer = answer
    directives.note(said, source="m2", turn=2, created_at_ms=0)
    return {one.text: one.amends for one in directives.items}


@pytest.mark.parametrize(("old", "change"), [*SHIFTED, *SHIFTED_LATER])
def test_what_tells_by_how_much_stands_with_what_it_changes(old: str, change: str) -> None:
    held = noted(old, said=change)

    assert held[old] == ""
    assert held.get(change, "") == ("" if change in UNLINKED else old)


@pytest.mark.parametrize(("old", "change"), MOVED)
def test_what_is_told_as_news_takes_the_place_of_the_former(old: str, change: str) -> None:
    held = noted(old, said=change)

    assert (old not in held) is (change not in UNLINKED)
    assert change in held


@pytest.mark.parametrize(("old", "said"), [*UNMOVED, *UNMOVED_LATER])
def test_what_only_has_the_words_of_a_change_is_linked_to_nothing(old: str, said: str) -> None:
    held = noted(old, said=said)

    assert held[old] == ""
    assert not held.get(said)


@pytest.mark.parametrize(("first", "second", "change"), EITHER)
def test_what_may_be_about_either_stands_with_both(first: str, second: str, change: str) -> None:
    assert noted(first, second, said=change) == {first: "", second: "", change: JOINT.join((first, second))}


def test_a_change_by_an_amount_is_not_about_what_was_stated_before_something_else_with_a_value() -> None:
    assert noted("The budget is 900 euros.", said="Double that.", answer="The recipe takes 3 eggs.") == {
        "The budget is 900 euros.": ""
    }


def test_a_change_by_an_amount_is_about_what_was_spoken_of() -> None:
    held = noted("The fee is 80 euros.", "The deposit is 400 euros.", said="Double that.", answer="The fee is set.")

    assert held["Double that."] == "The fee is 80 euros."


def test_what_was_moved_twice_has_moved_twice() -> None:
    directives = Directives()
    for place, text in enumerate(("The deadline is May 3.", "One more day.", "One more day.")):
        directives.note(text, source=f"m{place}", turn=place, created_at_ms=0)

    assert [one.text for one in directives.items] == ["The deadline is May 3.", "One more day.", "One more day."]


def test_a_new_value_ends_what_moved_the_old_one() -> None:
    directives = Directives()
    for place, text in enumerate(("The deadline is May 3.", "One more day.", "The deadline is May 20 now.")):
        directives.note(text, source=f"m{place}", turn=place, created_at_ms=0)

    assert [one.text for one in directives.items] == ["The deadline is May 20 now."]


def test_what_moves_a_value_that_was_changed_by_a_value_alone_is_shown_with_both() -> None:
    directives = Directives()
    for place, text in enumerate(("The budget is 900 euros.", "Make it 1,200.", "Double that.")):
        directives.note(text, source=f"m{place}", turn=place, created_at_ms=0)

    assert directives.items[-1].amends == "Make it 1,200. (about: The budget is 900 euros.)"


@pytest.mark.parametrize("text", ["double " * 20_000, " " * 100_000, "7" * 100_000, "by " * 40_000])
def test_a_flood_is_no_change(text: str) -> None:
    assert noted("The budget is 900 euros.", said=text) == {"The budget is 900 euros.": ""}
