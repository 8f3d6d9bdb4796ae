"""Orders that say how all of a kind are done: report temperatures in celsius; sign letters with your full name; cut onions finely.

No word says that they are to last. That is told by their object, which is a kind and no thing that stands there, and by what is said of it:
a unit, a format, a means, a place where such things belong. "Send the invoices to Meier" has neither, and is done once.
"""

import re
from collections.abc import Sequence

from tailrace.agents.language.lexicon import NUMBER_WORDS, WEEKDAYS
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import manner_words as mw
from tailrace.agents.ledger.sentence import Sentence, impolite, is_told

#: An order of this kind is short: more words tell a case, or a story.
WORDS_MIN, WORDS_MAX = 3, 12
SENTENCES_MAX = 2
#: What it is about has at most so many words, and how it is done at most so many.
OBJECT_WORDS_MAX, HOW_WORDS_MAX = 3, 5
#: Signs of what programs read: a file, a name in code.
_CODED = re.compile(r"[/_\\=<>{}`@#]|\w\.\w")
_QUOTES = "'\"\u2018\u201c\u00ab\u201e"
_SENTENCE_END = ". "


def is_way_of_saying(one: Sentence) -> bool:
    """In which language, unit or style things are to be said."""
    # "Write a letter in German" is about one.
    if not one.told or one.words[0] not in fw.SAYING or one.word(1) in mw.ONE_THING:
        return False
    if not one.said.isdisjoint(fw.LANGUAGES) or not fw.MANNERS_OF_SAYING.isdisjoint(one.words[1:4]):
        return True
    return "in" in one.said and not one.said.isdisjoint(fw.STYLES)


def has_manner(unit: str, words: Sequence[str]) -> bool:
    """Tell whether a line, or a sentence of it, says how all of a kind are done; `words` are those of its first, in small letters."""
    if _SENTENCE_END not in unit:
        return _has_manner(unit, words)
    sentences = unit.split(_SENTENCE_END)
    # Whoever says more in one line lists what is to be done, or tells something.
    return len(sentences) <= SENTENCES_MAX and any(_has_manner(one, impolite(_words(one))) for one in sentences)


def _words(sentence: str) -> list[str]:
    return [
        word for token in sentence.lower().split() if (word := token.strip(".,;:!?()[]\"'\u201c\u201d\u00ab\u00bb"))
    ]


def _has_manner(sentence: str, words: Sequence[str]) -> bool:
    if not _is_order(sentence, words):
        return False
    at = next((place for place in range(2, min(len(words), OBJECT_WORDS_MAX + 2)) if _leads(words, place)), 0)
    if not at:
        return _is_adverbial(sentence, words)
    if not 0 < len(words) - at - 1 <= HOW_WORDS_MAX:
        return False
    if words[1] in mw.THE_MANY:
        return words[0] in mw.MARKING and _are_many(words[2:at], words[0]) and _is_noted_so(sentence, words, at)
    if _is_kind(sentence, words[1:at], words[0]):
        return _is_manner(sentence, words, at)
    return _is_stuff(sentence, words[1:at]) and (words[0] in mw.STORING or _is_measured(words, at))


