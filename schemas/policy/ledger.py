"""What a policy says of the ledger: how much of a context it may take, and what a compaction must not lose."""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.policy.steps import fraction, positive


class LedgerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How large the ledger may be in a context. What it doesn't show it still holds."""

    enabled: bool = True
    directives_tokens_max: int = 2_000
    obligations_tokens_max: int = 300
    evidence_tokens_max: int = 500
    #: What people said and no rule knows, in a little of the room that directives and obligations leave.
    said_tokens_max: int = 500
    #: All of it takes at most this part of what the kept messages leave.
    fraction_max: float = 0.5
    #: Models that summarise may point out directives that the rules have not found. Off: what holds follows from the
    #: conversation alone, whichever model reads it.
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

    forbid: tuple[LostClass, ...] = ()
    #: How many items of a class a record names; it counts them all.
    listed_max: int = 20

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "listed_max", zero=True)
