"""Words without their endings, so that forms of one word meet. Rough, and that is enough: both sides are cut alike."""

_STEM_CHARS_MIN = 4
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
