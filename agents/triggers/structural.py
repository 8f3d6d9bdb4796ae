"""Structural trigger: something happened in the thread that the policy has a rule for.

Reads conversations; writes contexts, compactions and lifecycle. Every event has a name (`event` in conditions), and the
first rule whose condition holds fires.
"""

from typing import Final

from tailrace.agents.conditions.check import read_condition
from tailrace.agents.conditions.evaluate import compile_condition, compile_first
from tailrace.agents.conditions.explain import explain
from tailrace.agents.conditions.facts import FACTS
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.ranges import known_where, never_holds
from tailrace.agents.conditions.tree import Condition, names
from tailrace.agents.conditions.unit import Unit
from tailrace.agents.triggers.facts import ARRIVAL_PATHS, AT_ARRIVAL, PATHS, ThreadFacts, event_name
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Structural trigger",
    does="a rule of the policy holds at what has just happened in the thread: compact",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: What made an event decides what kind of trigger a rule is; rules about tokens are about the budget.
_TRIGGERS = {"tick": Trigger.TEMPORAL}

#: Where rules are asked: above the upper mark it has fired before them.
ASKED: Final = "total <= upper and upper <= limit and total <= limit"
BELOW_MARK: Final = known_where(parse(ASKED).root)
_KNOWN_AT_ARRIVAL: Final = known_where(parse(f"{ASKED} and {AT_ARRIVAL}").root)


def read_rule(text: str) -> Condition:
    """The condition of a rule. Raises a ConditionError for one that can't be read, makes no sense or never fires."""
    condition = read_condition(text)
    if never_holds(condition.root, BELOW_MARK):
        allowed = "a condition that can hold up to the upper mark: above it the mark fires, and no rule is asked"
        raise condition.error(condition.root, allowed=allowed, actual="one that never holds there")
    return condition


def event_of(message: Message) -> str:
    """Name of the event that a message is."""
    return event_name(message.role, message.call_ids, message.answered_ids)


class StructuralRules:
    """The conditions of a policy's triggers, read once."""

    __slots__ = ("_at_arrival", "_conditions", "_first", "_holds")

    def __init__(self, triggers: Triggers) -> None:
        """Read and check all conditions. Raises a ConditionError for one that can't be used."""
        self._conditions = [(rule.name, read_rule(rule.when)) for rule in triggers.rules]
        conditions = [condition for _, condition in self._conditions]
        self._first = compile_first(conditions, PATHS, BELOW_MARK)
        self._at_arrival = compile_first(conditions, ARRIVAL_PATHS, _KNOWN_AT_ARRIVAL)
        self._holds = compile_condition(read_condition(triggers.hold), PATHS) if triggers.hold is not None else None

    def first(self, facts: ThreadFacts) -> Firing | None:
        """Fire for the first rule whose condition holds."""
        if not self._conditions:
            return None
        place = self._first(facts) if facts.happened is not None else self._at_arrival(facts)
        if place is None:
            return None
        name, condition = self._conditions[place]
        about_tokens = any(FACTS[fact].unit is Unit.TOKENS for fact in names(condition.root))
        kind = _TRIGGERS.get(facts.event) or (Trigger.BUDGET if about_tokens else Trigger.STRUCTURAL)
        return Firing(kind, name, explain(condition, facts).text, forced=True)

    def hold(self, facts: ThreadFacts) -> bool:
        """Tell whether the policy wants a compaction to wait that is not needed."""
        return self._holds is not None and self._holds(facts)
