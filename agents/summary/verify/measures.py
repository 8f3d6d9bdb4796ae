"""Parts of a whole, bounds and comparisons in a sentence: 3 of 40, at most 48, less swollen than on Monday.

They say more than their numbers and words do: whoever gives the same number with the other bound, or another part of the same whole,
says something else.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from tailrace.agents.language.claim_words import EFFECTS, Does
from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.verify.antonyms import GRADED
from tailrace.agents.summary.verify.claim_tokens import key_of, keys_of, number_of, stem

_COUNTED = {word: effect.of for word, effect in EFFECTS.items() if effect.does is Does.COUNTS}
_NUMBER = rf"(?<![\w.,-])(\d[\d.,]*(?<![.,])|{'|'.join(sorted(_COUNTED, key=len, reverse=True))}|one|einer|eine|un|uno|una|jeden|один)(?![\w-])"
_ONE = dict.fromkeys(words("one einer eine un uno una jeden один"), "1")
_SHARE = re.compile(
    rf"{_NUMBER} (?:[^\W\d_]+ ){{0,2}}?(?:out )?(?:of|von|der|des|de|sur|su|delle|dei|degli|dos|das|van|z|из|av)(?: (?:the|all|den|insgesamt|les|los|las|total|its))* {_NUMBER}",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"\b(?:all(?: of the)?|every one of the|alle|tous les|toutes les|todos los|todas las|tutti i|tutte le|todos os|todas as|wszystkie|все) {_NUMBER}",
    re.IGNORECASE,
)
#: No more than that, and no less: in words that say nothing else, in comparisons, and behind the number.
_MOST = (
    "at most|(?:no|not) more than|at the most|höchstens|maximal|nicht mehr als|au plus|au maximum|pas plus de|como máximo|a lo sumo|no más de|al massimo|"
    "non più di|no máximo|não mais de|hoogstens|maximaal|niet meer dan|najwyżej|не более|не больше"
)
_LEAST = (
    "at least|(?:no|not) (?:less|fewer) than|at the least|mindestens|wenigstens|nicht weniger als|au moins|au minimum|pas moins de|al menos|como mínimo|por lo menos|"
    "no menos de|almeno|non meno di|pelo menos|no mínimo|minstens|niet minder dan|co najmniej|не менее|не меньше"
)
_UNDER = "up to|bis zu|jusqu['\u2019]à|fino a|(?:less|fewer|lower|lighter|shorter) than|weniger als|moins de|menos de|meno di|minder dan|below|under|unter"
_OVER = "(?:more|higher|heavier|longer|greater) than|mehr als|plus de|más de|più di|mais de|meer dan|above|over|über|exceeds?"
_BOUND = re.compile(
    rf"(?<!\w)(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<under>{_UNDER})|(?P<over>{_OVER}))(?!\w)[ :]*(?:[^\W\d_]+ |[$€£¥]){{0,1}}{_NUMBER}",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"{_NUMBER}(?: [^\W\d_]+| [%°€$£]\w?){{0,2}}?,? (?:(?P<most>at (?:the )?most|or (?:less|fewer)|oder weniger|ou moins|o menos|o meno)|"
    r"(?P<least>at least|or more|oder mehr|ou plus|o más|o più|ou mais))(?!\w)",
    re.IGNORECASE,
)
_OF = r"(?:of|von|der|des|de|sur|su|delle|dei|degli|dos|das|van|z|из|av)"
_THE = r"(?:the|these|those|our|my|your|his|her|their|its|den|unsere[nr]?|meine[nr]?|les|nos|los|las|nuestros|nuestras|os|as|nossos|de|onze)"
#: Some of many, and all of them; each with what they are.
_SOME = re.compile(
    rf"(?<!\w)(?:(?:some|several|a few|few|many|most|half|part|one|two|einige|mehrere|manche|viele|eine[rs]?|quelques|plusieurs|algun[oa]s|vari[oa]s|alcun[ei]|enkele|kilka|"
    rf"несколько|\d+) {_OF}(?: {_THE})*|some|several|a few|einige|mehrere|manche|quelques|plusieurs|algun[oa]s|alcun[ei]|enkele|kilka|несколько)"
    rf"(?: {_NUMBER})? ([^\W\d_]+)",
    re.IGNORECASE,
)
_EVERY = re.compile(
    rf"(?<!\w)(?:(?:all|every|each|alle|sämtliche|jede[rs]?|tous|toutes|chaque|todos|todas|cada|tutti|tutte|ogni|elke|wszystkie|все)(?: {_OF})?(?: {_THE}| i| le)?(?: {_NUMBER})? ([^\W\d_]+)|"
    rf"(?<!of )(?:the|our|these|those)(?: {_NUMBER})? ([^\W\d_]{{2,}}s)(?!\w))",
    re.IGNORECASE,
)
_LIMITS: Final = words(
    "max maximum min minimum limit limited limits cap capped capacity up threshold most least more less fewer over under above below"
)

_DEGREES: Final = dict.fromkeys(words("more mehr plus más più mais meer bardziej более больше"), 1) | dict.fromkeys(
    words("less fewer weniger moins menos meno minder mniej менее меньше"), -1
)
_THAN: Final = words("than als que qu di dan niż чем än")
_GRADE_WORD = re.compile(r"[^\W\d_]+|\d[\d.,:]*")
_COMPARATIVE = re.compile(r"[^\W\d_]{3,}er")
#: Between what is compared and the word that compares.
_BETWEEN_MAX = 4


class Bound(NamedTuple):
    """A number with the end that it is: 1 for no more than it, -1 for no less."""

    value: str
    end: int
    #: It is said in words that say nothing else.
    is_limit: bool


class MeasureComparison(NamedTuple):
    """What is compared, by which measure, and which is more."""

    scale: str
    sign: int
    before: frozenset[str]
    behind: frozenset[str]


class Measures(NamedTuple):
    """What a sentence measures."""

    #: Parts by the whole that they are parts of.
    shares: dict[str, set[str]]
    #: Things of which it speaks of some, and of all.
    some: frozenset[str]
    every: frozenset[str]
    #: Of these, what a word like all or each stands before.
    each: frozenset[str]
    bounds: tuple[Bound, ...]
    comparison: MeasureComparison | None
    is_limited: bool


@lru_cache(maxsize=1 << 12)
def measures_of(text: str) -> Measures:
    """Read what a sentence measures."""
    shares: dict[str, set[str]] = {}
    for part, whole in _SHARE.findall(text):
        shares.setdefault(_value(whole), set()).add(_value(part))
    for whole in _ALL.findall(text):
        shares.setdefault(_value(whole), set()).add(_value(whole))
    some, every = (_last_keys(form, text) for form in (_SOME, _EVERY))
    bounds = tuple(map(_bound, (*_BOUND.finditer(text), *_BEHIND.finditer(text))))
    found = [word.lower() for word in _GRADE_WORD.findall(text)]
    each = frozenset(key_of(match[2].lower()) for match in _EVERY.finditer(text) if match[2])
    return Measures(
        shares, some, every - some, each, bounds, _comparison(found), bool(bounds) or not _LIMITS.isdisjoint(found)
    )


def has_other_share(claim: Measures, near: list[Measures]) -> bool:
    """Tell whether a claim gives another part of a whole than sentences that are about the same."""
    for whole, parts in claim.shares.items():
        given = [one.shares[whole] for one in near if whole in one.shares]
        if given and not any(parts & one for one in given):
            return True
    return False


def tells_of_all(claim: Measures, near: list[Measures]) -> bool:
    """Tell whether a claim says of all what sentences that are about the same say only of some."""
    return any(
        any(one in there.some for there in near) and not any(one in there.every for there in near)
        for one in claim.every
    )


def has_other_bound(claim: Measures, near: list[Measures]) -> bool:
    """Tell whether a claim bounds a number from the other side than sentences that are about the same."""
    for bound in claim.bounds:
        ends = {one.end for there in near for one in there.bounds if one.value == bound.value}
        if ends and bound.end not in ends:
            return True
    return False


def drops_bound(claim: Measures, value: str, near: list[Measures]) -> bool:
    """Tell whether a claim gives as exact a number that is only a limit in all sentences that say the same."""
    if claim.is_limited:
        return False
    limits = [any(one.value == value and one.is_limit for one in there.bounds) for there in near]
    return bool(limits) and all(limits)


def compares_otherwise(claim: MeasureComparison, there: MeasureComparison) -> bool:
    """Tell whether of two things that are compared the other one is more."""
    if claim.scale != there.scale:
        return False
    before, behind = claim.before - claim.behind, claim.behind - claim.before
    crossed = before & there.behind - there.before and behind & there.before - there.behind
    straight = behind & there.behind - there.before
    if not crossed and not straight:
        return False
    return claim.sign != (-there.sign if crossed else there.sign)


def _value(written: str) -> str:
    small = written.lower()
    return _ONE.get(small) or _COUNTED.get(small) or number_of(small)


def _last_keys(form: re.Pattern[str], text: str) -> frozenset[str]:
    """What the last word of each match is known by."""
    return frozenset(key_of(match[match.lastindex].lower()) for match in form.finditer(text) if match.lastindex)


def _bound(match: re.Match[str]) -> Bound:
    groups = match.groupdict()
    end = 1 if groups.get("most") or groups.get("under") else -1
    is_limit = bool(groups["most"] or groups["least"])
    value = next(
        group for group in match.groups() if group and (group[0].isdigit() or group.lower() in _COUNTED | _ONE)
    )
    return Bound(_value(value), end, is_limit)


def _comparison(found: list[str]) -> MeasureComparison | None:
    for place, word in enumerate(found):
        if word not in _THAN or place == 0:
            continue
        for back in range(place - 1, max(-1, place - 1 - _BETWEEN_MAX), -1):
            if (graded := _graded(found, back, place)) is not None:
                begin = back - 1 if back and found[back - 1] in _DEGREES else back
                before = frozenset(keys_of(" ".join(found[:begin] + found[back + 1 : place])))
                return MeasureComparison(*graded, before, frozenset(keys_of(" ".join(found[place + 1 :]))))
    return None


def _graded(found: list[str], back: int, place: int) -> tuple[str, int] | None:
    """The scale and the end of it that a word stands for, if it compares."""
    word = found[back]
    degree = _DEGREES.get(found[back - 1], 0) if back else 0
    if word in GRADED:
        scale, sign = GRADED[word]
        return scale, sign * (degree or 1)
    if degree and back == place - 1:
        return stem(word), degree
    if word in _DEGREES:
        return "amount", _DEGREES[word]
    return (stem(word), 1) if back == place - 1 and found[place] == "than" and _COMPARATIVE.fullmatch(word) else None
