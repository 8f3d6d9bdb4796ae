"""Forms in which people say what is to last without a word that demands it: no smoking; stop using it; if it rains, close the gate.

A sentence is looked at by its beginning and by a few words that must stand behind it. Whether it tells somebody to do something is told
by what it does not begin with: nobody can list all verbs, but what else a sentence begins with is a short list. A request for the moment
has the same beginning, and nothing behind it that says when, how often or before what.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.lexicon import MOMENTARY, NUMBER_WORDS, REQUESTS
from tailrace.agents.language.rule_words import NEGATIONS
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import norm_words as nw
from tailrace.agents.ledger import when_words as ww
from tailrace.agents.ledger.conditions import has_condition, is_condition, is_so_meanwhile
from tailrace.agents.ledger.manners import has_manner, is_way_of_saying
from tailrace.agents.ledger.norms import DAYS, has_date, has_generic_subject, is_expected, is_measured, is_standing
from tailrace.agents.ledger.sentence import Sentence, clause_words, denies, impolite, is_past, is_told
from tailrace.schemas.records.ledger import DirectiveKind

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
        *(ww.ORDERING_WORDS, fw.DISPOSITIONS, fw.TASTES, fw.IMPORTANCE, nw.NORMATIVE, nw.REMAINING, fw.SHOULDS),
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
            ("afraid", "scared", "when", "pas", "jamais", "at"),
            fw.ORDINALS,
            fw.NONE_OF_IT,
            nw.NOBODY,
            fw.TASTES_OF_OTHERS,
            nw.BETTER,
            ww.RATES,
            ww.NOT_BEFORE,
            ww.MEANWHILE,
            ww.DURING,
            ww.EXCEPTS,
            ("event", "long", "cas", "caso", "tant"),
        ),
    )
    # They stand in every other sentence, and here only behind others of these.
) - {"to", "a"}
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
        ww.TIMES,
        ww.SHOULD_IT,
        ww.UNTILS,
        ww.EXCEPTS,
        ww.GERMAN_CASES,
        ww.LASTING_CASES,
        (first for first, _ in ww.WHEN_PAIRS),
        ("call", "we"),
    )
)
#: Something is to be done again and again, or before something else.
_AGAIN = ww.RECURRING | ww.ORDERING_WORDS | ww.RECURRING_DAYS


def form_of(unit: str, words: Sequence[str], said: frozenset[str]) -> DirectiveKind | None:
    """What a sentence without a word of demand does by its form; None where it has none of them."""
    opening, words = words, impolite(words)
    if not words:
        return None
    # What is said of all of a kind begins with them.
    generic = words[0] not in fw.SUBJECTS and not nw.GENERIC_VERBS.isdisjoint(words[1:4])
    if words[0] not in _FIRST and not generic and said.isdisjoint(_ANYWHERE):
        return DirectiveKind.PREFERENCE if has_manner(unit, words) else None
    # "And then do it for every file" goes on with what is done at the moment.
    told = is_told(words) and MOMENTARY.isdisjoint(opening[: len(opening) - len(words) + 1])
    small = unit.lower() if unit.isascii() else unit.lower().replace("\u2019", "'")
    if len(words) < len(opening):
        # "But no pork" denies as "no pork" does.
        small = small[max(0, small.find(words[0])) :]
    sentence = Sentence(small, words, said, is_past(words, said), told)
    for kind, has_form in _FORMS:
        if has_form(sentence):
            return kind
    return DirectiveKind.PREFERENCE if has_manner(unit, words) else None


# Forms that are known by a word, or by how a sentence begins


def _binds(one: Sentence) -> bool:
    """A word that binds wherever it stands, words that bind together, or a beginning of a rule."""
    if not one.said.isdisjoint(fw.BINDING_WORDS) or _opens(one) or _names(one) or _uses(one):
        return True
    return any(holds_any(one.small, fw.TOGETHER[word]) for word in one.said.intersection(fw.TOGETHER))


def _is_mannerly(one: Sentence) -> bool:
    """A beginning that asks for a way of doing things."""
    return one.words[0] in fw.MANNERLY and _opens(one)


def _opens(one: Sentence) -> bool:
    first, second = one.words[0], one.word(1)
    ends = fw.SECOND_ENDS.get(first)
    if ends is not None:
        return second.endswith(ends)
    others, more = fw.OPENERS.get(first), fw.ALSO_NEEDED.get(first)
    if others is None or (second in fw.IDLE_AFTER_OPENERS and one.said.isdisjoint(fw.BEFOREHAND)):
        return False
    return (not others or not one.said.isdisjoint(others)) and (more is None or not one.said.isdisjoint(more))


def _names(one: Sentence) -> bool:
    """Call me so; call it by its name."""
    if one.words[0] != "call":
        return False
    return "by" in one.said or (one.word(1) == "me" and one.word(2) not in fw.CALLED_NOT and one.word(2) != "")


def _uses(one: Sentence) -> bool:
    """Use this kind of thing, for a reason: "use pnpm, npm breaks it"."""
    if one.words[0] not in fw.USING or one.word(1) in fw.POINTED:
        return False
    used, comma, why = one.small.partition(", ")
    return bool(comma and why) and len(used.split()) <= fw.USED_WORDS_MAX


def _disposes(one: Sentence) -> bool:
    """What somebody is, likes or can't bear, whatever the moment."""
    if not one.said.isdisjoint(fw.DISPOSITIONS):
        return True
    first, second, third = one.words[0], one.word(1), one.word(2)
    if first in fw.DETERMINED and not fw.TASTES_OF_OTHERS.isdisjoint(one.words[2:4]):
        return one.words[-1] not in fw.POINTERS
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


