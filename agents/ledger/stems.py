"""Words without their endings, so that forms of one word meet. Rough, and that is enough: both sides are cut alike."""

from functools import lru_cache

from tailrace.agents.language.lexicon import CONCEPTS, FUNCTION_WORDS, REVOKING_NOUNS

_STEM_CHARS_MIN = 4
_POSSESSIVE = ("'s", "\u2019s")
#: By their last letter, the first that fits counts.
_ENDINGS = {
    "s": ("ations", "ings", "ies", "es", "s"),
    "n": ("ation",),
    "g": ("ing",),
    "y": ("ally", "ly", "y"),
    "l": ("al",),
    "d": ("ed",),
    "e": ("e",),
}


def stem(word: str) -> str:
    """Return a word without its ending, roughly: enough for `escalations` to meet `escalation`."""
    if word.endswith(_POSSESSIVE):
        word = word.removesuffix("'s").removesuffix("\u2019s")
    if len(word) <= _STEM_CHARS_MIN:
        return word
    for ending in _ENDINGS.get(word[-1], ()):
        if ending == "s" and word.endswith("ss"):
            continue
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_CHARS_MIN - 1:
            root = word[: -len(ending)]
            # "Logging" comes from "log", and "selling" from "sell".
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsfz" else root
    return word


@lru_cache(maxsize=4096)
def terms_of(word: str) -> tuple[str, ...]:
    """Return the concepts of a word, or else its stem; a word with hyphens has those of its parts."""
    if word in REVOKING_NOUNS:
        return ()
    if word in CONCEPTS:
        return (CONCEPTS[word],)
    if "-" not in word:
        return (stem(word),) if word not in FUNCTION_WORDS else ()
    parts = (part for part in word.split("-") if part and part not in FUNCTION_WORDS)
    return tuple(CONCEPTS.get(part) or stem(part) for part in parts)
