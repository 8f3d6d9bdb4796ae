"""Names that a reader can't invent again: files, identifiers, ids, numbers, and names of people and things.

Every different token of a conversation is looked at once; what is said over and over costs no more than a look into a
dictionary, and ordinary words hardly more. What words give away (`cues`) is found in the same pass.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, filterfalse
from typing import Final, NamedTuple

from tailrace.agents.language.cues import CONCLUSION, CUES, cues_of

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
_FILE = re.compile(r"[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,7}(?![\w.])")
#: Dates, times, versions, amounts; and what things are numbered by: B-17, E-77.
_NUMBER = re.compile(r"[0-9]+(?:[.,:-][0-9]+)+|[A-Z]{1,4}-\d[0-9A-Z-]*")
_IN_OTHER_LETTERS = re.compile(r"[A-Za-z0-9]+(?:[.:_-][A-Za-z0-9]+)*|[^\W0-9A-Za-z]+")
_CHARS_MIN = 3
_IDENTIFIER_CHARS_MIN = 4
#: What is longer is a key or encoded data.
_CHARS_MAX = 80
_EVERYDAY = (CONCLUSION,)
#: Tokens that a process remembers: those of a large context, which is looked through at every compaction.
_REMEMBERED_MAX: Final = 32_768
#: What is longer hardly comes again.
_REMEMBERED_CHARS_MAX: Final = 100


class _Inside(NamedTuple):
    """What there is in a token, whatever conversation it stands in."""

    #: Names and cues.
    names: tuple[str, ...]
    #: The token without the signs around it.
    word: str
    #: What the word is made of, and what that is made of.
    parts: tuple[str, ...] = ()
    #: Files that the word or one of its parts begins with.
    files: tuple[str, ...] = ()


class Names(dict[str, tuple[str, ...]]):
    """Names and cues in each token that was met, and in those inside of it."""

    def __init__(self) -> None:
        """Nothing was met yet."""
        super().__init__()
        #: Tokens of texts that were only looked through, and those inside of them.
        self._beside: set[str] = set()

    def __missing__(self, token: str) -> tuple[str, ...]:
        """Look at a new token."""
        if token.isalpha() and token.islower():
            names = self[token] = CUES.get(token, ())
            return names
        inside = _inside(token)
        self[token] = inside.names
        for inner in (inside.word, *inside.parts):
            if inner and inner not in self:
                self[inner] = _inside(inner).names
        return inside.names

    def of(self, text: str) -> list[str]:
        """Return names and cues of the text in their order; what stands there twice is returned twice."""
        names = list(chain.from_iterable(map(self.__getitem__, _tokens(text))))
        return names + _addresses(text) if _ADDRESSED in text else names

    def among(self, text: str) -> frozenset[str]:
        """Return those names and cues of the text that were met before, each once, and perhaps some others.

        For a long text that is much cheaper than to list them all: what was not met is only taken apart.
        """
        tokens = set(_tokens(text))
        not_alphanumeric = filterfalse(str.isalnum, tokens)
        signed = [_inside(token) for token in not_alphanumeric if not token.isidentifier()]
        words = {inside.word for inside in signed}
        parts = set[str]().union(*[inside.parts for inside in signed])
        self._beside.update(tokens, words, parts)
        met = [self[token] for token in self.keys() & (tokens | words)]
        in_parts = [_names_only(self[part]) for part in self.keys() & parts]
        files = [inside.files for inside in signed if inside.files]
        return frozenset(_addresses(text)).union(*met, *in_parts, *files)

    def is_proper(self, name: str) -> bool:
        """Tell whether a name marked PERHAPS is one, judged by all text that was met until now."""
        small = name[1:].lower()
        return small not in self and small not in self._beside


def _addresses(text: str) -> list[str]:
    """Addresses of the web in a text. Their parts are names as well, but seldom tell where something is."""
    return [address.rstrip(".:") for address in _ADDRESS.findall(text)] if _ADDRESSED in text else []


def _inside(token: str) -> _Inside:
    return _remembered(token) if len(token) <= _REMEMBERED_CHARS_MAX else _look_inside(token)


def _look_inside(token: str) -> _Inside:
    if token.isalpha():
        return _Inside(CUES.get(token, ()) if token.islower() else _in_letters(token), token)
    if token.isalnum():
        return _Inside((token,) if _is_identifier(token) else (), token)
    word = _bare(token)
    names = _in_signs(word) if word == token else _inside(word).names
    parts = _parts_of(word)
    files = [_files(inner) for inner in (word, *parts) if "." in inner and not _is_contraction(inner)]
    return _Inside(names, word, parts, tuple(chain.from_iterable(files)))


_remembered = lru_cache(maxsize=_REMEMBERED_MAX)(_look_inside)


def _in_signs(word: str) -> tuple[str, ...]:
    """Names and cues in what is left of a token of more than letters and digits, without the signs around it."""
    if _is_word(word):
        return (word,) if _is_identifier(word) else ()
    if _is_contraction(word):
        return cues_of(word.replace(_APOSTROPHE, "'"))
    if _NUMBER.fullmatch(word):
        return (word,)
    names = chain.from_iterable([_inside(part).names for part in _parts(word)])
    return (*_names_only(names), *_files(word))


def _tokens(text: str) -> list[str]:
    # By way of bytes, because nothing else splits at many different characters nearly as fast.
    return text.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass").split()


def _bare(token: str) -> str:
    """A token without the number of a line before it, and without the signs around it."""
    while True:
        number, arrow, line = token.partition(_LINE_END)
        word = (line if arrow and number.isdigit() else token).strip(_EDGES)
        # Behind signs there may be such a number again.
        if _LINE_END not in word or word == token:
            return word
        token = word


def _is_word(word: str) -> bool:
    """Tell whether there are no signs in a word, as it is without those around it."""
    return word.replace("_", "").isalnum()


def _is_contraction(word: str) -> bool:
    return "'" in word or _APOSTROPHE in word


def _parts(word: str) -> list[str]:
    """What a word with signs in it is made of. Scripts without spaces hold names in other letters."""
    return _WORD.findall(word) if word.isascii() else _IN_OTHER_LETTERS.findall(word)


def _parts_of(word: str) -> tuple[str, ...]:
    """What a word is made of, and what that is made of."""
    found: set[str] = set()
    words = {word}
    while words := {word for word in words if _is_compound(word)}:
        parts = set(chain.from_iterable(map(_parts, words)))
        words = {_bare(part) for part in parts if not part.isalnum()}
        found.update(parts, words)
    return tuple(found)


def _is_compound(word: str) -> bool:
    return not (_is_word(word) or _is_contraction(word) or _NUMBER.fullmatch(word))


def _names_only(found: Iterable[str]) -> list[str]:
    """What a word is called that holds these, but for cues and what may be a plain word."""
    return [name for name in found if name[0].isalnum()]


def _files(word: str) -> list[str]:
    """The file that a word begins with, if it does."""
    file = _FILE.match(word) if "." in word else None
    return [file[0]] if file else []


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
