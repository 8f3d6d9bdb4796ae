"""What stands for messages that are gone: ids that repeat, and ranges that cover all that left."""

from typing import Any

import pytest
from support.drafts import BUDGET, assistant, calls, result, situation, user

from tailrace.agents.plan.derived_entries import compaction_id, derived_entry, removed_ranges
from tailrace.agents.plan.plan import Change, Plan
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry, EntryKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, ToolCallPart

ENTRIES = list(situation([user(), calls("a"), result("a"), assistant(), user(pinned=True), assistant()]).entries)
SUMMARY = Message(role="assistant", parts=(CompactionPart(content="short"),))


def change(*ids: str, action: Action = Action.SUMMARIZE, **fields: Any) -> Change:
    values: dict[str, Any] = {
        "action": action,
        "ids": ids,
        "first": ENTRIES[0],
        "last_turn": 1,
        "before_tokens": 50,
        "after_tokens": 5,
        "replacement": SUMMARY,
        "strategy": "summarize",
        "reason": "",
        "artifact_id": None,
        "recorded": True,
        **fields,
    }
    return Change(**values)


def derive(one: Change, *, epoch: int = 1, open_calls: frozenset[str] = frozenset()) -> Entry:
    entry = derived_entry(one, epoch=epoch, offset=9, compaction=f"c{epoch}", open_calls=open_calls)
    assert entry is not None
    return entry


def id_of(*changes: Change, thread: str = "t", epoch: int = 1, policy: str = "p") -> str:
    return compaction_id(thread, epoch, policy, Plan(BUDGET, 900, 600, changes=changes))


def test_the_same_spans_have_the_same_id() -> None:
    assert id_of(change("a", "b"), change("c")) == id_of(change("a", "b"), change("c"))


@pytest.mark.parametrize(
    "other",
    [
        id_of(change("a", "b"), thread="u"),
        id_of(change("a", "b"), epoch=2),
        id_of(change("a", "b"), policy="q"),
        id_of(change("a")),
        id_of(change("ab")),
        id_of(change("a"), change("b")),
        id_of(change("a", "b", action=Action.DROP)),
    ],
)
def test_any_other_span_has_another_id(other: str) -> None:
    assert other != id_of(change("a", "b"))


def test_nothing_stands_for_what_was_dropped() -> None:
    dropped = change("m0", action=Action.DROP, replacement=None)

    assert derived_entry(dropped, epoch=1, offset=9, compaction="c", open_calls=frozenset()) is None


def test_what_stands_for_a_message_has_its_place_its_mark_and_its_pin() -> None:
    pinned = ENTRIES[4]

    entry = derive(change("m4", action=Action.EXTERNALIZE, first=pinned))

    assert (entry.rank, entry.turn, entry.pinned, entry.sources) == (pinned.rank, pinned.turn, True, ("m4",))
    assert (entry.kind, entry.tokens, entry.epoch) == (EntryKind.POINTER, 5, 1)


def test_what_stands_for_several_is_pinned_by_none_of_them() -> None:
    entry = derive(change("m4", "m5", first=ENTRIES[4]))

    assert (entry.pinned, entry.sources, entry.kind) == (False, (), EntryKind.SUMMARY)


def test_a_call_that_was_answered_is_not_opened_again() -> None:
    shorter = Message(role="assistant", parts=(ToolCallPart(id="a", name="look"), ToolCallPart(id="b", name="look")))

    entry = derive(change("m1", action=Action.CLEAR, replacement=shorter), open_calls=frozenset("b"))

    assert entry.calls == ("b",)


# Ranges


def in_groups(live: list[Entry], groups: int = 5) -> list[tuple[float, float, int]]:
    """Ranges in groups instead of ranks; what ends inside of a group ends in a fraction."""
    return [
        (first / RANKS_PER_GROUP, (last + 1) / RANKS_PER_GROUP - 1, epoch)
        for first, last, epoch in removed_ranges(live, 7, groups)
    ]


@pytest.mark.parametrize(
    ("alive", "ranges"),
    [
        ("m0 m1 m2 m3 m4 m5", []),
        ("m0 m4 m5", [(1, 2, 7)]),
        ("m3 m5", [(0, 1, 7), (3, 3, 7)]),
        ("m0 m1 m2 m3", [(3, 4, 7)]),
        ("", [(0, 4, 7)]),
    ],
)
def test_ranges_are_the_groups_between_what_lives(alive: str, ranges: list[tuple[int, int, int]]) -> None:
    assert in_groups([entry for entry in ENTRIES if entry.id in alive.split()]) == ranges


def test_what_replaces_one_message_covers_its_place_alone_and_a_summary_the_whole_group() -> None:
    call, answer = ENTRIES[1:3]
    stub = derive(change("m2", action=Action.CLEAR, first=answer))
    summary = derive(change("m1", "m2", "m3", first=call))

    assert removed_ranges([ENTRIES[0], call, stub, *ENTRIES[3:]], 7, 5) == ((stub.rank, stub.rank, 1),)
    assert in_groups([ENTRIES[0], summary, *ENTRIES[4:]]) == [(1, 1, 1), (2, 2, 7)]


def test_what_replaces_a_summary_covers_the_whole_group_too() -> None:
    summary = derive(change("m1", "m2", first=ENTRIES[1]))
    pointer = derive(change(summary.id, action=Action.EXTERNALIZE, first=summary), epoch=2)

    assert in_groups([ENTRIES[0], pointer, *ENTRIES[3:]]) == [(1, 1, 2)]
