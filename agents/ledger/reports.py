"""Whether a sentence with the words of a rule only tells something: what is not so, what happened, or what somebody else says.

"Never" forbids nothing behind what had been done, and what a manual or a driver says is not what whoever quotes it demands; what they
say of me and of us is.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from tailrace.agents.cues import DEMAND, cue_words
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import report_words as rw
from tailrace.agents.ledger.lexicon import CONDITIONS
from tailrace.agents.ledger.when_words import WHENS
from tailrace.agents.word_lists import words

#: What is longer has several clauses, of which one may be meant.
PAST_CHARS_MAX = 100
_DEMANDS = cue_words(DEMAND)
#: Who speaks for themselves.
SELVES = words("i we i've we've i'd i'm ich wir je j'ai nous yo eu io ik ja я мы")
#: Verbs that put something into somebody's mouth.
_SAYING = words(
    "shouts shouted replied explained explains argues argued warns warned states stated says said thinks thought claims claimed believes believed insists insisted suggests suggested reckons tells told wrote writes hears "
    "heard sagt sagte meint meinte behauptet behauptete glaubt findet schreibt schrieb dit disent pense prétend croit affirme dice dicen "
    "dijo cree piensa afirma diz disse acha pensa detto crede sostiene zegt zei vindt denkt beweert mówi powiedział powiedziała uważa "
    "twierdzi говорит сказал сказала считает думает"
)
SAYS = f"(?:{'|'.join(sorted(_SAYING))})"
HEARSAY = re.compile(
    r"(?<!\w)(?:according to|apparently|allegedly|supposedly|rumou?r|(?:was|were|been) told|laut|angeblich|selon|d'après|según|segundo|"
    r"secondo|volgens|według|podobno|по словам|якобы)(?!\w)"
)
#: Somebody, a verb of saying, and what is said; whoever speaks of themselves there takes it for their own.
_QUOTED = re.compile(
    rf"(?P<who>(?:[\w'.-]+ ){{1,6}}?)(?:ha )?{SAYS}(?: (?:this morning|today|yesterday|me|us|him|her|them|mir|uns|ihm|ihr|that|dass|que|che|dat|że|что))*(?P<at>[:,]? )"
)
#: What says how things are to be is not hearsay, whoever wrote it.
_BINDING_TEXTS = words(
    "policy policies guide guideline guidelines rule rules standard standards convention conventions spec specification"
)
#: Who speaks for themselves, or is told something; or it is not said yet.
_ASIDE = (
    SELVES
    | CONDITIONS
    | WHENS
    | _DEMANDS
    | words(
        "that you is are be been being was were please who whoever anyone anybody nobody somebody what whatever as like bitte wer qui quien"
    )
)
_NOT_HEARSAY = _ASIDE | _BINDING_TEXTS
_ACCORDING = words("according laut selon d'après según segundo secondo volgens według")
_OWN = words("i i'm we we're my our to not ich wir je nous on yo io noi eu nós ik wij ja my я мы нам мне")

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


def is_habit(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence says what somebody of the speaker's does or never does: my sister never eats fish."""
    if not words or words[0] not in rw.WHOSE or rw.FOLK.isdisjoint(words[1:3]):
        return False
    binds = not said.isdisjoint(rw.GRANTED) or not said.isdisjoint(rw.EARNEST)
    # Behind it a line may state something of its own.
    alone = len(words) <= rw.HABIT_WORDS_MAX and ". " not in unit
    return alone and not binds and not said.isdisjoint(rw.OFTEN)


def _is_past(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether the one word of demand in a sentence stands beside a verb of the past. What begins with it is an order."""
    if words[:1] and (words[0] in _DEMANDS or not said.isdisjoint(_SUPPOSING) or len(unit) > PAST_CHARS_MAX):
        return False
    patterns = [pattern for signs, pattern in _PAST if not said.isdisjoint(signs)]
    if not patterns or sum(word in _DEMANDS for word in words) != 1:
        return False
    small = unit.lower().rstrip(_ENDS)
    return any(pattern.search(small) for pattern in patterns)


def is_hearsay(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence begins with who says it, and that is not whoever sends it."""
    if words[:1] and words[0] in _ACCORDING:
        return True
    if said.isdisjoint(_SAYING) or "statt" in said:
        return False
    small = unit.lower()
    quoted = _QUOTED.match(small)
    if quoted is None or not _NOT_HEARSAY.isdisjoint(quoted["who"].split()):
        return False
    following = small[quoted.end() :].split(None, 1)[:1]
    return quoted["at"] == ": " or not following or following[0] not in _OWN
