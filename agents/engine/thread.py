"""One event on one thread: what has to be written because of it.

`step` looks at a thread's view and an event and returns the records to write; it changes nothing. Whoever runs it
applies the context changes to the view, just as every reader of the contexts topic does.

The order of the context changes matters, because a worker may die between any two of them. An event counts as
covered as soon as its entry is live, so an event that begins a new epoch writes its entry first, with that epoch:
it waits, invisible, until the head makes entry and compaction live in one stroke.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from tailrace.agents.conditions.facts import COMPACTION_COMPLETED
from tailrace.agents.distill.fleet_cache import SharedFound
from tailrace.agents.engine.arrival import Arrival, ArrivalInputs, arrive, is_plain
from tailrace.agents.engine.audit import begun, lifecycle
from tailrace.agents.engine.chunks import distill_request
from tailrace.agents.engine.claim_check import ClaimedText, arrive_claimed
from tailrace.agents.engine.compaction import commit
from tailrace.agents.engine.compaction_context import Occasion, cooling_down, hash_of_prefix, next_head
from tailrace.agents.engine.dead_calls import late_results
from tailrace.agents.engine.open_calls import find_call
from tailrace.agents.engine.rehydration import BroughtBack, TurnRoom, bring_back, leaving, refused, there_before
from tailrace.agents.messages.envelope import determinism_given
from tailrace.agents.messages.groups import is_reasoning_only, is_system, place, said_beside_results
from tailrace.agents.plan.plan import Plan
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.situation import Situation
from tailrace.agents.plan.steps.registry import Strategies
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.agents.tokens.calibration import calibrated, hidden_tokens
from tailrace.agents.tokens.counts import REPLY_PRIMING_TOKENS
from tailrace.agents.tokens.learned_window import grown
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.firing_rule import FiringRule, approval_plan
from tailrace.agents.triggers.manual import invoked
from tailrace.agents.triggers.reactive import believed_limit, believed_window, believing
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Invalid
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import RANKS_PER_GROUP, CoversThrough, Entry
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import Emission, Tombstone
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

_encode_json = msgspec.json.Encoder().encode

#: After a compaction in vain, the context must grow by this part of its limit before it is tried again.
RETRY_FRACTION = 0.05


def retry_growth(budget: TokenBudget) -> int:
    """Tokens that a context must grow by before compacting it is tried again."""
    return max(1, int(RETRY_FRACTION * budget.limit_tokens))


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event at its place in the log, with what counting and the model catalogue say about it."""

    event: Event
    offset: int
    tokens: int
    #: Window of the event's model; None where the event names no model.
    window_tokens: int | None
    #: Contents of the artifacts that the event asks for, as far as they may be seen.
    brought_back: tuple[BroughtBack, ...] = ()
    #: The content of the message, where only a claim to it was published.
    claimed: ClaimedText | None = None
    #: What others have distilled of it.
    shared: tuple[SharedFound, ...] = ()
    #: When the broker took it, by the broker's clock.
    logged_at_ms: int = 0


#: Tokens of a message as the named model counts them. Must be pure.
CountTokens = Callable[[Message, str | None], int]


@dataclass(frozen=True, slots=True)
class Engine:
    """What decides about every thread alike: the policy, and how tokens of a message are counted for a model."""

    policy: Policy
    count: CountTokens
    custom: Strategies = field(default_factory=dict)
    #: The triggers of the policy, read once.
    rule: FiringRule = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the conditions. Raises a ConditionError for one that can't be used."""
        object.__setattr__(self, "rule", FiringRule(self.policy))


def step(view: ThreadView, counted: CountedEvent, engine: Engine) -> list[Emission]:
    """Records to write because of an event that the thread doesn't know yet. Raises a PoisonEvent where it doesn't belong here."""
    came = counted
    if (late := late_results(counted.event.message, view)) is not None:
        # Written by a program: it begins no turn of its own. What a person says beside it does.
        source = counted.event.source if said_beside_results(counted.event.message) else PROGRAM_SOURCE
        event = msgspec.structs.replace(counted.event, message=late, source=source)
        counted = replace(counted, event=event, tokens=engine.count(late, event.model or view.model))
    return _Step(view, counted, engine, came).emissions()


