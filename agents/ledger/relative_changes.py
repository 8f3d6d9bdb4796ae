"""Changes that tell by how much a value moves, and not what it becomes: "double that", "they've extended it by a week".

What they change stays: both are needed to tell the new value. They are read by their form: who did it if that is told, a verb that moves a
value, what is moved, how far. What has more in it ("push it to main", "double-check that") is none.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tailrace.agents.language.lexicon import MONTHS, WEEKDAYS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger import relative_change_words as sw
from tailrace.agents.ledger.corrections import correction_chars
from tailrace.agents.ledger.word_sets import word_set

#: Whoever says by how much says it in a line.
SHIFT_CHARS_MAX = 90


class Measure(StrEnum):
    """What an amount is counted in."""

    CALENDAR = "calendar"
    CLOCK = "clock"
    MONEY = "money"
    #: A part of what is there, or so many times as much.
    SHARE = "share"
    #: Nothing is told but a number.
    BARE = "bare"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much something is to change, or has."""

    measure: Measure
    #: The unit as it is said; empty where none is.
    unit: str
    #: What is moved, in small letters; empty where only a word such as "it" stands for it, or nothing.
    thing: str = ""


def _any(listed: frozenset[str]) -> str:
    return "|".join(sorted(map(re.escape, listed), key=len, reverse=True))


