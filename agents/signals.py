"""One signal on one thread: what has to be written because of it.

Like `thread.step`, this looks and changes nothing. A signal adds no message; what it changes is what triggers remember, and sometimes the context.
Every signal ends in a head, which makes it covered; of one that is refused this and its line in the audit are the only traces. A tick that is
refused, and a signal about a thread that is not there or another tenant's, leave only the line, and a tick that was overtaken no trace at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

from tailrace.agents.audit import begun, lifecycle, refusal
from tailrace.agents.budget import TokenBudget, budget_for
from tailrace.agents.calibration import hidden_tokens
from tailrace.agents.compaction import commit
from tailrace.agents.conditions.facts import CHUNK_CLOSED, COMPACTION_COMPLETED
from tailrace.agents.dead_calls import stand_in, stand_in_message
from tailrace.agents.learned_window import accepted_tokens, effective_tokens, grown, with_learned
from tailrace.agents.occasion import Occasion
from tailrace.agents.plan import Plan
from tailrace.agents.planner import Situation, make_plan
from tailrace.agents.standing import SEEN_MAX, after_failure, in_flight
from tailrace.agents.thread import Engine, cover, retry_growth
from tailrace.agents.tokens import REPLY_PRIMING_TOKENS
from tailrace.agents.triggers.budget import over_budget, with_room
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.firing import Firing
from tailrace.agents.triggers.firing_rule import approval_plan
from tailrace.agents.triggers.manual import invoked
from tailrace.agents.triggers.reactive import (
    Refusal,
    believed_limit,
    believed_window,
    believing,
    is_overtaken,
    is_present,
    refusal_text,
)
from tailrace.agents.triggers.temporal import (
    AFTER_COMPACTION,
    CALL,
    CHUNK,
    FLIGHT,
    Timer,
    fired_with,
    group_behind,
    has_timer,
    is_known,
)
from tailrace.agents.view import ThreadView
from tailrace.schemas.compaction import Trigger
from tailrace.schemas.context import RANKS_PER_GROUP, CallInFlight, Entry, Head, LearnedWindow, Standing
from tailrace.schemas.errors import Refused
from tailrace.schemas.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import Emission
from tailrace.schemas.signal import (
    Announce,
    AnySignal,
    CallEnded,
    CallStarted,
    Compact,
    Overflow,
    Signal,
    SubagentFinished,
    SwitchModel,
    Tick,
)

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


def model_named(signal: Signal) -> str | None:
    """The model whose window a signal needs to know."""
    return signal.what.model if isinstance(signal.what, SwitchModel | Overflow) else None


def take_signal(view: ThreadView, logged: LoggedSignal, engine: Engine) -> list[Emission]:
    """Records to write because of a signal."""
    try:
        return _Taken(_known(view, logged.signal), view, logged, engine).emissions()
    except Refused as error:
        line = refusal(view, logged.signal, logged.offset, str(error), engine.policy)
        waited_for = not isinstance(logged.signal.what, Tick)
        if view.head is None or view.head.tenant != logged.signal.tenant or not waited_for:
            return [line]
        # Whoever has sent it may wait for a context that takes it into account.
        return [line, *cover(view, logged.signal.id, logged.offset, engine.policy)]


def _known(view: ThreadView, signal: Signal) -> Head:
    """Head of the thread that a signal is about. Raises Refused where there is none, or it is not the sender's."""
    if view.head is None:
        raise Refused(f"there is no thread {signal.thread!r}, or nothing was said in it yet")
    if view.head.tenant != signal.tenant:
        raise Refused("the thread belongs to another tenant")
    if signal.id in view.standing.seen:
        raise Refused("a signal with this id was taken before")
    return view.head


