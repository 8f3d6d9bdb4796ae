"""What a person said and no rule of the ledger knows: kept word for word in what statements leave of the room.

Rules know words and forms, and people have others: "hands off the weir in spring", "you can push now", a language that no list here has.
Such a sentence binds nobody in the ledger, takes no place from anything, and changes nothing; but whoever reads the context reads it
among the statements, in the order in which all were said, and understands it.
"""

from collections.abc import Container, Iterable, Iterator, Sequence

from tailrace.agents.language.lexicon import ASKING, MOMENTARY, REQUESTS
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.statements import statements, typed_units, words_of
from tailrace.agents.ledger.subjects import subject_of
from tailrace.schemas.records.ledger import Directive, UnclassifiedStatement

#: Of one message. Whoever says more at once writes a text, and summaries are for texts.
OF_MESSAGE_MAX = 6
#: What is shorter agrees or greets; what is longer tells a story.
CHARS_MIN, CHARS_MAX = 10, 200
#: Of a thread; and how many of them may be requests of the moment.
SAID_MAX, REQUESTS_MAX = 100, 10
#: Rules that people give in passing are short: what is longer by so much gets room later.
_STEP_CHARS = 60
#: Where words have no spaces between them, a few characters say as much.
_UNSPACED_CHARS_MIN = 6
_THANKS_WORDS = 2
#: Questions, and lines of code.
_UNSAID_ENDS = ("?", "\uff1f", "{", "[", "(", ",", ";", "=")
#: Of a sentence, so many are letters.
LETTERS_SHARE = 0.75
#: Behind the first word of a question.
_ASKED = frozenset(("you", "we", "they", "i", "he", "she", "it", "there", "this", "that"))


def said_in(text: str, *, source: str, turn: int) -> Iterator[UnclassifiedStatement]:
    """Yield what a person's message says that is neither noted by a rule, nor a question, nor a mere assent."""
    units = ((unit, f"{condition} {unit}" if condition else unit) for condition, unit in typed_units(text))
    telling = [whole for unit, whole in units if _says_something(whole, unit)]
    noted = {said for _, said in statements(text)} if telling else frozenset()
    for unit in [unit for unit in telling if unit not in noted][:OF_MESSAGE_MAX]:
        yield UnclassifiedStatement(text=unit, source=source, turn=turn)


def by_need(
    said: Sequence[UnclassifiedStatement], answering: Container[UnclassifiedStatement] = ()
) -> list[UnclassifiedStatement]:
    """The sentences in the order in which they get room: those that speak of a rule, no requests of the moment, the short, the newest first."""
    newest_first = said[::-1]
    return sorted(
        newest_first,
        key=lambda one: (one not in answering, _is_request(one.text), len(one.text) // _STEP_CHARS),
    )


def speaks_of(one: UnclassifiedStatement, stated: Iterable[Directive]) -> bool:
    """Tell whether a sentence takes up a word of something that was stated before it: it may change that, and has to be read behind it."""
    terms = subject_of(one.text).terms
    return any(not terms.isdisjoint(subject_of(old.text).terms) for old in stated if old.turn < one.turn)


def held(said: Sequence[UnclassifiedStatement]) -> tuple[UnclassifiedStatement, ...]:
    """Those that a thread goes on holding, in their order."""
    requests = [one for one in said if _is_request(one.text)]
    others = len(said) - len(requests)
    most = min(SAID_MAX, others + min(len(requests), REQUESTS_MAX))
    if most == len(said):
        return tuple(said)
    needed = frozenset(by_need(said)[:most])
    return tuple(one for one in said if one in needed)


def _says_something(unit: str, own: str) -> bool:
    """Whether a unit, of which `own` stands below its headings, is a sentence that tells something."""
    least = CHARS_MIN if unit.isascii() else _UNSPACED_CHARS_MIN
    # Brackets and the like begin what programs write, or a piece of code; an address alone is evidence.
    if not least <= len(unit) <= CHARS_MAX or not unit[0].isalnum() or unit.endswith(_UNSAID_ENDS):
        return False
    if sum(char.isalpha() or char == " " for char in unit) < LETTERS_SHARE * len(unit):
        return False
    words = words_of(own)
    # "Good find", "thanks Anna": behind a word or two of thanks nothing is said.
    if len(words) <= _THANKS_WORDS and is_assent(words[:1]):
        return False
    return "://" not in unit.partition(" ")[0] and not _asks(words) and not is_assent(words)


def _asks(words: Sequence[str]) -> bool:
    """Whether a sentence without a question mark asks all the same: "are you sure"; but "do it by hand" tells."""
    return words[:1] != ["do"] and not ASKING.isdisjoint(words[:1]) and not _ASKED.isdisjoint(words[1:2])


def _is_request(unit: str) -> bool:
    """Whether a sentence asks for something to be done at once, as far as its first words tell."""
    opening = [word for word in words_of(unit)[:4] if word not in MOMENTARY and not is_assent([word])][:1]
    return not REQUESTS.isdisjoint(opening)