_WORD = r"[^\W\d_][\w'-]*"
_STOPS = rf"(?:{sw.BY}|{sw.TOLD_WITH}|{sw.WHITHER}|to|of|from|off|and|or|ago|than|every|please|then|too|again|bitte|dann)(?![\w'-])"
_NAMING = rf"(?!{_STOPS}){_WORD}"
_WHO = rf"(?:(?P<who>{_WORD}(?: {_WORD}){{0,5}}?) )?"
_OBJ = rf"(?P<obj>(?!(?:an?|one|ein\w{{0,2}}|une?|una) ){_NAMING}(?: {_NAMING}){{0,4}}?)"
_TOLD = rf"(?:(?P<before>le|la|les|lo|los|las) )?(?:(?:{sw.TOLD_WITH}) )*"
_AMOUNT = rf"(?:(?P<share>{sw.SHARES})|(?P<number>{sw.NUMBER})(?: ?(?P<unit>[%€$£]|{_NAMING}))?)"
_WHITHER = rf"(?P<whither>{sw.WHITHER})"
_GERMAN_TOLD = "(?:hat|haben|wurde|wurden|wird|werden|ist|sind)"
_TIMES = (
    r"(?:half|twice|double|triple|three times|an? third)(?: of)? (?:that|it|this|as (?:much|many|long)|the (?:amount|number|price|time))|"
    r"(?:die hälfte|das doppelte|das dreifache|halb so (?:viele?|lange?)|doppelt so (?:viele?|lange?))(?: davon)?|"
    r"(?:la moitié|le double|le triple|deux fois plus)(?: de (?:ça|cela))?|(?:la mitad|el doble|el triple)(?: de eso)?"
)
#: A verb that says how far, one that needs to be told, and what is said without either; the first that fits is taken.
_FRAMES = tuple(
    re.compile(frame)
    for frame in (
        rf"(?:{_any(sw.FACTORS_OF_IT)})",
        rf"{_WHO}{_GERMAN_TOLD}(?: {_OBJ})? (?P<factor>{_any(sw.FACTORS)})",
        rf"{_WHO}{_TOLD}(?P<factor>{_any(sw.FACTORS)})(?: {_OBJ})?",
        rf"{_WHO}{_TOLD}(?:cut|slash(?:ed)?) (?P<obj>that|this|(?:the|our|my) (?:{_NAMING} ){{0,2}}?{_NAMING}) in half",
        rf"{_WHO}{_TOLD}(?P<verb>{_any(sw.STEPS)})(?: (?:{sw.WHITHER}))?(?: {_OBJ})?(?: (?P<toward>{sw.WHITHER}))?(?: (?P<by>{sw.BY}))? {_AMOUNT}(?: {_WHITHER})?",
        rf"{_WHO}{_GERMAN_TOLD}(?: {_OBJ})? (?P<by>um) {_AMOUNT}(?: {_WHITHER})? (?P<verb>{_any(sw.STEPS)})",
        rf"{_WHO}{_TOLD}(?P<giving>{_any(sw.GIVING)})(?: (?:us|them|it|him|her|uns|ihnen|ihm|nous|leur|lui))? {_AMOUNT}(?: {_WHITHER})?",
        rf"{_WHO}{_TOLD}(?P<adding>{_any(sw.ADDING)}) {_AMOUNT}(?: (?P<by>to|onto?|zu|à|a) {_OBJ})?(?: {_WHITHER})?",
        rf"(?P<adding>{_any(sw.TAKING)}) {_AMOUNT} (?P<by>off|from|ab|weg|de|del|von)(?: (?:of )?{_OBJ})?",
        rf"(?:(?:let's |please )?(?:go with|take|use|do|nimm|nehmen wir|prends|prenons|toma) )?(?:only |just |nur )?(?P<times>{_TIMES})(?: (?:is|will be|would be) (?:fine|enough|ok|okay|plenty)| will do)?",
        rf"(?:only |just )?{_AMOUNT}(?: {_WHITHER})?",
        # What is named is later or longer than it was said to be: "the concert will start an hour later".
        rf"(?P<compared>(?P<who>{_WORD}(?: {_WORD}){{0,5}}?) ){_AMOUNT} {_WHITHER}",
    )
)
_LEAD = re.compile(
    r"(?:(?:ok|okay|so|then|and|but|now|just|no|sorry|please|oh|hey|hm+|good news|bad news|update|quick update|heads-up|fyi|news|also|bitte|also gut|bon|bueno)\b[,:!.]* )*"
)
_TRAIL = re.compile(
    r"(?:,? (?:please|then|too|instead|again|for now|as well|after all|altogether|bitte|dann|s'il (?:te|vous) plaît|por favor))+$"
)
_GLUED = re.compile(r"\b([dl])'")
_GLUED_WORDS = {"d": "de ", "l": "le "}
_PERCENT = re.compile(r" ?(?:%|p(?:ou|o)r c(?:iento|ent)|percent|prozent)")
#: More of what was given.
_MORE = re.compile(r"\b(?:another|more|extra|additional|further|noch|weitere\w*|encore|otr[oa]s?)\b")
#: Begins what is named; what follows a verb without one may be a part of the verb ("double check").
_ARTICLES = words(
    "the our my your his her their this that these those all both each every der die das den dem unser unsere mein meine deine le la les mon ma mes notre nos el los las mi mis "
    "nuestro nuestra"
)
_ME = words("me us mich mir uns moi")
#: Behind a verb, what it is said of.
_CLITICS = ("lo", "la", "los", "las", "-le", "-la", "-les")
#: Before how far, and before where to.
_ALSO_TO = words("for a")
#: With a number alone they say where something is put.
_PLACING = words("move moved push pushed pull pulled shift shifted bring brought put turn turned go goes went")
_DEGREES = words("higher lower longer shorter höher niedriger länger kürzer")
_HAVING = words("have has get got")
_TIMED = (Measure.CALENDAR, Measure.CLOCK)
_GRANTED = (Measure.CALENDAR, Measure.MONEY)
_UNITS = (
    (Measure.CALENDAR, sw.CALENDAR_UNITS),
    (Measure.CLOCK, sw.CLOCK_UNITS),
    (Measure.SHARE, sw.SHARE_UNITS),
)
#: Without one of these nothing is told of how far.
_SIGNS = (
    sw.FACTORS
    | sw.FACTORS_OF_IT
    | sw.STEPS
    | sw.GIVING
    | sw.ADDING
    | sw.TAKING
    | words(
        "half twice triple times third more less fewer later earlier sooner longer shorter higher lower extra another hälfte doppelte dreifache halb doppelt mehr weniger "
        "später früher länger kürzer noch moitié fois plus moins encore mitad doble más menos antes"
    )
)


#: Where to, in a form that says who has moved it, or that it was: "they've moved it to 11 May".
_VALUE = (
    rf"(?P<value>(?:(?:the|den|die|le|el|la|las|about|only|minus) )*(?:[$€£]?\d[\d.,:]*(?:st|nd|rd|th|h)?(?: ?(?:[%€$£]|{_WORD})){{0,3}}|"
    rf"(?:{_any(MONTHS | WEEKDAYS)})(?: \d+(?:st|nd|rd|th)?)?(?: \d{{4}})?))"
)
_MOVED = tuple(
    re.compile(frame, re.IGNORECASE)
    for frame in (
        rf"{_WHO}{_TOLD}(?P<verb>{_any(sw.STEPS)})(?: (?:{sw.WHITHER}))?(?: {_OBJ})?(?: (?:{sw.WHITHER}))? (?:to|until|till|for|à|au|aux|al|a|hasta|para) {_VALUE}",
        rf"{_WHO}{_GERMAN_TOLD}(?: {_OBJ})? (?:auf|bis) {_VALUE} (?P<verb>{_any(sw.STEPS)})",
    )
)


