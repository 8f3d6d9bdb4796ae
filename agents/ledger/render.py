"""The ledger as a model reads it: a fixed small format, in which an item is there whole or not at all.

Directives come first and get their room first, then what is open, then evidence, newest first. Where the room is too small for all
directives, those that bind most for their length are shown; the others stay in the ledger, and come back when there is room.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from tailrace.agents.ledger.statements import label_of
from tailrace.agents.wording import LEDGER_PREFIX
from tailrace.schemas.ledger import (
    Directive,
    DirectiveKind,
    Evidence,
    EvidenceKind,
    Ledger,
    Obligation,
    ObligationKind,
)

_Item = TypeVar("_Item")

HEADING = LEDGER_PREFIX
OPEN_HEADING = "Open:"
EVIDENCE_HEADING = "Done and found, newest first of each:"

#: How much a directive of a kind binds.
BINDING = {
    DirectiveKind.RULE: 10,
    DirectiveKind.LIMIT: 10,
    DirectiveKind.DEADLINE: 10,
    DirectiveKind.PREFERENCE: 9,
    DirectiveKind.STATEMENT: 8,
}
#: Somebody wrote a label in capitals before it.
LABELLED_BINDING = 2
#: Added to the length of a directive, so that the shortest don't push out all others.
_OVERHEAD_CHARS = 5

_OPEN_WORDS = {
    ObligationKind.TASK: "asked last: {}",
    ObligationKind.PLAN: "planned: {}",
    ObligationKind.OPEN_CALL: "waits for a result: {}",
    ObligationKind.SUBAGENT: "still running: {}",
    ObligationKind.CONFIRMATION: "waits for the user's answer: {}",
    ObligationKind.NEXT_STEP: "promised: {}",
}
_EVIDENCE_WORDS = {
    EvidenceKind.CHANGED: "changed",
    EvidenceKind.DECISION: "decided",
    EvidenceKind.RAN: "ran",
    EvidenceKind.FIGURE: "found",
    EvidenceKind.ADDRESS: "address",
    EvidenceKind.READ: "read",
}


_SENTENCES = frozenset((EvidenceKind.DECISION, EvidenceKind.FIGURE))
_EVIDENCE_ORDER = {kind: place for place, kind in enumerate(_EVIDENCE_WORDS)}


@dataclass(frozen=True, slots=True)
class Room:
    """What the parts of a rendered ledger may cost, in tokens; all of it together as well."""

    tokens_max: int
    directives_tokens: int
    obligations_tokens: int
    evidence_tokens: int

    @classmethod
    def of(cls, tokens_max: int) -> "Room":
        """Room that each part may fill alone, if those before it leave any."""
        return cls(tokens_max, tokens_max, tokens_max, tokens_max)


def render(ledger: Ledger, *, tokens_max: int, count_text: Callable[[str], int]) -> str:
    """Return the text of a ledger in at most `tokens_max` tokens; empty if there is nothing to say or no room for it."""
    return Rendering(ledger, Room.of(tokens_max), count_text).text


class Rendering:
    """A ledger in the making: each line is paid for as it is taken."""

    def __init__(self, ledger: Ledger, room: Room, count_text: Callable[[str], int]) -> None:
        """Choose what to show."""
        self.ledger = ledger
        self._count = count_text
        self._around_tokens = count_text("")
        self._left_tokens = room.tokens_max - count_text(HEADING)
        self.directives = self._chosen(ledger.directives, room.directives_tokens)
        self.obligations = self._fitting(ledger.obligations, obligation_text, OPEN_HEADING, room.obligations_tokens)
        newest_first = ledger.evidence[::-1]
        # Sorting keeps the order of equals.
        evidence = sorted(newest_first, key=lambda item: _EVIDENCE_ORDER[item.kind])
        self.evidence = self._fitting(evidence, _evidence_line, EVIDENCE_HEADING, room.evidence_tokens)

    @property
    def text(self) -> str:
        """The ledger as text; empty if nothing was chosen."""
        lines = [*_directive_lines(self.directives)]
        if self.obligations:
            lines += [OPEN_HEADING, *(f"- {obligation_text(item)}" for item in self.obligations)]
        if self.evidence:
            lines += [EVIDENCE_HEADING, *_evidence_lines(self.evidence)]
        return "\n".join([HEADING, *lines]) if lines else ""

    def _pay(self, line: str, left_tokens: int) -> int:
        """Tokens of a line; -1 if it is too much."""
        tokens = self._count(f"\n- {line}") - self._around_tokens
        return tokens if tokens <= min(left_tokens, self._left_tokens) else -1

    def _chosen(self, directives: Sequence[Directive], left_tokens: int) -> list[Directive]:
        """Directives that bind most for their length, as many as fit, in the order in which they were stated."""
        chosen: set[int] = set()
        labels: set[str] = set()
        order = sorted(range(len(directives)), key=lambda place: (-_binding(directives[place]), -place))
        for place in order:
            directive = directives[place]
            label = label_of(directive.text)
            text = directive_text(directive)
            tokens = self._pay(text[len(label) :] if label in labels else text, left_tokens)
            if tokens >= 0:
                chosen.add(place)
                labels.add(label)
                left_tokens -= tokens
                self._left_tokens -= tokens
        return [directives[place] for place in sorted(chosen)]

    def _fitting(
        self, items: Iterable[_Item], text_of: Callable[[_Item], str], heading: str, left_tokens: int
    ) -> list[_Item]:
        fitting: list[_Item] = []
        for item in items:
            line = text_of(item)
            tokens = self._pay(line if fitting else f"{heading}\n- {line}", left_tokens)
            if tokens < 0:
                break
            fitting.append(item)
            left_tokens -= tokens
            self._left_tokens -= tokens
        return fitting


def directive_text(directive: Directive) -> str:
    """A directive as a model reads it."""
    return f"{directive.text} (about: {directive.amends})" if directive.amends else directive.text


def obligation_text(obligation: Obligation) -> str:
    """An obligation as a model reads it."""
    return _OPEN_WORDS[obligation.kind].format(obligation.text)


def _evidence_item(evidence: Evidence) -> str:
    return f"{evidence.text} ({evidence.detail})" if evidence.detail else evidence.text


def _evidence_line(evidence: Evidence) -> str:
    """What an item costs at most: with others of its kind it shares a line."""
    return f"{_EVIDENCE_WORDS[evidence.kind]}: {_evidence_item(evidence)}"


def _binding(directive: Directive) -> float:
    label = label_of(directive.text)
    binding = BINDING[directive.kind] + (LABELLED_BINDING if label else 0)
    return binding / (len(directive.text) - len(label) + _OVERHEAD_CHARS)


def _directive_lines(directives: Iterable[Directive]) -> Iterable[str]:
    """Lines of the directives; those with the same label in capitals stand together below it."""
    by_label: dict[str, list[Directive]] = {}
    for directive in directives:
        by_label.setdefault(label_of(directive.text), []).append(directive)
    for label, group in by_label.items():
        if label and len(group) > 1:
            yield label.rstrip()
        shown = len(label) if len(group) > 1 else 0
        for directive in group:
            yield f"- {directive_text(directive)[shown:]}"


def _evidence_lines(evidence: Iterable[Evidence]) -> Iterable[str]:
    """One line for each kind; sentences have a line of their own."""
    for kind, items in groupby(evidence, key=lambda item: item.kind):
        texts = [_evidence_item(item) for item in items]
        word = _EVIDENCE_WORDS[kind]
        if kind in _SENTENCES:
            yield from (f"- {word}: {text}" for text in texts)
        else:
            yield f"- {word}: {', '.join(texts)}"
