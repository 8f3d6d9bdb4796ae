"""Why a condition held, or didn't: each of its parts with the values that it was about."""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tailrace.agents.conditions.facts import FACTS, Facts
from tailrace.agents.conditions.tree import (
    And,
    Arithmetic,
    Comparison,
    Condition,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    show,
)

_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "of": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class ConditionTerm:
    """One comparison or name of a condition, with the values that it had and whether it held.

    Of `total >= limit`, for example, also `total 103,412 >= limit 102,400`.
    """

    text: str
    value: str
    held: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of a condition: whether it held, and all of its terms in the order of its text."""

    fired: bool
    terms: tuple[ConditionTerm, ...]

    @property
    def text(self) -> str:
        """All of it in one line: `total 103,412 >= limit 102,400 yes; pending_input no`."""
        return "; ".join(f"{term.value} {'yes' if term.held else 'no'}" for term in self.terms)


def explain(condition: Condition, facts: Facts) -> Explanation:
    """What becomes of a checked condition with these facts. Asks for all facts that it names."""
    terms = tuple(
        ConditionTerm(text=show(term), value=_valued(term, facts), held=bool(_value(term, facts)))
        for term in _terms(condition.root)
    )
    return Explanation(fired=bool(_value(condition.root, facts)), terms=terms)


def _terms(node: Node) -> Iterator[Node]:
    match node:
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _terms(operand)
        case Not(operand=operand):
            yield from _terms(operand)
        case _:
            yield node


def _value(node: Node, facts: Facts) -> Any:  # noqa: PLR0911  one answer for each kind of node
    match node:
        case Number(value=value) | Text(value=value):
            return value
        case Name(name=name):
            fact = FACTS[name]
            return getattr(facts, fact.attribute) if fact.formula is None else _value(fact.formula, facts)
        case Negative(operand=operand):
            return -_value(operand, facts)
        case Arithmetic(operator=sign, left=left, right=right) | Comparison(operator=sign, left=left, right=right):
            return _OPERATORS[sign](_value(left, facts), _value(right, facts))
        case Not(operand=operand):
            return not _value(operand, facts)
        case And(operands=operands):
            return all(_value(operand, facts) for operand in operands)
        case Or(operands=operands):
            return any(_value(operand, facts) for operand in operands)


def _valued(term: Node, facts: Facts) -> str:
    if isinstance(term, Comparison):
        return f"{_side(term.left, facts)} {term.operator} {_side(term.right, facts)}"
    return show(term)


def _side(node: Node, facts: Facts) -> str:
    """One side of a comparison with its value; what is written as a value stays as it is."""
    if isinstance(node, Number | Text):
        return show(node)
    value = _written(_value(node, facts))
    return f"{show(node)} {value}" if isinstance(node, Name) else f"({show(node)} = {value})"


def _written(value: Any) -> str:
    match value:
        case None:
            return "none"
        case str():
            return f'"{value}"'
        case int():
            return f"{value:,}"
        case _:
            return f"{value:,.4f}".rstrip("0").rstrip(".")
