"""Whether a claim tells as done, so or decided what its events only plan, ask, offer, suppose or order, or takes over a tool's order.

Whoever speaks: what a page or a mail orders was not done, and is nobody's wish in the conversation.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tailrace.agents.language.claim_words import CARRIERS, OCCASIONS, OPEN_WORDS, STATES
from tailrace.agents.language.rule_words import is_directive
from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.model.span_text import plain
from tailrace.agents.summary.verify.cited_sentences import Near, bare_words, weight_of
from tailrace.agents.summary.verify.claim_tokens import stem
from tailrace.agents.summary.verify.clauses import ASKED, DUE, ORDERED, PLANNED, SUPPOSED
from tailrace.agents.summary.verify.statement import INTENT_FIELDS, NEAR_MIN, Told
from tailrace.agents.summary.verify.verb_forms import begins_with_order, verb_forms

#: Where a verb that is told as done is only named.
_NAMED_MIN = 0.75
#: How things are told that are so or were done.
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|done|\w{3,}ed|ist|sind|war|waren|wurden?|hat|haben|est|sont|ont|été|fue|fueron|está|han?|"
    r"sido|è|sono|stat[oaie]|foi|foram|werden?|heeft|zijn|został[aoy]?|был[аио]?)\b",
    re.IGNORECASE,
)

#: Words with which a claim says that somebody wants something, whoever it is.
WISHED = words(
    "wanted required needed expected demanded ordered intended desired requested asked planned recommended pending gewünscht verlangt "
    "nötig geplant empfohlen demandé voulu requis prévu recommandé pedido solicitado recomendado previsto richiesto consigliato"
)
_MAY_LEAVE_OPEN = frozenset(("open_items",))


def is_given_by_tool(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim is a part of what a tool's output orders, and somebody's plan or wish, or no statement of its own."""
    said = bare_words(told.sentence.text)
    is_wish = told.name in INTENT_FIELDS or not (WISHED.isdisjoint(said) or not CARRIERS.isdisjoint(said))
    # Whoever copies an order makes it one.
    is_own = begins_with_order(told.sentence.text)
    against = for_it = 0.0
    for one in near:
        score = one.score
        if score < NEAR_MIN:
            continue
        rules = is_directive(one.sentence.text)
        if one.is_spoken or not (rules or one.orders):
            for_it = max(for_it, score)
        elif is_wish or ((rules or is_own) and plain(told.sentence.text) in one.spoken.said.whole):
            against = max(against, score)
    return against >= NEAR_MIN and for_it < against


def is_not_told(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim tells as done, so or decided what is only planned, asked, offered, supposed or ordered."""
    meant = told.sentence.whole.mood
    if told.name in _MAY_LEAVE_OPEN or meant & ~DUE or told.is_part:
        return False
    # A word of what is asked itself says nothing of how it is told: "shall we offer duck?"
    asked = frozenset(
        stem(word)
        for there in near
        if there.sentence.whole.mood & (ASKED | SUPPOSED)
        for word in bare_words(there.sentence.text)
    )
    says_open = {word for word in OPEN_WORDS.intersection(bare_words(told.sentence.text)) if stem(word) not in asked}
    if says_open - STATES or any(says_open.isdisjoint(bare_words(there.sentence.text)) for there in near if says_open):
        return False
    tells = tells_as_so(told.sentence.text)
    ordered = any(told.done & verb_forms(there.sentence.text).ordered for there in near if there.orders)
    told_as = _Telling(told, told.done, tells=tells, is_due=bool(meant), is_ordered=ordered)
    clause = told.clause
    against, for_it = 0.0, weight_of(clause.about & told.called, clause) / max(1, weight_of(clause.about, clause))
    for there in near:
        # Whoever cites what was called and what that gave cites what was done: its words are those of the tool.
        if there.is_spoken and told.acted:
            for_it = max(for_it, there.score if not there.sentence.whole.mood else 0.0)
        else:
            not_so, so = told_as.held_against(there)
            against, for_it = max(against, not_so), max(for_it, so)
    return against >= NEAR_MIN and for_it < against


def tells_as_so(text: str) -> bool:
    """Tell whether a text tells that something is so or was done."""
    return _TELLS.search(text) is not None


class _Telling(NamedTuple):
    """How a claim tells what it tells: the verbs that it tells as done, and whether it tells anything as so."""

    told: Told
    done: frozenset[str]
    tells: bool
    is_due: bool
    #: A tool's output orders just that.
    is_ordered: bool

    def held_against(self, there: Near) -> tuple[float, float]:
        """How near a sentence is that does not say so, and one that does."""
        forms = verb_forms(there.sentence.text)
        # Who tells what a tool's output orders tells it as done, whatever verb he takes.
        copied = there.orders and (self.tells or self.done) and there.score >= _NAMED_MIN
        named = self.done & forms.bare - forms.done if not there.lists_changes else frozenset[str]()
        plans = self.told.name in INTENT_FIELDS
        if copied or (named and not plans and there.score >= (NEAR_MIN if there.orders else _NAMED_MIN)):
            return there.score, 0.0
        if there.orders or (self.is_ordered and not there.is_spoken and self.done.isdisjoint(forms.done)):
            return 0.0, 0.0
        against = for_it = 0.0
        held = list(zip(there.sentence.clauses, there.scores, strict=True))
        if all(one.mood for one, _ in held):
            # "If the weather holds, we sail": no part of it tells anything.
            held.append((there.sentence.whole, there.score))
        for one, score in held:
            mood = one.mood if there.is_spoken or self.tells else 0
            if self.is_due or not self.tells:
                mood &= ~(ORDERED | DUE)
            if self.is_due:
                mood &= ~PLANNED
            if not OCCASIONS.isdisjoint(bare_words(self.told.sentence.text)[:1]):
                mood &= ~SUPPOSED
            if plans:
                mood &= ~(PLANNED | ORDERED | DUE)
                if self.told.agreed or (there.spoken.said.is_owner and self.told.name != "decisions"):
                    mood = 0
            against, for_it = (max(against, score), for_it) if mood else (against, max(for_it, score))
        return against, for_it
