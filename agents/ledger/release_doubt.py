"""Whether a release only holds once something has happened, or is what somebody else says: then it lifts nothing by itself.

Who may call her as soon as she signs may not call her yet, and what a cook says of a rule is not what its speaker says. Both are worth
reading behind the rule.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re

from tailrace.agents.language.lexicon import ANNOUNCING, CONDITIONS, SPEAKERS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.hearsay import HEARSAY, SAYS, SELVES
from tailrace.agents.ledger.release_words import NARROWING, NARROWING_UNSPACED

#: Begin a condition as well, in one word or in several.
_LEADING = (
    r"as soon as|(?:as|so) long as|by the time|in case|in the event|on condition|given that|only if|provided|providing|assuming|supposing|"
    r"should|until|till|the moment|the day|then|tomorrow|next \w+|later|"
    r"dann|danach|morgen|nächste\w*|demain|ensuite|mañana|luego|entonces|amanhã|então|domani|poi|dan|volgende|wtedy|jutro|тогда|завтра|"
    r"solange|sofern|nachdem|bis|sollten?|im falle?|für den fall|unter der bedingung|vorausgesetzt|"
    r"dès|tant que|à condition|au cas où|une fois|pourvu|après|jusqu'|à moins|s'ils?|lorsqu'|"
    r"en cuanto|tan pronto|siempre que|mientras|una vez|en caso|después|hasta|a menos|con tal|"
    r"assim que|logo que|caso|desde que|enquanto|depois|até|uma vez|"
    r"(?:non )?appena|finché|dopo|prima|a patto|a condizione|qualora|una volta|nel caso|"
    r"zodra|zolang|mits|indien|nadat|voordat|tenzij|totdat|mocht|"
    r"gdy|gdyby|jeżeli|jak tylko|dopóki|dopiero|zanim|skoro|o ile|po tym|"
    r"как только|пока|после|прежде|при условии|в случае|eğer|när"
)
#: Before a condition at the beginning: a word that joins or asks.
_JOINING = (
    r"(?:(?:and|but|so|ok|okay|well|please|und|aber|also|bitte|et|mais|alors|y|pero|e|mas|ma|en|maar|i|ale|и|но),? )*"
)
_CONDITION = re.compile(
    rf"(?:^|(?<=[.!?;:] )){_JOINING}(?!after all\b)(?:{'|'.join(sorted(CONDITIONS))}|{_LEADING})(?:(?<=')|(?!\w))"
)
#: A clause of its own that says when, where or with what; some say nothing of the kind.
_CASE = re.compile(
    rf"(?:^|(?<=[.!?;:] )){_JOINING}(?!in (?:fact|short|other words|general|the end)\b|at (?:last|this point)\b|with (?:that|this)\b|"
    r"on (?:second thought|reflection)|for (?:the record|good)\b|en (?:fait|effet|realidad|fin)\b|im (?:ernst|übrigen)\b)"
    r"(?:on|in|at|with|for|under|during|throughout|from (?:the|when|that)|mit|am|an|im|unter|während|zu|zum|zur|für|ab dem|avec|le|en|"
    r"pendant|sous|pour|con|los|durante|bajo|para|com|sob|nos|aos|di|nel|sotto|met|op|tijdens|voor|w|z|podczas|dla|в|на|с|для) [^,.:;!?]+, "
)
#: The same behind what is let go of; "for two days" and "at most" set a limit there.
_CASE_BEHIND = re.compile(
    rf", (?!in fact\b|on second thought)(?:{'|'.join(sorted(CONDITIONS))}|{_LEADING}|on|in|with|under|during|"
    r"starting (?!now|today|immediately|at once)|mit|am|im|unter|während|avec|pendant|sous|con|durante|bajo|com|sob|sotto|met|op|tijdens|"
    r"podczas|с)(?:(?<=[' ])|(?!\w))"
)
#: They narrow what is let go of to a part, which is said beside it, and make no condition.
_PARTING = words("but only nur seulement solo apenas alleen tylko только")
_CASES = NARROWING - _PARTING

_SAID = re.compile(rf"(?<!\w){SAYS}(?!\w)")
#: Behind what is quoted: "…, says my cook".
_SAID_BEHIND = re.compile(rf"[,\"\u201d\u00bb] (?:{SAYS}) (?!(?:{'|'.join(sorted(SELVES))})(?!\w))")
#: A word or three before a colon that announce nothing: who speaks.
_LABEL = re.compile(r"([\w'-]+)(?: [\w'-]+){0,2}: ")
#: So near before the word stands who says it.
_SPEAKER_WORDS = 3


def is_doubtful(small: str, begin: int, end: int, *, names_a_rule: bool) -> bool:
    """Tell whether a release, whose frame begins and ends at these places of a text in small letters, holds under a condition or is reported.

    `names_a_rule` where the rule itself is declared void: a case that is named with it anywhere is one of its own.
    """
    case = _CONDITION.search(small, 0, begin) or _CASE.search(small, 0, begin) or _CASE_BEHIND.search(small, end)
    if case is not None or _is_reported(small, begin, end):
        return True
    return names_a_rule and not _CASES.isdisjoint(re.findall(r"\w+", small))


def is_unspaced_case(text: str) -> bool:
    """Tell the same of the conditions of a text in a script without spaces."""
    return any(part in text for part in NARROWING_UNSPACED)


def _is_reported(small: str, begin: int, end: int) -> bool:
    sentence = max(small.rfind(mark, 0, begin) for mark in (". ", "! ", "? ")) + 1
    if HEARSAY.search(small, sentence, begin) is not None or _SAID_BEHIND.search(small, end) is not None:
        return True
    label = _LABEL.match(small, 0, begin)
    if label is not None and label[1] not in SPEAKERS and ANNOUNCING.isdisjoint(label[0].rstrip(": ").split()):
        return True
    said = _SAID.search(small, sentence, begin)
    return said is not None and SELVES.isdisjoint(small[sentence : said.start()].split()[-_SPEAKER_WORDS:])
