"""What a model gets to see of an artifact that is too long to be held.

It comes in pieces, and only what is shown is kept.

`artifacts.excerpt` does the same to a text that is there as a whole. Lines are short here: one that goes on and on, as
JSON without line feeds does, continues under the next number, so that every part of it can be asked for.
"""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from tailrace.schemas.providers.tools import LineSpan, ReadArtifact

#: A longer line goes on in the next one.
LINE_CHARS_MAX = 1_000
#: Room for the sentences on what is left out, and for the head.
_NOTES_CHARS = 300
#: Lines that are shown before and behind one that matches.
_AROUND = 2
#: Number, mark and line feed of a line.
_NUMBER_CHARS = 12


class LineCutter:
    """Cuts a text that comes in pieces into lines of at most `LINE_CHARS_MAX` characters.

    The lines are the same wherever the pieces begin and end.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rest = ""
        self.broke_lines = False

    def take(self, piece: str) -> list[str]:
        """Return the lines that are whole now."""
        *whole, rest = (self._rest + piece).split("\n")
        *begun, self._rest = self._short(rest)
        return [short for line in whole for short in self._short(line)] + begun

    def end(self) -> list[str]:
        """Return the last line, where the text doesn't end with a line feed."""
        return [self._rest] if self._rest else []

    def _short(self, line: str) -> list[str]:
        if len(line) <= LINE_CHARS_MAX:
            return [line]
        self.broke_lines = True
        return [line[first : first + LINE_CHARS_MAX] for first in range(0, len(line), LINE_CHARS_MAX)]


def short_lines(text: str) -> tuple[str, bool]:
    """Return the text with all long lines broken, and whether there were any."""
    cutter = LineCutter()
    lines = [*cutter.take(text), *cutter.end()]
    return "\n".join(lines), cutter.broke_lines


class LineScan(Protocol):
    """Reads lines, one after the other, until it has enough."""

    @property
    def enough(self) -> bool:
        """Whether further lines would change nothing."""
        ...

    def take(self, lines: Sequence[str]) -> None:
        """Take the next lines."""
        ...

    def page(self, *, ended: bool) -> str:
        """Return what is shown; `ended` says whether the text did, or there is more of it that was not read."""
        ...


def scan_for(call: ReadArtifact, *, chars_max: int) -> LineScan:
    """Return what reads the lines that a call asks for; its page has at most `chars_max` characters.

    `chars_max` must have room for two lines.
    """
    if call.query is not None:
        return _MatchScan(call.query, call.span or LineSpan(first=1), chars_max)
    if call.span is not None and call.span.first is None:
        return _TailScan(call.span.last or 1, chars_max)
    return _SpanScan(call.span or LineSpan(first=1), chars_max)


class _SpanScan:
    """Lines from one number to another, or as far as there is room."""

    def __init__(self, span: LineSpan, chars_max: int) -> None:
        self._first = span.first or 1
        self._last = span.last
        self._left_chars = chars_max - _NOTES_CHARS
        self._seen = 0
        self._shown: list[str] = []
        self._left_out: int | None = None

    @property
    def enough(self) -> bool:
        return self._left_out is not None or (self._last is not None and self._seen >= self._last)

    def take(self, lines: Sequence[str]) -> None:
        skipped = max(0, self._first - 1 - self._seen)
        for number, line in enumerate(lines[skipped:], start=self._seen + skipped + 1):
            if self._left_out is not None or (self._last is not None and number > self._last):
                break
            self._left_chars -= len(line) + _NUMBER_CHARS
            if self._left_chars < 0:
                self._left_out = number
            else:
                self._shown.append(f"{number}: {line}")
        self._seen += len(lines)

    def page(self, *, ended: bool) -> str:
        if not self._shown and self._left_out is None:
            return _no_lines(self._seen, ended=ended)
        last = self._first + len(self._shown) - 1
        notes = []
        if self._left_out is not None:
            rest = f"{self._left_out}-{self._last or ''}"
            notes = [f'[lines {rest} left out: read range "{rest}"]']
        elif ended and self._seen == last:
            notes = [f"[the text ends with line {last}]"]
        elif not self.enough:
            notes = [f"[line {last} is the last that was read; there is more]"]
        return "\n".join([f"[lines {self._first}-{last}]", *self._shown, *notes])


