"""A condition as a tree, and the tree as text again.

Trees are equal if they say the same; where they stood in the text is known for errors and does not count. What is
written from a tree reads back as the same tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from tailrace.agents.conditions.unit import Unit
from tailrace.schemas.errors import ConditionError

Comparator = Literal["<", "<=", ">", ">=", "==", "!="]
Operator = Literal["+", "-", "*", "/", "of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """From which character to before which one it stands in the text."""

    begin: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number(_Placed):
    """A number as it was written, and what it means: `5m` are 300,000 ms."""

    written: str
    value: float
    unit: Unit


@dataclass(frozen=True, slots=True)
class Text(_Placed):
    """A text in quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Name(_Placed):
    """The name of a fact."""

    name: str


@dataclass(frozen=True, slots=True)
class Negative(_Placed):
    """A value with the opposite sign."""

    operand: "Node"


@dataclass(frozen=True, slots=True)
class Arithmetic(_Placed):
    """Two values made into one. `30% of limit` is `30% * limit`."""

    operator: Operator
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Comparison(_Placed):
    """Two values compared."""

    operator: Comparator
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Not(_Placed):
    """Holds where its operand doesn't."""

    operand: "Node"


@dataclass(frozen=True, slots=True)
class And(_Placed):
    """Holds where all of its operands do, two or more."""

    operands: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or(_Placed):
    """Holds where one of its operands does, of two or more."""

    operands: tuple["Node", ...]


Node: TypeAlias = Number | Text | Name | Negative | Arithmetic | Comparison | Not | And | Or


@dataclass(frozen=True, slots=True)
class Condition:
    """A whole condition with the text that it was read from."""

    root: Node
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The condition as text, the same for equal conditions."""
        return show(self.root)

    def error(self, node: Node, *, allowed: str, actual: str) -> ConditionError:
        """An error that points at a part of the condition."""
        return ConditionError(self.text, node.begin, node.end, allowed=allowed, actual=actual)


def names(node: Node) -> Iterator[str]:
    """Yield the names in the node, as often as they stand there."""
    match node:
        case Name(name=name):
            yield name
        case Negative(operand=operand) | Not(operand=operand):
            yield from names(operand)
        case Arithmetic(left=left, right=right) | Comparison(left=left, right=right):
            yield from names(left)
            yield from names(right)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from names(operand)


#: How tightly parts bind: what binds less tightly than its place asks for stands in parentheses.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _VALUE = range(8)
_TIGHTNESS: Final = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "of": _PRODUCT}


def show(node: Node) -> str:
    """The node as text."""
    return _shown(node)[0]


def _shown(node: Node) -> tuple[str, int]:  # noqa: PLR0911  one answer for each kind of node
    """The node as text, and how tightly it binds."""
    match node:
        case Number(written=written):
            return written, _VALUE
        case Text(value=value):
            quote = "'" if '"' in value else '"'
            return f"{quote}{value}{quote}", _VALUE
        case Name(name=name):
            return name, _VALUE
        case Negative(operand=operand):
            return f"-{_at_least(_SIGN, operand)}", _SIGN
        case Arithmetic(operator=operator, left=left, right=right):
            tightness = _TIGHTNESS[operator]
            return f"{_at_least(tightness, left)} {operator} {_at_least(tightness + 1, right)}", tightness
        case Comparison(operator=operator, left=left, right=right):
            return f"{_at_least(_SUM, left)} {operator} {_at_least(_SUM, right)}", _COMPARISON
        case Not(operand=operand):
            return f"not {_at_least(_NOT, operand)}", _NOT
        case And(operands=operands):
            return " and ".join(_at_least(_NOT, operand) for operand in operands), _AND
        case Or(operands=operands):
            return " or ".join(_at_least(_AND, operand) for operand in operands), _OR


def _at_least(tightness: int, node: Node) -> str:
    text, own = _shown(node)
    return text if own >= tightness else f"({text})"
