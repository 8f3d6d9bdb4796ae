"""Words and values of a sentence, each looked at once however often it is said.

A value is a number, or what has digits in it or was written for a machine; everything else that is no word of form is what a
sentence is about. Forms of one word have one stem.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from tailrace.agents.language.claim_words import EFFECTS, UNITS, Does, Effect
from tailrace.agents.summary.verify.irregular_verbs import IRREGULAR

#: Words and identifiers, hexadecimal numbers, numbers, signs of units, and a colon that is none of a number.
TOKEN: Final = re.compile(
    r"[^\W\d_]\w*(?:-\d\w*)*(?:['\u2019](?:t|ll|d|re|ve|m|s)\b)?|"
    r"0x[0-9a-f]+|\d+[a-f][0-9a-f]{5,}\b|\d+(?:[.,:-]\d+)*|[%\u20ac$£¥]|°[CF]\b|:(?=\s)"
)
_THOUSANDS = re.compile(r"(?<=\d)[,.](?=\d{3}(?:\D|$))")
#: What is no word: it has digits, or was written for a machine.
_IDENTIFIER = re.compile(r"[\d_]|[a-z][A-Z]")
_WRITTEN_FOR_MACHINES = re.compile(r"_|[a-z][A-Z]")
#: Denied by their beginning, where what is left is a word.
_UN = re.compile(r"un(?=[^\W\d_]{4})(?!de|it|io|iq|if|iv|ti|le|cl|te|se)")
#: Before the stem of a German or Dutch participle.
_PARTICIPLE = re.compile(r"^ge(?=[^\W\d_]{3,}(?:t|en)$)")
_GERMAN_DONE = re.compile(r"(?<=^ge[^\W\d_]{3})et$|(?<=^ge[^\W\d_]{4})et$|(?<=^ge[^\W\d_]{5})et$")
_PLURAL = re.compile(r"(?<=[^\Ws]{3})s$")
_ENDINGS = re.compile(r"(?:(?<=[^\W\d_]{3})y(?:ing|ed)|ing|ied|ie|ed|en|er|ée|[eyé])$")
#: Behind an ending that a verb has of its own: "covered" as "cover".
_INFLECTED = re.compile(r"(?<=[^\W\d_]{3}e[rn])(?:ed|ing)$")
#: A Spanish verb that was done, as it begins in its other forms.
_PRETERITE = re.compile(r"(?<=[^\W\d_]{3})ó$")
#: From here on scripts are written without spaces, and pairs of letters stand for words.
UNSPACED_FROM: Final = "\u0e00"
_STEM_CHARS, _STEM_CHARS_MIN = 5, 3
_MONEY_SIGNS = frozenset("$\u20ac£¥")
_REMEMBERED_TOKENS = 1 << 15
_SPEAKER, _MONTH = ("I",), ("May",)
_DENIES = Effect(Does.DENIES_NEXT)


class TokenKind(Enum):
    """What a token is."""

    NUMBER = auto()
    #: Has digits and letters: a thing may be called so. Written for machines: a name of a program's own.
    LABEL = auto()
    IDENTIFIER = auto()
    #: A single capital, which is a label behind a word.
    LETTER = auto()
    SIGN = auto()
    UNSPACED = auto()
    EFFECT = auto()
    WORD = auto()


class Token(NamedTuple):
    """A token, and all that can be told of it alone."""

    kind: TokenKind
    #: In small letters, and what it is known by: its stem, or the value itself.
    small: str
    key: str
    #: The unit that it is behind a number, empty for none.
    unit: str = ""
    effect: Effect | None = None
    is_capital: bool = False
    #: Its beginning denies it.
    is_reversed: bool = False


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a text."""
    return map(_look, TOKEN.findall(text))


def keys_of(sentence: str) -> set[str]:
    """The words and values that a sentence is about, without reading it: much faster, and good enough to find it."""
    return {key for token in set(TOKEN.findall(sentence)) for key in _keys(token)}


def units_beside(value: str, sentence: str) -> Iterator[str]:
    """Yield the unit of a number wherever it stands in a sentence, empty where it has none."""
    found = ["", *TOKEN.findall(sentence), ""]
    for place, token in enumerate(found[1:-1], 1):
        if value in _keys(token):
            before, behind = found[place - 1], found[place + 1]
            yield _unit(behind) or (UNITS[before] if before in _MONEY_SIGNS else "")


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def stem(word: str) -> str:
    """The part of a word in small letters that its forms share."""
    word = _GERMAN_DONE.sub("", word)
    word = _PRETERITE.sub("a", _PARTICIPLE.sub("", IRREGULAR.get(word, word)))
    bare = _ENDINGS.sub("", _INFLECTED.sub("", _PLURAL.sub("", word)))
    if len(bare) < _STEM_CHARS_MIN:
        bare = word
    if len(bare) > _STEM_CHARS_MIN and bare[-1] == bare[-2]:
        bare = bare[:-1]
    return bare[:_STEM_CHARS]


def key_of(small: str) -> str:
    """What a word in small letters is known by: the stem of what it denies, where its beginning does."""
    return stem(small[2:] if _UN.match(small) else small)


def number_of(token: str) -> str:
    """A number without separators of thousands and leading zeros."""
    bare = _THOUSANDS.sub("", token)
    return bare.lstrip("0") or "0" if bare.isdigit() else bare


def pairs_of(run: str) -> list[str]:
    """What stands for words where these are written without spaces."""
    return [run[place : place + 2] for place in range(max(1, len(run) - 1))]


def _unit(token: str) -> str:
    return UNITS.get(token) or UNITS.get(token.lower(), "")


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def _look(token: str) -> Token:
    small = token.lower().replace("\u2019", "'")
    unit = _unit(token)
    if token[0].isdigit():
        return Token(TokenKind.NUMBER, small, number_of(token))
    if not token[0].isalpha() or token[0] >= UNSPACED_FROM:
        return Token(TokenKind.UNSPACED if token[0].isalpha() else TokenKind.SIGN, small, small, unit)
    if _IDENTIFIER.search(token):
        kind = TokenKind.IDENTIFIER if _WRITTEN_FOR_MACHINES.search(token) else TokenKind.LABEL
        return Token(kind, small, small, unit)
    effect = _DENIES if small.endswith("n't") else EFFECTS.get(small)
    if len(token) == 1 and token.isupper() and token not in _SPEAKER:
        return Token(TokenKind.LETTER, small, small, unit, effect)
    # The month, not the word that supposes.
    if effect is not None and token not in _MONTH:
        return Token(TokenKind.EFFECT, small, small, unit, effect)
    return Token(TokenKind.WORD, small, key_of(small), unit, None, token[0].isupper(), _UN.match(small) is not None)


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def _keys(token: str) -> tuple[str, ...]:
    looked = _look(token)
    match looked.kind:
        case TokenKind.SIGN:
            return ()
        case TokenKind.UNSPACED:
            return tuple(pairs_of(token))
        case TokenKind.EFFECT:
            effect = looked.effect
            return (effect.of,) if effect is not None and effect.does is Does.COUNTS else ()
        case _:
            return (looked.key,)
