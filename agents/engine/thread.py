"""One event on one thread: what has to be written because of it.

`advance` takes a thread's view and an event that was looked at, and returns the records to write; it changes nothing.
Whoever runs it applies the context changes to the view, just as every reader of the contexts topic does. It makes three
values, each from those before it: `Arrived` (the entry), `Budgeted` (what the context costs and may cost) and `Decided`
(the message appended, or the thread compacted).

The order of the context changes matters, because a worker may die between any two of them. An event counts as
covered as soon as its entry is live, so an event that begins a new epoch writes its entry first, with that epoch:
it waits, invisible, until the head makes entry and compaction live in one stroke.
"""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from msgspec import Struct

from tailrace.agents.conditions.facts import COMPACTION_COMPLETED
from tailrace.agents.engine.audit import begun, lifecycle
from tailrace.agents.engine.chunks import distill_request
from tailrace.agents.engine.compaction import commit
from tailrace.agents.engine.compaction_context import Occasion, cooling_down, hash_of_prefix, next_head
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.entrance import Arrived, CountedEvent, Incoming, enter, look_at
from tailrace.agents.engine.lookups import NOTHING, Contents
from tailrace.agents.engine.rehydration import BroughtBack, TurnRoom, bring_back, leaving, refused, there_before
from tailrace.agents.messages.groups import is_system
from tailrace.agents.plan.plan import Plan
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.situation import Situation
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.agents.tokens.calibration import calibrated, hidden_tokens
from tailrace.agents.tokens.counts import REPLY_PRIMING_TOKENS
from tailrace.agents.tokens.learned_window import grown
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.firing_rule import approval_plan
from tailrace.agents.triggers.manual import invoked
from tailrace.agents.triggers.reactive import believed_limit
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import RANKS_PER_GROUP, CoversThrough, Entry, Head
from tailrace.schemas.records.kafka_records import Emission, Tombstone
from tailrace.schemas.records.lifecycle import LifecycleKind

#: After a compaction in vain, the context must grow by this part of its limit before it is tried again.
RETRY_FRACTION = 0.05


def retry_growth(budget: TokenBudget) -> int:
    """Tokens that a context must grow by before compacting it is tried again."""
    return max(1, int(RETRY_FRACTION * budget.limit_tokens))


class Budgeted(Struct, frozen=True):
    """What a context costs with the message that has arrived, and what it may cost."""

    arrived: Arrived
    total_tokens: int
    budget: TokenBudget
    #: What was brought back in this turn before this message.
    there: Sequence[Entry] = ()


class Decided(Struct, frozen=True):
    """What becomes of a context: without a plan the message is only appended."""

    firing: Firing | None = None
    plan: Plan | None = None
    #: The plan waits for somebody's approval.
    waits: bool = False


def step(view: ThreadView, counted: CountedEvent, engine: Engine) -> list[Emission]:
    """Records to write because of a new event that needs nothing of the artifact store.

    Raises a PoisonEvent as `advance` does.
    """
    return advance(view, look_at(view, counted, engine), engine)


def advance(view: ThreadView, incoming: Incoming, engine: Engine, contents: Contents = NOTHING) -> list[Emission]:
    """Records to write because of a new event, in order: what describes, what is brought back and leaves, the context.

    Raises a PoisonEvent where the event does not belong here.
    """
    budgeted = _budgeted(enter(view, incoming, contents, engine))
    beside = _described(budgeted)
    if contents.brought_back or view.rehydrated:
        rehydrated, budgeted = _rehydrated(budgeted, contents.brought_back)
        beside += rehydrated
    changes = _carried_out(budgeted, _decided(budgeted))
    return [*beside, *changes] if beside else changes


def _budgeted(arrived: Arrived) -> Budgeted:
    view, policy, entry, window = arrived.view, arrived.engine.policy, arrived.entry, arrived.window
    total_tokens = view.request_tokens_with(entry)
    budget = budget_for(
        window.policy,
        window.believed_tokens,
        model=window.model,
        prefix_tokens=view.system_tokens + (entry.tokens if is_system(entry) else 0),
        hidden_tokens=hidden_tokens(view.calibration, total_tokens, window.model) if policy.usage_anchor else 0,
    )
    if not view.rehydrated:
        return Budgeted(arrived, total_tokens, budget)
    there = there_before(view, arrived.event, arrived.offset)
    beyond_tokens = sum(brought.tokens for brought in there) - policy.rehydration_reserve_tokens
    return Budgeted(arrived, total_tokens, _without(budget, beyond_tokens) if there else budget, there)


