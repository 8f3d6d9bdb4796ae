"""What the ledger has of a span: a summary of it must say every item word for word, or it is not used.

The span tells, and nothing else: who asks for a summary and who judges one find the same items. Some are left out because no
summary could say them: what is not in one piece in its message, what reads like an order and was given by nobody who may, and what
is too much for the size that a summary has. The ledger itself keeps those too.
"""

from collections.abc import Iterator, Sequence

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.plan_calls import PLAN_JOINT
from tailrace.agents.summary.model.span_text import plain, span_text
from tailrace.agents.summary.verify.acceptance import fault_of
from tailrace.agents.summary.verify.grounding import Ground
from tailrace.schemas.records.ledger import TOLD_KINDS, EvidenceKind, Ledger, Obligation, ObligationKind
from tailrace.schemas.records.summary import SummaryClaim
from tailrace.schemas.records.work import SpanMessage

#: Share of a summary's size that what people stated and what is open may take, and what was done and found beside it.
STATED_SHARE, EVIDENCE_SHARE = 0.5, 0.25
#: What a token costs at most in the languages that are written with few bytes.
_BYTES_PER_TOKEN = 4
#: What lasts comes first.
_EVIDENCE = (
    EvidenceKind.CHANGED,
    EvidenceKind.DECISION,
    EvidenceKind.ADDRESS,
    EvidenceKind.FIGURE,
    EvidenceKind.RAN,
    EvidenceKind.READ,
    EvidenceKind.IDENTIFIER,
)
_CLIPPED = " …"


def ledger_texts(messages: Sequence[SpanMessage], tokens_max: int) -> tuple[str, ...]:
    """Texts of the span's ledger items that a summary of `tokens_max` must hold, what binds first."""
    book = Book()
    for one in messages:
        # What a program writes in a user's name is nobody's word.
        if not one.by_program:
            book.note(one.message, event_id=one.id, turn=0, created_at_ms=0)
    ledger = book.ledger
    ground = Ground(span_text(messages))
    kept: list[str] = []
    for items, share in ((_stated(ledger), STATED_SHARE), (_evidence(ledger), EVIDENCE_SHARE)):
        room_bytes = int(tokens_max * share * _BYTES_PER_TOKEN)
        for said, source in items:
            text = plain(said.removesuffix(_CLIPPED))
            shown = _as_shown(text, source, ground)
            size_bytes = len(shown.encode(errors="replace"))
            if shown and size_bytes <= room_bytes and not any(text in one for one in kept):
                room_bytes -= size_bytes
                kept.append(text)
    return tuple(kept)


def _stated(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """What people stated, rules before mere statements, and what is open between them."""
    facts = [one for one in ledger.directives if one.kind in TOLD_KINDS]
    yield from ((one.text, one.source) for one in ledger.directives if one.kind not in TOLD_KINDS)
    yield from ((text, one.source) for one in ledger.obligations for text in _steps(one))
    yield from ((one.text, one.source) for one in facts)


def _steps(obligation: Obligation) -> list[str]:
    """The steps of a plan, each for itself: they stood apart. Anything else is one."""
    return obligation.text.split(PLAN_JOINT) if obligation.kind is ObligationKind.PLAN else [obligation.text]


def _evidence(ledger: Ledger) -> Iterator[tuple[str, str]]:
    for kind in _EVIDENCE:
        yield from ((one.text, one.source) for one in reversed(ledger.evidence) if one.kind is kind)


def _as_shown(text: str, source: str, ground: Ground) -> str:
    """What a summary shows of an item: the whole sentence of whoever stated it, or its own words; empty where it may not say them."""
    said = ground.span.owner_sentences(text, (source,))
    if said is not None:
        return said
    # Arguments of calls are JSON: quotes and backslashes of a command or a path have others before them.
    there = ground.span.quotes(text, (source,)) or ground.span.quotes(_as_json(text), (source,))
    return text if there and fault_of(SummaryClaim(text=text, events=(source,)), "facts", ground) is None else ""


def _as_json(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
