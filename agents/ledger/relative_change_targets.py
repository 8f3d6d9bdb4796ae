"""Which statements a change is about that tells by how much a value moves.

It is what it names, as far as that has a value which can move so; where it names nothing, what was stated or spoken of last. A link to the
wrong statement would be believed, so there is none where something else with a value was spoken of meanwhile.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from tailrace.agents.language.lexicon import CHANGES, DEADLINES, FUNCTION_WORDS, LIMITS, NUMBER_WORDS, VERBS
from tailrace.agents.ledger import relative_change_words as sw
from tailrace.agents.ledger.anaphora import ANAPHORA_REACH, HOUR, JOINT, about, kind_of_value, share_of, spoken_of
from tailrace.agents.ledger.item_text import directive_text
from tailrace.agents.ledger.relative_changes import Measure, Shift, shift_of
from tailrace.agents.ledger.statements import words_of
from tailrace.agents.ledger.stems import stem
from tailrace.agents.ledger.subjects import ValueKind, subject_of, values_of
from tailrace.schemas.records.ledger import Directive

#: More of them in a change says nothing.
SHIFTED_MAX = 4
#: An answer of more says more than that something was noted: what follows may be about that.
ANSWER_CHARS_MAX = 200
_TIME_UNITS = sw.CALENDAR_UNITS | sw.CLOCK_UNITS
_SIGNS = frozenset("$€£")
_TOKEN = re.compile(r"\d[\d.,:]*|[^\W\d_]+|[%€$£°]")
_HAS_VALUE = re.compile(r"\d")
#: Between them, how much something is or may be.
_MEASURING = (
    VERBS
    | CHANGES
    | FUNCTION_WORDS
    | frozenset(("within", "than", "over", "bei", "beträgt", "liegt", "kostet", "costs", "à", "a", "von"))
)


def is_shift(one: Directive) -> bool:
    """Tell whether a directive moves another by an amount: alone it says nothing."""
    return bool(one.amends) and shift_of(one.text) is not None


def shifts_of(old: Directive, stated: Sequence[Directive]) -> list[Directive]:
    """Return those that move one statement and no other: they go with it."""
    former = directive_text(old)
    return [one for one in stated if one.amends == former and is_shift(one)]


def about_shifted(text: str, source: str, stated: Sequence[Directive], heard: Callable[[], str]) -> str:
    """Return the statements of other messages that a sentence moves by an amount, as one text; empty where it is no such change."""
    shift = shift_of(text)
    if shift is None:
        return ""
    earlier = [old for old in stated if old.source != source and not is_shift(old)]
    fitting = [old for old in earlier if _fits(shift, old)]
    meant = _named(shift.thing, fitting) if shift.thing else _pointed_at(fitting[-ANAPHORA_REACH:], heard)
    return JOINT.join(dict.fromkeys(map(directive_text, meant))) if len(meant) <= SHIFTED_MAX else ""


def _named(thing: str, fitting: list[Directive]) -> list[Directive]:
    """Those that speak of all that is named; a date is named by any word for one, and a limit by any for that."""
    terms, head = subject_of(thing).terms, thing.rpartition(" ")[2]
    if terms:
        found = [old for old in fitting if terms <= subject_of(about(old)).terms]
    else:
        found = [old for old in fitting if head in words_of(about(old))]
    if found or not (head in LIMITS or head in DEADLINES):
        return found
    return [old for old in fitting if head in LIMITS or ValueKind.DATE in subject_of(about(old)).values][-1:]


def _pointed_at(fitting: list[Directive], heard: Callable[[], str]) -> list[Directive]:
    """Those that were stated or spoken of last."""
    if not fitting:
        return []
    spoken = heard()
    shares = [share_of(old, spoken) for old in fitting]
    if not any(shares) and (len(spoken) > ANSWER_CHARS_MAX or _HAS_VALUE.search(spoken)):
        return []
    nearest = spoken_of(fitting, heard)
    return [old for old in nearest if old.source == nearest[-1].source]


def _fits(shift: Shift, old: Directive) -> bool:
    """Whether a statement has a value that can move so."""
    # What was changed by a value alone has that value.
    said = old.text if values_of(subject_of(old.text)) else about(old)
    dated = ValueKind.DATE in subject_of(said).values
    timed = kind_of_value(said) == HOUR
    units = _units(said)
    if shift.measure is Measure.CALENDAR:
        return dated or not units.isdisjoint(_TIME_UNITS)
    if shift.measure is Measure.CLOCK:
        return timed or dated or not units.isdisjoint(_TIME_UNITS)
    if shift.measure is Measure.OTHER:
        return stem(shift.unit) in {stem(unit) for unit in units}
    if shift.measure is Measure.MONEY:
        return not units.isdisjoint(sw.MONEY_UNITS | {""})
    return bool(units)


@lru_cache(maxsize=1024)
def _units(text: str) -> frozenset[str]:
    """What a statement counts; an empty word for what is only a number. Days of a month, times of day, and numbers that name a thing count nothing."""
    values = subject_of(text).values
    dates = values.get(ValueKind.DATE, frozenset())
    units: set[str] = set()
    said = [token.rstrip(".,:") for token in _TOKEN.findall(text.lower())]
    for before, number, unit in zip(["", *said], said, [*said[1:], ""], strict=False):
        if number in dates or ":" in number or not (number[0].isdigit() or number in NUMBER_WORDS):
            continue
        if before in _SIGNS:
            units.add(before)
        elif unit and unit not in VERBS:
            units.add(unit if unit not in FUNCTION_WORDS else "")
        elif not before or before in _MEASURING:
            units.add("")
    return frozenset(units)
