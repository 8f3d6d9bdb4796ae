"""What of a text must survive letter by letter: paths, identifiers, numbers, addresses.

A text is cut into tokens, as bytes, and every different token is looked at once in the life of a process; what is written
over and over costs no more than a look into a dictionary. `tailrace.agents.names` finds names in what people and models
say; tools print addresses and whole paths as well, and a path is worth more whole than in pieces.
"""

import re
from dataclasses import dataclass
from itertools import chain

#: Characters that no name has become spaces; ends of lines stay, so that the lines of both texts are the same.
_KEPT = frozenset(b"_./:-@#~+%$\n")
_SPACED = bytes(
    byte if not chr(byte).isascii() or chr(byte).isalnum() or byte in _KEPT else ord(" ") for byte in range(256)
)

_FILES = (
    "py pyi js jsx ts tsx mjs cjs go rs rb php java kt kts swift scala c h cc cpp hpp cs m mm sh bash zsh fish ps1 bat sql "
    "html htm css scss less vue svelte json jsonl json5 yaml yml toml ini cfg conf env lock xml svg md mdx rst txt log csv "
    "tsv proto graphql tf tfvars gradle properties ipynb pdf png jpg jpeg gif webp ico woff zip gz tar zst db sqlite pem key "
    "crt mod sum snap patch diff map wasm so dll exe jar whl tmpl tpl j2 ejs hbs mk cmake"
)
_EXTENSIONS = frozenset(_FILES.split())
_ADDRESS_MARK = "://"
#: In the order in which they are tried: a path, a number with signs in it, words that dots or hyphens join.
_PIECE = re.compile(r"[\w.@~+$-]*(?:/[\w.@~+%$-]+)+|\d+(?:[.:-]\d+)+|\w+(?:[.-]\w+)*")
_WORD = re.compile(r"\w+")
_EDGES = ".:-@#~+%$/"
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_LETTER = re.compile(r"[^\W\d_]")
_WORD_CHARS_MIN = 4
_NUMBER_CHARS_MIN = 3
#: What is longer is encoded data.
_WORD_CHARS_MAX = 80
_PATH_CHARS_MAX = 200
_HEX = re.compile(r"[0-9a-fA-F-]{7,}")
_DIGITS_AND_SIGNS = re.compile(r"[\d.:,-]+")

#: How likely a name is wanted again, by its looks: measured on recorded conversations, coarse on purpose.
WORTH_IDENTIFIER, WORTH_PATH, WORTH_HEX, WORTH_NUMBER = 0.6, 0.45, 0.3, 0.2
#: Tokens that are remembered: far more than one output has, far less than memory.
_REMEMBERED_MAX = 1 << 17


#: Tokens that were looked at before: those without a name; of the others, their names, and the characters that these take in
#: a list. Caches of a pure function, emptied when they are full.
_plain: set[bytes] = set()
_named: dict[bytes, tuple[str, ...]] = {}
_costs: dict[bytes, int] = {}


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text in rows, as tokens."""

    rows: list[list[bytes]]
    #: Each token that has names, with the characters that these take in a list.
    costs: dict[bytes, int]


def tokens_of(rows: list[str]) -> Tokens:
    """Return the tokens of rows, none of which has a line end in it."""
    if len(_plain) + len(_named) > _REMEMBERED_MAX:
        for remembered in (_plain, _named, _costs):
            remembered.clear()
    # As bytes, because nothing else replaces many different characters and splits nearly as fast.
    spaced = "\n".join(rows).encode("utf-8", "surrogatepass").translate(_SPACED)
    token_rows = list(map(bytes.split, spaced.split(b"\n")))
    # `difference` of a new set, because `-=` would walk through all that is remembered.
    distinct = set(chain.from_iterable(token_rows)).difference(_plain)
    for token in distinct.difference(_named):
        _look_at(token)
    return Tokens(token_rows, {token: _costs[token] for token in distinct if token in _costs})


def names_in(token: bytes) -> tuple[str, ...]:
    """Return the names of a token of `Tokens.costs`."""
    return _named.get(token) or _names_in(token.decode("utf-8", "surrogatepass"))


def _look_at(token: bytes) -> None:
    names = _names_in(token.decode("utf-8", "surrogatepass"))
    if names:
        _named[token] = names
        _costs[token] = sum(map(len, names)) + len(names)
    else:
        _plain.add(token)


def worth(name: str) -> float:
    """Return how likely a name is wanted again, judged by its looks."""
    if _HEX.fullmatch(name):
        return WORTH_HEX
    if name.isidentifier():
        return WORTH_IDENTIFIER
    return WORTH_NUMBER if _DIGITS_AND_SIGNS.fullmatch(name) else WORTH_PATH


def _names_in(token: str) -> tuple[str, ...]:
    if token.isalpha() and (token.islower() or token.istitle()):
        return ()
    if token.isidentifier():
        return (token,) if _is_identifier(token) else ()
    if token.isdigit():
        return (token,) if len(token) >= _NUMBER_CHARS_MIN else ()
    if _ADDRESS_MARK in token:
        return (token.rstrip(_EDGES),)
    return tuple(dict.fromkeys(name for piece in _PIECE.findall(token) for name in _in_piece(piece)))


def _in_piece(piece: str) -> tuple[str, ...]:
    word = piece.rstrip(_EDGES)
    if "/" in word:
        whole = _WORD_CHARS_MIN < len(word) <= _PATH_CHARS_MAX and _LETTER.search(word)
        return (word,) if whole else ()
    if word.isidentifier():
        return (word,) if _is_identifier(word) else ()
    if _DIGITS_AND_SIGNS.fullmatch(word):
        return (word,) if len(word) >= _NUMBER_CHARS_MIN else ()
    if word.rpartition(".")[2] in _EXTENSIONS and len(word) <= _WORD_CHARS_MAX:
        return (word,)
    if _HEX.fullmatch(word):
        return (word,)
    return tuple(part for part in _WORD.findall(word) if _is_identifier(part))


def _is_identifier(word: str) -> bool:
    """Tell whether a word is written by a machine or for one: with a digit, an underscore or a capital inside."""
    if not _WORD_CHARS_MIN <= len(word) <= _WORD_CHARS_MAX:
        return False
    if word.isalpha():
        return _CAMEL.search(word) is not None
    inside = word.strip("_")
    return inside != "" and not inside.isalpha()
