"""Which strings of a text must survive."""

import pytest

from tailrace.agents.distill.literals import by_worth, spot, written


def names(text: str) -> set[str]:
    return set(written(spot(text).names).split())


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
        ("it goes on... and on.. See gate_9...", {"gate_9"}),
        ("well-known Read-Only a.b.c: basin.", {"a.b.c"}),
        ("a: b://c d:e //f", {"b://c"}),
        ("gate.2b and .env_1 or basin..sillHeight", {"gate.2b", ".env_1", ".sillHeight"}),
        ("", set()),
    ],
)
def test_names_are_what_nobody_could_invent_again(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_names_are_known_by_their_rows_and_plain_words_are_not() -> None:
    spotted = spot("gate_1 (open)\n\nwater. gate_2, gate_1")

    assert spotted.names == [b"gate_1", b"gate_2"]
    assert spotted.firsts == [0, 2]
    assert spotted.met == [0, 1, 0]
    assert spotted.begins == [0, 1, 1, 3]
    assert [spotted.shown_by([row]) for row in range(3)] == [[True, False], [False, False], [True, True]]


def test_words_beyond_ascii_are_whole() -> None:
    assert names("Die Größe größe_1 im Ordner höhen/süd.toml → fließt") == {"größe_1", "höhen/süd.toml"}


def test_half_characters_are_no_reason_to_fail() -> None:
    assert names("gate_\ud800 \udfffreadLevel") == {"gate_\ud800", "\udfffreadLevel"}


def test_encoded_data_is_no_name_and_a_long_path_is() -> None:
    path = "weirs/" + "upper_basin/" * 12 + "gate.py"

    assert names(f"{'aB9' * 40} {path}") == {path}


def test_short_names_are_worth_more_than_long_ones_and_numbers_least() -> None:
    assert by_worth([b"sill_height_of_gate", b"12045", b"gate_9"], [0, 1, 2]) == [2, 1, 0]
