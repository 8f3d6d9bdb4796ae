"""Lines of the audit trail: what a check saw, what its steps proposed, what came of it, and what was refused.

Each line has an id that is the same however often it is written, what fired with its values, and the numbers of that
moment. None of them holds any text of a message.
"""

import msgspec

from tailrace.agents.engine.compaction_context import Occasion
from tailrace.agents.plan.plan import Plan
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Action, CompactionRecord, Trigger
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind, StepProposal
from tailrace.schemas.records.signal import AnySignal, Overflow, Signal, Tick

#: What a line says at most of why something was refused.
REASON_CHARS_MAX = 1_000
#: What the trail says of an action.
ACTION_KINDS = {
    Action.EXTERNALIZE: LifecycleKind.EXTERNALIZED,
    Action.SUMMARIZE: LifecycleKind.SUMMARIZED,
    Action.CLEAR: LifecycleKind.CLEARED,
    Action.DROP: LifecycleKind.DROPPED,
}

#: What a signal is the trigger of; whatever is not here was somebody's wish.
_TRIGGERS: dict[type[AnySignal], Trigger] = {Tick: Trigger.TEMPORAL, Overflow: Trigger.REACTIVE}


def begun(occasion: Occasion, plan: Plan) -> list[LifecycleEvent]:
    """What every check says first: that it began, what its steps proposed, and which of them were skipped."""
    events = [lifecycle(occasion, LifecycleKind.CHECK_STARTED, plan)]
    if plan.acts or plan.given_up:
        events.append(_proposed(occasion, plan))
    return [
        *events,
        *(
            lifecycle(occasion, LifecycleKind.FAILED, plan, strategy=step.strategy, reason=step.reason)
            for step in plan.skipped
        ),
    ]


def _proposed(occasion: Occasion, plan: Plan) -> LifecycleEvent:
    """The plan by its steps, carried out or not."""
    sums: dict[tuple[str, Action], tuple[int, int]] = {}
    for change in plan.changes or plan.given_up:
        messages, freed_tokens = sums.get((change.strategy, change.action), (0, 0))
        freed_tokens += change.before_tokens - change.after_tokens
        sums[change.strategy, change.action] = messages + len(change.ids), freed_tokens
    proposals = tuple(
        StepProposal(strategy=strategy, action=action, messages=messages, freed_tokens=freed_tokens)
        for (strategy, action), (messages, freed_tokens) in sums.items()
    )
    line = lifecycle(occasion, LifecycleKind.PROPOSAL_GENERATED, plan)
    return msgspec.structs.replace(line, proposals=proposals, after_tokens=line.after_tokens - plan.given_up_tokens)


def lifecycle(  # noqa: PLR0913  one keyword for each field that differs
    occasion: Occasion,
    kind: LifecycleKind,
    plan: Plan,
    *,
    record: CompactionRecord | None = None,
    message_ids: tuple[str, ...] = (),
    strategy: str | None = None,
    reason: str | None = None,
) -> LifecycleEvent:
    """Line about a plan."""
    suffix = f"/{strategy}" if strategy else ""
    event_id = f"{occasion.event_id}@{occasion.offset}" if occasion.signalled else occasion.event_id
    before = kind is LifecycleKind.CHECK_STARTED
    return LifecycleEvent(
        version=1,
        id=f"{occasion.thread}/{event_id}/{kind}{suffix}",
        kind=kind,
        thread=occasion.thread,
        tenant=occasion.tenant,
        trigger=occasion.trigger,
        event_id=occasion.event_id,
        offset=occasion.offset,
        before_tokens=plan.before_tokens,
        after_tokens=plan.before_tokens if before else plan.after_tokens,
        limit_tokens=plan.budget.limit_tokens,
        policy_version=occasion.policy_hash,
        strategy=strategy or plan.strategy,
        compaction_id=record.id if record else None,
        message_ids=message_ids,
        reason=reason,
        rule=occasion.rule,
        condition=occasion.condition,
        at_ms=occasion.at_ms,
    )


def refusal(view: ThreadView, signal: Signal, offset: int, reason: str, policy: Policy) -> LifecycleEvent:
    """Line about a signal that changes nothing. How large the thread is, only its own tenant is told."""
    line = _refused(signal.thread, signal.id, offset, reason, policy)
    own = view.head is not None and view.head.tenant == signal.tenant
    tokens = view.request_tokens if own else 0
    return msgspec.structs.replace(
        line,
        tenant=signal.tenant,
        trigger=_TRIGGERS.get(type(signal.what), Trigger.MANUAL),
        rule=signal.kind,
        at_ms=signal.logged_at_ms,
        before_tokens=tokens,
        after_tokens=tokens,
        limit_tokens=view.head.limit_tokens if view.head is not None and own else 0,
    )


def unreadable(thread: str, signal_id: str, record: InputRecord, reason: str, policy: Policy) -> LifecycleEvent:
    """Line about a signal that says nothing we know; whose it is can't be told either."""
    line = _refused(thread, signal_id, record.offset, reason, policy)
    return msgspec.structs.replace(line, at_ms=record.timestamp_ms)


def _refused(thread: str, signal_id: str, offset: int, reason: str, policy: Policy) -> LifecycleEvent:
    return LifecycleEvent(
        version=1,
        # The offset, because the same signal may be refused more than once.
        id=f"{thread}/{signal_id}@{offset}/{LifecycleKind.REFUSED}",
        kind=LifecycleKind.REFUSED,
        thread=thread,
        tenant=DEFAULT_TENANT,
        trigger=Trigger.MANUAL,
        event_id=signal_id,
        offset=offset,
        before_tokens=0,
        after_tokens=0,
        limit_tokens=0,
        policy_version=policy.hash,
        # It may quote what was sent, which may be as long as a record.
        reason=reason[:REASON_CHARS_MAX],
    )
