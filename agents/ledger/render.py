"""The ledger as a model reads it: a fixed small format, in which an item is there whole or not at all.

Directives come first and get their room first, then what is open, then a little of what else was said, then evidence, newest first.
Where the room is too small for all directives, those that bind most for their length are shown; the others stay in the ledger, and come
back when there is room.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from msgspec import structs

from tailrace.agents.ledger.evidence_lines import EvidenceLines, newest_first
from tailrace.agents.ledger.item_text import ASKED, OPEN_ORDER, asked_beside, directive_text, obligation_text, said_text
from tailrace.agents.ledger.list_headings import BULLET, Line, added_lines, folded, headings_of
from tailrace.agents.ledger.siblings import siblings
from tailrace.agents.ledger.statements import binding, label_of
from tailrace.agents.ledger.unclassified_statements import by_need, speaks_of
from tailrace.agents.messages.wording import LEDGER_PREFIX
from tailrace.schemas.records.ledger import (
    Directive,
    DirectiveKind,
    Evidence,
    EvidenceKind,
    Ledger,
    Obligation,
    ObligationKind,
    UnclassifiedStatement,
)

HEADING = LEDGER_PREFIX
#: Where all that is held stands elsewhere, or there is no room for any of it.
EMPTY = f"{HEADING}\n- nothing beyond what is said here"
#: Above what has the words of a rule, and only tells something.
REMARKS_HEADING = "Also told:"
#: Whose words stand below: a system prompt's, or a person's. By it a reader knows who "I" is, and whose rule gives way.
SPEAKERS = {True: "System:", False: "User:"}
OPEN_HEADING = "Open:"
EVIDENCE_HEADING = "Done and found, newest first of each:"

#: A label that somebody wrote must not pass for one of ours.
_OURS = frozenset(heading.lower() for heading in (*SPEAKERS.values(), REMARKS_HEADING, OPEN_HEADING))
#: What was changed may claim one part in so many, of the room for evidence and of all, before directives get theirs.
CHANGES_PART = 3
#: What is open may claim one part in so many before the demands of a system prompt that had to be cut.
OPEN_PART = 2
#: What else was said takes one part in so many, unless all of it has to be shown.
SAID_PART = 8

_ONLY_SAID = frozenset((ObligationKind.ADDED, ObligationKind.NEXT_STEP))
_REMARK = DirectiveKind.REMARK
#: After so many items in a row that don't fit, the room counts as filled.
MISSES_MAX = 8


@dataclass(frozen=True, slots=True)
class LedgerRoom:
    """What the parts of a rendered ledger may cost, in tokens; all of it together as well."""

    tokens_max: int
    directives_tokens: int
    obligations_tokens: int
    evidence_tokens: int
    said_tokens: int = 0
    #: Of what directives and open items leave, what else was said may take one part in so many, before evidence gets the rest.
    said_part: int = SAID_PART

    @classmethod
    def of(cls, tokens_max: int) -> "LedgerRoom":
        """Room that each part may fill alone, if those before it leave any."""
        return cls(tokens_max, tokens_max, tokens_max, tokens_max, tokens_max)


def render(ledger: Ledger, *, tokens_max: int, count_text: Callable[[str], int]) -> str:
    """Return the text of a ledger in at most `tokens_max` tokens; empty if there is nothing to say or no room for it."""
    return Rendering(ledger, LedgerRoom.of(tokens_max), count_text).text


class Rendering:
    """A ledger in the making: each line is paid for as it is taken."""

    def __init__(
        self,
        ledger: Ledger,
        room: LedgerRoom,
        count_text: Callable[[str], int],
        told: frozenset[Directive | Obligation | Evidence | UnclassifiedStatement] = frozenset(),
        *,
        prompted: bool = False,
    ) -> None:
        """Choose what to show; what is in `told` stands elsewhere in the context, and so does a part of a system prompt where it is `prompted`."""
        self.ledger = ledger
        self._prompted = prompted
        self._count = count_text
        self._around_tokens = count_text("")
        self._left_tokens = room.tokens_max - count_text(HEADING)
        self.untold_directives = [item for item in ledger.directives if item not in told]
        # What waits for its result is not done yet, and stands among what is open.
        self.untold_evidence = [item for item in ledger.evidence if not item.call and item not in told]
        changes_tokens = self._changes_tokens(room)
        left_tokens = self._left_tokens - changes_tokens
        owed = [item for item in ledger.obligations if item not in told and not item.reported]
        self.directives = self._chosen(
            self.untold_directives, min(room.directives_tokens, left_tokens), self._open_tokens(owed, room)
        )
        # What was reported on is not open, and what stands among the directives is asked for there.
        self.untold_obligations = sorted(
            [item for one in owed if (item := _beside(one, self.directives)).text],
            key=lambda item: OPEN_ORDER[item.kind],
        )
        self.obligations = self._owed(self.untold_obligations, room.obligations_tokens, changes_tokens)
        known = {one.text for one in ledger.directives}
        answering = {one for one in ledger.unclassified if speaks_of(one, self.directives)}
        owing = "\n".join(one.text for one in self.obligations)
        # A summary stands before the rules: what comes behind one of these is said again there. What is asked for is open, and stands there.
        self.untold_said = [
            one
            for one in ledger.unclassified
            if (one not in told or one in answering) and one.text not in known and one.text not in owing
        ]
        said_tokens = min(room.said_tokens, self._left_tokens // room.said_part)
        self.said = self._also_said(self.untold_said, answering, said_tokens)
        self.evidence = self._found(room.evidence_tokens) if room.evidence_tokens else []
        # Whose words they are is said where room is left: it takes nothing's place, and claims none ahead of summaries.
        self._named = bool(room.evidence_tokens) and self._price(self._speakers(), self._left_tokens) >= 0

    @property
    def text(self) -> str:
        """The ledger as text; empty if nothing was chosen."""
        lines = [*self._stated_lines()]
        if self.obligations:
            lines += [OPEN_HEADING, *(f"- {obligation_text(item)}" for item in self.obligations)]
        if self.evidence:
            lines += [EVIDENCE_HEADING, *EvidenceLines.of(self.evidence)]
        return "\n".join([HEADING, *lines]) if lines else ""

    @property
    def holds_more(self) -> bool:
        """Whether the ledger holds anything beyond what is open in messages that are there."""
        ledger = self.ledger
        return bool(ledger.directives or self.untold_obligations or ledger.evidence or ledger.unclassified)

    def _speakers(self) -> str:
        """Headings of all who speak."""
        speaking = {*(one.prompted for one in self.directives), *(False for _ in self.said)}
        return "".join(f"\n{heading}" for prompted, heading in SPEAKERS.items() if prompted in speaking)

    def _stated_lines(self) -> Iterable[str]:
        """What a system prompt stated, and behind it what people stated and said."""
        for prompted, heading in SPEAKERS.items():
            directives = [one for one in self.directives if one.prompted is prompted]
            said = () if prompted else self.said
            if directives or said:
                yield from (heading,) if self._named else ()
                yield from self._lines_of(directives, said)

    def _lines_of(self, directives: Sequence[Directive], said: Sequence[UnclassifiedStatement]) -> Iterable[str]:
        """Lines of the directives; those with the same label in capitals stand together below it, and those of one list below its heading.

        What else was said stands among them in its turn: it may speak of what was stated before it. What only tells something comes last.
        """
        # What has no label comes first: below one it would seem to belong to it.
        by_label: dict[str, list[Directive]] = {"": []}
        remarks = [one for one in directives if self._is_remark(one)]
        for directive in directives:
            if not self._is_remark(directive):
                label = label_of(directive.text) if self._labelled else ""
                by_label.setdefault("" if label.strip().lower() in _OURS else label, []).append(directive)
        rules = by_label.pop("")
        of_remarks = [one for one in said if speaks_of(one, remarks) and not speaks_of(one, rules)] if remarks else []
        yield from self._in_turn(rules, [one for one in said if one not in of_remarks])
        for label, group in by_label.items():
            if len(group) > 1:
                yield label.rstrip()
            yield from folded(self._line(directive, label if len(group) > 1 else "") for directive in group)
        if remarks:
            yield REMARKS_HEADING
            yield from self._in_turn(remarks, of_remarks)

    def _in_turn(self, directives: Iterable[Directive], said: Iterable[UnclassifiedStatement]) -> Iterable[str]:
        lines = [(one.turn, self._line(one)) for one in directives]
        lines += [(one.turn, Line(said_text(one))) for one in said]
        return folded(line for _, line in sorted(lines, key=itemgetter(0)))

    def _is_remark(self, directive: Directive) -> bool:
        """Whether a person only tells something. What stands in a list stays with the rest of it."""
        if directive.kind is not _REMARK or directive.prompted:
            return False
        return not self._headings[directive] and not label_of(directive.text)

    def _line(self, directive: Directive, label: str = "") -> Line:
        """A directive as it is shown, below a label that stands there once."""
        shown = len(label or ("" if self._labelled else label_of(directive.text)))
        return Line(directive_text(directive)[shown:], self._headings[directive][shown:], directive.source)

    def _changes_tokens(self, room: LedgerRoom) -> int:
        """What is held back for what was changed: however many rules there are, work that is done must not be done again."""
        if not room.evidence_tokens:
            return 0
        tokens = changes_tokens(self.untold_evidence, self._count)
        return min(tokens, room.evidence_tokens // CHANGES_PART, self._left_tokens // CHANGES_PART)

    def _open_tokens(self, owed: Sequence[Obligation], room: LedgerRoom) -> int:
        """What is held back for what is open, where a system prompt that had to be cut states more than there is room for."""
        lines = [f"{BULLET}{obligation_text(item)}" for item in owed]
        tokens = self._count("\n".join(["", OPEN_HEADING, *lines])) - self._around_tokens if lines else 0
        return min(tokens, room.obligations_tokens, self._left_tokens // OPEN_PART)

    def _pay(self, line: str, left_tokens: int) -> int:
        """Tokens of a line; -1 if it is too much."""
        return self._price(f"\n{BULLET}{line}", left_tokens)

    def _price(self, text: str, left_tokens: int) -> int:
        tokens = self._count(text) - self._around_tokens
        return tokens if tokens <= min(left_tokens, self._left_tokens) else -1

    def _chosen(self, directives: Sequence[Directive], left_tokens: int, open_tokens: int) -> list[Directive]:
        """Directives that bind most for their length, as many as fit, in the order in which they were stated.

        What is told apart by one word, the database of production and that of tests, is shown together where that can be: one of
        them alone would be taken for both.
        """
        self._headings = dict(zip(directives, headings_of(directives), strict=True))
        if any(map(self._is_remark, directives)):
            heading_tokens = self._count(f"\n{REMARKS_HEADING}") - self._around_tokens
            left_tokens, self._left_tokens = left_tokens - heading_tokens, self._left_tokens - heading_tokens
        all_tokens = self._price_of_all(directives)
        # With labels, where there is room for all. Otherwise another statement is worth more than its label.
        self._labelled = all_tokens <= min(left_tokens, self._left_tokens)
        if self._labelled:
            # One by one they may cost a token more, and the last would be left out for it.
            self._left_tokens -= all_tokens
            return [*directives]
        alike = siblings([one.text for one in directives])
        chosen: set[int] = set()
        headed: set[tuple[str, str]] = set()
        for places, share in _rounds(directives, prompted=self._prompted):
            share_tokens = left_tokens // share
            if all(directives[place].prompted for place in places):
                share_tokens -= open_tokens
            for first in places:
                # The best of them ranks for all.
                for together in (alike.get(first, ()), (first,)):
                    missing = [place for place in together if place not in chosen]
                    lines = [self._line(directives[place]) for place in missing]
                    tokens = self._price("\n".join(["", *added_lines(lines, headed)]), share_tokens) if missing else -1
                    if tokens >= 0:
                        chosen.update(missing)
                        headed.update(line.list for line in lines)
                        share_tokens -= tokens
                        left_tokens -= tokens
                        self._left_tokens -= tokens
        return [directives[place] for place in sorted(chosen)]

    def _price_of_all(self, directives: Sequence[Directive]) -> int:
        """What all of them cost together, labels included."""
        self._labelled = True
        return self._count("\n".join(["", *folded(map(self._line, directives))])) - self._around_tokens

    def _found(self, left_tokens: int) -> list[Evidence]:
        """Evidence that fits, newest first of each kind: one long command must not hide all that comes behind it."""
        lines = EvidenceLines()
        fitting: list[Evidence] = []
        misses = 0
        for item in newest_first(self.untold_evidence):
            added = lines.added_by(item)
            tokens = self._count(added if fitting else f"\n{EVIDENCE_HEADING}{added}") - self._around_tokens
            if tokens <= min(left_tokens, self._left_tokens):
                lines.add(item)
                fitting.append(item)
                left_tokens -= tokens
                self._left_tokens -= tokens
                misses = 0
            else:
                misses += 1
                if misses > MISSES_MAX:
                    break
        return fitting

    def _also_said(
        self, said: Sequence[UnclassifiedStatement], answering: Container[UnclassifiedStatement], left_tokens: int
    ) -> list[UnclassifiedStatement]:
        """Sentences that fit, those that may be meant to last before those of the moment, the newest first; in their order again."""
        fitting: list[UnclassifiedStatement] = []
        for one in by_need(said, answering):
            tokens = self._pay(said_text(one), left_tokens)
            if tokens >= 0:
                fitting.append(one)
                left_tokens -= tokens
                self._left_tokens -= tokens
        return [one for one in said if one in fitting]

    def _owed(self, owed: Iterable[Obligation], left_tokens: int, changes_tokens: int) -> list[Obligation]:
        """What is open, as much as fits. What was only said, by whomever, leaves what is held back for changes."""
        fitting: list[Obligation] = []
        for item in owed:
            held_tokens = changes_tokens if item.kind in _ONLY_SAID else 0
            line = obligation_text(item)
            line = line if fitting else f"{OPEN_HEADING}\n- {line}"
            tokens = self._pay(line, min(left_tokens, self._left_tokens - held_tokens))
            if tokens < 0:
                continue  # one long plan must not hide all that comes behind it
            fitting.append(item)
            left_tokens -= tokens
            self._left_tokens -= tokens
        return fitting


def _beside(owed: Obligation, stated: Sequence[Directive]) -> Obligation:
    """What is owed, as it is shown beside what was stated; without a text where it says no more."""
    if owed.kind not in ASKED or not stated:
        return owed
    return structs.replace(owed, text=" ".join(asked_beside(owed, stated)))


def _rounds(directives: Sequence[Directive], *, prompted: bool) -> list[tuple[list[int], int]]:
    """Places of directives in the order in which they get room, round by round, each with the part in so many of what is left that it may take.

    A long system prompt must not hide what was said after it: what people stated has half of the room before its demands get any, and all of
    it where the prompt itself is still there, as far as it fits.
    """
    # What a model pointed out comes behind all that the rules found.
    rank = [(bool(one.added_by), -binding(one.kind, one.text)) for one in directives]
    ranked = sorted(range(len(directives)), key=lambda place: (rank[place], -place))
    stated = [place for place in ranked if not directives[place].prompted]
    demanded = [place for place in ranked if directives[place].prompted]
    if not stated or not demanded:
        return [(ranked, 1)]
    return [(stated, 1 if prompted else 2), (demanded, 1), (stated, 1)]


def changes_tokens(evidence: Iterable[Evidence], count_text: Callable[[str], int]) -> int:
    """What it takes to tell all that was changed; nothing where nothing was."""
    lines = [*EvidenceLines.of(item for item in evidence if item.kind is EvidenceKind.CHANGED)]
    return count_text("\n".join(["", EVIDENCE_HEADING, *lines])) - count_text("") if lines else 0
