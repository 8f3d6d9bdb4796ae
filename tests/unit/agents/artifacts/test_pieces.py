"""Lines out of pieces: the same as out of the whole text, and never more of them than was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.artifacts.excerpt import matching_lines, read_lines
from tailrace.agents.artifacts.pieces import LINE_CHARS_MAX, LineCutter, scan_for, short_lines
from tailrace.schemas.providers.tools import LineSpan, ReadArtifact

PLENTY = 1_000_000
TEXT = "".join(f"gate {number} is {'open' if number % 10 == 0 else 'shut'}\n" for number in range(1, 101))

words = st.sampled_from(["gate", "Weir", "straße", "open", "閘門", ""])
texts = st.lists(st.lists(words, max_size=4).map(" ".join), max_size=30).map("\n".join)


@st.composite
def pieces(draw: st.DrawFn) -> list[str]:
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=5)))
    return [text[first:last] for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def page(
    given_pieces: list[str],
    *,
    span: LineSpan | None = None,
    query: str | None = None,
    chars_max: int = PLENTY,
    ended: bool = True,
) -> str:
    cutter = LineCutter()
    scan = scan_for(ReadArtifact(id="a1", span=span, query=query), chars_max=chars_max)
    for piece in given_pieces:
        scan.take(cutter.take(piece))
    if ended:
        scan.take(cutter.end())
    return scan.page(ended=ended)


def numbered(shown: str) -> list[str]:
    return [line for line in shown.split("\n") if not line.startswith("[")]


@given(pieces())
def test_lines_are_the_same_however_a_text_was_cut(cut: list[str]) -> None:
    cutter = LineCutter()
    lines = [line for piece in cut for line in cutter.take(piece)] + cutter.end()
    whole = "".join(cut).split("\n")
    assert lines == (whole[:-1] if whole[-1] == "" else whole)


@pytest.mark.parametrize("length", [1, LINE_CHARS_MAX, LINE_CHARS_MAX + 1, 3 * LINE_CHARS_MAX])
@pytest.mark.parametrize("piece_chars", [1, 700, PLENTY])
def test_a_line_that_is_too_long_goes_on_in_the_next(length: int, piece_chars: int) -> None:
    text = "x" * length + "\nend"
    cutter = LineCutter()
    lines = []
    for first in range(0, len(text), piece_chars):
        lines += cutter.take(text[first : first + piece_chars])
    lines += cutter.end()
    assert "".join(lines) == "x" * length + "end"
    assert max(map(len, lines)) <= LINE_CHARS_MAX
    assert ("\n".join(lines), cutter.broke_lines) == short_lines(text)
    assert cutter.broke_lines == (length > LINE_CHARS_MAX)


@given(pieces(), st.integers(1, 12), st.integers(0, 12) | st.none())
def test_a_span_shows_the_lines_that_it_shows_of_a_whole_text(cut: list[str], first: int, more: int | None) -> None:
    span = LineSpan(first=first, last=None if more is None else first + more)
    assert numbered(page(cut, span=span)) == numbered(read_lines("".join(cut), span, chars_max=PLENTY))


@given(pieces(), st.integers(1, 12))
def test_the_last_lines_are_those_of_the_whole_text(cut: list[str], count: int) -> None:
    span = LineSpan(last=count)
    assert numbered(page(cut, span=span)) == numbered(read_lines("".join(cut), span, chars_max=PLENTY))


@given(pieces(), st.lists(words.filter(bool), min_size=1, max_size=3).map(" ".join))
def test_a_query_finds_what_it_finds_in_a_whole_text(cut: list[str], query: str) -> None:
    expected = matching_lines("".join(cut), query, chars_max=PLENTY)
    assert page(cut, query=query).split("\n")[1:] == expected.split("\n")[1:]
    assert numbered(page(cut, query=query)) == numbered(expected)


@given(
    pieces(),
    st.sampled_from([LineSpan(first=1), LineSpan(first=3, last=900), LineSpan(last=40)]),
    st.sampled_from([None, "open gate"]),
    st.integers(2_000, 3_000),
)
def test_no_page_is_longer_than_it_may_be(cut: list[str], span: LineSpan, query: str | None, chars_max: int) -> None:
    long = [piece + "open " * 900 + "\n" for piece in cut] * 3
    assert len(page(long, span=span, query=query, chars_max=chars_max)) <= chars_max


def test_what_does_not_fit_is_named_by_the_range_that_brings_it() -> None:
    shown = page([TEXT], span=LineSpan(first=11, last=90), chars_max=2_000)
    following = 11 + len(numbered(shown))
    assert following < 90
    assert shown.endswith(f'[lines {following}-90 left out: read range "{following}-90"]')
    rest = page([TEXT], span=LineSpan(first=following, last=90))
    assert numbered(shown) + numbered(rest) == numbered(page([TEXT], span=LineSpan(first=11, last=90)))


def test_of_too_many_last_lines_the_very_last_are_shown() -> None:
    shown = page([TEXT], span=LineSpan(last=90), chars_max=2_000)
    first = int(numbered(shown)[0].partition(":")[0])
    assert numbered(shown)[-1] == "100: gate 100 is open"
    assert f'[lines 11-{first - 1} left out: read range "11-{first - 1}"]' in shown


def test_nothing_is_read_once_there_is_enough() -> None:
    scan = scan_for(ReadArtifact(id="a1", span=LineSpan(first=2, last=3)), chars_max=2_000)
    assert not scan.enough
    scan.take(["one", "two", "three"])
    assert scan.enough
    assert scan.page(ended=False) == "[lines 2-3]\n2: two\n3: three"


def test_matches_that_do_not_fit_are_counted() -> None:
    shown = page(["gate open\n" * 500], query="gate", chars_max=2_000)
    assert shown.startswith("[500 matches in 500 lines]")
    left = 500 - len(numbered(shown))
    assert shown.endswith(f'[{left} matches left out from line {501 - left} on: read range "{501 - left}-"]')


def test_a_query_in_a_span_looks_at_its_lines_only() -> None:
    shown = page([TEXT], query="open", span=LineSpan(first=15, last=35))
    assert [line for line in numbered(shown) if ">" in line] == ["20> gate 20 is open", "30> gate 30 is open"]


@pytest.mark.parametrize("span", [LineSpan(first=500), LineSpan(last=5)])
def test_what_lies_behind_what_was_read_is_said_to_be_there(span: LineSpan) -> None:
    shown = page([TEXT], span=span, ended=False)
    assert "100 lines" in shown
    assert numbered(shown) == []


def test_a_search_that_did_not_reach_the_end_says_so() -> None:
    assert page([TEXT], query="open", ended=False).startswith(
        "[10 matches in the first 100 lines; what follows was not"
    )
    assert page([TEXT], query="weir") == "[none of 100 lines has any of these words: weir]"


def test_lines_that_are_not_there_are_said_to_be_missing() -> None:
    assert page([TEXT], span=LineSpan(first=101)) == "[no such lines: the text has 100 lines]"
    assert page([], span=LineSpan(last=3)) == "[no such lines: the text has 0 lines]"
