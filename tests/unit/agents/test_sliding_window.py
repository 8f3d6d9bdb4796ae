"""The sliding window: what goes first, what never goes."""

import pytest

from tailrace.agents import sliding_window
from tailrace.agents.groups import Group, GroupKind
from tailrace.agents.sliding_window import OPEN_CALL_TURNS, choose_drops, gaps

TEXT, USER, SYSTEM, CALL = GroupKind.ASSISTANT_TEXT, GroupKind.USER, GroupKind.SYSTEM, GroupKind.TOOL_CALL


def group(
    sequence: int, kind: GroupKind = TEXT, *, tokens: int = 10, turn: int = 0, pinned: int = 0, waits: bool = False
) -> Group:
    return Group(
        sequence=sequence,
        turn=turn,
        kind=kind,
        ids=(str(sequence),),
        tokens=tokens,
        members=1,
        pinned=pinned,
        open_calls=frozenset({"call"}) if waits else frozenset(),
    )


def dropped(groups: list[Group], excess_tokens: int, arriving: int | None = None) -> list[int]:
    newest = max(one.sequence for one in groups)
    drops = choose_drops(groups, excess_tokens=excess_tokens, arriving=newest if arriving is None else arriving)
    return [one.sequence for one in drops]


def test_the_oldest_go_first_and_no_more_than_needed() -> None:
    assert dropped([group(number) for number in range(6)], excess_tokens=25) == [0, 1, 2]


def test_order_counts_not_the_order_in_which_groups_are_given() -> None:
    assert dropped([group(number) for number in (4, 2, 0, 3, 1)], excess_tokens=15) == [0, 1]


def test_exactly_enough_is_enough() -> None:
    assert dropped([group(number) for number in range(6)], excess_tokens=20) == [0, 1]


def test_nothing_has_to_go_where_nothing_is_too_much() -> None:
    assert dropped([group(0), group(1)], excess_tokens=0) == []


def test_the_system_prompt_stays() -> None:
    assert dropped([group(0, SYSTEM), group(1), group(2, SYSTEM), group(3)], excess_tokens=99) == [1]


def test_the_first_and_the_latest_user_message_stay() -> None:
    groups = [group(0, USER), group(1), group(2, USER), group(3), group(4, USER), group(5), group(6)]
    assert dropped(groups, excess_tokens=99) == [1, 2, 3, 5]


def test_what_is_pinned_stays() -> None:
    assert dropped([group(0), group(1, pinned=1), group(2), group(3)], excess_tokens=99) == [0, 2]


def test_the_newest_group_stays() -> None:
    assert dropped([group(0), group(1)], excess_tokens=99, arriving=0) == []


def test_the_group_that_a_late_result_arrives_in_stays() -> None:
    assert dropped([group(0), group(1), group(2), group(3)], excess_tokens=99, arriving=1) == [0, 2]


def test_a_call_without_a_result_keeps_its_group_for_some_turns_only() -> None:
    latest = group(9, USER, turn=7)
    recent, old = (
        group(1, CALL, turn=8 - OPEN_CALL_TURNS, waits=True),
        group(0, CALL, turn=7 - OPEN_CALL_TURNS, waits=True),
    )
    assert dropped([old, recent, group(2), latest], excess_tokens=99) == [0, 2]


def test_an_answered_call_may_go() -> None:
    assert dropped([group(0, CALL), group(1)], excess_tokens=99) == [0]


def test_one_compaction_drops_a_limited_number_of_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliding_window, "DROPPED_MESSAGES_MAX", 3)
    assert dropped([group(number) for number in range(9)], excess_tokens=99) == [0, 1, 2]


@pytest.mark.parametrize(
    ("live", "ranges"),
    [
        ([], []),
        ([0, 1, 2], []),
        ([0, 3], [(1, 2)]),
        ([2], [(0, 1)]),
        ([5, 1, 3], [(0, 0), (2, 2), (4, 4)]),
    ],
)
def test_gaps_are_the_closed_ranges_between_what_lives(live: list[int], ranges: list[tuple[int, int]]) -> None:
    assert gaps(live) == ranges
