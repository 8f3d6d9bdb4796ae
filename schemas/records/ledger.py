"""The ledger of a thread: what must outlast every compaction, straight from the messages that said it.

It travels inside the entry that shows it, so whoever reads the context has it too. Every item names the message it
comes from; items of a compaction that replaces the former ledger are carried over as they are, never told again in
other words.
"""

from enum import StrEnum
from typing import Literal

from msgspec import Struct, field


class DirectiveKind(StrEnum):
    """What a person's statement does; the first that fits is taken."""

    DEADLINE = "deadline"
    LIMIT = "limit"
    #: What must be done, or must not.
    RULE = "rule"
    PREFERENCE = "preference"
    #: A fact that was stated in so many words, or a change of one.
    STATEMENT = "statement"
    #: What has the words of a rule, and only tells how something is.
    REMARK = "remark"


#: What demands nothing, however much it may matter.
TOLD_KINDS = frozenset((DirectiveKind.STATEMENT, DirectiveKind.REMARK))


class Directive(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the user or the system prompt stated, word for word but for white space."""

    kind: DirectiveKind
    text: str
    #: Id of the message that says it.
    source: str
    #: What it changes in part, where its own words don't say what they are about ("make it 9090").
    amends: str = ""
    turn: int = 0
    created_at_ms: int = 0
    #: The model that pointed it out, where the rules had not found it.
    added_by: str = ""
    #: Id of the message whose statement it takes back: as long as that one can be read, so must this.
    revokes: str = ""
    #: Whether a system prompt says it: nobody takes all of that back at once.
    prompted: bool = False
    #: Which item of its list it is, counted from 1; 0 where it stands in none.
    number: int = 0


class ObligationKind(StrEnum):
    """What is still owed."""

    TASK = "task"
    #: What a person said on the way: details, answers, other questions.
    ADDED = "added"
    PLAN = "plan"
    OPEN_CALL = "open_call"
    SUBAGENT = "subagent"
    #: Goes on after the call that began it has its result: a command, an agent, a job.
    BACKGROUND = "background"
    #: Comes up at its time: a reminder, a timer, a job that is planned.
    SCHEDULED = "scheduled"
    CONFIRMATION = "confirmation"
    NEXT_STEP = "next_step"


#: Calls that wait for their results; each has the id of its call for its key.
CALL_KINDS = frozenset((ObligationKind.OPEN_CALL, ObligationKind.SUBAGENT))
#: Work that goes on by itself; each has the id for its key that its tool gave it, or that of the call.
JOB_KINDS = frozenset((ObligationKind.BACKGROUND, ObligationKind.SCHEDULED))


class Obligation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is not done yet, with its clock: the time of the event that began it."""

    kind: ObligationKind
    text: str
    source: str
    #: What ends it, where that has a name: the id of a call or of a job.
    key: str = ""
    since_ms: int = 0
    #: When it is to come up, at the latest, where that was told; 0 otherwise.
    due_ms: int = 0
    #: Turn of the message that began it: what nobody speaks of for many turns is given up.
    turn: int = 0
    #: Whether it waits for a time, or for something to happen: then it outlasts what is done meanwhile. Of an open
    #: call: whether what it asks for goes on after its result. Of what is due: whether that time is still to come.
    waits: bool = False
    #: Of a task: whether it was reported on, with nothing left open. What is asked next is another one.
    reported: bool = False
    #: Of an open call: the plan that holds once it has succeeded, empty where nothing is left of it.
    plan: str | None = None


class EvidenceKind(StrEnum):
    """What happened or was found."""

    CHANGED = "changed"
    RAN = "ran"
    READ = "read"
    ADDRESS = "address"
    DECISION = "decision"
    FIGURE = "figure"
    #: Of an order, a ticket, a person: what people and the agent call things by, apart from files and addresses.
    IDENTIFIER = "identifier"


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was done or found; later ones about the same `text` take its place."""

    kind: EvidenceKind
    #: A path, a command, an address, or a sentence word for word.
    text: str
    source: str
    #: What else is known: lines that were read, the exit code, the tool.
    detail: str = ""
    #: Id of the call whose result is still to come.
    call: str = ""


class UnclassifiedStatement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person said and no rule knows, word for word but for white space. It binds nobody."""

    text: str
    source: str
    turn: int = 0


class Ledger(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that is to be remembered, each list in the order in which it was said."""

    version: Literal[1] = 1
    directives: tuple[Directive, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    unclassified: tuple[UnclassifiedStatement, ...] = field(default=(), name="said")
