"""Patterns that take more than twice as long for a text that is twice as long.

A pattern that is looked for begins at every place. Where it goes on to the end from each of them, a megabyte takes
hours. Texts that repeat what the pattern consists of are given to it at two lengths, and the two times are compared:
both are of one process and close together, so it does not matter how fast the machine is, and noise is taken away by
taking the shortest of some.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from ops.bench.repeated_units import Named, units

_ROOT: Final = Path(__file__).resolve().parents[2]
SHORT_CHARS: Final = 500
TIMES_LONGER: Final = 16
#: Three times what a pattern takes whose time grows as its text does. One that looks to the end from every place takes
#: 256 times as long.
GROWTH_MAX: Final = 3 * TIMES_LONGER
#: Less than this for the long text is so little that the short one can't be told from nothing.
_SECONDS_MIN: Final = 0.000_05
_ROUNDS: Final = 3
_UNITS_MAX: Final = 24
#: What begins and ends most parts of patterns.
_SIGNS: Final = (
    "a",
    " ",
    "\n",
    "\t",
    "-",
    ".",
    "/",
    "1",
    '"',
    "a ",
    "=",
    "_",
    ":",
    "1 ",
    "a\n",
    " \n",
    "a.",
    "a-",
    "<",
)
#: Stands at the end, so that a match which was nearly there fails by it.
_NO_MATCH: Final = "\x01"
#: Methods that try one place alone.
_ANCHORED: Final = frozenset({"match", "fullmatch"})
_METHODS: Final = r"(?:match|fullmatch|search|sub|subn|split|findall|finditer|scanner)\b"

Run = Callable[[str | bytes], object]


@dataclass(frozen=True, slots=True)
class Growth:
    """The unit for which a pattern grew fastest, and how many times as long it took."""

    unit: str
    times: float


def growth(named: Named) -> Growth | None:
    """Return what makes a pattern take far longer than its text is longer; None where nothing does."""
    run = _anchored(named.pattern) if is_anchored(named) else _searched(named.pattern)
    texts = dict.fromkeys(chain(units(named.pattern, most=_UNITS_MAX), _SIGNS))
    return worst(run, texts, as_bytes=isinstance(named.pattern.pattern, bytes))


def worst(run: Run, texts: Iterable[str], *, as_bytes: bool = False) -> Growth | None:
    """Return the unit for which a function grows faster than the text that repeats it; None where there is none."""
    for unit in texts:
        short, long = (_repeated(unit, chars, as_bytes=as_bytes) for chars in (SHORT_CHARS, SHORT_CHARS * TIMES_LONGER))
        if _seconds(run, long) < _SECONDS_MIN:
            continue
        shorter = min(_seconds(run, short) for _ in range(_ROUNDS))
        longer = _seconds(run, long)
        if longer > shorter * GROWTH_MAX:
            # Once more, for a moment of another process may lie in it.
            shorter = min(shorter, *(_seconds(run, short) for _ in range(_ROUNDS)))
            longer = min(longer, *(_seconds(run, long) for _ in range(_ROUNDS)))
            if longer > shorter * GROWTH_MAX:
                return Growth(unit, longer / shorter)
    return None


def is_anchored(named: Named) -> bool:
    """Tell whether all uses of a pattern try one place; what lies in a table may be used in any way."""
    if not named.name:
        return False
    # A name that begins with an underscore is not used elsewhere; a test of the project's form holds that.
    source = _source(named.module) if named.name.startswith("_") else _sources()
    uses = set(re.findall(rf"\b{named.name}\.({_METHODS})", source))
    if not uses:  # it is held as one of its methods
        uses = set(re.findall(rf"\b{named.name}\b.*\.({_METHODS})$", source, re.MULTILINE))
    handed_on = re.search(rf"[(,=] *{named.name} *[,)]", source)
    return bool(uses) and uses <= _ANCHORED and not handed_on


def _anchored(pattern: "re.Pattern[Any]") -> Run:
    return pattern.match


def _searched(pattern: "re.Pattern[Any]") -> Run:
    return lambda text: [None for _ in pattern.finditer(text)]


def _repeated(unit: str, chars: int, *, as_bytes: bool) -> str | bytes:
    text = unit * (chars // len(unit)) + _NO_MATCH
    return text.encode("utf-8", "replace") if as_bytes else text


def _seconds(run: Run, text: str | bytes) -> float:
    begin = time.thread_time()
    run(text)
    return time.thread_time() - begin


@cache
def _source(module: str) -> str:
    path = _ROOT.joinpath(*module.split(".")[1:])
    return (path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py").read_text()


@cache
def _sources() -> str:
    return "\n".join(
        path.read_text() for room in ("schemas", "agents", "streams") for path in _ROOT.glob(f"{room}/**/*.py")
    )