def _is_order(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence may tell somebody to do something, and nothing in it is of the moment."""
    if not WORDS_MIN <= len(words) <= WORDS_MAX or sentence.endswith("?") or not mw.MOMENT.isdisjoint(words):
        return False
    verb = words[0]
    titled = verb.endswith(mw.NOUN_ENDS) and verb not in mw.NOTING
    return verb.isalpha() and not titled and is_told(words) and WEEKDAYS.isdisjoint(words)


def _is_manner(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether what stands behind this place says how all of a kind are done, by what is done with them."""
    verb = words[0]
    if verb in mw.ONCE:
        return verb in mw.NOTING and _is_noted_so(sentence, words, at)
    if verb in mw.KEEPING:
        return True
    if verb in mw.NOTING:
        return words[at + 1] in mw.INDEFINITE or _is_form(sentence, words, at)
    return _is_done_so(sentence, words, at)


def _is_noted_so(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether something is noted in a form; of what is asked for once as well, only a form that has a name tells that it is to last."""
    means = words[at + 1 :]
    named = not mw.FORMS.isdisjoint(means) or (words[at] == "as" and not means[0].endswith(mw.NEEDED_ENDS))
    return (named or words[0] not in mw.ONCE) and _is_form(sentence, words, at)


def _leads(words: Sequence[str], place: int) -> bool:
    """Whether at a place stands what leads to how something is done; "to" does so before a number."""
    word = words[place]
    if word in mw.TO and word not in mw.HOW:
        following = words[place + 1] if place + 1 < len(words) else ""
        return following[:1].isdigit() or following in NUMBER_WORDS or words[0] in mw.KEEPING
    return word in mw.HOW


def _is_kind(sentence: str, thing: Sequence[str], verb: str) -> bool:
    """Whether what is spoken of is all of a kind: without an article, and no title of anything."""
    return _are_many(thing, verb) and (verb in mw.ELSEWHERE or _is_stuff(sentence, thing)) and _is_bare(thing)


def _is_bare(thing: Sequence[str]) -> bool:
    articles = not mw.DEFINITE.isdisjoint(thing) or not mw.INDEFINITE.isdisjoint(thing)
    return not articles and all(word.replace("-", "").isalpha() for word in thing)


def _is_stuff(sentence: str, thing: Sequence[str]) -> bool:
    """Whether what is spoken of has no article, and is written as no name is."""
    return bool(thing) and _is_bare(thing) and f" {thing[-1]}" in sentence


def _is_measured(words: Sequence[str], at: int) -> bool:
    """Whether behind this place stands how warm, how far or how much, with its unit; or, of what is noted, in which unit."""
    means = words[at + 1 :]
    if words[0] in mw.NOTING:
        return not mw.FORMS.isdisjoint(means) and means[0] not in mw.DEFINITE
    counted = means[0][:1].isdigit() or means[0] in NUMBER_WORDS
    return words[0] not in mw.ONCE and counted and len(means) > 1 and means[1] not in mw.OF_DAY


def _are_many(thing: Sequence[str], verb: str) -> bool:
    head = thing[-1] if thing else ""
    if verb in mw.ELSEWHERE:
        return head.endswith(mw.MANY_ENDS_ELSEWHERE)
    return head in mw.MANY or (head.endswith(mw.MANY_ENDS) and not head.endswith(mw.ONE_ENDS))


def _is_adverbial(sentence: str, words: Sequence[str]) -> bool:
    """Cut onions finely: a kind, and how in one word at the end."""
    how = words[-1]
    if words[0] in mw.ONCE or not how.endswith(mw.ADVERB_ENDS) or how in mw.ADVERBS_NOT:
        return False
    thing = words[1:-1]
    return len(thing) <= OBJECT_WORDS_MAX - 1 and _is_kind(sentence, thing, words[0])


def _is_form(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether behind this place stands in what, or with which words or marks, something is noted."""
    means = words[at + 1 :]
    if _is_quoted(sentence, words[at]):
        return True
    if means[0] in mw.DEFINITE and mw.FORMS.isdisjoint(means):
        return False
    return means[0] not in mw.INDEFINITE and (words[0] in mw.ELSEWHERE or _is_of_kind(sentence, words[at]))


def _is_done_so(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether behind this place stands with what, or in which way, such things are done: none that is there, and nobody."""
    means = words[at + 1 :]
    if means[0] in mw.DEFINITE or (means[0] in mw.INDEFINITE and words[at] != "with"):
        return False
    counted = any(word[0].isdigit() or word in NUMBER_WORDS for word in means)
    return (counted or words[at] not in mw.WHERE) and _is_of_kind(sentence, words[at])


def _is_quoted(sentence: str, word: str) -> bool:
    before = sentence.lower().find(f" {word} ")
    return sentence[before + len(word) + 2 :][:1] in _QUOTES


def _is_of_kind(sentence: str, word: str) -> bool:
    """Whether what stands behind a word is neither a name nor something in code; a name may stand before what is of a kind."""
    means = sentence[sentence.lower().find(f" {word} ") + len(word) + 2 :].rstrip(".!")
    if _CODED.search(means):
        return False
    last = means.split()[-1]
    return not last[:1].isupper() or last.lower() in mw.FORMS or last.isupper()
