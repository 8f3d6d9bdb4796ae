"""What a text must hold for a pattern to be found in it: a handful of short strings, read off the pattern itself.

A pattern of many wordings is tried at every letter of a text. Most texts hold none of its words, and to look for these takes a tenth of the
time. Nobody has to list them by hand, where a list would sooner or later miss one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from re import _constants as ops  # type: ignore[attr-defined]  # there is no other way to a pattern's structure
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

#: One of these has to be there; None where nothing can be said.
Needles = frozenset[str] | None

#: More of them are no cheaper than the pattern.
NEEDLES_MAX = 80


def needles_of(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Strings of which one is in every text that holds the pattern; an empty one, which is in every text, where no others are known."""
    found = None if pattern.flags & re.IGNORECASE else _of_sequence(structure_of(pattern))
    if not found or len(found) > NEEDLES_MAX:
        return ("",)
    shortest: list[str] = []
    for needle in sorted(found, key=lambda one: (len(one), one)):
        if not any(known in needle for known in shortest):
            shortest.append(needle)
    return tuple(shortest)


@lru_cache(maxsize=1)  # more than one thing may be read off it
def structure_of(pattern: re.Pattern[str]) -> Any:
    """What a pattern consists of, as Python itself reads it: parts with what each is told."""
    return parser.parse(pattern.pattern, pattern.flags)


def _of_sequence(parsed: Any) -> Needles:
    """The best of what the parts of a sequence must hold, for all of them must be there."""
    return max(_candidates(parsed), key=_selectivity, default=None)


def _candidates(parsed: Any) -> Iterator[frozenset[str]]:
    run = ""
    for op, argument in parsed.data:
        if op is ops.LITERAL:
            run += chr(argument)
            continue
        if run:
            yield frozenset((run,))
            run = ""
        needles = _of_part(op, argument)
        if needles:
            yield needles
    if run:
        yield frozenset((run,))


def _of_part(op: Any, argument: Any) -> Needles:
    if op is ops.SUBPATTERN:
        return _of_sequence(argument[-1]) if not (argument[1] or 0) & re.IGNORECASE else None
    if op is ops.BRANCH:
        branches = [_of_sequence(branch) or frozenset() for branch in argument[1]]
        return frozenset().union(*branches) if all(branches) else None
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        return _of_sequence(argument[2]) if argument[0] else None
    if op is ops.ATOMIC_GROUP:
        return _of_sequence(argument)
    return None


def _selectivity(needles: frozenset[str]) -> tuple[int, int]:
    """Long ones are seldom, and few are quickly looked for."""
    return min(map(len, needles)), -len(needles)