class _TailScan:
    """The last lines, or as many of the very last as there is room for."""

    def __init__(self, wanted: int, chars_max: int) -> None:
        self._wanted = wanted
        self._left_chars = chars_max - _NOTES_CHARS
        self._seen = 0
        self._kept: deque[str] = deque()

    @property
    def enough(self) -> bool:
        return False

    def take(self, lines: Sequence[str]) -> None:
        self._seen += len(lines)
        for line in lines[-self._wanted :]:
            self._kept.append(line)
            self._left_chars -= len(line) + _NUMBER_CHARS
            while self._left_chars < 0 or len(self._kept) > self._wanted:
                self._left_chars += len(self._kept.popleft()) + _NUMBER_CHARS

    def page(self, *, ended: bool) -> str:
        if not ended:
            return (
                f"[the text is too long for its last lines to be counted: {self._seen:,} lines were read and "
                f"there are more. "
                "Ask for a range from the beginning, or with query]"
            )
        if not self._kept:
            return _no_lines(self._seen, ended=True)
        first = self._seen - len(self._kept) + 1
        wanted_first = max(1, self._seen - self._wanted + 1)
        rest = f"{wanted_first}-{first - 1}"
        notes = [f'[lines {rest} left out: read range "{rest}"]'] if first > wanted_first else []
        shown = (f"{number}: {line}" for number, line in enumerate(self._kept, start=first))
        return "\n".join([f"[lines {first}-{self._seen} of {self._seen}]", *notes, *shown])


class _MatchScan:
    """Lines with all words of a query, or else with the most of them, and the lines around them."""

    def __init__(self, query: str, span: LineSpan, chars_max: int) -> None:
        self._query = query
        self._words = query.casefold().split()
        # How many lines there are is known at the end only: the last lines of a text are not told apart.
        self._span = span if span.first is not None else LineSpan(first=1)
        self._room_chars = chars_max - _NOTES_CHARS - len(query)
        self._seen = 0
        self._before: deque[tuple[int, str]] = deque(maxlen=_AROUND)
        self._begin(1)

    def _begin(self, words: int) -> None:
        """Forget what was found: there is a line with more of the words."""
        self._most = words
        self._matches = 0
        self._left_chars = self._room_chars
        self._shown: dict[int, str] = {}
        self._behind = 0
        self._left_out: tuple[int, int] | None = None

    @property
    def enough(self) -> bool:
        return self._span.last is not None and self._seen >= self._span.last

    def take(self, lines: Sequence[str]) -> None:
        if not lines:
            return
        folded = "\n".join(lines).casefold()
        # Most pieces hold none of the words: looking once is much faster than looking at each line.
        if self._behind or any(word in folded for word in self._words):
            for line, low in zip(lines, folded.split("\n"), strict=True):
                self._seen += 1
                self._look(self._seen, line, sum(word in low for word in self._words))
                self._before.append((self._seen, line))
            return
        self._seen += len(lines)
        last = lines[-_AROUND:]
        self._before.extend(zip(range(self._seen - len(last) + 1, self._seen + 1), last, strict=True))

    def _look(self, number: int, line: str, words: int) -> None:
        inside = (self._span.first or 1) <= number <= (self._span.last or number)
        if inside and words > self._most:
            self._begin(words)
        if inside and words == self._most:
            self._matches += 1
            self._match(number, line)
        elif self._behind:
            self._behind -= 1
            self._show(number, f": {line}")

    def _match(self, number: int, line: str) -> None:
        if self._left_out is None and self._show(number, f"> {line}"):
            for near, text in self._before:
                if near not in self._shown:
                    self._show(near, f": {text}")
            self._behind = _AROUND
            return
        first, count = self._left_out or (number, 0)
        self._left_out = (first, count + 1)
        self._behind = 0

    def _show(self, number: int, text: str) -> bool:
        cost_chars = len(text) + _NUMBER_CHARS
        if cost_chars > self._left_chars:
            return False
        self._left_chars -= cost_chars
        self._shown[number] = text
        return True

    def page(self, *, ended: bool) -> str:
        looked = f"{self._seen:,} lines" if ended else f"the first {self._seen:,} lines; what follows was not read"
        if not self._matches:
            return f"[none of {looked} has any of these words: {self._query}]"
        lines = [f"[{self._matches:,} {'match' if self._matches == 1 else 'matches'} in {looked}]"]
        before = 0
        for number in sorted(self._shown):
            if before and number > before + 1:
                lines.append("[...]")
            lines.append(f"{number}{self._shown[number]}")
            before = number
        if self._left_out is not None:
            first, count = self._left_out
            many = f"{count:,} {'match' if count == 1 else 'matches'}"
            lines.append(f'[{many} left out from line {first} on: read range "{first}-"]')
        return "\n".join(lines)


def _no_lines(seen: int, *, ended: bool) -> str:
    if ended:
        return f"[no such lines: the text has {seen:,} lines]"
    return f"[these lines lie behind the {seen:,} lines that one call reads]"


def _bounds(span: LineSpan, lines: int) -> tuple[int, int]:
    if span.first is None:
        return max(1, lines - (span.last or lines) + 1), lines
    return span.first, min(lines, span.last or lines)
