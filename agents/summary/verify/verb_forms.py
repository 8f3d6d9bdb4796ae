"""Verbs that a sentence tells as done, and those that it only names: in an order, behind "to", or behind a word like must.

Told from their form and their place, so no list of verbs is needed: who says "transfer 500 euros" has not said that they were
transferred, whoever speaks. What names a purpose ("edited the file to raise the limit") is mostly done, and not counted.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tailrace.agents.language.cues import is_verb
from tailrace.agents.language.lexicon import FUNCTION_WORDS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.summary.verify.claim_tokens import stem
from tailrace.agents.summary.verify.irregular_verbs import IRREGULAR

_WORD = re.compile(r"[^\W\d]\w*(?:['\u2019][^\W\d_]+)?|\d+|[,:;!?](?=\s)")
#: Forms that say that something was done, by their endings; nouns and adjectives that look like it do no harm.
_DONE = re.compile(
    r"[^\W\d_]+[^\We]ed|[^\W\d_]+ied|(?:[^\W\d_]{2,4})?ge[^\W\d_]{3,}(?:t|en)|[^\W\d_]{3,}iert|"
    r"(?:be|ver|er|ent|zer|über|unter)[^\W\d_]{3,}t|[^\W\d_]{3,}(?:é|ée|és|ées)|[^\W\d_]{3,}(?:[aiu]d[oa]s?|[aiu]t[oai])|"
    r"[^\W\d_]{3,}(?:ó|ò|ou|iu)|[^\W\d_]{3,}(?:ł|ła|ło|ły|li|ono|ano|ony|ana)|[^\W\d_]{3,}(?:л|ла|ло|ли|лся|лась|лись|ен|ена|ено|ены)"
)
#: Before a verb that has forms of its own: overridden, withdrawn, rebuilt.
_BUILT_ON = re.compile(r"^(?:over|under|out|with|fore|mis|re|un)(?=[^\W\d_]{3})")
_GERMAN_BARE = re.compile(r"[^\W\d_]{3,}(?:en|ern|eln)")
_ROMANCE_BARE = re.compile(r"[^\W\d_]{2,}(?:[aeiáéí]r|re|oir|[aei]re|[aeií]rse|[aei]rla|[aei]rlo)")
_SLAVIC_BARE = re.compile(r"[^\W\d_]{2,}(?:ć|ть|ти|ться)")
#: Before a verb that is only named, in English.
_MODAL: Final = words(
    "will shall would could can may might must should i'll we'll you'll they'll please kindly let's lets don't do does did not cannot can't"
)
#: Before "to" where that is so, perhaps with somebody in between.
_MEANT: Final = words(
    "want wants wanted plan plans planned planning intend intends propose proposes proposed suggest suggests promise promises promised "
    "suggested offer offers offered hope hopes hoped agree agrees ask asks asked tell tells told order orders ordered need needs has have "
    "ought going supposed required advise advises advised instruct instructs instructed request requests requested invite invites urge "
    "urges urged remind reminds allow allows permit permits expect expects expected due ready try tries tried attempt attempts attempted "
    "is are manage refuse refused fail failed decline declined unable recommend recommends recommended"
)
_OBJECTS: Final = words("me you him her us them it everyone everybody agents assistants")
#: In a sentence of another language whose infinitives are only named.
_MEANING: Final = words(
    "muss müssen soll sollen sollte wird werden kann könnte bitte zu weigert würde moet moeten kan zal zou graag alstublieft gelieve "
    "il faut doit doivent peut va vais allons veuillez refusé pourrait de hay debe deben puede va vamos negó podría favor tiene deve devono "
    "può bisogna prego rifiutato poderia pode recusou musi należy trzeba proszę może должен должна нужно надо можно пожалуйста прошу"
)
#: Unless it says what for, or that it could be done.
_PURPOSE: Final = words(
    "um damit konnte konnten pour pu para pudo per potuto om kon konden żeby aby чтобы смог удалось"
)
#: Behind the verb of an order, and never behind a noun.
_DETERMINERS: Final = words(
    "the a an this that these those all any every each your my our his her its their both no it them me us him"
)


class VerbForms(NamedTuple):
    """Stems of the verbs of a sentence."""

    done: frozenset[str]
    bare: frozenset[str]
    #: Of what is bare, the verbs of what is an order for sure.
    ordered: frozenset[str]


@lru_cache(maxsize=1 << 12)
def verb_forms(text: str) -> VerbForms:
    """What a sentence tells as done, only names, and orders."""
    written = _WORD.findall(text)
    # A capital that stands alone is a label: "group A".
    found = [word if word in _LABELS and place else word.lower() for place, word in enumerate(written)]
    # A capital inside of a sentence is that of a name.
    told = (
        small
        for word, small in zip(written, found, strict=True)
        if (word[0] == small[0] and word not in _LABELS) or word is written[0]
    )
    done = frozenset(stem(word) for word in told if _BUILT_ON.sub("", word) in IRREGULAR or _DONE.fullmatch(word))
    if not _HELPS.isdisjoint(found) and _MEANING.isdisjoint(found):
        # Many participles look like what is only named: "wurde überwiesen".
        done = done.union(stem(word) for word in written if word.islower() and _GERMAN_BARE.fullmatch(word))
    begins = list(_begins(found))
    ordered = frozenset(stem(word) for word, rest, asked in begins if _is_order(word, rest, asked=asked))
    named = frozenset(stem(word) for word, _, _ in begins).union(_named(found), _infinitives(found))
    return VerbForms(done, named, ordered)


def begins_with_order(text: str) -> bool:
    """Tell whether the first word of a text that is not polite is the verb of an order."""
    first = next((word for word in (one.lower() for one in _WORD.findall(text)) if word not in POLITE), "")
    return stem(first) in verb_forms(text).ordered


def is_bare_beginning(found: list[str]) -> bool:
    """Tell whether the first of these words may be the verb of an order: it has no ending of one that is told, and no other verb follows."""
    word, rest = found[0], found[1:]
    # What is told in a clause of its own tells nothing of the first word: "tell Anna that it was fine".
    apart = next((place for place, one in enumerate(rest) if one in _APART), len(rest))
    many = word.endswith("s") and not word.endswith("ss")
    if many or _is_inflected(word) or _DONE.fullmatch(word) or _tells(rest[:apart]):
        return False
    return _is_object(rest[0]) or rest[0] in _ARTICLES or rest[0] not in FUNCTION_WORDS


def _begins(found: list[str]) -> Iterator[tuple[str, list[str], bool]]:
    """Yield what a sentence and the parts of it that are set apart may begin with as an order: the word, what follows, and whether it is polite."""
    begins, asked, many = True, False, 0
    for place, word in enumerate(found):
        if word in _MARKS or (word in _AND and many):
            begins, asked = True, False
        elif word in POLITE:
            asked |= word not in _AND
        elif begins:
            begins = False
            rest = found[place + 1 :]
            if rest and rest[0] in _PARTICLES:
                del rest[0]
            is_word = (
                word.isalpha() and (asked or word not in FUNCTION_WORDS or is_verb(word)) and not _is_inflected(word)
            )
            if is_word and rest and (asked or _is_object(rest[0]) or not (rest[0] in FUNCTION_WORDS or _tells(rest))):
                many += 1
                yield word, rest, asked


def _is_order(word: str, rest: list[str], *, asked: bool) -> bool:
    """Whether such a word is a verb for sure: not one of a heading, or of what is counted."""
    if asked or rest[0] in _DETERMINERS or rest[0] == "sie":
        return True
    counts = rest[0].isdigit()
    return (
        is_verb(word)
        and not _tells(rest)
        and (not counts or (len(rest) > 1 and rest[1] not in FUNCTION_WORDS | _MARKS))
    )


def _is_object(behind: str) -> bool:
    return behind in _DETERMINERS or behind.isdigit() or behind == "sie"


def _tells(found: list[str]) -> bool:
    """Whether a part of a sentence has a verb of its own: then the word before it is what that is said of."""
    end = next((place for place, word in enumerate(found) if word in _MARKS), len(found))
    return any(word in _FINITE or word in IRREGULAR or _DONE.fullmatch(word) for word in found[:end])


def _named(found: list[str]) -> list[str]:
    named: list[str] = []
    for place, word in enumerate(found):
        if place == 0 or word in FUNCTION_WORDS or not word.isalpha() or _is_inflected(word):
            continue
        before = found[max(0, place - 4) : place]
        while before and before[-1] in _BETWEEN:
            before.pop()
        if not before:
            continue
        governors = before[:-1]
        if governors and governors[-1] in _OBJECTS:
            governors = governors[:-1]
        is_meant = before[-1] == "to" and any(one in _MEANT for one in governors[-2:])
        if is_meant or before[-1] in _MODAL or (before[-1] in _WHO and any(one in _MODAL for one in before[:-1])):
            named.append(stem(word))
    return named


def _infinitives(found: list[str]) -> list[str]:
    """Verbs of other languages that stand in the form in which they are only named."""
    if (_MEANING.isdisjoint(found) and "sie" not in found[1:]) or not _PURPOSE.isdisjoint(found):
        return []
    return [stem(word) for word in found if not _DONE.fullmatch(word) and _is_bare(word)]


def _is_bare(word: str) -> bool:
    matches = (_GERMAN_BARE.fullmatch(word), _ROMANCE_BARE.fullmatch(word), _SLAVIC_BARE.fullmatch(word))
    return any(matches)


def _is_inflected(word: str) -> bool:
    return word in IRREGULAR or (word.endswith(("ed", "ing")) and not word.endswith("eed"))


_FINITE: Final = words(
    "is are was were has have had will must can ist sind war wurde wurden hat haben wird est sont ont fue fueron è sono"
)
_HELPS: Final = words("wurde wurden worden hat haben ist sind war waren werd zijn heeft")
_MARKS: Final = frozenset(",:;!?")
_LABELS: Final = frozenset("ABCDEFGHJKLMNOPQRSTUVWXYZ")
_ARTICLES: Final = words("den die das dem ein eine einen alle le la les un une el los las una il lo gli de het een")
_APART: Final = words("that which who whether if when because once after before until since")
_AND: Final = words("and but so then also just und aber auch")
#: Between a verb that has two words and what it is done to.
_PARTICLES: Final = words("out up off back down away")
_BETWEEN: Final = words("be not also now then only just never always really first")
_WHO: Final = words("i we you they he she it anyone somebody someone everybody")
