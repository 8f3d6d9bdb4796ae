"""What a policy says of the ledger: how much of a context it may take, and what a compaction must not lose."""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.policy.steps import fraction, positive


class LedgerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How large the ledger may be in a context. What it doesn't show it still holds."""

    #: Keep a ledger.
    enabled: bool = True
    #: Rules, limits, deadlines, preferences and facts that people stated.
    directives_tokens_max: int = 2_000
    #: The task, open questions, the plan, work that goes on, promises, open calls.
    obligations_tokens_max: int = 300
    #: What was changed, decided, run, found and read.
    evidence_tokens_max: int = 500
    #: What people said and no rule knows, at most an eighth of what directives and open items leave; marked `said:`, in
    #: its turn among the statements.
    said_tokens_max: int = 500
    #: Part of what kept messages leave that all of it may take; all of that where no tool was called.
    fraction_max: float = 0.5
    #: Models that summarise (docs/summaries.md) may point out what people stated and the rules have not found. Off,
    #: because then what holds follows from the conversation alone, whichever model reads it.
    candidates: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        sizes = ("directives_tokens_max", "obligations_tokens_max", "evidence_tokens_max", "said_tokens_max")
        positive(self, *sizes, zero=True)
        fraction(self, "fraction_max")


#: What a compaction may be forbidden to lose.
LostClass = Literal["directives", "obligations", "decisions", "said", "identifiers"]


class ReceiptRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a compaction must not lose: a plan that would is mended, or refused with the reason."""

    #: Classes of which a context must go on saying all that the ledger holds: directives, obligations, decisions, said,
    #: identifiers; the ledger makes room for them, and a compaction that can't is refused below the limit.
    forbid: tuple[LostClass, ...] = ()
    #: How many items of a class a record names; it counts them all.
    listed_max: int = 20

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "listed_max", zero=True)
