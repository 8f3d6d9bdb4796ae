"""Rows that differ in a number from many others that are alike.

For example the one status that is not 200, or the one exit code that is not 0.
"""

import re
from collections import Counter
from typing import Final

_NUMBER: Final = re.compile(r"[0-9]+")
_NUMBER_OR_END: Final = re.compile(r"[0-9]+|\n")
_DIGITS: Final = b"0123456789"
#: A number is a status and no measure where nearly all rows have the same, and the others few different ones.
_STEADY_FRACTION: Final = 0.8
_VALUES_MAX: Final = 12
#: Fewer rows show no habit.
_ROWS_MIN: Final = 8
#: Far more numbers than a row of a log has. What follows is data.
_NUMBERS_MAX: Final = 40
#: Where so many of so many rows with numbers are alike, a text is a log of a kind that nobody knows.
_ALIKE_MIN: Final = 8
_SAMPLE_ROWS: Final = 24
#: So many rows are odd at most; where there are more, they are not rare.
_ODD_MAX: Final = 40


def keys_of(text: str) -> list[bytes]:
    """Return for each row what it is without its digits: rows that differ only in these are the same row again."""
    return text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).split(b"\n")


def odd_rows_of(text: str, rows: list[str]) -> list[int]:
    """Return the places of rows with a rare number, the first for each, in a text whose rows are mostly alike.

    A sample of the rows tells whether they are; where they are not, there are no odd ones.
    """
    sample = "\n".join(rows[:: len(rows) // _SAMPLE_ROWS + 1])
    whole = sample.encode("utf-8", "surrogatepass").split(b"\n")
    numbered = Counter(key for key, row in zip(keys_of(sample), whole, strict=True) if key != row)
    if max(numbered.values(), default=0) < _ALIKE_MIN or len(rows) < _ROWS_MIN:
        return []
    keys = keys_of(text)
    return odd_rows(rows, keys, Counter(keys))


def odd_rows(rows: list[str], keys: list[bytes], times: Counter[bytes]) -> list[int]:
    """Return the odd rows of a text whose keys (`keys_of`) and their counts are at hand."""
    alike: dict[bytes, list[int]] = {key: [] for key, number in times.items() if number >= _ROWS_MIN and key}
    if not alike:
        return []
    for place, key in enumerate(keys):
        if key in alike:
            alike[key].append(place)
    return sorted({place for places in alike.values() for place in _odd_among(rows, places)})[:_ODD_MAX]


def _odd_among(rows: list[str], places: list[int]) -> set[int]:
    """Return the odd ones of rows that are alike."""
    alike = [rows[place] for place in places]
    if len(set(alike)) == 1:
        return set()
    # All numbers in one list, with the ends of the rows between them: a list for each row would cost more than all else
    # here.
    numbers = _NUMBER_OR_END.findall("\n".join(alike) + "\n")
    width = numbers.index("\n") + 1
    if numbers.count("\n") * width != len(numbers) or set(numbers[width - 1 :: width]) != {"\n"}:
        return _odd_in_number(alike, places)
    columns = [numbers[column::width] for column in range(min(width - 1, _NUMBERS_MAX))]
    return {places[column.index(rare)] for column in columns for rare in _rare(column)}


def _odd_in_number(alike: list[str], places: list[int]) -> set[int]:
    """Return the odd rows where not all rows have equally many numbers.

    A row with an unusual count of numbers is odd, once for each count; the others are compared number by number.
    """
    counts = [len(_NUMBER.findall(row)) for row in alike]
    usual = Counter(counts).most_common(1)[0][0]
    odd = {places[counts.index(count)] for count in set(counts) if count != usual}
    chosen = [number for number, count in enumerate(counts) if count == usual]
    same = _odd_among([alike[number] for number in chosen], list(range(len(chosen))))
    return odd | {places[chosen[number]] for number in same}


def _rare(values: list[str]) -> list[str]:
    """Return the few values that are not what nearly all are."""
    different = set(values)
    if not 1 < len(different) <= _VALUES_MAX:
        return []
    value, number = Counter(values).most_common(1)[0]
    return sorted(different - {value}) if number >= len(values) * _STEADY_FRACTION else []
