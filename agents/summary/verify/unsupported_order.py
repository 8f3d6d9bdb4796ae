"""Whether a claim bids somebody do what nobody in its events speaks of doing.

"Delete build 412" has no word of a rule, and two of its three words may stand in the events that it cites. So the one that says what is
to be done has to stand there, too, in a sentence about the same: one that asks for it, plans it, offers it, or tells that it was done.
"""

import re
from collections.abc import Sequence
from typing import Final

from tailrace.agents.language.claim_words import EFFECTS, OCCASIONS, OPEN_WORDS, Does
from tailrace.agents.language.cues import tool_looks
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.summary.verify.cited_sentences import Near, Spoken, bare_words
from tailrace.agents.summary.verify.claim_tokens import stem
from tailrace.agents.summary.verify.clauses import ASKED, DUE, PLANNED, SUPPOSED, ClauseSentence
from tailrace.agents.summary.verify.measures import measures_of
from tailrace.agents.summary.verify.statement import INTENT_FIELDS, Told
from tailrace.agents.summary.verify.unsupported_assertion import WISHED, tells_as_so
from tailrace.agents.summary.verify.verb_forms import is_bare_beginning, verb_forms

#: Where a claim may begin anew.
_PART_END = re.compile(r":\s+")
#: It is going to be, though no other word says so.
_SOON = re.compile(
    r"\b(?:next|soon|tomorrow|tonight|later|morgen|demain|mañana|domani|amanhã|jutro|завтра)\W*$", re.IGNORECASE
)
#: As if it were a habit: "gets watered at noon".
_GETS_DONE = re.compile(r"\bgets? \w+ed\b", re.IGNORECASE)
_GOING_ON = re.compile(r"^\W*(\w{3,}ing)\b")
#: Where no other verb tells anything: "Leni to prune the trees", "Brandt den Betrag überweisen".
_INFINITIVE = re.compile(r"\bto ([a-z]{3,})\b|(?<=\s)([a-zäöüß]{3,}(?:en|ern|eln))\W*$")
#: Verbs that are words of form elsewhere.
_LIGHT: Final = words("use keep let make get put set stay leave give take")
#: Stands for what was named before.
_IT: Final = words("it them him her this that those these es ihn das dies les lo los dat dit это")
#: In a heading of what is to be done.
_HEADINGS: Final = words(
    "next step steps todo to-do task tasks action actions plan goal follow-up pending open aufgabe aufgaben schritt schritte offen plan étape étapes tâche "
    "tâches paso pasos tarea tareas passo passi compito prossimo stap taak krok zadanie шаг задача"
)
#: Before the verb of an order, and no part of it.
_BEFORE: Final = POLITE | words(
    "better next now first finally again to always never todo to-do reminder erst zuerst dann danach zuletzt d'abord ensuite puis primero luego prima poi dopo najpierw сначала"
)
#: Said of what is decided, left open or counted, and words of form: nobody does any of them.
_NO_DEEDS: Final = frozenset(
    map(
        stem,
        OPEN_WORDS
        | WISHED
        | OCCASIONS
        | {word for word, effect in EFFECTS.items() if effect.does is not Does.WEIGHS}
        | words("whether plan decide choose pick first second third last"),
    )
) - frozenset(map(stem, _LIGHT))


def is_invented(told: Told, near: Sequence[Near], cited: Sequence[Spoken]) -> bool:
    """Tell whether a claim orders, plans or owes something of which none of its events speaks as something that is done."""
    if told.sentence.whole.mood & ASKED:
        return False
    forms = verb_forms(told.sentence.text)
    begins = _beginnings(told.sentence.text, forms.ordered)
    named = begins | forms.ordered | _named(told)
    if any(not any(verb in spoken.stems for spoken in cited) for verb in named - _NO_DEEDS):
        return True
    if _makes_habit(told, near):
        return True
    ordered = begins & (forms.ordered | _LIGHT_STEMS) - _NO_DEEDS
    return any(not _is_spoken_of(verb, told, near, cited) for verb in ordered)


