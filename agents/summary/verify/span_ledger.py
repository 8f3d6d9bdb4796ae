"""What the ledger has of a span: it stands in every summary of it, whatever a model says.

The span tells, and nothing else: who asks for a summary and who judges one find the same items. What people stated,
what is open and what was decided are quotations; what calls did and gave is told by the calls and their results.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.evidence_lines import EvidenceLines
from tailrace.agents.ledger.plan_calls import PLAN_JOINT
from tailrace.agents.ledger.statements import kind_of
from tailrace.agents.summary.model.span_text import plain
from tailrace.agents.summary.verify.quotations import quoted_sentences, speaker_of
from tailrace.schemas.records.ledger import (
    TOLD_KINDS,
    Directive,
    Evidence,
    EvidenceKind,
    Ledger,
    Obligation,
    ObligationKind,
)
from tailrace.schemas.records.summary import Quotation, StructuredSummary, SummaryClaim
from tailrace.schemas.records.work import SpanMessage

#: Share of a summary's size that what people stated and what is open may take, and what was done and found beside it.
STATED_SHARE, EVIDENCE_SHARE = 0.5, 0.25
#: What a token costs at most in the languages that are written with few bytes.
_BYTES_PER_TOKEN: Final = 4
#: What lasts comes first.
_EVIDENCE: Final = (
    EvidenceKind.CHANGED,
    EvidenceKind.DECISION,
    EvidenceKind.ADDRESS,
    EvidenceKind.FIGURE,
    EvidenceKind.RAN,
    EvidenceKind.READ,
    EvidenceKind.IDENTIFIER,
)
#: What is told under which field, but for decisions, which are quoted where they stand in one piece.
_FIELD: Final = {
    EvidenceKind.RAN: "tool_outcomes",
    EvidenceKind.FIGURE: "tool_outcomes",
    EvidenceKind.DECISION: "tool_outcomes",
    EvidenceKind.CHANGED: "artifacts",
    EvidenceKind.READ: "artifacts",
    EvidenceKind.ADDRESS: "artifacts",
    EvidenceKind.IDENTIFIER: "artifacts",
}
#: What stands before a text and around it: whose words it is, or what was done.
_LINE_BYTES: Final = 12
_CLIPPED: Final = " …"


@dataclass(frozen=True, slots=True)
class Statements:
    """What people state in a span: what is in force at its end, and what that has changed or taken back."""

    in_force: tuple[str, ...]
    amended: frozenset[str]

    @classmethod
    def of(cls, directives: Sequence[Directive]) -> "Statements":
        """What these say."""
        return cls(
            tuple(plain(directive.text) for directive in directives),
            frozenset(plain(directive.amends) for directive in directives if directive.amends),
        )

    def withdrew(self, statement: str) -> bool:
        """Tell whether a statement of the span is no longer in force at its end."""
        wanted = plain(statement)
        if wanted in self.amended:
            return True
        # What the reader of the ledger finds and no longer holds was withdrawn.
        return kind_of(statement) is not None and not any(wanted in text or text in wanted for text in self.in_force)


@dataclass(frozen=True, slots=True)
class SpanLedger:
    """The items that there is room for, as a summary that says nothing else; and all that people state."""

    items: StructuredSummary
    statements: Statements

    @property
    def texts(self) -> tuple[str, ...]:
        """What the items say, a text for each."""
        items = self.items
        quoted = (*items.constraints, *items.decisions, *items.open_items, *items.current_plan)
        claims = (*items.tool_outcomes, *items.artifacts)
        return (*(quotation.quote for quotation in quoted), *(claim.text for claim in claims))


def span_ledger(messages: Sequence[SpanMessage], tokens_max: int) -> SpanLedger:
    """Return what the ledger has of these messages, as much as a summary of `tokens_max` has room for."""
    book = Book()
    for message in messages:
        # What a program writes in a user's name is nobody's word.
        if not message.by_program:
            book.note(message.message, event_id=message.id, turn=0, created_at_ms=0)
    ledger = book.ledger
    by_id = {message.id: message for message in messages}
    stated = _Room(int(tokens_max * STATED_SHARE * _BYTES_PER_TOKEN))
    quoted: dict[str, list[Quotation]] = {"constraints": [], "open_items": [], "current_plan": [], "decisions": []}
    statements = Statements.of(ledger.directives)
    for field, text, source in _stated(ledger):
        if statements.withdrew(text):
            continue
        if (quotation := _quotation(text, source, by_id)) and stated.takes(quotation.quote):
            quoted[field].append(quotation)
    evidence = _Room(int(tokens_max * EVIDENCE_SHARE * _BYTES_PER_TOKEN), stated.taken)
    shown: list[Evidence] = []
    for item in (item for kind in _EVIDENCE for item in reversed(ledger.evidence) if item.kind is kind):
        if not evidence.takes(plain(item.text), beside=item.detail):
            continue
        if item.kind is EvidenceKind.DECISION and (quotation := _quotation(item.text, item.source, by_id)):
            quoted["decisions"].append(quotation)
        else:
            shown.append(item)
    lists: dict[str, Any] = {field: tuple(dict.fromkeys(quotations)) for field, quotations in quoted.items()}
    items = StructuredSummary(**lists, **_claims(shown))
    return SpanLedger(items, statements)


class _Room:
    """Bytes that are left for items, of which each is taken once."""

    def __init__(self, bytes_max: int, taken: Iterable[str] = ()) -> None:
        self._left_bytes = bytes_max
        self.taken = [*taken]

    def takes(self, text: str, *, beside: str = "") -> bool:
        """Take a text if it fits, with what stands `beside` it, and says something new."""
        size_bytes = _LINE_BYTES + len(text.encode(errors="replace")) + len(beside.encode(errors="replace"))
        if not text or size_bytes > self._left_bytes or any(text in other for other in self.taken):
            return False
        self._left_bytes -= size_bytes
        self.taken.append(text)
        return True


def _stated(ledger: Ledger) -> Iterator[tuple[str, str, str]]:
    """Yield field, text and source of what people stated and what is open, rules first and mere statements last."""
    rules = [directive for directive in ledger.directives if directive.kind not in TOLD_KINDS]
    mere = [directive for directive in ledger.directives if directive.kind in TOLD_KINDS]
    yield from map(_constraint, rules)
    for obligation in ledger.obligations:
        field = "current_plan" if obligation.kind is ObligationKind.PLAN else "open_items"
        yield from ((field, step, obligation.source) for step in _steps(obligation))
    yield from map(_constraint, mere)


def _constraint(directive: Directive) -> tuple[str, str, str]:
    return "constraints", directive.text, directive.source


def _steps(obligation: Obligation) -> list[str]:
    """The steps of a plan, each for itself: they stood apart. Anything else is one."""
    return obligation.text.split(PLAN_JOINT) if obligation.kind is ObligationKind.PLAN else [obligation.text]


def _quotation(text: str, source: str, by_id: Mapping[str, SpanMessage]) -> Quotation | None:
    message = by_id.get(source)
    quote = quoted_sentences(text.removesuffix(_CLIPPED), message) if message is not None else ""
    return Quotation(event=source, quote=plain(quote), speaker=speaker_of(by_id[source])) if quote else None


def _claims(shown: Sequence[Evidence]) -> dict[str, Any]:
    """What was done and found, a claim for each line that tells it."""
    claims: dict[str, list[SummaryClaim]] = {"tool_outcomes": [], "artifacts": []}
    for kind in _EVIDENCE:
        items = [item for item in shown if item.kind is kind]
        sources = tuple(dict.fromkeys(item.source for item in items))
        lines = EvidenceLines.of(items)
        claims[_FIELD[kind]] += [SummaryClaim(text=line.removeprefix("- "), events=sources) for line in lines]
    return {field: tuple(lines) for field, lines in claims.items()}
