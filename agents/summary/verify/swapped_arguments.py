"""Whether two things have changed their places: what went from here to there goes from there to here, what came first comes second."""

from collections import Counter
from collections.abc import Sequence

from tailrace.agents.language.claim_words import OPPOSITE
from tailrace.agents.summary.verify.agent_patient import has_same_roles, has_turned_roles
from tailrace.agents.summary.verify.cited_sentences import Near
from tailrace.agents.summary.verify.clauses import ClauseSentence, Relation

#: Share of a claim's sentence that another must hold where the word between two things says which is which.
_NEAR_MIN = 0.66
#: Where only their places tell that, nearly all of it has to be the same.
_SAME_MIN = 0.85
#: Where it is told who does something to whom.
_ROLES_MIN = 0.75
_ORIGINS = ("origin", "of")
_PLACING = frozenset(("earlier", "later", "left"))
_PAIRED = _PLACING | {"measure"}
#: In German the word for "after" is that for "to".
_AFTER_BEFORE = {"nach", "vor"}
_THAN = frozenset(("than", "als", "que", "niż", "чем", "än"))


def is_exchanged(claim: ClauseSentence, near: Sequence[Near]) -> bool:
    """Tell whether a claim has exchanged what stands on the two sides of a word, in a sentence that is about the same."""
    # A word that stands there twice does two things: "a call to this to do that".
    times = Counter(relation.word for relation in claim.relations)
    scored = [(one.score, one.sentence) for one in near if one.score >= _NEAR_MIN]
    if not scored:
        return False
    for relation in claim.relations:
        least = _NEAR_MIN if relation.name in _PLACING else _SAME_MIN
        if times[relation.word] > 1 and relation.name not in _PAIRED:
            continue
        against = for_it = 0.0
        for score, other in scored:
            turned = [_is_turned(relation, there) for there in other.relations]
            if any(
                _is_straight(relation, there) and not is_turned
                for there, is_turned in zip(other.relations, turned, strict=True)
            ):
                for_it = max(for_it, score)
            elif score >= least and any(turned):
                against = max(against, score)
        if against > for_it:
            return True
    if any(score >= _SAME_MIN and _are_names_turned(claim, other) for score, other in scored):
        return True
    if any(score >= _ROLES_MIN and has_turned_roles(claim.text, other.text) for score, other in scored):
        return not any(score >= _ROLES_MIN and has_same_roles(claim.text, other.text) for score, other in scored)
    against = max((score for score, other in scored if _is_role_turned(claim, other)), default=0.0)
    kept = (score for score, other in scored if _is_role_kept(claim, other) and not _is_role_turned(claim, other))
    return against > max(kept, default=0.0)


def _is_turned(relation: Relation, there: Relation) -> bool:
    if OPPOSITE.get(relation.name) == there.name and relation.name in ("earlier", "later"):
        return _are_same(relation, there)
    if {relation.word, there.word} == _AFTER_BEFORE:
        return _are_same(relation, there)
    if relation.name != there.name:
        return False
    # "Later than" turned round is "earlier than", "twice" is "half".
    same = relation.word not in _THAN or relation.compared == there.compared
    same &= relation.name != "measure" or relation.word == there.word
    return same and _are_crossed(relation, there)


def _is_straight(relation: Relation, there: Relation) -> bool:
    if OPPOSITE.get(relation.name) == there.name:
        return _are_crossed(relation, there)
    return relation.name == there.name and _are_same(relation, there)


def _are_crossed(one: Relation, other: Relation) -> bool:
    behind = (one.behind & other.before) - other.behind - one.before
    before = (one.before & other.behind) - other.before - one.behind
    return bool(behind and before)


def _are_same(one: Relation, other: Relation) -> bool:
    behind = (one.behind & other.behind) - one.before - other.before
    before = (one.before & other.before) - one.behind - other.behind
    return bool(behind and before)


def _are_names_turned(claim: ClauseSentence, other: ClauseSentence) -> bool:
    """Whether two names have changed their places on both sides of the same word, and nothing else tells who is who."""
    if {relation.name for relation in claim.relations} != {relation.name for relation in other.relations}:
        return False
    names = (claim.whole.names | claim.whole.values.keys()) & (other.whole.names | other.whole.values.keys())
    around, around_there = _around(claim, names), _around(other, names)
    return any(
        pair[::-1] == around_there.get(word) and pair[0] != pair[1] and "" not in pair for word, pair in around.items()
    )


def _around(sentence: ClauseSentence, names: set[str]) -> dict[str, tuple[str, str]]:
    """For each word, the last name before it and the first behind it; empty where there is none."""
    order = sentence.order
    behind: list[str] = []
    following = ""
    for word in reversed(order):
        behind.append(following)
        following = word if word in names else following
    before = ""
    found: dict[str, tuple[str, str]] = {}
    for word, name in zip(order, reversed(behind), strict=True):
        if word in names:
            before = word
        else:
            found[word] = (before, name)
    return found


def _is_role_turned(claim: ClauseSentence, other: ClauseSentence) -> bool:
    """Whether what goes from here to there in one goes from there to here in the other."""
    for name in _ORIGINS:
        origin, there = _behind(claim, name), _behind(other, name)
        target, there_target = _behind(claim, "target"), _behind(other, "target")
        if (origin & there_target) - there and (target & there) - there_target:
            return True
    return False


def _is_role_kept(claim: ClauseSentence, other: ClauseSentence) -> bool:
    return any(_behind(claim, name) & _behind(other, name) for name in _ORIGINS) and bool(
        _behind(claim, "target") & _behind(other, "target")
    )


def _behind(sentence: ClauseSentence, name: str) -> set[str]:
    return {word for relation in sentence.relations if relation.name == name for word in relation.behind}
