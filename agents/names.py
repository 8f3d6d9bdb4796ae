"""Names that a reader can't invent again: files, identifiers, ids, numbers, and names of people and things.

Every different token of a conversation is looked at once; what is said over and over costs no more than a look into a
dictionary. What words give away (`cues`) is found in the same pass.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import chain

from tailrace.agents.cues import CONCLUSION, cues_of

#: Before a capitalised plain word: it is a name only if the conversation never writes it in small letters.
PERHAPS = "^"

#: Characters that end a token become spaces: brackets, quotes, slashes, and punctuation that no name has.
_SPACED = bytes(ord(" ") if chr(byte) in '"`()[]{}<>,;=|*!?\\/' else byte for byte in range(256))
#: As it is typeset, in words like don't.
_APOSTROPHE = "\u2019"
_EDGES = ".:-#$~&%+@^'_«»…→│\u2018\u201c\u201d" + _APOSTROPHE
#: Behind the number of a line, as editors of coding agents show a file: it names nothing.
_LINE_END = "→"
_ADDRESSED = "://"
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]{}`\\,;|*]+")
_WORD = re.compile(r"\w+")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
#: Dates, times, versions, amounts.
_NUMBER = re.compile(r"[0-9]+(?:[.,:-][0-9]+)+")
_FILE = re.compile(r"[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,7}(?![\w.])")
#: What things are numbered by: B-17, E-77.
_CODE = re.compile(r"[A-Z]{1,4}-\d[0-9A-Z-]*")
_IN_OTHER_LETTERS = re.compile(r"[A-Za-z0-9]+(?:[.:_-][A-Za-z0-9]+)*|[^\W0-9A-Za-z]+")
_CHARS_MIN = 3
_IDENTIFIER_CHARS_MIN = 4
#: What is longer is a key or encoded data.
_CHARS_MAX = 80
_REMEMBERED_TOKENS = 1 << 16
_EVERYDAY = (CONCLUSION,)


class Names(dict[str, tuple[str, ...]]):
    """Names and cues in each token that was met."""

    def __init__(self) -> None:
        """Nothing was met yet."""
        super().__init__()
        #: Tokens inside of those that were met, and those of texts that were only looked through.
        self._inside: set[str] = set()
        self._beside: list[Collection[str]] = []

    def __missing__(self, token: str) -> tuple[str, ...]:
        """Look at a new token."""
        names, inner = _look(token)
        self[token] = names
        if inner:
            self._inside.update(inner)
        return names

    def of(self, text: str) -> list[str]:
        """Return names and cues of the text in their order; what stands there twice is returned twice."""
        names = list(chain.from_iterable(map(self.__getitem__, _tokens(text))))
        return names + _addresses(text) if _ADDRESSED in text else names

    def among(self, text: str) -> frozenset[str]:
        """Return those names and cues of the text that were met before, each once, and perhaps some others.

        For a long text that is much cheaper than to list them all: what holds no other name and was not met is not looked at.
        """
        tokens = set(_tokens(text))
        met = (tokens & self.keys()) | (tokens & self._inside)
        looked = [*map(_look, met.union([token for token in tokens if not token.isidentifier()]))]
        self._beside += (tokens, {one for _, inner in looked for one in inner})
        return frozenset(_addresses(text)).union(*[names for names, _ in looked if names])

    def is_proper(self, name: str) -> bool:
        """Tell whether a name marked PERHAPS is one, judged by all text that was met until now."""
        small = name[1:].lower()
        return small not in self and small not in self._inside and not any(small in beside for beside in self._beside)


def _addresses(text: str) -> list[str]:
    """Addresses of the web in a text. Their parts are names as well, but seldom tell where something is."""
    return [address.rstrip(".:") for address in _ADDRESS.findall(text)] if _ADDRESSED in text else []


def _tokens(text: str) -> list[str]:
    # By way of bytes, because nothing else splits at many different characters nearly as fast.
    return text.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass").split()


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def _look(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and cues in a token, and all tokens inside of it, which are met with it.

    They are the same in every conversation, so what many of them use is looked at once.
    """
    if token.isalpha():
        return cues_of(token) if token.islower() else _in_letters(token), ()
    number, arrow, line = token.partition(_LINE_END)
    word = (line if arrow and number.isdigit() else token).strip(_EDGES)
    if word != token:
        names, inner = _look(word) if word else ((), ())
        return names, (word, *inner) if word else ()
    if _WORD.fullmatch(word):
        return ((word,) if _is_identifier(word) else ()), ()
    if "'" in word or _APOSTROPHE in word:
        return cues_of(word.replace(_APOSTROPHE, "'")), ()
    if _NUMBER.fullmatch(word) or _CODE.fullmatch(word):
        return (word,), ()
    # Scripts without spaces hold names in other letters.
    parts = tuple(_WORD.findall(word) if word.isascii() else _IN_OTHER_LETTERS.findall(word))
    looked = [_look(part) for part in parts]
    found = [name for names, _ in looked for name in names if name[0].isalnum()]
    if "." in word and (file := _FILE.match(word)):
        found.append(file[0])
    return tuple(found), (*parts, *chain.from_iterable([inner for _, inner in looked]))


def is_address(name: str) -> bool:
    """Tell whether a name is an address of the web."""
    return _ADDRESSED in name


def is_number(name: str) -> bool:
    """Tell whether a name has digits and signs only."""
    return name[0].isdigit() and not any(map(str.isalpha, name))


def _in_letters(word: str) -> tuple[str, ...]:
    """Names and cues in a word of letters with capitals: it is an identifier if they follow small letters."""
    cues = cues_of(word)
    # Words of every day give away a conclusion, and may be names all the same.
    if len(word) < _CHARS_MIN or (cues and cues != _EVERYDAY):
        return cues
    if word[1:].islower() or word.isupper():
        return (PERHAPS + word, *cues)
    return (word,) if len(word) <= _CHARS_MAX and _CAMEL.search(word) else ()


def _is_identifier(word: str) -> bool:
    """Tell whether a word with digits or underscores is a long number, or written by a machine or for one."""
    if word.isdigit():
        return len(word) >= _CHARS_MIN
    return word.isascii() and _IDENTIFIER_CHARS_MIN <= len(word) <= _CHARS_MAX
