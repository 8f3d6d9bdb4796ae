"""Which of the statements that hold a release lets go of, and which it only speaks of.

A rule is lifted only by what speaks of all of it: who may write to Jens may still not write to Petra, and who may deploy today may have
been asked to ask first. What speaks of a part, of a case or of a condition stands behind the rule, and both are read.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from tailrace.agents.language.lexicon import REVOKING_NOUNS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.anaphora import about
from tailrace.agents.ledger.proper_names import names_in
from tailrace.agents.ledger.release_forms import ReleaseEffect
from tailrace.agents.ledger.release_frames import Release, release_of
from tailrace.agents.ledger.release_words import (
    ABSOLUTE,
    BEGINNING,
    BOUNDING,
    CONDITIONAL,
    EMPTY,
    FORBIDS_UNSPACED,
    LINKING,
    NARROWING,
    NARROWING_UNSPACED,
    NO_LONGER_ALLOWED,
    RESTRICTING,
    RULE_CHARS,
    UNIVERSAL,
)
from tailrace.agents.ledger.stems import stem
from tailrace.agents.ledger.subjects import Subject, ValueKind, is_numbered, subject_of, values_of
from tailrace.agents.ledger.word_sets import word_set
from tailrace.schemas.records.ledger import Directive

#: Whoever lifts a rule says so in a line; what is longer explains something.
RELEASE_CHARS_MAX = 200
#: What means something only beside a rule is said in a few words, too.
TOUCH_CHARS_MAX = 120
#: What can be doubled, put off or turned down.
_MEASURED = frozenset((ValueKind.NUMBER, ValueKind.DATE, ValueKind.CLOCK))
#: So many words in common tell what is meant, where a clause has so many.
_SURE_MIN = 2
_CLAUSES = re.compile(r"[,;:.!](?:\s+|$)")
_PERMITTING = frozenset((ReleaseEffect.PERMIT, ReleaseEffect.ALLOW, ReleaseEffect.OTHERS, ReleaseEffect.SOME))
_SPARING = frozenset((ReleaseEffect.EXEMPT, ReleaseEffect.NEEDLESS))
#: They don't tell what holds now.
_UNTOLD = frozenset((ReleaseEffect.BESIDE, ReleaseEffect.SOME, ReleaseEffect.NEAR, ReleaseEffect.TURN))
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|\w[\w'@-]*(?:[/._]\w[\w-]*)*|,")
_EMPTY = EMPTY | {","}
#: A verb at the beginning and its first part at the end, in German and Dutch.
_PREFIXES = words("an auf ab aus ein zu weg los mit vor nach um bei aan op af uit mee toe")
_TOLD_APART = re.compile(
    r"(?:bitte )?(?P<verb>[^\W\d_]{3,}) .*\b(?:nie|niemals|nicht|kein\w*|nooit|niet|geen)\b.* "
    rf"(?P<prefix>{'|'.join(sorted(_PREFIXES))})[.!]?$"
)
_DONE = re.compile(r"(?P<prefix>an|auf|ab|aus|ein|zu|weg|los|mit|vor|nach|um|bei)ge(?P<verb>\w{3,}?)(?:t|en)")
#: "Iss" comes from "essen".
_STRONG_STARTS = "ei"
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1+")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_LINK = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(LINKING))})(?!\w)")
_INFLECTION = re.compile("[\u3041-\u3096]+$")
_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
#: Of two forms of a word the endings are at most so long, and what they share is at least so long.
_ENDING_CHARS_MAX = 3
_ROOT_CHARS_MIN = 3


def lifted_by(text: str, source: str, stated: Sequence[Directive]) -> Directive | None:
    """Return the statement of another message that a release lets go of wholly; None if there is none."""
    release = release_of(text) if len(text) <= RELEASE_CHARS_MAX else None
    if release is None or not release.sure or release.effect in _UNTOLD:
        return None
    return next((old for old in reversed(stated) if old.source != source and _lifts(text, release, about(old))), None)


def swept_by(text: str, source: str, stated: Sequence[Directive]) -> list[Directive]:
    """Return the statements that one about all rules lets go of: those that people made, in other messages."""
    if not sweeps(text):
        return []
    return [old for old in stated if old.source != source and not old.prompted]


@lru_cache(maxsize=1024)
def sweeps(text: str) -> bool:
    """Tell whether a statement takes back everything that its speaker demanded before."""
    release = release_of(text) if len(text) <= RELEASE_CHARS_MAX else None
    if release is None or not release.sure or release.effect is not ReleaseEffect.VOID:
        return False
    said = word_set(text)
    return (
        not said.isdisjoint(UNIVERSAL)
        and not said.isdisjoint(REVOKING_NOUNS)
        and said.isdisjoint(NARROWING)
        and not _gist(release.scope)
    )


def touches(text: str, stated: Sequence[Directive]) -> bool:
    """Tell whether what has the form of a release speaks of something that was stated: then it is worth keeping beside it."""
    release = release_of(text) if len(text) <= TOUCH_CHARS_MAX and "?" not in text else None
    if release is None:
        return False
    return (
        release.firm or release.effect is ReleaseEffect.TURN or any(_speaks_of(release, about(old)) for old in stated)
    )


def _speaks_of(release: Release, old: str) -> bool:
    """Whether a release is about a rule, a part of it or a case of it; a step, about something that has a measure."""
    named, ruled = _gist(release.scope), _gist(old)
    met = sum(bool(_met(one, ruled, plain=release.plain)) for one in named)
    if not met:
        return False
    if release.effect is ReleaseEffect.VOID:
        return met == len(named)
    if release.effect is ReleaseEffect.BESIDE and not _MEASURED.isdisjoint(subject_of(old).values):
        return 2 * met >= len(named)
    if release.effect is ReleaseEffect.NEAR or (release.effect in _PERMITTING and _permits_some(release, named, old)):
        return True
    # It speaks of most of the rule, or is itself mostly about what that speaks of.
    return (3 * met >= 2 * len(named) or met == len(ruled) or (met > 1 and 3 * met >= 2 * len(ruled))) and _restricts(
        old
    )


def _permits_some(release: Release, named: Sequence[str], old: str) -> bool:
    """Whether a permission is for a case of what one clause of a rule forbids: it names that, whatever else it speaks of."""
    return any(
        clause and sum(bool(_met(one, clause, plain=release.plain)) for one in named) >= min(len(clause), _SURE_MIN)
        for clause in map(_gist, filter(_restricts, _CLAUSES.split(old)))
    )


def _lifts(text: str, release: Release, old: str) -> bool:
    if release.effect is ReleaseEffect.VOID:
        return _voids(release.scope, old)
    permits = release.effect not in _SPARING
    if (permits and not _restricts(old)) or _narrows(text, old):
        return False
    if _SCRIPT.search(release.scope):
        return _bare(release.scope) == _bare(old)
    names = names_in(text) | names_in(old)
    named, ruled = _gist(release.scope, names), _gist(old, names)
    if release.effect is ReleaseEffect.OTHERS:
        return named == ruled
    # Most rules are about something else, which the first word tells.
    forms = (_met(one, ruled, plain=release.plain or one in names) for one in named)
    met = [*takewhile(bool, forms)]
    if not met or len(met) < len(named):
        return False
    missing = [one for one in ruled if one not in met]
    deed = release.effect is ReleaseEffect.ALLOW and missing == [ruled[0]]
    needless = release.effect is ReleaseEffect.NEEDLESS and len(missing) == 1
    return not missing or ((deed or needless) and not _is_part(release.scope, old))


def _voids(scope: str, old: str) -> bool:
    """Whether what is declared void is all that a rule speaks of; the names in both are the same."""
    strangers = names_in(scope) - REVOKING_NOUNS - frozenset(_WORD.findall(old.lower()))
    return not strangers and _names(subject_of(scope), subject_of(old)) and not _is_part(scope, old)


def loosens(text: str, old: str) -> bool:
    """Tell whether a statement only lets something be, beside a rule that it doesn't lift: it can't take the place of that."""
    release = release_of(text)
    if release is None or release.effect is ReleaseEffect.TURN or release.effect is ReleaseEffect.NEAR:
        return False
    if release.effect is ReleaseEffect.BESIDE:
        return ABSOLUTE.search(text) is None
    if not release.sure:
        return True
    if release.effect is not ReleaseEffect.VOID and release.effect not in _SPARING and not _restricts(old):
        return False
    new, former = subject_of(text).values, subject_of(old).values
    if release.effect in _PERMITTING and not _bounds(text, old):
        return True
    # Another limit is set anew; one of the numbers of a rule names a part of it.
    return new.get(ValueKind.NUMBER, frozenset()) <= former.get(ValueKind.NUMBER, frozenset())


def leads_to_a_value(text: str) -> bool:
    """Tell whether a statement takes a step up or down and says where that leads: an hour later, at 18:00."""
    release = release_of(text)
    return release is not None and release.effect is ReleaseEffect.BESIDE and ABSOLUTE.search(text) is not None


def restricts_more(text: str, old: str) -> bool:
    """Tell whether what is forbidden was forbidden to others before, or something else was permitted: that goes on."""
    if _withdraws(text) and _restricts(old):
        return True
    release = release_of(old)
    return release is not None and release.effect in _PERMITTING and _restricts(text) and not _bounds(text, old)


@lru_cache(maxsize=1024)
def _withdraws(text: str) -> bool:
    return NO_LONGER_ALLOWED.search(text.lower()) is not None


def _bounds(text: str, old: str) -> bool:
    """Whether a number in one of two statements is a bound; otherwise it tells which thing is meant: the invoices of another year."""
    return not BOUNDING.isdisjoint(word_set(text)) or not BOUNDING.isdisjoint(word_set(old))


@lru_cache(maxsize=4096)
def _restricts(old: str) -> bool:
    return not RESTRICTING.isdisjoint(word_set(old)) or (
        _SCRIPT.search(old) is not None and FORBIDS_UNSPACED.search(old) is not None
    )


def _narrows(text: str, old: str) -> bool:
    """Whether a permission is for a case that the rule doesn't speak of."""
    small = _begun(text)
    return (
        not NARROWING.intersection(word_set(small)) <= word_set(old)
        or CONDITIONAL.search(small) is not None
        or (not text.isascii() and any(part in text and part not in old for part in NARROWING_UNSPACED))
    )


