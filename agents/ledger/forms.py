"""Forms in which people say what is to last without a word that demands it: no smoking; stop using it; if it rains, close the gate.

A sentence is looked at by its beginning and by a few words that must stand behind it. Whether it tells somebody to do something is told
by what it does not begin with: nobody can list all verbs, but what else a sentence begins with is a short list. A request for the moment
has the same beginning, and nothing behind it that says when, how often or before what.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

from msgspec import Struct

from tailrace.agents.cues import holds_any
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import when_words as ww
from tailrace.agents.ledger.lexicon import MOMENTARY, MONTHS, REQUESTS, VERBS, WEEKDAYS
from tailrace.agents.rule_words import NEGATIONS
from tailrace.schemas.ledger import DirectiveKind

_DAYS = MONTHS | WEEKDAYS | ww.FEASTS
#: Without one of these in it, or at its beginning, a sentence has none of the forms.
_ANYWHERE = frozenset(
    chain(
        *(
            fw.BINDING_WORDS,
            fw.TOGETHER,
            fw.WITHOUT,
            ww.RECURRING,
            ww.UNIVERSAL,
            ww.RECURRING_DAYS,
            ww.ORDERING,
        ),
        *(ww.ORDERING_WORDS, fw.DISPOSITIONS, fw.TASTES, fw.IMPORTANCE, fw.NORMATIVE, fw.REMAINING, fw.SHOULDS),
        *(
            fw.NEGATED,
            ww.BOUNDED,
            *fw.NEGATED_PAIRS,
            *fw.EXPECTED,
            *ww.RECURRING_COUNTS,
            fw.HABITS,
            fw.NEGATING_SECOND,
            ww.CONDITIONAL,
            ww.CONDITIONAL_TOLD,
            ("afraid", "scared"),
        ),
    )
    # They stand in every other sentence, and here only behind others of these.
) - {"to", "a"}
#: What begins so tells nobody to do anything.
_UNTOLD = fw.SUBJECTS | fw.WITHOUT | ww.WHENS
_FIRST = frozenset(
    chain(
        fw.OPENERS,
        fw.SECOND_ENDS,
        ww.WHENS,
        fw.NEGATED,
        fw.NEGATING,
        fw.LESSENING,
        fw.HABITS_ALONE,
        fw.WHOEVER,
        fw.SAYING,
        fw.USING,
        ("call", "we"),
    )
)
_STOPS = str.maketrans(dict.fromkeys(".,;:!", " "))


class _Sentence(Struct, frozen=True):
    """A sentence in small letters, as text and as words, from its first word that is more than polite."""

    small: str
    words: Sequence[str]
    said: frozenset[str]
    #: It tells what happened.
    past: bool
    #: It may tell somebody to do something.
    told: bool

    def word(self, place: int) -> str:
        """The word at a place, if there are so many."""
        return self.words[place] if place < len(self.words) else ""


def form_of(unit: str, words: Sequence[str], said: frozenset[str]) -> DirectiveKind | None:
    """What a sentence without a word of demand does by its form; None where it has none of them."""
    opening, words = words, _impolite(words)
    if not words or (words[0] not in _FIRST and said.isdisjoint(_ANYWHERE)):
        return None
    # "And then do it for every file" goes on with what is done at the moment.
    told = _is_told(words) and MOMENTARY.isdisjoint(opening[: len(opening) - len(words) + 1])
    sentence = _Sentence(unit.lower(), words, said, not said.isdisjoint(fw.PAST), told)
    for kind, has_form in _FORMS:
        if has_form(sentence):
            return kind
    return None


def is_told(words: Sequence[str]) -> bool:
    """Tell whether a sentence may tell somebody to do something."""
    return _is_told(_impolite(words))


def is_report(words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence with a negation only says what is not so, did not happen or is not known."""
    if len(words) <= fw.IDLE_WORDS_MAX and not fw.IDLE_PAIRS.isdisjoint(pairwise(words)):
        return True
    first, second, third = [*words[:3], "", "", ""][:3]
    if first not in fw.REPORTERS or len(words) > fw.REPORT_WORDS_MAX or not said.isdisjoint(fw.EARNEST):
        return False
    if second in fw.INABILITY:
        return third in fw.UNKNOWING
    if second in fw.REPORTED_APART and third == "not":
        return True
    told_of = first in fw.OTHERS or not said.isdisjoint(fw.PAST)
    return second in fw.REPORTED or (told_of and second in fw.REPORTED_OF_OTHERS)


