"""Whether a sentence with a word of demand tells how something is, and not how it is to be.

It stays in the ledger word for word, for it may matter later; but nobody demands it, and it must not be read among the rules. Only what is
plainly told is a remark: a rule among the remarks is worse than a remark among the rules.
"""

import re
from collections.abc import Sequence

from tailrace.agents.cues import DEMAND, cue_words
from tailrace.agents.word_lists import words

_DEMANDS = cue_words(DEMAND)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
_WORD = re.compile(r"[\w'\u2019]+")
#: Whoever says one of these means it, however it is put.
_EARNEST = words(
    "must should shall ought shouldn't mustn't please supposed allowed permitted forbidden let's ensure require required requires prohibited "
    "unacceptable acceptable accept tolerate insist demand want prefer policy rule rules avoid banned"
)
#: What somebody else than the speaker has to do.
_OBLIGES = re.compile(r"(?<!\bi )(?<!\breally )(?<!\bjust )\b(?:have|has|needs?) to\b")
_NOT = r"(?:not|n't|never|no longer|only|always)"
_NEGATED = r"(?:(?:do|does|did|is|are|was|were|can|could|would|will|wo|has|have|had|am)(?:n['\u2019]t| not)|cannot|['\u2019](?:m|re|s|ve) not|never|can['\u2019]t|won['\u2019]t)"
#: By a form that only tells, the part of a sentence in which a word of demand says nothing of what is to be.
_TELLING = (
    # An answer that begins with it.
    re.compile(r"^\W*sure\b(?!ly)"),
    re.compile(
        r"\b(?:i['\u2019]?m|i am|we['\u2019]?re|we are|feel|feels|for|pretty|quite|very|entirely|completely) (?:\w+ly )?(?:not )?sure\b"
    ),
    # What somebody does not know, have or feel.
    re.compile(
        rf"\b(?:i|we)(?: \w+ly| just| still| also| really)? ?{_NEGATED} (?:\w+ly |really |even |quite |yet |just |that |too |all )*"
        r"(?:remember|recall|know|understand|think|see|believe|wait|resist|help|tell|find|figure|imagine|mind|care|worried|sure|opposed|"
        r"certain|aware|familiar|surprised|able|alone|notice|wonder|expect(?:ing)?|happy|convinced|ready|trying|asking|saying|going)\b"
    ),
    re.compile(r"\b(?:i['\u2019]?m|i am) not (?!allowed|permitted|ok|okay|willing|comfortable|interested|to\b)\w+"),
    # What somebody sees to themselves.
    re.compile(r"\bi (?:always |also |just |now )*(?:make|made) sure\b"),
    # What has been, or had.
    re.compile(
        rf"(?:\b(?:has|have|had|was|were)|['\u2019]ve|['\u2019]d) (?:\w+ )?(?:{_NOT})(?! (?:to|allowed|permitted|supposed))\b"
    ),
    # What something is not.
    re.compile(
        r"\b(?:it|this|that|there|he|she|they)(?:['\u2019]s| is|['\u2019]re| are) not (?:a|an|the|any|really|just|only|about|so|that|very|too|quite|like|"
        r"because|my|our|enough|much|even|necessarily|clear|obvious)\b"
    ),
    # What something or somebody else does not do: it is spoken of, not to.
    re.compile(
        r"^\W*(?:(?:but|and|so|also|now|then|currently|apparently|actually|the issue is|the problem is)[,:]? )*"
        r"(?:the|this|that|these|those|it|he|she|they|its|their|his|her|both|one|each of the|some of the|my)(?: [\w'/.`-]+){0,6}? "
        r"(?:just |still |also |currently |actually )*"
        r"(?:does(?:n['\u2019]t| not)|don['\u2019]t|isn['\u2019]t|aren['\u2019]t|can(?:not|['\u2019]t)|won['\u2019]t|never (?!to\b)\w+s\b|only \w+s\b|always \w+s\b)"
    ),
    # What may be so, or is only supposed.
    re.compile(rf"\b(?:might|may|could|would) {_NOT}\b"),
    re.compile(
        r"^\W*(?:hopefully|maybe|perhaps|probably|it seems|seems|looks like|i wonder|i['\u2019]m wondering|wondering|i thought|i guess)\b[^;]*"
    ),
)


def only_tells(unit: str, said: frozenset[str]) -> bool:
    """Tell whether all words of demand in a unit stand where something is told or asked."""
    small = unit.lower()
    if not said.isdisjoint(_EARNEST) or _OBLIGES.search(small):
        return False
    demanding = [one for one in _SENTENCE.findall(small) if _demands(_WORD.findall(one))]
    return bool(demanding) and all(map(_tells, demanding))


def _demands(said: Sequence[str]) -> bool:
    return not _DEMANDS.isdisjoint([word.replace("\u2019", "'") for word in said])


def _tells(sentence: str) -> bool:
    if sentence.rstrip().endswith("?"):
        return True
    for form in _TELLING:
        if (told := form.search(sentence)) is not None:
            rest = f"{sentence[: told.start()]} {sentence[told.end() :]}"
            return not _demands(_WORD.findall(rest)) or _tells(rest)
    return False
