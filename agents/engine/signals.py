"""One signal on one thread: what has to be written because of it.

Like `thread.step`, this looks and changes nothing. A signal adds no message; what it changes is what triggers remember, and sometimes the context.
Every signal ends in a head, which makes it covered; of one that is refused this and its line in the audit are the only traces. A tick that is
refused, and a signal about a thread that is not there or another tenant's, leave only the line, and a tick that was overtaken no trace at all.
"""

from collections.abc import Callable
from dataclasses import replace

from tailrace.agents.conditions.facts import CHUNK_CLOSED, COMPACTION_COMPLETED
from tailrace.agents.engine.audit import lifecycle, refusal
from tailrace.agents.engine.dead_calls import stand_in, stand_in_message
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.signalled_thread import LoggedSignal, SignalledThread
from tailrace.agents.engine.thread import cover
from tailrace.agents.plan.plan import Plan
from tailrace.agents.tokens.learned_window import accepted_tokens, effective_tokens, with_learned
from tailrace.agents.triggers.budget import over_budget
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.manual import invoked
from tailrace.agents.triggers.reactive import (
    Refusal,
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
from tailrace.agents.view.thread_view import ThreadView
from tailrace.agents.view.trigger_memory import in_flight
from tailrace.schemas.errors import Refused
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import CallInFlight, Head, LearnedWindow
from tailrace.schemas.records.kafka_records import Emission
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import (
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


def model_named(signal: Signal) -> str | None:
    """The model whose window a signal needs to know."""
    return signal.what.model if isinstance(signal.what, SwitchModel | Overflow) else None


def take_signal(view: ThreadView, logged: LoggedSignal, engine: Engine) -> list[Emission]:
    """Records to write because of a signal."""
    try:
        return _SignalParts(_known(view, logged.signal), view, logged, engine).emissions()
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


class _SignalParts(SignalledThread):
    """One signal, and what each kind of it means for the thread."""

    def emissions(self) -> list[Emission]:
        """Everything to write, in order."""
        return _TAKE[type(self.logged.signal.what)](self, self.logged.signal.what)

    def invoked(self, asked: Compact) -> list[Emission]:
        wish = invoked(asked, self.budget, self.policy)
        if in_flight(self.standing, self.at_ms) is None:
            return self.compact(wish.firing, wish.budget, wish.policy)
        self.remember(owed=asked)
        reason = "a call is under way; the compaction waits for its end"
        return [self.flagged(wish.firing, reason), *self.covered()]

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
        return [self.flagged(firing, reason), *self.covered()]

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
        return [lifecycle(self.occasion(firing), LifecycleKind.NOOP, plan, reason=reason), *self.in_vain()]

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
        tokens = self.engine.count_tokens(message, self.model)
        entry = stand_in(self.view, call_id, message, tokens, offset=self.logged.offset, at_ms=self.at_ms)
        if entry is None:
            raise Refused(f"tool call {call_id!r} is not open")
        firing = Firing(Trigger.TEMPORAL, timer.name, timer.shown)
        said = self.flagged(firing, f"tool call {call_id} was not answered within {waited_ms} ms")
        total_tokens = self.view.request_tokens_with(entry)
        over = over_budget(total_tokens, self.budget, 0, total_tokens)
        if over is None or in_flight(self.standing, self.at_ms) is not None:
            return [said, entry]
        return [said, *self.compact(over, arriving=entry)]


_TAKE: dict[type[AnySignal], Callable[..., list[Emission]]] = {
    Compact: _SignalParts.invoked,
    Announce: _SignalParts.announced,
    CallStarted: _SignalParts.call_started,
    CallEnded: _SignalParts.call_ended,
    Overflow: _SignalParts.overflowed,
    SwitchModel: _SignalParts.switched,
    SubagentFinished: _SignalParts.subagent_finished,
    Tick: _SignalParts.ticked,
}
