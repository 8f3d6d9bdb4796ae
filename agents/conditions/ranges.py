"""Whether a condition can hold at all, by what its facts can be: `fraction > 200%`, `idle_ms > 5m and idle_ms < 1m`.

Walks the tree with what is known so far. A comparison is brought to one side, `total - limit >= 0`, and narrows what
that sum can be; `and` narrows by all of its parts, `or` keeps what one of them leaves. Nothing left means: never. What
is found is certain; not everything is found, because products and ratios of facts are taken for independent of the
facts.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Final, TypeAlias

from tailrace.agents.conditions.facts import FACTS, Fact
from tailrace.agents.conditions.interval import EVERYTHING, Interval
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.tree import (
    And,
    Arithmetic,
    Comparator,
    Comparison,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    show,
)
from tailrace.agents.conditions.unit import Unit

#: A sum without its constant: what is added up, and how many times. The first counts once.
Sum: TypeAlias = tuple[tuple[Node, Fraction], ...]
#: Texts or flags that a fact can be: these, or all but these.
Choice: TypeAlias = tuple[bool, frozenset[str | bool]]
#: What is known: sums by their intervals, texts and flags by their choices.
Knowledge: TypeAlias = Mapping[Sum | str, Interval | Choice]

_NEGATED: Final[dict[Comparator, Comparator]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED: Final[dict[Comparator, Comparator]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def never_holds(node: Node, knowledge: Knowledge | None = None) -> bool:
    """Tell whether a part of a checked condition holds for no facts at all, or for none that are as is known."""
    return _narrowed(node, _ALWAYS_KNOWN if knowledge is None else knowledge, truth=True) is None


def always_holds(node: Node, knowledge: Knowledge | None = None) -> bool:
    """Tell whether a part of a checked condition holds whatever the facts are."""
    return _narrowed(node, _ALWAYS_KNOWN if knowledge is None else knowledge, truth=False) is None


def known_where(node: Node) -> Knowledge:
    """What is known of facts for which a condition holds, which some must."""
    knowledge = _narrowed(node, _ALWAYS_KNOWN, truth=True)
    if knowledge is None:
        raise ValueError(f"nothing is known where {show(node)}: it never holds")
    return knowledge


def left_of(node: Node, knowledge: Knowledge) -> Node | bool:
    """What is left to ask of a checked condition by who knows this much; True or False where that is nothing."""
    if never_holds(node, knowledge):
        return False
    if always_holds(node, knowledge):
        return True
    match node:
        case Not(operand=operand):
            left = left_of(operand, knowledge)
            return not left if isinstance(left, bool) else Not(left)
        case And(operands=operands) | Or(operands=operands):
            # What decides alone would have decided above.
            asked = [left for operand in operands if not isinstance(left := left_of(operand, knowledge), bool)]
            return asked[0] if len(asked) == 1 else type(node)(tuple(asked))
        case _:
            return node


def share_needed(node: Node) -> float | None:
    """Part of the limit that a context has at least where a checked condition holds; None where that may be any."""
    return next((share for share, knowledge in _UP_TO.items() if never_holds(node, knowledge)), None)


def value_range(node: Node) -> Interval:
    """What a value of a checked condition can be."""
    terms, constant = _linear(node)
    own = Interval(float(constant), float(constant))
    if not terms:
        return own
    key, first = _normal(terms)
    return _possible(key, _ALWAYS_KNOWN).scaled(float(first)) + own


def _narrowed(node: Node, knowledge: Knowledge, *, truth: bool) -> Knowledge | None:
    """What is known where the node is as true as `truth`; None where it can't be."""
    match node:
        case Not(operand=operand):
            return _narrowed(operand, knowledge, truth=not truth)
        case And() | Or():
            return (
                _by_all(node, knowledge, truth=truth)
                if isinstance(node, And) == truth
                else _by_one(node, knowledge, truth=truth)
            )
        case Comparison(operator=operator, left=left, right=right):
            wanted = operator if truth else _NEGATED[operator]
            if _is_text(left) or _is_text(right):
                return _by_text(wanted, left, right, knowledge)
            return _by_numbers(wanted, left, right, knowledge)
        case Name(name=name):
            return _by_choice(name, (True, frozenset({truth})), knowledge)
        case _:
            return knowledge


