"""A thread that a signal is about: what the parts of a signal have in common, and the records that end one."""

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from tailrace.agents.conditions.facts import COMPACTION_COMPLETED
from tailrace.agents.engine.audit import begun, lifecycle
from tailrace.agents.engine.compaction import commit
from tailrace.agents.engine.compaction_context import Occasion
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.thread import covering_head, retry_growth
from tailrace.agents.plan.plan import Plan
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.situation import Situation
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.agents.tokens.calibration import hidden_tokens
from tailrace.agents.tokens.counts import REPLY_PRIMING_TOKENS
from tailrace.agents.tokens.learned_window import grown
from tailrace.agents.triggers.budget import with_room
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.firing_rule import approval_plan
from tailrace.agents.triggers.reactive import (
    believed_limit,
    believed_window,
    believing,
)
from tailrace.agents.view.thread_view import ThreadView
from tailrace.agents.view.trigger_memory import SEEN_MAX, after_failure
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry, Head, Standing
from tailrace.schemas.records.kafka_records import Emission
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.signal import Announce, AnySignal, CallEnded, Signal, SubagentFinished, SwitchModel, Tick

#: Names in conditions of the signals that rules are asked about.
_EVENTS: dict[type[AnySignal], str] = {
    Announce: "message",
    CallEnded: "call_ended",
    SwitchModel: "model_switched",
    SubagentFinished: "subagent_finished",
    Tick: "tick",
}


