"""All triggers of a policy in words, for any thread or for one as it stands now."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.structural import event_of
from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.library.plans import Limits, budget_in, planned_window, window_of
from tailrace.streams.library.worker_policy import WorkerPolicy
from tailrace.streams.policy.trigger_prose import TriggerLine, trigger_lines


@dataclass(frozen=True, slots=True)
class TriggerReport:
    """The triggers, and the budget that their marks are of."""

    window_tokens: int
    budget: TokenBudget
    lines: Sequence[TriggerLine]


def explained_conversation(view: ThreadView | None, limits: Limits) -> Conversation:
    """The conversation that triggers are explained for; an empty one where no thread is meant."""
    view = view or ThreadView()
    return Conversation(view, model=limits.model or view.model)


def trigger_report(by: WorkerPolicy, view: ThreadView | None = None) -> TriggerReport:
    """Return the triggers of a policy; with a view, each with the values of now and whether it holds."""
    engine, limits = by.engine, by.limits
    talk = explained_conversation(view, limits)
    budget = budget_in(talk, engine, limits)
    facts = None if view is None else _facts(view, engine, limits)
    lines = trigger_lines(engine.policy.triggers, budget, facts)
    return TriggerReport(planned_window(talk, engine, limits), budget, lines)


def _facts(view: ThreadView, engine: Engine, limits: Limits) -> ThreadFacts:
    """The thread at this moment, as if what was said last had just come."""
    talk = Conversation(view, model=limits.model or view.model)
    messages = view.messages()
    return ThreadFacts(
        view,
        happened=event_of(messages[-1]) if messages else "message",
        at_ms=time.time_ns() // 1_000_000,
        total_tokens=view.request_tokens,
        budget=budget_in(talk, engine, limits),
        window_tokens=window_of(talk, engine, limits),
        standing=view.standing,
        policy=engine.policy,
        model=limits.model or view.model,
        agent=view.agent,
    )
