"""What triggers remember of a thread."""

from typing import Any

import pytest
from support.entries import entry as first_entry

from tailrace.agents.view.trigger_memory import after_compaction, after_entry, after_failure, in_flight
from tailrace.schemas.records.context import CallInFlight, Entry, EntryKind, Standing, Totals
from tailrace.schemas.records.signal import Compact

BUSY = Standing(
    began_at_ms=5,
    said_at_ms=50,
    in_flight=CallInFlight(call="c", until_ms=100),
    owed=Compact(),
    announced_tokens=7,
    overflows=1,
    failures=2,
    failed_at_ms=40,
)


def entry(role: str, *, at_ms: int = 60, **fields: Any) -> Entry:
    answers = ("k",) if role == "tool" else ()
    return first_entry(role=role, tokens=3, offset=9, answers=answers, logged_at_ms=at_ms, **fields)


def test_a_thread_begins_with_what_is_said_first() -> None:
    first = after_entry(Standing(), entry("user", at_ms=60))
    second = after_entry(first, entry("user", at_ms=70))
    assert (second.began_at_ms, second.said_at_ms) == (60, 70)


def test_what_a_model_says_ends_its_call_and_all_that_waited_for_it() -> None:
    spoken = after_entry(BUSY, entry("assistant"))
    assert (spoken.said_at_ms, spoken.called_at_ms) == (60, 60)
    assert (spoken.in_flight, spoken.owed, spoken.announced_tokens, spoken.overflows) == (None, None, 0, 0)


@pytest.mark.parametrize("role", ["user", "tool", "system"])
def test_what_others_say_leaves_a_call_under_way(role: str) -> None:
    said = after_entry(BUSY, entry(role))
    assert (said.in_flight, said.owed, said.overflows) == (BUSY.in_flight, BUSY.owed, 1)
    assert (said.said_at_ms, said.called_at_ms, said.announced_tokens) == (60, 0, 0)


def test_a_stand_in_is_nothing_that_was_said() -> None:
    assert after_entry(BUSY, entry("tool", kind=EntryKind.STAND_IN)) == BUSY


def test_a_message_at_which_compacting_was_tried_in_vain_is_a_failure() -> None:
    after = after_entry(BUSY, entry("user", quiet_tokens=900))
    assert (after.failures, after.failed_at_ms) == (3, 60)


def test_a_compaction_makes_up_for_all_failures() -> None:
    totals = Totals(messages=4)
    after = after_compaction(BUSY, totals, 80, stuck=True, ask_rules=False)
    assert (after.compacted_at_ms, after.compacted, after.stuck) == (80, totals, True)
    assert (after.failures, after.failed_at_ms, after.owed, after.announced_tokens) == (0, 0, None, 0)


def test_a_try_in_vain_is_counted_and_owed_no_more() -> None:
    after = after_failure(BUSY, 90)
    assert (after.failures, after.failed_at_ms, after.owed) == (3, 90, None)


@pytest.mark.parametrize(("at_ms", "under_way"), [(99, True), (100, False), (101, False)])
def test_a_call_is_under_way_until_its_time_is_over(at_ms: int, *, under_way: bool) -> None:
    assert (in_flight(BUSY, at_ms) is not None) is under_way


def test_without_a_call_none_is_under_way() -> None:
    assert in_flight(Standing(), 0) is None
