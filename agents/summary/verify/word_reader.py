"""Reads the words of a sentence one after the other, and notes what each does to the clause that it stands in."""

import re
from dataclasses import dataclass, field
from itertools import zip_longest

from tailrace.agents.language.claim_words import (
    INSTEAD,
    NOT_DENIED,
    NOT_HEADED,
    OUTCOME,
    POINTING,
    UNSPACED_DENIALS,
    UNSPACED_FILLERS,
    UNSPACED_OPEN,
    UNSPACED_SIGNS,
    Does,
    Effect,
)
from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.verify.antonyms import ANTONYMS
from tailrace.agents.summary.verify.claim_governors import GOING_ON, GOVERNED, GOVERNORS, STOPPING
from tailrace.agents.summary.verify.claim_tokens import Token, TokenKind, pairs_of, tokens_of
from tailrace.agents.summary.verify.clauses import BEHIND_WORDS_MAX, BREAK, DUE, PLANNED, SUPPOSED, Clause

#: An addition like "but not in Bergen" has no more words than this.
_ADDITION_WORDS_MAX = 3
_COULD, _PLAN_TO = frozenset(("could", "can")), frozenset(("plan", "plans", "going", "want", "wants"))
_MOODS = {Does.PLANS: PLANNED, Does.SUPPOSES: SUPPOSED, Does.DUE: DUE}
#: Behind these, "to" says that something has to be done.
_DUE_TO = frozenset(
    ("has", "have", "need", "needs", "is", "are", "still", "ought", "supposed", "required", "tenemos", "tiene")
)
#: Verbs whose form says that something is going to be done; those of French look like nouns of its neighbours.
_FUTURE = re.compile(r"[^\W\d_]{2,}(?:rá|rán|rà|ranno|rão|erons|eront|iront)")
_FRENCH_FUTURE = re.compile(r"[^\W\d_]+[ei]ra")
#: Behind these, "of" relates nothing.
_CAUSES = frozenset(("because", "wegen", "cause", "out"))
_SOON = frozenset(("soon", "long"))
#: From one thing to another, in languages that say "of" for "from".
_TO_BEHIND_OF = frozenset(("a", "à", "al"))
_MONEY = frozenset(("usd", "eur", "gbp", "jpy"))
_ITSELF_IS = frozenset(("è", "sono", "era", "erano", "sta", "stanno"))
#: What was switched on is not off, and what went up is not down: by the word behind a verb, the scale and the end of it.
_SWITCHED, _WENT = words("switched turned switch turn powered"), words("go goes going gone went")
_TURNS = {
    "on": (_SWITCHED, "gate", 1),
    "off": (_SWITCHED, "gate", -1),
    "up": (_WENT, "way", 1),
    "down": (_WENT, "way", -1),
}
#: How often something is paid or done: each stands for none of the others.
_PER, _PERIODS = (
    words("a per each every pro par al por"),
    {"min": 1, "h": 2, "day": 3, "week": 4, "month": 5, "year": 6},
)
_IT = words("it that this them")
#: Between what governs a verb and the word before that.
_ITSELF = frozenset(("sich", "es", "se", "si", "me", "zich"))


