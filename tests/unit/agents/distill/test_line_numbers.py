"""Files with numbers before their lines."""

import pytest

from tailrace.agents.distill.line_numbers import divider_of, read_file

LINES = ["class Gate:", "    def opens(self) -> bool:", "", "        return self.level > 17  # → always"] * 8


@pytest.mark.parametrize("divider", ["→", "\t", ": ", "| "])
@pytest.mark.parametrize("first", [1, 96, 998, 29_990])
def test_lines_and_numbers_are_told_apart(divider: str, first: int) -> None:
    text = "\n".join(f"{number:>6}{divider}{line}" for number, line in enumerate(LINES, start=first))

    file = read_file(text, divider_of(text))

    assert file.rows == [line.replace("    ", "\t") for line in LINES]
    assert list(file.numbers) == list(range(first, first + len(LINES)))
    assert file.text == "\n".join(file.rows)


def test_remarks_before_and_behind_a_file_have_no_number() -> None:
    text = "\n".join(["Here is gate.py:", *(f"{n:>6}→{line}" for n, line in enumerate(LINES, start=1)), "", "The end."])

    file = read_file(text, divider_of(text))

    assert [row for row, number in zip(file.rows, file.numbers, strict=True) if not number] == [
        "Here is gate.py:",
        "",
        "The end.",
    ]


def test_numbers_that_jump_and_rows_without_one_in_between_are_kept() -> None:
    text = "     7→level = 1\n   120→level = 2\n--\n   121→level = 3\n    12→"

    file = read_file(text, "→")

    assert file.rows == ["level = 1", "level = 2", "--", "level = 3", ""]
    assert list(file.numbers) == [7, 120, 0, 121, 12]


def test_matches_and_lines_beside_them_are_one_file() -> None:
    text = "\n".join(f"{n}{':' if n % 3 else '-'}\tlevel = {n}" for n in range(40, 60))

    file = read_file(text, divider_of(text))

    assert file.rows == [f"\tlevel = {n}" for n in range(40, 60)]
    assert list(file.numbers) == list(range(40, 60))


def test_numbers_need_no_column() -> None:
    text = "\n".join(f"{number}→{line}" for number, line in enumerate(LINES, start=1))

    assert list(read_file(text, "→").numbers) == list(range(1, len(LINES) + 1))


@pytest.mark.parametrize("text", ["", "level = 1", "\n" * 40, "12 gates\n" * 20])
def test_texts_without_numbers_have_none(text: str) -> None:
    assert divider_of(text) == ""
    assert read_file(text, "").rows == text.split("\n")


@pytest.mark.parametrize("text", ["12", "12\n13", "x→12→", "\u202812→" * 20, "0→", "→", "9" * 5_000 + "→"])
def test_texts_that_only_look_numbered_are_read_all_the_same(text: str) -> None:
    file = read_file(text, "→")

    assert len(file.rows) == len(file.numbers)
    assert file.text == "\n".join(file.rows)
