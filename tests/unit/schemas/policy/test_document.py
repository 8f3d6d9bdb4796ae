"""A document becomes a policy, or everything that is wrong with it is said, with its path and what is allowed."""

from typing import Any

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.document import examine_policy, read_policy
from tailrace.schemas.policy.policy import Policy, Tiers
from tailrace.schemas.policy.steps import RecentTurns, Summarize, Truncate


def keys(values: dict[str, Any]) -> list[str]:
    policy, problems = examine_policy(values)
    assert policy is None
    return [error.key for error in problems]


def test_an_empty_document_is_the_default() -> None:
    assert read_policy({}) == Policy()


def test_steps_and_tables_become_structs() -> None:
    keep = [{"by": "recent_turns", "turns": 3}]
    policy = read_policy(
        {"steps": [{"use": "summarize", "keep": keep}, {"use": "truncate"}], "tiers": {"user_fraction": 0.5}}
    )
    assert policy.steps == (Summarize(keep=(RecentTurns(turns=3),)), Truncate())
    assert policy.tiers == Tiers(user_fraction=0.5)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("window_tokens", "32000", 32_000),
        ("upper_fraction", "0.9", 0.9),
        ("usage_anchor", "false", False),
        ("headroom_tokens", "auto", "auto"),
        ("headroom_tokens", "null", None),
        ("steps", '[{"use": "truncate"}]', (Truncate(),)),
        ("tiers", '{"tool_results_fraction": "null"}', Tiers(tool_results_fraction=None)),
    ],
)
def test_every_value_can_be_said_as_text(key: str, text: str, value: object) -> None:
    assert getattr(read_policy({key: text}), key) == value


def test_a_word_for_nothing_is_no_text() -> None:
    policy = read_policy({"compactor": "null", "keep": {"rules": [{"contains": "null"}]}})
    assert policy.compactor == "null"
    assert policy.keep.rules[0].contains == "null"


#: What is wrong, the key that is named, and a part of what is said to be allowed.
WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"window": 5}, "policy.window", "base, version, name, upper_fraction"),
    ({"keep": {"sytem": True}}, "policy.keep.sytem", "system, first_user"),
    ({"tiers": 5}, "policy.tiers", "a table with tool_results_fraction"),
    ({"steps": 5}, "policy.steps", "a list"),
    ({"steps": "truncate"}, "policy.steps", "a list"),
    ({"steps": [7]}, "policy.steps[0]", "a table with use"),
    ({"steps": [{}]}, "policy.steps[0].use", "collapse_repeats"),
    ({"steps": [{"use": "sumarize"}]}, "policy.steps[0].use", "summarize"),
    ({"steps": [{"use": "truncate", "to": 1}]}, "policy.steps[0].to", "only known keys: use"),
    ({"steps": [{"use": "custom"}]}, "policy.steps[0].name", "text"),
    ({"steps": [{"use": "sliding_window"}]}, "policy.steps[0]", "turns, groups or tokens"),
    ({"steps": [{"use": "summarize", "ratio": 2}]}, "policy.steps[0].ratio", "at most 1"),
    ({"steps": [{"use": "summarize", "keep": [{"by": "x"}]}]}, "policy.steps[0].keep[0].by", "tail_tokens"),
    (
        {"steps": [{"use": "truncate"}, {"use": "summarize", "keep": [{"by": "tail_tokens", "tokens": 0}]}]},
        "policy.steps[1].keep[0].tokens",
        "1 or more",
    ),
    ({"agents": {"a": {"steps": [{"use": "x"}]}}}, "policy.agents.a.steps[0].use", "truncate"),
    ({"agents": {"a": {"parent": "b"}}}, "policy.agents.a.parent", "an agent of the policy"),
    ({"models": {"m": {"cap_tokens": -1}}}, "policy.models.m.cap_tokens", "1 or more"),
    ({"keep": {"sources": {"rag": "save"}}}, "policy.keep.sources.rag", "keep, protect, drop"),
    ({"keep": {"rules": [{}]}}, "policy.keep.rules[0]", "at least one of role"),
    ({"scope": "all"}, "policy.scope", "one of growth, total"),
    ({"headroom_tokens": "some"}, "policy.headroom_tokens", "a whole number or auto"),
    ({"window_tokens": "many"}, "policy.window_tokens", 'a whole number or "null"'),
    ({"window_tokens": 2**60}, "policy.window_tokens", "below 2^53"),
    (
        {"tools": {"grep": {"durability": "forever"}}},
        "policy.tools.grep.durability",
        'one of ephemeral, anchoring, replayable, non_replayable or "null" for none',
    ),
    ({"tools": {"grep": {"sensitivity": "secret"}}}, "policy.tools.grep.sensitivity", "one of public, internal, "),
    ({"name": 5}, "policy.name", "text"),
    ({"usage_anchor": "perhaps"}, "policy.usage_anchor", "true or false"),
    ({"upper_fraction": float("nan")}, "policy.upper_fraction", "at most 1"),
    ({"version": 2}, "policy.version", "1, the form"),
    ({"steps": [{"use": "custom", "name": "x", "options": {"a": object()}}]}, "policy.steps[0].options", "JSON"),
]


