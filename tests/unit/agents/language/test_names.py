"""Which words of a text are names."""

import pytest

from tailrace.agents.language.cues import DEMAND
from tailrace.agents.language.names import PERHAPS, Names, _remembered


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see src/gates/weir_nine.py:42, please", ["weir_nine", "weir_nine.py"]),
        ("call openGate(level) on HTTPServer", ["openGate", "HTTPServer"]),
        ("reservation VA5SGQ, flight HAT169", ["VA5SGQ", "HAT169"]),
        ("on 2026-05-17 at 15:30 for 1280", ["2026-05-17", "15:30", "1280"]),
        ('{"order_id": 4711, "state": "open"}', ["order_id", "4711"]),
        ("it is done, and the gate is open.", []),
        ("a 12 of 99", []),
        ("x" * 90 + "1", []),
        ("水門を weir_9 で開ける", ["weir_9"]),
        ("棚B-17の記録は2024-05-01から", ["B-17", "2024-05-01"]),
        ("shelf B-17, error E-77; part-1 of 9-1", ["B-17", "E-77", "9-1"]),
        ("443→export gate_7 444→ 445→gate_8", ["gate_7", "gate_8"]),
    ],
)
def test_names_are_what_nobody_would_write_by_chance(text: str, names: list[str]) -> None:
    assert [name for name in Names().of(text) if name[0].isalnum()] == names


def test_a_capitalised_word_is_a_name_unless_it_is_written_small_elsewhere() -> None:
    names = Names()

    found = [name for name in names.of("Gates open slowly. Marta knows why the gates do.") if name[0] == PERHAPS]

    assert [name[1:] for name in found if names.is_proper(name)] == ["Marta"]


@pytest.mark.parametrize(
    "text", ["Never open it", "don't open it", "don\u2019t open it", "NUR lesen", "не надо, нельзя!"]
)
def test_words_of_a_demand_are_found_in_the_same_pass(text: str) -> None:
    assert DEMAND in Names().of(text)


def test_half_a_surrogate_pair_is_no_obstacle() -> None:
    assert Names().of("weir_9 \ud800 gate_4") == ["weir_9", "gate_4"]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("in src/weir_nine.py:42.", {"weir_nine", "weir_nine.py"}),
        ("(391→gate_7), _gate_7_", {"gate_7"}),
        (":391→gate_7", {"gate_7"}),
        ("until 2026-05-17.", {"2026-05-17"}),
        ("gate_77 since 2026-05-18, weir_nine.pyc", {"weir_nine"}),
        ("weir_nine.py's last line", set()),
        ("水門gate_7を", set()),
        ("", set()),
    ],
)
def test_names_that_were_met_are_found_in_another_text(text: str, there: set[str]) -> None:
    names = Names()
    met = set(names.of("gate_7 in weir_nine.py on 2026-05-17"))

    assert names.among(text) & met == there


def test_any_number_of_numbers_of_lines_is_taken_away() -> None:
    assert Names().of("1→" * 3_000 + "gate_7") == ["gate_7"]


def test_what_one_conversation_has_met_means_nothing_to_another() -> None:
    Names().of("marta opens the gates in weir_nine.py")
    names = Names()

    found = names.of("Marta opens Gates")

    assert [name for name in found if names.is_proper(name)] == [f"{PERHAPS}Marta", f"{PERHAPS}Gates"]
    assert names.among("weir_nine.py") == {"weir_nine.py"}


def test_long_tokens_are_looked_at_and_not_remembered() -> None:
    key = ":".join(f"gate_{number}" for number in range(30))
    Names().of(" ".join(key.split(":")))
    before = _remembered.cache_info()

    assert Names().of(key) == key.split(":")

    assert _remembered.cache_info().currsize == before.currsize
