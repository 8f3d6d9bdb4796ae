"""What messages that leave a context are noted for, the newest of them: a ledger has no room for all that a long thread did.

What is owed is asked for several times while a plan is made, each time with others leaving. It takes a handful of messages, and
those are found without reading the rest. What was done and found is asked for once, at the end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from tailrace.agents.draft import Item
from tailrace.agents.groups import GroupKind, kind_of
from tailrace.agents.ledger.evidence import EVIDENCE_KEPT
from tailrace.agents.ledger.ledger import Book, spoken_text
from tailrace.agents.ledger.obligations import plan_text
from tailrace.agents.ledger.said import held, said_in
from tailrace.schemas.context import Entry, EntryKind
from tailrace.schemas.ledger import Evidence, Ledger, Obligation, ObligationKind, Said
from tailrace.schemas.parts import ToolCallPart

#: Calls that are read for what they did.
CALLS_MAX = EVIDENCE_KEPT
#: Reports of the assistant that are read for decisions and figures, and messages of people for addresses.
WORDS_MAX = 60
#: Messages of people that are read for what no rule knows. A compaction seldom takes more.
SAID_IN_MAX = 200
#: Ended by the next thing that a person says.
_UNTIL_ANSWERED = (ObligationKind.TASK, ObligationKind.CONFIRMATION, ObligationKind.NEXT_STEP)
#: How much of a result is looked at, at both ends, as JSON: only its outcome is wanted.
_OUTCOME_BYTES = 300
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
        self._plans = [item for item in self._calls if _PLAN_CALL.search(item.entry.message)]
        self._open, self._closed = _open_calls(items)
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
        if any(item.entry.id in staying for item in self._plans):
            owed.pop(ObligationKind.PLAN, None)
        for item in sorted(self._owing(staying), key=lambda item: item.entry.rank):
            _note(book, item)
        said = max((item.entry.rank for item in self._said if item.entry.id in staying), default=-1)
        answered = [one for kind in _UNTIL_ANSWERED if (one := owed.get(kind)) and self._rank(one.source) < said]
        ended = {*(one.kind for one in answered), *self._closed}
        return tuple(one for key, one in owed.items() if key not in ended)

    def done(self, staying: frozenset[str], standing: frozenset[str]) -> tuple[Evidence, ...]:
        """What was done and found in messages that have left, and before; `standing` are those that stay as they are now, short or not."""
        book = Book.open(Ledger(evidence=self._before.evidence))
        for item in _newest(self._shortened, CALLS_MAX, standing):
            shortened = Book()
            if item.said.call_ids:
                _note(shortened, item)
            for key, one in shortened.evidence.items.items():
                book.evidence.items.setdefault(key, one)
        read = {id(item) for item in _newest(self._calls, CALLS_MAX, staying)}
        for is_said in (True, False):
            words = [item for item in self._words if (item.entry.role == "user") is is_said]
            read.update(id(item) for item in _newest(words, WORDS_MAX, staying))
        evidence = book.evidence
        for item in self._items:
            entry = item.entry
            if id(item) in read:
                _note(book, item)
            elif entry.answers and entry.id not in staying:
                for call_id in evidence.waiting.keys() & entry.answers:
                    evidence.result(call_id, _ends(entry))
        return tuple(evidence.items.values())

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
        plan = next((item for item in reversed(self._plans) if item.entry.id in staying or _writes_plan(item)), None)
        if plan is not None and plan.entry.id not in staying:
            yield plan
        for item in reversed(_newest(self._words, WORDS_MAX, staying)):
            yield item
            if item.entry.role == "user":
                return

    def _rank(self, source: str) -> int:
        return self._ranks.get(source, -1)


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


def _writes_plan(item: Item) -> bool:
    return any(isinstance(part, ToolCallPart) and plan_text(part.arguments) is not None for part in item.said.parts)


def _note(book: Book, item: Item) -> None:
    entry = item.entry
    book.note_progress(item.original, entry.id, entry.created_at_ms)


def _ends(entry: Entry) -> str:
    """Beginning and end of a result, as JSON: enough to tell how it ended, whatever its size."""
    raw = bytes(entry.message)
    ends = raw if len(raw) <= 2 * _OUTCOME_BYTES else raw[:_OUTCOME_BYTES] + b"\n" + raw[-_OUTCOME_BYTES:]
    return ends.decode("utf-8", "replace")
