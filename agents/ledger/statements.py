"""From what a person wrote to the statements worth keeping: rules, limits, deadlines, preferences, plain facts.

A statement is a line where that is short, otherwise a sentence, so that a condition stays with what it governs. What is quoted,
fenced or pasted is somebody else's word and no statement.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product

from tailrace.agents.cues import DEMAND, WISH, cue_words, holds_any, is_unspaced_demand
from tailrace.agents.ledger.frames import is_firm_release
from tailrace.agents.ledger.lexicon import (
    ADDITION_PHRASES,
    ADDITIONS,
    ASKING,
    CAPITALIZING,
    CHANGE_PHRASES,
    CHANGES,
    CHANGES_UNSPACED,
    CONCEPTS,
    CONDITIONS,
    DEADLINES,
    DETERMINERS,
    ELLIPSES,
    LIMITS,
    MOMENTARY,
    NUMBER_WORDS,
    REQUESTS,
    STANDING,
)
from tailrace.agents.rule_words import PREFERENCES
from tailrace.schemas.ledger import DirectiveKind

#: A line up to here is one statement; a longer one is taken apart.
LINE_CHARS_MAX = 240
STATEMENT_CHARS_MIN = 8
STATEMENT_CHARS_MAX = 400
#: Messages above this are documents that somebody pasted: only what demands something in so many words is taken from them.
PASTED_CHARS_MIN = 4_000
#: What a person types around a paste stands at its ends.
TYPED_CHARS = 1_000
#: More than this is not a person's list of rules.
STATEMENTS_MAX = 200

#: How much a statement of a kind binds.
BINDING = {
    DirectiveKind.RULE: 10,
    DirectiveKind.LIMIT: 10,
    DirectiveKind.DEADLINE: 10,
    DirectiveKind.PREFERENCE: 9,
    DirectiveKind.STATEMENT: 8,
}
#: Somebody wrote a label in capitals before it.
LABELLED_BINDING = 2

_DEMANDS = cue_words(DEMAND)
_WISHES = cue_words(WISH)
_FENCE = "```"
_MARKS = " \t-*•#>"
#: A box of a list of tasks; and what stands in brackets, which explains a word and demands nothing.
_BOX = re.compile(r"^\[[ xX]\]\s+")
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)")
#: The point behind the number of an item ("1. this") ends nothing.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<![\s`(]\d\.) +(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")
_NUMBERED = re.compile(r"^\(?\d{1,2}[.)]\s+")
#: A word or three in capitals before a colon: whoever writes that means it.
_LABEL = re.compile(r"[A-Z][A-Z]+(?:[ _/-][A-Z]+){0,2}\s?:\s")
_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?()[]{}"`*“”«»…', " ") | {"\u2019": "'"})
#: The same for plain letters, as bytes: that takes a third of the time.
_PLAIN_PUNCTUATION = bytes(range(128)).decode().translate(_PUNCTUATION).encode() + bytes(range(128, 256))
#: A plain fact: something is, was set to or lives at something.
_COPULAS = frozenset(
    [
        "is",
        "are",
        "was",
        "equals",
        "runs",
        "lives",
        "belongs",
        "has",
        "means",
        "ist",
        "sind",
        "est",
        "sont",
        "es",
        "son",
        "é",
        "è",
    ]
)
_USES = frozenset(
    ("use", "utilise", "utilisez", "benutze", "verwende", "nutze", "usa", "utiliza", "gebruik", "używaj", "используй")
)
# Both begin with characters that are seldom, and are leapt to; what stands before them is looked at there. A statement may begin as it likes.
_VALUE = re.compile(r"[\d:A-Z/_](?:(?<=\d)|(?<=:)(?=//)|(?<=.[a-z][A-Z])|(?<=.\w[/_])(?=\w))", re.DOTALL)
_NAME = re.compile(r"[A-Z](?<=\s[A-Z])[\w-]+")
#: Somebody else's words, or a draft of them.
_QUOTED = re.compile(r"»[^«]{40,}«|„[^“”]{40,}[“”]|“[^”]{40,}”|«[^»]{40,}»|\"[^\"\n]{80,}\"")
_OBLIGATIONS = frozenset((*product(("have", "has", "need", "needs"), ("to",)), ("are", "to"), ("is", "to")))
_POLITE = frozenset(("please", "bitte", "por", "favor", "per", "favore"))
_STICKING = frozenset(("stick", "stay"))
_MANNERS = _STICKING | frozenset(
    ("keep", "make", "write", "answer", "reply", "respond", "speak", "format", "phrase", "report", "show")
)
#: Words that set a bound; the first kind that is met counts.
_BOUNDS = ((DirectiveKind.DEADLINE, DEADLINES), (DirectiveKind.LIMIT, LIMITS))
_STANDING = frozenset(word for word, concept in CONCEPTS.items() if concept in STANDING)
#: A copula that comes later than this belongs to a clause of its own.
_OPENING_WORDS = 9


def statements(
    text: str, *, typed: bool = True, touches: Callable[[str], bool] | None = None
) -> Iterator[tuple[DirectiveKind, str]]:
    """Yield the statements of a text with what each does, in their order; `typed` where a person wrote it into the conversation.

    What states nothing by itself counts all the same where it `touches` what was stated before.
    """
    pasted = _is_pasted(text)
    if typed and len(text) > PASTED_CHARS_MIN:
        text = f"{text[:TYPED_CHARS]}\n{text[-TYPED_CHARS:]}"
    found = 0
    for condition, bare in _units(text):
        unit = f"{condition} {bare}" if condition else bare
        kind = kind_of(unit)
        if kind is None and touches is not None and not pasted and touches(unit):
            kind = DirectiveKind.RULE
        if kind is None or (pasted and kind is DirectiveKind.STATEMENT):
            continue
        yield kind, unit
        found += 1
        if found >= STATEMENTS_MAX:
            return


def typed_units(text: str) -> Iterator[tuple[str, str]]:
    """Yield all that a text could state, each with the condition that it is listed under: nothing of what is quoted, fenced or pasted."""
    if not _is_pasted(text):
        yield from _units(text)


def _is_pasted(text: str) -> bool:
    return len(text) > PASTED_CHARS_MIN or text.lstrip().startswith("<")


def kind_of(unit: str) -> DirectiveKind | None:
    """What a sentence or short line does; None where it states nothing that must last."""
    label = label_of(unit)
    words = words_of(_BRACKETED.sub(" ", unit[len(label) :]) if "[" in unit or "(" in unit else unit[len(label) :])
    said = frozenset(words)
    labelled = bool(label)
    if unit.endswith("?") and not labelled:
        return _asked(unit, words)
    demands = (
        not said.isdisjoint(_DEMANDS) or is_unspaced_demand(unit) or is_firm_release(unit, said) or _obliges(words)
    )
    bounds = next((kind for kind, words in _BOUNDS if not said.isdisjoint(words)), None)
    # What a bare word of time or amount says is a bound only where something else shows that it is meant to hold.
    if bounds is not None and (labelled or demands or _is_valued(unit, said) or is_change(unit, said)):
        return bounds
    if demands:
        return DirectiveKind.RULE
    if (
        _wishes(words, said)
        or _is_manner(words, said)
        or ((labelled or words[:1] == ["keep"]) and not said.isdisjoint(_WISHES))
    ):
        return DirectiveKind.PREFERENCE
    states = labelled or (_is_valued(unit, said) and _lasts(unit, words, said))
    return DirectiveKind.STATEMENT if states else None


def _asked(unit: str, words: list[str]) -> DirectiveKind | None:
    """What a question does: nothing, unless it states a demand before it asks ("never on a Friday, is that clear?")."""
    stated = unit.rpartition(",")[0]
    kind = kind_of(stated) if stated and not ASKING.intersection(words[:1]) else None
    return kind if kind is not DirectiveKind.STATEMENT else None


def binding(kind: DirectiveKind, text: str) -> float:
    """How much a statement binds for what it takes; its label takes nothing."""
    label = label_of(text)
    return (BINDING[kind] + (LABELLED_BINDING if label else 0)) / max(1, len(text) - len(label))


def _is_valued(unit: str, said: frozenset[str]) -> bool:
    """Tell whether a sentence names a number, an address or something by its name."""
    return _VALUE.search(unit, 1) is not None or not said.isdisjoint(NUMBER_WORDS) or _names(unit, said)


def _names(unit: str, said: frozenset[str]) -> bool:
    """Tell whether a sentence names somebody or something; where every noun has a capital, that can't be told."""
    return CAPITALIZING.isdisjoint(said) and _NAME.search(unit, 1) is not None


