"""Letters in a message: from the words with which they greet to those with which they end, and who signed them.

A message may itself be a letter to the agent, and is its sender's own then. One that something is said before, that is spoken of behind it, or
that greets somebody whom nobody would call an agent, is somebody else's.
"""

import re
from collections.abc import Sequence

from tailrace.agents.language.cues import holds_any
from tailrace.agents.ledger.sender_remarks import is_senders

_LETTER_LINES_MIN = 3
_GREETING = re.compile(
    r"(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag|bonjour|chers?|chères?|madame|monsieur|hola|estimad[oa]s?|querid[oa]s?|"
    r"muy señor(?:es|a)?|car[oaie]|gentil[ei]|egregio|beste|geachte|prezad[oa]s?|szanown\w+|drog\w+|уважаем\w+|здравствуйте)\b"
    r"(?:[^.?!:]|\b(?:mrs?|ms|dr|prof|sra?|srta|m|mme)\.){0,40}[,!:]?",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest)(?: regards| wishes)?|regards|yours(?: \w+)?|sincerely(?: yours)?|cheers|many thanks|"
    r"mit (?:freundlichen|besten|herzlichen) gr(?:ü|ue)(?:ß|ss)en|(?:viele|liebe|beste|herzliche|schöne) gr(?:ü|ue)(?:ß|ss)e|"
    r"(?:bien )?cordialement|bien à vous|amicalement|(?:un )?(?:cordial )?saludos?|atentamente|(?:cordiali|distinti) saluti|"
    r"freundliche gr(?:ü|ue)(?:ß|ss)e|(?:mes |nos )?(?:sincères |meilleures )?salutations(?: \w+)?|(?:veuillez (?:agréer|recevoir|croire)|je vous prie d'agréer|nous vous prions)\b[^.!?]{0,80}|"
    r"un cordial saludo|(?:muy )?cordialmente|met vriendelijke groet(?:en)?|groet(?:en|jes)?|atenciosamente|abraços?|pozdrawiam|\u0441 уважением)[,!.]?",
    re.IGNORECASE,
)
#: One of these is in every closing.
_CLOSING_PARTS = (
    *("alutations", "agréer", "recevoir", "croire", "ous prions", "ordialmente"),
    *(
        "egards",
        "ishes",
        "Yours",
        "incerely",
        "heers",
        "any thanks",
        "Best",
        "rüße",
        "ruesse",
        "ruessen",
        "ordialement",
        "ien à vous",
    ),
    *("micalement", "aludo", "tentamente", "aluti", "roet", "tenciosamente", "braço", "ozdrawiam", "уважением"),
)
#: Greets formally, and whom: an agent is nobody's tenant, parent or client.
_FORMAL = re.compile(
    r"(?:dear|liebe[rs]?|sehr geehrte[rs]?|chers?|chères?|estimad[oa]s?|querid[oa]s?|muy señor\w*|car[oaie]|gentil[ei]|egregio|geachte|prezad[oa]s?|szanown\w+|уважаем\w+)\b|(?:madame|monsieur)\b",
    re.IGNORECASE,
)
_TO_AGENT = re.compile(
    r"\b(?:assistant\w*|assistent\w*|asistente|assistente|ai|ki|ia|bot|chatbot|agent\w*|agente|claude|chatgpt|gpt|copilot|gemini|llm|model|computer|you|team|all|everyone|everybody|"
    r"support|service|help|desk|alle|zusammen|équipe|equipo|tous|todos|toutes|todas|helper|friend|machine)\b|^\W*\w+\W*$",
    re.IGNORECASE,
)
_SIRS = re.compile(r"(?:madame|monsieur|muy señor)\b", re.IGNORECASE)
#: A longer line greets nobody.
_GREETING_CHARS_MAX = 60


def letter_lines(text: str, lines: Sequence[str]) -> frozenset[int]:
    """Places of the lines of letters that somebody else wrote."""
    first = (
        next((place for place, line in enumerate(lines) if _greets(line)), -1)
        if len(lines) >= _LETTER_LINES_MIN
        else -1
    )
    # One look at all of the text costs less than one at each line.
    if first < 0 or not holds_any(text, _CLOSING_PARTS):
        return frozenset()
    found: set[int] = set()
    begin = -1
    for place in range(first, len(lines)):
        bare = lines[place].strip()
        if begin < 0:
            begin = place if _greets(bare) else -1
        elif bare[:1].isalpha() and _CLOSING.fullmatch(bare):
            end = _end_of_signature(lines, place)
            if _is_handed_on(lines, begin, end):
                found.update(range(begin, end))
            begin = -1
    return frozenset(found)


def _greets(line: str) -> bool:
    bare = line.strip()
    return bare[:1].isupper() and len(bare) < _GREETING_CHARS_MAX and _GREETING.fullmatch(bare) is not None


def end_of_letter(lines: Sequence[str], begin: int) -> int:
    """Where a letter ends that begins at a place, with the name under it; -1 where nothing closes it."""
    for place in range(begin, len(lines)):
        bare = lines[place].strip()
        if bare[:1].isalpha() and _CLOSING.fullmatch(bare):
            return _end_of_signature(lines, place)
    return -1


def _end_of_signature(lines: Sequence[str], closing: int) -> int:
    """Where the name under a letter ends: with its paragraph, or the one behind an empty line."""
    at = closing + 1
    if at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines) and lines[at].strip():
        at += 1
    return at


def _is_handed_on(lines: Sequence[str], begin: int, end: int) -> bool:
    """Tell whether something is said before a letter, it is spoken of behind it, or it greets somebody else than the agent."""
    # Of many letters in a row, only one has nothing before it.
    if any(lines[place].strip() for place in range(begin)) or any(line.rstrip().endswith("?") for line in lines[end:]):
        return True
    greeting, behind = lines[begin].strip(), " ".join(lines[end:]).strip()
    if _FORMAL.match(greeting) and (_SIRS.match(greeting) or not _TO_AGENT.search(greeting)):
        return True
    return bool(behind) and is_senders(behind, last=True, authored=True)
