"""Terms that recall finds passages by: words, whole names, and the parts of names.

The index splits text at everything but letters and digits, so `get_user.py` is the words get, user and py, and its
whole name is these three in sequence. What such an index can't see is added to it: the parts of camelCase names, and
pairs of characters in scripts that don't put spaces between words.
"""

import re
import string
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import add

_NAME_CHARS = string.ascii_letters + string.digits

#: Names of a conversation come again and again.
_NAMES_MAX = 4_096
#: What is longer is a key or encoded data; nobody looks for its parts.
NAME_CHARS_MAX = 200

#: Words of letters and digits, as the index sees them.
_WORD = re.compile(r"[^\W_]+")
#: A run of text without spaces and quotes that may be a name: an identifier, a path, a number with signs, an address.
_RUN = re.compile(r"[^\s\"'`<>()\[\]{}|,;=*!?\\\u2018\u2019\u201c\u201d\u3001\u3002\uff0c]+")
_RUN_EDGES = ".:-#$~&%+@^/"
#: Each character as one byte that says its kind: a capital, any other of a name, or none.
_KINDS = bytes(
    ord("A") if chr(byte) in string.ascii_uppercase else ord("a") if chr(byte) in _NAME_CHARS else ord(" ")
    for byte in range(256)
)
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
#: Han, kana, hangul, Thai, Lao, Khmer, Burmese: runs without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]+"
)
#: Bytes that a character of these scripts never begins with in UTF-8.
_SPACED_BYTES = bytes({*range(256)} - {0xE0, 0xE1, *range(0xE3, 0xEE), 0xEF})


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Something to look for: words in sequence, as the index sees them."""

    words: tuple[str, ...]

    @property
    def phrase(self) -> str:
        """The words with a space between them."""
        return " ".join(self.words)


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order, in small letters and without accents, as the index sees them."""
    folded = text.lower()
    if not folded.isascii():
        folded = "".join(char for char in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(char))
    return _WORD.findall(folded)


def hidden_terms(text: str) -> str:
    """Return what has to be indexed beside a text: parts of camelCase names, pairs of unspaced characters."""
    parts = [part for name in dict.fromkeys(_camel_names(text)) for part in _camel_parts(name[: NAME_CHARS_MAX + 1])]
    # Accents, dashes and arrows make a text no longer ASCII, and begin with other bytes.
    if not text.isascii() and text.encode("utf-8", "replace").translate(None, _SPACED_BYTES):
        parts += chain.from_iterable(map(_pairs, _UNSPACED.findall(text)))
    return " ".join(parts)


def query_terms(query: str) -> list[SearchTerm]:
    """Return the terms of a query, each once: whole names before their parts, in the order of the text."""
    return list(dict.fromkeys(_terms(query)))


def one_name(query: str) -> str:
    """Return the query without white space around it if it is one name; empty if it is more than that."""
    name = query.strip()
    return name if len(name) <= NAME_CHARS_MAX and len(name.split()) == 1 else ""


def _terms(query: str) -> Iterator[SearchTerm]:
    for run in _RUN.findall(query):
        name = run.strip(_RUN_EDGES)
        if len(name) > NAME_CHARS_MAX:
            continue
        words = words_of(name)
        if len(words) > 1:
            yield SearchTerm(tuple(words))
            if "/" in name and (step := words_of(name.rsplit("/", 1)[1])):
                yield SearchTerm(tuple(step))
        for word in words:
            if not _UNSPACED.search(word):
                yield SearchTerm((word,))
    for part in hidden_terms(query).split():
        yield SearchTerm(tuple(words_of(part)))


def _camel_names(text: str) -> Iterator[str]:
    """Yield the runs of letters and digits in which a capital follows something else.

    Every text that is indexed goes through here: to look for two bytes takes a tenth of the time that a pattern takes.
    """
    # What has no byte of its own is no letter of a name either.
    kinds = text.encode("latin-1", "replace").translate(_KINDS)
    place = kinds.find(b"aA")
    while place >= 0:
        start, end = kinds.rfind(b" ", 0, place) + 1, kinds.find(b" ", place)
        if end < 0:
            end = len(kinds)
        yield text[start:end]
        place = kinds.find(b"aA", end)


@lru_cache(maxsize=_NAMES_MAX)
def _camel_parts(name: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in _CAMEL_PART.findall(name)) if len(name) <= NAME_CHARS_MAX else ()


def _pairs(run: str) -> list[str]:
    """The pairs of characters in a run; of a single one, that.

    Signs above and below letters, which the index doesn't see, are left out.
    """
    seen = run if run.isalnum() else "".join(_WORD.findall(run))
    return [*map(add, seen, seen[1:])] if len(seen) > 1 else [seen] * len(seen)
