"""Which strings of a text must survive."""

import pytest

from tailrace.agents.distill.spotted import names_in, tokens_of


def names(text: str) -> set[str]:
    return {name for token in tokens_of(text.split("\n")).costs for name in names_in(token)}


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


def test_tokens_stay_in_their_rows() -> None:
    assert tokens_of(["gate_1 (open)", "", "gate_2"]).rows == [[b"gate_1", b"open"], [], [b"gate_2"]]