class _Taken:
    """The parts of one signal, each computed once."""

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

    def emissions(self) -> list[Emission]:
        """Everything to write, in order."""
        return _TAKE[type(self.logged.signal.what)](self, self.logged.signal.what)

    def remember(self, **changes: object) -> None:
        self.standing = msgspec.structs.replace(self.standing, **changes)

    def invoked(self, asked: Compact) -> list[Emission]:
        wish = invoked(asked, self.budget, self.policy)
        if in_flight(self.standing, self.at_ms) is None:
            return self.compact(wish.firing, wish.budget, wish.policy)
        self.remember(owed=asked)
        reason = "a call is under way; the compaction waits for its end"
        return [self._flagged(wish.firing, reason), *self.covered()]

    def announced(self, announce: Announce) -> list[Emission]:
        self.remember(announced_tokens=announce.tokens)
        return self.checked()

    def call_started(self, started: CallStarted) -> list[Emission]:
        longest_ms = self.policy.triggers.call_ms_max
        until_ms = self.at_ms + min(started.timeout_ms or longest_ms, longest_ms)
        self.remember(in_flight=CallInFlight(call=started.call, until_ms=until_ms), called_at_ms=self.at_ms)
        return self.covered()

    def call_ended(self, ended: CallEnded) -> list[Emission]:
        call = self.standing.in_flight
        if call is None or call.call != ended.call:
            raise Refused(f"no call {ended.call!r} is under way in this thread")
        return self.released()

    def released(self) -> list[Emission]:
        """The call is over: what waited for it is looked at now."""
        owed = self.standing.owed
        self.remember(in_flight=None, owed=None)
        if owed is None:
            return self.checked()
        wish = invoked(owed, self.budget, self.policy, waited=True)
        return self.compact(wish.firing, wish.budget, wish.policy)

    def overflowed(self, overflow: Overflow) -> list[Emission]:
        if self.standing.overflows and overflow.epoch is None:
            raise Refused(
                "the request was refused again after a compaction; it is not tried a second time, unless the report says "
                "which context it is about (epoch)"
            )
        if overflow.model is not None and overflow.model != self.model:
            # The request went to another model than was known; it will be sent there again.
            self._go_to(overflow.model)
        refusal = self._refusal(overflow)
        present = is_present(overflow, self.head, self.standing)
        refusal.check_plausible(proved=present)
        if is_overtaken(overflow, self.head, self.standing, refusal.context_tokens):
            return self._refused_before(refusal)
        return self._refused_now(refusal)

    def _refusal(self, overflow: Overflow) -> Refusal:
        return Refusal(
            overflow,
            context_tokens=self.total_tokens + self.hidden_tokens,
            window_tokens=self.policy.window_tokens or self.window_tokens,
            believed_tokens=self.believed_tokens,
            accepted_tokens=accepted_tokens(self.standing, self.view.calibration, self.model),
        )

    def _refused_before(self, refusal: Refusal) -> list[Emission]:
        """What was refused has been made smaller since: only what the provider said of its window counts."""
        shown = refusal.shown_by_another()
        if shown is not None:
            self._learn(refusal.lasting(shown))
        must = self.total_tokens > self.budget.limit_tokens
        condition = refusal_text(refusal.overflow, self.believed_tokens, refusal.context_tokens)
        firing = Firing(Trigger.REACTIVE, "overflow", condition, must=must, forced=must)
        if must and in_flight(self.standing, self.at_ms) is None:
            return self.compact(firing)
        reason = "the context has been made smaller since the request that was refused"
        return [self._flagged(firing, reason), *self.covered()]

    def _refused_now(self, refusal: Refusal) -> list[Emission]:
        """The context as it is was refused: it has to be smaller the next time, whatever is learned for good."""
        shown = refusal.shown()
        self._learn(refusal.lasting(shown))
        owed = self.standing.owed or Compact()
        self.remember(overflows=self.standing.overflows + 1, in_flight=None, owed=None)
        # What somebody wished for during the call is done with it.
        wish = invoked(owed, self.budget_within(effective_tokens(shown)), self.policy)
        must = self.total_tokens > wish.budget.limit_tokens
        lower_tokens = wish.budget.lower_tokens
        if not must:
            lower_tokens = min(lower_tokens, int(self.total_tokens * (1 - self.policy.progress_fraction)))
        condition = refusal_text(refusal.overflow, effective_tokens(shown), refusal.context_tokens)
        firing = Firing(Trigger.REACTIVE, "overflow", condition, must=must, forced=True)
        if not must and refusal.context_tokens <= refusal.floor_tokens:
            return self._not_believed(firing, refusal)
        asked_tokens = wish.budget.asked_tokens
        if asked_tokens is not None:
            # It has to be smaller than what was refused, whatever somebody wished for before.
            asked_tokens = min(asked_tokens, lower_tokens)
        budget = replace(wish.budget, lower_tokens=lower_tokens, asked_tokens=asked_tokens)
        return self.compact(firing, budget, wish.policy)

    def _not_believed(self, firing: Firing, refusal: Refusal) -> list[Emission]:
        plan = Plan(self.budget, self.total_tokens, self.total_tokens)
        reason = (
            f"a context of {refusal.context_tokens:,} tokens is not believed to be too long for a window of "
            f"{refusal.window_tokens:,}; where the model takes less, name its window (models, or policy.window_tokens)"
        )
        return [lifecycle(self._occasion(firing), LifecycleKind.NOOP, plan, reason=reason), *self.in_vain()]

    def _learn(self, learned: LearnedWindow | None) -> None:
        if learned is not None:
            self.standing = with_learned(self.standing, self.model, learned, self.total_tokens)

    def switched(self, switch: SwitchModel) -> list[Emission]:
        self._go_to(switch.model)
        if self.total_tokens <= self.budget.limit_tokens:
            self.remember(stuck=False)
        return self.checked()

    def _go_to(self, model: str) -> None:
        self.model = model
        self.window_tokens = self.logged.window_tokens or self.policy.default_window_tokens

    def subagent_finished(self, _finished: SubagentFinished) -> list[Emission]:
        return self.checked()

    def ticked(self, tick: Tick) -> list[Emission]:
        timer = Timer(tick.timer, tick.due_ms)
        if not is_known(timer.name):
            raise Refused(f"no thread has a timer {tick.timer!r}")
        if self.at_ms < tick.due_ms:
            raise Refused(f"timer {tick.timer!r} is due in {tick.due_ms - self.at_ms} ms")
        if not has_timer(self.view, self.policy.triggers, timer):
            return []  # It went off before, or something was said since its tick was sent: nothing to tell anybody.
        if timer.name == FLIGHT:
            return self.released()
        return self.given_up(timer) if timer.name.startswith(CALL) else self.went_off(timer)

    def went_off(self, timer: Timer) -> list[Emission]:
        """A timer that only asks for a look at the thread."""
        if timer.name == AFTER_COMPACTION:
            self.happened = COMPACTION_COMPLETED
            self.remember(completed_at_ms=0)
            return self.checked()
        if (group := group_behind(timer)) is not None:
            self.happened = CHUNK_CLOSED
            self.remember(asked_group=group)
            return self.checked()
        self.remember(fired=fired_with(self.standing.fired, timer, self.at_ms))
        nothing_to_gain = timer.name == CHUNK or self.total_tokens <= self.budget.lower_tokens
        if nothing_to_gain or in_flight(self.standing, self.at_ms) is not None:
            return self.checked()
        firing = Firing(Trigger.TEMPORAL, timer.name, timer.shown, forced=True)
        return self.approved(firing) if self.engine.rule.lets_pass(firing, self.facts()) else self.covered()

    def given_up(self, timer: Timer) -> list[Emission]:
        """A tool call was not answered in time."""
        call_id = timer.name.removeprefix(CALL)
        waited_ms = self.policy.triggers.timers.call_deadline_ms or 0
        message = stand_in_message(call_id, waited_ms)
        tokens = self.engine.count(message, self.model)
        entry = stand_in(self.view, call_id, message, tokens, offset=self.logged.offset, at_ms=self.at_ms)
        if entry is None:
            raise Refused(f"tool call {call_id!r} is not open")
        firing = Firing(Trigger.TEMPORAL, timer.name, timer.shown)
        said = self._flagged(firing, f"tool call {call_id} was not answered within {waited_ms} ms")
        total_tokens = self.view.request_tokens_with(entry)
        over = over_budget(total_tokens, self.budget, 0, total_tokens)
        if over is None or in_flight(self.standing, self.at_ms) is not None:
            return [said, entry]
        return [said, *self.compact(over, arriving=entry)]

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
        return [lifecycle(self._occasion(firing), LifecycleKind.FLAGGED, plan, reason=plan.reason), *self.in_vain()]

    def facts(self) -> ThreadFacts:
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
                count=lambda message: self.engine.count(message, self.model),
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
        occasion = replace(self._occasion(firing), arriving=arriving)
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

    def _occasion(self, firing: Firing) -> Occasion:
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

    def _flagged(self, firing: Firing, reason: str) -> LifecycleEvent:
        plan = Plan(self.budget, self.total_tokens, self.total_tokens)
        return lifecycle(self._occasion(firing), LifecycleKind.FLAGGED, plan, reason=reason)


_TAKE: dict[type[AnySignal], Callable[..., list[Emission]]] = {
    Compact: _Taken.invoked,
    Announce: _Taken.announced,
    CallStarted: _Taken.call_started,
    CallEnded: _Taken.call_ended,
    Overflow: _Taken.overflowed,
    SwitchModel: _Taken.switched,
    SubagentFinished: _Taken.subagent_finished,
    Tick: _Taken.ticked,
}
