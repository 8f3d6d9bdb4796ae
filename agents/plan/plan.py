"""A plan: what a compaction would do to a context, as data.

It references messages by id and changes nothing by itself.
"""

from dataclasses import dataclass

from msgspec import Struct

from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message


class Change(Struct, frozen=True, gc=False):
    """What becomes of one span: the ids in order, and what stands for them, if anything."""

    action: Action
    ids: tuple[str, ...]
    #: Entry of the first message: its rank and turn are those of the span.
    first: Entry
    last_turn: int
    before_tokens: int
    after_tokens: int
    replacement: Message | None
    strategy: str
    reason: str
    artifact_id: str | None
    recorded: bool
    #: Names of the single messages, where each of several is kept whole.
    artifact_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """The ledger that holds from now on, in the place of the former one."""

    #: Entry of the first message that left, or of the former ledger: its thread and turn are those of the ledger.
    first: Entry
    rank: int
    #: None where there is no room for one.
    message: Message | None
    ledger: Ledger
    tokens: int
    former: Entry | None = None
    #: Classes that the policy forbids to lose, of which it does not show all.
    missing: tuple[str, ...] = ()

    @property
    def before_tokens(self) -> int:
        """What the former ledger cost."""
        return self.former.tokens if self.former is not None else 0

    @property
    def former_ids(self) -> tuple[str, ...]:
        """Id of the former ledger, if there was one."""
        return (self.former.id,) if self.former is not None else ()


@dataclass(frozen=True, slots=True)
class SkippedStep:
    """A step that was not taken because of an error of its own."""

    strategy: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that one compaction decides. `changes` is empty where the context stands as it is."""

    budget: TokenBudget
    before_tokens: int
    after_tokens: int
    changes: tuple[Change, ...] = ()
    #: Name of the strategy; the steps that it took are in the changes.
    strategy: str = "composed"
    skipped: tuple[SkippedStep, ...] = ()
    warnings: tuple[str, ...] = ()
    #: Why nothing is done, or why what is done is not enough.
    reason: str | None = None
    #: Why it stays above what somebody asked for, though it fits.
    missed: str | None = None
    #: Epoch and offset of the thread that the plan was made for; it holds for no other state.
    expected_version: tuple[int, int] = (-1, -1)
    #: Hash of the messages that it was made for, outside of the stream: there, places in a list are no offsets of a
    #: log, and every list of one length has the same version.
    expected_content: str | None = None
    #: More has to go than one record can name: once this is carried out, another plan goes on.
    unfinished: bool = False
    #: What was proposed and is not carried out, because too little would be gained.
    given_up: tuple[Change, ...] = ()
    #: What that would have freed, the ledger with it.
    given_up_tokens: int = 0
    #: The new ledger; None where the one that there is, if any, goes on as it is.
    ledger: LedgerChange | None = None

    @property
    def acts(self) -> bool:
        """Whether carrying it out changes the context."""
        return bool(self.changes) or self.ledger is not None

    @property
    def compacts(self) -> bool:
        """Whether it leaves a record: a ledger that takes another's place is accounted for like everything else."""
        return bool(self.recorded) or self.ledger is not None

    @property
    def recorded(self) -> tuple[Change, ...]:
        """Changes that are a compaction; housekeeping leaves no record."""
        return tuple(change for change in self.changes if change.recorded)