def _impolite(words: Sequence[str]) -> Sequence[str]:
    return words[next((at for at, word in enumerate(words) if word not in fw.POLITE), 0) :]


def _is_told(words: Sequence[str]) -> bool:
    """Tell whether a sentence or clause may begin with what somebody is to do."""
    if not words or words[0] in _UNTOLD or words[0].endswith(fw.NOT_TOLD_ENDS):
        return False
    # Behind its subject stands what a sentence says of it.
    return VERBS.isdisjoint(words[1:3])


# Forms that are known by a word, or by how a sentence begins


def _binds(one: _Sentence) -> bool:
    """A word that binds wherever it stands, words that bind together, or a beginning of a rule."""
    if not one.said.isdisjoint(fw.BINDING_WORDS) or _opens(one) or _names(one) or _uses(one):
        return True
    return any(holds_any(one.small, fw.TOGETHER[word]) for word in one.said.intersection(fw.TOGETHER))


def _is_mannerly(one: _Sentence) -> bool:
    """A beginning that asks for a way of doing things."""
    return one.words[0] in fw.MANNERLY and _opens(one)


def _opens(one: _Sentence) -> bool:
    first, second = one.words[0], one.word(1)
    ends = fw.SECOND_ENDS.get(first)
    if ends is not None:
        return second.endswith(ends)
    others, more = fw.OPENERS.get(first), fw.ALSO_NEEDED.get(first)
    if others is None or (second in fw.IDLE_AFTER_OPENERS and one.said.isdisjoint(fw.BEFOREHAND)):
        return False
    return (not others or not one.said.isdisjoint(others)) and (more is None or not one.said.isdisjoint(more))


def _names(one: _Sentence) -> bool:
    """Call me so; call it by its name."""
    if one.words[0] != "call":
        return False
    return "by" in one.said or (one.word(1) == "me" and one.word(2) not in fw.CALLED_NOT and one.word(2) != "")


def _uses(one: _Sentence) -> bool:
    """Use this kind of thing, for a reason: "use pnpm, npm breaks it"."""
    if one.words[0] not in fw.USING or one.word(1) in fw.POINTED:
        return False
    used, comma, why = one.small.partition(", ")
    return bool(comma and why) and len(used.split()) <= fw.USED_WORDS_MAX


def _disposes(one: _Sentence) -> bool:
    """What somebody is, likes or can't bear, whatever the moment."""
    if not one.said.isdisjoint(fw.DISPOSITIONS):
        return True
    first, second, third = one.words[0], one.word(1), one.word(2)
    if first in fw.TASTES_ALONE:
        return bool(second) and second not in fw.POINTERS
    if first not in fw.SPEAKERS:
        return False
    if (second, third) == ("have", "no"):
        return one.word(3) not in fw.IDLE_NOUNS
    return (
        (second, third) in fw.UNBEARABLE
        or (second, third) == ("afraid", "of")
        or (second in fw.TASTES and bool(third) and third not in fw.POINTERS)
    )


def _is_habit(one: _Sentence) -> bool:
    """What somebody does for good."""
    first, second = one.words[0], one.word(1)
    return first in fw.HABITS_ALONE or (first in fw.SPEAKERS and second in fw.HABITS and bool(one.word(2)))


# Forms that deny, or set a condition


