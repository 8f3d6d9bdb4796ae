"""Repeats in a pattern that can be matched in more than one way.

The time for a text that almost matches such a pattern doubles with each word of it.

The body of a repeat is written out as a code, its words spelled with sets of characters. If no text is the words of
that code in two ways, the engine has one way to go back. This is the test of Sardinas and Patterson: it counts nothing
and times nothing. What stands around a place is left out, so a body that only a look behind or ahead makes unambiguous
is named too.
"""

import re
from collections.abc import Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the only way to what a pattern consists of
from typing import Any, Final

from ops.bench.repeated_units import inner_parts

#: Repeats below this end soon, whatever they match.
REPEATS_MIN: Final = 16
#: A part that may be repeated without end is written out up to so many times more than it has to be.
_MORE: Final = 1
#: Bodies of more words than this are not judged; there is a test that no pattern of ours has one.
WORDS_MAX: Final = 3_000
#: One character for each class that our patterns tell apart, besides those that they name.
_SAMPLE: Final = "aZ7 \n\t_.,:;-'\"/\\()[]{}<>=\u00e9\u4e00\u3042\uac00\u044f"

Symbol = frozenset[str]
Word = tuple[Symbol, ...]
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT")


class TooManyWordsError(ValueError):
    """A body is too large to be written out."""


def ambiguous_repeats(pattern: "re.Pattern[Any]") -> list[str]:
    """Return a text for each repeat of a pattern that can be read in two ways: what one word leaves of another."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(text, pattern.flags & ~re.UNICODE)
    speller = _Speller(frozenset(_SAMPLE + text[:2_000]), pattern.flags)
    return [shown for body in _bodies(tree) if (shown := _ambiguity(speller.words(body))) is not None]


def _bodies(tree: Any) -> Iterator[Any]:
    """Yield the bodies of all long repeats that the engine may take back."""
    for operation, argument in tree:
        name = str(operation)
        if name in _REPEATS and argument[1] >= REPEATS_MIN:
            yield argument[2]
        for inner in inner_parts(name, argument):
            yield from _bodies(inner)


class _Speller:
    """Writes the parts of a pattern out as words."""

    def __init__(self, alphabet: Symbol, flags: int) -> None:
        self._alphabet = alphabet
        self._flags = flags & (re.IGNORECASE | re.DOTALL | re.UNICODE)

    def words(self, tree: Any) -> list[Word]:
        """Return the ways in which a part matches, one word for each."""
        words: list[Word] = [()]
        for operation, argument in tree:
            parts = self._part(str(operation), operation, argument)
            words = [word + part for word in words for part in parts]
            if len(words) > WORDS_MAX:
                raise TooManyWordsError
        return words

    def _part(self, name: str, operation: Any, argument: Any) -> list[Word]:
        if name in (*_REPEATS, "POSSESSIVE_REPEAT"):
            return self._repeated(*argument)
        if name == "BRANCH":
            return [word for branch in argument[1] for word in self.words(branch)]
        if name in ("SUBPATTERN", "ATOMIC_GROUP"):
            return self.words(argument[3] if name == "SUBPATTERN" else argument)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            return [(self._symbol(operation, argument),)]
        return [()]

    def _repeated(self, least: int, most: int, body: Any) -> list[Word]:
        least = min(least, 2)
        words: list[Word] = []
        inner = self.words(body)
        for count in range(least, min(most, least + _MORE) + 1):
            ways: list[Word] = [()]
            for _ in range(count):
                ways = [way + word for way in ways for word in inner]
                if len(ways) > WORDS_MAX:
                    raise TooManyWordsError
            words += ways
        return words

    def _symbol(self, operation: Any, argument: Any) -> Symbol:
        tree = _parser.SubPattern(_parser.State(), [(operation, argument)])
        one = _compiler.compile(tree, self._flags)
        chars = self._alphabet if operation is not _constants.LITERAL else frozenset(chr(argument))
        return frozenset(char for char in chars if one.fullmatch(char))


def _ambiguity(words: list[Word]) -> str | None:
    """Return what shows that a code is ambiguous; None for one that is not."""
    code = [word for word in words if word]
    waiting: list[Word] = []
    for place, word in enumerate(code):
        for other in code[place + 1 :]:
            rest = _rest(word, other)
            if rest == ():
                return _shown(word)
            if rest is not None:
                waiting.append(rest)
    known = set(waiting)
    while waiting:
        left = waiting.pop()
        for word in code:
            rest = _rest(left, word)
            if rest == ():
                return _shown(left)
            if rest is not None and rest not in known:
                known.add(rest)
                waiting.append(rest)
    return None


def _rest(left: Word, right: Word) -> Word | None:
    """Return what the longer of two words has behind the shorter; None where they are not the same so far."""
    short, long = (left, right) if len(left) <= len(right) else (right, left)
    if any(a.isdisjoint(b) for a, b in zip(short, long, strict=False)):
        return None
    return long[len(short) :]


def _shown(word: Word) -> str:
    return "".join(min(symbol) for symbol in word)
