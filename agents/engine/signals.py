"""One signal on one thread: what has to be written because of it.

Like `thread.step`, this looks and changes nothing. A signal adds no message; what it changes is what triggers remember,
and sometimes the context. Every signal ends in a head, which makes it covered; of one that is refused this and its line
in the audit are the only traces. A tick that is refused, and a signal about a thread that is not there or another
tenant's, leave only the line, and a tick that was overtaken no trace at all.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tailrace.agents.conditions.facts import CHUNK_CLOSED, COMPACTION_COMPLETED
from tailrace.agents.engine.audit import lifecycle, refusal
from tailrace.agents.engine.dead_calls import stand_in, stand_in_message
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.signalled_thread import LoggedSignal, SignalledThread, signalled_thread
from tailrace.agents.engine.thread import cover
from tailrace.agents.plan.plan import Plan
from tailrace.agents.tokens.learned_window import accepted_tokens, effective_tokens, with_learned
from tailrace.agents.triggers.budget import over_budget
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.manual import check_wish, invoked
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
        thread = signalled_thread(_head_for(view, logged.signal), view, logged, engine)
        return _TAKE[type(logged.signal.what)](thread, logged.signal.what)
    except Refused as error:
        line = refusal(view, logged.signal, logged.offset, str(error), engine.policy)
        waited_for = not isinstance(logged.signal.what, Tick)
        if view.head is None or view.head.tenant != logged.signal.tenant or not waited_for:
            return [line]
        # Whoever has sent it may wait for a context that takes it into account.
        return [line, *cover(view, logged.signal.id, logged.offset, engine.policy)]


def _head_for(view: ThreadView, signal: Signal) -> Head:
    """Head of the thread that a signal is about. Raises Refused where there is none, or it is not the sender's."""
    if view.head is None:
        raise Refused(f"there is no thread {signal.thread!r}, or nothing was said in it yet")
    if view.head.tenant != signal.tenant:
        raise Refused("the thread belongs to another tenant")
    if signal.id in view.standing.seen:
        raise Refused("a signal with this id was taken before")
    return view.head


def _invoked(thread: SignalledThread, asked: Compact) -> list[Emission]:
    check_wish(asked, thread.policy)
    wish = invoked(asked, thread.budget, thread.policy)
    if in_flight(thread.standing, thread.at_ms) is None:
        return thread.compact(wish.firing, wish.budget, wish.policy)
    waiting = thread.remembering(owed=asked)
    reason = "a call is under way; the compaction waits for its end"
    return [waiting.flagged(wish.firing, reason), *waiting.covered()]


def _announced(thread: SignalledThread, announce: Announce) -> list[Emission]:
    return thread.remembering(announced_tokens=announce.tokens).checked()


def _call_started(thread: SignalledThread, started: CallStarted) -> list[Emission]:
    longest_ms = thread.policy.triggers.call_ms_max
    until_ms = thread.at_ms + min(started.timeout_ms or longest_ms, longest_ms)
    call = CallInFlight(call=started.call, until_ms=until_ms)
    return thread.remembering(in_flight=call, called_at_ms=thread.at_ms).covered()


def _call_ended(thread: SignalledThread, ended: CallEnded) -> list[Emission]:
    call = thread.standing.in_flight
    if call is None or call.call != ended.call:
        raise Refused(f"no call {ended.call!r} is under way in this thread")
    return _released(thread)


def _released(thread: SignalledThread) -> list[Emission]:
    """The call is over: what waited for it is looked at now."""
    owed = thread.standing.owed
    free = thread.remembering(in_flight=None, owed=None)
    if owed is None:
        return free.checked()
    wish = invoked(owed, free.budget, free.policy, waited=True)
    return free.compact(wish.firing, wish.budget, wish.policy)


