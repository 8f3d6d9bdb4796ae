"""Words that say of work that it has ended; and what stands before one that only asks after the end, waits for it or denies it."""

import re

#: In small letters.
_ENDED = re.compile(
    r"\b(?:finished|exited|killed|completed|terminated|cancell?ed|stopped|succeeded|failed|done|deleted|removed|fired|dismissed|expired|aborted|ended|closed|has been delivered|went off|"
    r"exit(?:ed with)?[ _](?:code|status)|no longer running|not running|beendet|abgeschlossen|fertig|terminé|terminad[oa]|finalizad[oa])\b|(?:已完成|已结束|已停止|完了)(?![后後时時])"
)
#: Right before it: it is not so, not yet, or only to be.
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|nothing|yet to|will|shall|should|would|could|can|may|might|must|going to|to be|being|nicht|nie|kein\w*|wird|soll|sollte|muss|kann|pas|jamais|sera|doit|"
    r"no|nunca|será|debe|non|mai|sarà|deve|não|niet|nooit|zal|moet|не|будет)|n't|n\u2019t)\s+(?:(?!but\b)[\w'\u2019]+\s+){0,2}$|[没未不]有?$"
)
#: In the same clause: it tells when something else is to be, or what is not known.
_CONDITION = re.compile(
    r"(?:\b(?:if|when|whenever|once|after|until|till|unless|before|as soon as|whether|in case|wenn|sobald|falls|nachdem|bis|bevor|ob|quand|lorsque|dès que|dès qu|si|après que|avant que|jusqu'à|"
    r"cuando|en cuanto|hasta que|después de que|antes de que|quando|se|appena|finché|assim que|depois que|zodra|als|wanneer|nadat|totdat|когда|если|после того|как только|пока)"
    r"(?!\s+\d)\b|如果|一旦|当|等)[^,;:.!?\n\u3002\uff0c]*$"
)
_SENTENCE_END = re.compile(r"[.!?\u3002\uff1f\uff01](?=\s|$|[\"'\u3002])|[\uff1f\u3002]|\n")
_MARKS = ("?", "\uff1f")


def tells_end(small: str) -> bool:
    """Tell whether a text in small letters says that something has ended."""
    return any(not is_doubted(small[: one.start()]) and not _asks(small, one.end()) for one in _ENDED.finditer(small))


def is_doubted(before: str) -> bool:
    """Tell whether what stands before a word takes it back, or puts it under a condition."""
    return _DENIED.search(before) is not None or _CONDITION.search(before) is not None


def _asks(small: str, place: int) -> bool:
    """Whether the sentence around a place is a question."""
    end = _SENTENCE_END.search(small, place)
    return end is not None and end[0] in _MARKS
