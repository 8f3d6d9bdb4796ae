"""The budget trigger: when it acts, how far it goes, and what it says if it can't."""

import pytest

from tailrace.agents.budget_trigger import Marks, compaction_id, judge, marks
from tailrace.agents.groups import Group, GroupKind
from tailrace.schemas.policy import Policy

MARKS = Marks(limit_tokens=1000, upper_tokens=850, lower_tokens=600)


def groups(*tokens: int, pinned: int = 0) -> list[Group]:
    """Groups of these sizes, oldest first; the first `pinned` of them must stay."""
    return [
        Group(
            sequence=number,
            turn=0,
            kind=GroupKind.ASSISTANT_TEXT,
            ids=(str(number),),
            tokens=size,
            members=1,
            pinned=int(number < pinned),
        )
        for number, size in enumerate(tokens)
    ]


def test_marks_are_fractions_of_the_limit() -> None:
    policy = Policy(output_reserve_tokens=1_000, safety_tokens=0)
    assert marks(policy, 11_000) == Marks(limit_tokens=10_000, upper_tokens=8_500, lower_tokens=6_000)


def test_at_the_upper_mark_nothing_happens() -> None:
    assert judge(groups(850), before_tokens=850, was_over=False, arriving=0, marks=MARKS) is None


def test_above_it_the_context_goes_down_to_the_lower_mark() -> None:
    verdict = judge(groups(*[100] * 9), before_tokens=900, was_over=False, arriving=8, marks=MARKS)
    assert verdict is not None
    assert [group.sequence for group in verdict.drops] == [0, 1, 2]
    assert (verdict.before_tokens, verdict.after_tokens, verdict.reason) == (900, 600, None)


def test_where_nothing_can_go_the_reason_is_given() -> None:
    verdict = judge(groups(900), before_tokens=900, was_over=False, arriving=0, marks=MARKS)
    assert verdict is not None
    assert (verdict.drops, verdict.after_tokens) == ((), 900)
    assert verdict.reason == "only 0 of 900 tokens could be dropped: the rest is always kept"


def test_the_reason_is_given_once_and_not_at_every_message() -> None:
    verdict = judge(groups(900), before_tokens=900, was_over=True, arriving=0, marks=MARKS)
    assert verdict is not None
    assert verdict.reason is None


def test_a_little_is_not_worth_a_changed_prefix() -> None:
    verdict = judge(groups(800, 50, 50, pinned=1), before_tokens=900, was_over=False, arriving=2, marks=MARKS)
    assert verdict is not None
    assert verdict.drops == ()
    assert verdict.reason is not None
    assert verdict.reason.startswith("only 50 of 900")


def test_a_tenth_of_the_limit_is_worth_it() -> None:
    verdict = judge(groups(750, 100, 50, pinned=1), before_tokens=900, was_over=False, arriving=2, marks=MARKS)
    assert verdict is not None
    assert (len(verdict.drops), verdict.after_tokens, verdict.reason) == (1, 800, None)


def test_over_the_limit_even_a_little_has_to_go() -> None:
    verdict = judge(groups(950, 50, 50, pinned=1), before_tokens=1050, was_over=True, arriving=2, marks=MARKS)
    assert verdict is not None
    assert (len(verdict.drops), verdict.after_tokens) == (1, 1000)
    assert verdict.reason == "1000 tokens are always kept, more than the upper mark of 850"


def test_the_group_that_has_just_arrived_is_not_dropped() -> None:
    verdict = judge(groups(500, 100, 400), before_tokens=1000, was_over=False, arriving=0, marks=MARKS)
    assert verdict is not None
    assert [group.sequence for group in verdict.drops] == [1]


def test_the_same_span_has_the_same_id() -> None:
    assert compaction_id("t", 1, "p", ["a", "b"]) == compaction_id("t", 1, "p", ["a", "b"])


@pytest.mark.parametrize(
    "other",
    [
        ("u", 1, "p", ["a", "b"]),
        ("t", 2, "p", ["a", "b"]),
        ("t", 1, "q", ["a", "b"]),
        ("t", 1, "p", ["a"]),
        ("t", 1, "p", ["ab"]),
    ],
)
def test_any_other_span_has_another_id(other: tuple[str, int, str, list[str]]) -> None:
    assert compaction_id(*other) != compaction_id("t", 1, "p", ["a", "b"])
