"""Documents cut into passages: what a search returns is never a whole file, but the part of it that fits."""

from dataclasses import dataclass

PASSAGE_CHARS_MAX = 1_000
#: A cut at a line is worth a passage that is this much shorter.
PASSAGE_CHARS_MIN = 500
#: Where a passage may end, the best first. None of these stands inside of a name.
_CUTS = ("\n", ". ", " ", ",", ";")


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive characters of a document."""

    first_char: int
    text: str


def passages(text: str) -> list[Passage]:
    """Return the passages of a text, which together are all of it; none for a text that has only white space."""
    if not text.strip():
        return []
    pieces = []
    start = 0
    while len(text) - start > PASSAGE_CHARS_MAX:
        end = _end(text, start)
        pieces.append(Passage(start, text[start:end]))
        start = end
    pieces.append(Passage(start, text[start:]))
    return pieces


def _end(text: str, start: int) -> int:
    least, most = start + PASSAGE_CHARS_MIN, start + PASSAGE_CHARS_MAX
    for cut in _CUTS:
        end = text.rfind(cut, least, most)
        if end >= 0:
            return end + len(cut)
    return most