def _by_all(node: And | Or, knowledge: Knowledge, *, truth: bool) -> Knowledge | None:
    # Twice, so that what a later part says counts for an earlier one too.
    for operand in _flat(node) * 2:
        narrowed = _narrowed(operand, knowledge, truth=truth)
        if narrowed is None:
            return None
        knowledge = narrowed
    return knowledge


def _flat(node: And | Or) -> list[Node]:
    """The operands, those of operands of the same kind among them: parentheses must not multiply the passes."""
    return [
        inner
        for operand in node.operands
        for inner in (_flat(operand) if isinstance(operand, And | Or) and type(operand) is type(node) else [operand])
    ]


def _by_one(node: And | Or, knowledge: Knowledge, *, truth: bool) -> Knowledge | None:
    ways = [way for operand in node.operands if (way := _narrowed(operand, knowledge, truth=truth)) is not None]
    if not ways:
        return None
    first, *others = ways
    for other in others:
        first = {key: _either(first[key], other[key]) for key in first.keys() & other.keys()}
    return first


def _either(first: Interval | Choice, second: Interval | Choice) -> Interval | Choice:
    if isinstance(first, Interval):
        return first.join(second) if isinstance(second, Interval) else first
    # All but what both exclude; or all but what one excludes and the other doesn't name.
    if isinstance(second, Interval):
        return first
    (these, mine), (those, yours) = first, second
    if these and those:
        return True, mine | yours
    if these or those:
        return False, (yours - mine) if these else (mine - yours)
    return False, mine & yours


def _is_text(node: Node) -> bool:
    return isinstance(node, Text) or (isinstance(node, Name) and FACTS[node.name].unit is Unit.TEXT)


def _by_text(operator: Comparator, left: Node, right: Node, knowledge: Knowledge) -> Knowledge | None:
    match left, right:
        case (Name(name=name), Text(value=value)) | (Text(value=value), Name(name=name)):
            return _by_choice(name, (operator == "==", frozenset({value})), knowledge)
        case Text(value=first), Text(value=second):
            return knowledge if (first == second) == (operator == "==") else None
        case _:
            return knowledge


def _by_choice(name: str, wanted: Choice, knowledge: Knowledge) -> Knowledge | None:
    before = knowledge.get(name, _choices(FACTS[name]))
    assert isinstance(before, tuple)  # noqa: S101  names have choices, sums have intervals
    (these, mine), (those, yours) = before, wanted
    if these:
        left = (True, mine & yours if those else mine - yours)
    else:
        left = (True, yours - mine) if those else (False, mine | yours)
    return None if left == (True, frozenset()) else {**knowledge, name: left}


def _choices(fact: Fact) -> Choice:
    if fact.unit is Unit.FLAG:
        return True, frozenset({True, False})
    return (True, frozenset(fact.choices)) if fact.choices else (False, frozenset())


def _by_numbers(operator: Comparator, left: Node, right: Node, knowledge: Knowledge) -> Knowledge | None:
    terms, constant = _difference(left, right)
    if not terms:
        return knowledge if _within(operator, 0).has(float(constant)) == (operator != "!=") else None
    key, first = _normal(terms)
    bound = float(-constant / first)
    wanted = operator if first > 0 else _MIRRORED[operator]
    before = _possible(key, knowledge)
    if wanted == "!=":
        return None if before.is_only(bound) else {**knowledge, key: before}
    left_over = before.meet(_within(wanted, bound))
    if all(_is_whole(atom) and count.denominator == 1 for atom, count in key):
        left_over = left_over.whole()
    return None if left_over.empty else {**knowledge, key: left_over}


@lru_cache(maxsize=256)  # asked for again and again in one check
def _difference(left: Node, right: Node) -> tuple[dict[Node, Fraction], Fraction]:
    return _linear(Arithmetic("-", left, right))


def _within(operator: Comparator, bound: float) -> Interval:
    """Numbers that compare so with the bound; those that are unequal to it are all others, and the caller's to know."""
    match operator:
        case "<" | "<=":
            return Interval(-inf, bound, high_open=operator == "<")
        case ">" | ">=":
            return Interval(bound, inf, low_open=operator == ">")
        case _:
            return Interval(bound, bound)


