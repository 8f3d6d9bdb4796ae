"""Long runs of one character lose whole periods, and nothing else changes."""

import pytest

from tailrace.streams.models.long_runs import (
    CHARACTERS,
    LEFT_CHARS_MIN,
    PERIOD_CHARS,
    RUN_CHARS_MIN,
    without_long_runs,
)
from tailrace.streams.models.vocabulary import ENCODINGS, load_encoding


def test_a_text_without_a_long_run_stays_as_it_is() -> None:
    text = ("-" * (RUN_CHARS_MIN - 1) + "\n" + "x" * 5_000) * 3
    assert without_long_runs(text) == (text, {})


@pytest.mark.parametrize("char", CHARACTERS)
@pytest.mark.parametrize("length", [RUN_CHARS_MIN, RUN_CHARS_MIN + 1, 1_000_000])
def test_a_long_run_loses_whole_periods(char: str, length: int) -> None:
    text, periods = without_long_runs(f"a{char * length}b{char * 5}c")
    left_chars = text.index("b") - 1
    assert text == f"a{char * left_chars}b{char * 5}c"
    assert LEFT_CHARS_MIN <= left_chars < RUN_CHARS_MIN
    assert left_chars + periods[char] * PERIOD_CHARS == length


def test_of_several_runs_each_is_shortened() -> None:
    text, periods = without_long_runs(("-" * 400 + "=" * 1_000 + "\n") * 10)
    assert text == ("-" * 272 + "=" * 232 + "\n") * 10
    assert periods == {"-": 10, "=": 60}


@pytest.mark.parametrize("char", CHARACTERS)
@pytest.mark.parametrize("name", ENCODINGS)
def test_the_middle_of_a_run_is_one_token_over_and_over_of_which_a_period_is_a_multiple(name: str, char: str) -> None:
    encoding = load_encoding(name)
    tokens = encoding.encode_ordinary(f"({char * 2_000})")
    middle = {len(encoding.decode([token])) for token in tokens[len(tokens) // 3 : -len(tokens) // 3]}
    assert len(middle) == 1
    assert PERIOD_CHARS % middle.pop() == 0
