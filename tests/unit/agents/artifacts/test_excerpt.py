"""What a model sees of an artifact: numbered lines, what is left out, and never too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.artifacts.excerpt import matching_lines, read_lines
from tailrace.schemas.providers.tools import LineSpan

TEXT = "".join(f"gate {number} is {'open' if number % 10 == 0 else 'shut'}\n" for number in range(1, 101))


@pytest.mark.parametrize(
    ("span", "head", "first", "last"),
    [
        (None, "[lines 1-100 of 100]", "1: gate 1 is shut", "100: gate 100 is open"),
        (LineSpan(first=7, last=9), "[lines 7-9 of 100]", "7: gate 7 is shut", "9: gate 9 is shut"),
        (LineSpan(first=99), "[lines 99-100 of 100]", "99: gate 99 is shut", "100: gate 100 is open"),
        (LineSpan(last=3), "[lines 98-100 of 100]", "98: gate 98 is shut", "100: gate 100 is open"),
        (LineSpan(first=95, last=400), "[lines 95-100 of 100]", "95: gate 95 is shut", "100: gate 100 is open"),
        (LineSpan(last=400), "[lines 1-100 of 100]", "1: gate 1 is shut", "100: gate 100 is open"),
    ],
)
def test_the_lines_of_a_span_are_shown_with_their_numbers(
    span: LineSpan | None, head: str, first: str, last: str
) -> None:
    lines = read_lines(TEXT, span, chars_max=10_000).split("\n")
    assert (lines[0], lines[1], lines[-1]) == (head, first, last)


def test_lines_that_are_not_there_are_said_to_be_missing() -> None:
    assert read_lines(TEXT, LineSpan(first=101), chars_max=100) == "[no such lines: the text has 100 lines]"
    assert read_lines("", None, chars_max=100) == "[no such lines: the text has 0 lines]"


def test_what_does_not_fit_is_named_by_the_range_that_brings_it() -> None:
    shown = read_lines(TEXT, LineSpan(first=11, last=90), chars_max=400)

    *lines, note = shown.split("\n")[1:]
    following = 11 + len(lines)
    assert len(lines) > 5
    assert note == f'[lines {following}-90 left out: read range "{following}-90"]'


def test_a_line_that_is_longer_than_the_page_is_cut_and_says_so() -> None:
    shown = read_lines("x" * 5_000, None, chars_max=300)
    assert shown.endswith("…[5003 characters]")
    assert len(shown) <= 300


def test_lines_with_all_words_are_found_with_the_lines_around() -> None:
    shown = matching_lines(TEXT, "OPEN 20", chars_max=1_000, around=1)
    assert shown.split("\n") == [
        "[1 match in 100 lines]",
        "19: gate 19 is shut",
        "20> gate 20 is open",
        "21: gate 21 is shut",
    ]


def test_where_no_line_has_all_words_those_with_the_most_are_shown() -> None:
    shown = matching_lines(TEXT, "gate open nowhere", chars_max=10_000, around=0)
    assert shown.startswith("[10 matches in 100 lines]\n10> gate 10 is open\n[...]\n20> gate 20 is open")


def test_a_query_that_nothing_answers_says_so() -> None:
    assert matching_lines(TEXT, "weir", chars_max=200) == "[none of 100 lines has any of these words: weir]"


def test_a_query_in_a_span_looks_at_its_lines_only_and_shows_what_stands_around_them() -> None:
    shown = matching_lines(TEXT, "open", LineSpan(first=20, last=21), chars_max=1_000, around=1)
    assert shown.split("\n") == [
        "[1 match in 2 lines]",
        "19: gate 19 is shut",
        "20> gate 20 is open",
        "21: gate 21 is shut",
    ]
    assert matching_lines(TEXT, "open", LineSpan(last=1), chars_max=1_000, around=0).endswith("\n100> gate 100 is open")
    assert (
        matching_lines(TEXT, "open", LineSpan(first=101), chars_max=1_000) == "[no such lines: the text has 100 lines]"
    )


def test_matches_that_do_not_fit_are_counted() -> None:
    shown = matching_lines(TEXT, "open", chars_max=300, around=0)
    shown_matches = shown.count(">")
    assert 0 < shown_matches < 10
    assert f"[{10 - shown_matches} matches left out from line {10 * shown_matches + 10} on" in shown


@given(
    text=st.text(st.sampled_from("ab \n\té水"), max_size=400),
    query=st.text(st.sampled_from("ab "), max_size=5),
    chars_max=st.integers(0, 500),
    around=st.integers(0, 3),
    first=st.none() | st.integers(1, 60),
    last=st.none() | st.integers(1, 60),
)
def test_nothing_is_ever_longer_than_it_may_be(
    text: str, query: str, chars_max: int, around: int, first: int | None, last: int | None
) -> None:
    assert len(read_lines(text, LineSpan(first=first, last=last), chars_max=chars_max)) <= chars_max
    span = LineSpan(first=first, last=last)
    assert len(matching_lines(text, query, span, chars_max=chars_max, around=around)) <= chars_max
