"""Conditions as functions: from our checked tree to Python's own, compiled once, because every event asks.

Nothing of the text reaches the compiler but numbers, quoted texts and operators of the tables below; names are looked up in the table of
facts. Facts are read when they are asked for: what `and` and `or` leave out is never computed.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tailrace.agents.conditions.facts import FACTS, Fact, Facts
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
    names,
)

_COMPARATORS: Final[dict[str, type[ast.cmpop]]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}
_OPERATORS: Final[dict[str, type[ast.operator]]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "of": ast.Mult,
}
_FACTS: Final = "facts"
_FUNCTION: Final = "condition"


#: Where an implementation of `Facts` keeps a fact, by its name: `view.tokens`. Read there, a fact costs a third of what a property costs.
Paths: TypeAlias = Mapping[str, str]


def compile_condition(condition: Condition, paths: Paths | None = None) -> Callable[[Facts], bool]:
    """A function that tells whether the condition holds. The condition must have been checked."""
    function: Callable[[Facts], bool] = _function([ast.Return(_Writer(paths or {}).expression(condition.root))])
    return function


def compile_first(conditions: Sequence[Condition], paths: Paths | None = None) -> Callable[[Facts], int | None]:
    """A function that tells which of the conditions is the first that holds; None if none does. All must have been checked.

    Faster than one function for each: what several of them ask for is read once, if one of them asks for it first.
    """
    counts = Counter(name for condition in conditions for name in _read(condition.root))
    asked = {name for condition in conditions for name in _read(_first_asked(condition.root))}
    kept = sorted(name for name in asked if counts[name] > 1)
    writer = _Writer(paths or {})
    body: list[ast.stmt] = [
        ast.Assign([ast.Name(_variable(name), ast.Store())], writer.expression(Name(name))) for name in kept
    ]
    writer = _Writer(paths or {}, frozenset(kept))
    for place, condition in enumerate(conditions):
        body.append(ast.If(writer.expression(condition.root), [ast.Return(ast.Constant(place))], []))
    function: Callable[[Facts], int | None] = _function([*body, ast.Return(ast.Constant(None))])
    return function


def _function(body: list[ast.stmt]) -> Any:
    arguments = ast.arguments([], [ast.arg(_FACTS)], None, [], [], None, [])
    definition = ast.FunctionDef(_FUNCTION, arguments, body, [])
    module = ast.fix_missing_locations(ast.Module([definition], []))
    names: dict[str, Any] = {"__builtins__": {}}
    exec(compile(module, "<condition>", "exec"), names)  # noqa: S102  our own tree, see above
    return names[_FUNCTION]


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes nodes for Python."""

    paths: Paths
    #: Facts that are in variables.
    kept: frozenset[str] = frozenset()

    def expression(self, node: Node) -> ast.expr:  # noqa: PLR0911  one answer for each kind of node
        match node:
            case Number(value=value) | Text(value=value):
                return ast.Constant(value)
            case Name(name=name):
                return self._fact(FACTS[name])
            case Negative(operand=operand):
                return ast.UnaryOp(ast.USub(), self.expression(operand))
            case Arithmetic(operator=operator, left=left, right=right):
                return ast.BinOp(self.expression(left), _OPERATORS[operator](), self.expression(right))
            case Comparison(operator=operator, left=left, right=right):
                return ast.Compare(self.expression(left), [_COMPARATORS[operator]()], [self.expression(right)])
            case Not(operand=operand):
                return ast.UnaryOp(ast.Not(), self.expression(operand))
            case And(operands=operands):
                return ast.BoolOp(ast.And(), [self.expression(operand) for operand in operands])
            case Or(operands=operands):
                return ast.BoolOp(ast.Or(), [self.expression(operand) for operand in operands])

    def _fact(self, fact: Fact) -> ast.expr:
        if fact.name in self.kept:
            return ast.Name(_variable(fact.name), ast.Load())
        if fact.formula is not None:
            return self.expression(fact.formula)
        found: ast.expr = ast.Name(_FACTS, ast.Load())
        for attribute in self.paths.get(fact.name, fact.attribute).split("."):
            found = ast.Attribute(found, attribute, ast.Load())
        return found


def _variable(name: str) -> str:
    return f"fact_{name}"


def _read(node: Node) -> Iterator[str]:
    """Yield the facts that the node reads, as often as it does; in place of a formula what it is made of."""
    for name in names(node):
        formula = FACTS[name].formula
        yield from [name] if formula is None else _read(formula)


def _first_asked(node: Node) -> Node:
    """The part that decides first; all that it names is read in any case."""
    match node:
        case And(operands=(first, *_)) | Or(operands=(first, *_)) | Not(operand=first):
            return _first_asked(first)
        case _:
            return node
