"""Questions that a call puts to a person, and what the person chose, as its result tells it.

Only a tool that says by its name that it asks a person, and that was told a question, is believed: what any other tool returns is nobody's
choice. And it is a choice, never a rule: it is kept with the question and with the name of the tool that brought it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from tailrace.agents.language.word_lists import words
from tailrace.agents.messages.call_text import call_target
from tailrace.agents.messages.outcome import failed
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.parts import Json, ToolCallPart

QUESTIONS_MAX = 8
#: Of a longer question the end is kept: there it asks.
QUESTION_CHARS_MAX = 400
#: A longer answer is a document, and says by itself what it is about.
ANSWER_CHARS_MAX = 120
_READ_CHARS = 4_000

_WORD_OF_TOOL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PERSON = words("user human person people operator followup clarification clarifying clarify elicit elicitation")
_ASKING = words(
    "ask asks question questions confirm confirmation input prompt request choose choice select approve approval clarification clarify clarifying elicit "
    "elicitation followup feedback decision decide"
)
#: What keeps or finds what is known of people is no person.
_NO_PERSON = words(
    "db database sql agent model llm expert kb docs data table records search find list fetch lookup profile details history"
)
_QUESTION_KEYS = ("question", "prompt", "message", "query", "text")
_LISTS = ("questions", "prompts")
_ANSWER_KEYS = (
    "answer",
    "answers",
    "response",
    "choice",
    "selection",
    "selected",
    "value",
    "reply",
    "user_input",
    "text",
)
#: `"Which one?"="This"`, as in `The user has answered: "Which one?"="This".`
_PAIR = re.compile(r"\"(?P<question>[^\"\n]{2,400})\"\s*[=:]\s*\"(?P<answer>[^\"\n]{1,400})\"")
_TAGGED = re.compile(r"<(?:answer|response|user_input|feedback)>\s*(?P<answer>.*?)\s*</", re.DOTALL)
_INTRODUCED = re.compile(
    r"^(?:the )?(?:user|human|person|operator)(?:'s)?(?: has| have)? ?(?:answer(?:ed)?|respon(?:ded|se)|said|says|selected|chose|replied|reply|choice|input)(?: with)?\s*:?\s*",
    re.IGNORECASE,
)

_decode_json = decoder()


@lru_cache(maxsize=1024)
def asks_by_name(tool: str) -> bool:
    """Tell whether a tool of this name asks a person."""
    name = {word.lower() for word in _WORD_OF_TOOL.findall(tool)}
    return bool(name & _PERSON) and bool(name & _ASKING) and not name & _NO_PERSON


def questions_of(call: ToolCallPart) -> list[str]:
    """Questions that a call puts to a person, in their order; none where it asks nobody."""
    if not asks_by_name(call.name):
        return []
    arguments = call_target(call)[3]
    listed = next((arguments[key] for key in _LISTS if isinstance(arguments.get(key), list)), None)
    asked = listed if listed is not None else [arguments]
    return [text[-QUESTION_CHARS_MAX:] for one in asked[:QUESTIONS_MAX] if (text := _question(one))]


def _question(one: Json) -> str:
    if isinstance(one, str):
        return " ".join(one.split())
    if not isinstance(one, Mapping):
        return ""
    texts = (one.get(key) for key in _QUESTION_KEYS)
    return next((" ".join(text.split()) for text in texts if isinstance(text, str) and text.strip()), "")


def answers_to(questions: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """What a person chose, with the question, as a result tells it; a question that nobody answered is left out."""
    text = text[:_READ_CHARS].strip()
    if not text or failed(text):
        return
    pairs = {" ".join(found["question"].split()): found["answer"] for found in _PAIR.finditer(text.replace('\\"', '"'))}
    told = [*_told(text)]
    for place, question in enumerate(questions):
        answer = pairs.get(question) or (told[place] if len(told) == len(questions) else "")
        if answer and len(answer) <= ANSWER_CHARS_MAX and "\n" not in answer:
            yield question, answer


def _told(text: str) -> list[str]:
    """Answers in the order in which they are told."""
    tagged = _TAGGED.findall(text)
    if tagged:
        return [" ".join(one.split()) for one in tagged]
    if text.startswith(("{", "[")):
        try:
            return [*_values(_decode_json(text))]
        except PoisonEvent:
            return []
    return [_INTRODUCED.sub("", text, count=1).strip().strip("\"'")]


def _values(told: Json) -> Iterator[str]:
    """Texts below the keys of answers; choices of one question as one."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, list):
        for one in told:
            yield from _values(one)
    elif isinstance(told, Mapping):
        below = next((told[key] for key in _ANSWER_KEYS if key in told), None)
        if isinstance(below, list) and all(isinstance(one, str) for one in below):
            yield ", ".join(below)
        elif below is not None:
            yield from _values(below)
        else:
            for key, one in told.items():
                yield from (key if one else f"not {key}",) if isinstance(one, bool) else _values(one)
