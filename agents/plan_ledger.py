"""The ledger while a compaction is planned: what leaves is noted, what stays may change it, and one entry shows the result.

Directives are read before any step is taken, because a summary must know which of them the ledger quotes and which no longer hold.
What else the ledger notes is read at the end, from what has really left. A ledger is written anew only where messages leave;
until then the former one stays, byte for byte.
"""

import re
from collections.abc import Iterable

from msgspec import structs

from tailrace.agents.draft import Draft, DraftGroup, Item
from tailrace.agents.groups import GroupKind, kind_of
from tailrace.agents.ledger.ledger import Book
from tailrace.agents.ledger.render import Rendering, Room
from tailrace.agents.plan import LedgerChange
from tailrace.schemas.compaction import Action
from tailrace.schemas.context import Entry
from tailrace.schemas.ledger import Directive, Evidence, EvidenceKind, Ledger, ObligationKind
from tailrace.schemas.message import ContentShape, Message
from tailrace.schemas.parts import CompactionPart
from tailrace.schemas.policy_ledger import LedgerRules, LostClass

#: What a call leaves in a ledger, roughly.
CALL_TOKENS = 25
#: So much a ledger may take whatever fraction that is.
SMALL_TOKENS = 1_800
#: Reports of the assistant that are read for decisions and figures, the newest: a ledger has no room for those of older ones.
REPORTS_MAX = 60
_STATING = (GroupKind.USER, GroupKind.SYSTEM)
#: Ended by the next thing that a person says.
_UNTIL_ANSWERED = (ObligationKind.TASK, ObligationKind.CONFIRMATION, ObligationKind.NEXT_STEP)
#: How much of a result is looked at, at both ends, as JSON: only its outcome is wanted.
_OUTCOME_BYTES = 300
_PLAN_CALL = re.compile(rb'"name": ?"[^"]{0,40}(?:todo|plan)', re.IGNORECASE)


