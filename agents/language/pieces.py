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

#: The space comes first, because that is looked for much faster.
_SENTENCE_END = re.compile(r" (?<=[.!?] )(?=[^a-z])")
_UNSPACED_END = re.compile("(?<=[\u3002\uff01\uff1f])")
#: Where a long text may be cut, the best first.
_CUTS = (("}, ", "], ", ". ", "; "), (", ",), (" ",))


def sentences(text: str) -> list[str]:
    """Sentences and lines of a text, white space squeezed; long ones are cut."""
    said: list[str] = []
    for line in text.split("\n"):
        squeezed = " ".join(line.split())
        # Much cheaper than to look for the ends of sentences, of which most lines hold none.
        if ". " in squeezed or "! " in squeezed or "? " in squeezed:
            said += _SENTENCE_END.split(squeezed)
        else:
            said.append(squeezed)
    if not text.isascii():
        said = [one for sentence in said for one in _UNSPACED_END.split(sentence)]
    return _all_cut(filter(None, said))


def joined_sentences(text: str) -> list[str]:
    """Sentences of a text, short ones joined to the next."""
    return _all_cut(_joined(sentences(text), SENTENCES_CHARS_MIN))


def joined_lines(text: str) -> list[str]:
    """Lines of a text, white space squeezed; short ones are joined to the next, long ones are cut."""
    joined = _joined(map(str.strip, text.split("\n")), LINES_CHARS_MIN)
    return _all_cut([" ".join(one.split()) for one in joined])


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


def _all_cut(lines: Iterable[str]) -> list[str]:
    """The lines, those that are too long in pieces."""
    pieces: list[str] = []
    for line in lines:
        if len(line) <= PIECE_CHARS_MAX:
            pieces.append(line)
        else:
            pieces += _cut(line)
    return pieces


def _cut(line: str) -> list[str]:
    """Pieces of a line that is too long; each is cut in its last two thirds, at the best place that there is."""
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
