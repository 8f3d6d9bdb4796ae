"""The policy: what is refused, what a window leaves, and when two policies are the same."""

from typing import Any

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import AgentPolicy, Keep, ModelLimit, Policy
from tailrace.schemas.policy.steps import ExpireToolResults, Summarize, ToolRetention
from tailrace.schemas.policy.tools import ToolRule


def test_the_reserves_are_taken_off_the_window() -> None:
    policy = Policy(
        output_reserve_tokens=4_000, safety_tokens=500, rehydration_reserve_tokens=0, tool_schema_tokens=1_500
    )
    assert policy.limit_tokens(128_000) == 122_000


def test_a_window_of_its_own_comes_before_the_model_s() -> None:
    policy = Policy(window_tokens=10_000, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    assert policy.limit_tokens(128_000) == 10_000


@pytest.mark.parametrize("window_tokens", [1, 2, 3, 4, 100, 4_000, 5_000])
def test_reserves_leave_at_least_a_quarter_of_a_small_window(window_tokens: int) -> None:
    limit_tokens = Policy().limit_tokens(window_tokens)
    assert limit_tokens == max(1, window_tokens // 4, window_tokens - 6_596)
    assert 0 < limit_tokens <= window_tokens


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("upper_fraction", 0.0),
        ("upper_fraction", 1.01),
        ("upper_fraction", float("nan")),
        ("lower_fraction", 0.0),
        ("lower_fraction", 0.85),
        ("lower_fraction", -1.0),
        ("lower_fraction", float("nan")),
        ("window_tokens", 0),
        ("default_window_tokens", -1),
        ("output_reserve_tokens", -1),
        ("safety_tokens", -1),
    ],
)
def test_a_number_that_can_t_work_is_refused_by_name(key: str, value: float) -> None:
    with pytest.raises(ConfigError) as refused:
        Policy(**{key: value})
    assert refused.value.key == f"policy.{key}"
    assert refused.value.value is value or refused.value.value == value


def test_equal_policies_have_equal_hashes() -> None:
    assert Policy().hash == Policy(upper_fraction=0.85).hash
    assert len(Policy().hash) == 12
    assert {Policy(): 1}[Policy(upper_fraction=0.85)] == 1


@pytest.mark.parametrize(
    "other",
    [
        Policy(upper_fraction=0.9),
        Policy(lower_fraction=0.5),
        Policy(window_tokens=1),
        Policy(safety_tokens=501),
        Policy(steps=()),
        Policy(steps=(Summarize(ratio=0.2),)),
        Policy(agents={"planner": AgentPolicy(strategy="drop")}),
        Policy(keep=Keep(sources={"rag": "keep"})),
    ],
)
def test_any_other_number_is_another_hash(other: Policy) -> None:
    assert other.hash != Policy().hash


def test_caps_hold_whatever_the_window() -> None:
    policy = Policy(cap_tokens=64_000, models={"small": ModelLimit(cap_tokens=10_000, output_reserve_tokens=0)})
    assert policy.limit_tokens(1_000_000) == 64_000
    assert policy.limit_tokens(1_000_000, "small") == 10_000
    assert policy.limit_tokens(9_000, "small") == 9_000 - 2_500


def test_headroom_is_absolute_over_large_windows_and_a_fifth_below() -> None:
    policy = Policy(headroom_tokens="auto")
    assert policy.headroom(1_000_000) == 20_000
    assert policy.headroom(200_000) == 40_000
    assert Policy().headroom(200_000) == 0


def test_the_order_of_patterns_of_which_the_first_counts_is_part_of_the_hash() -> None:
    one, other = {"rag-main": "protect", "rag*": "drop"}, {"rag*": "drop", "rag-main": "protect"}
    tools = {"git_log": ToolRetention(keep_last=1), "git_*": ToolRetention(keep_turns=1)}
    pairs = [
        [Policy(keep=Keep(sources=table)) for table in (one, other)],  # type: ignore[arg-type]
        [Policy(tools=table) for table in ({"a": ToolRule(), "*": ToolRule()}, {"*": ToolRule(), "a": ToolRule()})],
        [Policy(steps=(ExpireToolResults(tools=dict(items)),)) for items in (tools.items(), reversed(tools.items()))],
        [
            Policy(agents={"x": AgentPolicy(steps=(ExpireToolResults(tools=dict(items)),))})
            for items in (tools.items(), reversed(tools.items()))
        ],
    ]
    for first, second in pairs:
        assert first.hash != second.hash
        assert first != second


def test_the_order_of_names_that_are_no_patterns_is_not() -> None:
    models = {"a": ModelLimit(cap_tokens=1), "b": ModelLimit(cap_tokens=2)}
    agents = {"a": AgentPolicy(compactor="x"), "b": AgentPolicy(compactor="y")}
    one = Policy(models=models, agents=agents)
    other = Policy(models=dict(reversed(models.items())), agents=dict(reversed(agents.items())))

    assert one.hash == other.hash
    assert one == other


def test_a_compactor_may_be_a_parent_s() -> None:
    agents = {"parent": AgentPolicy(compactor="theirs"), "child": AgentPolicy(parent="parent", strategy="delegate")}

    assert Policy(agents=agents).for_agent("child") == AgentPolicy(
        strategy="delegate", steps=Policy().steps, compactor="theirs"
    )


@pytest.mark.parametrize(
    ("agents", "chain"),
    [
        ({"egg": AgentPolicy(parent="hen"), "hen": AgentPolicy(parent="egg")}, "egg > hen > egg"),
        ({"a": AgentPolicy(parent="a/b"), "a/b": AgentPolicy()}, "a > a/b > a"),
    ],
)
def test_parents_that_lead_back_are_refused_with_the_way_that_they_lead(
    agents: dict[str, AgentPolicy], chain: str
) -> None:
    with pytest.raises(ConfigError, match=chain):
        Policy(agents=agents)


@pytest.mark.parametrize(
    ("document", "key"),
    [
        ({"version": 2}, "policy.version"),
        ({"aggressiveness_max": 5}, "policy.aggressiveness_max"),
        ({"strategy": "delegate"}, "policy.compactor"),
        ({"agents": {"child": AgentPolicy(parent="nobody")}}, "policy.agents.child.parent"),
        ({"agents": {"child": AgentPolicy(strategy="delegate")}}, "policy.agents.child.compactor"),
        ({"agents": {"p/c": AgentPolicy(), "p": AgentPolicy(strategy="delegate")}}, "policy.agents.p/c.compactor"),
        ({"agents": {"self": AgentPolicy(parent="self")}}, "policy.agents.self.parent"),
    ],
)
def test_a_document_that_can_t_work_is_refused_by_name(document: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Policy(**document)
    assert refused.value.key == key
