"""Notes that programs put into a conversation in a user's name: the command used, its output, hints for the model.

Some producers say so (`source`), and transcripts are read so. Where nobody says it, a message gives itself away by what
it is made of: tags whose names are of several words, as programs name theirs, and nothing beside them. Nothing in it is
demanded by the user; it may be worth telling all the same.
"""

import re

import msgspec

from tailrace.agents.language.word_lists import words
from tailrace.schemas.records.message import Message
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

#: Role under which a program's words are read where it counts who speaks. No message is sent under it.
PROGRAM_ROLE = "program"
#: What stands between two tags of one name.
_ELEMENT = re.compile(r"\s*<([A-Za-z][\w.:-]{0,60})(?: [^<>]{0,200})?>([^<]*(?:<(?!/\1>)[^<]*)*)</\1>\s*")
#: What people type to have a program do something: a request, in its own way.
_COMMAND = re.compile(r"/[\w:.-]+")
#: Parts the words of a name. People who mark up what they write take one word, mostly.
_JOINT = re.compile(r"[-_]")
#: At the end of a name of tags around what a person asks for, whoever put the tags there.
_REQUESTS = words(
    "answer args arguments assignment brief bug comment complaint constraint constraints criteria criterion "
    "description example examples "
    "feature feedback goal goals guidelines instruction instructions issue job objective order policies policy "
    "preferences problem prompt "
    "query question questions reply report request requests requirement requirements rule rules scope spec "
    "specification specs "
    "standards statement story style task tasks ticket todo tone wish wishes"
)
#: The same where the name begins with whose words they are.
_PEOPLE = words("author client customer human my our person user")
_SAYINGS = words("input message note notes remark text turn words")


def as_written(message: Message, source: str | None) -> Message:
    """The message under the role of who wrote it: a program's under `PROGRAM_ROLE`, where its source says so."""
    if source != PROGRAM_SOURCE or message.role != "user":
        return message
    return msgspec.structs.replace(message, role=PROGRAM_ROLE)


def elements(text: str) -> list[tuple[str, str]]:
    """Name and content of the tags that a text is made of; empty where it holds anything beside them."""
    tags: list[tuple[str, str]] = []
    if "</" not in text or not text.lstrip().startswith("<"):
        return tags
    place = 0
    # One behind the other, not all that are anywhere: so that tags without an end cost no more than once.
    while place < len(text):
        element = _ELEMENT.match(text, place)
        if element is None:
            return []
        tags.append((element[1], element[2].strip()))
        place = element.end()
    return tags


def is_note(tagged: list[tuple[str, str]]) -> bool:
    """Tell whether tags with their content are a program's note, as it tells what has happened."""
    names = [name for name, inside in tagged if inside]
    return bool(tagged) and not _holds_command(tagged) and all(_is_programs(name) for name in names or [tagged[0][0]])


def between(tagged: list[tuple[str, str]]) -> str:
    """What stands between tags, each once."""
    texts = dict.fromkeys(inside for _, inside in tagged)
    # A name that is told again as a command says no more.
    return " ".join(text for text in texts if text and f"/{text}" not in texts)


def as_typed(text: str) -> str:
    """A command that a program hands on in tags as a person has typed it; every other text as it is."""
    tagged = elements(text)
    return between(tagged) if _holds_command(tagged) else text


def _holds_command(tagged: list[tuple[str, str]]) -> bool:
    # Alone it is no more than a program's word that a command was used.
    return len(tagged) > 1 and any(_COMMAND.fullmatch(inside) for _, inside in tagged)


def _is_programs(name: str) -> bool:
    parts = _JOINT.split(name.lower())
    if len(parts) == 1 or parts[-1] in _REQUESTS:
        return False
    return parts[0] not in _PEOPLE or parts[-1] not in _SAYINGS
