"""Words at the beginning of what corrects something that was said, and says nothing of what that was: "no wait, 4", "make that 40"."""

import re

#: They correct by themselves.
_CORRECTING = (
    r"actually|correction|on second thoughts?|(?:scratch|scrap|strike) that|change of plans?|i meant?|make (?:it|that)|"
    r"let's (?:say|make (?:it|that)|go with)|instead|rather|better|"
    r"doch|besser|lieber|eigentlich|korrektur|sagen wir|machen wir|ich meinte?|en fait|plutôt|finalement|disons|en realidad|mejor|digamos|"
    r"na verdade|aliás|melhor|in realtà|anzi|meglio|diciamo|facciamo|eigenlijk|toch|liever|maak er|właściwie|raczej|вернее|точнее|"
    r"на самом деле|лучше|давай"
)
#: They do so before a comma; elsewhere they are other words.
_DENYING = r"no(?:,? wait)?|nope|wait|sorry|oops|nein|halt|moment|non|pardon|perdón|nee|não|nie|нет|ой"
_CORRECTION = re.compile(
    rf"(?:(?:{_CORRECTING})(?:[,:;.!\u2013\u2014]+\s*|\s+)|(?:{_DENYING})[,:;.!\u2013\u2014]+\s*)+"
)


def correction_chars(small: str) -> int:
    """Return how many characters of a statement in small letters, from its beginning, only say that it corrects something."""
    correction = _CORRECTION.match(small)
    return correction.end() if correction else 0


#: They stand for what was spoken of; so does a value with its unit and nothing else.
_POINTING = re.compile(
    r"(?:no,? |wait,? |actually,? |sorry,? |please )*(?:let's )?(?:make|call|set|put) (?:it|that|them)(?!\w)|machen? (?:wir |es )|maak er |facciamo |"
    r"disons |digamos "
)
_VALUE = re.compile(r"[$€£]?\d[\d.,:]* ?[^\W\d_]*[.!]?")


def points_back(text: str) -> bool:
    """Tell whether a statement begins with a word for what it changes, or is a value alone, and so may leave out what that is."""
    small = text.lower()
    corrected = correction_chars(small)
    return _POINTING.match(small) is not None or (corrected > 0 and _VALUE.fullmatch(small, corrected) is not None)


#: "Make the rent 1,500": what is named is to have another value, if it had one.
_MAKING = re.compile(
    r"(?:(?:please|and|but|also) )*make the (?:[^\W\d]+ ){1,3}(?:at most )?[$€£]?\d[\d.,:]*(?: ?[^\W\d]+)?[.!]?"
)


def makes_anew(text: str) -> bool:
    """Tell whether a sentence gives something a value by its name; alone it may as well ask for so many of something."""
    return "ake the " in text and _MAKING.fullmatch(text.lower()) is not None
