"""Items of a ledger in the words that a model reads."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from tailrace.agents.ledger.due_times import is_time
from tailrace.agents.ledger.list_headings import BULLET
from tailrace.schemas.records.ledger import Directive, Obligation, ObligationKind, UnclassifiedStatement

#: In the order in which it is shown.
_OPEN_WORDS = {
    ObligationKind.TASK: "asked: {}",
    ObligationKind.ADDED: "then: {}",
    ObligationKind.CONFIRMATION: "waits for the user's answer: {}",
    ObligationKind.PLAN: "planned: {}",
    ObligationKind.SUBAGENT: "still running: {}",
    ObligationKind.BACKGROUND: "still running: {}",
    ObligationKind.SCHEDULED: "scheduled: {}",
    ObligationKind.NEXT_STEP: "promised: {}",
    ObligationKind.OPEN_CALL: "waits for a result: {}",
}
OPEN_ORDER = {kind: place for place, kind in enumerate(_OPEN_WORDS)}
#: What a person asks for.
ASKED = frozenset((ObligationKind.TASK, ObligationKind.ADDED))
_SAID = "said: "
_CLIPPED = " \u2026"
_HEADED = ": "
#: A part of a statement that is shorter may stand anywhere.
PART_CHARS_MIN = 8
#: Between statements of a message: marks of a list, and brackets.
_MARKS = " \t-*\u2022()[];,"
#: A heading, of which all items stand elsewhere.
_HEADING = re.compile(r"(?:^|(?<=[.!?] ))[^.!?]{1,60}:$")


def directive_text(directive: Directive) -> str:
    """A directive as a model reads it."""
    return f"{directive.text} (about: {directive.amends})" if directive.amends else directive.text


def said_text(said: UnclassifiedStatement) -> str:
    """What else was said as a model reads it: marked, because nobody knows whether it still counts."""
    return f"{_SAID}{said.text}"


def without_said(text: str) -> str:
    """The text of a ledger without what else was said: that claims no room in the next one."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(f"{BULLET}{_SAID}"))


def asked_beside(asked: Obligation, stated: Sequence[Directive]) -> tuple[str, ...]:
    """What a message asks for beside its statements, in pieces: these stand among the directives. Nothing is left where it holds nothing else.

    Of the task itself only what a later statement has changed is left out: it is the one thing that is to be read in one piece.
    """
    text = asked.text.removesuffix(_CLIPPED)
    if any(text in one.text for one in stated):
        return ()
    changed = [one.amends for one in stated if one.amends]
    rest = _without(text, [*changed, *(one.text for one in stated if one.source == asked.source)])
    if rest and asked.kind is ObligationKind.TASK:
        rest = _without(text, changed)
    if rest and text != asked.text and text.endswith(rest[-1]):
        rest = (*rest[:-1], f"{rest[-1]}{_CLIPPED}")
    return rest


def _without(text: str, statements: Iterable[str]) -> tuple[str, ...]:
    """The pieces of a text between statements; an item of a list stands apart from its heading there."""
    rest = [text]
    for said in statements:
        parts = [said] if any(said in piece for piece in rest) else said.split(_HEADED)
        for part in parts:
            if len(part) >= PART_CHARS_MIN or part == said:
                rest = [left for piece in rest for left in piece.split(part)]
    if len(rest) == 1:
        return (text,)
    pieces = (_HEADING.sub("", piece.strip(_MARKS)).strip(_MARKS) for piece in rest)
    return tuple(piece for piece in pieces if any(map(str.isalnum, piece)))


def obligation_text(obligation: Obligation) -> str:
    """An obligation as a model reads it, with its clock: how long ago it began would be other words every minute.

    What is due says so; once that time has passed, that it has.
    """
    text = _OPEN_WORDS[obligation.kind].format(obligation.text)
    told = [f"since {_clock(obligation.since_ms)}"] if is_time(obligation.since_ms) else []
    if obligation.kind is ObligationKind.SCHEDULED and is_time(obligation.due_ms):
        told.append(f"{'due by' if obligation.waits else 'its time has passed:'} {_clock(obligation.due_ms)}")
    return f"{text} ({', '.join(told)})" if told else text


def _clock(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