@pytest.mark.parametrize(("values", "key", "allowed"), WRONG, ids=[key for _, key, _ in WRONG])
def test_what_is_wrong_is_named_by_its_path_with_what_is_allowed(
    values: dict[str, Any], key: str, allowed: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        read_policy(values)
    assert refused.value.key == key
    assert allowed in refused.value.allowed


def test_everything_that_is_wrong_is_said_at_once() -> None:
    wrong = {
        "upper_fraction": 1.5,
        "progress_fraction": -1,
        "speed": 1,
        "keep": {"open_call_turns": -1, "sytem": True},
        "steps": [{"use": "summarize", "ratio": 0, "tokens_max": 0}, {"use": "x"}],
    }
    assert sorted(keys(wrong)) == [
        "policy.keep.open_call_turns",
        "policy.keep.sytem",
        "policy.progress_fraction",
        "policy.speed",
        "policy.steps[0].ratio",
        "policy.steps[0].tokens_max",
        "policy.steps[1].use",
        "policy.upper_fraction",
    ]


def test_a_value_is_not_judged_by_a_default_that_nobody_wrote() -> None:
    assert keys({"upper_fraction": 1.5, "lower_fraction": 0.9}) == ["policy.upper_fraction"]


@pytest.mark.parametrize(
    ("values", "table"),
    [
        ({"keep": {"upper_fraction": 0.8}}, "keep"),
        ({"keep": {"rules": [{"role": "user", "upper_fraction": 0.8}]}}, "keep.rules[0]"),
        ({"tiers": {"upper_fraction": 0.8}}, "tiers"),
        ({"ledger": {"upper_fraction": 0.8}}, "ledger"),
        ({"agents": {"a": {"upper_fraction": 0.8}}}, "agents.a"),
        ({"models": {"m": {"upper_fraction": 0.8}}}, "models.m"),
        ({"tools": {"grep": {"upper_fraction": 0.8}}}, "tools.grep"),
        ({"steps": [{"use": "truncate", "upper_fraction": 0.8}]}, "steps[0]"),
    ],
)
def test_a_key_of_the_policy_in_another_table_is_an_unknown_key(values: dict[str, Any], table: str) -> None:
    assert keys(values) == [f"policy.{table}.upper_fraction"]


def test_whoever_holds_the_document_can_not_change_the_policy() -> None:
    options = {"words": ["a"]}
    policy = read_policy({"steps": [{"use": "custom", "name": "x", "options": options}]})
    before = policy.hash
    options["words"].append("b")
    assert read_policy({"steps": [{"use": "custom", "name": "x", "options": {"words": ["a"]}}]}).hash == before
    assert "b" not in str(policy.steps)
