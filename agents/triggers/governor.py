"""Governor: what keeps triggers from running away.

Everything it needs is in the thread's own standing, so it survives any rebalance.

A thread's events are taken one at a time, so there is never more than one compaction of it under way; every one must
make progress, or the thread is left alone until it has grown (`quiet_tokens`).
"""

from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.schemas.policy.triggers import Governor
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import Standing

#: Whoever asks by hand, or was refused by a provider, doesn't wait.
NOT_GOVERNED = frozenset({Trigger.MANUAL, Trigger.REACTIVE})


def waits(governor: Governor, standing: Standing, firing: Firing, at_ms: int) -> str | None:
    """Why a compaction has to wait; None where it may go on."""
    if firing.must or firing.trigger in NOT_GOVERNED:
        return None
    since_ms = at_ms - standing.compacted_at_ms
    if standing.compacted_at_ms and 0 <= since_ms < governor.cooldown_ms:
        return f"the last compaction was {since_ms} ms ago; cooldown_ms is {governor.cooldown_ms}"
    failed_ms = at_ms - standing.failed_at_ms
    if standing.failures >= governor.failures_max and 0 <= failed_ms < governor.breaker_ms:
        return (
            f"{standing.failures} tries in a row came to nothing; the next is due "
            f"{governor.breaker_ms - failed_ms} "
            f"ms from now"
        )
    return None
