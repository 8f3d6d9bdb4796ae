"""Text becomes the tree that it says, and what can't be read is shown at its place."""

import pytest

from tailrace.agents.conditions.parse import CHARS_MAX, DEPTH_MAX, parse
from tailrace.agents.conditions.tree import And, Arithmetic, Comparison, Name, Negative, Not, Number, Or, Text
from tailrace.agents.conditions.unit import Unit
from tailrace.schemas.errors import ConditionError, ConfigError

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("a", A),
        ("a or b and c", Or((A, And((B, C))))),
        ("(a or b) and c", And((Or((A, B)), C))),
        ("a and b and c", And((A, B, C))),
        ("a and (b and c)", And((A, And((B, C))))),
        ("not a and b", And((Not(A), B))),
        ("not (a and b)", Not(And((A, B)))),
        ("not not a", Not(Not(A))),
        ("not a == b", Not(Comparison("==", A, B))),
        ("A AND NOT b Or c", Or((And((Name("A"), Not(B))), C))),
        ("a + b > c", Comparison(">", Arithmetic("+", A, B), C)),
        ("a + b * c", Arithmetic("+", A, Arithmetic("*", B, C))),
        ("(a + b) * c", Arithmetic("*", Arithmetic("+", A, B), C)),
        ("a - b - c", Arithmetic("-", Arithmetic("-", A, B), C)),
        ("a - (b - c)", Arithmetic("-", A, Arithmetic("-", B, C))),
        ("a / b * c", Arithmetic("*", Arithmetic("/", A, B), C)),
        ("-a * b", Arithmetic("*", Negative(A), B)),
        ("a--b", Arithmetic("-", A, Negative(B))),
        ("a OF b", Arithmetic("of", A, B)),
        ("a\n  and\tb", And((A, B))),
        ("a == \"and 'so' on\"", Comparison("==", A, Text("and 'so' on"))),
        ("a == 'x'", Comparison("==", A, Text("x"))),
        ('a == "or" or b', Or((Comparison("==", A, Text("or")), B))),
    ],
)
def test_text_is_read_by_precedence(text: str, root: object) -> None:
    condition = parse(text)

    assert condition.root == root
    assert condition.text == text


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_every_comparison_is_read(sign: str) -> None:
    assert parse(f"a{sign}b") == parse(f"a {sign} b")
    assert str(parse(f"a{sign}b")) == f"a {sign} b"


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [
        ("0", 0, Unit.NUMBER),
        ("300_000", 300_000, Unit.NUMBER),
        ("0.8", 0.8, Unit.NUMBER),
        ("30k", 30_000, Unit.TOKENS),
        ("1_0.5k", 10_500, Unit.TOKENS),
        ("80%", 0.8, Unit.RATIO),
        ("33.3%", 0.333, Unit.RATIO),
        ("100%", 1, Unit.RATIO),
        ("250ms", 250, Unit.MS),
        ("30s", 30_000, Unit.MS),
        ("5m", 300_000, Unit.MS),
        ("1.5h", 5_400_000, Unit.MS),
        ("1d", 86_400_000, Unit.MS),
    ],
)
def test_numbers_have_values_and_units(written: str, value: float, unit: Unit) -> None:
    assert parse(written).root == Number(written, value, unit)


def test_whole_numbers_stay_whole() -> None:
    assert isinstance(parse("0.5k").root.value, int)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "mark", "allowed", "found"),
    [
        ("", "^", "a name", "the end"),
        ("  ", "^", "a name", "the end"),
        ("a and", "     ^", "a name", "the end"),
        ("a and or b", "      ^^", "a name", "or"),
        ("a == not b", "     ^^^", "a name", "not"),
        ("not", "   ^", "a name", "the end"),
        ("()", " ^", "a name", ")"),
        ("a > ", "   ^", "a name", "the end"),
        ("(a > 5", "      ^", "the ) that closes the ( of column 1", "the end"),
        ("a > 5)", "     ^", "and, or or the end", ")"),
        ("a > 5 b", "      ^", "and, or or the end", "b"),
        ("a b", "  ^", "a comparison, and, or or the end", "b"),
        ("1 < a < 5", "      ^", "one comparison at a time", "<"),
        ("a = 5", "  ^", "==", "="),
        ("a && b", "  ^^", "and", "&&"),
        ("a | b", "  ^", "or", "|"),
        ("!a", "^", "not", "!"),
        ("a > 5x", "    ^^", "with k (tokens), % (ratio)", "5x"),
        ("a > 5K", "    ^^", "with k (tokens), % (ratio)", "5K"),
        ("a > 1_", "    ^^", "digits with _ between them", "1_"),
        ("a > 1__0", "    ^^^^", "digits with _ between them", "1__0"),
        ("a > 1.2.3", "    ^^^^^", "digits with _ between them", "1.2.3"),
        ("a > 9_007_199_254_740_992", "    ^^^^^^^^^^^^^^^^^^^^^", "below 2^53", "9_007_199_254_740_992"),
        ("a > 0.00000000000000000001", "    ^^^^^^^^^^^^^^^^^^^^^^", "2^-53", "0.00000000000000000001"),
        ("a > .5", "    ^", "names, numbers", "'.'"),
        ("a @ b", "  ^", "names, numbers", "'@'"),
        ('a == "b', "     ^^", 'a text that ends with "', "one without an end"),
        ("a == 'b\nand c", "     ^^", "a text that ends with '", "one without an end"),
        ("a > __import__('os')", "              ^", "and, or or the end", "("),
    ],
)
def test_what_can_not_be_read_is_shown_at_its_place(text: str, mark: str, allowed: str, found: str) -> None:
    with pytest.raises(ConditionError) as raised:
        parse(text)

    said, line, marked = (
        str(raised.value).removeprefix(f"condition = {text!r} can't be used. Allowed: ").rsplit("\n", 2)
    )
    assert allowed in said
    assert said.endswith(f"; found: {found}")
    assert line == f"    {text.splitlines()[0] if text else ''}"
    assert marked == f"    {mark}"


def test_the_line_of_the_place_is_shown_and_no_other() -> None:
    with pytest.raises(ConditionError) as raised:
        parse("a > 5\n  and b >\tx y\n or c")

    assert str(raised.value).endswith("\n      and b > x y\n                ^")


def test_wide_letters_move_the_mark() -> None:
    with pytest.raises(ConditionError) as raised:
        parse("a == '東京' ?")

    assert str(raised.value).endswith("\n    a == '東京' ?\n                ^")


def test_an_error_keeps_its_place_under_another_key() -> None:
    with pytest.raises(ConfigError) as raised:
        parse("a = 5")

    again = ConfigError("policy.here", raised.value.value, raised.value.allowed)
    assert str(again) == "policy.here = 'a = 5' can't be used. Allowed: ==; found: =\n    a = 5\n      ^"


@pytest.mark.parametrize("opening", ["(", "not ", "-", "(not -"])
def test_what_is_too_deep_is_refused_and_not_a_crash(opening: str) -> None:
    with pytest.raises(ConditionError, match=f"at most {DEPTH_MAX} parts inside of each other"):
        parse(opening * (DEPTH_MAX + 1) + "a")


def test_what_is_as_deep_as_allowed_is_read() -> None:
    assert parse("(" * DEPTH_MAX + "a" + ")" * DEPTH_MAX).root == A


def test_a_text_that_is_too_long_is_refused() -> None:
    text = " or ".join(["a"] * CHARS_MAX)
    with pytest.raises(ConditionError, match=f"at most {CHARS_MAX} characters; found: {len(text)}"):
        parse(text)
