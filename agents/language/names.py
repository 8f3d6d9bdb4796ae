"""Names that a reader can't invent again: files, identifiers, ids, numbers, and names of people and things.

Every different token of a conversation is looked at once; what is said over and over costs no more than a look into a
dictionary, and ordinary words hardly more. What words give away (`cues`) is found in the same pass.
"""

import re
from collections.abc import Iterable
from itertools import chain

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


class Names(dict[str, tuple[str, ...]]):
    """Names and cues in each token that was met, and in those inside of it."""

    def __init__(self) -> None:
        """Nothing was met yet."""
        super().__init__()
        #: Tokens of texts that were only looked through, and those inside of them.
        self._beside: set[str] = set()

    def __missing__(self, token: str) -> tuple[str, ...]:
        """Look at a new token."""
        if token.isalpha():
            names = CUES.get(token, ()) if token.islower() else _in_letters(token)
        elif token.isalnum():
            names = (token,) if _is_identifier(token) else ()
        else:
            names = self._in_signs(token)
        self[token] = names
        return names

    def of(self, text: str) -> list[str]:
        """Return names and cues of the text in their order; what stands there twice is returned twice."""
        names = list(chain.from_iterable(map(self.__getitem__, _tokens(text))))
        return names + _addresses(text) if _ADDRESSED in text else names

    def among(self, text: str) -> frozenset[str]:
        """Return those names and cues of the text that were met before, each once, and perhaps some others.

        For a long text that is much cheaper than to list them all: what was not met is only taken apart.
        """
        tokens = set(_tokens(text))
        words = {_bare(token) for token in tokens if not (token.isalnum() or token.isidentifier())}
        parts = _parts_of(words)
        self._beside.update(tokens, words, parts)
        found = [self[token] for token in self.keys() & (tokens | words)]
        in_parts = [_names_only(self[part]) for part in self.keys() & parts]
        files = [_files(word) for word in words | parts if "." in word and not _is_contraction(word)]
        return frozenset(_addresses(text)).union(*found, *in_parts, *files)

    def is_proper(self, name: str) -> bool:
        """Tell whether a name marked PERHAPS is one, judged by all text that was met until now."""
        small = name[1:].lower()
        return small not in self and small not in self._beside

    def _in_signs(self, token: str) -> tuple[str, ...]:
        """Names and cues in a token of more than letters and digits."""
        word = _bare(token)
        if word != token:
            return self[word] if word else ()
        if _is_word(word):
            return (word,) if _is_identifier(word) else ()
        if _is_contraction(word):
            return cues_of(word.replace(_APOSTROPHE, "'"))
        if _NUMBER.fullmatch(word):
            return (word,)
        names = chain.from_iterable([self[part] for part in _parts(word)])
        return (*_names_only(names), *_files(word))


def _addresses(text: str) -> list[str]:
    """Addresses of the web in a text. Their parts are names as well, but seldom tell where something is."""
    return [address.rstrip(".:") for address in _ADDRESS.findall(text)] if _ADDRESSED in text else []


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


def _parts_of(words: Iterable[str]) -> set[str]:
    """What these words are made of, and what that is made of."""
    found: set[str] = set()
    while words := [word for word in words if _is_compound(word)]:
        parts = set(chain.from_iterable(map(_parts, words)))
        words = {_bare(part) for part in parts if not part.isalnum()}
        found.update(parts, words)
    return found


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
