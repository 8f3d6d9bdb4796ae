"""Which strings of a text must survive."""

import pytest

from tailrace.agents.distill.spotted import ROW_END, by_worth, words_of, written


def names(text: str) -> set[str]:
    return set(written(words_of(text).names).split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call readLevel(gate_9) now", {"readLevel", "gate_9"}),
        ("see weirs/upper/gate.py:120", {"weirs/upper/gate.py", "120"}),
        ("open spillway.toml first", {"spillway.toml"}),
        ("it is basin.gate.sillHeight.", {"sillHeight"}),
        ("level 17.25, code 404", {"17.25", "404"}),
        ("from https://weir.example/gates/9 on", {"https://weir.example/gates/9"}),
        ("commit 3f2a91cc0d", {"3f2a91cc0d"}),
        ("--sill-height_m and -readLevel", {"sill-height_m", "readLevel"}),
        ("Quiet WATER, all day (or so). A 1 or 22", set()),
        ("", set()),
    ],
)
def test_names_are_what_nobody_could_invent_again(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_words_stay_in_their_rows_and_plain_ones_are_dropped() -> None:
    words = words_of("gate_1 (open)\n\nwater. gate_2, gate_1")

    assert words.all == [ROW_END, "gate_1", ROW_END, ROW_END, "gate_2", "gate_1", ROW_END]
    assert words.names == {"gate_1": 0, "gate_2": 2}
    assert [words.of([row]) - {ROW_END} for row in range(3)] == [{"gate_1"}, set(), {"gate_1", "gate_2"}]


def test_words_beyond_ascii_are_whole() -> None:
    assert names("Die Größe größe_1 im Ordner höhen/süd.toml → fließt") == {"größe_1", "höhen/süd.toml"}


def test_encoded_data_is_no_name_and_a_long_path_is() -> None:
    path = "weirs/" + "upper_basin/" * 12 + "gate.py"

    assert names(f"{'aB9' * 40} {path}") == {path}


def test_short_names_are_worth_more_than_long_ones_and_numbers_least() -> None:
    assert by_worth(["sill_height_of_gate", "12045", "gate_9"]) == ["gate_9", "12045", "sill_height_of_gate"]