def _normal(terms: Mapping[Node, Fraction]) -> tuple[Sum, Fraction]:
    """Divide a sum by the count of its first term; return it and that count.

    So `2 * total > limit` and `limit < 2 * total` are about the same sum.
    """
    first = next(iter(terms.values()))
    return tuple((atom, count / first) for atom, count in terms.items()), first


def _possible(key: Sum, knowledge: Knowledge) -> Interval:
    """What a sum can be, by what its terms can be and by what is known of itself."""
    span = Interval(0, 0)
    for atom, count in key:
        own = knowledge.get(((atom, Fraction(1)),))
        span += (own if isinstance(own, Interval) else _atom_range(atom)).scaled(float(count))
    noted = knowledge.get(key)
    return span.meet(noted) if isinstance(noted, Interval) else span


def _atom_range(atom: Node) -> Interval:
    match atom:
        case Name(name=name):
            return Interval(FACTS[name].low, FACTS[name].high)
        case Arithmetic(operator="/", left=left, right=right):
            divisor = value_range(right)
            return EVERYTHING if divisor.has(0) else value_range(left) * divisor.inverse()
        case Arithmetic(left=left, right=right):
            return value_range(left) * value_range(right)
        case _:
            return EVERYTHING


def _is_whole(atom: Node) -> bool:
    return isinstance(atom, Name) and FACTS[atom.name].whole


def _linear(node: Node) -> tuple[dict[Node, Fraction], Fraction]:
    """The value as a sum: what is added up, how many times, in the order of their texts; and the constant."""
    match node:
        case Number(value=value):
            return {}, Fraction(value)
        case Name(name=name) if isinstance(formula := FACTS[name].formula, Arithmetic) and formula.operator in "+-":
            return _linear(formula)
        case Negative(operand=operand):
            return _times(_linear(operand), Fraction(-1))
        case Arithmetic(operator="+" | "-" as operator, left=left, right=right):
            terms, constant = _linear(left)
            others, other_constant = _times(_linear(right), Fraction(1 if operator == "+" else -1))
            both = {atom: terms.get(atom, Fraction(0)) + others.get(atom, Fraction(0)) for atom in terms | others}
            return {atom: both[atom] for atom in sorted(both, key=show) if both[atom]}, constant + other_constant
        case Arithmetic(operator=operator, left=left, right=right):
            sides = ((left, right),) if operator == "/" else ((left, right), (right, left))
            for scaled, by in sides:
                terms, factor = _linear(by)
                if not terms and (factor or operator != "/"):
                    return _times(_linear(scaled), 1 / factor if operator == "/" else factor)
    # A fact, or a product or a quotient of facts: it stands for itself.
    return {node: Fraction(1)}, Fraction(0)


def _times(value: tuple[dict[Node, Fraction], Fraction], factor: Fraction) -> tuple[dict[Node, Fraction], Fraction]:
    terms, constant = value
    return {atom: count * factor for atom, count in terms.items() if factor}, constant * factor


def _always_known() -> Iterator[tuple[Sum, Interval]]:
    """Yield what is known of the facts that are sums of others: `growth` is never negative."""
    for fact in FACTS.values():
        terms, _ = _linear(Name(fact.name))
        if len(terms) > 1:
            key, first = _normal(terms)
            yield key, Interval(fact.low, fact.high).scaled(1 / float(first))


_ALWAYS_KNOWN: Final[Knowledge] = dict(_always_known())


def _up_to(percent: int) -> Knowledge:
    """What is known where a context has so much of its limit at most, and so all of its parts."""
    facts = ("total", "growth", "tool_tokens", "prefix_tokens")
    parts = [f"{fact} <= {percent}% of limit and {fact} < limit" for fact in facts]
    return known_where(parse(" and ".join([f"fraction <= {percent}%", *parts])).root)


#: The largest first.
_UP_TO: Final[Mapping[float, Knowledge]] = {percent / 100: _up_to(percent) for percent in (90, 80, 70, 60, 50)}
