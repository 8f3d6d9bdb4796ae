"""From text to a tree, by hand: a pattern for words, and one function for each level of precedence.

    or < and < not < comparisons < + - < * / of < sign < names, numbers, "texts" and parentheses

What is read here may still make no sense (`total and 5`): `check` says that, because it knows what the names mean.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, cast

from tailrace.agents.conditions.tree import (
    And,
    Arithmetic,
    Comparator,
    Comparison,
    Condition,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Operator,
    Or,
    Text,
)
from tailrace.agents.conditions.unit import Unit
from tailrace.schemas.errors import ConditionError

#: Longer is a program, and belongs into several triggers.
CHARS_MAX: Final = 1_000
#: Parentheses, `not` and signs inside of each other. Bounds the recursion here and in everything that walks a tree.
DEPTH_MAX: Final = 12
#: JSON's numbers are exact up to here, and so are floats. One by this is the smallest number but 0.
NUMBER_MAX: Final = 2**53

#: What a number is multiplied by, and its unit, by what stands right behind it.
SUFFIXES: Final[dict[str, tuple[Fraction, Unit]]] = {
    "": (Fraction(1), Unit.NUMBER),
    "k": (Fraction(1_000), Unit.TOKENS),
    "%": (Fraction(1, 100), Unit.RATIO),
    "ms": (Fraction(1), Unit.MS),
    "s": (Fraction(1_000), Unit.MS),
    "m": (Fraction(60_000), Unit.MS),
    "h": (Fraction(3_600_000), Unit.MS),
    "d": (Fraction(86_400_000), Unit.MS),
}
_SUFFIX_NAMES: Final = ", ".join(f"{suffix} ({unit})" for suffix, (_, unit) in SUFFIXES.items() if suffix)
_COMPARATORS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_SUMS: Final = frozenset({"+", "-"})
_PRODUCTS: Final = frozenset({"*", "/", "of"})
#: In whatever case they are written.
_KEYWORDS: Final = frozenset({"and", "or", "not", "of"})
#: What other languages say, and what is said here.
_SLIPS: Final = {"=": "==", "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}

_VALUES = 'a name, a number, a text in "quotes" or a part in ( )'
_SIGNS = 'names, numbers, texts in "quotes", < <= > >= == !=, + - * /, of, and, or, not, ( )'

Kind = Literal["space", "number", "word", "text", "sign", "slip", "end"]
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>[0-9][0-9_.]*(?:%|[A-Za-z]+)?)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"[^"\n]*"|'[^'\n]*')
    |(?P<sign><=|>=|==|!=|[-+*/()<>])
    |(?P<slip>&&?|\|\|?|=|!)""",
    re.VERBOSE,
)
_NUMBER: Final = re.compile(r"([0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?)(%|[A-Za-z]*)")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Kind
    #: Keywords in small letters, everything else as it stands in the text.
    text: str
    begin: int
    end: int

    @property
    def shown(self) -> str:
        return self.text or "the end"


def parse(text: str) -> Condition:
    """The condition that a text says.

    Raises a ConditionError that shows the place, what is there and what is allowed.
    """
    if len(text) > CHARS_MAX:
        allowed = f"at most {CHARS_MAX} characters"
        raise ConditionError(text, CHARS_MAX, CHARS_MAX, allowed=allowed, actual=f"{len(text)}")
    return Condition(_Parser(text).whole(), text)


def number(written: str) -> Number:
    """The number that is written so, with its unit. Raises a ValueError that says what is allowed."""
    read = _NUMBER.fullmatch(written)
    if read is None:
        raise ValueError("digits with _ between them and at most one point: 300_000, 0.8")
    digits, suffix = read.groups()
    if suffix not in SUFFIXES:
        raise ValueError(f"a number alone, or with {_SUFFIX_NAMES}")
    scale, unit = SUFFIXES[suffix]
    value = Fraction(digits.replace("_", "")) * scale
    if value >= NUMBER_MAX or 0 < value * NUMBER_MAX < 1:
        raise ValueError("0, or a number from 2^-53 to below 2^53")
    return Number(written, int(value) if value.denominator == 1 else float(value), unit)


