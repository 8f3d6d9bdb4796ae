"""A sentence cut into what it states.

Form before words: a number belongs to the word beside it, a denial reaches to the end of its clause, a sentence that ends with a
question mark asks. What single words do to a statement stands in `claim_words`.
"""

import re

from tailrace.agents.language.claim_words import CONDITIONS
from tailrace.agents.language.lexicon import ASKING
from tailrace.agents.summary.verify.clauses import ASKED, DUE, SUPPOSED, Clause, ClauseSentence
from tailrace.agents.summary.verify.word_reader import Reader

_CLAUSE_END = re.compile(r",(?!\d)|;|\uff0c|(?<=\s)[-\u2013\u2014]+(?=\s)|[()]+")
#: A bound that is said with a denial denies nothing.
_LIMIT = re.compile(
    r"(?i)\b(?:no|not) (?:more|less|fewer|later|earlier) than\b|\bnicht (?:mehr|weniger) als\b|\bniet (?:meer|minder) dan\b"
)
#: What was thought of and then turned down is denied, though the word that denies it stands behind it.
_TURNED_DOWN = re.compile(
    r"(?i)\b(?:considered|discussed|weighed|debated|proposed|suggested|thought about|looked at|talked about) (?P<what>[^,;.]{1,80}?),? (?:and|but|then) "
    r"(?:\w+ ){0,3}?(?:against (?:it|that|this|them)|(?:rejected|dropped|dismissed|discarded|abandoned) (?:it|that|this|them|the idea))\b"
)
_UNSURE = re.compile(
    r"(?i)\b(?:not (?:yet )?(?:sure|certain|clear|decided)|unsure|undecided|(?:do not|don['\u2019]t) know)\b"
)
_ASKING_CHARS = 40
_FIRST = re.compile(r"[^\W\d_]+(?:['\u2019]\w+)?")
_FRENCH = re.compile(r"(?i)\b(?:le|les|du|des|une|aux|est)\b")


def sentence_of(text: str) -> ClauseSentence:
    """Read one sentence."""
    reader = Reader(is_french=_FRENCH.search(text) is not None)
    parts: list[Clause] = []
    for part in _CLAUSE_END.split(_TURNED_DOWN.sub(r"not \g<what>", _LIMIT.sub("", text))):
        many = len(reader.clauses)
        if part:
            reader.read(part)
        if len(reader.clauses) > many + 1:
            parts.append(_joined(reader.clauses[many:]))
    clauses = [one for one in reader.clauses if one.size or one.signs]
    if clauses and next(iter(_FIRST.findall(text[:_ASKING_CHARS])), "").lower() in CONDITIONS:
        for one in clauses[1:]:
            one.mood |= SUPPOSED
    if _UNSURE.search(text):
        for one in clauses:
            one.mood |= SUPPOSED
    whole = clauses[0] if len(clauses) == 1 else _joined(clauses)
    asked = ASKED if _asks(text) else 0
    for one in (whole, *parts, *clauses):
        # What is asked for has to be done only if somebody says so.
        one.mood = (one.mood & ~DUE) | asked if asked else one.mood
        one.about = one.words | one.values.keys()
    return ClauseSentence(text, whole, clauses, parts, reader.line)


def _asks(text: str) -> bool:
    """Whether a sentence asks from its beginning on: what is told and only doubted at its end is told."""
    if not text.rstrip("\"')]* ").endswith(("?", "\uff1f")):
        return False
    # "And" may come first.
    first = [word.lower() for word in _FIRST.findall(text[:_ASKING_CHARS])[:2]]
    return not text.isascii() or not ASKING.isdisjoint(first)


def _joined(clauses: list[Clause]) -> Clause:
    """A sentence as one statement."""
    whole = Clause()
    for one in clauses:
        whole.words |= one.words
        whole.names |= one.names
        whole.denied |= one.denied
        whole.heads |= one.heads
        whole.excepted |= one.excepted
        whole.denies |= one.denies
        whole.units |= one.units
        whole.mood |= one.mood
        whole.lacks |= one.lacks
        whole.size += one.size
        for value, beside in one.values.items():
            whole.values.setdefault(value, set()).update(beside)
        for scale, ends in one.signs.items():
            whole.signs.setdefault(scale, set()).update(ends)
        for scale, words in one.ends.items():
            whole.ends.setdefault(scale, {}).update(words)
    return whole