def _without(budget: TokenBudget, beyond_tokens: int) -> TokenBudget:
    """The budget without what was brought back beyond its reserve.

    That stays for its turn, and nothing may grow into it.
    """
    if beyond_tokens <= 0:
        return budget
    limit_tokens = max(1, budget.limit_tokens - beyond_tokens)
    # The marks stay where they are, so that nothing is compacted earlier than it must be.
    upper_tokens, lower_tokens = min(budget.upper_tokens, limit_tokens), min(budget.lower_tokens, limit_tokens)
    return replace(budget, limit_tokens=limit_tokens, upper_tokens=upper_tokens, lower_tokens=lower_tokens)


def _described(budgeted: Budgeted) -> list[Emission]:
    """What is kept of a message, and what is noted about it, beside its entry."""
    arrived = budgeted.arrived
    form, policy = arrived.form, arrived.engine.policy
    described: list[Emission] = [*form.stored, *form.distillations]
    if policy.distill.model and form.distillations:
        # Behind what it reads is an artifact, which is stored before anything is sent.
        described.append(
            distill_request(
                arrived.entry,
                offset=arrived.offset,
                policy_version=policy.hash,
                tokens_max=min(policy.distill.tokens_max, int(policy.distill.ratio * form.whole_tokens)),
            )
        )
    if form.refused is not None and form.artifact_id is not None:
        described.append(refused(form.artifact_id, form.refused, _occasion(budgeted), budgeted.total_tokens))
    return described


def _rehydrated(budgeted: Budgeted, contents: Sequence[BroughtBack]) -> tuple[list[Emission], Budgeted]:
    """What leaves with its turn and what comes for this one; and the step with an entry that names what came."""
    arrived = budgeted.arrived
    entry = arrived.entry
    over = leaving(arrived.view, arrived.event, arrived.offset)
    room = TurnRoom(
        arrived.engine.policy, budgeted.budget.limit_tokens, budgeted.total_tokens, arrived.count, budgeted.there
    )
    entries, audit = bring_back(contents, entry, _occasion(budgeted), room)
    shown = {content.artifact_id for content in contents if content.text is not None}
    names = tuple(brought.artifact_id for brought in entries if brought.artifact_id in shown)
    tombstones = [Tombstone(thread=entry.thread, message_id=message_id) for message_id in over]
    arrived = msgspec.structs.replace(arrived, entry=msgspec.structs.replace(entry, brought_back=names))
    return [*audit, *tombstones, *entries], msgspec.structs.replace(budgeted, arrived=arrived)


def _decided(budgeted: Budgeted) -> Decided:
    """Whether, why and how the thread is compacted."""
    engine, standing = budgeted.arrived.engine, budgeted.arrived.view.standing
    facts = _facts(budgeted)
    if standing.owed is not None and not facts.in_flight:
        wish = invoked(standing.owed, budgeted.budget, engine.policy, waited=True)
        return Decided(wish.firing, make_plan(_situation(budgeted, wish.budget, wish.policy, forced=True)))
    firing = engine.rule.fires(facts)
    if firing is None:
        return _NOTHING_FIRED
    if engine.rule.asks_first(firing, facts.agent):
        return Decided(firing, approval_plan(budgeted.budget, budgeted.total_tokens), waits=True)
    situation = _situation(budgeted, budgeted.budget, engine.policy, forced=firing.forced)
    return Decided(firing, make_plan(situation))


_NOTHING_FIRED = Decided()


def _facts(budgeted: Budgeted) -> ThreadFacts:
    """What conditions can ask about the thread, with the message that has arrived."""
    arrived = budgeted.arrived
    return ThreadFacts(
        arrived.view,
        happened=None,
        at_ms=arrived.logged_at_ms,
        total_tokens=budgeted.total_tokens,
        budget=budgeted.budget,
        window_tokens=arrived.window.believed_tokens,
        standing=arrived.view.standing,
        policy=arrived.engine.policy,
        entry=arrived.entry,
        model=arrived.window.model,
        agent=arrived.agent,
    )


def _situation(budgeted: Budgeted, budget: TokenBudget, policy: Policy, *, forced: bool) -> Situation:
    arrived = budgeted.arrived
    view = arrived.view
    return Situation(
        entries=[*view.entries.values(), arrived.entry],
        budget=budget,
        policy=policy,
        count=arrived.count,
        overhead_tokens=REPLY_PRIMING_TOKENS,
        arriving=arrived.entry.rank // RANKS_PER_GROUP,
        agent=arrived.agent,
        custom=arrived.engine.custom,
        version=view.version,
        ready=tuple(view.ready.values()),
        candidates=view.candidates,
        forced=forced,
    )


