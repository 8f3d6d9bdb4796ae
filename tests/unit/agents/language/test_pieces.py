"""Text cut into pieces that can be quoted."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.language.pieces import PIECE_CHARS_MAX, joined_lines, joined_sentences, opened_lines, sentences


def test_sentences_end_at_a_stop_before_a_capital_and_at_the_end_of_a_line() -> None:
    text = "Open weir.py first.  Then, e.g. at night,\n  close it! 水門を開ける。閉める。"

    assert sentences(text) == ["Open weir.py first.", "Then, e.g. at night,", "close it!", "水門を開ける。", "閉める。"]


def test_short_lines_are_joined_until_they_say_something() -> None:
    lines = [f"    level_{number} = read({number})" for number in range(9)]

    pieces = joined_lines("\n".join(lines))

    assert len(pieces) == 2
    assert pieces[0].startswith("level_0 = read(0) level_1 = read(1)")


def test_a_long_line_is_cut_behind_a_value() -> None:
    line = ", ".join(f'{{"gate": {number}, "level": {number * 7}}}' for number in range(30))

    pieces = joined_lines(line)

    assert all(piece.endswith(("},", "}")) for piece in pieces)


@pytest.mark.parametrize("cut", [sentences, joined_sentences, joined_lines])
@given(text=st.text(st.sampled_from("ab. ,;}\n\t。A"), max_size=2_000))
def test_pieces_are_short_and_hold_the_whole_text_in_order(cut: Callable[[str], list[str]], text: str) -> None:
    pieces = cut(text)

    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(0 < len(piece) <= PIECE_CHARS_MAX for piece in pieces)


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("import os\nfrom a import (\n\nlevel_of_the_gate = 9\npaddles = 2", "level_of_the_gate = 9"),
        ("#!/bin/sh\n\nopen the gate\nand close it", "open the gate and close it"),
        ("open the upper gate\n}", "open the upper gate"),
        ("import os", "import os"),
        ("\n}\n", "}"),
    ],
)
def test_a_text_begins_behind_what_all_texts_begin_with(text: str, opening: str) -> None:
    pieces, begins = opened_lines(text)

    assert pieces[begins] == opening
    assert " ".join(pieces) == " ".join(text.split())


def test_nothing_has_no_beginning() -> None:
    assert opened_lines("") == ([], 0)
