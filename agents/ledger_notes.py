"""What messages that leave a context are noted for, the newest of them: a ledger has no room for all that a long thread did.

What is owed is asked for several times while a plan is made, each time with others leaving. It takes a handful of messages, and
those are found without reading the rest. What was done and found is asked for once, at the end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from tailrace.agents.draft import Item
from tailrace.agents.groups import GroupKind, kind_of
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.evidence import EVIDENCE_KEPT, EvidenceLog
from tailrace.agents.ledger.ledger import Book, spoken_text
from tailrace.agents.ledger.obligations import plan_text
from tailrace.agents.ledger.plans import plan_in
from tailrace.agents.ledger.questions import leaves_open, question_in
from tailrace.agents.ledger.said import held, said_in
from tailrace.agents.ledger.statements import words_of
from tailrace.agents.outcome import is_refusal
from tailrace.agents.part_text import response_text
from tailrace.agents.wording import late_results_in
from tailrace.schemas.context import EntryKind
from tailrace.schemas.ledger import Evidence, Ledger, Obligation, ObligationKind, Said
from tailrace.schemas.parts import ToolCallPart, ToolCallResponsePart
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

#: Calls that are read for what they did.
CALLS_MAX = EVIDENCE_KEPT
#: Reports of the assistant that are read for decisions, figures, questions and plans, and messages of people for addresses.
WORDS_MAX = 60
#: Messages of people that are read for what no rule knows. A compaction seldom takes more.
SAID_IN_MAX = 200
#: Lists that are looked at for a plan.
PLANS_MAX = 40
#: Whoever only agrees says no more than this.
ASSENT_CHARS_MAX = 80
#: Ended by the next thing that a person says.
_UNTIL_SPOKEN = (ObligationKind.TASK, ObligationKind.NEXT_STEP)
#: How much of a long result is looked at, at both ends, as JSON: only its outcome is wanted.
_OUTCOME_BYTES = 300
#: A list below a heading, or of boxes, as JSON.
_LISTED = re.compile(rb":[*_ ]*(?:\\n)+ {0,3}(?:1[.)] |[-*+] |\xe2)|\[[ xX]\] |\xe2\x98\x90")
#: A mark of a question in what is said, not in what a tool is told.
_ASKING = re.compile(rb'"type":"text","content":"(?:[^"\\?]|\\.)*\?')
_RESPONSE = b'"response":'
_OPENING = re.compile(r'^(?:\[\{[^{}]{0,60}"text": ?)?"?')
#: Marks of a producer stand before what the tool said.
_REFUSED = re.compile(rb'"is_error": ?true|"status": ?"error"')
# Asked of every message, so by a name of the module: Python 3.11 takes ten times as long to find a member of an enum.
_STUB = EntryKind.STUB
# The flag stands only where it is needed: for all of the pattern it would take several times as long.
_PLAN_CALL = re.compile(rb'"name": ?"[^"]{0,40}(?i:todo|plan)')


class Notes:
    """The messages of a context, to be asked what those of them that leave have done, and still owe."""

    def __init__(self, items: Sequence[Item], before: Ledger) -> None:
        """Take all messages in their order, and the ledger of those that left before."""
        self._before = before
        self._items = items
        self._said: list[Item] = []
        self._calls: list[Item] = []
        self._words: list[Item] = []
        #: Calls that an earlier compaction has shortened; a ledger that was not written anew then has no note of them.
        self._shortened: list[Item] = []
        for item in items:
            entry = item.entry
            if entry.role == "user" and kind_of(entry) is GroupKind.USER:
                self._said.append(item)
            # What stands for others was noted when those left.
            if entry.compaction is None and not entry.answers:
                (self._calls if entry.calls else self._words).append(item)
            elif entry.kind is _STUB and entry.role == "assistant":
                self._shortened.append(item)
        self._plan = self._newest_plan()
        self._open, self._closed = _open_calls(items)
        #: Results that came as messages of their own, because their calls had left: a program's word, as no person's is.
        self._late = {
            call_id: text
            for item in items
            if item.entry.source == PROGRAM_SOURCE
            for call_id, text in late_results_in(spoken_text(item.said))
        }
        self._closed = self._closed.union(self._late)
        #: Calls that are answered, and that ask a person something beside.
        self._asking = [item for item in self._calls[-WORDS_MAX:] if _asks(item) and item not in self._open]
        self._last_owed: tuple[frozenset[str], tuple[Obligation, ...]] | None = None
        self._ranks = {item.entry.id: item.entry.rank for item in items}

    def owed(self, staying: frozenset[str]) -> tuple[Obligation, ...]:
        """What messages that have left owe, unless one that stays has ended it or shows it."""
        if self._last_owed is None or self._last_owed[0] != staying:
            self._last_owed = staying, self._owed(staying)
        return self._last_owed[1]

    def _owed(self, staying: frozenset[str]) -> tuple[Obligation, ...]:
        book = Book.open(Ledger(obligations=self._before.obligations))
        owed = book.obligations.items
        if self._plan is not None:
            owed.pop(ObligationKind.PLAN, None)
        for item in sorted(self._owing(staying), key=lambda item: item.entry.rank):
            if item in self._asking or (item is self._plan and item.entry.calls and not _writes_plan(item)):
                # Its calls have their results; those of others are not to be taken for open.
                text = spoken_text(item.original)
                at_ms = item.entry.created_at_ms
                book.obligations.said_beside_calls(text, source=item.entry.id, created_at_ms=at_ms)
            else:
                _note(book, item)
        said = max(
            (item.entry.rank for item in self._said if item.entry.id in staying and not _agrees(item)), default=-1
        )
        self._strike(book)
        for kind in _UNTIL_SPOKEN:
            if kind in owed and self._rank(owed[kind]) < said:
                del owed[kind]
        if self._answer(book, staying) is not None:
            del owed[ObligationKind.CONFIRMATION]
        return tuple(
            structs.replace(one, rank=self._rank(one)) for one in book.obligations if one.key not in self._closed
        )

    def _newest_plan(self) -> Item | None:
        """The newest message that writes a plan, by a call or as text."""
        planned = [item for item in self._calls if _PLAN_CALL.search(item.entry.message)]
        by_call = next((item for item in reversed(planned) if _writes_plan(item)), None)
        since = by_call.entry.rank if by_call is not None else -1
        newest = [*self._words[-WORDS_MAX:], *self._calls[-WORDS_MAX:]]
        said = [item for item in newest if item.entry.role == "assistant" and item.entry.rank > since]
        listed = [item for item in said if _LISTED.search(item.entry.message)]
        listed.sort(key=lambda item: item.entry.rank, reverse=True)
        return next((item for item in listed[:PLANS_MAX] if plan_in(spoken_text(item.said)) is not None), by_call)

    def _strike(self, book: Book) -> None:
        """Strike what reports call done of the plan, whether they have left or not."""
        plan = book.obligations.items.get(ObligationKind.PLAN)
        if plan is None or not plan.text[:1].isdigit():
            return  # only steps with numbers can be told so
        rank = self._rank(plan)
        for item in self._words[-WORDS_MAX:]:
            if item.entry.role == "assistant" and item.entry.rank > rank:
                book.obligations.struck(spoken_text(item.said))

    def _answer(self, book: Book, staying: frozenset[str]) -> Item | None:
        """The message that stays and answers the question that is open in the book."""
        question = book.obligations.items.get(ObligationKind.CONFIRMATION)
        if question is None:
            return None
        rank = self._rank(question)
        later = (item for item in self._said if item.entry.rank > rank and item.entry.id in staying)
        return next((item for item in later if not leaves_open(spoken_text(item.said), question.text)), None)

    def done(self, staying: frozenset[str], standing: frozenset[str]) -> tuple[Evidence, ...]:
        """What was done and found in messages that have left, and before; `standing` are those that stay as they are now, short or not."""
        book = Book.open(Ledger(evidence=self._before.evidence, obligations=self._before.obligations))
        evidence = book.evidence
        for item in _newest(self._shortened, CALLS_MAX, standing):
            _note_shortened(evidence, item)
        read = {id(item) for item in _newest(self._calls, CALLS_MAX, staying)}
        for is_said in (True, False):
            words = [item for item in self._words if (item.entry.role == "user") is is_said]
            read.update(id(item) for item in _newest(words, WORDS_MAX, staying))
        for item in self._items:
            entry = item.entry
            if id(item) in read:
                _note(book, item)
            elif entry.answers:
                _note_results(evidence, item)
        for call_id, text in self._late.items():
            evidence.result(call_id, text)
        # Without the question, its answer says too little, wherever it stands.
        answer = self._answer(book, staying)
        if answer is not None:
            book.note_answer(spoken_text(answer.original), answer.entry.id, answer.entry.created_at_ms)
        return tuple(evidence)

    def said(self, staying: frozenset[str]) -> tuple[Said, ...]:
        """What people said in messages that have left, and before, beyond what the rules know; the newest of it."""
        known = {one.text: one for one in self._before.said}
        for item in _newest(self._said, SAID_IN_MAX, staying):
            entry = item.entry
            if entry.compaction is None:
                for one in said_in(spoken_text(item.original), source=entry.id, turn=entry.turn):
                    known.pop(one.text, None)
                    known[one.text] = one
        return held([*known.values()])

    def _owing(self, staying: frozenset[str]) -> Iterator[Item]:
        """Messages that have left and may have left something open; others have been answered, or are no news."""
        yield from (item for item in self._open if item.entry.id not in staying)
        if self._plan is not None and self._plan.entry.id not in staying:
            yield self._plan
        since = -1
        for item in reversed(_newest(self._words, WORDS_MAX, staying)):
            if item.entry.role == "user" and item.entry.source == PROGRAM_SOURCE:
                continue  # nobody asks for anything there
            yield item
            if item.entry.role == "user" and not leaves_open(spoken_text(item.said)):
                since = max(since, item.entry.rank)
                if not _agrees(item):
                    break
        yield from (item for item in self._asking if item.entry.rank > since and item.entry.id not in staying)

    def _rank(self, owed: Obligation) -> int:
        return self._ranks.get(owed.source, owed.rank)


def _agrees(item: Item) -> bool:
    """Whether a person only agrees: what was asked for before is still the task."""
    text = spoken_text(item.said)
    return len(text) <= ASSENT_CHARS_MAX and is_assent(words_of(text))


def _newest(items: Iterable[Item], most: int, staying: frozenset[str]) -> list[Item]:
    """The newest of those that have left, in their order."""
    return [item for item in items if item.entry.id not in staying][-most:]


def _open_calls(items: Iterable[Item]) -> tuple[list[Item], frozenset[str]]:
    """Messages with calls that nobody has answered, and the ids of those calls that somebody has."""
    called: dict[str, Item | None] = {}
    for item in items:
        for call_id in item.entry.calls:
            called[call_id] = item
        for call_id in item.entry.answers:
            called[call_id] = None
    unanswered = {id(item): item for item in called.values() if item is not None}
    return list(unanswered.values()), frozenset(call_id for call_id, item in called.items() if item is None)


def _asks(item: Item) -> bool:
    if _ASKING.search(item.entry.message) is None:
        return False
    return bool(question_in(spoken_text(item.said), only_to_somebody=True))


def _writes_plan(item: Item) -> bool:
    return any(isinstance(part, ToolCallPart) and plan_text(part.arguments) is not None for part in item.said.parts)


def _note(book: Book, item: Item) -> None:
    entry = item.entry
    if entry.role == "user" and entry.source == PROGRAM_SOURCE:
        # Nobody asks for anything there, nor answers.
        book.evidence.said(spoken_text(item.original), source=entry.id)
    else:
        book.note_progress(item.original, entry.id, entry.created_at_ms)


def _note_shortened(evidence: EvidenceLog, item: Item) -> None:
    """Note what a call that was shortened before is to do, unless that is known."""
    shortened = Book()
    if item.said.call_ids:
        _note(shortened, item)
    evidence.take(one for one in shortened.evidence if (one.kind, one.text) not in evidence.items)


def _note_results(evidence: EvidenceLog, item: Item) -> None:
    for call_id in item.entry.answers:
        if call_id in evidence.waiting:
            _note_result(evidence, item, call_id)


def _note_result(evidence: EvidenceLog, item: Item, call_id: str) -> None:
    """Note how a call ended, from beginning and end of its result: whatever its size, its outcome stands there."""
    raw = bytes(item.entry.message)
    head, found, body = raw.partition(_RESPONSE)
    if len(item.entry.answers) > 1 or not found:
        part = next(one for one in item.said.parts if isinstance(one, ToolCallResponsePart) and one.id == call_id)
        evidence.result(call_id, response_text(part.response), refused=is_refusal(part))
        return
    if len(body) <= 2 * _OUTCOME_BYTES:
        text = _plain(body)
    else:
        # Longer than any complaint: so it is what the tool shows.
        text = f"{_plain(body[:_OUTCOME_BYTES])}\n{_plain(body[-_OUTCOME_BYTES:])}"
    evidence.result(call_id, text, refused=_REFUSED.search(head) is not None)


def _plain(raw: bytes) -> str:
    """JSON as the text that it stands for, or nearly; of blocks, what is in the first."""
    return _OPENING.sub("", raw.decode("utf-8", "replace"), count=1).replace("\\n", "\n").replace('\\"', '"')
