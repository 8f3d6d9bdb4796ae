"""Of which words a text must hold one for a pattern to be found in it: whole words where that can be told, otherwise parts of them.

A look at the set of a text's words tells at once which of many patterns are worth trying. As with needles, nobody has to list them by hand.
"""

import re
from re import _constants as ops  # type: ignore[attr-defined]  # there is no other way to a pattern's structure
from typing import Any, NamedTuple

from tailrace.agents.language.needles import structure_of
from tailrace.agents.language.word_lists import words

#: Stands for what a pattern leaves open, be it a part of a word, several words or nothing.
_OPEN = "\0"
#: Stands where no word goes on.
_EDGE = " "
_EDGES = frozenset((ops.AT_BEGINNING, ops.AT_BEGINNING_STRING, ops.AT_BOUNDARY, ops.AT_END, ops.AT_END_STRING))
_LETTER = [(ops.IN, [(ops.CATEGORY, ops.CATEGORY_WORD)])]
_WITHOUT_WIDTH = frozenset((ops.AT, ops.ASSERT, ops.ASSERT_NOT))
_APART = re.compile(rf"[^\w{_OPEN}]+")
_WORD = re.compile(r"\w+")
#: What is no letter of plain text, as bytes: that takes a third of the time.
_PLAIN = bytes(code if chr(code).isalnum() or chr(code) == "_" else ord(_EDGE) for code in range(128)).ljust(256)
#: In every other text.
_COMMON = words(
    "a all an and are as at be been but do for from has have he i in is it my no not of on one or so some that the their there they this "
    "to was we were will with you"
) | {""}


class Sign(NamedTuple):
    """What must stand in a text: a whole word, or a part of one. By the order of its fields, the greater of two is met less often."""

    whole: bool = False
    #: It does not stand in every other text.
    rare: bool = False
    chars: int = 0
    text: str = ""


class _Way(NamedTuple):
    """One way through a pattern: the best sign met on it, and what has been read of a word."""

    best: Sign
    begun: str


_Ways = frozenset[_Way]


def words_in(text: str) -> list[str]:
    """The words of a text, cut as those of patterns are: wherever something else than a letter stands."""
    return text.encode().translate(_PLAIN).decode().split() if text.isascii() else _WORD.findall(text)


def signs_of(pattern: re.Pattern[str]) -> frozenset[Sign]:
    """Signs of which one is in every text that holds the pattern; an empty one, which is in every text, where nothing can be told."""
    if pattern.flags & re.IGNORECASE:
        return frozenset((Sign(),))
    # Nothing is known of what stands before and behind it.
    ways = _along(frozenset((_Way(Sign(), _OPEN),)), structure_of(pattern))
    return frozenset(way.best for way in _with_text(ways, f"{_OPEN}{_EDGE}"))


def _along(ways: _Ways, parsed: Any) -> _Ways:
    run = ""
    for op, argument in parsed.data:
        if op is ops.LITERAL:
            run += chr(argument)
        else:
            ways = _past(_with_text(ways, run), op, argument)
            run = ""
    return _with_text(ways, run)


def _past(ways: _Ways, op: Any, argument: Any) -> _Ways:
    """Where the ways lead past one part of a pattern."""
    if op is ops.SUBPATTERN and not argument[1]:
        return _along(ways, argument[-1])
    if op is ops.BRANCH:
        return frozenset().union(*(_along(ways, branch) for branch in argument[1]))
    if op is ops.IN and all(kind is ops.LITERAL for kind, _ in argument):
        return frozenset().union(*(_with_text(ways, chr(one)) for _, one in argument))
    if op is ops.MAX_REPEAT and argument[:2] == (0, 1):
        return ways | _along(ways, argument[2])
    if (op is ops.AT and argument in _EDGES) or (op is ops.ASSERT_NOT and [*argument[1]] == _LETTER):
        return _with_text(ways, _EDGE)
    return ways if op in _WITHOUT_WIDTH else _with_text(ways, _OPEN)


def _with_text(ways: _Ways, text: str) -> _Ways:
    if not text:
        return ways
    first, *others = _APART.split(text)
    if not others:
        return frozenset(_Way(way.best, way.begun + first) for way in ways)
    *whole, last = others
    among = [_sign(word) for word in whole]
    return frozenset(_Way(max(way.best, _sign(way.begun + first), *among), last) for way in ways)


def _sign(read: str) -> Sign:
    """What a word tells of which so much is known."""
    if _OPEN not in read:
        return Sign(bool(read), read not in _COMMON, len(read), read)
    part = max(read.split(_OPEN), key=len)
    return Sign(False, part not in _COMMON, len(part), part)
