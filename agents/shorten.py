"""Messages made shorter without losing their place: pairs stay pairs, and the text says what is missing and where it is."""

from collections.abc import Callable, Mapping

import msgspec

from tailrace.agents.artifacts import artifact_id
from tailrace.agents.part_text import text_of
from tailrace.agents.wording import CUT_NOTE, pointer_text
from tailrace.schemas.message import ContentShape, Message
from tailrace.schemas.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

#: Of a text that is cut, this much of what stays is its beginning.
HEAD_FRACTION = 2 / 3
#: Arguments that are cut show this many characters; up to three times as long, they cost no more whole.
ARGUMENT_CHARS = 40
ARGUMENT_WHOLE_CHARS = 120
#: So much is shown of a note about media, which may hold a long address.
NOTE_CHARS = 200

Count = Callable[[Message], int]


def with_results(message: Message, texts: Mapping[str, str]) -> Message:
    """The same answers to the same calls, with other texts for those calls that are named by their id."""
    parts = tuple(
        msgspec.structs.replace(part, response=texts[part.id])
        if isinstance(part, ToolCallResponsePart) and part.id in texts
        else part
        for part in message.parts
    )
    return msgspec.structs.replace(message, parts=parts)


def beginning(text: str, chars: int) -> str:
    """At most `chars` of the beginning of a text, cut at the end of a line where there is one nearby."""
    if len(text) <= chars:
        return text
    head = text[:chars]
    line_end = head.rfind("\n")
    return head[:line_end] if line_end > chars // 2 else head


def clip(text: str, chars: int) -> tuple[str, str]:
    """Beginning and end of a text, `chars` together, cut at line ends where there is one nearby."""
    if chars <= 0:
        return "", ""
    if len(text) <= chars:
        return text, ""
    head_chars = max(1, int(chars * HEAD_FRACTION))
    tail_chars = max(0, chars - head_chars)
    tail = text[len(text) - tail_chars :] if tail_chars else ""
    line_start = tail.find("\n")
    if 0 <= line_start < tail_chars // 2:
        tail = tail[line_start + 1 :]
    return beginning(text, head_chars), tail


def shorten(message: Message, tokens_max: int, tokens: int, count: Count, *, name: str = "") -> Message:
    """The message with its texts cut so that it costs at most `tokens_max`, or as little as it can.

    `tokens` is what it costs now. What is cut says where the whole is: under `name`, or the message's own. Reasoning goes, for half a thought with a signature
    is refused by providers; media become notes; arguments of calls stay valid.
    """
    name = name or artifact_id(message)
    chars = _text_chars(message)
    shortest = _cut(message, 0, name, tokens)
    room_tokens = tokens_max - count(shortest)
    for _ in range(12):
        share = chars * room_tokens // max(1, tokens)
        if share <= 0:
            break
        cut = _cut(message, share, name, tokens)
        if count(cut) <= tokens_max:
            return cut
        room_tokens = int(room_tokens * 0.8)
    return shortest


def _cut(message: Message, chars: int, name: str, tokens: int) -> Message:
    """The message with `chars` characters of text, shared out by length; without any, with a pointer alone."""
    total = max(1, _text_chars(message))
    cut: list[AnyPart] = []
    named = False
    for part in message.parts:
        if isinstance(part, ReasoningPart):
            continue
        text = text_of(part)
        allowed = chars * len(text) // total
        if isinstance(part, ToolCallPart):
            cut.append(part if allowed >= len(text) else _shorter_call(part, text, name))
        elif allowed >= len(text):
            cut.append(part)
        elif chars or not named or isinstance(part, ToolCallResponsePart):
            head, tail = _shown(part, text, allowed if chars else 0)
            pointer = CUT_NOTE if named else pointer_text(name, tokens)
            cut.append(_with_text(part, f"{head}\n{pointer}\n{tail}".strip("\n")))
            named = True
    if not cut:
        cut.append(TextPart(content=pointer_text(name, tokens)))
    return msgspec.structs.replace(message, parts=tuple(cut), content_shape=_shape(message))


def _shown(part: AnyPart, text: str, chars: int) -> tuple[str, str]:
    if chars and isinstance(part, BlobPart | FilePart | UriPart | GenericPart):
        return beginning(text, max(chars, NOTE_CHARS)), ""
    return clip(text, chars)


def _shorter_call(part: ToolCallPart, text: str, name: str) -> ToolCallPart:
    if len(text) <= ARGUMENT_WHOLE_CHARS:
        return part
    shown = {"shortened": text[:ARGUMENT_CHARS], "artifact": name}
    arguments = msgspec.json.encode(shown).decode() if isinstance(part.arguments, str) else shown
    return msgspec.structs.replace(part, arguments=arguments)


def _shape(message: Message) -> ContentShape | None:
    # A message without content may get some, and then needs a shape that can hold it.
    return None if message.content_shape in {ContentShape.NULL, ContentShape.ABSENT} else message.content_shape


def _text_chars(message: Message) -> int:
    return sum(len(text_of(part)) for part in message.parts if not isinstance(part, ReasoningPart))


def _with_text(part: AnyPart, text: str) -> AnyPart:
    match part:
        case ToolCallResponsePart():
            return msgspec.structs.replace(part, response=text)
        case TextPart() | RefusalPart() | CompactionPart():
            return msgspec.structs.replace(part, content=text)
        case _:
            return TextPart(content=text)