class PlanLedger:
    """The ledger of a thread in a plan for it."""

    def __init__(
        self, draft: Draft, former: Entry | None, rules: LedgerRules, must_show: Iterable[LostClass] = ()
    ) -> None:
        """Read the directives of the whole context, and reserve room in the draft for those that may leave."""
        self._rules = rules
        self._must_show = frozenset(must_show)
        self._role = draft.summary_role
        self._former = former
        self._items = [item for group in draft.groups for item in group.items]
        self._before = (former.ledger if former is not None else None) or Ledger()
        self._book = Book.open(self._before)
        self._noted: tuple[frozenset[str], Book] | None = None
        for item in self._items:
            if item.entry.compaction is None and kind_of(item.entry) in _STATING:
                entry = item.entry
                self._book.note_directives(
                    item.original, event_id=entry.id, turn=entry.turn, created_at_ms=entry.created_at_ms
                )
        self._room = self._room_in(draft)
        self.reserved_tokens = self._reserve(draft)
        draft.overhead_tokens += self.reserved_tokens
        draft.tokens += self.reserved_tokens
        draft.ledger = self

    def _room_in(self, draft: Draft) -> Room:
        rules, must = self._rules, self._must_show
        beside_tokens = max(0, draft.budget.limit_tokens - draft.kept_tokens)
        return Room(
            tokens_max=beside_tokens if must else _part(beside_tokens, rules.fraction_max),
            directives_tokens=beside_tokens if "directives" in must else rules.directives_tokens_max,
            obligations_tokens=beside_tokens if "obligations" in must else rules.obligations_tokens_max,
            evidence_tokens=beside_tokens if "decisions" in must else rules.evidence_tokens_max,
        )

    def _reserve(self, draft: Draft) -> int:
        """What the ledger may cost: all directives that may leave, and what else there is room for."""
        staying = {message_id for group in draft.groups if group.kept is not None for message_id in group.ids}
        ledger = Ledger(directives=self._directives(staying))
        text = Rendering(ledger, self._room, lambda text: self._tokens(draft, text)).text
        calls = sum(len(item.entry.calls) for item in self._items)
        beside_tokens = min(calls * CALL_TOKENS, self._rules.obligations_tokens_max + self._rules.evidence_tokens_max)
        reserved_tokens = min((self._tokens(draft, text) if text else 0) + beside_tokens, self._room.tokens_max)
        former_tokens = self._former.tokens if self._former is not None else 0
        # Room is made by what may leave, never by what is kept.
        return min(max(reserved_tokens, former_tokens), max(0, draft.budget.limit_tokens - draft.kept_tokens))

    def without(self, draft: Draft, leaving: Iterable[str]) -> tuple[int, frozenset[str]]:
        """What the ledger costs once these messages have left too, and what no summary needs to quote then."""
        rendering = self._rendering(draft, _verbatim(draft.groups).difference(leaving), self.reserved_tokens)
        text = rendering.text
        told = self._book.directives.retired.union(one.text for one in rendering.directives)
        return self._tokens(draft, text) if text else 0, frozenset(told)

    def settle(self, draft: Draft) -> None:
        """Hold no more room than the ledger takes, if nothing else has to leave then."""
        tokens, _ = self.without(draft, ())
        if draft.excess_tokens - self.reserved_tokens + tokens > 0:
            return
        draft.overhead_tokens += tokens - self.reserved_tokens
        draft.tokens += tokens - self.reserved_tokens
        self.reserved_tokens = tokens

    def finish(self, draft: Draft) -> LedgerChange | None:
        """The ledger as it is to be shown once the draft is carried out; None where the former one, if any, stays."""
        draft.overhead_tokens -= self.reserved_tokens
        draft.tokens -= self.reserved_tokens
        former = self._former
        first = _first_gone(draft)
        if first is None and former is not None and draft.tokens + former.tokens > draft.budget.limit_tokens:
            # Nothing leaves, but it no longer fits: a shorter one takes its place.
            first = structs.replace(former, rank=former.rank - 1)
        change = self._change(draft, first) if first is not None else None
        draft.tokens += change.tokens if change is not None else former.tokens if former is not None else 0
        return change

    def _change(self, draft: Draft, first: Entry) -> LedgerChange | None:
        room_tokens = max(self.reserved_tokens, draft.target_tokens - draft.tokens)
        # A first ledger must not keep a context from its target, or all would soon begin again.
        first_tokens = min(draft.target_tokens, draft.budget.upper_tokens)
        most_tokens = first_tokens if self._former is None else draft.budget.limit_tokens
        room_tokens = min(room_tokens, most_tokens - draft.tokens)
        staying = _verbatim(draft.groups)
        aim_tokens = room_tokens
        while True:
            rendering = self._rendering(draft, staying, aim_tokens)
            text = rendering.text
            tokens = self._tokens(draft, text) if text else 0
            if tokens <= max(0, room_tokens):
                break
            # Lines may cost more together than each alone.
            aim_tokens -= tokens - room_tokens
        if not text:
            return LedgerChange(first, None, rendering.ledger, 0, self._former) if self._former is not None else None
        return LedgerChange(
            first, self._message(text), rendering.ledger, tokens, self._former, self._missing(rendering)
        )

    def _missing(self, rendering: Rendering) -> tuple[str, ...]:
        """Classes that must be shown whole and are not."""
        held = {
            "directives": len(rendering.ledger.directives) - len(rendering.directives),
            "obligations": len(rendering.ledger.obligations) - len(rendering.obligations),
            "decisions": _decisions(rendering.ledger.evidence) - _decisions(rendering.evidence),
        }
        return tuple(sorted(name for name in self._must_show if held[name]))

    def _rendering(self, draft: Draft, staying: frozenset[str], room_tokens: int) -> Rendering:
        book = self._book_without(staying)
        ledger = Ledger(
            directives=self._directives(staying),
            obligations=tuple(one for one in book.obligations.items.values() if one.source not in staying),
            evidence=tuple(book.evidence.items.values()),
        )
        room = Room(
            room_tokens, self._room.directives_tokens, self._room.obligations_tokens, self._room.evidence_tokens
        )
        return Rendering(ledger, room, lambda text: self._tokens(draft, text))

    def _directives(self, staying: Iterable[str]) -> tuple[Directive, ...]:
        """Directives whose words are no longer in the context."""
        there = frozenset(staying)
        return tuple(one for one in self._book.directives.items if one.source not in there)

    def _book_without(self, staying: frozenset[str]) -> Book:
        """Everything that happened in what has left, and was not ended by what stays."""
        if self._noted is not None and self._noted[0] == staying:
            return self._noted[1]
        book = Book.open(self._before)
        reports = [item for item in self._items if _reports(item.entry) and item.entry.id not in staying]
        unread = {id(item) for item in reports[:-REPORTS_MAX]}
        for item in self._items:
            if item.entry.id in staying:
                _end(book, item.entry)
            elif id(item) not in unread:
                _note(book, item)
        said = [item.entry.rank for item in self._items if _is_said(item.entry) and item.entry.id in staying]
        ranks = {item.entry.id: item.entry.rank for item in self._items}
        for kind in _UNTIL_ANSWERED:
            owed = book.obligations.items.get(kind)
            if owed is not None and said and ranks.get(owed.source, -1) < said[-1]:
                del book.obligations.items[kind]
        self._noted = (staying, book)
        return book

    def _tokens(self, draft: Draft, text: str) -> int:
        return draft.count(self._message(text))

    def _message(self, text: str) -> Message:
        return Message(role=self._role, parts=(CompactionPart(content=text),), content_shape=ContentShape.STRING)


