"""From what a person wrote to the statements worth keeping: rules, limits, deadlines, preferences, plain facts.

A statement is a line where that is short, otherwise a sentence, so that a condition stays with what it governs. What is quoted,
fenced or pasted is somebody else's word and no statement.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise, product

from tailrace.agents.language.cues import DEMAND, WISH, cue_words, holds_any, is_unspaced_demand
from tailrace.agents.language.lexicon import (
    ADDITION_PHRASES,
    ADDITIONS,
    ASKING,
    CAPITALIZING,
    CHANGE_PHRASES,
    CHANGES,
    CHANGES_UNSPACED,
    CONCEPTS,
    DEADLINES,
    DETERMINERS,
    LASTING,
    LIMITS,
    MOMENTARY,
    NUMBER_WORDS,
    RENEWALS,
    REQUESTS,
    STANDING,
)
from tailrace.agents.language.rule_words import PREFERENCES
from tailrace.agents.language.word_lists import words as word_list
from tailrace.agents.ledger.corrections import correction_chars
from tailrace.agents.ledger.dependent_sentences import sentence_end
from tailrace.agents.ledger.foreign_text import without_documents
from tailrace.agents.ledger.forms import form_of
from tailrace.agents.ledger.heading_words import SCOPES
from tailrace.agents.ledger.hearsay import is_habit, is_hearsay
from tailrace.agents.ledger.message_ends import ends_of
from tailrace.agents.ledger.release_frames import is_firm_release
from tailrace.agents.ledger.remarks import is_report, only_tells
from tailrace.agents.ledger.sentence import impolite, is_told
from tailrace.agents.ledger.small_talk import is_idle
from tailrace.agents.ledger.trailing_scope import bounded
from tailrace.agents.ledger.units import ITEM_CHARS_MAX, ITEMS_MAX, TextUnit, units
from tailrace.agents.ledger.when_words import MOVES, PLACES
from tailrace.schemas.records.ledger import TOLD_KINDS, DirectiveKind

#: Messages above this are documents that somebody pasted: only what demands something in so many words is taken from them.
PASTED_CHARS_MIN = 4_000
#: What only has the form of a rule is short; longer sentences with the same beginnings tell or explain something.
FORM_CHARS_MAX = 120
#: More than this is not a person's list of rules.
STATEMENTS_MAX = 200

#: How much a statement of a kind binds.
BINDING = {
    DirectiveKind.RULE: 10,
    DirectiveKind.LIMIT: 10,
    DirectiveKind.DEADLINE: 10,
    DirectiveKind.PREFERENCE: 9,
    DirectiveKind.STATEMENT: 8,
    DirectiveKind.REMARK: 8,
}
#: So much of it is left where a statement only has the form of a rule: whoever says "never" means it more.
FORM_BINDING = 0.9
#: Somebody wrote a label in capitals before it.
LABELLED_BINDING = 2

_DEMANDS = cue_words(DEMAND)
_WISHES = cue_words(WISH)
#: What stands in brackets explains a word, and demands nothing.
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)")
#: A word or three in capitals before a colon: whoever writes that means it.
_LABEL = re.compile(r"[A-Z][A-Z]+(?:[ _/-][A-Z]+){0,2}\s?:\s")
_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?()[]{}"`*“”«»…', " ") | {"\u2019": "'"})
#: The same for plain letters, as bytes: that takes a third of the time.
_PLAIN_PUNCTUATION = bytes(range(128)).decode().translate(_PUNCTUATION).encode() + bytes(range(128, 256))
#: Somebody says no, and then what there is to be none of.
_REFUSED = re.compile(
    r"(?:no|nope|nein|non)(?:[,.!]+ +(?:no|nope|nein|non))*[,.!]+ +(?=(?:no|never|don't|not|keine?n?|nie|pas|jamais)\b)",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r", (?:so no more (?!than )|also keine?n? (?=.* mehr\b)|donc plus (?:de |d')|así que (?:ya )?no más )"
)
#: A plain fact: something is, was set to or lives at something.
_COPULAS = word_list(
    "is are was equals runs lives belongs has means costs cost takes lasts starts start begins ends opens closes stops ist sind est sont es son é è"
)
_USES = frozenset(
    ("use", "utilise", "utilisez", "benutze", "verwende", "nutze", "usa", "utiliza", "gebruik", "używaj", "используй")
)
# Both begin with characters that are seldom, and are leapt to; what stands before them is looked at there. A statement may begin as it likes.
_VALUE = re.compile(r"[\d:A-Z/_](?:(?<=\d)|(?<=:)(?=//)|(?<=.[a-z][A-Z])|(?<=.\w[/_])(?=\w))", re.DOTALL)
_NAME = re.compile(r"[A-Z](?<=\s[A-Z])[\w-]+")
#: "Entry 5 euros": a thing, how much, and of what; for somebody or somewhere that is so.
_PRICED = re.compile(r"[^\W\d]+(?: [^\W\d]+){0,2}:? (?:\d[\d.,]* ?(?:[^\W\d]+|[€$£%])|[€$£]\s?\d[\d.,]*)\.?")
_SETTINGS = frozenset(("at", "to", "last"))
#: Something is to have another value.
_SETTING = re.compile(
    r"(?:please )?(?:set|drop|bump|turn|bring|take|raise|lower|reduce|cut|extend|shorten|increase|decrease|limit|adjust) .* to (?:minus )?[$€£]?\d"
)
_OBLIGATIONS = frozenset((*product(("have", "has", "need", "needs"), ("to",)), ("are", "to"), ("is", "to")))
_POLITE = frozenset(("please", "bitte", "por", "favor", "per", "favore"))
#: Before what a speaker counts themselves in.
_TOGETHER = frozenset(("let's", "lets"))
_STICKING = frozenset(("stick", "stay"))
_MANNERS = _STICKING | frozenset(
    ("keep", "make", "write", "answer", "reply", "respond", "speak", "format", "phrase", "report", "show")
)
_MINDING = ["would", "you", "mind"]
#: Words that set a bound; the first kind that is met counts.
_BOUNDS = ((DirectiveKind.DEADLINE, DEADLINES), (DirectiveKind.LIMIT, LIMITS))
_STANDING = frozenset(word for word, concept in CONCEPTS.items() if concept in STANDING)
_BINDING_KINDS = frozenset((DirectiveKind.RULE, DirectiveKind.LIMIT, DirectiveKind.DEADLINE, DirectiveKind.PREFERENCE))
#: A copula that comes later than this belongs to a clause of its own.
_OPENING_WORDS = 9


def statements(text: str) -> Iterator[tuple[DirectiveKind, str]]:
    """Yield the statements of what a person wrote with what each does, in their order."""
    yield from ((kind, unit.whole) for kind, unit in stated_units(text))


def stated_units(
    text: str, *, typed: bool = True, touches: Callable[[str], bool] | None = None
) -> Iterator[tuple[DirectiveKind, TextUnit]]:
    """Yield the units of a text that state something, with what each does; `typed` where a person wrote it into the conversation.

    What states nothing by itself counts all the same where it `touches` what was stated before.
    """
    text = without_documents(text)
    pasted = _is_pasted(text)
    if typed and len(text) > PASTED_CHARS_MIN:
        text = ends_of(text)
    found = 0
    read = read_units if len(text) <= PASTED_CHARS_MIN else read_units.__wrapped__
    for known, unit in read(text, typed):
        kind = known
        if kind is None and touches is not None and not pasted and not unit.void and touches(unit.whole):
            kind = DirectiveKind.RULE
        if kind is None or (pasted and kind in TOLD_KINDS):
            continue
        yield kind, unit
        found += 1
        if found >= STATEMENTS_MAX:
            return


@lru_cache(maxsize=2048)
def read_units(text: str, typed: bool) -> tuple[tuple[DirectiveKind | None, TextUnit], ...]:  # noqa: FBT001  a cache is asked by place
    """All that a text could state, with what each does. What stays in a thread is read again at every compaction, hence remembered."""
    return tuple(_with_siblings([(_kind_in_list(unit), unit) for unit in bounded([*units(text, typed=typed)])]))


def typed_units(text: str) -> Iterator[tuple[str, str]]:
    """Yield all that a text could state, each with the condition that it is listed under: nothing of what is quoted, fenced or pasted."""
    text = without_documents(text)
    if not _is_pasted(text):
        for _, unit in read_units(text, True):
            yield unit.condition, unit.text


def listed_in(text: str, *, typed: bool) -> bool:
    """Tell whether a text holds a list."""
    return (
        ("\n" in text or " 1" in text)
        and len(text) <= PASTED_CHARS_MIN
        and any(unit.number for _, unit in read_units(without_documents(text), typed))
    )


def _is_pasted(text: str) -> bool:
    return len(text) > PASTED_CHARS_MIN or text.lstrip().startswith("<")


def _kind_in_list(unit: TextUnit) -> DirectiveKind | None:
    """What a unit does; under a heading that binds, or in a list that is called one of rules, whatever is listed binds."""
    if unit.void:
        return None
    if not unit.condition:
        kind = kind_of(unit.text)
        return DirectiveKind.RULE if kind is None and unit.ruled and _is_item(unit) else kind
    # What states something by itself does so under any heading; what only the heading states, under one that binds.
    kind = kind_of(unit.text) or (kind_of(unit.whole) if unit.bound or unit.timed else None)
    if kind is not None or not _is_item(unit):
        return kind
    if _PRICED.fullmatch(unit.text) and not SCOPES.isdisjoint(words_of(unit.condition)[:1]):
        return DirectiveKind.STATEMENT
    told = unit.timed and is_told(impolite(words_of(unit.text))) and "i" not in words_of(unit.condition)
    return DirectiveKind.RULE if unit.bound or unit.ruled or told else None


def _with_siblings(
    found: list[tuple[DirectiveKind | None, TextUnit]],
) -> Iterator[tuple[DirectiveKind | None, TextUnit]]:
    """The same, where most items of a list bind with the others of it: whoever lists rules does not list a request among them."""
    binding: dict[int, int] = {}
    items: dict[int, int] = {}
    for kind, unit in found:
        if unit.listed:
            items[unit.listed] = items.get(unit.listed, 0) + 1
            binding[unit.listed] = binding.get(unit.listed, 0) + (kind in _BINDING_KINDS)
    for kind, unit in found:
        most = unit.listed and 2 * binding[unit.listed] > items[unit.listed] <= ITEMS_MAX and binding[unit.listed] > 1
        yield (DirectiveKind.RULE, unit) if kind is None and most and not unit.void and _is_item(unit) else (kind, unit)


def _is_item(unit: TextUnit) -> bool:
    """Tell whether a unit may be a rule because it stands among rules: what is longer explains them."""
    return len(unit.text) <= ITEM_CHARS_MAX and not unit.text.endswith("?")


def kind_of(unit: str) -> DirectiveKind | None:
    """What a sentence or short line does; None where it states nothing that must last."""
    if unit[:1] in "nN" and (refused := _REFUSED.match(unit)):
        unit = unit[refused.end() :]
    label = label_of(unit)
    words = words_of(_BRACKETED.sub(" ", unit[len(label) :]) if "[" in unit or "(" in unit else unit[len(label) :])
    said = frozenset(words)
    labelled = bool(label)
    if not labelled and (unit.endswith("?") or is_idle(words) or is_habit(unit, words, said)):
        return _asked(unit, words) if unit.endswith("?") else None
    if not labelled and is_hearsay(unit, words, said):
        return _behind_hearsay(unit)
    return _told_in(unit, words, said, labelled=labelled)


def _behind_hearsay(unit: str) -> DirectiveKind | None:
    """What a line does behind a sentence that is somebody else's."""
    own = sentence_end(unit).split(unit, 1)[1:]
    return kind_of(own[0]) if own else None


