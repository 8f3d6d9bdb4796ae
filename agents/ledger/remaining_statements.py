"""What a text that had to be cut still says of what it stated, so that the ledger need not say it again.

A statement is held with the headings that it stood under, and a text that was cut may have lost them. Where they stand above it, it is
said. Where they are gone, it is said only if they named no more than what it is about, it demands something in its own words, and nothing
under another heading says the like: otherwise it would be taken for what it is not.
"""

import re
from collections.abc import Iterable

from tailrace.agents.language.cues import DEMAND, WISH, cue_words, demand_of
from tailrace.agents.language.rule_words import NEGATIONS, PROHIBITIONS
from tailrace.agents.ledger.headings import is_topic

_COLON = ": "
#: Behind a heading; where words have no spaces between them, none follows.
_HEADED = re.compile(": |\uff1a")
#: What is shorter may be said of anything.
ALONE_CHARS_MIN = 12
#: Before a sentence that stands by itself: a mark, a number, the end of another one, or what shows that something is missing.
_BEFORE = frozenset("\n-*•\u2013‣◦▪·#>.)!?…\u3002\uff01\uff1f")
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
#: Behind a sentence that is all of its line, or that a text goes on behind elsewhere.
_BEHIND = ("\n", " …")
_WORD = re.compile("[^\\W\\d_][\\w'\u2019]*")
#: What is demanded, allowed or denied of the same things.
_SETTING = cue_words(DEMAND) | cue_words(WISH) | NEGATIONS | PROHIBITIONS


def still_said(statements: Iterable[str], text: str) -> frozenset[str]:
    """Return the statements that a text says."""
    lines = "\n".join([" ".join(line.split()) for line in text.split("\n")])
    words = lines.replace("\n", " ")
    held = [*statements]
    said = {statement for statement in held if is_said(statement, words)}
    alone = {statement for statement in held if statement not in said and _is_alone(statement, lines)}
    return frozenset(said | (alone - _alike(held) if alone else alone))


def is_said(statement: str, text: str) -> bool:
    """Tell whether a text says a statement: in one piece, or as an item somewhere below its headings."""
    if statement in text:
        return True
    place = 0
    for part in statement.split(_COLON):
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return _COLON in statement


def _is_alone(statement: str, lines: str) -> bool:
    """Tell whether a statement stands there without its headings, and says the same."""
    for colon in _HEADED.finditer(statement):
        rest = statement[colon.end() :]
        place = lines.find(rest) if len(rest) >= ALONE_CHARS_MIN else -1
        if place >= 0:
            headings = _HEADED.split(statement[: colon.start()])
            return _is_whole(rest, lines, place) and demand_of(rest) is not None and all(map(is_topic, headings))
    return False


def _is_whole(sentence: str, lines: str, place: int) -> bool:
    """Tell whether a sentence stands there as one of its own, and not as a part of another."""
    before, end = lines[max(0, place - 2) : place].rstrip(" "), place + len(sentence)
    begins = not before or before[-1] in _BEFORE
    return begins and (sentence.endswith(_ENDS) or lines.startswith(_BEHIND, end) or end == len(lines))


def _alike(statements: Iterable[str]) -> frozenset[str]:
    """Statements that say something else of the same things than others do: only their headings tell which holds when."""
    by_words: dict[frozenset[str], dict[str, list[str]]] = {}
    for statement in statements:
        own = _HEADED.split(statement)[-1]
        words = frozenset(_WORD.findall(own.lower().replace("\u2019", "'"))) - _SETTING
        by_words.setdefault(words, {}).setdefault(own, []).append(statement)
    return frozenset(
        statement for own in by_words.values() if len(own) > 1 for alike in own.values() for statement in alike
    )
