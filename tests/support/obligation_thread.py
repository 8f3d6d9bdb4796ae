"""Small conversations, and what is owed at their end."""

from collections.abc import Iterable

from support.growing_ledger import note

from tailrace.agents.ledger.book import Book
from tailrace.schemas.records.ledger import EvidenceKind, Ledger, ObligationKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, TextPart, ToolCallPart, ToolCallResponsePart


def user(text: str) -> Message:
    return Message(role="user", parts=(TextPart(content=text),))


def assistant(text: str) -> Message:
    return Message(role="assistant", parts=(TextPart(content=text),))


def called(name: str, arguments: Json, call_id: str = "c1") -> Message:
    return Message(role="assistant", parts=(ToolCallPart(id=call_id, name=name, arguments=arguments),))


def answered(response: Json, call_id: str = "c1", **extra: Json) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=response, extra=extra),))


def ledger_of(messages: Iterable[Message]) -> Ledger:
    """The ledger of these, by one book and by single notes alike."""
    book, ledger, turn = Book(), Ledger(), 0
    for place, message in enumerate(messages):
        turn += message.role == "user"
        book.note(message, event_id=f"m{place}", turn=turn, created_at_ms=1_000 * place)
        ledger = note(ledger, message, event_id=f"m{place}", turn=turn, created_at_ms=1_000 * place)
    assert book.ledger == ledger
    return ledger


def owed(messages: Iterable[Message], *kinds: ObligationKind) -> list[str]:
    """Texts of what is owed, of these kinds."""
    return [one.text for one in ledger_of(messages).obligations if one.kind in kinds]


def chosen(messages: Iterable[Message]) -> list[tuple[str, str, str]]:
    """Decisions with their sources and who brought them."""
    decisions = (one for one in ledger_of(messages).evidence if one.kind is EvidenceKind.DECISION and not one.call)
    return [(one.text, one.source, one.detail) for one in decisions]
