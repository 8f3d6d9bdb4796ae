"""The budget: the two marks, and what moves them."""

import pytest

from tailrace.agents.budget import TokenBudget, budget_for
from tailrace.schemas.policy import Policy

BARE = {"output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}


def test_the_marks_are_fractions_of_what_is_usable() -> None:
    policy = Policy(output_reserve_tokens=1_000, safety_tokens=0, rehydration_reserve_tokens=0)

    assert budget_for(policy, 11_000) == TokenBudget(limit_tokens=10_000, upper_tokens=8_500, lower_tokens=6_000)


def test_the_marks_divide_what_is_left_beside_the_system_prompt() -> None:
    budget = budget_for(Policy(**BARE), 10_000, prefix_tokens=8_000)

    assert budget == TokenBudget(limit_tokens=10_000, upper_tokens=9_700, lower_tokens=9_200)


def test_or_the_whole_limit_where_the_policy_says_so() -> None:
    budget = budget_for(Policy(scope="total", **BARE), 10_000, prefix_tokens=8_000)

    assert (budget.upper_tokens, budget.lower_tokens) == (8_500, 6_000)


@pytest.mark.parametrize(
    ("hidden_tokens", "limit_tokens"), [(0, 9_000), (1_000, 9_000), (1_500, 8_500), (99_000, 4_500)]
)
def test_what_a_provider_counts_beyond_the_reserves_is_taken_off_but_never_more_than_half(
    hidden_tokens: int, limit_tokens: int
) -> None:
    policy = Policy(system_prompt_tokens=600, tool_schema_tokens=400, **BARE)

    assert budget_for(policy, 10_000, hidden_tokens=hidden_tokens).limit_tokens == limit_tokens


def test_headroom_lowers_both_marks_and_never_raises_them() -> None:
    tight = budget_for(Policy(headroom_tokens=3_000, **BARE), 10_000)
    loose = budget_for(Policy(headroom_tokens=10, **BARE), 10_000)

    assert tight == TokenBudget(limit_tokens=10_000, upper_tokens=7_000, lower_tokens=4_941)
    assert loose == budget_for(Policy(**BARE), 10_000)
