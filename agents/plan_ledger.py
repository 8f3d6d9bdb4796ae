"""The ledger while a compaction is planned: what leaves is noted, what stays may change it, and one entry shows the result.

Directives are read before any step is taken, because a summary must know which of them the ledger quotes and which no longer hold.
What else the ledger notes is read at the end, from what has really left. A ledger is written anew only where messages leave;
until then the former one stays, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tailrace.agents.bullets import Section, holds_bullets, read
from tailrace.agents.draft import Draft, DraftGroup, Item
from tailrace.agents.groups import GroupKind, kind_of
from tailrace.agents.keep import plain_text
from tailrace.agents.ledger.ledger import Book
from tailrace.agents.ledger.render import EMPTY, Rendering, Room
from tailrace.agents.plan import LedgerChange
from tailrace.schemas.compaction import Action
from tailrace.schemas.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.ledger import Evidence, EvidenceKind, Ledger, ObligationKind
from tailrace.schemas.message import ContentShape, Message
from tailrace.schemas.parts import CompactionPart
from tailrace.schemas.policy_ledger import LedgerRules, LostClass

#: Reports of the assistant that are read for decisions and figures, the newest: a ledger has no room for those of older ones.
REPORTS_MAX = 60
#: Of what lies between a compacted context and its upper mark, a ledger may take one part in so many.
ABOVE_TARGET = 4
_STATING = (GroupKind.USER, GroupKind.SYSTEM)
#: Ended by the next thing that a person says.
_UNTIL_ANSWERED = (ObligationKind.TASK, ObligationKind.CONFIRMATION, ObligationKind.NEXT_STEP)
#: How much of a result is looked at, at both ends, as JSON: only its outcome is wanted.
_OUTCOME_BYTES = 300
_FILES = (EvidenceKind.CHANGED, EvidenceKind.READ)
_QUOTED_CHARS = 40
_PLAN_CALL = re.compile(rb'"name": ?"[^"]{0,40}(?:todo|plan)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the context says beside the ledger."""

    #: What summaries tell of changes.
    changes: str
    everything: str

    @classmethod
    def of(cls, draft: Draft) -> "_Shown":
        """Read a draft as it would be carried out now."""
        texts = [(group.is_summary, plain_text(item)) for group in draft.groups for item in group.items]
        changes = [_changes_in(text) for is_summary, text in texts if is_summary]
        return cls("\n".join(changes), "\n".join(text for _, text in texts))

    def tells(self, evidence: Evidence) -> bool:
        """Whether it needs no repeating. That a file was changed only a summary tells; others may just name it."""
        if evidence.kind in _FILES:
            name = evidence.text.replace("\\", "/").rpartition("/")[2] or evidence.text
            return name in (self.changes if evidence.kind is EvidenceKind.CHANGED else self.everything)
        return evidence.text[:_QUOTED_CHARS] in self.everything


