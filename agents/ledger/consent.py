"""Whether somebody says yes or no to what was asked: in so many words, by ordering or forbidding that very act, or under a condition.

Consent that nobody gave is worse than a question that stays open. So whoever only takes up a word of the question ("show me the disk"
after "shall I wipe the disk?") has said neither, and a word such as "right" or "fine" counts where nothing else stands beside it.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tailrace.agents.language.lexicon import CONDITIONS, DETERMINERS, FUNCTION_WORDS, MONTHS, NUMBER_WORDS, WEEKDAYS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.consent_words import (
    ACTS,
    AGREEING,
    AMOUNT,
    BEHIND_NO,
    BESIDE,
    FRAMES,
    GOES_ON,
    HOLDS_BACK,
    INTERJECTIONS,
    KEEPS,
    NO,
    NOTING,
    PHRASES,
    PLAINLY,
    UNSPACED,
)

#: An answer stands at the beginning, or as a sentence of its own behind a few others.
_READ_CHARS, _SENTENCES_MAX = 400, 4
#: A condition without what it is a condition of is not longer.
_CONDITION_WORDS_MAX = 6
_STEM_CHARS, _SHORT_CHARS = 4, 3
_WIDE = "\u2e80"

_SENTENCE = re.compile(
    r"[^\n.!?\u3002\uff01\uff1f]+(?:[.!?](?![\s*_\"')\]]|$)[^\n.!?\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*[*_\"')\]]*"
)
_CLAUSE_END = re.compile(r"\s*(?:[,;:\uff0c\uff1b\uff1a\u3001]|\s[-\u2013\u2014]+\s|\u2014)\s*")
_MARKS = ("?", "\uff1f")
_EDGES = " \t*_\"'`~()[].!?\u2026\u3002\uff01\uff1f\u00a1\u00bf>-"
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W\d_]+)?")
#: Behind these comes where, when or with whom, and no longer what.
_TURNS = words(
    "in at on by from to for with until before after next under over near between into onto of via because since as if when im am um an auf bei mit für bis nach vor von aus zu zum zur weil wenn "
    "à au aux en chez pour avec avant après sur por con para antes después de per dopo prima da na em com op om voor met na в на у до после через от и and und et y e"
)
#: Stands for what was spoken of, or tells how much of it, or when.
_NOTHING_NEW = (
    FUNCTION_WORDS
    | NUMBER_WORDS
    | WEEKDAYS
    | MONTHS
    | words(
        "it him her them those these that this one ones first second third last other others rest half part now today tomorrow tonight then later immediately right away soon down off out ab ein los weg please too "
        "instead anyway already ihn sie es die das den alle beide erste zweite ersten zweiten nur heute morgen sofort gleich mal doch nicht maar nu morgen demain aujourd'hui maintenant pas tout "
        "todo todos ahora hoy mañana ya tutto tutti subito domani oggi ora tudo hoje amanhã agora já то это его её их всё все сейчас завтра сегодня ihre ihren leur leurs su sus"
    )
)
#: Whoever refuses may say why behind it.
_DENIES = re.compile(
    r"\b(?:not|no|never|don't|nicht|nie|keine?n?|keinesfalls|pas|jamais|aucun|nunca|jamás|non|mai|não|niet|nooit|geen|nigdy|не|нет|нельзя|никогда)(?!\w)|[不别]"
)
#: Begins what the clause before it is about.
_COMPLETING = words("that dass que che dat że что")
_BINDING = words("only just nur seulement solo sólo alleen tylko только")
_ASKS_BACK = words("me us mir uns moi nous")


def consents(said: str, question: str, *, late: bool = False) -> bool:
    """Tell whether words agree to a question, refuse it, or put either under a condition; behind other talk no condition alone does so."""
    return bool(consent_in(said, question, late=late))


def consent_in(said: str, question: str, *, late: bool = False) -> str:
    """The sentence that says yes or no, with the next one where that is its condition; empty where none does."""
    sentences = [one.strip() for one in _SENTENCE.findall(said[:_READ_CHARS]) if one.strip(_EDGES)]
    for place, sentence in enumerate(sentences[:_SENTENCES_MAX]):
        if _says(sentence, question, at_once=not late):
            behind = sentences[place + 1 : place + 2]
            return f"{sentence} {behind[0]}" if behind and GOES_ON.match(_bare(behind[0])) else sentence
    return ""


def only_takes_note(said: str) -> bool:
    """Tell whether words that agree may be meant for what was reported last: "ok", whatever comes in the sentences behind it."""
    first = next((bare for one in _SENTENCE.findall(said[:_READ_CHARS]) if (bare := _bare(one))), "")
    words = frozenset(_words(first))
    return bool(words) and (NOTING | INTERJECTIONS).issuperset(words)


def _says(sentence: str, question: str, *, at_once: bool) -> bool:
    clauses = [clause for one in _CLAUSE_END.split(sentence) if (clause := _bare(one))]
    asks = sentence.rstrip("*_\"') ").endswith(_MARKS)
    while clauses and not AGREEING.intersection(said := _words(clauses[0])) and INTERJECTIONS.issuperset(said):
        del clauses[0]
    if not clauses:
        return False
    first, *rest = clauses
    if PLAINLY.match(first) or _says_no(first):
        return True
    if asks:
        return first == "why not"
    if _agrees(first) and (not _DENIES.search(first) or KEEPS.fullmatch(first)):
        # Behind a comma something else may follow, which is what is wanted then: "ok, now look at the pumps".
        goes_on = (
            not rest
            or ACTS.fullmatch(first) is not None
            or (KEEPS.fullmatch(first) is not None and rest[0].split()[0] not in _COMPLETING)
            or GOES_ON.match(rest[0]) is not None
            or INTERJECTIONS.issuperset(_words(rest[0]))
        )
        return goes_on or any(_is_answer(one, question, at_once=at_once) for one in rest)
    return any(_is_answer(one, question, at_once=at_once) for one in clauses) or (at_once and _is_condition(clauses))


def _is_answer(clause: str, question: str, *, at_once: bool) -> bool:
    """Whether one clause says yes or no, or orders or forbids what was asked; or, where it comes at once, binds it or wants another amount."""
    if PLAINLY.match(clause) or _says_no(clause) or _agrees(clause):
        return True
    if not at_once:
        # "Only blue" may bind anything that was spoken of since.
        return clause.split(" ", 1)[0] not in _BINDING and _orders(clause, question)
    if _orders(clause, question):
        return True
    return HOLDS_BACK.match(clause) is not None or (
        AMOUNT.match(clause) is not None and any(map(str.isdigit, question))
    )


def _says_no(clause: str) -> bool:
    found = NO.match(clause)
    if found is None:
        return False
    behind = _words(found["rest"])
    return not behind or behind[0] in BEHIND_NO


def _agrees(clause: str) -> bool:
    """Whether a clause does nothing but agree, refuse or put off; what goes on behind it may be a condition."""
    if PHRASES.fullmatch(clause) or KEEPS.fullmatch(clause) or (clause[0] >= _WIDE and UNSPACED.fullmatch(clause)):
        return True
    said = _words(clause)
    end = next((at for at, word in enumerate(said) if at and GOES_ON.fullmatch(word)), len(said))
    return not AGREEING.isdisjoint(said[:end]) and (AGREEING | BESIDE).issuperset(said[:end])


def _is_condition(clauses: Sequence[str]) -> bool:
    """Whether a sentence is nothing but a condition: what it is a condition of stands in the question."""
    if HOLDS_BACK.match(clauses[0]):
        return True
    said = _words(clauses[0])
    if len(clauses) > 1 or not 1 < len(said) <= _CONDITION_WORDS_MAX:
        return False
    return said[0] in CONDITIONS and _ASKS_BACK.isdisjoint(said)


def _orders(clause: str, question: str) -> bool:
    """Whether a clause orders, allows or forbids the act that a question asks about: the same verb, of the same or of nothing else."""
    if clause[0] >= _WIDE:
        return _is_part(clause, question)
    asked = _stems(question)
    ordered = _words(clause[frame.end() :] if (frame := FRAMES.match(clause)) else clause)
    if not ordered or ordered[0] in _NOTHING_NEW:
        return False
    # A verb of German or Dutch may have left its first part at the end: "schick sie ab" for "abschicken".
    parted = ordered[-1] + ordered[0][:_STEM_CHARS]
    if not _is_of(ordered[0], asked) and not any(word.startswith(parted) for word in _words(question.lower())):
        return False
    what = [*_until_turn(ordered[1:])] or ordered[1:]
    telling = [word for word in what if word not in _NOTHING_NEW and word not in _TURNS and not word.isdigit()]
    return not telling or any(_is_of(word, _things(question)) for word in telling)


def _until_turn(said: Sequence[str]) -> Iterator[str]:
    for word in said:
        if word in _TURNS:
            return
        yield word


def _is_part(clause: str, question: str) -> bool:
    """The same where words are not apart: all that tells something stands in the question."""
    bare = re.sub(r"^(?:请|那就?|就|不要|不用|别|千万别|先别|不必|可以)+|[了吧啊呀呢它。]+$|把|它", "", clause)
    return len(bare) > 1 and bare in question


@lru_cache(maxsize=64)
def _stems(question: str) -> frozenset[str]:
    """What a question asks about doing, by the beginnings of its words: those that no article makes a thing."""
    said = _words(question.lower())
    return frozenset(
        _stem(word)
        for before, word in zip(["", *said], said, strict=False)
        if before not in DETERMINERS and word not in FUNCTION_WORDS and len(word) >= _SHORT_CHARS
    )


@lru_cache(maxsize=64)
def _things(question: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _words(question.lower()) if word not in FUNCTION_WORDS)


def _is_of(word: str, stems: frozenset[str]) -> bool:
    stem = _stem(word)
    return stem in stems or (len(stem) == _SHORT_CHARS and any(one.startswith(stem) for one in stems))


def _stem(word: str) -> str:
    """The beginning of a word, without accents: forms of one verb differ in them."""
    if not word.isascii():
        word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    return word[:_STEM_CHARS]


def _words(small: str) -> list[str]:
    return [word.replace("\u2019", "'") for word in _WORD.findall(small)]


def _bare(clause: str) -> str:
    """A clause in small letters, without what stands around it."""
    return " ".join(clause.strip(_EDGES).replace("\u2019", "'").lower().split())