def _limits(one: _Sentence) -> bool:
    """No more than so many."""
    return one.words[0] in NEGATIONS and (one.word(1), one.word(2)) in fw.LIMITING


def _forbids(one: _Sentence) -> bool:
    """There is to be none of something."""
    return not one.past and _denies(one.small, one.words)


def _negates(one: _Sentence) -> bool:
    """Something is not to be done, or there is to be less of it."""
    first, second = one.words[0], one.word(1)
    if first in fw.NEGATING or first.startswith(fw.NEGATING_STARTS):
        return (
            not one.past
            and second not in fw.IDLE_NOUNS
            and (first != "ne" or "pas" in one.said or "jamais" in one.said)
        )
    if first in fw.LESSENING:
        return second not in fw.IDLE_NOUNS and second != "than"
    return second in fw.NEGATING_SECOND and one.told and first not in fw.IDLE_NOUNS


def _is_condition(one: _Sentence) -> bool:
    """Under a condition, or at some times, something is to be done or there is to be none of something."""
    _, comma, rest = one.small.partition(", ")
    when = one.words[0] in ww.WHENS or (one.words[0], one.word(1)) in ww.WHEN_PAIRS
    if not comma or not (when or one.words[0] in ww.TIMES) or one.small.startswith(ww.IDLE_WHENS):
        return False
    told = [word for word in rest.translate(_STOPS).split() if word not in fw.POLITE]
    return _denies(" ".join(told), told) or (when and _is_told(told) and not _does(told, by_me=one.word(1) == "i"))


def _does(clause: Sequence[str], *, by_me: bool) -> bool:
    """Tell whether a clause says what somebody or something does, by its order, or by an ending where I do something myself."""
    second = clause[1] if len(clause) > 1 else ""
    return second in ww.INVERTED or (by_me and second.endswith("s"))


def _denies(small: str, words: Sequence[str]) -> bool:
    """Tell whether a sentence or clause begins with what there is to be none of."""
    first, second = words[0] if words else "", words[1] if len(words) > 1 else ""
    if first in fw.WITHOUT:
        return bool(second) and fw.TELLERS.isdisjoint(words)
    if (first, second) in fw.NEGATED_PAIRS or small.startswith(fw.NEGATED_STARTS):
        return fw.IDLE_NOUNS.isdisjoint(words[1:3])
    # "No, the left one" denies what was said; "no shoes" comes without a comma.
    return first in fw.NEGATED and second not in fw.IDLE_NOUNS and small.startswith(f"{first} ")


# Forms that tell somebody to do something


def _is_way_of_saying(one: _Sentence) -> bool:
    """In which language, unit or style things are to be said."""
    if not one.told or one.words[0] not in fw.SAYING:
        return False
    if not one.said.isdisjoint(fw.LANGUAGES) or not fw.MANNERS_OF_SAYING.isdisjoint(one.words[1:4]):
        return True
    return "in" in one.said and not one.said.isdisjoint(fw.STYLES)


def _is_bounded(one: _Sentence) -> bool:
    """By which day or hour something is to be done."""
    if not one.told or one.past or one.said.isdisjoint(ww.BOUNDED):
        return False
    pairs = pairwise(word for word in one.words if word not in ww.BEFORE_BOUNDS)
    return any(
        first in ww.BOUNDED and (then in _DAYS or then in ww.BOUNDS or then[:1].isdigit()) for first, then in pairs
    )


def _is_told_to_last(one: _Sentence) -> bool:
    """Something is to be done again and again, in an order, or wherever it is met."""
    if not one.told or one.past:
        return False
    said, pairs = one.said, tuple(pairwise(one.words))
    if (
        not said.isdisjoint(ww.RECURRING)
        or not said.isdisjoint(ww.ORDERING_WORDS)
        or not said.isdisjoint(ww.RECURRING_DAYS)
    ):
        return True
    if not ww.RECURRING_PAIRS.isdisjoint(pairs):
        return True
    if any(first in ww.ORDERING and (then in ww.ORDERED or then.endswith("ing")) for first, then in pairs):
        return True
    return _is_told_of_all(one)


