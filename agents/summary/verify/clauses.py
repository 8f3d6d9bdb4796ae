"""What a sentence states: its clauses, each with what it is about, what it denies and how it is meant, and what stands on which side."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

#: How a statement is meant, where it doesn't tell what is so: it is planned, supposed, asked, somebody is told to do it, or it has to be done.
PLANNED, SUPPOSED, ASKED, ORDERED, DUE = 1, 2, 4, 8, 16
#: Between clauses, among the words and relations of a sentence.
BREAK: Final = "|"

#: What is longer is data.
SENTENCE_CHARS_MAX = 400
#: Behind these a point ends no sentence.
_SHORTENED = "".join(
    rf"(?<!\b{word}\.)" for word in ("Dr", "Mr", "Mrs", "Ms", "Prof", "Hr", "Fr", "Sr", "Sra", "Dra", "Mme", "St", "Nr")
)
#: Ends of sentences, of lines, and of what is set apart by a semicolon.
_SENTENCE_END = re.compile(
    rf"\n+|{_SHORTENED}(?<=[.!?])[\"')\]*]*\s+|(?<=;)\s*(?!\s|(?:that|this|it|das|dies|es|cela|ça|eso|esto|ciò)\b)|(?<=[\u3002\uff01\uff1f\uff1b])\s*"
)
#: The words that a relation may be about, behind it and before it.
BEHIND_WORDS_MAX, _BEFORE_WORDS_MAX = 3, 12
#: "Of" is about the next word.
_OF_WORDS_MAX = 1


@dataclass(frozen=True, slots=True)
class Relation:
    """A word like from, before or than, with what stands on its two sides."""

    name: str
    word: str
    before: frozenset[str]
    behind: frozenset[str]
    #: The word right before it: later in "later than".
    compared: str = ""


@dataclass(slots=True)
class Clause:
    """One statement, or a whole sentence of them."""

    #: Stems of what it is about, numbers and identifiers left out.
    words: set[str] = field(default_factory=set)
    #: Numbers and identifiers, each with the words beside it, and the units of those that have one.
    values: dict[str, set[str]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    #: Words that are written with a capital.
    names: set[str] = field(default_factory=set)
    #: Which of all these are denied, and which of them are what a denial is about: "send" in "did not send the tickets".
    denied: set[str] = field(default_factory=set)
    heads: set[str] = field(default_factory=set)
    #: And which of them are excepted, or what has to fail: "rises unless the room is cold".
    excepted: set[str] = field(default_factory=set)
    #: Something of it is denied, be it only how it went.
    denies: bool = False
    #: By scale, the ends of it that are told.
    signs: dict[str, set[int]] = field(default_factory=dict)
    #: By scale and end, the words of it that have an opposite.
    ends: dict[str, dict[int, str]] = field(default_factory=dict)
    mood: int = 0
    #: Something is said to be missing, or to stand for something else: another way to deny, and nobody knows what of it.
    lacks: bool = False
    #: How many words and values it has, and which, once it was read to its end.
    size: int = 0
    about: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class ClauseSentence:
    """A sentence as a whole, and the clauses that it is made of."""

    text: str
    whole: Clause
    clauses: list[Clause]
    #: What stands between two commas, where that is more than one clause.
    parts: list[Clause]
    #: Its words in order, each behind the name of the relation that it is; empty where it is none.
    _line: list[tuple[str, str]]

    @cached_property
    def order(self) -> list[str]:
        """Its words and values, one after the other."""
        return [word for name, word in self._line if not name]

    @cached_property
    def relations(self) -> list[Relation]:
        """What stands on the two sides of each word that relates."""
        found: list[Relation] = []
        before: list[str] = []
        for place, (name, word) in enumerate(self._line):
            if not name:
                before.append(word)
            if not name or name == BREAK:
                continue
            behind: list[str] = []
            most = _OF_WORDS_MAX if name == "of" else BEHIND_WORDS_MAX
            for other, one in self._line[place + 1 : place + 2 + most]:
                if other and behind:
                    break
                if not other:
                    behind.append(one)
            if behind:
                compared = before[-1] if before else ""
                found.append(Relation(name, word, frozenset(before[-_BEFORE_WORDS_MAX:]), frozenset(behind), compared))
        return found


def sentences_of(text: str, chars_max: int = SENTENCE_CHARS_MAX) -> list[str]:
    """The sentences of a text. What is longer than anybody's sentence is data, and none."""
    return [part for part in _SENTENCE_END.split(text) if 0 < len(part) <= chars_max]
