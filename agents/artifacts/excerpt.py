"""What a model gets to see of an artifact: some of its lines, numbered, never more than was asked for.

Whatever is left out is said, with the range that brings it, so that a model can go on reading.
"""

from collections.abc import Iterable, Sequence

from tailrace.schemas.providers.tools import LineSpan

#: Room for the sentence on what is left out.
_NOTE_CHARS = 100
#: The least of a long line that is worth showing.
_LINE_CHARS_MIN = 20
_CUT = "…"


def read_lines(text: str, span: LineSpan | None, *, chars_max: int) -> str:
    """Return the lines of the span with their numbers, or all without one; at most `chars_max` characters."""
    lines = _lines(text)
    first, last = _bounds(span, len(lines))
    if first > last:
        return _no_lines(lines, chars_max)
    head = f"[lines {first}-{last} of {len(lines)}]"
    shown = _Page(head, chars_max)
    for number in range(first, last + 1):
        if not shown.add(f"{number}: {lines[number - 1]}"):
            shown.note(f'[lines {number}-{last} left out: read range "{number}-{last}"]')
            break
    return shown.text()


def matching_lines(text: str, query: str, span: LineSpan | None = None, *, chars_max: int, around: int = 2) -> str:
    """Return the lines of the span that hold most words of the query, and `around` lines on both sides of each.

    A matching line has `>` after its number. At most `chars_max` characters.
    """
    lines = _lines(text)
    first, last = _bounds(span, len(lines))
    if span is not None and first > last:
        return _no_lines(lines, chars_max)
    searched = lines[first - 1 : last]
    matches = [first - 1 + place for place in _matches(searched, query.casefold().split())]
    if not matches:
        return f"[none of {_counted(len(searched))} has any of these words: {query}]"[:chars_max]
    shown = _Page(f"[{_counted(len(matches), 'match', 'matches')} in {_counted(len(searched))}]", chars_max)
    matching = set(matches)
    before = 0
    for number in _with_surroundings(matches, around, len(lines)):
        gap = "\n[...]" if number > before + 1 and before else ""
        mark = ">" if number in matching else ":"
        if not shown.add(f"{number}{mark} {lines[number - 1]}", gap):
            left = sum(1 for match in matches if match >= number)
            shown.note(f'[{_counted(left, "match", "matches")} left out from line {number} on: read range "{number}-"]')
            break
        before = number
    return shown.text()


def _no_lines(lines: Sequence[str], chars_max: int) -> str:
    return f"[no such lines: the text has {_counted(len(lines))}]"[:chars_max]


class _Page:
    """Lines up to a limit of characters, with room for a note on what did not fit."""

    def __init__(self, head: str, chars_max: int) -> None:
        self._chars_max = chars_max
        self._pieces = [head]
        self._left_chars = chars_max - len(head) - _NOTE_CHARS

    def add(self, line: str, gap: str = "") -> bool:
        """Add a line, cut where it alone is longer than what is left of an empty page; False where it doesn't fit."""
        cost_chars = len(gap) + 1 + len(line)
        is_first = len(self._pieces) == 1
        if cost_chars > self._left_chars and not (is_first and self._left_chars > _LINE_CHARS_MIN):
            return False
        if cost_chars > self._left_chars:
            note = f"{_CUT}[{len(line)} characters]"
            line = line[: max(0, self._left_chars - len(note) - 1)] + note
            cost_chars = 1 + len(line)
        self._pieces.append(f"{gap}\n{line}")
        self._left_chars -= cost_chars
        return True

    def note(self, sentence: str) -> None:
        """Say what did not fit."""
        self._pieces.append(f"\n{sentence}")

    def text(self) -> str:
        """Return the page; its limit holds even where it has no room for the sentences."""
        return "".join(self._pieces)[: self._chars_max]


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _bounds(span: LineSpan | None, lines: int) -> tuple[int, int]:
    if span is None:
        return 1, lines
    if span.first is None:
        return max(1, lines - (span.last or lines) + 1), lines
    return span.first, min(lines, span.last or lines)


def _matches(lines: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the numbers of the lines with the most of the words; none where there is no line with any."""
    counts = [sum(word in line for word in words) for line in map(str.casefold, lines)]
    most = max(counts, default=0)
    return [number for number, count in enumerate(counts, start=1) if most and count == most]


def _with_surroundings(matches: Iterable[int], around: int, lines: int) -> list[int]:
    wanted = {number for match in matches for number in range(max(1, match - around), min(lines, match + around) + 1)}
    return sorted(wanted)


def _counted(count: int, singular: str = "line", plural: str = "lines") -> str:
    return f"{count:,} {singular if count == 1 else plural}"
