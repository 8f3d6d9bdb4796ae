"""What a line says of all that stands above it stays with each rule, or makes none of it one."""

import pytest
from corpora.trailing_scope import BOUNDING, OF_ITS_OWN, VOIDING

from tailrace.agents.ledger.statements import statements
from tailrace.agents.ledger.unclassified_statements import said_in

RULES = ("Never feed the seals.", "Always lock the gate.")


def stated(text: str) -> list[str]:
    return [said for _, said in statements(text)]


def carried(bound: str) -> str:
    return f"{bound.strip('()[] ').rstrip('.!')}:"


@pytest.mark.parametrize("bound", BOUNDING)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_bound_stays_with_each_rule_above_it(bound: str, between: str) -> None:
    text = f"{RULES[0]}\n{RULES[1]}{between}{bound}"

    assert stated(text) == [f"{carried(bound)} {rule}" for rule in RULES]


@pytest.mark.parametrize("bound", VOIDING)
def test_what_is_said_not_to_hold_is_no_rule(bound: str) -> None:
    text = "\n".join([*RULES, bound])

    assert stated(text) == []
    assert [one.text for one in said_in(text, source="m", turn=1)] == [f"{carried(bound)} {rule}" for rule in RULES]


@pytest.mark.parametrize("text", OF_ITS_OWN)
def test_what_says_something_else_bounds_nothing(text: str) -> None:
    assert stated("\n".join([*RULES, text]))[:2] == [*RULES]


def test_a_bound_speaks_of_its_own_paragraph() -> None:
    text = "Never lift the lid.\n\nAlways stir clockwise.\nThis holds for jam only."

    assert stated(text) == ["Never lift the lid.", "This holds for jam only: Always stir clockwise."]


def test_a_bound_below_a_list_is_one_of_all_items() -> None:
    text = "House rules:\n- no phones\n- always knock\n\nThese rules apply only during exams."

    assert stated(text) == [f"These rules apply only during exams: {rule}" for rule in ("no phones", "always knock")]


def test_what_is_to_be_done_at_some_times_is_a_rule() -> None:
    text = "Water the plants.\nFeed the cat.\nAll of this only on weekdays."

    assert stated(text) == [f"All of this only on weekdays: {one}" for one in ("Water the plants.", "Feed the cat.")]


@pytest.mark.parametrize(
    "otherwise", ["Otherwise: leave it open.", "Otherwise leave it open.", "Sonst bleibt es offen."]
)
def test_what_is_done_otherwise_stays_with_its_condition(otherwise: str) -> None:
    assert stated(f"If it rains, close the roof.\n{otherwise}") == [f"If it rains, close the roof. {otherwise}"]


def test_a_list_of_what_is_done_otherwise_carries_the_condition() -> None:
    text = "If guests are late:\n- hold the soup\nOtherwise:\n- never wait"

    assert stated(text) == [
        "If guests are late: hold the soup",
        "If guests are late: \u2026 Otherwise: never wait",
    ]


def test_what_stands_alone_bounds_nothing() -> None:
    assert stated("Everything above only applies on weekdays.") == ["Everything above only applies on weekdays."]
