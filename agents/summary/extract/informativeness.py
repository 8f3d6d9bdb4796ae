"""How informative a sentence of the assistant is: a finding, a reason, a failure or a result, or only talk.

Told by form, so that it holds for any trade. What announces the next step, asks, thanks or heads a list tells nothing
that lasts. Of the rest, what gives a reason, denies, weighs how something went or counts is a conclusion; anything else
is at least a statement.
"""

import re
from enum import IntEnum

from tailrace.agents.language.cues import CONCLUSION, is_unspaced_conclusion
from tailrace.agents.language.word_lists import words


class Tells(IntEnum):
    """How much a sentence tells, whatever names it holds."""

    NOTHING = 0
    STATES = 1
    CONCLUDES = 2
    #: Speaks of what is asked for now; which only who knows what is asked can tell.
    ANSWERS = 3


_NOTHING, _STATES, _CONCLUDES = Tells.NOTHING, Tells.STATES, Tells.CONCLUDES
#: What is shorter is a remark: "all done", "that's it".
_WORDS_MIN = 3
#: In scripts without spaces, by characters.
_UNSPACED_CHARS_MIN = 8

#: The space comes first, because that is looked for much faster.
_SENTENCE_END = re.compile(r" (?<=[.!?:] )(?=[^a-z])")
_UNSPACED_END = re.compile("(?<=[\u3002\uff01\uff1f])")
_DIGIT = re.compile("[0-9]")
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_EDGES = " .,:;!?*_-#>`\"'()"
#: Before what somebody says that they are about to do, and before what they found as well.
_OPENERS = (
    "now next then first finally also and so well ok okay alright right great good perfect excellent sure thanks "
    "certainly absolutely understood "
    "nun jetzt dann zuerst zunächst gut gerne danke natürlich maintenant ensuite d'abord bien bon merci ahora "
    "primero luego vale bueno gracias claro "
    "adesso ora prima poi bene grazie certo agora primeiro depois obrigado obrigada nu eerst dan goed graag "
    "bedankt teraz najpierw potem dobrze "
    "dziękuję теперь сейчас сначала затем хорошо спасибо конечно först sedan bra tack"
)
_OPENING = (
    rf"(?:(?:{'|'.join(_OPENERS.split())}|thank you|of course|no problem|got it|you're welcome|als nächstes"
    rf"|bien sûr)\b\W*)*"
)
#: What somebody is about to do, in small letters.
_ANNOUNCES = re.compile(
    _OPENING + r"(?:let me|let us|let's|(?:i|we)(?:'ll| will| shall|'(?:m|re) (?:going|about) to| (?:am|are) (?:going"
    r"|about) to)|"
    r"i(?: need to| have to| want to| should| must|'d like to)|(?:time|on) to|moving on|happy to|glad to"
    r"|thank(?:s| you) for|"
    r"[a-z]+ing (?:the|a|an|this|that|these|those|all|both|each|every|my|your|our|its|their|at|for|into|through"
    r"|with|up|over)|"
    r"ich (?:werde|möchte|muss|will)|lass(?:en sie)? (?:mich|uns)|\w+e ich|ich \w+e (?:jetzt|nun|zuerst|mir|gleich)|"
    r"je vais|allons|laisse[zr]?-moi|voy a|vamos a|déj[ae]me|vado a|lasciami|vediamo|vou|vamos|deix[ea]-me|ik "
    r"(?:zal|ga|wil|moet)|laat me|laten we|"
    r"pozwól|zobaczmy|sprawdzę|давай(?:те)?|я (?:буду|хочу|провер\w*|посмотр\w*)|провер(?:ю|им)|посмотр(?:ю|им)"
    r"|jag ska|låt (?:mig|oss))(?!\w)|"
    r"(?:adesso|ora|ahora|agora) (?!todo|tudo|tutto)\w+o\b"
)
#: With one of these, or with what ends in "ing", begins whatever announces something. Looking for that is much faster.
_BEGINNINGS = words(_OPENERS) | words(
    "let let's i we i'll we'll i'm we're i'd time on moving happy glad thank of no got you're als ich lass "
    "lassen je allons laissez-moi laisse-moi "
    "voy vamos déjame déjeme vado lasciami vediamo vou deixe-me deixa-me ik laat laten pozwól zobaczmy sprawdzę "
    "давай давайте я проверю проверим "
    "посмотрю посмотрим jag låt"
)
_UNSPACED_ANNOUNCES = re.compile(
    r"\W*(?:让我|我来|我将|我会|我先|我去|接下来|现在我|下面)|.*(?:します|ましょう|みます|続けます|始めます|進めます|겠습니다|게요|吗|か)\W*$"
)
#: What is about to be done for a reason is decided.
_BECAUSE = words("because as since weil denn parce car porque perché omdat bo ponieważ потому eftersom")


def tells(text: str, names: list[str]) -> Tells:
    """How much a text of the assistant tells; `names` are the names and cues in it."""
    if not text.isascii():
        if _UNSPACED.search(text):
            return _tells_unspaced(text)
        text = text.replace("\u2019", "'")
    begin = 0
    while begin < len(text):
        end = _SENTENCE_END.search(text, begin)
        if not _is_talk(text[begin : end.start() if end else len(text)]):
            # What is said around it may deny and count as well, but is seldom all of it.
            return _CONCLUDES if CONCLUSION in names or _DIGIT.search(text) else _STATES
        begin = end.end() if end else len(text)
    return _NOTHING


def _tells_unspaced(text: str) -> Tells:
    left = [sentence for sentence in _UNSPACED_END.split(text) if not _UNSPACED_ANNOUNCES.match(sentence)]
    if len("".join(left)) < _UNSPACED_CHARS_MIN:
        return Tells.NOTHING
    return Tells.CONCLUDES if any(map(is_unspaced_conclusion, left)) else Tells.STATES


def _is_talk(sentence: str) -> bool:
    """Tell whether a sentence only leads to another, or to what is done next."""
    begin = sentence.split(None, _WORDS_MIN)
    if len(begin) < _WORDS_MIN or sentence.endswith(("?", ":")):
        return True
    first = begin[0].strip(_EDGES).lower()
    if first not in _BEGINNINGS and not first.endswith("ing"):
        return False
    spoken = sentence.lower().split()
    return _ANNOUNCES.match(" ".join(spoken).lstrip(_EDGES)) is not None and _BECAUSE.isdisjoint(spoken)