def _changes_in(summary: str) -> str:
    """What a summary tells of changes; all of it where a model has written it in its own way."""
    if not holds_bullets(summary):
        return summary
    return "\n".join(bullet.label for bullet in read(summary) if bullet.section is Section.CHANGES)


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
            entry = item.entry
            if kind_of(entry) in _STATING and (entry.compaction is None or former is None):
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
            tokens_max=beside_tokens if must or not _works(self._items) else int(beside_tokens * rules.fraction_max),
            directives_tokens=beside_tokens if "directives" in must else rules.directives_tokens_max,
            obligations_tokens=beside_tokens if "obligations" in must else rules.obligations_tokens_max,
            evidence_tokens=beside_tokens if "decisions" in must else rules.evidence_tokens_max,
        )

    def _reserve(self, draft: Draft) -> int:
        """What the ledger may cost: all directives that may leave, and all that may still be open. Evidence gets what is left over."""
        staying = _verbatim(group for group in draft.groups if group.kept is not None)
        text = self._rendering(draft, staying, self._room.tokens_max).text
        reserved_tokens = self._tokens(draft, text) if text else 0
        former_tokens = self._former.tokens if self._former is not None else 0
        # Room is made by what may leave, never by what is kept.
        least_tokens = self._least(draft) if self._before != Ledger() or self._book.directives.items else 0
        return min(
            max(reserved_tokens, former_tokens, least_tokens), max(0, draft.budget.limit_tokens - draft.kept_tokens)
        )

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
            first = former
        place = self._place(first) if first is not None else -1
        change = self._change(draft, first, place) if first is not None and place >= 0 else None
        draft.tokens += change.tokens if change is not None else former.tokens if former is not None else 0
        return change

    def _change(self, draft: Draft, first: Entry, place: int) -> LedgerChange | None:
        room_tokens = self._final_room(draft)
        staying = _verbatim(draft.groups)
        aim_tokens = room_tokens
        shown = _Shown.of(draft)
        while True:
            rendering = self._rendering(draft, staying, aim_tokens, shown)
            # What it holds outlasts a compaction that has no room to show any of it.
            text = rendering.text or (
                EMPTY if rendering.ledger != Ledger() and room_tokens >= self._least(draft) else ""
            )
            tokens = self._tokens(draft, text) if text else 0
            if tokens <= max(0, room_tokens):
                break
            # Lines may cost more together than each alone.
            aim_tokens -= tokens - room_tokens
        if not text:
            return (
                LedgerChange(first, place, None, rendering.ledger, 0, self._former)
                if self._former is not None
                else None
            )
        return LedgerChange(
            first, place, self._message(text), rendering.ledger, tokens, self._former, self._missing(rendering)
        )

    def _place(self, first: Entry) -> int:
        """Rank of a ledger: behind every place of a group, where nothing that comes late can meet it; negative where there is no such group.

        What comes next may join the newest group, and must come behind all that is there.
        """
        sequences = {item.entry.rank // RANKS_PER_GROUP for item in self._items}
        newest, wanted = max(sequences), first.rank // RANKS_PER_GROUP
        former = self._former.rank // RANKS_PER_GROUP if self._former is not None else -1
        # A former ledger stands before the newest group of its time: if that one has left, nothing can join what is left.
        if wanted != newest or former >= newest:
            return (wanted + 1) * RANKS_PER_GROUP - 1
        return (max(one for one in (*sequences, former, -1) if one < newest) + 1) * RANKS_PER_GROUP - 1

    def _final_room(self, draft: Draft) -> int:
        """What the ledger may cost once all else is decided: its reserve, what the target leaves, or some of what lies above that.

        A context that is written with it must not be near its upper mark, or all would soon begin again.
        """
        above_tokens = (draft.budget.upper_tokens - draft.tokens) // ABOVE_TARGET
        room_tokens = max(self.reserved_tokens, draft.target_tokens - draft.tokens, above_tokens)
        most_tokens = draft.budget.limit_tokens
        if self._former is None:
            most_tokens = min(
                most_tokens, max(draft.target_tokens, draft.tokens + above_tokens), draft.budget.upper_tokens
            )
        return min(room_tokens, most_tokens - draft.tokens)

    def _least(self, draft: Draft) -> int:
        return self._tokens(draft, EMPTY)

    def _missing(self, rendering: Rendering) -> tuple[str, ...]:
        """Classes that must be shown whole and are not."""
        held = {
            "directives": len(rendering.untold_directives) - len(rendering.directives),
            "obligations": len(rendering.ledger.obligations) - len(rendering.obligations),
            "decisions": _decisions(rendering.untold_evidence) - _decisions(rendering.evidence),
        }
        return tuple(sorted(name for name in self._must_show if held[name]))

    def _rendering(
        self, draft: Draft, staying: frozenset[str], room_tokens: int, shown: _Shown | None = None
    ) -> Rendering:
        """The ledger in so many tokens; with evidence where it is known what else the context says, which needs no repeating."""
        book = self._book_without(staying)
        cut = [item for item in _alone(draft) if _is_cut(item)]
        present = staying.union(item.entry.id for item in cut)
        ledger = Ledger(
            directives=tuple(one for one in self._book.directives.items if one.source not in staying),
            obligations=tuple(one for one in book.obligations.items.values() if one.source not in present),
            evidence=tuple(book.evidence.items.values()),
        )
        room = Room(
            room_tokens,
            self._room.directives_tokens,
            self._room.obligations_tokens,
            self._room.evidence_tokens if shown is not None else 0,
        )
        left = " ".join(" ".join(map(plain_text, cut)).split())
        told = {one.text for one in ledger.directives if one.text in left} if left else set()
        if shown is not None:
            told.update(one.text for one in ledger.evidence if shown.tells(one))
        return Rendering(ledger, room, lambda text: self._tokens(draft, text), frozenset(told))

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


def _works(items: Iterable[Item]) -> bool:
    """Whether anything was done. Where people only talked, what they stated is all that there is to remember."""
    return any(item.entry.calls for item in items)


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


def _alone(draft: Draft) -> Iterator[Item]:
    """Messages that are groups of their own, as all that people say are."""
    return (group.items[0] for group in draft.groups if len(group.items) == 1)


def _is_cut(item: Item) -> bool:
    """Whether only a part of what somebody stated is there, now or since an earlier compaction."""
    cut = item.action is Action.EXTERNALIZE or (item.action is Action.INCLUDE and item.entry.compaction is not None)
    return cut and kind_of(item.entry) in _STATING


def _first_gone(draft: Draft) -> Entry | None:
    """The first message whose group leaves, or whose words were cut: a ledger may stand in its place, or right behind it."""
    cut = (item for item in _alone(draft) if item.action is Action.EXTERNALIZE and kind_of(item.entry) in _STATING)
    gone = [*draft.dropped, *(item for item in _alone(draft) if item.stands_for_others), *cut]
    first = min(gone, key=lambda item: item.entry.rank, default=None)
    return first.entry if first is not None else None
