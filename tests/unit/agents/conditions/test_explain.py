"""An explanation names every part of a condition with its values."""

from types import SimpleNamespace
from typing import Any

import pytest

from tailrace.agents.conditions.explain import ConditionTerm, Explanation, explain
from tailrace.agents.conditions.parse import parse


def explained(text: str, **facts: Any) -> Explanation:
    known: Any = SimpleNamespace(**facts)
    return explain(parse(text), known)


def test_every_part_is_there_with_its_values() -> None:
    explanation = explained(
        "total >= limit and (needs_follow_up or not pending_input)",
        total_tokens=103_412,
        limit_tokens=102_400,
        needs_follow_up=False,
        pending_input=True,
    )

    assert explanation == Explanation(
        fired=False,
        terms=(
            ConditionTerm("total >= limit", "total 103,412 >= limit 102,400", held=True),
            ConditionTerm("needs_follow_up", "needs_follow_up", held=False),
            ConditionTerm("pending_input", "pending_input", held=True),
        ),
    )
    assert explanation.text == "total 103,412 >= limit 102,400 yes; needs_follow_up no; pending_input yes"


@pytest.mark.parametrize(
    ("text", "facts", "line"),
    [
        ("fraction > 80%", {"total_tokens": 8_004, "limit_tokens": 10_000}, "fraction 0.8004 > 80% yes"),
        ("fraction > 80%", {"total_tokens": 0, "limit_tokens": 10_000}, "fraction 0 > 80% no"),
        ("idle_ms >= 5m", {"idle_ms": 312_000}, "idle_ms 312,000 >= 5m yes"),
        (
            "tool_tokens > 30% of limit",
            {"tool_tokens": 40_000, "limit_tokens": 100_000},
            "tool_tokens 40,000 > (30% of limit = 30,000) yes",
        ),
        ("-headroom > 2", {"total_tokens": 9, "limit_tokens": 5}, "(-headroom = 4) > 2 yes"),
        ("model == 'a'", {"model": "b"}, 'model "b" == "a" no'),
        ("model == 'a'", {"model": None}, 'model none == "a" no'),
        ("turns > 3", {"turns": 1_000_000}, "turns 1,000,000 > 3 yes"),
    ],
)
def test_values_are_written_as_people_read_them(text: str, facts: dict[str, Any], line: str) -> None:
    assert explained(text, **facts).text == line


def test_it_says_whether_the_whole_held() -> None:
    assert explained("cache_hot or in_flight", cache_hot=False, in_flight=True).fired
    assert not explained("not (cache_hot or in_flight)", cache_hot=False, in_flight=True).fired