def _named(told: Told) -> frozenset[str]:
    """Stems of what a claim says is going to be done: by what stands before a verb, or because no other verb tells anything."""
    text, whole = told.sentence.text, told.sentence.whole
    forms = verb_forms(text)
    named = frozenset[str]()
    if whole.mood & SUPPOSED:
        return named
    if told.name in INTENT_FIELDS and not whole.denies:
        named |= forms.bare
    is_due = whole.mood & (PLANNED | DUE) or _SOON.search(text) or not WISHED.isdisjoint(bare_words(text))
    if is_due or _GETS_DONE.search(text):
        named |= forms.bare | forms.done | frozenset(map(stem, _GOING_ON.findall(text.lower())))
    if not tells_as_so(text):
        named |= frozenset(stem(verb.lower()) for pair in _INFINITIVE.findall(text) for verb in pair if verb)
    return named


def _beginnings(text: str, ordered: frozenset[str]) -> frozenset[str]:
    """Stems of what a claim begins with as an order would; and behind a colon, where that is sure or the heading is one of tasks."""
    head, *parts = _PART_END.split(text)
    is_task = not _HEADINGS.isdisjoint(bare_words(head))
    behind = {
        stem(word)
        for word in map(_order, parts)
        if is_task or (stem(word) in ordered | _LIGHT_STEMS and not tool_looks(word))
    }
    return frozenset(filter(None, (stem(_order(head)), *behind)))


def _order(part: str) -> str:
    """The word that may be the verb of an order; empty where there is none."""
    said = [word for word in bare_words(part) if word]
    while said and said[0] in _BEFORE:
        del said[0]
    if len(said) < _ORDER_WORDS_MIN or not said[0].isalpha():
        return ""
    return said[0] if said[0] in _LIGHT or is_bare_beginning(said) else ""


def _is_spoken_of(verb: str, told: Told, near: Sequence[Near], cited: Sequence[Spoken]) -> bool:
    """Whether a statement or a call has the verb and what it is done to: who speaks of doing it to something else does not mean this."""
    order = told.sentence.order
    if verb not in order:
        # A word of form: nothing tells where it stands.
        return any(
            not one.orders and one.score >= _SAME_MIN and _means(verb, one.sentence, is_spoken=one.is_spoken)
            for one in near
        )
    behind = order[order.index(verb) + 1 :]
    if verb in told.called and not told.called.isdisjoint(behind):
        return True
    return any(
        _means(verb, one, is_spoken=bool(spoken.said.spoken)) and _is_done_to(verb, behind[:1], one, spoken)
        for spoken in cited
        for one in spoken.saying(verb)
        if spoken.said.spoken or not verb_forms(one.text).ordered
    )


def _is_done_to(verb: str, objects: Sequence[str], there: ClauseSentence, spoken: Spoken) -> bool:
    doing = [one for one in there.clauses if verb in one.words]
    if not objects or any(objects[0] in one.about for one in doing):
        return True
    # "The valve leaks. I could replace it."
    return not _IT.isdisjoint(bare_words(there.text)) and bool(spoken.places(objects[0]))


def _means(verb: str, there: ClauseSentence, *, is_spoken: bool) -> bool:
    """Whether a sentence has the verb as something to do or done: what is so by itself is nobody's task."""
    forms = verb_forms(there.text)
    if verb in forms.done or verb in forms.bare or verb in forms.ordered:
        return True
    said = map(stem, bare_words(there.text))
    return verb in said and (verb in _LIGHT_STEMS or bool(there.whole.mood) or not is_spoken)


def _makes_habit(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim says of each what is done with it, without telling that it was, and no event speaks of each."""
    text = told.sentence.text
    each = measures_of(text).each
    if not each or told.clause.signs or tells_as_so(text):
        return False
    return any(not any(one in measures_of(there.sentence.text).every for there in near) for one in each)


_LIGHT_STEMS: Final = frozenset(map(stem, _LIGHT))
#: An order has an object.
_ORDER_WORDS_MIN = 2
#: Share of an order that a sentence must hold to be about the same.
_SAME_MIN = 0.6