def moved_to(text: str) -> str:
    """Return what a sentence tells as news, as an order that says no more: "make it 11 May"; empty where it tells no new value."""
    return _moved(text) if _may_hold(text, sw.STEPS) else ""


def _may_hold(text: str, signs: frozenset[str]) -> bool:
    """Whether it is worth looking for the form of a change: most sentences have none of its words."""
    if len(text) > SHIFT_CHARS_MAX or "?" in text:
        return False
    said = word_set(text)
    return not said.isdisjoint(signs) and said.isdisjoint(sw.UNSETTLED)


@lru_cache(maxsize=2048)
def _moved(text: str) -> str:
    told = _told(text)
    found = next((found for frame in _MOVED if (found := frame.fullmatch(told))), None)
    if found is None or not (found["who"] or found.groupdict().get("before")):
        return ""
    thing = _thing({name: said and said.lower() for name, said in found.groupdict().items() if name != "value"})
    if thing is None:
        return ""
    return f"{thing} is now {found['value']}" if thing else f"make it {found['value']}"


def shift_of(text: str) -> Shift | None:
    """Return by how much a sentence changes something; None where it tells no such thing."""
    return _read(text) if _may_hold(text, _SIGNS) else None


@lru_cache(maxsize=2048)
def _read(text: str) -> Shift | None:
    told = _told(text).lower()
    return next((shift for frame in _FRAMES if (found := frame.fullmatch(told)) and (shift := _shift(found))), None)


def _told(text: str) -> str:
    """A sentence without what stands around it, and with a space between words that grow together."""
    told = text.replace("\u2019", "'").strip().rstrip(".!\u2026 ")
    told = told[_LEAD.match(told.lower()).end() :]  # type: ignore[union-attr]  # it may be empty
    told = _TRAIL.sub("", told[correction_chars(told.lower()) :] or told)
    return _PERCENT.sub(" %", _GLUED.sub(lambda glued: _GLUED_WORDS[glued[1]], told))


def _shift(found: re.Match[str]) -> Shift | None:
    """What a form says, if all that it needs is there."""
    groups = found.groupdict()
    thing = _thing(groups)
    if thing is None:
        return None
    measure, unit = _measure(groups)
    if groups.get("number") and not _is_amount(groups, measure):
        return None
    return Shift(measure, unit, thing)


def _is_amount(groups: dict[str, str | None], measure: Measure) -> bool:
    """Whether a number says how far, and not how many of something there are to be."""
    timed = measure in _TIMED
    # What comes on top, or which way it goes.
    told = bool(groups.get("whither") or groups.get("toward")) or _MORE.search(groups["number"] or "") is not None
    by = groups.get("by") or ""
    if groups.get("compared"):
        return timed
    if giving := groups.get("giving"):
        return told and (measure in _GRANTED or (timed and giving not in _HAVING))
    if groups.get("adding"):
        return measure is not Measure.OTHER and (timed or told or bool(by))
    if verb := groups.get("verb"):
        measured = timed or measure is Measure.SHARE
        placed = by in _ALSO_TO or (measure is Measure.BARE and verb in _PLACING)
        return measured or (not placed and (told or bool(by)))
    return groups.get("whither") in _DEGREES if measure is Measure.OTHER else told and measure is not Measure.BARE


def _thing(groups: dict[str, str | None]) -> str | None:
    """What is moved; empty where a word stands for it, None where that is nothing with a value."""
    who, obj = groups.get("who") or "", groups.get("obj") or ""
    if groups.get("giving") or groups.get("before") or (groups.get("adding") and not obj):
        return ""
    verb = groups.get("factor") or groups.get("verb") or ""
    named = obj or ("" if verb.endswith(_CLITICS) and not who else who)
    said = [word.removesuffix("'s") for word in named.split()]
    if not said:
        # A verb alone points back where it says how far, too: "extend by a week".
        return None if groups.get("factor") and not verb.endswith(_CLITICS) else ""
    if sw.POINTERS.issuperset(said):
        return "" if not groups.get("compared") else None
    if not sw.PERSONS.isdisjoint(said) or _ME.intersection(said):
        return None
    if groups.get("factor") and obj and not who and said[0] not in _ARTICLES:
        return None
    return " ".join(said)


def _measure(groups: dict[str, str | None]) -> tuple[Measure, str]:
    unit = groups.get("unit") or ""
    number = groups.get("number") or ""
    if not number:
        return Measure.SHARE, ""
    if number[0] in "$€£" or unit in sw.MONEY_UNITS:
        return Measure.MONEY, unit
    return next((measure for measure, units in _UNITS if unit in units), Measure.OTHER if unit else Measure.BARE), unit
