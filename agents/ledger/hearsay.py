"""What others say or do: "the driver says hazmat must travel alone", "my sister never eats fish".

What a manual or a driver says is not what whoever quotes it demands; what they say of me and of us is.
"""

import re
from collections.abc import Sequence

from tailrace.agents.language.cues import DEMAND, cue_words
from tailrace.agents.language.lexicon import CONDITIONS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger import report_words as rw
from tailrace.agents.ledger.when_words import WHENS

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


def is_habit(unit: str, words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence says what somebody of the speaker's does or never does: my sister never eats fish."""
    if not words or words[0] not in rw.WHOSE or rw.FOLK.isdisjoint(words[1:3]):
        return False
    binds = not said.isdisjoint(rw.GRANTED) or not said.isdisjoint(rw.EARNEST)
    # Behind it a line may state something of its own.
    alone = len(words) <= rw.HABIT_WORDS_MAX and ". " not in unit
    return alone and not binds and not said.isdisjoint(rw.OFTEN)


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
