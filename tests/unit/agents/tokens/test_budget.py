"""The budget: the two marks, and what moves them."""

from typing import Literal

import pytest

from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.schemas.policy.policy import Keep, Policy

BARE = {"output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}


def test_the_marks_are_fractions_of_what_is_usable() -> None:
    policy = Policy(output_reserve_tokens=1_000, safety_tokens=0, rehydration_reserve_tokens=0)

    assert budget_for(policy, 11_000) == TokenBudget(limit_tokens=10_000, upper_tokens=8_500, lower_tokens=6_000)


def test_the_marks_divide_what_is_left_beside_the_system_prompt() -> None:
    budget = budget_for(Policy(**BARE), 10_000, prefix_tokens=8_000)

    assert budget == TokenBudget(limit_tokens=10_000, upper_tokens=9_700, lower_tokens=8_700)
    half = budget_for(Policy(**BARE), 10_000, prefix_tokens=5_000)
    assert (half.upper_tokens, half.lower_tokens) == (9_250, 8_000)


def test_or_the_whole_limit_where_the_policy_says_so() -> None:
    budget = budget_for(Policy(scope="total", **BARE), 10_000, prefix_tokens=8_000)

    assert (budget.upper_tokens, budget.lower_tokens) == (8_500, 6_000)


def test_beside_system_messages_that_may_go_the_marks_divide_the_whole_limit() -> None:
    budget = budget_for(Policy(keep=Keep(system=False), **BARE), 10_000, prefix_tokens=8_000)

    assert (budget.upper_tokens, budget.lower_tokens) == (8_500, 6_000)


@pytest.mark.parametrize("scope", ["growth", "total"])
@pytest.mark.parametrize("prefix_tokens", [0, 4_000, 7_000, 9_500, 10_000, 20_000])
@pytest.mark.parametrize("progress_fraction", [0.0, 0.1, 0.3])
def test_between_the_marks_lies_at_least_what_a_compaction_must_free(
    scope: Literal["growth", "total"], prefix_tokens: int, progress_fraction: float
) -> None:
    policy = Policy(scope=scope, progress_fraction=progress_fraction, **BARE)
    budget = budget_for(policy, 10_000, prefix_tokens=prefix_tokens)

    assert budget.upper_tokens - budget.lower_tokens >= progress_fraction * 10_000
    assert 0 <= budget.lower_tokens <= budget.upper_tokens <= budget.limit_tokens


@pytest.mark.parametrize(
    ("hidden_tokens", "limit_tokens", "left_tokens"),
    [(0, 9_000, None), (1_000, 9_000, None), (1_500, 8_500, None), (9_500, 2_250, 500), (99_000, 2_250, 0)],
)
def test_what_a_provider_counts_beyond_the_reserves_is_taken_off_but_a_quarter_is_kept_whatever_it_says(
    hidden_tokens: int, limit_tokens: int, left_tokens: int | None
) -> None:
    policy = Policy(system_prompt_tokens=600, tool_schema_tokens=400, **BARE)

    budget = budget_for(policy, 10_000, hidden_tokens=hidden_tokens)

    assert (budget.limit_tokens, budget.left_tokens) == (limit_tokens, left_tokens)


def test_a_context_that_is_too_large_for_its_provider_is_looked_at_at_once() -> None:
    budget = budget_for(Policy(**BARE), 10_000, hidden_tokens=9_500)

    assert budget == TokenBudget(limit_tokens=2_500, upper_tokens=500, lower_tokens=1_500, left_tokens=500)


def test_headroom_lowers_both_marks_and_never_raises_them() -> None:
    tight = budget_for(Policy(headroom_tokens=3_000, **BARE), 10_000)
    loose = budget_for(Policy(headroom_tokens=10, **BARE), 10_000)

    assert (tight.limit_tokens, tight.upper_tokens, tight.lower_tokens) == (10_000, 7_000, 4_941)
    assert (loose.upper_tokens, loose.lower_tokens) == (8_500, 6_000)
