"""In which script and language a text is written, as far as its letters and commonest words tell.

Enough to notice that a summary is not in the language of its conversation, and to name that beforehand; a text that says too little has none.
"""

import re
from collections import Counter

#: First code points of blocks of letters, ascending, each with its script. What lies between is nobody's.
_BLOCKS: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x024F, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x0E00, 0x0E7F, "thai"),
    (0x1100, 0x11FF, "hangul"),
    (0x1E00, 0x1EFF, "latin"),
    (0x3040, 0x30FF, "kana"),
    (0x4E00, 0x9FFF, "han"),
    (0xAC00, 0xD7AF, "hangul"),
)
#: Japanese is written in both; a text with kana in it is Japanese however much han it has.
_KANA_SHARE_MIN = 0.1
#: Below this, letters say nothing: names and code are in Latin letters in every language.
LETTERS_MIN = 20
#: A script counts as the text's own from this share on. Names and code in Latin letters stand in texts of every script.
SHARE_MIN = 0.5
_OTHER_SHARE_MIN = 0.3
#: More of a text tells no more about its language.
LOOKED_AT_CHARS = 8_000

#: The commonest words of languages that share the Latin script, chosen so that few stand in two rows.
_COMMON = {
    "en": "the and of to is was that with for this are has have been from were which will not by",
    "de": "der die das und ist nicht mit für auf ein eine den dem von wurde werden sind auch wird zu",
    "fr": "le la les des est une dans pour pas que qui sur avec sont été cette aux du et ne",
    "es": "el los las una que con para por está fue son como pero más del este ser ha y en",
    "pt": "os uma não com para foi são mais está dos das pelo pela ao também isso ser e do que",
    "it": "il gli una che con per non sono è stato della nel alla anche dei più questo di e ha",
    "nl": "het een van niet met voor zijn werd wordt ook aan bij deze naar dat die op en is de",
    "pl": "nie jest się na do że jak przez dla został są oraz tego to z w i",
    "tr": "bir ve bu için ile olarak değil daha çok olan gibi ama kadar sonra da de",
    "sv": "och att det som är inte för med på den till har av ett en var kan",
}
_LANGUAGES: dict[str, tuple[str, ...]] = {
    word: tuple(language for language, words in _COMMON.items() if word in words.split())
    for word in dict.fromkeys(" ".join(_COMMON.values()).split())
}
#: Scripts that one language is written in, as far as most texts go.
_LANGUAGE_OF_SCRIPT = {"greek": "el", "hebrew": "he", "thai": "th", "hangul": "ko", "kana": "ja", "han": "zh"}
_WORD = re.compile(r"[^\W\d_]+")
#: So many common words, and so many times those of the next language, before a language is believed.
HITS_MIN = 5
LEAD_MIN = 1.8


def scripts_of(text: str) -> Counter[str]:
    """Letters of the text by script, as far as it is looked at."""
    looked_at = text[:LOOKED_AT_CHARS]
    letters = Counter(filter(str.isalpha, looked_at))
    found: Counter[str] = Counter()
    for letter, times in letters.items():
        if script := _script(letter):
            found[script] += times
    return found


def script_of(text: str) -> str | None:
    """The script that the text is written in, None if it is too short to tell.

    Where a third of the letters are of another script than Latin, that is the text's own: the rest are names and code.
    """
    found = scripts_of(text)
    total = sum(found.values())
    if total < LETTERS_MIN:
        return None
    if found["kana"] + found["han"]:
        japanese = found["kana"] >= _KANA_SHARE_MIN * (found["kana"] + found["han"])
        found["kana" if japanese else "han"] = found.pop("kana", 0) + found.pop("han", 0)
    for script, letters in found.most_common():
        if script != "latin" and letters >= _OTHER_SHARE_MIN * total:
            return script
    return "latin" if found["latin"] >= SHARE_MIN * total else None


def language_of(text: str) -> str | None:
    """The language of a text in Latin letters, None where its words don't tell."""
    hits: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(text[:LOOKED_AT_CHARS].lower())).items():
        for language in _LANGUAGES.get(word, ()):
            hits[language] += times
    ranked = hits.most_common(2)
    if not ranked or ranked[0][1] < HITS_MIN:
        return None
    if len(ranked) > 1 and ranked[0][1] < LEAD_MIN * ranked[1][1]:
        return None
    return ranked[0][0]


def spoken_language(text: str) -> str | None:
    """The language of a text, as a tag of BCP 47; None where its letters and words don't tell, as for letters that many languages share."""
    script = script_of(text)
    return language_of(text) if script == "latin" else _LANGUAGE_OF_SCRIPT.get(script or "")


def differs(text: str, other: str) -> str | None:
    """What tells that two texts are in different languages; None where nothing does."""
    script, other_script = script_of(text), script_of(other)
    if script and other_script and script != other_script:
        return f"{script} instead of {other_script} letters"
    language, other_language = language_of(text), language_of(other)
    if language and other_language and language != other_language:
        return f"{language} instead of {other_language}"
    return None


def _script(letter: str) -> str | None:
    point = ord(letter)
    for first, last, script in _BLOCKS:
        if first <= point <= last:
            return script
    return None
