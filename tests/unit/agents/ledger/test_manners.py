"""Which orders say how all of a kind are done, and which are done once, in trades that no list was made for."""

import pytest
from corpora.manners import DONE_ONCE, DONE_ONCE_LATER, LASTING_MANNERS, LASTING_MANNERS_LATER

from tailrace.agents.ledger.statements import statements

#: Not noted: no list tells what is cleaned once from what is cleaned so always, nor stuff from a thing.
MISSED = {
    "Stack crates three high.",
    "Clean brushes with turpentine.",
    "Season broth with white pepper.",
    "Order flour in 25 kg sacks.",
    "Thank donors by hand-written card.",
    "Wash wool in cold water.",
    "Bottle cider in brown glass.",
    "Draft letters in formal English.",
    "Mount prints on acid-free board.",
    "Park bikes behind the shed.",
}
#: Noted, and for the moment.
TAKEN = {
    "Bring blankets to room four.",
    "Mix colours until it looks right.",
}


def noted(text: str) -> bool:
    return [said for _, said in statements(text)] == [text]


@pytest.mark.parametrize("text", [*LASTING_MANNERS, *LASTING_MANNERS_LATER])
def test_how_all_of_a_kind_are_done_is_to_last(text: str) -> None:
    assert noted(text) == (text not in MISSED)


@pytest.mark.parametrize("text", [*DONE_ONCE, *DONE_ONCE_LATER])
def test_what_is_done_once_is_no_rule(text: str) -> None:
    assert noted(text) == (text in TAKEN)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The boiler is old. ", "Report temperatures in celsius."),
        ("Thanks! ", "Please label the jars with date and batch."),
        ("", "please quote prices in euros"),
    ],
)
def test_it_may_stand_behind_something_else(before: str, text: str) -> None:
    assert [said for _, said in statements(f"{before}{text}")] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Upload Reports in Web UI",
        "Room service stops at midnight.",
        "Report temperatures?",
        "Buy milk. Sweep the yard. Pack extra snacks in small bags.",
    ],
)
def test_a_title_or_a_tale_has_another_form(text: str) -> None:
    assert not noted(text)
