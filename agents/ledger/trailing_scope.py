"""Lines that speak of all that stands above them: for whom it holds, until when, or that it doesn't.

    Never feed the seals.
    Always lock the gate.
    All of this only on weekdays.

A rule without its bound says more than was meant, so each carries it, as an item carries its heading. Where a line says that nothing of it
holds, none of it is a rule. What begins with "otherwise" belongs to what it is otherwise than.
"""

import re
from collections.abc import Sequence

from msgspec import structs

from tailrace.agents.ledger import scope_words as bw
from tailrace.agents.ledger.units import STATEMENT_CHARS_MAX, TextUnit

#: A bound is short: what is longer says something of its own.
BOUND_CHARS_MAX = 120
#: Of one text: each is carried by all above it.
BOUNDS_MAX = 20
_BRACKETS = "()[] "
_ELIDED = " \u2026 "
_FIRST = re.compile(r"[(\[]?([^\W\d_]+(?:['\u2019][^\W\d_]+)?)")


def bounded(units: Sequence[TextUnit]) -> Sequence[TextUnit]:
    """The units of a text, each with what a later one says of all of them; that one stands for itself no more."""
    if len(units) < 2 or not any(_first(unit.text) in bw.FIRST or _is_otherwise(unit.condition) for unit in units):  # noqa: PLR2004  a bound, and what it bounds
        return units
    found: list[TextUnit] = []
    left = BOUNDS_MAX
    for unit in _with_otherwise(units):
        may = left and found and _may_bound(unit)
        small = unit.text.lower().replace("\u2019", "'").strip(_BRACKETS) if may else ""
        void = bool(small) and bw.VOID.match(small) is not None
        if void or (small and bw.BOUND.match(small) is not None and not _says_more(small)):
            left -= 1
            reach = _reach(unit, found)
            found = [_bound(one, unit.text, void=void) if place in reach else one for place, one in enumerate(found)]
        else:
            found.append(unit)
    return found


def _says_more(small: str) -> bool:
    """Whether a line that begins as a bound is none: it holds for all, or goes on with an order of its own."""
    begins, _, rest = small.partition(", ")
    own = len(rest.split()) > 1 and begins.split()[0] in bw.FRAGMENTS
    return own or bw.UNBOUND.search(small) is not None


def _first(text: str) -> str:
    word = _FIRST.match(text)
    return word[1].lower().replace("\u2019", "'") if word else ""


def _may_bound(unit: TextUnit) -> bool:
    return not unit.condition and len(unit.text) <= BOUND_CHARS_MAX and _first(unit.text) in bw.FIRST


def _reach(unit: TextUnit, before: Sequence[TextUnit]) -> range:
    """Places of the units that one may speak of: all above it, or those of its paragraph, where it stands in one."""
    if bw.ALL.search(unit.text.lower()):
        return range(len(before))
    beside = [place for place, one in enumerate(before) if one.paragraph == unit.paragraph]
    return range(beside[0] if beside else 0, len(before))


def _bound(unit: TextUnit, bound: str, *, void: bool) -> TextUnit:
    carried = f"{bound.strip(_BRACKETS).rstrip('.!')}:"
    timed = unit.timed or not bw.TIMES.isdisjoint(carried.lower().rstrip(":").split())
    return structs.replace(unit, condition=f"{carried} {unit.condition}".rstrip(), void=unit.void or void, timed=timed)


def _with_otherwise(units: Sequence[TextUnit]) -> Sequence[TextUnit]:
    """The units, with what is to be done otherwise behind the condition that it is otherwise than."""
    found: list[TextUnit] = []
    case = ""
    for unit in units:
        before = found[-1] if found else None
        if before is not None and not unit.condition and _is_otherwise(unit.text):
            joined = f"{before.text} {unit.text}"
            if len(joined) <= STATEMENT_CHARS_MAX:
                found[-1] = structs.replace(before, text=joined)
                continue
        if case and _is_otherwise(unit.condition):
            found.append(structs.replace(unit, condition=f"{case}{_ELIDED}{unit.condition}", timed=True))
            continue
        case = unit.condition
        found.append(unit)
    return found


def _is_otherwise(text: str) -> bool:
    return _first(text) in bw.OTHERWISE if text else False
