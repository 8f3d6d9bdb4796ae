"""Which pieces of an older text speak of what is asked for now.

Names alone don't tell that: most questions have none. So words count as well, by how they begin. What many pieces speak
of tells nothing: it is what the whole conversation is about.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

from tailrace.agents.language.lexicon import FUNCTION_WORDS
from tailrace.agents.summary.extract.quotations import Piece

#: Words that begin alike are forms of one.
_STEM = re.compile(r"(?<!\w)\w{4,5}")
#: So many of the words of a question are in what speaks of it, where it has so many.
_SHARED_MIN = 2
#: What more pieces than this speak of, and more than this part of them, is nothing that is asked for in particular.
_COMMON_MIN = 3
_COMMON_PART = 0.05
#: Words that every sentence has.
_FILLERS = frozenset(word[:5] for word in FUNCTION_WORDS)


def answering(pieces: Iterable[Piece], asked: str) -> list[Piece]:
    """Return the informative pieces that share words with what is asked for now, words that few other pieces have."""
    wanted = _stems_of(asked) - _FILLERS
    if not wanted:
        return []
    least = min(_SHARED_MIN, len(wanted))
    times: Counter[str] = Counter()
    sharing = []
    telling = [piece for piece in pieces if piece.tells]
    texts = [piece.text.lower() for piece in telling]
    for place in _holding(texts, wanted, least):
        shared = wanted & _stems_of(texts[place])
        times.update(shared)
        if len(shared) >= least:
            sharing.append((telling[place], shared))
    common = max(_COMMON_MIN, int(len(telling) * _COMMON_PART))
    return [piece for piece, shared in sharing if any(times[stem] <= common for stem in shared)]


def _holding(texts: Sequence[str], wanted: Iterable[str], least: int) -> list[int]:
    """Return the places of the texts that hold at least `least` of the wanted stems, anywhere in a word.

    All texts are searched as one: most hold no stem, and that is then seen much faster.
    """
    joined = "\n".join(texts)
    ends = [*accumulate([len(text) + 1 for text in texts])]
    held: Counter[int] = Counter()
    for stem in wanted:
        at = joined.find(stem)
        while at >= 0:
            place = bisect_right(ends, at)
            held[place] += 1
            at = joined.find(stem, ends[place])
    return sorted([place for place, times in held.items() if times >= least])


def _stems_of(text: str) -> set[str]:
    """How the words of a text begin, but for the shortest."""
    return set(_STEM.findall(text.lower()))
