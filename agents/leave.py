"""Whether a claim gives leave for what people forbid or limit: nobody gives that but they, in their own words.

"Deploying on Friday is fine" orders nothing and has no word that every rule has. So it is known by two things together: it says that
something may be done, and somebody who makes rules has said of the same that it must not, or not by all, or not before something else.
"""

import re

from tailrace.agents.claim_tokens import keys_of, stem, tokens_of
from tailrace.agents.claim_words import Does
from tailrace.agents.rule_words import forbids, is_directive

_BE = r"(?:is|are|was|were|be|been|stays?|remains?|seems?)"
#: Says that something may be done: a verb that does, what a thing is that may be, and words for a rule that holds no more.
_LEAVE = re.compile(
    r"(?<!\w)(?:(?:can|may)(?!not|['\u2019]t)|"
    rf"{_BE} (?:\w+ ){{0,2}}?(?:fine|ok|okay|welcome|possible|acceptable|alright|all right|legal|tolerated|free|open|granted|cleared|agreed|no problem|no issue|in order|good to go)|"
    r"okayed|cleared|sanctioned|waived|lifted|relaxed|unrestricted|go-ahead|green light|no objections?|at will|freely|any ?time|whenever|"
    r"kann|können|möglich|in ordnung|willkommen|zulässig|gestattet|aufgehoben|jederzeit|"
    r"peut|peuvent|possible|possibles|bienvenue?s?|puede|pueden|posible|bienvenid[oa]s?|può|possono|possibile|benvenut[oaie]|pode|podem|possível|"
    r"kan|kunnen|mogelijk|welkom|może|mogą|można|может|могут|можно|möjligt)(?!\w)|可以|能够|できる|できます|할 수 있",
    re.IGNORECASE,
)
#: Takes it back: what stands behind a denial is not allowed.
_NO_LEAVE = re.compile(
    r"(?<!\w)(?:not|no|never|nobody|none|only|cannot|\w+n['\u2019]t|nicht|kein\w*|nur|niemand|pas|seulement|seul|personne|nadie|solo|sólo|não|só|non|nessuno|"
    r"niet|geen|alleen|nie|tylko|не|только|inte|bara)(?!\w)(?! (?:problem|issue|objections?))|不|ない|ません|않|못",
    re.IGNORECASE,
)
#: In what people say: it holds only then, or something else comes first.
_CONDITION = re.compile(
    r"(?<!\w)(?:if|unless|until|before|first|once|when|after|provided|wenn|falls|bevor|erst|sobald|nachdem|si|avant|après|quand|antes|después|cuando|prima|dopo|quando|"
    r"se|depois|als|voordat|nadat|jeśli|zanim|если|прежде|после|om|innan|efter)(?!\w)",
    re.IGNORECASE,
)
#: Before whoever or whatever is not forbidden: "only Priya may", "nobody but Ove", "not without a passport".
_EXEMPT = re.compile(
    r"(?<!\w)(?:only|except|but|without|besides|unless|nur|außer|ohne|seul|seulement|sauf|sans|solo|sólo|salvo|sin|tranne|senza|exceto|sem|alleen|behalve|zonder|"
    r"tylko|oprócz|bez|только|кроме|без)((?: [\w.'\u2019-]+){1,4})",
    re.IGNORECASE,
)
#: What must not be left out: "not without a passport", "only with my signature", "needs two signatures".
_BINDS = re.compile(
    r"(?:\b(?:not|no|never|nobody|nothing|nichts|nicht|nie|kein\w*|rien|pas|jamais|nada|nunca|niente|mai|niet|geen)\b|n['\u2019]t\b)[^.]{0,80}?\b(?:without|ohne|sans|sin|senza|sem|zonder|unless)\b|"
    r"\b(?:only|nur|seulement|solo|sólo|alleen)\b[^.]{0,40}?\b(?:with|mit|avec|con|met|after|nach)\b|\b(?:needs?|requires?|braucht|brauchen|exige|requiere|richiede)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"(?<!\w)(?:without|ohne|sans|sin|senza|sem|zonder|bez|без|utan)(?!\w)", re.IGNORECASE)


#: Share of a claim that somebody's rule must speak of to be about the same.
_SHARE_MIN = 0.6
#: And so many words of it, unless the rule has no more.
_WORDS_MIN = 2


def gives_leave(text: str) -> bool:
    """Tell whether a text says that something may be done."""
    if _WITHOUT.search(text):
        return True
    return _LEAVE.search(text) is not None and _NO_LEAVE.search(text) is None


def limits(sentence: str) -> bool:
    """Tell whether what somebody said forbids something, or allows it only to some or under a condition."""
    return forbids(sentence) or is_directive(sentence) or _CONDITION.search(sentence) is not None


def goes_beyond(claim: str, limit: str) -> bool:
    """Tell whether a claim that gives leave does so for what somebody limits, in the same words."""
    about, there = _about(_LEAVE.sub(" ", claim)), _about(limit)
    shared = about & there
    if len(shared) < _SHARE_MIN * len(about) or (len(shared) < _WORDS_MIN and shared != there):
        return False
    if _WITHOUT.search(claim):
        return _LEAVE.search(claim) is not None or _BINDS.search(limit) is not None
    if about & _exempted(limit):
        return False
    return forbids(limit) or _CONDITION.search(claim) is None


def _about(text: str) -> set[str]:
    """What a text is about, and what it says of how that goes: to close an account is more than an account."""
    weighs = (token.small for token in tokens_of(text) if token.effect is not None and token.effect.does is Does.WEIGHS)
    return keys_of(text) | set(map(stem, weighs))


def _exempted(limit: str) -> set[str]:
    """What a limit is not for: the first word that says something behind one like only or except."""
    behind = ((keys_of(word) for word in words.split()) for words in _EXEMPT.findall(limit))
    return set().union(*(next(filter(None, keys), set()) for keys in behind))
