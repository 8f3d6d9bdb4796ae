"""What a person's message asks for, as one line, and whether it goes on with the task or begins another.

A task may come in several messages, and people add to it, answer, and ask other things meanwhile: all of that leaves the task what it is. It
is over when it was reported on, nothing of it is open, and the next message does not speak of it.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re

from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.statements import words_of
from tailrace.agents.messages.program_notes import between, elements, is_note

TEXT_CHARS_MAX = 200
#: A first line that is shorter tells too little without the next.
_LINE_CHARS_MIN = 80
_GOES_ON_WORDS_MAX = 12
_READ_CHARS = 4_000
#: Whoever only agrees, thanks or greets says less than this.
_SHORT_CHARS = 400

#: Goes on with what was said before, in small letters.
_ADDS = re.compile(
    r"\W*(?:(?:oh|ok|okay|yes|no|great|good|thanks|thank you|perfect|nice|ja|nein|gut|danke|oui|non|merci|sí|gracias)\W+)*"
    r"(?:also|and|plus|additionally|but|besides|oh|one more|another thing|actually|wait|instead|rather|make (?:it|that|them)|same|as well|"
    r"auch|außerdem|und|aber|noch|übrigens|stattdessen|aussi|et|mais|en plus|plutôt|también|y|pero|además|mejor|anche|e|ma|inoltre|também|mas|além|"
    r"ook|maar|także|też|ale|также|и|но|ещё|еще|тоже)\b|\W*(?:另外|还有|顺便|也|而且|但|それと|また|あと|でも|그리고|또)"
)
#: Stands for what was spoken of.
_ANAPHORS = words(
    "it that this them those these they ones there same again es das ihn sie dies diese dieses dort wieder ça cela celui-ci eso esto ese "
    "esa ellos allí ciò questo quello isso isto ele ela dat het deze dit это этот его её их там"
)
_UNSPACED_ANAPHORS = ("它", "这个", "那个", "这些", "那些", "それ", "これ", "그것", "이것")
_WIDE_MARKS = str.maketrans(dict.fromkeys("\u3001\u3002\uff01\uff0c\uff1b\uff1f\uff1a\uff5e", " "))
_FENCES = ("```", "~~~")
_PASTED = ("<", ">", "|")


def asked_in(text: str) -> str:
    """The beginning of what a person asks for, in one line: without greetings, and without what they paste."""
    told = ""
    fenced = False
    text = _untagged(text)[:_READ_CHARS]
    for line in text.split("\n"):
        said = line.strip()
        fence = said.startswith(_FENCES)
        fenced = fenced != fence
        if fence or fenced or said.startswith(_PASTED):
            if told:
                break
            continue
        # What stands in brackets as a whole is a program's note.
        if said.startswith("[") and said.endswith("]"):
            continue
        if not said.strip(" #`>-<*_=") or (not told and is_assent(short_words(said))):
            continue
        told = f"{told} {said}" if told else said
        if len(told) >= _LINE_CHARS_MIN and not told.endswith(":"):
            break
    return clip(told) or clip(
        next((line for line in map(str.strip, text.split("\n")) if line.strip(" #`>-<[") and line[0] != "["), "")
    )


def _untagged(text: str) -> str:
    """A message that is all tags as what stands between them; nothing where that is a program's note."""
    tagged = elements(text)
    if not tagged:
        return text
    return "" if is_note(tagged) else between(tagged)


def short_words(text: str) -> list[str]:
    """The words of what may be a word or two, or those that something longer begins with, in small letters; marks of any script part them."""
    text = text[:_SHORT_CHARS]
    return words_of(text if text.isascii() else text.translate(_WIDE_MARKS))


def goes_on(text: str) -> bool:
    """Tell whether a message speaks of what was said before it."""
    small = text[: 2 * TEXT_CHARS_MAX].lower()
    if _ADDS.match(small):
        return True
    said = words_of(small)
    if len(said) > _GOES_ON_WORDS_MAX:
        return False
    return not _ANAPHORS.isdisjoint(said) or any(one in small for one in _UNSPACED_ANAPHORS)


def clip(text: str, chars_max: int = TEXT_CHARS_MAX) -> str:
    """A text in one line, and not too long."""
    squeezed = " ".join(text[: 2 * TEXT_CHARS_MAX].split())
    if len(squeezed) <= chars_max:
        return squeezed
    end = squeezed.rfind(" ", 0, chars_max)
    return squeezed[: end if end > 0 else chars_max] + " …"
