"""Text cut into pieces that can be quoted: verbatim but for white space, long enough to be understood, short enough to choose."""

import re
from collections.abc import Iterable, Iterator

PIECE_CHARS_MAX = 240
#: What is shorter is joined to what follows it: a line of code, or a sentence of an agent, says little alone.
LINES_CHARS_MIN = 120
SENTENCES_CHARS_MIN = 80
#: How a text begins: a line, and more where it is shorter.
OPENING_CHARS_MIN = 16
#: What tells nothing of a text: what its programs need, which shell reads it, brackets.
_PREFACE = re.compile(
    r"(?:[ \t]*(?:(?:import|from|package|using|use|require|include|export \*|#!|#include|[\"']use )[^\n]*|\W{0,12})\n)*"
)

_SENTENCE_END = re.compile(r"[.!?] (?=[^a-z])|[\u3002\uff01\uff1f]")
#: Where a long text may be cut, the best first.
_CUTS = (("}, ", "], ", ". ", "; "), (", ",), (" ",))


def sentences(text: str) -> list[str]:
    """Sentences and lines of a text, white space squeezed; long ones are cut."""
    pieces: list[str] = []
    for line in text.split("\n"):
        squeezed = " ".join(line.split())
        if len(squeezed) <= PIECE_CHARS_MAX and squeezed.isascii() and not _holds_sentence_end(squeezed):
            if squeezed:
                pieces.append(squeezed)
            continue
        start = 0
        for end in _SENTENCE_END.finditer(squeezed):
            pieces += _cut(squeezed[start : end.end()].rstrip())
            start = end.end()
        if start < len(squeezed):
            pieces += _cut(squeezed[start:])
    return pieces


def _holds_sentence_end(line: str) -> bool:
    """Tell whether a line of plain letters may hold more than one sentence; much cheaper than to look for them."""
    return ". " in line or "! " in line or "? " in line


def joined_sentences(text: str) -> list[str]:
    """Sentences of a text, short ones joined to the next."""
    pieces: list[str] = []
    for joined in _joined(sentences(text), SENTENCES_CHARS_MIN):
        pieces += _cut(joined)
    return pieces


def joined_lines(text: str) -> list[str]:
    """Lines of a text, white space squeezed; short ones are joined to the next, long ones are cut."""
    pieces: list[str] = []
    for joined in _joined(map(str.strip, text.split("\n")), LINES_CHARS_MIN):
        pieces += _cut(" ".join(joined.split()))
    return pieces


def opened_lines(text: str) -> tuple[list[str], int]:
    """The same, with the place of a short piece: how a text begins, behind what programs and files all begin with, tells best what it is."""
    text = text.strip()
    preface = _PREFACE.match(text)
    begin = preface.end() if preface and preface.end() < len(text) else 0
    end = text.find("\n", begin + OPENING_CHARS_MIN)
    before, opening = joined_lines(text[:begin]), joined_lines(text[begin : end if end >= 0 else len(text)])
    return [*before, *opening, *(joined_lines(text[end:]) if end >= 0 else ())], len(before)


def _joined(lines: Iterable[str], chars_min: int) -> Iterator[str]:
    waiting: list[str] = []
    chars = 0
    for line in lines:
        waiting.append(line)
        chars += len(line)
        if chars >= chars_min:
            yield " ".join(waiting)
            waiting = []
            chars = 0
    if chars:
        yield " ".join(waiting)


def _cut(line: str) -> list[str]:
    """Pieces of a line that is too long; each is cut in its last two thirds, at the best place that there is."""
    if len(line) <= PIECE_CHARS_MAX:
        return [line]
    pieces = []
    start = 0
    while len(line) - start > PIECE_CHARS_MAX:
        least, most = start + PIECE_CHARS_MAX // 3, start + PIECE_CHARS_MAX
        for cuts in _CUTS:
            end = max(line.rfind(cut, least, most) + len(cut) for cut in cuts)
            if end > least:
                break
        else:
            end = most
        pieces.append(line[start:end].rstrip())
        start = end
    pieces.append(line[start:])
    return pieces
