"""Which strings of a text must survive."""

import pytest

from tailrace.agents.distill.spotted import ROW_END, words_of


def names(text: str) -> set[str]:
    return {name for found in words_of(text.split("\n")).names.values() for name in found.names}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call readLevel(gate_9) now", {"readLevel", "gate_9"}),
        ("see weirs/upper/gate.py:120", {"weirs/upper/gate.py", "120"}),
        ("open spillway.toml first", {"spillway.toml"}),
        ("self.gate.sillHeight", {"sillHeight"}),
        ("level 17.25 at 10:45:02, code 404", {"17.25", "10:45:02", "404"}),
        ("https://weir.example/gates/9", {"https://weir.example/gates/9"}),
        ("commit 3f2a91cc0d", {"3f2a91cc0d"}),
        ("Quiet water, all day (or so)", set()),
        ("", set()),
    ],
)
def test_names_are_what_nobody_could_invent_again(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_words_stay_in_their_rows_and_plain_ones_are_dropped() -> None:
    words = words_of(["gate_1 (open)", "", "Water. gate_2, gate_1"])

    assert words.all == [ROW_END, b"gate_1", ROW_END, ROW_END, b"gate_2", b"gate_1", ROW_END]
    assert words.firsts == {b"gate_1": 0, b"gate_2": 2}
    assert [words.of([row]) - {ROW_END} for row in range(3)] == [{b"gate_1"}, set(), {b"gate_1", b"gate_2"}]


@pytest.mark.parametrize("divider", ["→", "\t", ": ", "| "])
def test_numbers_of_lines_are_no_names(divider: str) -> None:
    rows = [f"{n:>6}{divider}level = readLevel({n + 1_000})" for n in range(120, 123)]

    numbered = words_of(rows, numbered=True)

    assert list(numbered.firsts) == [b"readLevel", b"1120", b"1121", b"1122"]


def test_words_beyond_ascii_are_whole() -> None:
    assert names("die größe_1 im Ordner höhen/süd.toml") == {"größe_1", "höhen/süd.toml"}
