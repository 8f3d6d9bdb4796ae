"""A compiled condition says whether it holds, and asks for no more than it needs."""

from types import SimpleNamespace
from typing import Any

import pytest

from tailrace.agents.conditions.evaluate import compile_condition, compile_first
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.ranges import known_where, share_needed


class Asked:
    """Facts that note what they are asked for."""

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        return self.facts[name]


def facts(**values: Any) -> Any:
    return SimpleNamespace(**values)


@pytest.mark.parametrize(
    ("text", "held", "failed"),
    [
        ("total >= limit", {"total_tokens": 7, "limit_tokens": 7}, {"total_tokens": 6, "limit_tokens": 7}),
        ("fraction > 80%", {"total_tokens": 81, "limit_tokens": 100}, {"total_tokens": 80, "limit_tokens": 100}),
        ("headroom < 0", {"total_tokens": 8, "limit_tokens": 7}, {"total_tokens": 7, "limit_tokens": 7}),
        ("growth > 2k", {"total_tokens": 2_101, "prefix_tokens": 100}, {"total_tokens": 2_100, "prefix_tokens": 100}),
        ("idle_ms >= 5m", {"idle_ms": 300_000}, {"idle_ms": 299_999}),
        (
            "tool_tokens > 30% of limit",
            {"tool_tokens": 31, "limit_tokens": 100},
            {"tool_tokens": 30, "limit_tokens": 100},
        ),
        ("-headroom > 1", {"total_tokens": 9, "limit_tokens": 7}, {"total_tokens": 8, "limit_tokens": 7}),
        ('model == "a"', {"model": "a"}, {"model": None}),
        ('model != "a"', {"model": None}, {"model": "a"}),
        ("not cache_hot", {"cache_hot": False}, {"cache_hot": True}),
        ("turns - 2 == messages / 2", {"turns": 4, "messages": 4}, {"turns": 4, "messages": 5}),
    ],
)
def test_a_condition_holds_for_what_it_says(text: str, held: dict[str, Any], failed: dict[str, Any]) -> None:
    function = compile_condition(parse(text))

    assert function(facts(**held)) is True
    assert function(facts(**failed)) is False


def test_nothing_is_asked_that_does_not_matter() -> None:
    known = Asked(total_tokens=1, limit_tokens=9)

    assert not compile_condition(parse("total >= limit and (needs_follow_up or pending_input)"))(known)  # type: ignore[arg-type]
    assert known.asked == ["total_tokens", "limit_tokens"]


def test_the_first_that_holds_is_named() -> None:
    first = compile_first([parse(text) for text in ("total > limit", "cache_hot", "total > 5")])

    assert first(facts(total_tokens=9, limit_tokens=5, cache_hot=True)) == 0
    assert first(facts(total_tokens=9, limit_tokens=9, cache_hot=True)) == 1
    assert first(facts(total_tokens=9, limit_tokens=9, cache_hot=False)) == 2
    assert first(facts(total_tokens=1, limit_tokens=9, cache_hot=False)) is None
    assert compile_first([])(facts()) is None


def test_what_several_ask_for_first_is_read_once_and_nothing_else_before_its_time() -> None:
    texts = (
        "total > limit and tool_tokens > 5",
        "fraction > 1.5",
        "headroom < 0 or cache_hot",
        "tool_tokens > 9 and in_flight",
    )
    known = Asked(total_tokens=1, limit_tokens=9, tool_tokens=3, cache_hot=False)

    assert compile_first([parse(text) for text in texts])(known) is None  # type: ignore[arg-type]
    assert sorted(known.asked) == ["cache_hot", "limit_tokens", "tool_tokens", "total_tokens"]


def test_what_is_known_is_not_asked() -> None:
    known = known_where(parse('total <= limit and idle_ms == 0 and event != "tick"').root)
    texts = (
        "headroom < 0 or turns > 5",
        "turns > 6 and not (total > limit)",
        'idle_ms > 1h and cache_hot or event == "tick"',
    )
    told = Asked(turns=3)

    assert compile_first([parse(text) for text in texts], knowledge=known)(told) is None  # type: ignore[arg-type]
    assert set(told.asked) == {"turns"}
    assert compile_first([parse("turns > 9"), parse("idle_ms < 1s")], knowledge=known)(Asked(turns=3)) == 1  # type: ignore[arg-type]


def test_what_asks_for_a_full_context_is_not_asked_of_one_with_room() -> None:
    texts = ("fraction > 95% and cache_hot", "tool_tokens > 90% of limit", "total >= limit and in_flight", "turns > 5")
    first = compile_first([parse(text) for text in texts])
    roomy = Asked(total_tokens=50, limit_tokens=100, turns=3)

    assert first(roomy) is None  # type: ignore[arg-type]
    assert sorted(roomy.asked) == ["limit_tokens", "total_tokens", "turns"]
    assert first(facts(total_tokens=96, limit_tokens=100, tool_tokens=91, cache_hot=False, turns=3)) == 1


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("fraction > 95%", 0.9),
        ("fraction >= 85% and not cache_hot", 0.8),
        ("total > limit or total > 60% of limit and turns > 3", 0.6),
        ("tool_tokens > 50% of limit", 0.5),
        ("fraction > 40%", None),
        ("total > 5k", None),
        ("fraction > 95% or turns > 5", None),
    ],
)
def test_how_full_a_context_must_be_is_known_of_many(text: str, share: float | None) -> None:
    assert share_needed(parse(text).root) == share


def test_nothing_is_known_where_nothing_can_be() -> None:
    with pytest.raises(ValueError, match="never holds"):
        known_where(parse("idle_ms > 5m and idle_ms < 1m").root)


def test_facts_are_read_where_their_paths_lead() -> None:
    kept = facts(view=facts(tokens=9), limit_tokens=7)
    paths = {"total": "view.tokens"}

    assert compile_condition(parse("total > limit"), paths)(kept)
    assert compile_first([parse("total < limit"), parse("fraction > 1")], paths)(kept) == 1


def test_quoted_text_is_never_code() -> None:
    text = "__import__('os')"

    assert compile_condition(parse(f'model == "{text}"'))(facts(model=text)) is True
