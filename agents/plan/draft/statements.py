"""What people state in a thread that is planned for: read once it matters, for that takes longer than most of a plan.

A statement is of no concern to a ledger while the message that makes it stays. So nothing needs to be read as long as
every message that may state something can itself be read in the context, and no ledger holds statements that such a
message may have changed.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

from tailrace.agents.ledger.book import Book, spoken_text
from tailrace.agents.ledger.directives import ROLES, Directives
from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.ledger import Directive

#: Groups of messages that state something.
STATING = (GroupKind.USER, GroupKind.SYSTEM)


class PlanStatements:
    """The statements of a thread, by messages that have left and by those that are there."""

    def __init__(
        self, items: Sequence[Item], held: Sequence[Directive], candidates: Iterable[Directive], *, is_first: bool
    ) -> None:
        """Take all messages in their order, what a ledger holds of others, and what models pointed out.

        `is_first` where there is no ledger.
        """
        self._items = items
        self._held = held
        self._candidates = candidates
        self._speaking = frozenset([item.entry.id for item in items if _speaks(item.entry, is_first=is_first)])
        self._read: Directives | None = None

    @property
    def are_read(self) -> bool:
        """Whether they were read."""
        return self._read is not None

    @property
    def directives(self) -> Directives:
        """Those that were read; none where it did not matter yet."""
        return self._read if self._read is not None else Directives()

    def read(self) -> None:
        """Read all of them, whether their messages have left or not."""
        self._read = self._all()

    def stay(self, draft: Draft) -> bool:
        """Whether all messages that may state something stay word for word."""
        return all(map(draft.stays, self._speaking))

    def _all(self) -> Directives:
        """In the order in which they were stated: the last word counts."""
        pointed_out: dict[str, list[Directive]] = {}
        for candidate in self._candidates:
            pointed_out.setdefault(candidate.source, []).append(candidate)
        book = Book()
        directives = book.directives
        held = deque(self._held)
        stated: set[str] = set()
        answer: Item | None = None
        for item in self._items:
            entry = item.entry
            if entry.id not in self._speaking:
                if entry.role == "assistant" and entry.compaction is None and not entry.calls:
                    answer = item
                continue
            if answer is not None:
                directives.answer, answer = partial(_spoken, answer), None
            while held and held[0].turn <= entry.turn:
                directives.hold(held.popleft(), stated)
            book.note_directives(item.original, event_id=entry.id, turn=entry.turn, created_at_ms=entry.created_at_ms)
            for candidate in pointed_out.get(entry.id, ()):
                directives.take(candidate)
            stated.add(entry.id)
        for directive in held:
            directives.hold(directive, stated)
        return directives


def _speaks(entry: Entry, *, is_first: bool) -> bool:
    """Whether a message may state something.

    What stands for others was read before those left, if there was a ledger then.
    """
    if entry.role not in ROLES or kind_of(entry) not in STATING:
        return False
    return is_first or entry.compaction is None


def _spoken(item: Item) -> str:
    return spoken_text(item.original)
