"""What a statement is about, in a form that two wordings of the same thing share: its terms, and the values that it sets.

No grammar, only positions: a value is what is counted, dated, priced or named; a number that ends the noun phrase at the very
beginning ("table 4 is …") tells which thing is meant, and so does a day or a condition at the beginning.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from tailrace.agents.language.lexicon import (
    ANNOUNCING,
    CAPITALIZING,
    CHANGES,
    CLOCK_NAMES,
    CONDITIONS,
    DENIALS,
    DETERMINERS,
    FUNCTION_WORDS,
    MONEY_WORDS,
    MONTHS,
    NEGATION_PAIRS,
    NUMBER_WORDS,
    PURPOSES,
    RENEWALS,
    SPEAKERS,
    VERBS,
    WEEKDAYS,
)
from tailrace.agents.language.rule_words import NEGATIONS, PROHIBITIONS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.corrections import correction_chars
from tailrace.agents.ledger.statements import label_of
from tailrace.agents.ledger.stems import terms_of

#: Words first: most tokens are one.
_TOKEN = re.compile(
    r"https?://\S+|[^\W\d][\w'\u2019@-]*(?:[/._]\w[\w-]*)*|[,;:.!?]|\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*|[$€£¥]\s?\d[\d.,]*[kKmM]?"
)
_PUNCTUATION = frozenset(",;:.!?")
#: In scripts without spaces: what a statement is about stands before one of these.
_TOPIC = re.compile(r"^([^\s\u3001\uff0c,\u3002]{2,20}?)(?:は|が|を|是|为|在|应|必须|改|换|은|는|이|가|을|를)")
#: Stands between what a statement is about and what it says of it, and belongs to neither.
_FROM_NOW_ON = re.compile("现在|目前|今后|今後|これから|이제 ?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
#: Some words before a colon, such as "quick update:", announce a statement.
_PREAMBLE = re.compile(r"^\s*(?:[^\W\d][\w'\u2019-]* ?){1,4}: ")
#: Days of a month, and years.
_DAY_OR_YEAR = re.compile(r"[0-3]?\d(?:st|nd|rd|th)?|(?:19|20|21)\d\d")
_CLAUSE_END = re.compile(r"(?<=[.!?;]) +")
_WORDS_ONLY = re.compile(r"[A-Za-z][a-z ,;:!?'-]*\.*")
#: Changes, and which of several things, behind an article.
_COMPARED = words("lower higher")
_LEAVING = words("switched switch switching moved move migrated changed change went raised lowered cut")
#: Between the words of "we switched from this to that".
_LEAVING_WORDS = 3
#: Without one of these at its beginning nothing is said to hold no longer.
_DENYING = DENIALS | NEGATIONS | {"from", *(word for _, word in NEGATION_PAIRS)}
#: Most statements have no word of these: one look at all of it costs less than one at each word.
_TELLING = _DENYING | PROHIBITIONS | PURPOSES | RENEWALS
_TITLES = words("herr herrn frau")
#: They say nothing of what a statement is about, but for those that compare, behind an article.
_EMPTY = CHANGES | FUNCTION_WORDS | MONEY_WORDS | _TITLES
#: Values, though they are words; some of them only with a capital.
_VALUED = NUMBER_WORDS | WEEKDAYS | MONTHS | CLOCK_NAMES
#: What is empty wherever it stands, in small letters. Half of all words are, and nothing else has to be asked of them.
_SILENT = frozenset(word for word in _EMPTY if word.islower() and word.replace("'", "").isalpha()) - _VALUED - _COMPARED
_STARTS = (["of"], ["from"], ["starting"], ["ab"], ["dès"], ["vanaf"])
#: Words that may change places with others where nothing else of a statement does.
_SUBSTITUTED_MAX = 2


class ValueKind(StrEnum):
    """What kind of thing a statement sets."""

    DATE = "date"
    CLOCK = "clock"
    NUMBER = "number"
    ADDRESS = "address"
    NAME = "name"


_DATE, _CLOCK, _NUMBER = ValueKind.DATE, ValueKind.CLOCK, ValueKind.NUMBER
_ADDRESS, _NAME = ValueKind.ADDRESS, ValueKind.NAME


class Subject(Struct, frozen=True):
    """A statement taken apart."""

    #: Concepts and stems of the words that say what it is about.
    terms: frozenset[str]
    #: The same in their order, so that one word in the place of another is seen.
    order: tuple[str, ...]
    #: Pairs of neighbours: the `travel` of a travel budget.
    compounds: frozenset[tuple[str, str]]
    #: What it sets, by its kind.
    values: dict[ValueKind, frozenset[str]]
    #: Terms and values that are denied: "not 90", "instead of the blue one".
    denied: frozenset[str]
    #: When it holds, where it says so at its beginning.
    condition: frozenset[str]
    forbids: bool
    #: Terms that a word such as "new" or "previous" stands before: the thing itself has another value.
    renewed: frozenset[str] = frozenset()
    #: Numbers that tell which thing is meant, right behind its name: gate 3, invoice 4711.
    numbered: frozenset[str] = frozenset()
    #: Terms behind a word such as "for": what the thing is for.
    purpose: frozenset[str] = frozenset()


class Clauses(Struct, frozen=True):
    """A statement as a whole, and the one of its clauses that sets a value, with what the others say."""

    whole: Subject
    main: Subject
    #: What is compared with others: the whole statement, and the clause that sets something, where that is not all of it.
    compared: tuple[Subject, ...]
    #: What is left of the statement where the main clause no longer holds; empty if it is all there is.
    rest: str = ""


@lru_cache(maxsize=4096)
def clauses_of(text: str) -> Clauses:
    """Return a statement taken apart by its clauses."""
    whole = subject_of(text)
    said = _announced(text[len(label_of(text)) :])
    clauses = [clause for clause in _CLAUSE_END.split(said) if clause]
    # Most statements have one clause.
    setting = (
        [clause for clause in clauses if _may_set(clause) and subject_of(clause).values] if clauses != [text] else []
    )
    if len(setting) != 1:
        return Clauses(whole, whole, (whole,))
    main = subject_of(setting[0])
    rest = " ".join(clause for clause in clauses if clause != setting[0]).strip()
    return Clauses(whole, main, (whole, main), rest)


def _may_set(clause: str) -> bool:
    """Whether a clause may set a value: most have no digit, no capital but the first, no sign in a word, and no word that is a value."""
    return _WORDS_ONLY.fullmatch(clause) is None or not _VALUED.isdisjoint(_TOKEN.findall(clause.lower()))


def _announced(said: str) -> str:
    """A statement without the words before a colon that announce it."""
    preamble = _PREAMBLE.match(said) if ": " in said else None
    if preamble is None:
        return said
    words = preamble[0].lower().rstrip(": ").split()
    return said[preamble.end() :] if words[0] in SPEAKERS or not ANNOUNCING.isdisjoint(words) else said


@lru_cache(maxsize=4096)
def subject_of(text: str) -> Subject:
    """Return what a statement is about. Asked again for every statement it is compared with, hence remembered."""
    said = text[len(label_of(text)) :]
    said = said[correction_chars(said.lower()) :] or said
    if not said.isascii() and _UNSPACED.search(said):
        said = _FROM_NOW_ON.sub("", said)
        topic = _TOPIC.match(said)
    else:
        topic = None
    if topic is not None:
        return _of_topic(topic[1], said[topic.end(1) :])
    return _TokenReader(said).subject()


def _of_topic(topic: str, rest: str) -> Subject:
    return Subject(
        terms=frozenset((topic,)),
        order=(topic,),
        compounds=frozenset(),
        values={ValueKind.NAME: frozenset((rest,))},
        denied=frozenset(),
        condition=frozenset(),
        forbids=False,
    )


class _TokenReader:
    """Reads the tokens of a statement from left to right."""

    def __init__(self, said: str) -> None:
        self._tokens = _TOKEN.findall(said)
        self._words = [token.lower() for token in self._tokens]
        self._telling = _TELLING.intersection(self._words)
        self._may_renew = not self._telling.isdisjoint(RENEWALS)
        self._order: list[str] = []
        self._compounds: set[tuple[str, str]] = set()
        self._values: dict[ValueKind, set[str]] = {}
        self._denied: set[str] = set()
        self._condition: set[str] = set()
        self._renewed: set[str] = set()
        self._numbered: set[str] = set()
        self._purpose: set[str] = set()

    def subject(self) -> Subject:
        """Everything that the tokens say."""
        tokens, words, order = self._tokens, self._words, self._order
        denied = frozenset(self._denied_places()) if not self._telling.isdisjoint(_DENYING) else frozenset()
        may_purpose = not self._telling.isdisjoint(PURPOSES)
        before = ""
        follows_name = purposed = False
        conditional = words[:1] != [] and words[0] in CONDITIONS and "," in tokens
        for place, (token, word) in enumerate(zip(tokens, words, strict=True)):
            if token in _PUNCTUATION:
                before, conditional, purposed = "", False, False
                continue
            silent = token in _SILENT
            # Most others are plain words, in small letters.
            plain = silent or (token.isalpha() and token.islower() and token not in _VALUED)
            kind = None if plain else self._kind(token, place)
            if silent or (kind is None and word in _EMPTY and not self._compares(word, place)):
                before = ""
                purposed = may_purpose and (word in PURPOSES or (purposed and word not in VERBS))
                continue
            terms = terms_of(word) if kind is None else (word,)
            if place in denied:
                self._denied.update(terms)
            if conditional or (kind is not None and word in WEEKDAYS and not order):
                # "As of Monday" says when a change begins, "on Mondays" when a statement holds.
                self._condition.update(() if words[place - 1 : place] in _STARTS else terms)
            elif kind is None or self._names_the_thing(kind, place):
                self._take(terms, place, before, purposed=purposed)
                before = terms[-1] if terms else ""
            elif place not in denied:
                self._values.setdefault(kind, set()).add(word)
                if kind is _NUMBER and (before or follows_name):
                    self._numbered.add(word)
                before = ""
            follows_name = kind is _NAME
        self._read_day_alone()
        return Subject(
            terms=frozenset(self._order),
            order=tuple(self._order),
            compounds=frozenset(self._compounds),
            values={kind: frozenset(values) for kind, values in self._values.items()},
            denied=frozenset(self._denied),
            condition=frozenset(self._condition),
            forbids=not self._telling.isdisjoint(PROHIBITIONS) and self._forbids(denied),
            renewed=frozenset(self._renewed),
            numbered=frozenset(self._numbered),
            purpose=frozenset(self._purpose),
        )

    def _read_day_alone(self) -> None:
        """A day that is all that is said is a value, and says when nothing holds: "make it Thursday"."""
        if self._condition and not self._order and not self._values and self._condition <= WEEKDAYS:
            self._values[_DATE], self._condition = self._condition, set()

    def _take(self, terms: Sequence[str], place: int, before: str, *, purposed: bool) -> None:
        """Note terms that say what the statement is about, behind another term or none."""
        self._order += terms
        if purposed:
            self._purpose.update(terms)
        if before and terms:
            self._compounds.add((before, terms[0]))
        if self._may_renew and not RENEWALS.isdisjoint(self._words[max(0, place - 2) : place]):
            self._renewed.update(terms)

    def _denied_places(self) -> Iterator[int]:
        """Where the words stand that are denied: up to the end of the clause, or to what somebody has changed to."""
        denying = False
        for place, word in enumerate(self._words):
            if word in _PUNCTUATION:
                denying = False
                continue
            denying = (denying and not self._arrives(place)) or (word in _DENYING and self._denies(place))
            if denying:
                yield place

    def _forbids(self, denied: frozenset[int]) -> bool:
        return any(word in PROHIBITIONS and place not in denied for place, word in enumerate(self._words))

    def _denies(self, place: int) -> bool:
        """Whether what follows is what no longer holds: "not 90" behind a comma, "rather than", "instead of", "no longer"."""
        word, former = self._words[place], self._words[place - 1] if place else ","
        return (
            (former, word) in NEGATION_PAIRS
            or word in DENIALS
            or self._leaves(place)
            or (former in _PUNCTUATION and word in NEGATIONS and place > 0 and not self._is_case(place))
        )

    def _is_case(self, place: int) -> bool:
        """Whether the words before a colon say when or for whom: "no deliveries" behind them is a rule, and not what no longer holds."""
        if not place or self._words[place - 1] != ":":
            return False
        before = self._words[: place - 1]
        return bool(before) and before[0] not in SPEAKERS and ANNOUNCING.isdisjoint(before)

    def _leaves(self, place: int) -> bool:
        """Whether what follows is what somebody has changed from, on the way to something else."""
        if self._words[place] != "from" or _LEAVING.isdisjoint(self._words[max(0, place - _LEAVING_WORDS) : place]):
            return False
        return "to" in self._words[place + 2 : place + 2 + _LEAVING_WORDS]

    def _arrives(self, place: int) -> bool:
        """Whether what follows is what somebody has changed to."""
        begin = max(0, place - 1 - _LEAVING_WORDS)
        return self._words[place] == "to" and any(self._leaves(at) for at in range(begin, place))

    def _compares(self, word: str, place: int) -> bool:
        """Whether a word that else is empty tells which of several is meant: the lower oven."""
        return word in _COMPARED and place > 0 and self._words[place - 1] in DETERMINERS

    def _names_the_thing(self, kind: ValueKind, place: int) -> bool:
        """Whether a number at the beginning tells which thing is meant: table 4 is not table 7."""
        if kind is not _NUMBER or len(self._order) != 1 or self._words[place - 1] in FUNCTION_WORDS:
            return False
        return self._words[place + 1 : place + 2] != [] and self._words[place + 1] in VERBS

    def _kind(self, token: str, place: int) -> ValueKind | None:
        """What a token sets, if it is a value; None if it is a word."""
        word = self._words[place]
        if token[0].isdigit():
            return _DATE if self._is_dated(place) else _NUMBER
        if word in NUMBER_WORDS or token[0] in "$€£¥":
            return _NUMBER
        if word in WEEKDAYS or (word in MONTHS and not (word == "may" and token.islower())):
            return _DATE
        return self._name(token, place)

    def _name(self, token: str, place: int) -> ValueKind | None:
        """What a token sets that has more in it than small letters."""
        if self._words[place] in CLOCK_NAMES and not token.islower():
            return _CLOCK
        if "://" in token:
            return _ADDRESS
        named = (not token.isalpha() and _is_coded(token)) or (token[0].isupper() and self._is_named(place))
        return _NAME if named else None

    def _is_dated(self, place: int) -> bool:
        """Whether a number is a date, or part of one."""
        word = self._words[place]
        if word.count("-") == 2:  # noqa: PLR2004  year, month, day
            return True
        if not _DAY_OR_YEAR.fullmatch(word):
            return False
        before, after = self._words[max(0, place - 2) : place], self._words[place + 1 : place + 3]
        # "May is 20" is no day of May.
        near = (
            before[-1:] if before[-1:] and before[-1] in VERBS else before,
            after[:1] if after[:1] and after[0] in VERBS else after,
        )
        return any(word in MONTHS for words in near for word in words)

    def _is_named(self, place: int) -> bool:
        """Whether a token with a capital names somebody or something: its place does not explain the capital, or it stands behind a title."""
        if place > 0 and self._words[place - 1] in _TITLES:
            return True
        # Where every noun has a capital, a capital names nobody.
        if self._words[place] == "i" or not CAPITALIZING.isdisjoint(self._words):
            return False
        token = self._tokens[place]
        opens = place == 0 or self._tokens[place - 1] in ".:!?"
        if not opens:
            return True
        following = self._tokens[place + 1 : place + 2]
        return bool(following) and following[0].istitle() and token.istitle()


def _is_coded(token: str) -> bool:
    return any(char in "/_." or char.isdigit() for char in token)


def values_of(subject: Subject) -> frozenset[str]:
    """Return all that a statement sets, of whatever kind."""
    return frozenset().union(*subject.values.values())


def is_numbered(subject: Subject) -> bool:
    """Tell whether its numbers tell which thing is meant, and set nothing."""
    numbers = subject.values.get(_NUMBER)
    return numbers is not None and bool(numbers) and numbers <= subject.numbered


def substituted(new: Subject, old: Subject) -> bool:
    """Tell whether one or two words stand in the place of others behind the same beginning, and nothing else differs."""
    a, b = new.order, old.order
    start = next(
        (place for place, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), min(len(a), len(b))
    )
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    changed = (len(a) - start - end, len(b) - start - end)
    return start >= 1 and start + end >= 2 and min(changed) > 0 and max(changed) <= _SUBSTITUTED_MAX  # noqa: PLR2004  two words in common
