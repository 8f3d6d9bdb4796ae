"""A heading stays with every item that it says something of."""

import pytest
from corpora.headings import (
    ANNOUNCING_HEADINGS,
    BINDING_HEADINGS,
    FOREIGN_HEADINGS,
    HEADED,
    LIMITING_HEADINGS,
    NOT_VOID_HEADINGS,
    TELLING_HEADINGS,
    VOID_HEADINGS,
)
from support.growing_ledger import note

from tailrace.agents.ledger.statements import statements
from tailrace.agents.ledger.unclassified_statements import said_in
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart


def noticed(text: str) -> tuple[str, ...]:
    return tuple(said for _, said in statements(text))


def carried(heading: str) -> str:
    bare = heading.strip("*# ")
    return bare if bare.endswith((":", "\uff1a")) else f"{bare}:"


@pytest.mark.parametrize("heading", BINDING_HEADINGS)
def test_what_is_listed_under_a_heading_that_binds_is_held_with_it(heading: str) -> None:
    held = noticed(f"{heading}\n- the north stairs\n- feed the swans")

    assert held[-2:] == (f"{carried(heading)} the north stairs", f"{carried(heading)} feed the swans")


@pytest.mark.parametrize("heading", [*LIMITING_HEADINGS, *FOREIGN_HEADINGS])
def test_a_rule_is_held_with_the_time_the_place_or_the_people_that_it_is_for(heading: str) -> None:
    held = noticed(f"{heading}\n- no deliveries\n- never ring the bell")

    assert held == (f"{carried(heading)} no deliveries", f"{carried(heading)} never ring the bell")


@pytest.mark.parametrize("heading", VOID_HEADINGS)
def test_what_is_listed_as_turned_down_is_no_rule(heading: str) -> None:
    text = f"{heading}\n- no deliveries\n- never ring the bell"

    assert noticed(text) == ()
    assert [one.text for one in said_in(text, source="m", turn=1)] == [
        f"{carried(heading)} no deliveries",
        f"{carried(heading)} never ring the bell",
    ]


@pytest.mark.parametrize("heading", NOT_VOID_HEADINGS)
def test_other_headings_leave_rules_what_they_are(heading: str) -> None:
    held = noticed(f"{heading}\n- no deliveries\n- never ring the bell")

    assert [one.removeprefix(f"{carried(heading)} ") for one in held] == ["no deliveries", "never ring the bell"]


@pytest.mark.parametrize("heading", ANNOUNCING_HEADINGS)
def test_a_heading_that_only_announces_is_not_repeated(heading: str) -> None:
    assert noticed(f"{heading}\n- no deliveries\n- never ring the bell") == ("no deliveries", "never ring the bell")


@pytest.mark.parametrize("heading", TELLING_HEADINGS)
def test_what_is_listed_under_other_headings_is_no_rule(heading: str) -> None:
    assert noticed(f"{heading}\n- the lamp in the hall\n- the blue bucket") == ()


@pytest.mark.parametrize(("text", "held"), HEADED)
def test_lists_of_all_shapes_keep_their_headings(text: str, held: tuple[str, ...]) -> None:
    assert noticed(text) == held


def test_items_of_one_heading_do_not_take_each_others_place() -> None:
    text = "Things you may not do without asking:\n- pay bills\n- hire people\n- sell the boat"
    message = Message(role="user", parts=(TextPart(content=text),))
    ledger = note(Ledger(), message, event_id="m1", turn=1, created_at_ms=0)

    assert [one.text.rpartition(": ")[2] for one in ledger.directives] == ["pay bills", "hire people", "sell the boat"]


@pytest.mark.parametrize("heading", ["Camp rules:", "Camp rules", "## Rules"])
def test_an_item_below_a_plain_title_is_changed_by_the_same_words_with_another_number(heading: str) -> None:
    ledger = Ledger()
    for turn, text in enumerate((f"{heading}\n- Fires out at 21:00\n- Shoes off", "Fires out at 22:30."), 1):
        message = Message(role="user", parts=(TextPart(content=text),))
        ledger = note(ledger, message, event_id=f"m{turn}", turn=turn, created_at_ms=0)

    assert [one.text for one in ledger.directives] == ["Shoes off", "Fires out at 22:30."]
