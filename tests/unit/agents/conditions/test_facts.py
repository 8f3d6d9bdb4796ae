"""The table of facts and the type that answers for them say the same."""

from typing import get_type_hints

from tailrace.agents.conditions.facts import FACTS, Facts
from tailrace.agents.conditions.tree import names
from tailrace.agents.conditions.unit import Unit

TYPES = {Unit.FLAG: bool, Unit.TEXT: str | None, Unit.RATIO: float}


def test_every_fact_is_an_attribute_of_its_type_or_made_of_others() -> None:
    kept = {fact.attribute: TYPES.get(fact.unit, int) for fact in FACTS.values() if fact.formula is None}
    declared = {
        name: get_type_hints(member.fget)["return"]
        for name, member in vars(Facts).items()
        if isinstance(member, property)
    }

    assert declared == kept


def test_formulas_are_made_of_facts_that_are_kept() -> None:
    for fact in FACTS.values():
        if fact.formula is not None:
            assert all(FACTS[name].formula is None for name in names(fact.formula))
