"""A ledger that is read from what was held and goes on, message by message, as plans of a long thread read it."""

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.directives import Directives
from tailrace.agents.ledger.evidence import EvidenceLog
from tailrace.agents.ledger.obligations import Obligations
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message


def opened(ledger: Ledger) -> Book:
    """A book that holds what the ledger holds."""
    return Book(
        Directives(list(ledger.directives)), Obligations.of(ledger.obligations), EvidenceLog.of(ledger.evidence)
    )


def note(ledger: Ledger, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> Ledger:
    """The ledger with one more message in it."""
    book = opened(ledger)
    book.note(message, event_id=event_id, turn=turn, created_at_ms=created_at_ms)
    return book.ledger