class _Parser:
    """Reads one text. Each method takes what belongs to its level and leaves the rest."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.place = 0
        self.depth = 0

    def whole(self) -> Node:
        """The text as one tree, to its very end."""
        node = self._or()
        if self._next.kind != "end":
            raise self._refuse(
                self._next, "a comparison, and, or or the end" if _is_value(node) else "and, or or the end"
            )
        return node

    def _or(self) -> Node:
        return self._joined("or", self._and, Or)

    def _and(self) -> Node:
        return self._joined("and", self._not, And)

    def _joined(self, word: str, level: Callable[[], Node], kind: type[And | Or]) -> Node:
        operands = [level()]
        while self._take({word}):
            operands.append(level())
        if len(operands) == 1:
            return operands[0]
        return kind(tuple(operands), begin=operands[0].begin, end=operands[-1].end)

    def _not(self) -> Node:
        token = self._take({"not"})
        if token is None:
            return self._comparison()
        operand = self._deeper(token, self._not)
        return Not(operand, begin=token.begin, end=operand.end)

    def _comparison(self) -> Node:
        left = self._sum()
        token = self._take(_COMPARATORS)
        if token is None:
            return left
        right = self._sum()
        if self._next.text in _COMPARATORS:
            raise self._refuse(self._next, "one comparison at a time, joined by and")
        return Comparison(cast("Comparator", token.text), left, right, begin=left.begin, end=right.end)

    def _sum(self) -> Node:
        return self._chain(_SUMS, self._product)

    def _product(self) -> Node:
        return self._chain(_PRODUCTS, self._sign)

    def _chain(self, operators: frozenset[str], level: Callable[[], Node]) -> Node:
        left = level()
        while token := self._take(operators):
            right = level()
            left = Arithmetic(cast("Operator", token.text), left, right, begin=left.begin, end=right.end)
        return left

    def _sign(self) -> Node:
        token = self._take({"-"})
        if token is None:
            return self._value()
        operand = self._deeper(token, self._sign)
        return Negative(operand, begin=token.begin, end=operand.end)

    def _value(self) -> Node:
        token = self._next
        if token.text == "(":
            return self._parenthesis()
        if token.kind not in {"number", "word", "text"} or token.text in _KEYWORDS:
            raise self._refuse(token, _VALUES)
        self.place += 1
        where = {"begin": token.begin, "end": token.end}
        if token.kind == "word":
            return Name(token.text, **where)
        if token.kind == "text":
            return Text(token.text[1:-1], **where)
        try:
            read = number(token.text)
        except ValueError as error:
            raise self._refuse(token, str(error)) from None
        return Number(read.written, read.value, read.unit, **where)

    def _parenthesis(self) -> Node:
        token = self._next
        self.place += 1
        inner = self._deeper(token, self._or)
        end = self._take({")"})
        if end is None:
            raise self._refuse(self._next, f"the ) that closes the ( of column {token.begin + 1}")
        return replace(inner, begin=token.begin, end=end.end)

    def _deeper(self, token: _Token, level: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise self._refuse(token, f"at most {DEPTH_MAX} parts inside of each other")
        node = level()
        self.depth -= 1
        return node

    @property
    def _next(self) -> _Token:
        return self.tokens[self.place]

    def _take(self, texts: frozenset[str] | set[str]) -> _Token | None:
        """The next word, if it is one of these."""
        token = self._next
        if token.kind == "text" or token.text not in texts:
            return None
        self.place += 1
        return token

    def _refuse(self, token: _Token, allowed: str) -> ConditionError:
        return ConditionError(self.text, token.begin, token.end, allowed=allowed, actual=token.shown)


def _is_value(node: Node) -> bool:
    return isinstance(node, Number | Text | Name | Negative | Arithmetic)


def _tokens(text: str) -> list[_Token]:
    tokens = []
    place = 0
    while place < len(text):
        read = _TOKEN.match(text, place)
        if read is None:
            raise _unreadable(text, place)
        kind, word = cast("Kind", read.lastgroup), read.group()
        if kind == "slip":
            raise ConditionError(text, place, read.end(), allowed=_SLIPS[word], actual=word)
        if kind == "word" and word.lower() in _KEYWORDS:
            word = word.lower()
        if kind != "space":
            tokens.append(_Token(kind, word, place, read.end()))
        place = read.end()
    return [*tokens, _Token("end", "", len(text.rstrip()), len(text.rstrip()))]


def _unreadable(text: str, place: int) -> ConditionError:
    if text[place] in "\"'":
        quote = text[place]
        end = len(text[:place]) + len(text[place:].partition("\n")[0])
        return ConditionError(text, place, end, allowed=f"a text that ends with {quote}", actual="one without an end")
    return ConditionError(text, place, place + 1, allowed=_SIGNS, actual=repr(text[place]))
