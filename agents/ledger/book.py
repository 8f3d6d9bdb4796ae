"""Noting messages in a ledger, one by one, at a cost that only depends on the message.

    book = Book()
    book.note(message, event_id="m1", turn=1, created_at_ms=0)

What the book holds is `book.ledger`.
"""

from dataclasses import dataclass, field

from tailrace.agents.ledger.directives import ROLES, Directives
from tailrace.agents.ledger.evidence import EvidenceLog
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.obligations import Obligations
from tailrace.agents.ledger.questions import answer_in, with_answer
from tailrace.agents.messages.outcome import is_refusal
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.text_ends import ends_of
from tailrace.agents.messages.wording import late_result_in
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import RefusalPart, TextPart, ToolCallPart, ToolCallResponsePart

_SPOKEN = (TextPart, RefusalPart)


@dataclass(slots=True)
class Book:
    """A ledger that is being written."""

    directives: Directives = field(default_factory=Directives)
    obligations: Obligations = field(default_factory=Obligations)
    evidence: EvidenceLog = field(default_factory=EvidenceLog)

    @property
    def ledger(self) -> Ledger:
        """What the book holds now."""
        return Ledger(
            directives=tuple(self.directives.items),
            obligations=tuple(self.obligations),
            evidence=tuple(self.evidence),
        )

    def note(self, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> None:
        """Take in one message. Summaries and pointers say nothing new: what they stand for was noted before it left."""
        if message.role in ROLES:
            self.note_directives(message, event_id=event_id, turn=turn, created_at_ms=created_at_ms)
        self.note_progress(message, Moment(event_id, created_at_ms, turn))

    def note_directives(self, message: Message, *, event_id: str, turn: int, created_at_ms: int) -> None:
        """Take in what a person or the system prompt states."""
        text = spoken_text(message) if message.role in ROLES else ""
        if text:
            typed = message.role == "user"
            self.directives.note(
                text, source=event_id, turn=turn, created_at_ms=created_at_ms, typed=typed, printed=_printed(message)
            )

    def note_progress(self, message: Message, at: Moment) -> None:
        """Take in what a message asks for, does or reports."""
        if self.obligations.jobs:
            self.obligations.pass_time(at.at_ms, at.turn)
        calls = False
        spoken: list[str] = []
        for part in message.parts:
            if type(part) is ToolCallPart:
                calls = True
                self.obligations.call(part, at)
                self.evidence.call(part, at.source)
            elif type(part) is ToolCallResponsePart:
                calls = True
                if part.id in self.obligations.calls or part.id in self.evidence.waiting:
                    self._note_outcome(part, at)
            elif type(part) is TextPart or type(part) is RefusalPart:
                spoken.append(part.content)
        text = ends_of("\n".join(spoken))
        if not text:
            return
        answered = note_words(self.obligations, message, text, at, beside_calls=calls)
        if message.role == "user":
            self.note_answer(answered, text, at)
            self.evidence.corrected(text, source=at.source)
            self.evidence.said(text, source=at.source)
        elif message.role == "assistant" and not calls:
            self.directives.answer = text
            self.evidence.reported(text, source=at.source)
            self.evidence.said(text, source=at.source)

    def note_answer(self, question: str, text: str, at: Moment) -> None:
        """Take in what a person answers, with the question, where it says too little without."""
        if question and (answer := answer_in(text, question)):
            self.evidence.decided(with_answer(question, answer), source=at.source)

    def _note_outcome(self, result: ToolCallResponsePart, at: Moment) -> None:
        """Take in how a call ended."""
        response = result.response
        refused = bool(result.extra or type(response) is not str) and is_refusal(result)
        text = ends_of(response_text(response))
        if result.id not in self.obligations.calls or not self.obligations.closes(result.id):
            self.obligations.result(result.id, text, refused=refused)
        self.evidence.result(result.id, text, refused=refused, source=at.source)


def note_words(obligations: Obligations, message: Message, text: str, at: Moment, *, beside_calls: bool) -> str:
    """Take in what is owed by the words of a message, which may stand beside calls or results; return the question that they answer, if any."""
    if message.role == "user":
        # What stands beside results and only repeats them is nobody's word.
        printed = _printed(message) if beside_calls else ""
        return "" if beside_calls and (text in printed or text == ends_of(printed)) else obligations.asked(text, at)
    if message.role == "assistant":
        if beside_calls:
            obligations.said_beside_calls(text, at)
        else:
            obligations.reported(text, at)
    return ""


def spoken_text(message: Message) -> str:
    """What is said in a message, apart from calls, results and reasoning; of words and late results, which are text too, the words."""
    texts = [part.content for part in message.parts if isinstance(part, _SPOKEN)]
    if len(texts) > 1:
        texts = [text for text in texts if late_result_in(text) is None] or texts
    return ends_of("\n".join(texts))


def _printed(message: Message) -> str:
    """What tools returned in a message that may hold words beside it; those words are nobody's if they only repeat it."""
    parts = message.parts
    return "\n".join([response_text(part.response) for part in parts if type(part) is ToolCallResponsePart])
