"""What a statement is about, in a form that two wordings of the same thing share: subjects, their qualifiers, and the values set."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tailrace.agents.ledger.lexicon import (
    CHANGES,
    CLOCK_NAMES,
    FUNCTION_WORDS,
    MONTHS,
    NUMBER_WORDS,
    SUBJECTS,
)
from tailrace.agents.ledger.statements import label_of

_TOKEN = re.compile(
    r"https?://\S+|[$€£]\s?\d[\d.,]*[kKmM]?|\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*%?|\w[\w'@-]*(?:[/._]\w[\w-]*)*|\w"
)
_MONEY_WORDS = frozenset(("dollars", "dollar", "euros", "euro", "usd", "eur", "pounds"))
#: Before a value that is set: what follows is what may change, not what the statement is about.
_SETTERS = frozenset(
    [
        "is",
        "are",
        "to",
        "at",
        "=",
        ":",
        "be",
        "called",
        "named",
        "label",
        "onto",
        "by",
        "in",
        "on",
        "on:",
        "use",
        "from",
        "equals",
        "ist",
        "auf",
        "zu",
        "est",
        "à",
        "es",
        "en",
        "é",
        "è",
        "nach",
        "heißt",
    ]
)
#: Of these subjects, the words before them are what is set: playful answers.
_ADJECTIVES_ARE_VALUES = frozenset(("tone", "measure"))
_STEM_CHARS_MIN = 4
_QUALIFIERS = 2


class ValueKind(StrEnum):
    """What kind of thing a statement sets."""

    MONEY = "money"
    DATE = "date"
    CLOCK = "clock"
    NUMBER = "number"
    ADDRESS = "address"
    NAME = "name"


#: Kinds that may stand for each other: a limit of $300 becomes 450.
_ALIKE = {ValueKind.MONEY: ValueKind.NUMBER}


@dataclass(frozen=True, slots=True)
class Subject:
    """A statement taken apart."""

    #: Subjects of the lexicon and the stems of all other words.
    terms: frozenset[str]
    #: Terms that come from the lexicon.
    known: frozenset[str]
    #: Words right before a known one: the `travel` of a travel budget.
    qualifiers: frozenset[str]
    values: frozenset[str]
    kinds: frozenset[ValueKind]
    #: The statement with its values masked: the same for the same statement with another value.
    masked: str


@lru_cache(maxsize=4096)
def subject_of(text: str) -> Subject:
    """Return what a statement is about. Asked again for every statement it is compared with, hence remembered."""
    tokens = _TOKEN.findall(_main_clause(text[len(label_of(text)) :]))
    terms: list[str] = []
    known: set[str] = set()
    qualifiers: set[str] = set()
    values: set[str] = set()
    kinds: set[ValueKind] = set()
    masked: list[str] = []
    before: list[str] = []
    for place, token in enumerate(tokens):
        word = token.lower()
        kind = _value_kind(token, place, tokens)
        if kind is not None:
            values.add(word)
            kinds.add(kind)
            setting = kind is not ValueKind.NAME or (place > 0 and tokens[place - 1].lower() in _SETTERS)
            masked.append(f"<{kind}>" if setting else word)
            if word in SUBJECTS:
                known.update(SUBJECTS[word])
            continue
        masked.append(word)
        for part in (word,) if word in SUBJECTS or "-" not in word else word.split("-"):
            subjects = SUBJECTS.get(part)
            if subjects:
                known.update(subjects)
                terms += subjects
                if not _ADJECTIVES_ARE_VALUES.issuperset(subjects):
                    qualifiers.update(before[-_QUALIFIERS:])
                before = []
            elif part not in FUNCTION_WORDS and part not in CHANGES and part not in _MONEY_WORDS:
                term = stem(part)
                terms.append(term)
                before.append(term)
    return Subject(
        frozenset(terms) | known,
        frozenset(known),
        frozenset(qualifiers) - known,
        frozenset(values),
        frozenset(_ALIKE.get(kind, kind) for kind in kinds),
        " ".join(masked),
    )


def _main_clause(text: str) -> str:
    """Return what stands before the first semicolon, where that is a statement by itself."""
    clause, _, rest = text.partition("; ")
    return clause if rest and any(char.isdigit() or char.isupper() for char in clause[1:]) else text


def _value_kind(token: str, place: int, tokens: list[str]) -> ValueKind | None:
    """What a token sets, if it is a value; None if it is a word."""
    word = token.lower()
    capital = token[0].isupper()
    # A capital inside of a sentence: a name, of a person or a thing.
    inside = capital and place > 0 and tokens[place - 1] not in ".:!?"
    inside = inside or (capital and place == 0 and len(tokens) > 1 and tokens[1].istitle() and token.istitle())
    kinds = (
        (token[0] in "$€£", ValueKind.MONEY),
        (token[0].isdigit() and token.count("-") == 2, ValueKind.DATE),  # noqa: PLR2004  year, month, day
        (token[0].isdigit() or word in NUMBER_WORDS, ValueKind.NUMBER),
        (capital and word in MONTHS, ValueKind.DATE),
        (not token.islower() and word in CLOCK_NAMES, ValueKind.CLOCK),
        ("://" in token, ValueKind.ADDRESS),
        (inside or "/" in token or "_" in token or any(map(str.isdigit, token)), ValueKind.NAME),
    )
    return next((kind for holds, kind in kinds if holds), None)


def stem(word: str) -> str:
    """Return a word without its ending, roughly: enough for `escalations` to meet `escalation`."""
    if len(word) <= _STEM_CHARS_MIN or not word.isascii():
        return word
    for ending in ("ations", "ation", "ings", "ing", "ally", "ies", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_CHARS_MIN - 1:
            return word[: -len(ending)]
    return word