@dataclass(slots=True)
class Reader:
    """Reads the words of a sentence, one after the other."""

    is_french: bool = False
    clauses: list[Clause] = field(default_factory=list)
    line: list[tuple[str, str]] = field(default_factory=list)
    clause: Clause = field(default_factory=Clause)
    #: What follows is denied; all of the clause is; the next word is what the denial is about.
    denying: bool = False
    denied_all: bool = False
    heading: bool = False
    #: It is what something does not hold of.
    excepting: bool = False
    #: No word of the clause was read yet; it begins with a denial; or a thing is denied and nothing has followed yet.
    at_start: bool = True
    began_denying: bool = False
    trailing: bool = False
    #: The clause begins with a word that stands for what was said before; or it has its subject from there.
    points_back: bool = False
    goes_on: bool = False
    #: It is what something else waits for; what follows is only a time.
    awaits: bool = False
    names_time: bool = False
    #: The word that follows.
    behind: str = ""
    #: The number that waits for its unit or its word; the word that the next number belongs to; the last word, whatever it is.
    waiting: str = ""
    last: str = ""
    word: str = ""
    #: The ends of scales in the clause that is being read, before its denials are known.
    weighed: list[tuple[str, int]] = field(default_factory=list)
    #: The word that may govern the verb behind it, and whether it was denied itself; whether it denies what a comma sets apart from it.
    governor: Token | None = None
    was_denying: bool = False
    denies_behind_comma: bool = False

    def open(self) -> None:
        """Begin another clause; a single word before it was the first of several: "Anna and Boris bring wine"."""
        if self.clauses and (self._is_one_word() or self._is_empty()):
            return
        self.close()
        self.clause = Clause()
        self.clauses.append(self.clause)
        self.line.append((BREAK, ""))
        self.at_start = True
        self.denying = self.heading = self.excepting = False
        self.waiting = self.last = ""

    def _is_empty(self) -> bool:
        return not (self.clause.size or self.weighed or self.clause.signs or self.clause.mood or self.denying)

    def _is_one_word(self) -> bool:
        clause = self.clause
        weighs = self.weighed or clause.signs or clause.lacks
        return clause.size == len(clause.words) == 1 and not (
            weighs or self.denying or self.denied_all or clause.denied
        )

    def close(self) -> None:
        """End the clause: only now is it known what was denied behind it."""
        clause = self.clause
        # "Written was none": what is denied may stand before.
        denied_all = self.denied_all or self.trailing
        if denied_all and not self.weighed:
            clause.denied |= clause.words | clause.values.keys()
        for scale, sign in self.weighed:
            clause.signs.setdefault(scale, set()).add(-sign if denied_all else sign)
        if self.began_denying and len(self.clauses) > 1 and 0 < clause.size <= _ADDITION_WORDS_MAX and not self.weighed:
            # "It works in Oslo, but not in Bergen": the same is said of both, and denied of one.
            before = self.clauses[-2]
            clause.words |= before.words
            clause.signs = {scale: {-end for end in ends} for scale, ends in before.signs.items()}
        elif self.points_back and len(self.clauses) > 1 and clause.size <= 1:
            # "I raised it, which did not help": what did not help is what was said before.
            before = self.clauses[-2]
            clause.words |= before.words
            clause.values = {value: set[str]() for value in before.values} | clause.values
        # "It was proposed and refused": what was refused is what was proposed.
        self.goes_on |= not clause.size and bool(clause.ends)
        if self.goes_on and len(self.clauses) > 1:
            clause.words |= self.clauses[-2].words
        if self.awaits and len(clause.words) > 1:
            # "Until Thursday" names no more than a time.
            clause.mood |= SUPPOSED
        self.weighed = []
        self.goes_on = self.awaits = False
        self.denied_all = self.began_denying = self.trailing = self.points_back = False

    def read(self, text: str) -> None:
        """Read a clause, which may turn out to be several."""
        self.open()
        tokens = list(tokens_of(text))
        if self.denies_behind_comma and any(token.small in GOVERNED for token in tokens):
            self.denied_all = self.goes_on = True
        self.denies_behind_comma = False
        for token, behind in zip_longest(tokens, tokens[1:]):
            self.behind = behind.small if behind is not None else ""
            self.names_time = behind is None or behind.kind is TokenKind.NUMBER or _counts(behind)
            self._govern(token)
            if self.waiting and token.unit:
                self.clause.units[self.waiting] = token.unit
                self.clause.values[self.waiting].add(token.unit)
                self.waiting = ""
            else:
                self._take(token)
            if token.small in _TURNS and self.word in _TURNS[token.small][0]:
                self.weighed.append(_TURNS[token.small][1:])
            # "It was faster, but we dropped it": what was dropped was said before.
            self.goes_on |= token.small in _IT and ("choice", -1) in ANTONYMS.get(self.word, ())
            for scale, sign in ANTONYMS.get(token.small, ()):
                self.clause.ends.setdefault(scale, {})[sign] = token.key
            if token.unit in _PERIODS and self.word in _PER:
                self.clause.ends.setdefault("period", {})[_PERIODS[token.unit]] = token.key
            self.points_back |= self.at_start and token.small in POINTING
            # What joins two clauses stands in neither.
            self.at_start &= token.effect is not None and token.effect.does is Does.JOINS
            self.word = token.small
        self.governor = None
        self.close()

    def _govern(self, token: Token) -> None:
        """Let a word that governs a verb say only whether that was done, once the verb is there."""
        if (before := self.governor) is not None:
            governor = GOVERNORS.get(before.small)
            if governor is None:
                is_bound, denies = token.effect is None and GOING_ON.fullmatch(token.small) is not None, True
            else:
                is_bound, denies = token.small in governor.links or not governor.links, governor.denies
            if is_bound:
                self._forget(before)
                self.denying = self.heading = denies != self.was_denying
                self.denied_all &= not denies
                self.denies_behind_comma = False
            if is_bound or token.small not in _ITSELF:
                self.governor = None
        if token.small in GOVERNORS or token.small in STOPPING:
            self.governor, self.was_denying = token, self.denying
            of = GOVERNORS.get(token.small)
            self.denies_behind_comma = of is not None and of.denies != self.denying and bool(of.links & GOVERNED)

    def _forget(self, token: Token) -> None:
        if token.effect is not None:
            del self.weighed[-1:]
            return
        clause = self.clause
        for noted in (clause.words, clause.names, clause.denied, clause.heads):
            noted.discard(token.key)
        clause.size -= 1
        self.line.remove(("", token.key))

    def _take(self, token: Token) -> None:
        match token.kind:
            case TokenKind.WORD:
                self._content(token)
            case TokenKind.EFFECT if token.effect is not None:
                self._effect(token.effect, token.small)
            case TokenKind.NUMBER | TokenKind.LABEL:
                self._value(token.key)
            case TokenKind.IDENTIFIER:
                self._value(token.key, belongs=False)
            case TokenKind.LETTER:
                if self.last:
                    self._value(token.key)
                elif token.effect is not None:
                    self._effect(token.effect, token.small)
            case TokenKind.UNSPACED:
                self._unspaced(token.small)
            case _:
                self._sign(token)

    def _sign(self, token: Token) -> None:
        if token.small != ":":
            # A sign of money stands before its number, too.
            self.last = token.unit
        elif self.clause.size and (self.weighed or self.clause.denied):
            # Behind what already says how something went stands another statement; behind anything else, what is said of it.
            self.open()

    def _effect(self, effect: Effect, small: str) -> None:
        if self.denying and small in NOT_DENIED:
            self.denying = self.denied_all = self.heading = False
        if effect.does is Does.FILLS:
            self._fill(small)
            return
        last, self.last, self.waiting = self.last, "", ""
        match effect.does:
            case Does.DENIES_NEXT | Does.DENIES_ALL:
                self._deny(small, everything=effect.does is Does.DENIES_ALL)
            case Does.WEIGHS:
                self._weigh(effect)
                self.last = last
            case Does.PLANS | Does.SUPPOSES | Does.DUE:
                # Italian has the same word for "if" and "itself".
                self.clause.mood |= 0 if small == "si" and self.behind in _ITSELF_IS else _MOODS[effect.does]
            case Does.EXCEPTS | Does.UNLESS | Does.AWAITS:
                self._except(effect.does)
            case Does.JOINS:
                self.open()
            case Does.LACKS:
                self.clause.lacks = True
            case Does.COUNTS:
                self.last = last
                self._value(effect.of)
            case _:
                self._relate(effect.of, small)

    def _fill(self, small: str) -> None:
        # A field of a record that says no.
        self.denied_all |= small == "false" and self.word == ":"
        if small in _TO_BEHIND_OF and any(name == "of" for name, _ in self.line[-BEHIND_WORDS_MAX:]):
            self.line.append(("target", small))

    def _weigh(self, effect: Effect) -> None:
        self.weighed.append((effect.of, -effect.sign if self.denying and not self.denied_all else effect.sign))
        self.trailing = False
        # What is denied is how it went, not what the words behind that are about.
        self.denying = self.denying and self.denied_all

    def _relate(self, name: str, small: str) -> None:
        self.clause.lacks |= small in INSTEAD
        if name == "of" and self.word in _CAUSES:
            return
        if small == "to" and self.word in _PLAN_TO:
            self.clause.mood |= PLANNED
        if small == "to" and self.word in _DUE_TO:
            self.clause.mood |= DUE
            return
        if small == "as" and self.word in _SOON:
            self._await()
        if small == "to" and self.word == "yet":
            self._deny(small, everything=False)
        self.line.append((name, small))

    def _deny(self, small: str, *, everything: bool) -> None:
        clause = self.clause
        self.began_denying |= self.at_start
        clause.denies = True
        self.denying = True
        self.heading = small not in NOT_HEADED
        self.trailing = small in NOT_HEADED and clause.size > 0
        self.denied_all |= everything
        if self.word in _COULD:
            # What could not be done is told, not supposed.
            clause.mood &= ~SUPPOSED

    def _except(self, does: Does) -> None:
        """What follows does not hold, is what has to fail, or is not yet so."""
        if does is Does.AWAITS:
            self._await()
            return
        if does is Does.UNLESS:
            self.clause.mood |= SUPPOSED
        self.denying = self.excepting = True
        self.heading = False

    def _await(self) -> None:
        """What follows is not yet so, and stands apart from what waits for it."""
        if not self.names_time:
            self.open()
            self.awaits = True

    def _content(self, token: Token) -> None:
        clause, one = self.clause, token.key
        if _FUTURE.fullmatch(token.small) or (self.is_french and _FRENCH_FUTURE.fullmatch(token.small)):
            clause.mood |= PLANNED
        if self.excepting:
            clause.excepted.add(one)
        if (self.denying and not self.denied_all) != token.is_reversed:
            clause.denied.add(one)
            if self.heading or token.is_reversed:
                clause.heads.add(one)
        self.heading = False
        if token.is_capital:
            clause.names.add(one)
        clause.words.add(one)
        self._note(one)
        if self.waiting:
            clause.values[self.waiting].add(one)
            self.waiting = ""
        self.last = one

    def _value(self, value: str, *, belongs: bool = True) -> None:
        clause = self.clause
        beside = clause.values.setdefault(value, set())
        # Nobody gives an identifier of a program to something else.
        if self.last and belongs:
            beside.add(self.last)
            if self.last in _MONEY and value[0].isdigit():
                clause.units.setdefault(value, self.last)
        if self.denying and not self.denied_all:
            clause.denied.add(value)
        self._note(value)
        self.waiting, self.last = value if belongs else "", ""

    def _unspaced(self, text: str) -> None:
        if any(one in text for one in UNSPACED_OPEN):
            self.clause.mood |= SUPPOSED
        for mark, sign in UNSPACED_SIGNS:
            if mark in text:
                self.weighed.append((OUTCOME, sign))
                text = text.replace(mark, " ")
        for mark in UNSPACED_DENIALS:
            if mark in text:
                self.denied_all = True
                text = text.replace(mark, " ")
        for mark in UNSPACED_FILLERS:
            text = text.replace(mark, " ")
        for pair in (pair for run in text.split() for pair in pairs_of(run)):
            self.clause.words.add(pair)
            self._note(pair)

    def _note(self, one: str) -> None:
        self.trailing = False
        self.clause.size += 1
        self.line.append(("", one))


def _counts(token: Token) -> bool:
    return token.effect is not None and token.effect.does is Does.COUNTS
