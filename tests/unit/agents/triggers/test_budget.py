"""Budget trigger: limit, upper mark, and what is announced."""

import pytest

from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.budget import over_budget, with_room
from tailrace.schemas.records.compaction import Trigger

BUDGET = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)


@pytest.mark.parametrize(
    ("total", "announced", "rule", "must"),
    [
        (850, 0, None, False),
        (851, 0, "upper mark", False),
        (1_000, 0, "upper mark", False),
        (1_001, 0, "limit", True),
        (800, 50, None, False),
        (800, 51, "upper mark", False),
        (800, 201, "limit", True),
    ],
)
def test_a_mark_fires_once_it_is_passed(total: int, announced: int, rule: str | None, *, must: bool) -> None:
    firing = over_budget(total, BUDGET, announced, 0)
    assert (firing.rule if firing else None) == rule
    if firing is not None:
        assert (firing.must, firing.trigger) == (must, Trigger.BUDGET)


def test_a_firing_says_what_held_with_its_values() -> None:
    firing = over_budget(900, BUDGET, 200, 0)
    assert firing is not None
    assert firing.condition == "total 900 + announced 200 > limit 1,000"


def test_after_a_try_in_vain_the_upper_mark_rests_and_the_limit_does_not() -> None:
    assert over_budget(900, BUDGET, 0, 900) is None
    assert over_budget(901, BUDGET, 0, 900) is not None
    assert over_budget(1_001, BUDGET, 0, 2_000) is not None


def test_room_is_taken_off_the_limit_and_off_the_lower_mark() -> None:
    smaller = with_room(BUDGET, 300)
    assert (smaller.limit_tokens, smaller.upper_tokens, smaller.lower_tokens) == (700, 700, 300)


@pytest.mark.parametrize("tokens", [0, 1, 500, 750, 1_000, 10**9])
def test_however_much_is_announced_the_marks_stay_in_order_and_a_quarter_is_left(tokens: int) -> None:
    smaller = with_room(BUDGET, tokens)
    assert 150 <= smaller.lower_tokens <= smaller.upper_tokens <= smaller.limit_tokens
    assert smaller.limit_tokens >= 250
