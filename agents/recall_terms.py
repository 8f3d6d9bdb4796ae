"""Terms that recall finds passages by: words, whole names, and the parts of names.

The index splits text at everything but letters and digits, so `get_user.py` is the words get, user and py, and its whole
name is these three in sequence. What such an index can't see is added to it: the parts of camelCase names, and pairs of
characters in scripts that don't put spaces between words.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

#: What is longer is a key or encoded data; nobody looks for its parts.
NAME_CHARS_MAX = 200

#: Words of letters and digits, as the index sees them.
_WORD = re.compile(r"[^\W_]+")
#: A run of text without spaces and quotes that may be a name: an identifier, a path, a number with signs, an address.
_RUN = re.compile(r"[^\s\"'`<>()\[\]{}|,;=*!?\\\u2018\u2019\u201c\u201d\u3001\u3002\uff0c]+")
_RUN_EDGES = ".:-#$~&%+@^/"
#: Possessive: it runs over every text that is indexed, and nothing that it took can be given back with profit.
_CAMEL_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Z]*+[a-z0-9]++[A-Z][A-Za-z0-9]*+")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
#: Han, kana, hangul, Thai, Lao, Khmer, Burmese: runs without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]+"
)


@dataclass(frozen=True, slots=True)
class Term:
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
    parts = [part for name in dict.fromkeys(_CAMEL_NAME.findall(text)) for part in _camel_parts(name)]
    if not text.isascii():
        parts += [pair for run in _UNSPACED.findall(text) for pair in _pairs(run)]
    return " ".join(parts)


def query_terms(query: str) -> list[Term]:
    """Return the terms of a query, each once: whole names before their parts, in the order of the text."""
    return list(dict.fromkeys(_terms(query)))


def one_name(query: str) -> str:
    """Return the query without white space around it if it is one name; empty if it is more than that."""
    name = query.strip()
    return name if len(name) <= NAME_CHARS_MAX and len(name.split()) == 1 else ""


def _terms(query: str) -> Iterator[Term]:
    for run in _RUN.findall(query):
        name = run.strip(_RUN_EDGES)
        if len(name) > NAME_CHARS_MAX:
            continue
        words = words_of(name)
        if len(words) > 1:
            yield Term(tuple(words))
            if "/" in name and (step := words_of(name.rsplit("/", 1)[1])):
                yield Term(tuple(step))
        for word in words:
            if not _UNSPACED.search(word):
                yield Term((word,))
    for part in hidden_terms(query).split():
        yield Term(tuple(words_of(part)))


def _camel_parts(name: str) -> list[str]:
    return [part.lower() for part in _CAMEL_PART.findall(name)] if len(name) <= NAME_CHARS_MAX else []


def _pairs(run: str) -> Iterator[str]:
    """Yield the pairs of characters in a run. Signs above and below letters, which the index doesn't see, are left out."""
    seen = "".join(_WORD.findall(run))
    yield from (seen[start : start + 2] for start in range(max(1, len(seen) - 1)) if seen)