def _obliges(words: list[str]) -> bool:
    """Tell whether a sentence says what somebody else than the speaker has to do."""
    return words[:1] != ["i"] and not _OBLIGATIONS.isdisjoint(pairwise(words))


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
    if not words.isdisjoint(CHANGES) or small.startswith(ELLIPSES) or holds_any(small, CHANGE_PHRASES):
        return True
    return not unit.isascii() and holds_any(unit, CHANGES_UNSPACED)


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
    if is_change(unit, said):
        # "Now run it" is for the moment; a change says what is different, and not what to do next.
        return (
            MOMENTARY.isdisjoint(opening) and next((word for word in words if word not in CHANGES), "") not in REQUESTS
        )
    return not said.isdisjoint(_STANDING)


def _units(text: str) -> Iterator[tuple[str, str]]:
    """Yield short lines and the sentences of long ones, each behind the condition that it is listed under, if there is one."""
    fenced = False
    condition = ""
    for line in _QUOTED.sub("\n", text).split("\n"):
        begun = line.lstrip()
        if begun.startswith(_FENCE):
            fenced = not fenced
            continue
        if fenced or begun.startswith((">", "<", "|")):
            continue
        bare = " ".join(line.strip(_MARKS).split())
        if bare.startswith("["):
            bare = _BOX.sub("", bare)
        if not bare:
            condition = condition if line else ""
            continue
        listed = begun[:1] in "-*•" or _NUMBERED.match(begun) is not None
        bare = _NUMBERED.sub("", bare, count=1) if listed else bare
        if bare.endswith(":"):
            condition = bare if words_of(bare)[:1] and words_of(bare)[0] in CONDITIONS else ""
            continue
        condition = condition if listed else ""
        for unit in [bare] if len(bare) <= LINE_CHARS_MAX else _SENTENCE_END.split(bare):
            if STATEMENT_CHARS_MIN <= len(unit) <= STATEMENT_CHARS_MAX:
                yield condition, unit
