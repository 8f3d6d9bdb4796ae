"""Conditions as functions: from our checked tree to Python's own, compiled once, because every event asks.

Nothing of the text reaches the compiler but numbers, quoted texts and operators of the tables below; names are looked
up in the table of facts. Facts are read when they are asked for: what `and` and `or` leave out is never computed.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tailrace.agents.conditions.facts import FACTS, Fact, Facts
from tailrace.agents.conditions.ranges import Knowledge, left_of, share_needed
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
from tailrace.agents.conditions.unit import Unit

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
#: Whether the context has enough for those that ask for a full one.
_FULL: Final = "full"
_ROUNDING: Final = 1e-9


#: How an implementation of `Facts` comes to a fact, by its name: `view.tokens`, or some more Python over its
#: attributes. Read there, a fact costs a third of what a property costs. These are parts of our code, never of a
#: policy.
Paths: TypeAlias = Mapping[str, str]


def compile_condition(condition: Condition, paths: Paths | None = None) -> Callable[[Facts], bool]:
    """A function that tells whether the condition holds. The condition must have been checked."""
    function: Callable[[Facts], bool] = _function([ast.Return(_Writer(paths or {}).expression(condition.root))])
    return function


def compile_first(
    conditions: Sequence[Condition], paths: Paths | None = None, knowledge: Knowledge | None = None
) -> Callable[[Facts], int | None]:
    """A function that tells which of the conditions is the first that holds; None if none does.

    All must have been checked.

    Faster than one function for each: what several of them ask for is read once, if one of them asks for it first. What
    is known of the facts wherever the function is asked is not asked again.
    """
    questions = [
        _Question(place, condition.root if knowledge is None else left_of(condition.root, knowledge))
        for place, condition in enumerate(conditions)
    ]
    # Most events come to a context with room: one look at it is an answer to all that ask for a full one.
    shares = [question.share for question in questions if question.share is not None]
    full = _fuller_than(min(shares)) if len(shares) > 1 else None
    kept = _kept(questions, full)
    reader, writer = _Writer(paths or {}), _Writer(paths or {}, frozenset(kept))
    body = [_assigned(_variable(name), reader.expression(Name(name))) for name in kept]
    if full is not None:
        body.append(_assigned(_FULL, writer.expression(full)))
    for question in questions:
        body += question.answer(writer, asks_full=full is not None)
    function: Callable[[Facts], int | None] = _function([*body, ast.Return(ast.Constant(None))])
    return function


class _Question:
    """One of several conditions: what is left of it to ask, and how full a context must be for it to hold."""

    def __init__(self, place: int, left: Node | bool) -> None:  # noqa: FBT001  what is left may be the answer
        self.place = place
        self.left = left
        self.share = None if isinstance(left, bool) else share_needed(left)

    def answer(self, writer: "_Writer", *, asks_full: bool) -> list[ast.stmt]:
        """Return what ends the function with this place where the condition holds."""
        answer = ast.Return(ast.Constant(self.place))
        if isinstance(self.left, bool):
            return [answer] if self.left else []
        holds = writer.expression(self.left)
        if asks_full and self.share is not None:
            holds = ast.BoolOp(ast.And(), [ast.Name(_FULL, ast.Load()), holds])
        return [ast.If(holds, [answer], [])]


def _kept(questions: Sequence[_Question], full: Node | None) -> list[str]:
    """Return the facts to read into variables: those that are read whatever holds, and more than once."""
    roots = [(question.left, question.share) for question in questions if not isinstance(question.left, bool)]
    fullness = [full] if full is not None else []
    first = [*fullness, *(_first_asked(root) for root, share in roots if full is None or share is None)]
    counts = Counter(name for root in (*fullness, *(root for root, _ in roots)) for name in _read(root))
    return sorted({name for root in first for name in _read(root) if counts[name] > 1})


def _fuller_than(share: float) -> Node:
    """A question that a context with more than this part of its limit says yes to, whatever is lost in a division."""
    return Comparison(">", Name("fraction"), Number("", share * (1 - _ROUNDING), Unit.RATIO))


def _assigned(variable: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(variable, ast.Store())], value)


def _function(body: list[ast.stmt]) -> Any:
    arguments = ast.arguments([], [ast.arg(_FACTS)], None, [], [], None, [])
    definition = ast.FunctionDef(_FUNCTION, arguments, _with_shared_ways(body), [])
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
        path = ast.parse(self.paths.get(fact.name, fact.attribute), mode="eval")
        access: ast.expr = _OnFacts().visit(path).body
        return access


def _with_shared_ways(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body, with a way that leads to several facts gone only once: to `view.totals`, for one."""
    steps = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Attribute)]
    ways = Counter(ast.unparse(step.value) for step in steps if isinstance(step.value, ast.Attribute))
    shared = {way: way.replace(".", "_") for way, count in ways.items() if count > 1}
    shortcut = _Shortcut(shared)
    begun: list[ast.stmt] = []
    for way in sorted(shared, key=len):
        before, _, last = way.rpartition(".")
        value = ast.Attribute(shortcut.visit(ast.parse(before, mode="eval").body), last, ast.Load())
        begun.append(ast.Assign([ast.Name(shared[way], ast.Store())], value))
    return [*begun, *(shortcut.visit(statement) for statement in body)]


class _Shortcut(ast.NodeTransformer):
    """Puts variables in the place of ways."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        variable = self._variables.get(ast.unparse(node))
        if variable is not None:
            return ast.Name(variable, ast.Load())
        return ast.Attribute(self.visit(node.value), node.attr, ast.Load())


class _OnFacts(ast.NodeTransformer):
    """Makes names attributes of the facts."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Attribute(ast.Name(_FACTS, ast.Load()), node.id, ast.Load())


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