def _is_told_of_all(one: _Sentence) -> bool:
    """What is asked for at once may be asked of all things, or under a condition, too: then it is a request."""
    first, said = one.words[0], one.said
    if not said.isdisjoint(ww.CONDITIONAL) or _is_conditional(one):
        return first not in REQUESTS and first not in ww.LOOKING
    if not said.isdisjoint(fw.WITHOUT):
        return first not in REQUESTS or first == "do"
    return first not in REQUESTS and first not in ww.BATCHES and not said.isdisjoint(ww.UNIVERSAL)


def _is_conditional(one: _Sentence) -> bool:
    told = f"{one.word(0)} {one.word(1)}".strip()
    return not one.said.isdisjoint(ww.CONDITIONAL_TOLD) and (
        told.endswith(ww.TOLD_ENDS) or one.word(0).endswith(ww.TOLD_ENDS)
    )


# Forms that say how something is to be


def _has_date(one: _Sentence) -> bool:
    """By when something is needed, or on which day it is done."""
    if one.told or one.past:
        return False
    first, second = one.words[0], one.word(1)
    if first in fw.SPEAKERS and second == "need":
        return one.word(2) != "to" and not one.said.isdisjoint(ww.BY_THEN)
    does = first == "we" or (first not in fw.SUBJECTS and second.endswith("s"))
    return does and not one.said.isdisjoint(_DAYS) and not one.said.isdisjoint(ww.AT_TIMES)


def _is_expected(one: _Sentence) -> bool:
    """That something matters, or is expected of somebody."""
    if one.told or one.past:
        return False
    matters = not fw.IMPORTANCE.isdisjoint(one.words[: fw.IMPORTANCE_WORDS_MAX])
    if matters and not one.said.isdisjoint(fw.LEADING):
        return True
    if not one.said.isdisjoint(fw.SHOULDS) and one.said.isdisjoint(fw.GUESSED):
        return True
    return one.words[0] not in fw.GUESSED and not fw.EXPECTED.isdisjoint(pairwise(one.words))


def _is_standing(one: _Sentence) -> bool:
    """What holds for all of a kind, is to stay so, or comes again and again."""
    if one.told or one.past:
        return False
    said = one.said
    if one.words[0] in fw.WHOEVER:
        return "can" not in said
    if one.words[0] in fw.UNIVERSAL_SUBJECTS and not fw.NORMATIVE.isdisjoint(one.words[1:9]):
        return True
    if not said.isdisjoint(fw.REMAINING) and not said.isdisjoint(fw.REMAINED):
        return True
    recurs = not said.isdisjoint(ww.RECURRING_DAYS) or not ww.RECURRING_PAIRS.isdisjoint(pairwise(one.words[:3]))
    return recurs and said.isdisjoint(fw.TELLERS) and not any(word.endswith("ed") for word in one.words)


#: What is looked for, in this order; the first that is found counts.
_FORMS = (
    (DirectiveKind.PREFERENCE, _is_mannerly),
    (DirectiveKind.RULE, _binds),
    (DirectiveKind.PREFERENCE, _disposes),
    (DirectiveKind.STATEMENT, _is_habit),
    (DirectiveKind.LIMIT, _limits),
    (DirectiveKind.RULE, _forbids),
    (DirectiveKind.RULE, _negates),
    (DirectiveKind.RULE, _is_condition),
    (DirectiveKind.PREFERENCE, _is_way_of_saying),
    (DirectiveKind.DEADLINE, _is_bounded),
    (DirectiveKind.RULE, _is_told_to_last),
    (DirectiveKind.DEADLINE, _has_date),
    (DirectiveKind.RULE, _is_expected),
    (DirectiveKind.RULE, _is_standing),
)
