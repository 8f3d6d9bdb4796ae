"""A heading is shown once, above its items, and every item can be had back as it is held."""

import pytest
from support.growing_ledger import note

from tailrace.agents.ledger.list_headings import unfolded
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Ledger, UnclassifiedStatement
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

LISTS = {
    "one list": "Never do the following:\n- open the vents\n- feed the swans\n- paint the gates",
    "two lists": (
        "Never do the following:\n- open the vents\n- feed the swans\n\n"
        "Without asking you may:\n- sweep\n- oil the hinges"
    ),
    "a list in a list": (
        "When it rains:\n- close the shutters\n- never do the following:\n  - open the vents\n  - mow the bank"
    ),
    "no spaces between words": "絶対に次のことをしないでください\uff1a\n- 水門を開ける\n- 白鳥に餌をやる",
    "a label in capitals": "RULES: never open gate 7.\nRULES: never open gate 8 at night.",
}


def ledger_of(*texts: str, role: str = "user") -> Ledger:
    ledger = Ledger()
    for turn, text in enumerate(texts, 1):
        message = Message(role=role, parts=(TextPart(content=text),))
        ledger = note(ledger, message, event_id=f"m{turn}", turn=turn, created_at_ms=0)
    return Ledger(directives=ledger.directives)


def rendered(ledger: Ledger, tokens_max: int = 10_000) -> str:
    return render(ledger, tokens_max=tokens_max, count_text=len)


def test_a_heading_stands_once_above_its_items() -> None:
    assert rendered(ledger_of(LISTS["one list"], "Never ring the bell.")) == (
        "[In force]\nUser:\n- Never do the following:\n  - open the vents\n  - feed the swans\n"
        "  - paint the gates\n- Never ring the bell."
    )


def test_one_item_stands_behind_its_heading() -> None:
    ledger = ledger_of("Never do the following:\n- open the vents", "Never do the following:\n- feed the swans")

    assert rendered(ledger).split("\n")[2:] == [
        "- Never do the following: open the vents",
        "- Never do the following: feed the swans",
    ]


def test_items_stay_together_whatever_else_was_said_then() -> None:
    ledger = ledger_of("Never ring the bell.", LISTS["one list"], "Never paint the sill.")
    said = UnclassifiedStatement(text="Otters first in spring.", source="m2", turn=2)
    lines = rendered(Ledger(directives=ledger.directives, unclassified=(said,))).split("\n")

    assert lines[2:] == [
        "- Never ring the bell.",
        "- Never do the following:",
        "  - open the vents",
        "  - feed the swans",
        "  - paint the gates",
        "- said: Otters first in spring.",
        "- Never paint the sill.",
    ]


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS.keys())
def test_every_item_can_be_had_back_with_its_headings(text: str) -> None:
    ledger = ledger_of(text, "Never ring the bell.")
    shown = rendered(ledger)

    assert len(ledger.directives) > 2
    assert [one.text for one in ledger.directives if one.text not in unfolded(shown)] == []
    assert len(shown) < len("\n- ".join(["[In force]", *(one.text for one in ledger.directives)]))


def test_in_the_same_room_more_items_are_shown_where_their_heading_stands() -> None:
    items = [f"touch the {name} valve" for name in ("north", "south", "east", "west", "upper", "lower", "middle")]
    ledger = ledger_of("Never do any of the following things:\n" + "\n".join(f"- {item}" for item in items))
    room = len(rendered(ledger))

    assert room < len("\n- ".join(["[In force]", *(one.text for one in ledger.directives)])) * 0.6
    for tokens_max in range(0, room + 1, 7):
        shown = rendered(ledger, tokens_max)
        assert len(shown) <= tokens_max
    assert all(item in rendered(ledger, room + len("Never do any of the following things:")) for item in items)


def test_what_is_about_another_statement_says_so_beneath_a_heading_too() -> None:
    held = tuple(
        Directive(kind=DirectiveKind.RULE, text=f"At night: {text}", source="m1", amends=about)
        for text, about in (("no lamps", ""), ("port 9090", "the meter"))
    )

    assert (
        rendered(Ledger(directives=held))
        == "[In force]\nUser:\n- At night:\n  - no lamps\n  - port 9090 (about: the meter)"
    )
