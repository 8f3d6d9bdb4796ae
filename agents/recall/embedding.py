"""A vector for a text without a model: words and pieces of words, hashed into a fixed number of dimensions.

Texts that share words, or long parts of words, point into similar directions. It knows no synonyms.
"""

import math
from array import array
from collections import Counter
from zlib import crc32

from tailrace.agents.recall.terms import words_of

DIMENSIONS = 256
#: Shorter words are mostly grammar.
WORD_CHARS_MIN = 4
PIECE_CHARS = 4
#: A piece says less than a whole word.
PIECE_WORTH = 0.5
_SIGN_BIT = 1 << 31


def embedding(text: str) -> bytes:
    """Return a vector of length one as 32-bit floats; all zeros for a text without words."""
    vector = [0.0] * DIMENSIONS
    for word, times in Counter(word for word in words_of(text) if len(word) >= WORD_CHARS_MIN).items():
        worth = 1 + math.log(times)
        _add(vector, f"{word} ", worth)
        for start in range(len(word) - PIECE_CHARS + 1):
            _add(vector, word[start : start + PIECE_CHARS], worth * PIECE_WORTH)
    length = math.hypot(*vector) or 1.0
    return array("f", (value / length for value in vector)).tobytes()


def _add(vector: list[float], feature: str, worth: float) -> None:
    digest = crc32(feature.encode())
    vector[digest % DIMENSIONS] += worth if digest & _SIGN_BIT else -worth