def _carried_out(budgeted: Budgeted, decided: Decided) -> list[Emission]:
    """Records of the context: the message appended, or the thread compacted."""
    if decided.plan is None:
        return _append(budgeted, decided)
    if decided.plan.acts:
        return commit(budgeted.arrived.view, decided.plan, _occasion(budgeted, decided.firing))
    return _unchanged(budgeted, decided, decided.plan)


def _append(budgeted: Budgeted, decided: Decided, *, quiet_tokens: int = 0) -> list[Emission]:
    view, entry = budgeted.arrived.view, budgeted.arrived.entry
    if quiet_tokens:
        entry = msgspec.structs.replace(entry, quiet_tokens=quiet_tokens)
    if view.head is not None:
        # Nothing may come behind an entry that is live at once: it makes its event covered.
        return [entry]
    entry = msgspec.structs.replace(entry, epoch=0)
    head = next_head(
        view,
        _occasion(budgeted, decided.firing),
        epoch=0,
        tokens=budgeted.total_tokens,
        prefix_hash=hash_of_prefix([entry]),
        quiet_tokens=quiet_tokens,
    )
    return [entry, head]


def _unchanged(budgeted: Budgeted, decided: Decided, plan: Plan) -> list[Emission]:
    """The context stays as it is, and the audit trail says why; the next try comes when it has grown."""
    occasion = _occasion(budgeted, decided.firing)
    quiet_tokens = budgeted.total_tokens + retry_growth(budgeted.budget)
    appended = _append(budgeted, decided, quiet_tokens=quiet_tokens)
    if decided.firing is not None and decided.firing.must and budgeted.arrived.view.standing.stuck:
        return appended  # the audit trail says already that it can't be made to fit
    kind = LifecycleKind.FLAGGED if decided.waits else LifecycleKind.NOOP
    return [*begun(occasion, plan), lifecycle(occasion, kind, plan, reason=plan.reason), *appended]


def _occasion(budgeted: Budgeted, firing: Firing | None = None) -> Occasion:
    arrived = budgeted.arrived
    view, engine, event, entry, window = arrived.view, arrived.engine, arrived.event, arrived.entry, arrived.window
    policy, standing, limit_tokens = engine.policy, view.standing, window.usable_tokens
    if standing.windows:
        standing = grown(standing, window.model, policy.window_tokens or window.catalogue_tokens)
        limit_tokens = believed_limit(policy, standing, window.model, window.catalogue_tokens)
    calibration = view.calibration
    if entry.usage is not None:
        calibration = calibrated(calibration, entry, view.tokens + entry.tokens, window.model)
    return Occasion(
        thread=event.thread,
        tenant=event.tenant,
        trigger=firing.trigger if firing else Trigger.BUDGET,
        event_id=event.id,
        offset=arrived.offset,
        policy_hash=policy.hash,
        limit_tokens=limit_tokens,
        window_tokens=window.catalogue_tokens,
        standing=standing,
        model=window.model,
        agent=arrived.agent,
        parent_thread=event.parent_thread,
        calibration=calibration,
        arriving=entry,
        artifact_ttl_seconds=policy.artifact_ttl_seconds,
        tools=policy.tools,
        mask_secrets=policy.mask_secrets,
        receipt_listed_max=policy.receipt.listed_max,
        cooldown_turns=policy.rehydrate.cooldown_turns,
        at_ms=arrived.logged_at_ms,
        rule=firing.rule if firing else None,
        condition=firing.condition if firing else None,
        ask_rules=policy.triggers.names(COMPACTION_COMPLETED),
        retry_tokens=retry_growth(budgeted.budget) if firing and firing.forced else 0,
    )


def cover(view: ThreadView, event_id: str, offset: int, policy: Policy) -> list[Emission]:
    """Head that says: this event is taken into account, though it adds nothing. Empty where there is no thread."""
    return [] if view.head is None else [covering_head(view.head, view, event_id, offset, policy)]


def covering_head(head: Head, view: ThreadView, event_id: str, offset: int, policy: Policy) -> Head:
    """The thread's next head, which takes this event into account and changes nothing of the context."""
    window_tokens = view.window_tokens or head.window_tokens
    standing = grown(view.standing, view.model, policy.window_tokens or window_tokens)
    return msgspec.structs.replace(
        head,
        tokens=view.request_tokens,
        limit_tokens=believed_limit(policy, standing, view.model, window_tokens),
        policy_version=policy.hash,
        covers_through=CoversThrough(event_id=event_id, offset=offset),
        totals=view.totals,
        model=view.model,
        window_tokens=window_tokens,
        agent=view.agent,
        calibration=view.calibration,
        quiet_tokens=view.quiet_tokens,
        standing=standing,
        brought_back=cooling_down(view.brought_back, view.totals.turns, policy.rehydrate.cooldown_turns),
    )
