"""Whether a condition makes sense: known names, units that fit, no division by 0, no part that never or always holds.

Done once, when a policy is loaded, so that nothing can fail while events pass: a checked condition gives an answer for
whatever facts.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from math import isfinite
from typing import Final

from tailrace.agents.conditions.facts import FACTS, Fact
from tailrace.agents.conditions.interval import Interval
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.ranges import always_holds, never_holds, value_range
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
    show,
)
from tailrace.agents.conditions.unit import Unit
from tailrace.schemas.errors import ConditionError

#: Values in one piece of arithmetic. Their product fits a float, so that nothing overflows: 16 times 53 bits.
VALUES_MAX: Final = 16

#: Numbers scale what ranks above them. Two of the highest rank have no product, and no ratio but among their own.
_RANKS: Final = {Unit.NUMBER: 0, Unit.RATIO: 1, Unit.COUNT: 2, Unit.TOKENS: 3, Unit.MS: 3}

_KINDS: Final = {
    Unit.TOKENS: "tokens",
    Unit.MS: "a time in ms",
    Unit.COUNT: "a count",
    Unit.RATIO: "a ratio",
    Unit.NUMBER: "a number",
    Unit.TEXT: "a text",
    Unit.FLAG: "yes or no",
}


def read_condition(text: str) -> Condition:
    """The condition that a text says, which makes sense. Raises a ConditionError like `parse` and `check`."""
    condition = parse(text)
    check(condition)
    return condition


def check(condition: Condition) -> None:
    """Return if the condition makes sense.

    Raises a ConditionError that shows the place, what is there and what is allowed.
    """
    checker = _Checker(condition)
    checker.holds(condition.root)
    for part in _parts(condition.root):
        checker.varies(part)


class _Checker:
    """Knows the text, for errors that show the place in it."""

    def __init__(self, condition: Condition) -> None:
        self.error = condition.error

    def holds(self, node: Node) -> None:
        """Refuse a part that neither holds nor doesn't."""
        match node:
            case And(operands=operands) | Or(operands=operands):
                for operand in operands:
                    self.holds(operand)
            case Not(operand=operand):
                self.holds(operand)
            case Comparison():
                self._comparison(node)
            case _ if (unit := self.unit(node)) is not Unit.FLAG:
                raise self.error(
                    node, allowed="a comparison, or a name that is yes or no", actual=_with_kind(node, unit)
                )

    def unit(self, node: Node) -> Unit:
        """Unit of a value; everything in it is looked at."""
        match node:
            case Number(unit=unit):
                return unit
            case Text():
                return Unit.TEXT
            case Name(name=name):
                if name not in FACTS:
                    raise self._unknown(node, name)
                return FACTS[name].unit
            case Negative(operand=operand):
                return self._numeric(operand)
            case Arithmetic():
                if (values := _values(node)) > VALUES_MAX:
                    raise self.error(
                        node, allowed=f"at most {VALUES_MAX} values in one piece of arithmetic", actual=f"{values}"
                    )
                return self._arithmetic(node)
            case _:
                self.holds(node)
                return Unit.FLAG

    def varies(self, node: Node) -> None:
        """Refuse a part that is the same whatever the facts are."""
        for constant, word in ((never_holds, "never"), (always_holds, "always")):
            if constant(node):
                ranges = ", ".join(_ranges(node)) if isinstance(node, Comparison) else ""
                actual = f"one that {word} holds{f' ({ranges})' if ranges else ''}"
                raise self.error(node, allowed="a condition that can hold and can fail", actual=actual)

    def _comparison(self, node: Comparison) -> None:
        left, right = self.unit(node.left), self.unit(node.right)
        for side, unit in ((node.left, left), (node.right, right)):
            if unit is Unit.FLAG:
                allowed = f"{show(side)} or not {show(side)} by itself" if isinstance(side, Name) else "a value"
                raise self.error(side, allowed=allowed, actual="yes or no in a comparison")
        if _common(left, right) is None:
            actual = f"{_with_kind(node.left, left)} and {_with_kind(node.right, right)}"
            raise self.error(node, allowed="values of one unit on both sides", actual=actual)
        if left is Unit.TEXT:
            if node.operator not in {"==", "!="}:
                raise self.error(node, allowed="== or != between texts", actual=node.operator)
            self._known_text(node.left, node.right)
            self._known_text(node.right, node.left)

    def _known_text(self, name: Node, text: Node) -> None:
        if not isinstance(name, Name) or not isinstance(text, Text):
            return
        choices = FACTS[name.name].choices
        if choices and text.value not in choices:
            allowed = f"{_perhaps(text.value, choices)}one of {', '.join(choices)}"
            raise self.error(text, allowed=allowed, actual=show(text))

    def _numeric(self, node: Node) -> Unit:
        unit = self.unit(node)
        if unit not in _RANKS:
            raise self.error(node, allowed="a number in arithmetic", actual=_with_kind(node, unit))
        return unit

    def _arithmetic(self, node: Arithmetic) -> Unit:
        left, right = self._numeric(node.left), self._numeric(node.right)
        match node.operator:
            case "+" | "-":
                unit, allowed = _common(left, right), "values of one unit to add or subtract"
            case "/":
                unit, allowed = _quotient(left, right), "a value by one of the same unit, or by a number"
            case _:
                unit, allowed = _product(left, right), "a value times a number, a ratio or a count"
        if node.operator == "of" and left not in {Unit.RATIO, Unit.NUMBER}:
            raise self.error(
                node.left, allowed="a ratio before of, as in 30% of limit", actual=_with_kind(node.left, left)
            )
        if unit is None:
            raise self.error(
                node, allowed=allowed, actual=f"{_with_kind(node.left, left)} and {_with_kind(node.right, right)}"
            )
        if node.operator == "/" and value_range(node.right).has(0):
            actual = f"{show(node.right)}, which may be 0: multiply the other side by it"
            raise self.error(node.right, allowed="a divisor that is never 0", actual=actual)
        return unit

    def _unknown(self, node: Node, name: str) -> ConditionError:
        # Whoever knows the attributes of Facts may write these.
        spellings = {fact.attribute: fact.name for fact in FACTS.values()} | {name: name for name in FACTS}
        near = [spellings[match] for match in get_close_matches(name, spellings, n=1)]
        allowed = f"{f'{near[0]}, perhaps; ' if near else ''}one of {', '.join(FACTS)}"
        return self.error(node, allowed=allowed, actual=name)