def _told_in(unit: str, words: list[str], said: frozenset[str], *, labelled: bool) -> DirectiveKind | None:
    """What the words of a sentence do, where they are its speaker's own and ask nothing."""
    demands = (
        _demands(unit, words, said) or is_unspaced_demand(unit) or _obliges(words, said) or is_firm_release(unit, said)
    )
    bounds = next((kind for kind, words in _BOUNDS if not said.isdisjoint(words)), None)
    # What a bare word of time or amount says is a bound only where something else shows that it is meant to hold.
    if bounds is not None and (labelled or demands or _is_valued(unit, said) or is_change(unit, said)):
        return bounds
    if demands:
        return DirectiveKind.REMARK if not labelled and only_tells(unit, said) else DirectiveKind.RULE
    if (
        _wishes(words, said)
        or _is_manner(words, said)
        or ((labelled or _keeps(words)) and not said.isdisjoint(_WISHES))
    ):
        return DirectiveKind.PREFERENCE
    form = form_of(unit, words, said) if len(unit) <= FORM_CHARS_MAX else None
    if form is not None:
        return form
    if labelled or (_is_valued(unit, said) and _lasts(unit, words, said)):
        return DirectiveKind.STATEMENT
    return DirectiveKind.RULE if _is_meant_to_last(unit, said) or _follows(unit) else None


