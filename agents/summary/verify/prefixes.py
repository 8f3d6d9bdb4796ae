"""Words that are the opposite of others by their beginning: distrusts and trusts, inactive and active, deactivated and activated.

A beginning alone tells nothing: "inform" is not the opposite of "form". So two sentences have to hold one word each of such a pair.
"""

import re
from functools import lru_cache
from typing import Final

from tailrace.agents.summary.verify.claim_tokens import stem

_WORD = re.compile(r"[^\W\d_]{4,}")
_BEGINNING: Final = re.compile(r"(?:un|in|im|il|ir|dis|non|de|dés|des|mis|miss|on|nie|не|без)(?=[^\W\d_]{4})")


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> tuple[frozenset[str], dict[str, str]]:
    """Stems of the words of a sentence; and of those that begin so, the stem of the rest with their own."""
    found = set(_WORD.findall(text.lower()))
    rests = {stem(word[match.end() :]): stem(word) for word in found if (match := _BEGINNING.match(word))}
    return frozenset(map(stem, found)), rests


def opposites(claim: str, there: str) -> set[str]:
    """Stems of the words of a claim whose opposite by their beginning stands there, and they don't."""
    own, rests = _words(claim)
    others, other_rests = _words(there)
    plain = {word for word in own & other_rests.keys() if word not in others and other_rests[word] not in own}
    turned = {whole for rest, whole in rests.items() if rest in others and whole not in others and rest not in own}
    return plain | turned
