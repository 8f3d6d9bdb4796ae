"""A thread that a signal is about: what the parts of a signal have in common, and the records that end one."""

from dataclasses import dataclass, replace

import msgspec

from tailrace.agents.conditions.facts import COMPACTION_COMPLETED
from tailrace.agents.engine.audit import begun, lifecycle
from tailrace.agents.engine.compaction import commit
from tailrace.agents.engine.compaction_context import Occasion
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.thread import cover, retry_growth
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


class SignalledThread:
    """A thread at one signal. The signal changes what is remembered here, and nothing else; what is returned has to be written."""

    def __init__(self, head: Head, view: ThreadView, logged: LoggedSignal, engine: Engine) -> None:
        self.head = head
        self.view = view
        self.logged = logged
        self.engine = engine
        self.policy = engine.policy
        self.at_ms = logged.signal.logged_at_ms
        self.model = view.model
        self.happened = _EVENTS.get(type(logged.signal.what), "message")
        #: The model's, as its catalogue has it.
        self.window_tokens = view.window_tokens or head.window_tokens
        self.total_tokens = view.request_tokens
        # Ticks are known by their timer, and would crowd out what people and runtimes send.
        seen = view.standing.seen
        if not isinstance(logged.signal.what, Tick):
            seen = (*seen, logged.signal.id)[-SEEN_MAX:]
        standing = grown(view.standing, self.model, self.policy.window_tokens or self.window_tokens)
        self.standing: Standing = msgspec.structs.replace(standing, seen=seen)

    def remember(self, **changes: object) -> None:
        """Note what triggers remember from now on."""
        self.standing = msgspec.structs.replace(self.standing, **changes)

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
        return self.budget_within(self.believed_tokens if self.standing.windows else self.window_tokens)

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
            window_tokens=self.believed_tokens if self.standing.windows else self.window_tokens,
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
                count=lambda message: self.engine.count_tokens(message, self.model),
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
        said = [*begun(occasion, plan), lifecycle(occasion, LifecycleKind.NOOP, plan, reason=reason)]
        if firing.trigger is Trigger.BUDGET and firing.must and self.standing.stuck:
            said = []  # that it can't be made to fit was said
        # Nothing may come behind an entry that is live at once: it makes its event covered.
        return [*said, arriving] if arriving is not None else [*said, *self.in_vain()]

    def in_vain(self) -> list[Emission]:
        """The head after a try that came to nothing: the thread is left alone until it has grown."""
        self.standing = after_failure(self.standing, self.at_ms)
        (head,) = self.covered()
        assert isinstance(head, Head)  # noqa: S101  as below
        return [msgspec.structs.replace(head, quiet_tokens=self.total_tokens + retry_growth(self.budget))]

    def covered(self) -> list[Emission]:
        """The head alone: what triggers remember has changed, the context has not."""
        (head,) = cover(self.view, self.logged.signal.id, self.logged.offset, self.policy)
        assert isinstance(head, Head)  # noqa: S101  the thread has one, and `cover` makes nothing else
        return [
            msgspec.structs.replace(
                head,
                standing=self.standing,
                model=self.model,
                window_tokens=self.window_tokens,
                limit_tokens=self.limit_tokens,
            )
        ]

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
