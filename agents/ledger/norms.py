"""Forms that say how things are to be, of all of a kind or for good: pupils are addressed by their names; the less salt, the better.

Nobody is told anything in them. What happened, and what is so at the moment, has the same form in other tenses.
"""

from collections.abc import Sequence
from itertools import pairwise

from tailrace.agents.language.lexicon import MONTHS, NUMBER_WORDS, WEEKDAYS
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import norm_words as nw
from tailrace.agents.ledger import report_words as rw
from tailrace.agents.ledger import when_words as ww
from tailrace.agents.ledger.sentence import Sentence

#: How far behind its beginning a sentence may have its verb: at once, or behind what tells which of them.
_NEAR, _REACH = 4, 7
_ARTICLES = fw.DETERMINED | fw.SPEAKERS | rw.OTHERS
DAYS = MONTHS | WEEKDAYS | ww.FEASTS


def has_date(one: Sentence) -> bool:
    """By when something is needed, or on which day it is done."""
    if one.told or one.past:
        return False
    first = one.words[0]
    if first in fw.SPEAKERS and one.word(1) == "need":
        return one.word(2) != "to" and not one.said.isdisjoint(ww.BY_THEN)
    if one.said.isdisjoint(ww.AT_TIMES):
        return False
    does = first == "we" or (first not in fw.SUBJECTS and any(word.endswith("s") for word in one.words[1:3]))
    hour = any(before == "at" and (then in ww.BOUNDS or then[:1].isdigit()) for before, then in pairwise(one.words))
    return does and (hour or not one.said.isdisjoint(DAYS))


def is_expected(one: Sentence) -> bool:
    """That something matters, or is expected of somebody."""
    if one.told or one.past:
        return False
    matters = not fw.IMPORTANCE.isdisjoint(one.words[: fw.IMPORTANCE_WORDS_MAX])
    if matters and not one.said.isdisjoint(fw.LEADING):
        return True
    if not one.said.isdisjoint(fw.SHOULDS) and one.said.isdisjoint(fw.GUESSED):
        return True
    return one.words[0] not in fw.GUESSED and not fw.EXPECTED.isdisjoint(pairwise(one.words))


def is_standing(one: Sentence) -> bool:
    """What holds for all of a kind, is to stay so, or comes again and again."""
    if one.past:
        return False
    done = not one.said.isdisjoint(ww.PASSIVES)
    if done and not one.said.isdisjoint(ww.NOT_BEFORE):
        return True
    return not one.told and (_is_of_all(one) or _stays(one) or _recurs(one, one.words if done else one.words[:3]))


def _is_of_all(one: Sentence) -> bool:
    """Whoever does something; nobody does; everything is done so."""
    first = one.words[0]
    if first in fw.WHOEVER:
        return "can" not in one.said
    if first in nw.NOBODY and _does_none(one):
        return True
    return first in nw.UNIVERSAL_SUBJECTS and not nw.NORMATIVE.isdisjoint(one.words[1:9])


def _stays(one: Sentence) -> bool:
    return not one.said.isdisjoint(nw.REMAINING) and not one.said.isdisjoint(nw.REMAINED)


def _recurs(one: Sentence, opening: Sequence[str]) -> bool:
    """Something comes again and again, and nobody tells that it has come."""
    recurs = not one.said.isdisjoint(ww.RECURRING_DAYS) or not ww.RECURRING_PAIRS.isdisjoint(pairwise(opening))
    return recurs and one.said.isdisjoint(fw.TELLERS) and not any(word.endswith("ed") for word in one.words)


def _does_none(one: Sentence) -> bool:
    """Nobody does something: in the present that is forbidden, unless it is what people know, have or are."""
    at = 2 if one.word(1) in nw.BEFORE_VERB else 1
    verb = one.word(at)
    if not verb or verb in nw.KNOWN or verb.endswith(nw.PAST_ENDS) or one.word(1).startswith(nw.PERFECT):
        return False
    return one.words[0] not in nw.NOBODY_PLAIN or verb.endswith("s") or verb in nw.NORMATIVE


def is_measured(one: Sentence) -> bool:
    """So many of something for each of something else; or the less, the better."""
    first = one.words[0]
    if not one.said.isdisjoint(nw.BETTER):
        compared = one.word(1) in nw.COMPARED or one.word(1).endswith("er")
        return first in nw.COMPARING and compared and one.words[-1] in nw.BETTER
    counted = first[:1].isdigit() or first in NUMBER_WORDS
    return counted and not one.past and not ww.RATES.isdisjoint(one.words[1:6])


def has_generic_subject(one: Sentence) -> bool:
    """All of a kind, without an article, and what they do, what becomes of them or where they belong."""
    if one.past or not one.said.isdisjoint(ww.AT_PRESENT):
        return False
    reach = _REACH if one.words[0].endswith("s") and one.word(1) in nw.WAYS else _NEAR
    at = next((place for place, word in enumerate(one.words[1:reach], 1) if word in nw.GENERIC_VERBS), 0)
    subject, verb, following = one.words[:at], one.word(at), one.word(at + 1)
    if not subject or not _ARTICLES.isdisjoint(subject) or subject[0] in fw.SUBJECTS:
        return False
    if verb in nw.ONE_IS:
        return at < _NEAR - 1 and _is_done(one, at + 1)
    if not subject[0].endswith("s") and not subject[-1].endswith("s"):
        return False
    if verb != "are":
        return following[:1].isalpha() and following not in nw.AT_HAND
    return _is_done(one, at + 1) or (following in nw.WAYS and bool(one.word(at + 2)))


def _is_done(one: Sentence, at: int) -> bool:
    """Tell whether at this place stands what is done with something, and behind it how, where or to whom."""
    done = one.word(at)
    ended = done.endswith(("ed", "en", "nt", "de")) or done in nw.DONE
    return ended and done not in nw.AT_HAND and not nw.WAYS.isdisjoint(one.words[at + 1 :])