def _parts(node: Node) -> Iterator[Node]:
    """Yield every part that holds or doesn't, inner ones first: the smallest that makes no sense is the one to show."""
    match node:
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _parts(operand)
        case Not(operand=operand):
            yield from _parts(operand)
    yield node


def _common(left: Unit, right: Unit) -> Unit | None:
    if left is right:
        return left
    if left in _RANKS and right in _RANKS and Unit.NUMBER in {left, right}:
        return left if right is Unit.NUMBER else right
    return None


def _product(left: Unit, right: Unit) -> Unit | None:
    low, high = sorted((left, right), key=_RANKS.__getitem__)
    return high if _RANKS[low] < _RANKS[Unit.TOKENS] else None


def _quotient(left: Unit, right: Unit) -> Unit | None:
    if left is right:
        return Unit.NUMBER if left is Unit.NUMBER else Unit.RATIO
    return left if _RANKS[right] < _RANKS[left] else None


def _values(node: Node) -> int:
    match node:
        case Negative(operand=operand):
            return _values(operand)
        case Arithmetic(left=left, right=right):
            return _values(left) + _values(right)
        case _:
            return 1


def _with_kind(node: Node, unit: Unit) -> str:
    return f"{show(node)} ({_KINDS[unit]})"


def _perhaps(text: str, choices: tuple[str, ...]) -> str:
    return "".join(f"{match}, perhaps; " for match in get_close_matches(text, choices, n=1))


def _ranges(node: Node) -> Iterator[str]:
    """Yield what the facts of a part can be, where they have a bound."""
    facts = {name: FACTS[name] for name in names(node)}
    yield from (f"{fact.name} is {_bounds(fact)}" for fact in facts.values() if _bounds(fact))


def _bounds(fact: Fact) -> str:
    if fact.unit not in _RANKS:
        return ""
    span = Interval(fact.low, fact.high)
    if isfinite(span.low) and isfinite(span.high):
        return f"{span.low:g} to {span.high:g}"
    return f"{span.low:g} or more" if isfinite(span.low) else ""