def _part(beside_tokens: int, fraction: float) -> int:
    """Part of the room that a ledger may take; where there is hardly any room, what is in force matters most."""
    return max(int(beside_tokens * fraction), min(beside_tokens, SMALL_TOKENS))


def _decisions(evidence: Iterable[Evidence]) -> int:
    return sum(one.kind is EvidenceKind.DECISION for one in evidence)


def _is_said(entry: Entry) -> bool:
    return kind_of(entry) is GroupKind.USER


def _reports(entry: Entry) -> bool:
    return entry.role == "assistant" and not entry.calls


def _end(book: Book, entry: Entry) -> None:
    """Take out what a message that stays has ended or shows itself."""
    for call_id in entry.answers:
        book.obligations.result(call_id)
    if entry.calls and _PLAN_CALL.search(entry.message):
        book.obligations.items.pop(ObligationKind.PLAN, None)


def _note(book: Book, item: Item) -> None:
    """Note what a message that leaves has done. What stands for others was noted when those left."""
    entry = item.entry
    if entry.answers:
        for call_id in entry.answers:
            book.note_result(call_id, _ends(entry))
    elif entry.compaction is None:
        book.note_progress(item.original, event_id=entry.id, created_at_ms=entry.created_at_ms)


def _ends(entry: Entry) -> str:
    """Beginning and end of a result, as JSON: enough to tell how it ended, whatever its size."""
    raw = bytes(entry.message)
    ends = raw if len(raw) <= 2 * _OUTCOME_BYTES else raw[:_OUTCOME_BYTES] + b"\n" + raw[-_OUTCOME_BYTES:]
    return ends.decode("utf-8", "replace")


def _verbatim(groups: Iterable[DraftGroup]) -> frozenset[str]:
    """Ids of the messages that stay in the context word for word."""
    items = (item for group in groups for item in group.items)
    return frozenset(item.entry.id for item in items if item.action is Action.INCLUDE and item.entry.compaction is None)


def _is_cut(item: Item) -> bool:
    return item.action is Action.EXTERNALIZE and kind_of(item.entry) in _STATING


def _first_gone(draft: Draft) -> Entry | None:
    """The first message whose group leaves, or whose words were cut: a ledger may stand in its place, or right behind it."""
    gone: list[Item] = [*draft.dropped]
    alone = [group.items[0] for group in draft.groups if len(group.items) == 1]
    gone += [item for item in alone if item.stands_for_others or _is_cut(item)]
    first = min(gone, key=lambda item: item.entry.rank, default=None)
    return first.entry if first is not None else None
