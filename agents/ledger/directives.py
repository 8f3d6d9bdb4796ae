"""The directives of a thread while messages are noted: what was stated, what it replaced, what was taken back.

Only people and the system prompt can state one. What a tool returned is never looked at here, and neither is what the assistant says.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, field

from msgspec import structs

from tailrace.agents.ledger.anaphora import JOINT
from tailrace.agents.ledger.relative_change_targets import shifts_of
from tailrace.agents.ledger.release import lifted_by, swept_by, touches
from tailrace.agents.ledger.statements import listed_in, stated_units
from tailrace.agents.ledger.strike_by_number import strike_of, struck_among
from tailrace.agents.ledger.supersession import alters, amended, left_of, replaced_by, sets_anew, unclear
from tailrace.schemas.records.ledger import Directive, DirectiveKind

#: A thread with more rules than this has a prompt, not a conversation; what models pointed out goes first, then remarks, mere statements, the oldest.
DIRECTIVES_MAX = 300
#: Nobody changes their mind more often about what can still be read.
REVOCATIONS_MAX = 50
#: As much is looked at of what was said right before a change.
HEARD_CHARS = 1_000
ROLES = frozenset(("user", "system", "developer"))


@dataclass(slots=True)
class Directives:
    """Directives in the order in which they were stated."""

    items: list[Directive] = field(default_factory=list)
    #: Texts of those that no longer hold.
    retired: set[str] = field(default_factory=set)
    #: Statements that do nothing but take back another, each naming the message of that one; the newest of them.
    revocations: list[Directive] = field(default_factory=list)
    #: What a person said since the last statement that states nothing, and what was answered: they tell what a value alone is about. An answer
    #: that would have to be decoded is, once somebody asks.
    asked: str = ""
    answer: str | Callable[[], str] = ""
    #: The message that the newest list is from, where that is known.
    listed: str = ""
    #: Whether any statement was an item of a list: without one there is nothing to strike.
    numbered: bool = False

    def note(
        self, text: str, *, source: str, turn: int, created_at_ms: int, typed: bool = True, printed: str = ""
    ) -> None:
        """Take in what a person or the system prompt says, but for what tools `printed` beside it."""

        def touched(unit: str) -> bool:
            return bool(self.items) and bool(
                touches(unit, self.items)
                or self._struck_by(unit, source)
                or alters(unit, source, self.items, self._heard)
            )

        before = len(self.items), len(self.retired)
        for kind, unit in stated_units(text, typed=typed, touches=touched if typed else None):
            if printed and unit.whole in printed:
                continue
            self.take(
                Directive(
                    kind=kind,
                    text=unit.whole,
                    source=source,
                    turn=turn,
                    created_at_ms=created_at_ms,
                    prompted=not typed,
                    number=unit.number,
                )
            )
        if (len(self.items), len(self.retired)) != before:
            self.asked = self.answer = ""
        elif typed:
            self.asked = text
        if listed_in(text, typed=typed):
            self.listed = source

    def take(self, directive: Directive) -> None:
        """Take in a statement: it may take back another, change it, or stand beside all others."""
        said = directive.text
        if struck := self._struck_by(said, directive.source):
            self._strike(directive, struck)
            return
        old = lifted_by(said, directive.source, _liftable_by(directive, self._changeable_by(directive)))
        self._retire(old)
        if old is not None and not sets_anew(said, old):
            self._revoke(directive, old)
        else:
            self.add(directive)

    def _struck_by(self, text: str, source: str) -> list[Directive]:
        """Those that a statement lets go of by their numbers in the list that was given last; none where another list may be meant."""
        strike = strike_of(text) if self.numbered else None
        if strike is None:
            return []
        numbered = [one for one in self.items if one.number and one.source != source]
        last = self.listed or (numbered[-1].source if numbered else "")
        listed = [one for one in numbered if one.source == last and not one.prompted]
        return struck_among(strike, listed, self._answer())

    def _strike(self, directive: Directive, struck: list[Directive]) -> None:
        """Take out items of a list; what lets go of them for once, or for somebody, stands beside them."""
        strike = strike_of(directive.text)
        if strike is None or not strike.sure:
            self.add(structs.replace(directive, amends=JOINT.join(one.text for one in struck)))
            return
        for old in struck:
            self._retire(old)
            self._revoke(directive, old)

    def hold(self, held: Directive, stated: Container[str]) -> None:
        """Take in what a ledger held of a message that has left, in its turn among messages that are still there.

        `stated` are the ids of those that were noted before: what they say was said earlier, so this may change it or take it back.
        Among itself a ledger has nothing left to change.
        """
        earlier = [one for one in self.items if one.source in stated]
        if held.revokes:
            old = lifted_by(held.text, held.source, _liftable_by(held, earlier))
            strike = strike_of(held.text)
            if old is None and strike is not None:
                listed = [one for one in earlier if one.source == held.revokes]
                old = next(iter(struck_among(strike, listed, "")), None)
            if old is not None:
                self._retire(old)
                self._revoke(held, old)
            return
        lifted = lifted_by(held.text, held.source, _liftable_by(held, earlier))
        if lifted is not None and sets_anew(held.text, lifted):
            self._retire(lifted)
            earlier.remove(lifted)
        if self._sweep(held, earlier):
            earlier = [one for one in self.items if one.source in stated]
        old = replaced_by(held.text, held.source, earlier) if JOINT not in held.amends else None
        if old is not None and old.text == held.text:
            return  # it can still be read
        self._replace(old, held)
        self._append(held)

    def _sweep(self, directive: Directive, among: list[Directive]) -> bool:
        """Take out all that a statement about all rules takes back. It stays itself: whoever still reads one of them has to know."""
        swept = [] if directive.added_by else swept_by(directive.text, directive.source, among)
        for old in swept:
            self._retire(old)
        return bool(swept)

    def _revoke(self, directive: Directive, old: Directive) -> None:
        self.retired.add(directive.text)
        self.revocations.append(structs.replace(directive, revokes=old.source))
        del self.revocations[:-REVOCATIONS_MAX]

    def add(self, directive: Directive) -> None:
        """Take in a directive, in the place of the one that it changes."""
        if directive.added_by and any(one.text == directive.text for one in self.items):
            return
        self._sweep(directive, self.items)
        changeable = self._changeable_by(directive)
        old = replaced_by(directive.text, directive.source, changeable, self._heard)
        if old is not None and old.text != directive.text and not directive.amends:
            directive = structs.replace(directive, amends=amended(directive.text, old))
        elif old is None and not directive.amends:
            amends = unclear(directive.text, directive.source, changeable, self._heard)
            directive = structs.replace(directive, amends=amends) if amends else directive
        self._replace(old, directive)
        self.retired.discard(directive.text)
        self._append(directive)
        if len(self.items) > DIRECTIVES_MAX:
            added = (place for place, one in enumerate(self.items) if one.added_by)
            remarks = (place for place, one in enumerate(self.items) if one.kind is DirectiveKind.REMARK)
            facts = (place for place, one in enumerate(self.items) if one.kind is DirectiveKind.STATEMENT)
            del self.items[next(added, next(remarks, next(facts, 0)))]

    def _append(self, directive: Directive) -> None:
        self.items.append(directive)
        self.numbered = self.numbered or directive.number > 0

    def _heard(self) -> str:
        return f"{self.asked[:HEARD_CHARS]}\n{self._answer()[:HEARD_CHARS]}".strip()

    def _answer(self) -> str:
        return self.answer if isinstance(self.answer, str) else self.answer()

    def _changeable_by(self, directive: Directive) -> list[Directive]:
        """Those that a directive may change or take back: what a model points out adds, and takes nothing from what the rules found."""
        return [one for one in self.items if one.added_by] if directive.added_by else self.items

    def _replace(self, old: Directive | None, new: Directive) -> None:
        """Take out what is changed, but for those of its clauses that still hold."""
        left = left_of(new.text, old) if old is not None and old.text != new.text else ""
        if old is not None and left:
            self.items[self.items.index(old)] = structs.replace(old, text=left)
            self.retired.add(old.text)
        else:
            self._retire(old)

    def _retire(self, old: Directive | None) -> None:
        if old is not None:
            for gone in (old, *shifts_of(old, self.items)):
                self.items.remove(gone)
                self.retired.add(gone.text)


def _liftable_by(directive: Directive, stated: list[Directive]) -> list[Directive]:
    """Those that a directive may lift: what the system prompt forbids, people can't allow."""
    return stated if directive.prompted else [one for one in stated if not one.prompted]
