"""Governor: what waits, for how long, and what never does."""

import pytest

from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.governor import waits
from tailrace.schemas.policy.triggers import Governor
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import Standing

GOVERNOR = Governor(cooldown_ms=1_000, failures_max=3, breaker_ms=5_000)
RULE = Firing(Trigger.STRUCTURAL, "rule", "turns 3 > 2", forced=True)
COMPACTED = Standing(compacted_at_ms=10_000)
FAILED = Standing(failures=3, failed_at_ms=10_000)


def test_a_thread_that_nothing_was_tried_on_waits_for_nothing() -> None:
    assert waits(GOVERNOR, Standing(), RULE, 5) is None


@pytest.mark.parametrize(("at_ms", "is_put_off"), [(10_000, True), (10_999, True), (11_000, False)])
def test_after_a_compaction_the_next_waits_for_the_cooldown(at_ms: int, *, is_put_off: bool) -> None:
    reason = waits(GOVERNOR, COMPACTED, RULE, at_ms)
    assert (reason is not None) is is_put_off
    if reason:
        assert "cooldown_ms is 1000" in reason


@pytest.mark.parametrize(("at_ms", "is_put_off"), [(10_000, True), (14_999, True), (15_000, False)])
def test_after_three_failures_the_breaker_is_open_for_a_while(at_ms: int, *, is_put_off: bool) -> None:
    reason = waits(GOVERNOR, FAILED, RULE, at_ms)
    assert (reason is not None) is is_put_off
    if reason:
        assert "3 tries in a row" in reason


def test_two_failures_open_nothing() -> None:
    assert waits(GOVERNOR, Standing(failures=2, failed_at_ms=10_000), RULE, 10_001) is None


@pytest.mark.parametrize("standing", [COMPACTED, FAILED])
@pytest.mark.parametrize(
    "firing",
    [
        Firing(Trigger.BUDGET, "limit", "", must=True),
        Firing(Trigger.MANUAL, "invoked", ""),
        Firing(Trigger.REACTIVE, "overflow", ""),
    ],
    ids=lambda firing: firing.rule,
)
def test_what_must_fit_what_people_ask_for_and_what_was_refused_never_wait(standing: Standing, firing: Firing) -> None:
    assert waits(GOVERNOR, standing, firing, 10_001) is None


def test_a_clock_that_was_set_back_holds_nothing_back() -> None:
    assert waits(GOVERNOR, COMPACTED, RULE, 9_000) is None
    assert waits(GOVERNOR, FAILED, RULE, 9_000) is None
