"""Whether a claim says the opposite: of a denial, of how something went, of what is excepted, or by the beginning of a word."""

from collections.abc import Sequence

from tailrace.agents.language.claim_words import NOT_YET
from tailrace.agents.summary.verify.cited_sentences import Near, bare_words, nearness
from tailrace.agents.summary.verify.clauses import ASKED, Clause
from tailrace.agents.summary.verify.measures import measures_of
from tailrace.agents.summary.verify.prefixes import opposites
from tailrace.agents.summary.verify.statement import ALL, NEAR_MIN, Told

#: Share of a statement that another must hold where both say how something went.
OUTCOME_NEAR_MIN = 0.6
#: And where one of them is denied: there are many ways to deny without a word that does.
DENIED_NEAR_MIN = 0.7
#: A part of a claim is held against statements that are as short.
_PART_WORDS_MAX = 4
#: A little nearer than near.
_A_LITTLE = 0.04


def is_denied(told: Told, near: Sequence[Near]) -> bool:
    """Whether a denial is turned round, or how something went."""
    if told.sentence.whole.mood & ASKED:
        return False
    return any(
        is_other(told, near)
        for is_other in (_has_other_end, _is_turned_round, _ignores_exception, _has_opposite_word, _has_antonym)
    )


def _agrees(clause: Clause, other: Clause) -> bool:
    """Whether nothing that one tells is denied by the other."""
    scales = clause.signs.keys() & other.signs.keys()
    if scales:
        # How it went is told by both: that is what is denied, if anything is.
        return all(clause.signs[scale] & other.signs[scale] for scale in scales)
    shared = clause.about & other.about
    denied, denied_there = clause.denied & shared, other.denied & shared
    if bool(denied) == bool(denied_there) or clause.lacks or other.lacks:
        return True
    # A denial is about one word, and says nothing of what it is not about.
    heads = clause.heads or other.heads
    return bool(heads) and not heads & shared


def _has_other_end(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    if not clause.signs:
        return False
    against = for_it = 0.0
    for there in near:
        whole = there.sentence.whole
        scales = clause.signs.keys() & whole.signs.keys()
        if not scales:
            continue
        mixed = any(len(whole.signs[scale]) > 1 for scale in scales)
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            if not clause.signs.keys() & one.signs.keys() or (told.is_part and one.size > _PART_WORDS_MAX):
                continue
            if _agrees(clause, one):
                for_it = max(for_it, score)
            elif mixed and one.about and one.about <= clause.about:
                # "One failed its test, the other passed": of the other nothing else is said.
                against = max(against, score, NEAR_MIN + _A_LITTLE)
            else:
                against = max(against, score)
        if not mixed and not told.is_part:
            agrees = all(clause.signs[scale] & whole.signs[scale] for scale in scales)
            against, for_it = (against, max(for_it, there.score)) if agrees else (max(against, there.score), for_it)
    return against >= OUTCOME_NEAR_MIN and for_it < against


def _is_turned_round(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    # What is planned is not yet done.
    not_yet = clause.denies and not NOT_YET.isdisjoint(bare_words(told.sentence.text))
    against = for_it = 0.0
    for there in near:
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            if not score or clause.signs.keys() & one.signs.keys():
                continue
            same = one.about == clause.about
            if _agrees(clause, one) or (one.mood and not_yet):
                for_it = max(for_it, score)
            # What tools show may be anything, and a few words of a claim: there it has to be the very same.
            elif same or (there.is_spoken and not told.is_part):
                against = max(against, score)
        whole = there.sentence.whole
        if len(there.scores) > 1 and not (whole.denied or clause.denied):
            for_it = max(for_it, there.score)
    return against >= DENIED_NEAR_MIN and for_it < against


def _has_opposite_word(told: Told, near: Sequence[Near]) -> bool:
    """Whether a word stands for its opposite, and nothing else is other."""
    clause = told.clause
    for there in near if not (told.is_part or clause.denied) else ():
        for word in opposites(told.sentence.text, there.sentence.text) & clause.words:
            score = max((nearness(clause, one, word) for one in there.sentence.clauses if not one.denied), default=0.0)
            others = (one.score for one in near if one is not there and word in one.sentence.whole.words)
            least = NEAR_MIN if there.is_spoken else ALL
            if score >= least and score > max(others, default=0.0):
                return True
    return False


def _has_antonym(told: Told, near: Sequence[Near]) -> bool:
    """Whether a word stands in the place of its opposite: whatever else the statement says is said of that."""
    clause = told.clause
    for scale, ends in clause.ends.items() if not clause.denied else ():
        if len(ends) > 1:
            continue
        ((sign, word),) = ends.items()
        against = for_it = 0.0
        for there in near:
            least = NEAR_MIN if there.is_spoken else ALL
            for one in there.sentence.clauses:
                score = nearness(clause, one, word)
                if sign in one.ends.get(scale, ()):
                    for_it = max(for_it, score)
                elif one.ends.get(scale, {}).get(-sign) in clause.words:
                    continue  # it says both
                elif score >= least and not one.denied and _opposed(clause, one) == {scale} and not _compares(there):
                    short = one.size <= _PART_WORDS_MAX
                    against = max(against, score if short or not told.is_part else 0.0)
        if against > for_it:
            return True
    return False


def _compares(there: Near) -> bool:
    """Whether it says which of two things is more: what is true of the one is not of the other."""
    return measures_of(there.sentence.text).comparison is not None


def _opposed(clause: Clause, other: Clause) -> set[str]:
    """Scales of which the two say the other end each: who turns two of them says the same again."""
    return {
        scale
        for scale in clause.ends.keys() & other.ends.keys()
        if clause.ends[scale].keys().isdisjoint(other.ends[scale])
    }


def _ignores_exception(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim tells as so, or as the condition, just what is excepted."""
    clause = told.clause
    if clause.excepted or clause.denied or told.is_part:
        return False
    against = for_it = 0.0
    for there in near:
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            excepted = one.excepted & clause.about
            if len(excepted) * 2 > len(one.excepted) > 0 and len(clause.about) > len(excepted):
                against = max(against, score if there.is_spoken and _has_same_ends(clause, one) else 0.0)
            else:
                for_it = max(for_it, score)
    return against >= DENIED_NEAR_MIN and for_it < against


def _has_same_ends(clause: Clause, other: Clause) -> bool:
    return all(clause.signs[scale] & other.signs[scale] for scale in clause.signs.keys() & other.signs.keys())