def cover(view: ThreadView, event_id: str, offset: int, policy: Policy) -> list[Emission]:
    """Head that says: this event is taken into account, though it adds nothing. Empty where there is no thread."""
    if view.head is None:
        return []
    covers = CoversThrough(event_id=event_id, offset=offset)
    window_tokens = view.window_tokens or view.head.window_tokens
    standing = grown(view.standing, view.model, policy.window_tokens or window_tokens)
    return [
        msgspec.structs.replace(
            view.head,
            tokens=view.request_tokens,
            limit_tokens=believed_limit(policy, standing, view.model, window_tokens),
            policy_version=policy.hash,
            covers_through=covers,
            totals=view.totals,
            model=view.model,
            window_tokens=window_tokens,
            agent=view.agent,
            calibration=view.calibration,
            quiet_tokens=view.quiet_tokens,
            standing=standing,
            brought_back=cooling_down(view.brought_back, view.totals.turns, policy.rehydrate.cooldown_turns),
        )
    ]


class _Step(ThreadFacts):
    """The parts of one step, each computed once. They are what conditions ask for, too: making facts of them would cost more than asking."""

    def __init__(self, view: ThreadView, counted: CountedEvent, engine: Engine, came: CountedEvent) -> None:
        """`came` is the event as it was published; a late result is told in another form."""
        self.view = view
        self.standing = view.standing
        self.counted = counted
        self.came = came
        self.at_ms = counted.logged_at_ms
        self.engine = engine
        self.happened = None
        policy = self.policy = engine.policy
        new_model = counted.window_tokens is not None and counted.event.model != view.model
        known_window = counted.window_tokens if new_model else view.window_tokens
        self.model = counted.event.model if new_model else view.model
        self.agent = view.agent or counted.event.agent
        self.model_window_tokens = self.window_tokens = known_window or policy.default_window_tokens
        self.limits = policy
        if view.standing.windows:
            # A refusal has shown what the catalogue doesn't know.
            self.window_tokens = believed_window(policy, view.standing, self.model, self.model_window_tokens)
            self.limits = believing(policy, self.window_tokens)
        self.answers = counted.event.message.answered_ids
        self.there = there_before(view, counted.event, counted.offset) if view.rehydrated else []
        try:
            self.arrival = self._arrival()
        except (RecursionError, OverflowError, UnicodeEncodeError) as error:
            raise Invalid(f"the message can't be written as JSON: {error}") from error
        self.entry: Entry = self._entry(window_tokens=self.model_window_tokens if new_model else None)
        self.firing: Firing | None = None
        self.total_tokens = view.request_tokens_with(self.entry)
        self.budget: TokenBudget = self._budget()

    @property
    def usable_tokens(self) -> int:
        """What the policy leaves of the window, whatever a provider counts beyond our count."""
        return self.limits.limit_tokens(self.window_tokens, self.model)

    def _budget(self) -> TokenBudget:
        system_tokens = self.view.system_tokens
        if is_system(self.entry):
            system_tokens += self.entry.tokens
        policy = self.policy
        hidden = hidden_tokens(self.view.calibration, self.total_tokens, self.model) if policy.usage_anchor else 0
        budget = budget_for(
            self.limits, self.window_tokens, model=self.model, prefix_tokens=system_tokens, hidden_tokens=hidden
        )
        if not self.there:
            return budget
        # What was brought back beyond its reserve stays for its turn, and the context must not grow into it.
        beyond_tokens = sum(entry.tokens for entry in self.there) - policy.rehydration_reserve_tokens
        if beyond_tokens <= 0:
            return budget
        limit = max(1, budget.limit_tokens - beyond_tokens)
        # The marks stay where they are, so that nothing is compacted earlier than it must be.
        upper, lower = min(budget.upper_tokens, limit), min(budget.lower_tokens, limit)
        return replace(budget, limit_tokens=limit, upper_tokens=upper, lower_tokens=lower)

    def _arrival(self) -> Arrival:
        event, came = self.counted.event, self.came
        if came is self.counted and came.claimed is None and is_plain(event, came.tokens, self.policy):
            return Arrival(event.message, self.counted.tokens, sensitivity=event.sensitivity)
        desk = ArrivalInputs(
            self.policy,
            self.usable_tokens,
            self._count,
            partial(find_call, self.view),
            self.counted.offset,
            {found.of: found for found in came.shared},
        )
        if came.claimed is not None:
            arrived = arrive_claimed(came.event, came.claimed, desk)
        else:
            arrived = arrive(came.event, came.tokens, desk)
        # However late a result comes, it is as large and as sensitive as it is.
        late = late_results(arrived.message, self.view) if came is not self.counted else None
        return arrived if late is None else msgspec.structs.replace(arrived, message=late, tokens=self._count(late))

    def _entry(self, window_tokens: int | None) -> Entry:
        event = self.counted.event
        arrival = self.arrival
        rank, turn = place(self.view, event, self.answers)
        try:
            # Copied, because the encoder's buffer is larger than what it wrote, and the entry may live for long.
            message = msgspec.Raw(bytes(memoryview(_encode_json(arrival.message))))
        except (RecursionError, OverflowError, UnicodeEncodeError) as error:
            raise Invalid(f"the message can't be written as JSON: {error}") from error
        return Entry(
            version=1,
            thread=event.thread,
            tenant=event.tenant,
            id=event.id,
            epoch=self.view.epoch,
            rank=rank,
            turn=turn,
            tokens=arrival.tokens,
            offset=self.counted.offset,
            role=event.message.role,
            message=message,
            kind=arrival.kind,
            group=event.group,
            calls=event.message.call_ids,
            answers=self.answers,
            reasoning_only=is_reasoning_only(event.message),
            pinned=event.pinned,
            source=event.source,
            agent=event.agent,
            model=event.model,
            window_tokens=window_tokens,
            usage=event.usage,
            sensitivity=arrival.sensitivity,
            created_at_ms=event.created_at_ms,
            logged_at_ms=self.counted.logged_at_ms,
            artifact_id=arrival.artifact_id,
            whole_tokens=arrival.whole_tokens,
            durability=arrival.durability,
            determinism=determinism_given(event.message, event.tools) if event.tools else (),
        )

    def emissions(self) -> list[Emission]:
        """Everything to write, in order: what describes, what was brought back and what leaves again, the context."""
        beside = [*self._described(), *self._rehydrate()]
        decided = self._decide()
        return [*beside, *decided] if beside else decided

    def _described(self) -> list[Emission]:
        arrival = self.arrival
        described: list[Emission] = [*arrival.stored, *arrival.distillations]
        own = self.policy.distill
        if own.model and arrival.distillations:
            # Behind what it reads is an artifact, which is stored before anything is sent.
            described.append(
                distill_request(
                    self.entry,
                    offset=self.counted.offset,
                    policy_version=self.policy.hash,
                    tokens_max=min(own.tokens_max, int(own.ratio * arrival.whole_tokens)),
                )
            )
        if arrival.refused is not None and arrival.artifact_id is not None:
            described.append(refused(arrival.artifact_id, arrival.refused, self._occasion(), self.total_tokens))
        return described

    def _rehydrate(self) -> list[Emission]:
        """What leaves with its turn and what comes for this one; the entry is told what it got."""
        found = self.counted.brought_back
        if not found and not self.view.rehydrated:
            return []
        over = leaving(self.view, self.counted.event, self.counted.offset)
        room = TurnRoom(self.policy, self.budget.limit_tokens, self.total_tokens, self._count, self.there)
        entries, audit = bring_back(found, self.entry, self._occasion(), room)
        asked = {one.artifact_id for one in found if one.text is not None}
        got = tuple(entry.artifact_id for entry in entries if entry.artifact_id in asked)
        self.entry = msgspec.structs.replace(self.entry, brought_back=got)
        return [*audit, *(Tombstone(thread=self.entry.thread, message_id=one) for one in over), *entries]

    def _decide(self) -> list[Emission]:
        """The message appended, or the thread compacted."""
        if self.standing.owed is not None and not self.in_flight:
            wish = invoked(self.standing.owed, self.budget, self.policy, waited=True)
            self.firing = wish.firing
            plan = make_plan(self._situation(wish.budget, wish.policy, forced=True))
        else:
            firing = self.firing = self.engine.rule.fires(self)
            if firing is None:
                return self._append()
            if self.engine.rule.asks_first(firing, self.agent):
                return self._stand(approval_plan(self.budget, self.total_tokens), LifecycleKind.FLAGGED)
            plan = make_plan(self._situation(self.budget, self.policy, forced=firing.forced))
        if plan.acts:
            return commit(self.view, plan, self._occasion())
        return self._stand(plan, LifecycleKind.NOOP)

    def _situation(self, budget: TokenBudget, policy: Policy, *, forced: bool) -> Situation:
        return Situation(
            entries=[*self.view.entries.values(), self.entry],
            budget=budget,
            policy=policy,
            count=self._count,
            overhead_tokens=REPLY_PRIMING_TOKENS,
            arriving=self.entry.rank // RANKS_PER_GROUP,
            agent=self.agent,
            custom=self.engine.custom,
            version=self.view.version,
            ready=tuple(self.view.ready.values()),
            candidates=self.view.candidates,
            forced=forced,
        )

    def _count(self, message: Message) -> int:
        return self.engine.count(message, self.model)

    def _occasion(self) -> Occasion:
        event = self.counted.event
        calibration = self.view.calibration
        standing, limit_tokens = self.standing, self.usable_tokens
        if standing.windows:
            window_tokens = self.model_window_tokens
            standing = grown(standing, self.model, self.policy.window_tokens or window_tokens)
            limit_tokens = believed_limit(self.policy, standing, self.model, window_tokens)
        if self.entry.usage is not None:
            calibration = calibrated(calibration, self.entry, self.view.tokens + self.entry.tokens, self.model)
        return Occasion(
            thread=event.thread,
            tenant=event.tenant,
            trigger=self.firing.trigger if self.firing else Trigger.BUDGET,
            event_id=event.id,
            offset=self.counted.offset,
            policy_hash=self.policy.hash,
            limit_tokens=limit_tokens,
            window_tokens=self.model_window_tokens,
            standing=standing,
            model=self.model,
            agent=self.agent,
            parent_thread=event.parent_thread,
            calibration=calibration,
            arriving=self.entry,
            artifact_ttl_seconds=self.policy.artifact_ttl_seconds,
            tools=self.policy.tools,
            mask_secrets=self.policy.mask_secrets,
            receipt_listed_max=self.policy.receipt.listed_max,
            cooldown_turns=self.policy.rehydrate.cooldown_turns,
            at_ms=self.counted.logged_at_ms,
            rule=self.firing.rule if self.firing else None,
            condition=self.firing.condition if self.firing else None,
            ask_rules=self.policy.triggers.names(COMPACTION_COMPLETED),
            retry_tokens=retry_growth(self.budget) if self.firing and self.firing.forced else 0,
        )

    def _append(self, *, quiet_tokens: int = 0) -> list[Emission]:
        entry = msgspec.structs.replace(self.entry, quiet_tokens=quiet_tokens) if quiet_tokens else self.entry
        if self.view.head is not None:
            # Nothing may come behind an entry that is live at once: it makes its event covered.
            return [entry]
        entry = msgspec.structs.replace(entry, epoch=0)
        head = next_head(
            self.view,
            self._occasion(),
            epoch=0,
            tokens=self.total_tokens,
            prefix_hash=hash_of_prefix([entry]),
            quiet_tokens=quiet_tokens,
        )
        return [entry, head]

    def _stand(self, plan: Plan, kind: LifecycleKind) -> list[Emission]:
        """The context stands as it is, and the audit trail says why; the next try comes when it has grown."""
        retry_tokens = self.total_tokens + retry_growth(self.budget)
        occasion = self._occasion()
        appended = self._append(quiet_tokens=retry_tokens)
        if self.firing is not None and self.firing.must and self.view.standing.stuck:
            return appended  # that it can't be made to fit was said
        return [
            *begun(occasion, plan),
            lifecycle(occasion, kind, plan, reason=plan.reason),
            *appended,
        ]