def _overflowed(thread: SignalledThread, overflow: Overflow) -> list[Emission]:
    if thread.standing.overflows and overflow.epoch is None:
        raise Refused(
            "the request was refused again after a compaction; it is not tried a second time, unless the report says "
            "which context it is about (epoch)"
        )
    if overflow.model is not None and overflow.model != thread.model:
        # The request went to another model than was known; it will be sent there again.
        thread = _switched_to(thread, overflow.model)
    refusal = _refusal(thread, overflow)
    refusal.check_plausible(proved=is_present(overflow, thread.head, thread.standing))
    if is_overtaken(overflow, thread.head, thread.standing, refusal.context_tokens):
        return _refused_before(thread, refusal)
    return _refused_now(thread, refusal)


def _refusal(thread: SignalledThread, overflow: Overflow) -> Refusal:
    return Refusal(
        overflow,
        context_tokens=thread.total_tokens + thread.hidden_tokens,
        window_tokens=thread.policy.window_tokens or thread.window_tokens,
        believed_tokens=thread.believed_tokens,
        accepted_tokens=accepted_tokens(thread.standing, thread.view.calibration, thread.model),
    )


def _refused_before(thread: SignalledThread, refusal: Refusal) -> list[Emission]:
    """What was refused has been made smaller since: only what the provider says of its window counts."""
    shown = refusal.shown_by_another()
    if shown is not None:
        thread = _with_window(thread, refusal.lasting(shown))
    must = thread.total_tokens > thread.budget.limit_tokens
    condition = refusal_text(refusal.overflow, thread.believed_tokens, refusal.context_tokens)
    firing = Firing(Trigger.REACTIVE, "overflow", condition, must=must, forced=must)
    if must and in_flight(thread.standing, thread.at_ms) is None:
        return thread.compact(firing)
    reason = "the context has been made smaller since the request that was refused"
    return [thread.flagged(firing, reason), *thread.covered()]


def _refused_now(thread: SignalledThread, refusal: Refusal) -> list[Emission]:
    """The context as it is was refused: it has to be smaller the next time, whatever is learned for good."""
    shown = refusal.shown()
    thread = _with_window(thread, refusal.lasting(shown))
    owed = thread.standing.owed or Compact()
    thread = thread.remembering(overflows=thread.standing.overflows + 1, in_flight=None, owed=None)
    # What somebody wished for during the call is done with it.
    wish = invoked(owed, thread.budget_within(effective_tokens(shown)), thread.policy)
    must = thread.total_tokens > wish.budget.limit_tokens
    lower_tokens = wish.budget.lower_tokens
    if not must:
        lower_tokens = min(lower_tokens, int(thread.total_tokens * (1 - thread.policy.progress_fraction)))
    condition = refusal_text(refusal.overflow, effective_tokens(shown), refusal.context_tokens)
    firing = Firing(Trigger.REACTIVE, "overflow", condition, must=must, forced=True)
    if not must and refusal.context_tokens <= refusal.floor_tokens:
        return _not_believed(thread, firing, refusal)
    asked_tokens = wish.budget.asked_tokens
    if asked_tokens is not None:
        # It has to be smaller than what was refused, whatever somebody wished for before.
        asked_tokens = min(asked_tokens, lower_tokens)
    budget = replace(wish.budget, lower_tokens=lower_tokens, asked_tokens=asked_tokens)
    return thread.compact(firing, budget, wish.policy)


def _not_believed(thread: SignalledThread, firing: Firing, refusal: Refusal) -> list[Emission]:
    plan = Plan(thread.budget, thread.total_tokens, thread.total_tokens)
    reason = (
        f"a context of {refusal.context_tokens:,} tokens is not believed to be too long for a window of "
        f"{refusal.window_tokens:,}; where the model takes less, name its window (models, or policy.window_tokens)"
    )
    return [lifecycle(thread.occasion(firing), LifecycleKind.NOOP, plan, reason=reason), *thread.in_vain()]


