"""A text of a person or a system prompt made shorter: what it demands stays before what it tells.

Beginning and end of a text are a good guess for what a tool printed. Rules stand anywhere in a prompt, and an agent
that no longer sees one breaks it. So sentences that demand something are kept first, then those that wish for
something, the short before the long: that way most of them stay. Then come the others in their order.
"""

import re
from functools import lru_cache
from itertools import pairwise

from tailrace.agents.language.cues import DEMAND, WISH, demand_of
from tailrace.agents.messages.text_ends import ends_of

GAP = "…"
_SENTENCE_END = re.compile("(?<=[.!?\u3002\uff01\uff1f])\\s+")
_DEMAND_RANKS = {DEMAND: 1, WISH: 2}
#: Each sentence may need a mark, or the end of its line, beside it.
_BESIDE_CHARS = 2 + len(GAP)
#: What is longer is cut into several: else one paragraph would take all the room, or get none.
_PIECE_CHARS_MAX = 400
#: What is shorter says nothing without what stands around it: a heading, a number, a name.
_TELLING_CHARS_MIN = 24


def gist(text: str, chars: int) -> str:
    """At most `chars` of a text, its sentences in their order, a mark where some are left out."""
    if len(text) <= chars:
        return text
    # Most of a long text can't be kept, so its middle is not even looked at.
    pieces, ranked, least_chars = _pieces(ends_of(text))
    room_chars = chars
    chosen = set()
    for place in ranked:
        if room_chars < least_chars:
            break
        cost_chars = len(pieces[place][1]) + _BESIDE_CHARS
        if cost_chars <= room_chars:
            room_chars -= cost_chars
            chosen.add(place)
    return _written(pieces, sorted(chosen)) if chosen else text[:chars]


@lru_cache(maxsize=16)  # asked for again and again with another size, until what comes of it fits
def _pieces(text: str) -> tuple[tuple[tuple[int, str], ...], tuple[int, ...], int]:
    """Sentences with the number of their line, and the order in which they are kept.

    The last is the room that the shortest takes.
    """
    pieces = tuple(
        (number, sentence[begin : begin + _PIECE_CHARS_MAX])
        for number, line in enumerate(text.split("\n"))
        for sentence in _SENTENCE_END.split(line.rstrip())
        for begin in range(0, len(sentence), _PIECE_CHARS_MAX)
    )
    # The very first words say what all of it is.
    ranked = sorted(range(len(pieces)), key=lambda place: (_rank(pieces[place][1]) if place else (0, 0), place))
    return pieces, tuple(ranked), min(len(piece) for _, piece in pieces) + _BESIDE_CHARS


def _rank(sentence: str) -> tuple[int, int]:
    """How soon a sentence is kept."""
    demand = demand_of(sentence)
    if demand is not None:
        return _DEMAND_RANKS[demand], len(sentence)
    return (3, 0) if len(sentence) >= _TELLING_CHARS_MIN else (4, 0)


def _written(pieces: tuple[tuple[int, str], ...], chosen: list[int]) -> str:
    written = pieces[chosen[0]][1] if chosen[0] == 0 else f"{GAP}\n{pieces[chosen[0]][1]}"
    for before, place in pairwise(chosen):
        same_line = pieces[before][0] == pieces[place][0]
        gap = "" if place == before + 1 else GAP
        between = (f" {gap} " if gap else " ") if same_line else (f"\n{gap}\n" if gap else "\n")
        written += between + pieces[place][1]
    return written
