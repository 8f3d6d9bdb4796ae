"""Sentences that say when something holds.

Rules are noted with their condition, and what only tells something is none.
"""

import pytest
from corpora.rule_conditions import RULES_READ, RULES_UNREAD, TOLD_READ, TOLD_UNREAD

from tailrace.agents.ledger.statements import statements

#: Not noted.
MISSED = {
    "Außer im August verschicke den Rundbrief am Ersten.",
    "Mientras esté de vacaciones, reenvía las facturas a Petra.",
}
#: Noted, and only told; the first two as facts.
TAKEN = {
    "Before we moved here, I worked in Trieste.",
    "In case you wonder, the roof is from 1910.",
    "As long as I lived there, nobody complained.",
    "Except for two chairs, the furniture is sold.",
    "Pendant mes études, j'habitais dans un couvent.",
}


@pytest.mark.parametrize("text", [*RULES_READ, *RULES_UNREAD])
def test_a_rule_is_noted_with_its_condition(text: str) -> None:
    assert [said for _, said in statements(text)] == ([] if text in MISSED else [text])


@pytest.mark.parametrize("text", [*TOLD_READ, *TOLD_UNREAD])
def test_what_is_told_is_no_rule(text: str) -> None:
    assert [said for _, said in statements(text)] == ([text] if text in TAKEN else [])
