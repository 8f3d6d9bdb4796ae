"""What makes no sense is refused at load, at its place; what makes sense is not."""

import pytest

from tailrace.agents.conditions.check import VALUES_MAX, check
from tailrace.agents.conditions.parse import parse
from tailrace.schemas.errors import ConditionError


def refused(text: str) -> tuple[str, str]:
    """Return what is said of a condition, and the part of its text that the mark is below."""
    with pytest.raises(ConditionError) as raised:
        check(parse(text))
    error = raised.value
    line, mark = str(error).splitlines()[-2:]
    assert line == f"    {text}"
    assert mark == f"    {' ' * error.begin}{'^' * (error.end - error.begin)}"
    return error.allowed.splitlines()[0], text[error.begin : error.end]


@pytest.mark.parametrize(
    "text",
    [
        "total >= limit and (needs_follow_up or pending_input)",
        "fraction > 0.8 and not cache_hot",
        "idle_ms >= 300_000 or turns_since_compaction >= 20",
        "tool_tokens > 30% of limit",
        "0.3 of limit < tool_tokens",
        "tool_tokens > turns * 2k",
        "total / limit > fraction / 2",
        "limit / window < 0.5",
        "idle_ms + 5m > age_ms / 2",
        "headroom < -5k",
        "idle_ms > 5m + 30s",
        'model == "gpt" and agent != "planner" and tenant != agent',
        "event == 'tick' or event == 'call_ended'",
        "total > 100k or total < 10",
        "not (total > 100k and total < 200k)",
        "messages > 3 and messages < 5",
        "growth / limit > 50%",
        "fraction > 1.99",
    ],
)
def test_what_makes_sense_is_allowed(text: str) -> None:
    check(parse(text))


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (
            "idle_ms > limit",
            "idle_ms > limit",
            "one unit on both sides; found: idle_ms (a time in ms) and limit (tokens)",
        ),
        ("total > 5m", "total > 5m", "found: total (tokens) and 5m (a time in ms)"),
        ("messages > 2k", "messages > 2k", "found: messages (a count) and 2k (tokens)"),
        ("turns > 50%", "turns > 50%", "found: turns (a count) and 50% (a ratio)"),
        ("total > 5 and model == 7", "model == 7", "found: model (a text) and 7 (a number)"),
        ("total + idle_ms > 5", "total + idle_ms", "one unit to add or subtract; found: total (tokens) and idle_ms"),
        ("total * limit > 5", "total * limit", "a value times a number, a ratio or a count; found: total (tokens) and"),
        ("total / idle_ms > 5", "total / idle_ms", "by one of the same unit, or by a number; found: total (tokens)"),
        ("total of limit > 5", "total", "a ratio before of"),
        ("model < 'a'", "model < 'a'", "== or != between texts; found: <"),
        ("cache_hot == 1", "cache_hot", "cache_hot or not cache_hot by itself"),
        ("1 == (total > 5)", "(total > 5)", "a value; found: yes or no in a comparison"),
        ("total + cache_hot > 5", "cache_hot", "a number in arithmetic; found: cache_hot (yes or no)"),
        ("-model == 'a'", "model", "a number in arithmetic; found: model (a text)"),
        ("total", "total", "a comparison, or a name that is yes or no; found: total (tokens)"),
        ("cache_hot and total", "total", "a comparison, or a name that is yes or no"),
        ("not 5", "5", "a comparison, or a name that is yes or no; found: 5 (a number)"),
        ("cache_hot or 'x'", "'x'", 'found: "x" (a text)'),
    ],
)
def test_units_that_do_not_fit_are_refused(text: str, place: str, said: str) -> None:
    message, marked = refused(text)

    assert said in message
    assert marked == place


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("total >= limt", "limt", "limit, perhaps; one of total, limit,"),
        ("total_tokens > 5", "total_tokens", "total, perhaps; one of total, limit,"),
        ("zzz > 5", "zzz", "one of total, limit,"),
        ("event == 'tik'", "'tik'", "tick, perhaps; one of message, tool_output,"),
        ("'tik' != event", "'tik'", "tick, perhaps; one of message, tool_output,"),
    ],
)
def test_unknown_names_are_refused_with_what_may_be_meant(text: str, place: str, said: str) -> None:
    message, marked = refused(text)

    assert message.startswith(said)
    assert marked == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("total / messages > 5", "messages"),
        ("total / 0 > 5", "0"),
        ("total / (limit - total) > 5", "(limit - total)"),
        ("total / (5 - 5) > 5", "(5 - 5)"),
        ("total / (fraction * 2) > 5", "(fraction * 2)"),
        ("idle_ms / age_ms > 50%", "age_ms"),
    ],
)
def test_a_divisor_that_may_be_0_is_refused(text: str, place: str) -> None:
    message, marked = refused(text)

    assert "a divisor that is never 0; found: " in message
    assert marked == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("fraction > 2", "fraction > 2"),
        ("fraction > 80", "fraction > 80"),
        ("total < 0", "total < 0"),
        ("0 > total", "0 > total"),
        ("-total > 5", "-total > 5"),
        ("limit == 0", "limit == 0"),
        ("messages == 2.5", "messages == 2.5"),
        ("5 < 3", "5 < 3"),
        ("5 == 3 + 1", "5 == 3 + 1"),
        ("'a' == 'b'", "'a' == 'b'"),
        ("limit / window < 0", "limit / window < 0"),
        ("growth < 0", "growth < 0"),
        ("growth > total", "growth > total"),
        ("total > 5k and total < 3k", "total > 5k and total < 3k"),
        ("total > 5k and not total > 5k", "total > 5k and not total > 5k"),
        ("total < 3k and cache_hot and 5k < total", "total < 3k and cache_hot and 5k < total"),
        ("total > limit and total < limit", "total > limit and total < limit"),
        ("total > limit and limit > total", "total > limit and limit > total"),
        ("2 * total > limit and limit - total > total", "2 * total > limit and limit - total > total"),
        ("total > limit and headroom > 0", "total > limit and headroom > 0"),
        ("total == limit and total != limit", "total == limit and total != limit"),
        ("total != limit and total == limit", "total != limit and total == limit"),
        ("messages > 3 and messages < 4", "messages > 3 and messages < 4"),
        ("total >= limit and limit > 100k and total < 50k", "total >= limit and limit > 100k and total < 50k"),
        ("(turns < 3 or turns < 5) and turns > 7", "(turns < 3 or turns < 5) and turns > 7"),
        ("event == 'tick' and event == 'call_ended'", "event == 'tick' and event == 'call_ended'"),
        ("model == 'a' and model != 'a'", "model == 'a' and model != 'a'"),
        ("(model == 'a' or model == 'b') and model == 'c'", "(model == 'a' or model == 'b') and model == 'c'"),
        ("cache_hot and not cache_hot", "cache_hot and not cache_hot"),
        ("pending_input or total < 0", "total < 0"),
        ("pending_input and (cache_hot or turns < 0)", "turns < 0"),
    ],
)
def test_a_part_that_never_holds_is_refused(text: str, place: str) -> None:
    message, marked = refused(text)

    assert "a condition that can hold and can fail; found: one that never holds" in message
    assert marked == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("total >= 0", "total >= 0"),
        ("fraction <= 2", "fraction <= 2"),
        ("total >= prefix_tokens", "total >= prefix_tokens"),
        ("total >= limit or total < limit", "total >= limit or total < limit"),
        ("cache_hot or not cache_hot", "cache_hot or not cache_hot"),
        ("model != 'a' or model != 'b'", "model != 'a' or model != 'b'"),
        ("messages <= 3 or messages >= 4", "messages <= 3 or messages >= 4"),
        ("pending_input and total >= 0", "total >= 0"),
        ("1 < 2", "1 < 2"),
    ],
)
def test_a_part_that_always_holds_is_refused(text: str, place: str) -> None:
    message, marked = refused(text)

    assert "a condition that can hold and can fail; found: one that always holds" in message
    assert marked == place


def test_what_the_facts_can_be_is_said_where_it_explains_the_error() -> None:
    assert refused("fraction > 2")[0].endswith("one that never holds (fraction is 0 to 2)")
    assert refused("limit < 1")[0].endswith("one that never holds (limit is 1 or more)")


def test_long_arithmetic_is_refused() -> None:
    check(parse(f"total > {' * '.join(['2'] * VALUES_MAX)}"))
    message, _ = refused(f"total > {' * '.join(['2'] * (VALUES_MAX + 1))}")
    assert f"at most {VALUES_MAX} values in one piece of arithmetic; found: {VALUES_MAX + 1}" in message
