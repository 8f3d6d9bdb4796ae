"""A text cut into what it states: sentences and their clauses, each with what it is about, what it denies, and how it is meant.

Form before words: a number belongs to the word beside it, a denial reaches to the end of its clause, a sentence that ends with a
question mark asks. What single words do to a statement stands in `claim_words`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from functools import lru_cache

from tailrace.agents.claim_words import (
    EFFECTS,
    INSTEAD,
    IRREGULAR,
    NOT_DENIED,
    NOT_HEADED,
    OUTCOME,
    UNITS,
    UNSPACED_DENIALS,
    UNSPACED_OPEN,
    UNSPACED_SIGNS,
    Does,
    Effect,
)
from tailrace.agents.ledger.lexicon import ASKING

#: Ends of sentences, of lines, and of what is set apart by a semicolon.
_SENTENCE_END = re.compile(r"\n+|(?<=[.!?])[\"')\]*]*\s+|(?<=[;\u3002\uff01\uff1f\uff1b])\s*")
_CLAUSE_END = re.compile(r",(?!\d)\s*|\uff0c\s*|\s+[-\u2013\u2014]+\s+|\s*[()]+\s*")
_TOKEN = re.compile(
    r"0x[0-9a-f]+|(?=[0-9a-f]*\d)[0-9a-f]{7,}\b|\d+(?:[.,:-]\d+)*|[^\W\d_]\w*(?:-\d\w*)*(?:['\u2019](?:t|ll|d|re|ve|m|s)\b)?|[%\u20ac$£¥]|°[CF]\b|:(?=\s)")
_FIRST = re.compile(r"[^\W\d_]+(?:['\u2019]\w+)?")
_THOUSANDS = re.compile(r"(?<=\d)[,.](?=\d{3}(?:\D|$))")
#: What is no word: it has digits, or was written for a machine.
_IDENTIFIER = re.compile(r"[\d_]|[a-z][A-Z]")
_WRITTEN_FOR_MACHINES = re.compile(r"_|[a-z][A-Z]")
#: Negated by their beginning, where what is left is a word.
_UN = re.compile(r"un(?=[^\W\d_]{4})(?!de|it|io|iq|if|iv|ti|le|cl|te|se)")
_ENDINGS = re.compile(r"(?:ing|ied|ies|ed|es|en|er|[sey])$")
#: From here on scripts are written without spaces, and pairs of letters stand for words.
_UNSPACED_FROM = "\u0e00"
SENTENCE_CHARS_MAX = 400
_STEM_CHARS, _STEM_CHARS_MIN = 5, 3
#: The words that a relation may be about, behind it and before it.
_BEHIND_WORDS_MAX, _BEFORE_WORDS_MAX = 3, 12
_COULD, _PLAN_TO = frozenset(("could", "can")), frozenset(("plan", "plans", "going", "want", "wants"))
_MONEY_SIGNS = frozenset("$\u20ac£¥")
_MONEY = frozenset(("usd", "eur", "gbp", "jpy"))
#: An addition like "but not in Bergen" has no more words than this.
_ADDITION_WORDS_MAX = 3


class Mood(IntFlag):
    """How a statement is meant, where it doesn't tell what is so."""

    TOLD = 0
    PLANNED = 1
    SUPPOSED = 2
    ASKED = 4
    #: Somebody is told to do it.
    ORDERED = 8


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
    #: Numbers and identifiers, each with the words beside it.
    values: dict[str, set[str]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    #: Words that are written with a capital, and those that are not.
    names: set[str] = field(default_factory=set)
    small: set[str] = field(default_factory=set)
    #: Which of all these are denied, and which of them are what a denial is about: "send" in "did not send the tickets".
    denied: set[str] = field(default_factory=set)
    heads: set[str] = field(default_factory=set)
    #: Something is said to be missing, or to stand for something else: another way to deny, and nobody knows what of it.
    lacks: bool = False
    #: By scale, the ends of it that are told.
    signs: dict[str, set[int]] = field(default_factory=dict)
    mood: Mood = Mood.TOLD
    relations: list[Relation] = field(default_factory=list)
    #: All of it in order, for what is exchanged without a word that says so.
    order: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Sentence:
    """A sentence as a whole, and the clauses that it is made of."""

    text: str
    whole: Clause
    clauses: list[Clause]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text. What is longer than anybody's sentence is data, and none."""
    return [part for part in _SENTENCE_END.split(text) if 0 < len(part) <= SENTENCE_CHARS_MAX]


def keys_of(sentence: str) -> set[str]:
    """The words and values that a sentence is about, without reading it: much faster, and good enough to find it."""
    return {key for token in set(_TOKEN.findall(sentence)) for key in _keys(token)}


def units_beside(value: str, sentence: str) -> Iterator[str]:
    """Yield the unit of a number wherever it stands in a sentence, empty where it has none."""
    tokens = ["", *_TOKEN.findall(sentence), ""]
    for place, token in enumerate(tokens[1:-1], 1):
        if value in _keys(token):
            before, behind = tokens[place - 1], tokens[place + 1]
            unit = UNITS.get(behind) or UNITS.get(behind.lower(), "")
            yield unit or (UNITS[before] if before in _MONEY_SIGNS else "")


@lru_cache(maxsize=1 << 15)
def _keys(token: str) -> tuple[str, ...]:
    if token[0].isdigit():
        return (number_of(token),)
    small = token.lower()
    effect = EFFECTS.get(small)
    if effect is not None:
        return (effect.of,) if effect.does is Does.COUNTS else (small,) if len(small) == 1 else ()
    if not token[0].isalpha():
        return ()
    if token[0] >= _UNSPACED_FROM:
        return tuple(token[place : place + 2] for place in range(max(1, len(token) - 1)))
    if len(token) == 1 or _IDENTIFIER.search(token):
        return (small,)
    return (stem(small[2:] if _UN.match(small) else small),)


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """The part of a word in small letters that its forms share."""
    word = IRREGULAR.get(word, word)
    bare = _ENDINGS.sub("", word)
    bare = _ENDINGS.sub("", bare)
    if len(bare) < _STEM_CHARS_MIN:
        bare = word
    if len(bare) > _STEM_CHARS_MIN and bare[-1] == bare[-2]:
        bare = bare[:-1]
    return bare[:_STEM_CHARS]


def number_of(token: str) -> str:
    """A number without separators of thousands and leading zeros."""
    bare = _THOUSANDS.sub("", token)
    return bare.lstrip("0") or "0" if bare.isdigit() else bare


def sentence_of(text: str) -> Sentence:
    """Read one sentence."""
    reader = _Reader()
    asks = _asks(text)
    for part in _CLAUSE_END.split(text):
        if part:
            reader.read(part)
    clauses = [one for one in reader.clauses if one.order or one.signs]
    whole = _joined(clauses)
    whole.relations = reader.relations()
    if asks:
        for one in (whole, *clauses):
            one.mood |= Mood.ASKED
    return Sentence(text, whole, clauses)


def _asks(text: str) -> bool:
    """Whether a sentence asks from its beginning on: what is told and only doubted at its end is told."""
    if not text.rstrip("\"')]* ").endswith(("?", "\uff1f")):
        return False
    first = _FIRST.search(text)
    return not text.isascii() or first is None or first[0].lower() in ASKING


def _joined(clauses: list[Clause]) -> Clause:
    """A sentence as one statement."""
    if len(clauses) == 1:
        return clauses[0]
    whole = Clause()
    for one in clauses:
        whole.words |= one.words
        whole.names |= one.names
        whole.denied |= one.denied
        whole.heads |= one.heads
        whole.units |= one.units
        whole.mood |= one.mood
        whole.lacks |= one.lacks
        whole.order += one.order
        for value, beside in one.values.items():
            whole.values.setdefault(value, set()).update(beside)
        for scale, ends in one.signs.items():
            whole.signs.setdefault(scale, set()).update(ends)
    return whole


@dataclass(slots=True)
class _Reader:
    """Reads the words of a sentence, one after the other."""

    clauses: list[Clause] = field(default_factory=list)
    #: All words and relations of the sentence in their order.
    line: list[tuple[str, str]] = field(default_factory=list)
    #: What follows is denied; all of the clause is; the next word is what the denial is about.
    denying: bool = False
    denied_all: bool = False
    heading: bool = False
    #: The clause begins with a denial; or a thing is denied and nothing has followed yet.
    began_denying: bool = False
    trailing: bool = False
    #: The number that waits for its unit or its word; the word that the next number belongs to; the last word, whatever it is.
    waiting: str = ""
    last: str = ""
    word: str = ""
    #: The ends of scales in the clause that is being read, before its denials are known.
    weighed: list[tuple[str, int]] = field(default_factory=list)

    def open(self) -> None:
        """Begin another clause; a single word before it was the first of several: "Anna and Boris bring wine"."""
        if self.clauses and self._is_one_word(self.clauses[-1]):
            return
        self.close()
        self.clauses.append(Clause())
        self.denying = self.denied_all = self.heading = self.began_denying = self.trailing = False
        self.waiting = self.last = ""

    def _is_one_word(self, clause: Clause) -> bool:
        denies = self.denying or self.denied_all
        return len(clause.order) == len(clause.words) == 1 and not (denies or self.weighed or clause.signs or clause.denied)

    def close(self) -> None:
        """End the clause: only now is it known what was denied behind it."""
        if not self.clauses:
            return
        clause = self.clauses[-1]
        # "Written was none": what is denied may stand before.
        self.denied_all |= self.trailing
        if self.denied_all and not self.weighed:
            clause.denied |= clause.words | clause.values.keys()
        for scale, sign in self.weighed:
            clause.signs.setdefault(scale, set()).add(-sign if self.denied_all else sign)
        before = self.clauses[-2] if len(self.clauses) > 1 else None
        if self.began_denying and before is not None and 0 < len(clause.order) <= _ADDITION_WORDS_MAX and not self.weighed:
            # "It works in Oslo, but not in Bergen": the same is said of both, and denied of one.
            clause.words |= before.words
            clause.denied |= before.words
            clause.heads.clear()
            clause.signs = {scale: {-end for end in ends} for scale, ends in before.signs.items()}
        self.weighed = []
        self.denied_all = self.began_denying = self.trailing = False

    def read(self, text: str) -> None:
        """Read a clause, which may turn out to be several."""
        self.open()
        before = ""
        for token in _TOKEN.findall(text):
            before, behind = token, before
            if token[0].isdigit():
                self._value(number_of(token))
            elif token == ":":
                # Behind what already says how something went stands another statement; behind anything else, what is said of it.
                if self.weighed or self.clauses[-1].denied:
                    self.open()
            elif token == "false" and behind == ":":
                self.denied_all = True
            elif self.waiting and (unit := UNITS.get(token) or UNITS.get(token.lower())):
                self._unit(unit)
            elif not token[0].isalpha():
                # A sign of money stands before its number, too.
                self.last = UNITS.get(token, "")
            elif token[0] >= _UNSPACED_FROM:
                self._unspaced(token)
            else:
                self._word(token)
        self.close()

    def _unit(self, unit: str) -> None:
        clause = self.clauses[-1]
        clause.units[self.waiting] = unit
        clause.values[self.waiting].add(unit)
        self.waiting = ""

    def _word(self, token: str) -> None:
        small = token.lower().replace("\u2019", "'")
        effect = EFFECTS.get(small)
        if effect is None and small.endswith("n't"):
            effect = Effect(Does.DENIES_NEXT)
        label = len(token) == 1 and token.isupper() and token != "I" and bool(self.last)
        if label or _IDENTIFIER.search(token):
            self._value(small, label=not _WRITTEN_FOR_MACHINES.search(token))
        elif effect is None or token == "May":
            self._content(token, small)
        else:
            self._effect(effect, small)
        self.word = small

    def _effect(self, effect: Effect, small: str) -> None:
        clause = self.clauses[-1]
        if self.denying and small in NOT_DENIED:
            self.denying = self.denied_all = self.heading = False
        if effect.does is Does.FILLS:
            return
        self.waiting, last = "", self.last
        self.last = ""
        match effect.does:
            case Does.DENIES_NEXT | Does.DENIES_ALL:
                self.began_denying |= not clause.order
                self.denying = True
                self.heading = small not in NOT_HEADED
                self.trailing = small in NOT_HEADED and bool(clause.order)
                self.denied_all |= effect.does is Does.DENIES_ALL
                if self.word in _COULD:
                    # What could not be done is told, not supposed.
                    clause.mood &= ~Mood.SUPPOSED
            case Does.WEIGHS:
                self.weighed.append((effect.of, -effect.sign if self.denying and not self.denied_all else effect.sign))
                self.trailing = False
                # What is denied is how it went, not what the words behind that are about.
                self.denying = self.denying and self.denied_all
                self.last = last
            case Does.PLANS:
                clause.mood |= Mood.PLANNED
            case Does.SUPPOSES:
                clause.mood |= Mood.SUPPOSED
            case Does.JOINS:
                self.open()
            case Does.LACKS:
                clause.lacks = True
            case Does.RELATES:
                clause.lacks |= small in INSTEAD
                if small == "to" and self.word in _PLAN_TO:
                    clause.mood |= Mood.PLANNED
                self.line.append((effect.of, small))
            case Does.COUNTS:
                self._value(effect.of)

    def _content(self, token: str, small: str) -> None:
        clause = self.clauses[-1]
        reversed_ = _UN.match(small) is not None
        one = stem(small[2:] if reversed_ else small)
        if (self.denying and not self.denied_all) != reversed_:
            clause.denied.add(one)
            if self.heading or reversed_:
                clause.heads.add(one)
        self.heading = False
        (clause.names if token[0].isupper() else clause.small).add(one)
        clause.words.add(one)
        self._note(one)
        if self.waiting:
            clause.values[self.waiting].add(one)
            self.waiting = ""
        self.last = one

    def _value(self, value: str, *, label: bool = True) -> None:
        clause = self.clauses[-1]
        beside = clause.values.setdefault(value, set())
        # What is called so belongs to nothing: nobody gives an identifier of a program to something else.
        if self.last and label:
            beside.add(self.last)
            if self.last in _MONEY and value[0].isdigit():
                clause.units.setdefault(value, self.last)
        if self.denying and not self.denied_all:
            clause.denied.add(value)
        self._note(value)
        self.waiting, self.last = value if label else "", ""

    def _unspaced(self, token: str) -> None:
        clause = self.clauses[-1]
        if any(one in token for one in UNSPACED_OPEN):
            clause.mood |= Mood.SUPPOSED
        for mark, sign in UNSPACED_SIGNS:
            if mark in token:
                self.weighed.append((OUTCOME, sign))
                token = token.replace(mark, " ")
        for mark in UNSPACED_DENIALS:
            if mark in token:
                self.denied_all = True
                token = token.replace(mark, " ")
        for run in token.split():
            for place in range(max(1, len(run) - 1)):
                clause.words.add(run[place : place + 2])
                self._note(run[place : place + 2])

    def _note(self, one: str) -> None:
        self.trailing = False
        self.clauses[-1].order.append(one)
        self.line.append(("", one))

    def relations(self) -> list[Relation]:
        """What stands on the two sides of each word that relates."""
        found: list[Relation] = []
        before: list[str] = []
        for place, (name, word) in enumerate(self.line):
            if not name:
                before.append(word)
                continue
            behind: list[str] = []
            for other, one in self.line[place + 1 : place + 2 + _BEHIND_WORDS_MAX]:
                if other and behind:
                    break
                if not other:
                    behind.append(one)
            if behind:
                compared = before[-1] if before else ""
                found.append(Relation(name, word, frozenset(before[-_BEFORE_WORDS_MAX:]), frozenset(behind), compared))
        return found
