"""Letters, notices, minutes and clauses that simply stand in a message, and people's own words that look like them."""

import pytest
from corpora.unannounced_text import OWN, UNINTRODUCED

from tailrace.agents.ledger.statements import statements


@pytest.mark.parametrize(("text", "own"), UNINTRODUCED)
def test_what_somebody_else_wrote_states_nothing(text: str, own: tuple[str, ...]) -> None:
    assert tuple(said for _, said in statements(text)) == own


@pytest.mark.parametrize(("text", "own"), OWN)
def test_what_people_write_to_the_agent_is_theirs(text: str, own: tuple[str, ...]) -> None:
    assert tuple(said for _, said in statements(text)) == own