def _follows(unit: str) -> bool:
    """Tell whether there is to be no more of something, behind the reason for it: the sponsor left, so no more ads."""
    return ", " in unit and len(unit) <= FORM_CHARS_MAX and _NO_MORE.search(unit) is not None


def _is_meant_to_last(unit: str, said: frozenset[str]) -> bool:
    """Tell whether a sentence says that it holds from now on, whatever it is about."""
    if said.isdisjoint(LASTING) or len(unit) > FORM_CHARS_MAX:
        return False
    small = unit.lower()
    return any(holds_any(small, LASTING[word]) for word in said.intersection(LASTING))


def _demands(unit: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence holds a word of demand, and does more than report that something is not so."""
    return not said.isdisjoint(_DEMANDS) and not is_report(unit, words, said)


def _asked(unit: str, words: list[str]) -> DirectiveKind | None:
    """What a question does: nothing, unless it states a demand before it asks ("never on a Friday, is that clear?")."""
    if words[: len(_MINDING)] == _MINDING:
        return _asked_for(words[len(_MINDING) :])
    stated = unit.rpartition(",")[0]
    kind = kind_of(stated) if stated and not ASKING.intersection(words[:1]) else None
    return kind if kind not in TOLD_KINDS else None


def _asked_for(words: list[str]) -> DirectiveKind | None:
    """What "would you mind" asks for: what it would be as an order, if that is to last."""
    first, *others = words or [""]
    orders = [[first[:-3], *others], [f"{first[:-3]}e", *others]] if first.endswith("ing") else [words]
    kinds = (kind_of(" ".join(order)) for order in orders)
    return next((kind for kind in kinds if kind in _BINDING_KINDS), None)


def binding(kind: DirectiveKind, text: str) -> float:
    """How much a statement binds for what it takes; its label takes nothing."""
    label = label_of(text)
    binds: float = BINDING[kind] + (LABELLED_BINDING if label else 0)
    if kind is DirectiveKind.RULE and _DEMANDS.isdisjoint(words_of(text)) and not is_unspaced_demand(text):
        binds *= FORM_BINDING
    return binds / max(1, len(text) - len(label))


def _is_valued(unit: str, said: frozenset[str]) -> bool:
    """Tell whether a sentence names a number, an address or something by its name."""
    return _VALUE.search(unit, 1) is not None or not said.isdisjoint(NUMBER_WORDS) or _names(unit, said)


def _names(unit: str, said: frozenset[str]) -> bool:
    """Tell whether a sentence names somebody or something; where every noun has a capital, that can't be told."""
    return CAPITALIZING.isdisjoint(said) and _NAME.search(unit, 1) is not None


def _obliges(words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence says what somebody else than the speaker has to do."""
    if "to" not in said or _OBLIGATIONS.isdisjoint(pairwise(words)):
        return False
    places = (place for place, pair in enumerate(pairwise(words)) if pair in _OBLIGATIONS)
    return any("i" not in words[max(0, place - 2) : place] for place in places)


def _keeps(words: list[str]) -> bool:
    """Tell whether a sentence begins with what is to be kept so, by somebody else or together."""
    return words[:1] == ["keep"] or (words[1:2] == ["keep"] and words[0] in _TOGETHER)


def _is_manner(words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence asks for a way of doing things: to stick to something, or how answers are to be."""
    first = next((word for word in words if word not in _POLITE), "")
    return first in _MANNERS and (first in _STICKING or not said.isdisjoint(_STANDING))


def _wishes(words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence says how somebody would have things; "I want to …" asks for something to be done."""
    if said.isdisjoint(PREFERENCES):
        return False
    return any(word in PREFERENCES and after != "to" for word, after in pairwise([*words, ""]))


def is_change(unit: str, words: frozenset[str]) -> bool:
    """Tell whether a statement says that something is different from now on."""
    small = unit.lower()
    if not words.isdisjoint(CHANGES) or correction_chars(small) or holds_any(small, CHANGE_PHRASES):
        return True
    if not unit.isascii() and holds_any(unit, CHANGES_UNSPACED):
        return True
    return " to " in small and _SETTING.match(small) is not None


def _changes(unit: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence says that something is different; what somebody is to do with a new thing does not."""
    if said.isdisjoint(RENEWALS) or words[0] in RENEWALS or not is_told(impolite(words)):
        return is_change(unit, said)
    return is_change(unit, said - RENEWALS)


@lru_cache(maxsize=4096)
def adds(unit: str) -> bool:
    """Tell whether a statement comes on top of what was said before."""
    return not ADDITIONS.isdisjoint(words_of(unit)) or holds_any(unit.lower(), ADDITION_PHRASES)


def label_of(unit: str) -> str:
    """Return the label in capitals that a statement begins with, colon included; empty if it has none."""
    label = _LABEL.match(unit)
    return label[0] if label else ""


def words_of(unit: str) -> list[str]:
    """Return the words of a statement in small letters, without punctuation."""
    small = unit.lower()
    if small.isascii():
        return small.encode().translate(_PLAIN_PUNCTUATION).decode().split()
    return small.translate(_PUNCTUATION).split()


def _lasts(unit: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence with a value says how things are or are to be from then on, and is no request for the moment."""
    opening = words[:1]
    if not _COPULAS.isdisjoint(words[1:_OPENING_WORDS]) or not _USES.isdisjoint(words[:2]):
        return True
    if not DETERMINERS.isdisjoint(opening):
        return True
    # "Mash at 66 degrees", "lessons last 45 minutes": a setting.
    if words[1:2] and words[1] in _SETTINGS and words[2:3] and words[2][:1].isdigit():
        return True
    moves = next((word for word in words if word not in _POLITE), "") in MOVES
    # "Move the meeting to 5" is a change, "move the chair next to table 5" is none, and neither is what is to be done with a new thing.
    if _changes(unit, words, said) and not (moves and not said.isdisjoint(PLACES)):
        # "Now run it" is for the moment; a change says what is different, and not what to do next.
        return (
            MOMENTARY.isdisjoint(opening) and next((word for word in words if word not in CHANGES), "") not in REQUESTS
        )
    # "Rename it to final_v2" is done once.
    if moves:
        return False
    # "Call Anna" is no word about a name.
    return not _STANDING.isdisjoint(words[2:] if "call" in words[:2] else words)
