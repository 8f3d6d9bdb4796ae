"""Whatever a condition says.

Its text reads back as itself, compiled and explained it says the same, and what is said to never hold doesn't.
"""

import operator
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.agents.conditions.check import check
from tailrace.agents.conditions.evaluate import compile_condition, compile_first
from tailrace.agents.conditions.explain import explain
from tailrace.agents.conditions.facts import EVENTS, FACTS
from tailrace.agents.conditions.parse import SUFFIXES, number, parse
from tailrace.agents.conditions.ranges import always_holds, known_where, never_holds
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
from tailrace.agents.conditions.unit import Unit
from tailrace.schemas.errors import ConditionError

SIGNS = {
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
COMPARATORS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


def of_unit(*units: Unit) -> st.SearchStrategy[Name]:
    return st.sampled_from([Name(name) for name, fact in FACTS.items() if fact.unit in units])


def written(suffixes: list[str]) -> st.SearchStrategy[Number]:
    digits = st.one_of(
        st.integers(0, 10).map(str),
        st.integers(0, 400_000).map(lambda value: f"{value:_}"),
        st.decimals(0, 3, places=2).map(lambda value: f"{value:f}"),
    )
    return st.builds(lambda text, suffix: number(text + suffix), digits, st.sampled_from(suffixes))


def joined(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(st.builds(Not, parts), st.builds(And, several), st.builds(Or, several))


# Any tree at all, whether it makes sense or not.

texts = st.text(st.characters(codec="utf-8", exclude_characters='"\n'), max_size=8).map(Text)
anything: st.SearchStrategy[Node] = st.recursive(
    st.one_of(of_unit(*Unit), written(list(SUFFIXES)), texts),
    lambda parts: st.one_of(
        joined(parts),
        st.builds(Negative, parts),
        st.builds(Arithmetic, st.sampled_from(["+", "-", "*", "/", "of"]), parts, parts),
        st.builds(Comparison, COMPARATORS, parts, parts),
    ),
    max_leaves=12,
)


def depth(node: Node) -> int:
    inner = [value for key in node.__slots__ if isinstance(value := getattr(node, key), Node)]
    inner += list(getattr(node, "operands", ()))
    return 1 + max(map(depth, inner), default=0)


@given(anything.filter(lambda node: depth(node) <= 7))
@settings(deadline=None)
def test_a_tree_reads_back_from_its_text(root: Node) -> None:
    again = parse(show(root))

    assert again.root == root
    assert hash(again) == hash(Condition(root))
    assert str(again) == show(root)


# Trees whose units fit; what they divide by is never 0.


def values(unit: Unit, suffixes: list[str]) -> st.SearchStrategy[Node]:
    leaves = st.one_of(of_unit(unit), written(suffixes))
    sums = st.builds(Arithmetic, st.sampled_from(["+", "-"]), leaves, leaves)
    scaled = st.builds(Arithmetic, st.sampled_from(["*", "of"]), written(["", "%"]), leaves)
    parts = st.builds(Arithmetic, st.just("/"), leaves, st.sampled_from([number("4"), number("0.5")]))
    return st.one_of(leaves, leaves, sums, scaled, parts, st.builds(Negative, st.one_of(leaves, sums)))


shares = st.builds(
    Arithmetic, st.just("/"), values(Unit.TOKENS, ["", "k"]), st.sampled_from([Name("limit"), Name("window")])
)
numeric = [
    values(Unit.TOKENS, ["", "k"]),
    values(Unit.MS, ["", "s", "m"]),
    values(Unit.COUNT, [""]),
    st.one_of(values(Unit.RATIO, ["", "%"]), shares),
]
equal = st.sampled_from(["==", "!="])
named = st.builds(Comparison, equal, of_unit(Unit.TEXT), st.sampled_from([Text("a"), Text("b"), Text("tick")]))
comparisons = st.one_of(*(st.builds(Comparison, COMPARATORS, one, one) for one in numeric))
sensible: st.SearchStrategy[Node] = st.recursive(
    st.one_of(comparisons, comparisons, named, of_unit(Unit.FLAG)), joined, max_leaves=6
)


KINDS = {
    Unit.FLAG: st.booleans(),
    Unit.TEXT: st.sampled_from([None, "a", "b"]),
    Unit.MS: st.one_of(st.integers(0, 10), st.integers(0, 2**53)),
    Unit.COUNT: st.one_of(st.integers(0, 5), st.integers(0, 2**40)),
    Unit.TOKENS: st.one_of(st.integers(1, 10), st.integers(1, 400_000)),
}
KEPT = st.fixed_dictionaries(
    {fact.attribute: KINDS[fact.unit] for fact in FACTS.values() if fact.formula is None}
    | {"event": st.sampled_from(EVENTS)}
)


def as_promised(facts: dict[str, Any], total_share: float, prefix_share: float) -> Any:
    """Facts of which those that follow from others are what the table says."""
    total_tokens = int(2 * facts["limit_tokens"] * total_share)
    parts = {
        "prefix_tokens": int(total_tokens * prefix_share),
        "tool_tokens": min(facts["tool_tokens"], total_tokens),
    }
    return SimpleNamespace(**facts | {"total_tokens": total_tokens, **parts})


known_facts = st.builds(as_promised, KEPT, st.floats(0, 1), st.floats(0, 1))


def said(node: Any, facts: Any) -> Any:
    """What a node says, in the plainest way."""
    if isinstance(node, Number | Text):
        return node.value
    if isinstance(node, Name):
        made = {
            "fraction": lambda: facts.total_tokens / facts.limit_tokens,
            "headroom": lambda: facts.limit_tokens - facts.total_tokens,
            "growth": lambda: facts.total_tokens - facts.prefix_tokens,
        }
        return made[node.name]() if node.name in made else getattr(facts, FACTS[node.name].attribute)
    if isinstance(node, Negative):
        return -said(node.operand, facts)
    if isinstance(node, Not):
        return not said(node.operand, facts)
    if isinstance(node, And | Or):
        held = [said(operand, facts) for operand in node.operands]
        return all(held) if isinstance(node, And) else any(held)
    return SIGNS[node.operator](said(node.left, facts), said(node.right, facts))


@given(sensible, known_facts)
@settings(deadline=None, max_examples=300)
def test_compiled_and_explained_it_says_what_it_says(root: Node, facts: Any) -> None:
    condition = Condition(root)
    expected = said(root, facts)
    explanation = explain(condition, facts)

    assert compile_condition(condition)(facts) is expected
    assert explanation.fired is expected
    assert [term.held for term in explanation.terms] == [
        said(parse(term.text).root, facts) for term in explanation.terms
    ]


@given(st.lists(sensible, max_size=5), known_facts)
@settings(deadline=None)
def test_the_first_of_several_is_the_first_that_holds(roots: list[Node], facts: Any) -> None:
    expected = next((place for place, root in enumerate(roots) if said(root, facts)), None)

    assert compile_first([Condition(root) for root in roots])(facts) == expected


@given(sensible, st.lists(sensible, max_size=5), known_facts)
@settings(deadline=None, max_examples=300)
def test_what_is_known_need_not_be_asked(given_root: Node, roots: list[Node], facts: Any) -> None:
    if not said(given_root, facts):
        given_root = Not(given_root)
    expected = next((place for place, root in enumerate(roots) if said(root, facts)), None)

    known = known_where(given_root)
    assert compile_first([Condition(root) for root in roots], knowledge=known)(facts) == expected


@given(sensible, known_facts)
@settings(deadline=None, max_examples=500)
def test_what_never_or_always_holds_does_so(root: Node, facts: Any) -> None:
    held = said(root, facts)

    assert not (held and never_holds(root))
    assert held or not always_holds(root)


@given(anything.filter(lambda node: depth(node) <= 7), known_facts)
@settings(deadline=None, max_examples=300)
def test_what_is_checked_gives_an_answer_whatever_the_facts(root: Node, facts: Any) -> None:
    condition = parse(show(root))
    try:
        check(condition)
    except ConditionError as error:
        assert 0 <= error.begin < error.end <= len(condition.text)  # noqa: PT017  refused or not, both are right
        return
    assert compile_condition(condition)(facts) in {True, False}


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=300)
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    try:
        condition = parse(text)
    except ConditionError as error:
        assert 0 <= error.begin <= error.end <= len(text)  # noqa: PT017  refused or not, both are right
        assert "^" in str(error).splitlines()[-1]  # noqa: PT017
    else:
        assert parse(str(condition)) == condition
