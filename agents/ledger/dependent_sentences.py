"""The sentences of a line, each with those that lean on it: what may be held, changed or dropped without the rest.

    Use metric units. Never email the client.           two
    Ship on Mondays. Except on public holidays.         one
    The budget is 900 euros. Never go over it.          one
    The budget is 900 euros. Book it.                   two

A sentence leans by its first words, or by a word for something that it doesn't name. Where that is in doubt it stays with the one before: two
rules in one item cost room, and half of a rule is worse than none.
"""

import re
from collections.abc import Sequence

from tailrace.agents.language.lexicon import FUNCTION_WORDS, MONTHS
from tailrace.agents.ledger import dependence_words as lw
from tailrace.agents.ledger import scope_words as bw

#: Between two sentences. The point behind the number of an item ("1. this") ends nothing.
_PLAIN_END = r" (?<=[.!?] )(?<![\s`(]\d\. ) *(?=[^a-z\s])"
_END = re.compile(rf"{_PLAIN_END}|(?<=[\u3002\uff01\uff1f])")
#: In plain letters every end has a space, which is leapt to.
_ASCII_END = re.compile(_PLAIN_END)
#: A line up to here is what somebody wants done; in a longer one, who tells something leans on it in every sentence.
LINE_CHARS_MAX = 240
#: More of them are a text, of which nobody changes a sentence; so much of one is looked at.
SENTENCES_MAX = 60
_READ_CHARS = 160
#: An order for once is not longer.
ONCE_CHARS_MAX = 40
_WORD = re.compile(r"[^\W_][\w'-]*")
#: The last word before a point, and the word before it.
_LAST = re.compile(r"(?:([^\W_][\w'-]*) )?\(?([^\W_][\w.]*)\.$")
#: Marks of which every other one ends what is quoted; the last of them are set either way.
_PAIRED = (('"',), ("`",), ("\u00ab", "\u00bb"))
#: What begins something, with what may end it.
_ENDED_BY = (("(", (")",)), ("[", ("]",)), ("\u201e", ("\u201c", "\u201d")))
_QUOTED = re.compile(r"(?:(?<=\s)|^)'(?=\w)")
_UNQUOTED = re.compile(r"(?<=[\w.!?])'(?=[\s.,;!?)]|$)")


def sentence_end(line: str) -> re.Pattern[str]:
    """What stands between two sentences of a line, as far as it can be told without their words."""
    return _ASCII_END if line.isascii() else _END


def sentences(line: str) -> list[str]:
    """The sentences of a line, in their words; one that leans on the one before it is a part of it."""
    ends = [*sentence_end(line).finditer(line)] if len(line) > 1 else []
    if not ends or len(ends) > SENTENCES_MAX:
        return [line] if not ends else [one for one in sentence_end(line).split(line) if one]
    starts, stops = [0, *(end.end() for end in ends)], [*(end.start() for end in ends), len(line)]
    leans = _leans if len(line) <= LINE_CHARS_MAX else _is_rest
    begins: list[int] = []
    for place, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        if start < stop and not (begins and leans(line[begins[-1] : stops[place - 1]], line[start:stop], len(begins))):
            begins.append(start)
    return [line[start:stop].rstrip() for start, stop in zip(begins, [*begins[1:], len(line)], strict=True)]


def _is_rest(before: str, sentence: str, _count: int) -> bool:
    """Whether what stands before a sentence has not ended there."""
    return len(before) + len(sentence) < LINE_CHARS_MAX and (_is_open(before) or _is_shortened(before, sentence))


def _leans(before: str, sentence: str, count: int) -> bool:
    """Whether a sentence belongs to what stands before it, the last of so many."""
    if _is_rest(before, sentence, count):
        return True
    small = sentence[:_READ_CHARS].lower().replace("\u2019", "'")
    once = lw.ONCE.fullmatch(small) if len(small) <= ONCE_CHARS_MAX else None
    if once is not None and (once["now"] or lw.SO_IT_IS.search(before.lower())):
        return False
    words = _WORD.findall(small)
    if words and words[0] in bw.FIRST and count > 1 and _is_of_all(small):
        return False
    return not words or len(words) == 1 or _goes_on(small, words) or _means_before(sentence, small)


def _is_open(before: str) -> bool:
    """Whether a quotation or a bracket has not ended."""
    if any(sum(map(before.count, marks)) % 2 for marks in _PAIRED):
        return True
    if any(before.count(begin) > sum(map(before.count, ends)) for begin, ends in _ENDED_BY):
        return True
    if "\u201e" not in before and before.count("\u201c") > before.count("\u201d"):
        return True
    return "'" in before and len(_QUOTED.findall(before)) > len(_UNQUOTED.findall(before))


def _is_shortened(before: str, sentence: str) -> bool:
    """Whether the point behind a text shortens a word, or makes a day of a number."""
    end = before[-_READ_CHARS:]
    # It is among the last two words.
    last = _LAST.search(end, end.rfind(" ", 0, max(0, end.rfind(" "))) + 1) if end.endswith(".") else None
    if last is None:
        return False
    word, previous = last[2].lower(), last[1] or ""
    if word.isdigit():
        following = _WORD.match(sentence)
        return following is not None and following[0].lower() in MONTHS
    if len(word) == 1 and word.isalpha():
        # An initial; "hall B" ends with a letter, too.
        return last[2].islower() or not previous.islower() or previous in FUNCTION_WORDS
    return word in lw.SHORTENED or (word in lw.BEFORE_NUMBERS and sentence[0].isdigit())


def _is_of_all(small: str) -> bool:
    """Whether a sentence speaks of all that stands above it: then it is a part of none of them."""
    return bw.VOID.match(small) is not None or (
        small.split(None, 1)[0] not in bw.FRAGMENTS and bw.BOUND.match(small) is not None
    )


def _goes_on(small: str, words: Sequence[str]) -> bool:
    """Whether the first words of a sentence go on with the one before it."""
    at = next((place for place, word in enumerate(words) if word not in lw.JOINING), 0)
    first, second = [*words[at : at + 2], "", ""][:2]
    if first in lw.FIRST:
        return lw.IMPERSONAL.match(small) is None
    if first in lw.FRAGMENT:
        return ", " not in small
    return (first, second) in lw.PAIRS or (first in lw.ONLY and second in lw.ONLY_BEHIND)


def _means_before(sentence: str, small: str) -> bool:
    """Whether a sentence has a word for something that it doesn't name."""
    if lw.POINTERS.search(small):
        return True
    said = [*_WORD.finditer(small)]
    words = [word[0] for word in said]
    place = next((at for at, word in enumerate(words) if _is_anaphor(words, at, word)), None)
    if place is None or lw.WHENS_IT.match(small):
        return False
    return not any(_names(sentence, small, words, at, said[at].start()) for at in range(place))


def _is_anaphor(words: Sequence[str], at: int, word: str) -> bool:
    if word in lw.ANAPHORS or (at and (words[at - 1], word) in lw.DENIED):
        return True
    return lw.SUFFIXED.search(word) is not None


def _names(sentence: str, small: str, words: Sequence[str], at: int, start: int) -> bool:
    """Whether a word of a sentence names something."""
    word = words[at]
    if word in lw.BEFORE_THINGS or word[0].isdigit():
        return True
    capital = at > 0 and len(sentence) >= len(small) and sentence[start].isupper() and word != "i"
    return capital or (word.endswith("s") and len(word) > 3 and at > 0 and word not in lw.NO_THINGS)  # noqa: PLR2004  a plural
