"""Noting messages in a ledger, one by one, at a cost that only depends on the message.

    ledger = note(Ledger(), message, event_id="m1", turn=1, created_at_ms=0)

A plan that notes many messages keeps a `Book` open; both do the same.
"""

from dataclasses import dataclass, field

from tailrace.agents.call_text import call_target
from tailrace.agents.ledger.directives import ROLES, Directives
from tailrace.agents.ledger.evidence import EvidenceLog
from tailrace.agents.ledger.obligations import Obligations
from tailrace.agents.part_text import response_text
from tailrace.schemas.ledger import Ledger
from tailrace.schemas.message import Message
from tailrace.schemas.parts import Json, RefusalPart, TextPart, ToolCallPart, ToolCallResponsePart


@dataclass(slots=True)
class Book:
    """A ledger that is being written."""

    directives: Directives = field(default_factory=Directives)
    obligations: Obligations = field(default_factory=Obligations)
    evidence: EvidenceLog = field(default_factory=EvidenceLog)

    @classmethod
    def open(cls, ledger: Ledger) -> "Book":
        """Return a book that holds what the ledger holds."""
        return cls(
            Directives(list(ledger.directives)),
            Obligations({item.key or item.kind: item for item in ledger.obligations}),
            EvidenceLog(
                {(item.kind, item.text): item for item in ledger.evidence},
                {item.call: (item.kind, item.text) for item in ledger.evidence if item.call},
            ),
        )

    @property
    def ledger(self) -> Ledger:
        """What the book holds now."""
        return Ledger(
            directives=tuple(self.directives.items),
            obligations=tuple(self.obligations.items.values()),
            evidence=tuple(self.evidence.items.values()),
        )

    def note(self, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> None:
        """Take in one message. Summaries and pointers say nothing new: what they stand for was noted before it left."""
        if message.role in ROLES:
            self.note_directives(message, event_id=event_id, turn=turn, created_at_ms=created_at_ms)
        self.note_progress(message, event_id, created_at_ms)

    def note_directives(self, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> None:
        """Take in what a person or the system prompt states."""
        if message.role in ROLES and not message.answered_ids:
            text = spoken_text(message)
            if text:
                typed = message.role == "user"
                self.directives.note(text, source=event_id, turn=turn, created_at_ms=created_at_ms, typed=typed)

    def note_progress(self, message: Message, event_id: str, created_at_ms: int) -> None:
        """Take in what a message asks for, does or reports."""
        calls = False
        for part in message.parts:
            if type(part) is ToolCallPart:
                calls = True
                target = call_target(part)
                # By place: Python 3.11 calls a function of its own faster so, and this is every call of every agent.
                self.obligations.call(part, target[0] or target[1], event_id, created_at_ms)
                self.evidence.call(part, target, event_id)
            elif type(part) is ToolCallResponsePart:
                calls = True
                self.note_result(part.id, part.response)
        text = "" if calls else spoken_text(message)
        if not text:
            return
        if message.role == "user":
            self.obligations.asked(text, source=event_id, created_at_ms=created_at_ms)
            self.evidence.said(text, source=event_id)
        elif message.role == "assistant":
            self.obligations.reported(text, source=event_id, created_at_ms=created_at_ms)
            self.evidence.reported(text, source=event_id)
            self.evidence.said(text, source=event_id)

    def note_result(self, call_id: str, response: Json) -> None:
        """Take in that a call was answered, and how it ended."""
        self.obligations.result(call_id)
        if call_id in self.evidence.waiting:
            self.evidence.result(call_id, response_text(response))


def spoken_text(message: Message) -> str:
    """What is said in a message, apart from calls, results and reasoning."""
    return "\n".join([part.content for part in message.parts if isinstance(part, TextPart | RefusalPart)])


def note(ledger: Ledger, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> Ledger:
    """The ledger with one more message in it."""
    book = Book.open(ledger)
    book.note(message, event_id=event_id, turn=turn, created_at_ms=created_at_ms)
    return book.ledger