@dataclass(frozen=True, slots=True)
class LoggedSignal:
    """A signal at its place in the log, with what the model catalogue says about the model that it names."""

    signal: Signal
    offset: int
    window_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class SignalledThread:
    """A thread at one signal, and the records that can end one. What a signal changes makes another value of it."""

    head: Head
    view: ThreadView
    logged: LoggedSignal
    engine: Engine
    #: Name in conditions of what has happened.
    happened: str
    model: str | None
    #: Window of the model, as its catalogue has it.
    window_tokens: int
    #: What triggers remember from now on.
    standing: Standing

    @property
    def policy(self) -> Policy:
        """The policy of all threads."""
        return self.engine.policy

    @property
    def at_ms(self) -> int:
        """When the broker took the signal."""
        return self.logged.signal.logged_at_ms

    @property
    def total_tokens(self) -> int:
        """What the context costs, with the start of the reply."""
        return self.view.request_tokens

    def remembering(self, **changes: object) -> Self:
        """The thread with this in what triggers remember."""
        return replace(self, standing=msgspec.structs.replace(self.standing, **changes))

    def count(self, message: Message) -> int:
        """Tokens of a message as the thread's model counts them."""
        return self.engine.count_tokens(message, self.model)

    @property
    def believed_tokens(self) -> int:
        """What is believed of the model's window."""
        return believed_window(self.policy, self.standing, self.model, self.window_tokens)

    @property
    def limit_tokens(self) -> int:
        """What the context may cost."""
        return believed_limit(self.policy, self.standing, self.model, self.window_tokens)

    @property
    def hidden_tokens(self) -> int:
        """What the provider counts beyond our count of the context."""
        if not self.policy.usage_anchor:
            return 0
        return hidden_tokens(self.view.calibration, self.total_tokens, self.model)

    @property
    def budget(self) -> TokenBudget:
        """What the context may cost, by what is believed of the model's window."""
        return self.budget_within(self.counted_window_tokens)

    @property
    def counted_window_tokens(self) -> int:
        """The window to reckon with: what is believed of it where a refusal has shown anything."""
        return self.believed_tokens if self.standing.windows else self.window_tokens

    def budget_within(self, window_tokens: int) -> TokenBudget:
        """The budget for a window of so many tokens."""
        return budget_for(
            believing(self.policy, window_tokens),
            window_tokens,
            model=self.model,
            prefix_tokens=self.view.system_tokens,
            hidden_tokens=self.hidden_tokens,
        )

    def checked(self) -> list[Emission]:
        """Compact where a mark or a rule says so, now that something has changed."""
        firing = self.engine.rule.fires(self.facts())
        if firing is None:
            return self.covered()
        announced_tokens = self.standing.announced_tokens
        return self.approved(firing, with_room(self.budget, announced_tokens) if announced_tokens else self.budget)

    def approved(self, firing: Firing, budget: TokenBudget | None = None) -> list[Emission]:
        """Compact unless the policy wants that to be approved first."""
        if not self.engine.rule.asks_first(firing, self.view.agent):
            return self.compact(firing, budget)
        plan = approval_plan(self.budget, self.total_tokens)
        return [lifecycle(self.occasion(firing), LifecycleKind.FLAGGED, plan, reason=plan.reason), *self.in_vain()]

    def facts(self) -> ThreadFacts:
        """What conditions can ask about the thread at this signal."""
        return ThreadFacts(
            self.view,
            happened=self.happened,
            at_ms=self.at_ms,
            total_tokens=self.total_tokens,
            budget=self.budget,
            window_tokens=self.counted_window_tokens,
            standing=self.standing,
            policy=self.policy,
            model=self.model,
            agent=self.view.agent,
        )

    def compact(
        self,
        firing: Firing,
        budget: TokenBudget | None = None,
        policy: Policy | None = None,
        arriving: Entry | None = None,
    ) -> list[Emission]:
        """Plan, and carry it out; where nothing can be done, the audit says why."""
        plan = make_plan(
            Situation(
                entries=[*self.view.entries.values(), *([arriving] if arriving else [])],
                budget=budget or self.budget,
                policy=policy or self.policy,
                count=self.count,
                overhead_tokens=REPLY_PRIMING_TOKENS,
                arriving=arriving.rank // RANKS_PER_GROUP if arriving else None,
                agent=self.view.agent,
                custom=self.engine.custom,
                version=self.view.version,
                ready=tuple(self.view.ready.values()),
                candidates=self.view.candidates,
                forced=firing.forced,
            )
        )
        occasion = replace(self.occasion(firing), arriving=arriving)
        if plan.acts:
            return commit(self.view, plan, occasion)
        reason = plan.reason or "nothing can be made smaller"
        audit = [*begun(occasion, plan), lifecycle(occasion, LifecycleKind.NOOP, plan, reason=reason)]
        if firing.trigger is Trigger.BUDGET and firing.must and self.standing.stuck:
            audit = []  # the audit trail says already that it can't be made to fit
        # Nothing may come behind an entry that is live at once: it makes its event covered.
        return [*audit, arriving] if arriving is not None else [*audit, *self.in_vain()]

    def in_vain(self) -> list[Emission]:
        """The head after a try that came to nothing: the thread is left alone until it has grown."""
        failed = replace(self, standing=after_failure(self.standing, self.at_ms))
        quiet_tokens = failed.total_tokens + retry_growth(failed.budget)
        return [msgspec.structs.replace(failed.next_head(), quiet_tokens=quiet_tokens)]

    def covered(self) -> list[Emission]:
        """The head alone: what triggers remember has changed, the context has not."""
        return [self.next_head()]

    def next_head(self) -> Head:
        """The head that takes the signal into account."""
        return msgspec.structs.replace(
            covering_head(self.head, self.view, self.logged.signal.id, self.logged.offset, self.policy),
            standing=self.standing,
            model=self.model,
            window_tokens=self.window_tokens,
            limit_tokens=self.limit_tokens,
        )

    def occasion(self, firing: Firing) -> Occasion:
        """When and why the thread is looked at."""
        policy = self.policy
        return Occasion(
            thread=self.head.thread,
            tenant=self.head.tenant,
            trigger=firing.trigger,
            event_id=self.logged.signal.id,
            offset=self.logged.offset,
            policy_hash=policy.hash,
            limit_tokens=self.limit_tokens,
            window_tokens=self.window_tokens,
            model=self.model,
            agent=self.view.agent,
            calibration=self.view.calibration,
            artifact_ttl_seconds=policy.artifact_ttl_seconds,
            tools=policy.tools,
            mask_secrets=policy.mask_secrets,
            receipt_listed_max=policy.receipt.listed_max,
            cooldown_turns=policy.rehydrate.cooldown_turns,
            at_ms=self.at_ms,
            rule=firing.rule,
            condition=firing.condition,
            standing=self.standing,
            signalled=True,
            # What the end of a compaction has fired does not fire at its own end.
            ask_rules=self.happened != COMPACTION_COMPLETED and policy.triggers.names(COMPACTION_COMPLETED),
            retry_tokens=retry_growth(self.budget) if firing.forced else 0,
        )

    def flagged(self, firing: Firing, reason: str) -> LifecycleEvent:
        """A line of the audit that says why nothing is done for now."""
        plan = Plan(self.budget, self.total_tokens, self.total_tokens)
        return lifecycle(self.occasion(firing), LifecycleKind.FLAGGED, plan, reason=reason)


def signalled_thread(head: Head, view: ThreadView, logged: LoggedSignal, engine: Engine) -> SignalledThread:
    """The thread as a signal meets it."""
    what = logged.signal.what
    window_tokens = view.window_tokens or head.window_tokens
    # Ticks are known by their timer, and would crowd out what people and runtimes send.
    seen = view.standing.seen if isinstance(what, Tick) else (*view.standing.seen, logged.signal.id)[-SEEN_MAX:]
    standing = grown(view.standing, view.model, engine.policy.window_tokens or window_tokens)
    return SignalledThread(
        head,
        view,
        logged,
        engine,
        happened=_EVENTS.get(type(what), "message"),
        model=view.model,
        window_tokens=window_tokens,
        standing=msgspec.structs.replace(standing, seen=seen),
    )
