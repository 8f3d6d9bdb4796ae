"""docs/conditions.md says what the code does.

Every fact, every unit, examples that are allowed and errors that are shown.
"""

import re
from math import isfinite
from pathlib import Path

import pytest

from tailrace.agents.conditions.check import check
from tailrace.agents.conditions.facts import EVENTS, FACTS, Fact
from tailrace.agents.conditions.parse import SUFFIXES, parse
from tailrace.agents.conditions.tree import show
from tailrace.agents.conditions.unit import Unit
from tailrace.agents.triggers.structural import read_rule
from tailrace.schemas.errors import ConditionError

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "conditions.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    when = '([^']+)'$", PAGE, re.MULTILINE)
ERRORS = re.findall(r"^    error: (condition = '([^']+)' .*\n(?:    .*\n)+)", PAGE, re.MULTILINE)


def section(heading: str) -> str:
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/conditions.md has no section {heading}"
    return found[1]


def rows(heading: str) -> list[list[str]]:
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def values(fact: Fact) -> str:
    if fact.unit is Unit.FLAG:
        return "yes, no"
    if fact.unit is Unit.TEXT:
        return "see below" if fact.choices else "any"
    if isfinite(fact.low) and isfinite(fact.high):
        return f"{fact.low:g} to {fact.high:g}"
    return f"{fact.low:g} or more" if isfinite(fact.low) else "any"


def expected_facts() -> list[list[str]]:
    meanings = {
        name: fact.meaning if fact.formula is None else f"{fact.meaning}: `{show(fact.formula)}`"
        for name, fact in FACTS.items()
    }
    return [[f"`{name}`", fact.unit, values(fact), meanings[name]] for name, fact in FACTS.items()]


def test_every_fact_is_on_the_page_as_the_table_has_it() -> None:
    assert rows("What a condition can ask") == expected_facts()


def test_every_event_is_on_the_page() -> None:
    listed = re.search(r"`event` is one of ([^.]*)\.", section("What a condition can ask"))
    assert listed
    assert re.findall(r"`(\w+)`", listed[1]) == list(EVENTS)


def test_every_unit_of_a_number_is_on_the_page() -> None:
    written = {suffix: unit for suffix, (_, unit) in SUFFIXES.items()}
    shown = {row[0].strip("`"): row[2] for row in rows("Numbers")}
    parsed = {parse(f"total > {number}").root.right for number in shown}  # type: ignore[union-attr]
    assert {node.written: str(node.unit) for node in parsed} == shown
    assert {re.sub(r"[0-9_.]", "", number) for number in shown} == set(written)


def test_the_values_of_numbers_are_on_the_page() -> None:
    for number, value, _, _ in rows("Numbers"):
        assert parse(f"total > {number.strip('`')}").root.right.value == float(value.replace(",", ""))  # type: ignore[union-attr]


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_are_allowed(text: str) -> None:
    read_rule(text)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 5
    assert len(ERRORS) > 2


@pytest.mark.parametrize(("shown", "text"), ERRORS, ids=[text for _, text in ERRORS])
def test_the_errors_are_those_that_are_raised(shown: str, text: str) -> None:
    with pytest.raises(ConditionError) as raised:
        check(parse(text))
    lines = [line.removeprefix("    ").rstrip() for line in shown.splitlines()]
    assert lines == str(raised.value).splitlines()
