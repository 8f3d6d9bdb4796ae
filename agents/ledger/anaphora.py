"""Which statement a change is about that names no subject: "make it 7".

It is the one that was stated or spoken of last and has a value of that kind. Where nobody can tell which of several that is, all of them
stay, and the change is shown with each: a change of the wrong one would be believed.
"""

import re
from collections.abc import Callable, Sequence

from tailrace.agents.language.lexicon import CONCEPTS
from tailrace.agents.ledger.stems import stem
from tailrace.agents.ledger.subjects import Subject, ValueKind, subject_of
from tailrace.schemas.records.ledger import Directive

#: A change that names no subject is about one of the newest.
ANAPHORA_REACH = 6
#: Between statements of which any may be meant.
JOINT = " / "
#: Of these kinds a thing has one value at a time; of names it may have many.
SINGLE = (ValueKind.DATE, ValueKind.NUMBER, ValueKind.CLOCK, ValueKind.ADDRESS)
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_JOINED = re.compile("[/_-]")
_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
HOURS_MAX = 24
HOUR = ":"
#: A time of day, and a sign of what is counted.
_CLOCK = re.compile(r"\d{1,2}[:.h]\d\d\b|\d ?(?:am|pm|uhr|o'clock|heures?)\b", re.IGNORECASE)
_SIGN = re.compile(r"[%$€£¥°]")


def about(one: Directive) -> str:
    """What a statement speaks of: of a change that names no subject, the one that it changed."""
    return one.amends if one.amends and JOINT not in one.amends else one.text


def meant_among(text: str, earlier: Sequence[Directive], heard: Callable[[], str]) -> tuple[Directive, ...]:
    """Return the statements that a value alone may be about, in their order: one where that can be told, several where it can't.

    `heard` is what was said since the last statement, by whomever.
    """
    new = subject_of(text)
    fitting = [old for old in earlier[-ANAPHORA_REACH:] if same_slot(new, subject_of(old.text)) or _is_open(new, old)]
    # "Make it 7 hours" is about something that is counted in hours.
    fitting = [old for old in fitting if new.terms <= subject_of(about(old)).terms]
    fitting = spoken_of(_alike(text, fitting), heard)
    if not fitting:
        return ()
    plain = [old for old in fitting if not kind_of_value(about(old))]
    # A bare number behind a share or a time of day may be about what was stated before that.
    sources = {fitting[-1].source, *(old.source for old in plain[-1:] if not kind_of_value(text))}
    return tuple(old for old in fitting if old.source in sources)


def spoken_of(fitting: list[Directive], heard: Callable[[], str]) -> list[Directive]:
    """Return those that were spoken of most plainly; all where none was."""
    spoken = heard() if len(fitting) > 1 else ""
    shares = [share_of(old, spoken) for old in fitting] if spoken else []
    best = max(shares, default=0)
    return [old for old, share in zip(fitting, shares, strict=True) if share == best] if best else fitting


def _alike(text: str, fitting: list[Directive]) -> list[Directive]:
    """Those that count the same as a value does, as far as its sign or its size tells; all where nothing does."""
    kind = kind_of_value(text)
    if kind:
        return [old for old in fitting if kind_of_value(about(old)) == kind] or fitting
    numbers = [int(number) for number in _WORD.findall(text) if number.isdecimal()]
    if any(number > HOURS_MAX for number in numbers):
        return [old for old in fitting if kind_of_value(about(old)) != HOUR]
    return fitting


def same_slot(new: Subject, old: Subject) -> bool:
    """Whether both set something of the same kind; of names, one that looks the same."""
    return any(kind in SINGLE for kind in new.values.keys() & old.values.keys()) or bool(shapes(new) & shapes(old))


def shapes(subject: Subject) -> set[str]:
    """Patterns of the names that a statement sets."""
    return {shape for value in subject.values.get(ValueKind.NAME, ()) if (shape := shape_of(value))}


def shape_of(value: str) -> str:
    """Return the pattern of a name that somebody made up, such as a branch or a key; empty for an ordinary name."""
    if _JOINED.search(value, 1, len(value) - 1) is None:
        return ""
    folder, _, name = value.rpartition("/")
    return f"{folder}/{_LETTERS.sub('a', _DIGITS.sub('9', name))}"


def _is_open(new: Subject, old: Directive) -> bool:
    """Whether a change that might have been about several is about as much as this one."""
    return JOINT in old.amends and any(same_slot(new, subject_of(one)) for one in old.amends.split(JOINT))


def kind_of_value(text: str) -> str:
    """Return what is counted, where a sign or a form of the number tells it: a time of day, a share, money."""
    if _CLOCK.search(text):
        return HOUR
    sign = _SIGN.search(text)
    return sign[0] if sign else ""


def share_of(old: Directive, heard: str) -> int:
    """Return how plainly a statement was spoken of: by its value, by most of its words, by one of them, or not at all."""
    said = {CONCEPTS.get(word) or stem(word) for word in _WORD.findall(heard.lower())}
    terms = subject_of(about(old)).terms
    if any(not values.isdisjoint(said) for values in subject_of(old.text).values.values()):
        return 3
    return 2 if 2 * len(terms & said) > len(terms) else int(not terms.isdisjoint(said))