@lru_cache(maxsize=256)
def _begun(text: str) -> str:
    """A statement in small letters, without when it begins to hold."""
    return BEGINNING.sub(" ", text.lower())


@lru_cache(maxsize=4096)
def _gist(text: str, names: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Stems of the words that tell what a statement is about, in their order; names stay whole."""
    telling = _telling(text)
    if names and names.isdisjoint(telling):
        return _gist(text)
    return tuple(dict.fromkeys((word if word in names else stem(word).rstrip("eiy")) or word for word in telling))


@lru_cache(maxsize=4096)
def _telling(text: str) -> tuple[str, ...]:
    """The words that tell what a statement is about."""
    small = text.lower().replace("\u2019", "'")
    ends_apart = small.rpartition(" ")[2].rstrip(".!\n") in _PREFIXES
    told = _TOLD_APART.match(small) if ends_apart else None
    if told is not None:
        # "Fass es nicht an" is about "anfassen".
        small = f"{told['prefix']}{told['verb']} {small[told.end('verb') : told.start('prefix')]}"
    found = [word for word in _TOKEN.findall(small) if word not in _EMPTY]
    if "'" not in small:
        return tuple(found)
    return tuple(part for word in found for part in word.split("'") if part and part not in EMPTY)


def _met(word: str, others: Sequence[str], *, plain: bool) -> str:
    """The word among others that is the same, or else another form of it; empty if there is none."""
    if plain or word in others:
        return word if word in others else ""
    # Most begin otherwise, which is seen at once.
    begins = _STRONG_STARTS if word[0] in _STRONG_STARTS else word[0]
    return next((other for other in others if other[0] in begins and _akin(word, other)), "")


def _akin(word: str, other: str) -> bool:
    """Whether two words may be forms of one: the same but for an ending, or for the vowel of a strong verb."""
    if word[0].isdigit():
        return False
    root = max(_ROOT_CHARS_MIN, max(len(word), len(other)) - _ENDING_CHARS_MAX)
    return word[:root] == other[:root] or _folded(word) == _folded(other)


@lru_cache(maxsize=4096)
def _folded(word: str) -> str:
    """A German verb without what tells its forms apart: nimm and nehmen, gib and geben, angefasst and anfassen."""
    done = _DONE.fullmatch(word)
    root = f"{done['prefix']}{done['verb']}" if done else word.removesuffix("en")
    return _DOUBLED.sub(r"\1", root.replace("ie", "e").replace("i", "e").replace("h", ""))


def _bare(text: str) -> str:
    """A statement in a script without spaces, without what makes it a rule or a permission, and without its last ending."""
    return _INFLECTION.sub("", RULE_CHARS.sub("", text.lower()))


def _is_part(scope: str, old: str) -> bool:
    """Whether a release names one of several things that a rule is about alike: the rule goes on for the others."""
    parts = [part for part in map(_gist, _LINK.split(old.lower())) if part]
    named = _gist(scope)
    met = [not frozenset(part).isdisjoint(named) for part in parts]
    return any(met) and not all(met)


def _names(new: Subject, old: Subject) -> bool:
    """Whether a statement names nothing but what another speaks of."""
    former = old.terms | old.condition | values_of(old)
    named = new.terms | new.condition
    if not named and not new.values:
        return False
    # A person, a file, a day or a gate that the other doesn't speak of is another one: who may write to Boris may not write to Anna.
    telling = {ValueKind.NAME, ValueKind.DATE, *((ValueKind.NUMBER,) if is_numbered(new) else ())}
    others = (
        kind
        for kind, values in new.values.items()
        if (kind not in old.values and not values <= former) or (kind in telling and values.isdisjoint(former))
    )
    return named <= former and next(others, None) is None