def _with_window(thread: SignalledThread, learned: LearnedWindow | None) -> SignalledThread:
    if learned is None:
        return thread
    return replace(thread, standing=with_learned(thread.standing, thread.model, learned, thread.total_tokens))


def _switched(thread: SignalledThread, switch: SwitchModel) -> list[Emission]:
    thread = _switched_to(thread, switch.model)
    if thread.total_tokens <= thread.budget.limit_tokens:
        thread = thread.remembering(stuck=False)
    return thread.checked()


def _switched_to(thread: SignalledThread, model: str) -> SignalledThread:
    window_tokens = thread.logged.window_tokens or thread.policy.default_window_tokens
    return replace(thread, model=model, window_tokens=window_tokens)


def _subagent_finished(thread: SignalledThread, _finished: SubagentFinished) -> list[Emission]:
    return thread.checked()


def _ticked(thread: SignalledThread, tick: Tick) -> list[Emission]:
    timer = Timer(tick.timer, tick.due_ms)
    if not is_known(timer.name):
        raise Refused(f"no thread has a timer {tick.timer!r}")
    if thread.at_ms < tick.due_ms:
        raise Refused(f"timer {tick.timer!r} is due in {tick.due_ms - thread.at_ms} ms")
    if not has_timer(thread.view, thread.policy.triggers, timer):
        return []  # It went off before, or a message came since its tick was sent: nobody has to hear of it.
    if timer.name == FLIGHT:
        return _released(thread)
    return _given_up(thread, timer) if timer.name.startswith(CALL) else _went_off(thread, timer)


def _went_off(thread: SignalledThread, timer: Timer) -> list[Emission]:
    """A timer that only asks for a look at the thread."""
    if timer.name == AFTER_COMPACTION:
        return replace(thread, happened=COMPACTION_COMPLETED).remembering(completed_at_ms=0).checked()
    if (group := group_behind(timer)) is not None:
        return replace(thread, happened=CHUNK_CLOSED).remembering(asked_group=group).checked()
    thread = thread.remembering(fired=fired_with(thread.standing.fired, timer, thread.at_ms))
    nothing_to_gain = timer.name == CHUNK or thread.total_tokens <= thread.budget.lower_tokens
    if nothing_to_gain or in_flight(thread.standing, thread.at_ms) is not None:
        return thread.checked()
    firing = Firing(Trigger.TEMPORAL, timer.name, timer.shown, forced=True)
    return thread.approved(firing) if thread.engine.rule.lets_pass(firing, thread.facts()) else thread.covered()


def _given_up(thread: SignalledThread, timer: Timer) -> list[Emission]:
    """A tool call was not answered in time."""
    call_id = timer.name.removeprefix(CALL)
    waited_ms = thread.policy.triggers.timers.call_deadline_ms or 0
    message = stand_in_message(call_id, waited_ms)
    tokens = thread.count(message)
    entry = stand_in(thread.view, call_id, message, tokens, offset=thread.logged.offset, at_ms=thread.at_ms)
    if entry is None:
        raise Refused(f"tool call {call_id!r} is not open")
    firing = Firing(Trigger.TEMPORAL, timer.name, timer.shown)
    flagged = thread.flagged(firing, f"tool call {call_id} was not answered within {waited_ms} ms")
    total_tokens = thread.view.request_tokens_with(entry)
    over = over_budget(total_tokens, thread.budget, 0, total_tokens)
    if over is None or in_flight(thread.standing, thread.at_ms) is not None:
        return [flagged, entry]
    return [flagged, *thread.compact(over, arriving=entry)]


#: What each kind of signal means for a thread.
_TAKE: dict[type[AnySignal], Callable[[SignalledThread, Any], list[Emission]]] = {
    Compact: _invoked,
    Announce: _announced,
    CallStarted: _call_started,
    CallEnded: _call_ended,
    Overflow: _overflowed,
    SwitchModel: _switched,
    SubagentFinished: _subagent_finished,
    Tick: _ticked,
}
