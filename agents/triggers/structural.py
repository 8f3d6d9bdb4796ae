"""Structural trigger: something happened in the thread that the policy has a rule for.

Reads conversations; writes contexts, compactions and lifecycle. Every event has a name (`event` in conditions), and the first rule whose condition holds fires.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tailrace.agents.conditions.check import check
from tailrace.agents.conditions.evaluate import compile_condition, compile_first
from tailrace.agents.conditions.explain import explain
from tailrace.agents.conditions.facts import FACTS, Facts
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.tree import Condition, names
from tailrace.agents.conditions.unit import Unit
from tailrace.agents.triggers.facts import ARRIVAL_PATHS, PATHS, ThreadFacts, event_name
from tailrace.agents.triggers.firing import Firing
from tailrace.schemas.compaction import Trigger
from tailrace.schemas.message import Message
from tailrace.schemas.policy_triggers import Triggers
from tailrace.schemas.records import Topic
from tailrace.schemas.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Structural trigger",
    does="a rule of the policy holds, somebody asks for it, or a smaller model is next: compact",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: What made an event decides what kind of trigger a rule is; rules about tokens are about the budget.
_TRIGGERS = {"tick": Trigger.TEMPORAL}


@dataclass(frozen=True, slots=True)
class _Rules:
    """The conditions of a policy, read once."""

    conditions: tuple[tuple[str, Condition], ...]
    first: Callable[[Facts], int | None]
    #: The same for facts at the arrival of a message.
    first_at_arrival: Callable[[Facts], int | None]
    hold: Condition | None
    holds: Callable[[Facts], bool] | None


def event_of(message: Message) -> str:
    """Name of the event that a message is."""
    return event_name(message.role, message.call_ids, message.answered_ids)


def by_rule(triggers: Triggers, facts: ThreadFacts) -> Firing | None:
    """Fire for the first rule whose condition holds."""
    if not triggers.rules:
        return None
    known = _known.get(id(triggers))
    rules = known[1] if known is not None and known[0] is triggers else _read(triggers)
    place = rules.first(facts) if facts.entry is None else rules.first_at_arrival(facts)
    if place is None:
        return None
    name, condition = rules.conditions[place]
    about_tokens = any(FACTS[one].unit is Unit.TOKENS for one in names(condition.root))
    kind = _TRIGGERS.get(facts.event) or (Trigger.BUDGET if about_tokens else Trigger.STRUCTURAL)
    return Firing(kind, name, explain(condition, facts).text, forced=True)


def is_held(triggers: Triggers, facts: ThreadFacts) -> bool:
    """Tell whether the policy wants a compaction to wait that is not needed."""
    if triggers.hold is None:
        return False
    holds = _read(triggers).holds
    return holds is not None and holds(facts)


#: By identity, because every event asks, and a policy lives as long as its worker.
_known: dict[int, tuple[Triggers, _Rules]] = {}
_KNOWN_MAX = 64


def _read(triggers: Triggers) -> _Rules:
    known = _known.get(id(triggers))
    if known is None or known[0] is not triggers:
        if len(_known) >= _KNOWN_MAX:
            _known.clear()
        known = _known[id(triggers)] = triggers, _compiled(triggers)
    return known[1]


def _compiled(triggers: Triggers) -> _Rules:
    conditions = tuple((rule.name, _condition(rule.when)) for rule in triggers.rules)
    held = _condition(triggers.hold) if triggers.hold is not None else None
    return _Rules(
        conditions,
        compile_first([condition for _, condition in conditions], PATHS),
        compile_first([condition for _, condition in conditions], ARRIVAL_PATHS),
        held,
        compile_condition(held, PATHS) if held is not None else None,
    )


def _condition(text: str) -> Condition:
    condition = parse(text)
    check(condition)
    return condition
