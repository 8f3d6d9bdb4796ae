"""Whether a sentence with a word of demand tells how something is, and not how it is to be.

"Never" forbids nothing behind what had been done. A short report of what is not so, did not happen or is not known states nothing. What else
only tells something stays in the ledger word for word, for it may matter later; but nobody demands it, and it must not be read among the
rules. Only what is plainly told is a remark: a rule among the remarks is worse than a remark among the rules.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from tailrace.agents.language.cues import DEMAND, cue_words, holds_any
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import report_words as rw

_DEMANDS = cue_words(DEMAND)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
_WORD = re.compile(r"[\w'\u2019]+")
#: What somebody else than the speaker has to do.
_OBLIGES = re.compile(r"(?<!\bi )(?<!\breally )(?<!\bjust )\b(?:have|has|needs?) to\b")
#: One of these is in it.
_OBLIGATIONS = ("have to", "has to", "need to", "needs to")
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
#: What is longer has several clauses, of which one may be meant.
PAST_CHARS_MAX = 100
_IRREGULAR = (
    "was|were|had|did|went|came|got|said|saw|took|made|found|told|felt|knew|thought|gave|began|broke|lost|left|ran|won|sang|sent|kept|"
    "met|paid|sold|brought|bought|built|caught|fell|flew|forgot|froze|grew|heard|held|hid|led|wrote|spoke|stood|understood|taught|rang|"
    "drove|ate|slept|wore|chose|rose|swam|threw|drew|sat|spent|swore"
)
_UNSURE = frozenset((("i'm", "not", "sure"), ("not", "sure", "if"), ("not", "sure", "what"), ("not", "sure", "why")))
#: What is only supposed has not happened.
_SUPPOSING = words("if unless wenn falls")
_ENDS = " .!\u2026"
#: Negation or adverb beside a verb of the past, each with the words without which it need not be looked for.
_PAST = (
    (
        words("never not always only"),
        re.compile(
            r"\b(?:(?:was|were|had|did) (?:\w+ )?(?:never|not|always|only)|(?:has|have) (?:\w+ )?(?:never|not|always))(?! to\b)\b|"
            r"(?<!is )(?<!are )(?<!be )(?<!get )(?<!gets )(?<=\w )(?:never|always|only) "
            rf"(?:(?!embed|need)\w+(?<!e)ed|{_IRREGULAR})\b"
        ),
    ),
    # German and Dutch: what has been done stands at the end.
    (
        words("habe hast hat haben habt hatte hatten heb hebt heeft hebben hadden"),
        re.compile(r"^(?!.*\b(?:zu|te)\b).*\b(?:\w*ge\w{2,}|be\w+|ver\w+|er\w+|ent\w+|zer\w+|\w+ier)(?:t|en|n|d)$"),
    ),
    (
        words("ist bin sind is zijn ben"),
        re.compile(
            r"(?:gekommen|gegangen|gefahren|geblieben|gewesen|passiert|geworden|erschienen|gelungen|gekomen|gegaan|gebleven|geweest|"
            r"gebeurd|gelukt)$"
        ),
    ),
    (
        words("war waren wurde wurden konnte konnten wollte wollten was kon konden wilde wilden"),
        re.compile(r"\b(?:nie|nicht|immer|nur|kein\w*|nooit|niet|altijd|alleen|geen)\b"),
    ),
    # Romance languages: by the auxiliary, or by the ending.
    (
        words("pas jamais plus"),
        re.compile(
            r"\bn['\u2019](?:ai|as|a|avons|avez|ont|était|avait|étaient|avaient) (?:pas|jamais|plus)(?! (?:à|le droit|besoin))\b|"
            r"\b(?:n['\u2019]est|n['\u2019]es|suis|ne sont|ne sommes) (?:pas|jamais) "
            r"(?:\w*venue?s?|allée?s?|partie?s?|arrivée?s?|passée?s?|restée?s?|tombée?s?)\b"
        ),
    ),
    (
        words("nunca jamás siempre não sempre jamais"),
        re.compile(
            r"\b(?:nunca|jamás|siempre|não|sempre|jamais) (?:se |lo |la |me |o |a )?"
            r"(?:(?:ha|han|he|había|habían|tinha|tinham) \w+[ait]d?o|\w+(?:ó|aron|ieron|aban?|ían?|ou|eu|iu|aram|iram|avam?|iam))\b"
        ),
    ),
    (
        words("non"),
        re.compile(
            r"\bnon (?:è|ha|ho|hanno|sono|era|aveva|avevano) (?:mai )?(?!permess|consentit|ammess|autorizzat|vietat)"
            r"\w+(?:at|ut|it|st|ss|tt)[oaie]\b"
        ),
    ),
    # Slavic languages: by the ending; behind "so that" it is a wish.
    (
        words("не никогда всегда только nie nigdy zawsze tylko"),
        re.compile(
            r"^(?!.*\b(?:чтобы|бы|żeby|aby)\b).*\b(?:не|никогда|всегда|только|nie|nigdy|zawsze|tylko) "
            r"(?:не |nie )?\w+(?:л|ла|ло|ли|лся|лась|лись|ł|ła|ło|ły)\b"
        ),
    ),
)


def is_report(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence with a word of demand only says what is not so, did not happen or is not known."""
    if len(words) <= rw.IDLE_WORDS_MAX and not rw.IDLE_PAIRS.isdisjoint(pairwise(words)):
        return True
    if tuple(words[:3]) in _UNSURE:
        return True
    if not said.isdisjoint(rw.EARNEST):
        return False
    return _is_told_of_somebody(words, said) or _is_past(unit, words, said)


def _is_told_of_somebody(words: Sequence[str], said: frozenset[str]) -> bool:
    first, second, third = [*words[:3], "", "", ""][:3]
    if first not in rw.REPORTERS or len(words) > rw.REPORT_WORDS_MAX:
        return False
    if second in rw.INABILITY:
        return third in rw.UNKNOWING
    if second in rw.REPORTED_APART and third == "not":
        return True
    if second == "won't" and third in rw.REFUSED:
        return False
    told_of = first in rw.OTHERS or not said.isdisjoint(fw.PAST)
    return second in rw.REPORTED or (told_of and second in rw.REPORTED_OF_OTHERS)


def _is_past(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether the one word of demand in a sentence stands beside a verb of the past. What begins with it is an order."""
    if words[:1] and (words[0] in _DEMANDS or not said.isdisjoint(_SUPPOSING) or len(unit) > PAST_CHARS_MAX):
        return False
    patterns = [pattern for signs, pattern in _PAST if not said.isdisjoint(signs)]
    if not patterns or sum(word in _DEMANDS for word in words) != 1:
        return False
    small = unit.lower().rstrip(_ENDS)
    return any(pattern.search(small) for pattern in patterns)


def only_tells(unit: str, said: frozenset[str]) -> bool:
    """Tell whether all words of demand in a unit stand where something is told or asked."""
    small = unit.lower()
    if not said.isdisjoint(rw.EARNEST_TOLD) or (holds_any(small, _OBLIGATIONS) and _OBLIGES.search(small)):
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
