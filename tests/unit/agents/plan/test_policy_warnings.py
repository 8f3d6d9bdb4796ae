"""A policy that is allowed and can't be meant is warned of; one that works is not."""

from typing import Any

import pytest

from tailrace.agents.plan.policy_warnings import policy_warnings
from tailrace.schemas.policy.document import read_policy

TRUNCATE = {"use": "truncate"}


def warnings(**values: Any) -> list[tuple[str, str]]:
    return [(warning.key, warning.what) for warning in policy_warnings(read_policy(values))]


def test_the_default_has_nothing_to_be_warned_of() -> None:
    assert warnings() == []


#: Steps of which the last can never do anything, and why.
IDLE: list[tuple[list[dict[str, Any]], str]] = [
    ([TRUNCATE, {"use": "collapse_repeats"}], "truncate before it always meets the target"),
    ([{"use": "collapse_repeats", "tokens_min": 500_000}], "above the limit"),
    ([{"use": "externalize", "tokens_min": 500_000}], "above the limit"),
    ([{"use": "prune_tool_results", "protect_tokens": 120_000}], "more than the limit"),
    ([{"use": "prune_tool_results", "protected_tools": ["*"]}], "all tools are protected"),
    ([{"use": "expire_tool_results", "default": {}}], "no retention has a bound"),
    ([{"use": "expire_tool_results", "never_evict": ["*"]}], "names all tools"),
    ([{"use": "remove_tool_calls", "tools": []}], "names none"),
    ([{"use": "sliding_window", "tokens": 200_000}], "holds all of the limit"),
    (
        [{"use": "summarize", "keep": [{"by": "tail_tokens", "tokens": 100_000, "fraction_max": 1.0}]}],
        "tail_tokens keeps",
    ),
    ([{"use": "summarize", "keep": [{"by": "recent_fraction", "fraction": 1.0}]}], "recent_fraction keeps"),
    (
        [
            {
                "use": "externalize",
                "keep": [{"by": "recent_turns", "turns": 4, "fraction": 1.0, "turn_tokens_max": 90_000}],
            }
        ],
        "recent_turns keeps",
    ),
]


@pytest.mark.parametrize(("steps", "why"), IDLE, ids=[why for _, why in IDLE])
def test_a_step_that_can_never_act_is_warned_of(steps: list[dict[str, Any]], why: str) -> None:
    found = warnings(steps=steps)
    assert [key for key, _ in found] == [f"policy.steps[{len(steps) - 1}]"]
    assert why in found[0][1]


def test_steps_behind_truncate_are_taken_where_all_steps_are() -> None:
    assert warnings(steps=[TRUNCATE, {"use": "collapse_repeats"}], early_stop=False) == []


def test_the_ladder_puts_truncate_behind_what_is_gentler() -> None:
    assert warnings(steps=[TRUNCATE, {"use": "summarize"}], order="ladder") == []
    late = warnings(steps=[TRUNCATE, {"use": "remove_tool_calls"}], order="ladder")
    assert [key for key, _ in late] == ["policy.steps[1]"]


def test_steps_above_the_highest_rung_are_warned_of() -> None:
    found = warnings(steps=[{"use": "summarize"}, TRUNCATE], aggressiveness_max=2)
    assert [key for key, _ in found] == ["policy.steps[1]"]


@pytest.mark.parametrize("strategy", ["drop", "summarize", "checkpoint", "delegate"])
def test_steps_that_a_strategy_does_without_are_warned_of(strategy: str) -> None:
    found = warnings(strategy=strategy, compactor="mine", steps=[{"use": "collapse_repeats"}])
    assert "policy.steps[0]" in {key for key, _ in found}


def test_the_steps_of_agents_are_looked_at_too() -> None:
    found = warnings(agents={"a": {"steps": [TRUNCATE, TRUNCATE]}})
    assert [key for key, _ in found] == ["policy.agents.a.steps[1]"]


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"compactor": "mine"}, "policy.compactor"),
        ({"summarizer": "extractive"}, "policy.summarizer"),
        ({"triggers": {"timers": {"chunk_ms": 60_000}}}, "policy.triggers.timers.chunk_ms"),
        ({"ledger": {"candidates": True}}, "policy.ledger.candidates"),
        ({"ledger": {"candidates": True, "enabled": False}, "chunks": {"enabled": True}}, "policy.ledger.candidates"),
        ({"headroom_tokens": 100_000}, "policy.headroom_tokens"),
        ({"output_reserve_tokens": 120_000}, "policy.output_reserve_tokens"),
        ({"name": " "}, "policy.name"),
        ({"progress_fraction": 0.5}, "policy.lower_fraction"),
    ],
)
def test_numbers_and_names_without_effect_are_warned_of(values: dict[str, Any], key: str) -> None:
    assert [found for found, _ in warnings(**values)] == [key]


def test_a_mark_that_is_moved_says_where_it_is() -> None:
    ((_, what),) = warnings(progress_fraction=0.5)
    assert what == "counts as 0.35: progress_fraction wants 0.5 of the limit between the marks"
    assert warnings(progress_fraction=0.25) == []


def test_what_is_too_large_for_one_window_is_right_for_another() -> None:
    steps = [{"use": "prune_tool_results", "protect_tokens": 120_000}]
    assert warnings(steps=steps, window_tokens=1_000_000) == []