def _is_habit(one: Sentence) -> bool:
    """What somebody does for good."""
    first, second = one.words[0], one.word(1)
    return first in fw.HABITS_ALONE or (first in fw.SPEAKERS and second in fw.HABITS and bool(one.word(2)))


# Forms that deny


def _limits(one: Sentence) -> bool:
    """No more than so many."""
    return one.words[0] in NEGATIONS and (one.word(1), one.word(2)) in fw.LIMITING


def _forbids(one: Sentence) -> bool:
    """There is to be none of something: in all of a sentence, at its end, or behind what it is about."""
    if one.past:
        return False
    if one.words[0] == "on" and one.word(1).startswith(fw.NEGATED_IMPERSONAL):
        return not one.said.isdisjoint(("pas", "jamais")) and one.word(2) not in fw.IDLE_NOUNS
    if denies(one.small, one.words):
        return not _finds_none(one)
    topic, colon, rest = one.small.partition(": ")
    if colon and len(topic.split()) <= fw.TOPIC_WORDS_MAX and denies(rest, clause_words(rest)):
        return True
    _, comma, last = one.small.rpartition(", ")
    tail = clause_words(last)
    return (
        bool(comma) and len(tail) <= fw.TAIL_WORDS_MAX and denies(last, tail) and fw.TELLERS.isdisjoint(one.words[:1])
    )


def _finds_none(one: Sentence) -> bool:
    """Whether a speaker of Spanish says what they don't do or have: by its ending, the word behind "no" is a verb of theirs."""
    return one.words[0] == "no" and one.word(1).endswith("o") and one.word(2) in fw.SPANISH_ARTICLES


def _negates(one: Sentence) -> bool:
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


# Forms that tell somebody to do something


def _is_bounded(one: Sentence) -> bool:
    """By which day or hour something is to be done."""
    if not one.told or one.past or one.said.isdisjoint(ww.BOUNDED):
        return False
    pairs = pairwise(word for word in one.words if word not in ww.BEFORE_BOUNDS)
    return any(
        first in ww.BOUNDED and (then in DAYS or then in ww.BOUNDS or then[:1].isdigit()) for first, then in pairs
    )


def _is_told_to_last(one: Sentence) -> bool:
    """Something is to be done again and again, in an order, or wherever it is met."""
    if not one.told or one.past or (one.words[0] in ww.UNTILS and ", " in one.small):
        return False
    # "Paint nothing", "tell nobody".
    if not fw.NONE_OF_IT.isdisjoint(one.words[1:4]) or not one.said.isdisjoint(_AGAIN) or _is_rated(one):
        return True
    return _is_told_in_order(one) or _is_told_of_all(one)


def _is_rated(one: Sentence) -> bool:
    """So many for each of something: give three doses per day, send at most two mails a week."""
    counted = any(word[0].isdigit() or word in NUMBER_WORDS for word in one.words[1:])
    return counted and any(
        rate in ww.EACH_OF or pair in ww.A_TIME
        for rate, pair in zip(one.words[2:], pairwise(one.words[2:]), strict=False)
    )


def _is_told_in_order(one: Sentence) -> bool:
    """Before or after what, or while what is done."""
    pairs = tuple(pairwise(one.words))
    if not ww.RECURRING_PAIRS.isdisjoint(pairs):
        return True
    if any(first in ww.ORDERING and (then in ww.ORDERED or then.endswith("ing")) for first, then in pairs):
        return True
    # "Scan first, load second"; "wear gloves when lifting it".
    if "first" in one.said and not one.said.isdisjoint(fw.ORDINALS) and ", " in one.small:
        return True
    while_doing = any(first == "when" and then.endswith("ing") for first, then in pairs[2:])
    return while_doing and one.words[0] not in REQUESTS


def _is_told_of_all(one: Sentence) -> bool:
    """What is asked for at once may be asked of all things, or under a condition, too: then it is a request."""
    first, said = one.words[0], one.said
    if has_condition(one):
        # "Try it and see if it holds" asks.
        looks = any(before in ww.WONDERING and then in ww.CONDITIONAL for before, then in pairwise(one.words))
        return first not in REQUESTS and first not in ww.LOOKING and not looks
    if not said.isdisjoint(fw.WITHOUT):
        return first not in REQUESTS or first == "do"
    return first not in REQUESTS and first not in ww.BATCHES and not said.isdisjoint(ww.UNIVERSAL)


#: What is looked for, in this order; the first that is found counts.
_FORMS = (
    (DirectiveKind.PREFERENCE, _is_mannerly),
    (DirectiveKind.RULE, _binds),
    (DirectiveKind.PREFERENCE, _disposes),
    (DirectiveKind.STATEMENT, _is_habit),
    (DirectiveKind.LIMIT, _limits),
    (DirectiveKind.LIMIT, is_measured),
    (DirectiveKind.RULE, _forbids),
    (DirectiveKind.RULE, _negates),
    (DirectiveKind.RULE, is_condition),
    (DirectiveKind.STATEMENT, is_so_meanwhile),
    (DirectiveKind.PREFERENCE, is_way_of_saying),
    (DirectiveKind.DEADLINE, _is_bounded),
    (DirectiveKind.RULE, _is_told_to_last),
    (DirectiveKind.DEADLINE, has_date),
    (DirectiveKind.RULE, is_expected),
    (DirectiveKind.RULE, is_standing),
    (DirectiveKind.STATEMENT, has_generic_subject),
)
