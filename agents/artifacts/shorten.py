"""Messages made shorter without losing their place.

Pairs stay pairs, and the text says what is missing and where it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import UnionType

import msgspec

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.messages.clip import HEAD_FRACTION, beginning, clip
from tailrace.agents.messages.groups import said_beside_results
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.messages.short_arguments import shorter_call
from tailrace.agents.messages.shorten_prose import gist
from tailrace.agents.messages.wording import CUT_NOTE, brief_pointer_text, pointer_text, split_at_pointer
from tailrace.schemas.records.media import find_media
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import (
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

#: Who may demand something.
_DEMANDING = frozenset({"system", "developer", "user"})
#: In a message of fewer tokens, how to read the whole is no longer said: a rule that it still holds is worth more.
BRIEF_TOKENS_MAX = 500
#: What a character costs at most, one of four bytes.
CHAR_TOKENS_MAX = 4
#: So much is shown of a note about media, which may hold a long address.
NOTE_CHARS = 200

Count = Callable[[Message], int]


def with_results(message: Message, texts: Mapping[str, str]) -> Message:
    """The same answers to the same calls, with other texts for those calls that are named by their id."""
    parts = [
        msgspec.structs.replace(part, response=texts[part.id])
        if isinstance(part, ToolCallResponsePart) and part.id in texts
        else part
        for part in message.parts
    ]
    return msgspec.structs.replace(message, parts=tuple(parts))


def shorten(message: Message, tokens_max: int, tokens: int, count: Count, *, name: str = "") -> Message:
    """The message with its texts cut so that it costs at most `tokens_max`, or as little as it can.

    `tokens` is what it costs now. What is cut says where the whole is: under `name`, or the message's own. Reasoning
    goes, for half a thought with a signature is refused by providers; media become notes; arguments of calls stay
    valid. What a person said beside tool results is cut only where these have nothing left to give.
    """
    knife = _Knife(message, name or artifact_id(message), tokens, tokens, brief=tokens_max < BRIEF_TOKENS_MAX)
    if not said_beside_results(message):
        return _fitted(knife, tokens_max, count)
    results = replace(knife, results_only=True, brief=False)
    media = any(_holds_media(part) for part in message.parts)
    if not media and tokens - tokens_max > results.chars * CHAR_TOKENS_MAX:
        # Without any of them it is still too much, and nobody needs to count by how much.
        return _fitted(replace(knife, message=_cut(results, 0)), tokens_max, count)
    shorter = shorten_results(message, tokens_max, tokens, count, name=knife.name)
    shorter_tokens = count(shorter)
    if shorter_tokens <= tokens_max:
        return shorter
    return _fitted(replace(knife, message=shorter, cost_tokens=shorter_tokens), tokens_max, count)


def shorten_results(message: Message, tokens_max: int, tokens: int, count: Count, *, name: str = "") -> Message:
    """The message with its tool results cut as far as `tokens_max` asks for, and everything beside them whole."""
    knife = _Knife(message, name or artifact_id(message), tokens, tokens, results_only=True)
    return _fitted(knife, tokens_max, count)


@dataclass(frozen=True)
class _Knife:
    """What is to be cut, what that costs, and what is said of the whole in its place: its name, and what it costs.

    A message is cut a dozen times until it fits, so its characters are counted once.
    """

    message: Message
    name: str
    tokens: int
    cost_tokens: int
    #: Cut tool results alone; everything else stays as it is.
    results_only: bool = False
    brief: bool = False

    @property
    def pointer(self) -> str:
        return brief_pointer_text(self.name, self.tokens) if self.brief else pointer_text(self.name, self.tokens)

    def spares(self, part: AnyPart) -> bool:
        return self.results_only and not isinstance(part, ToolCallResponsePart)

    @cached_property
    def chars(self) -> int:
        """Characters that may be cut."""
        return self._chars_without(ReasoningPart)

    @cached_property
    def shared_chars(self) -> int:
        """Those that are shared out where calls are cut: what calls give up is not theirs to share."""
        return self._chars_without(ReasoningPart | ToolCallPart)

    def _chars_without(self, left_out: type[AnyPart] | UnionType) -> int:
        parts = [part for part in self.message.parts if not isinstance(part, left_out)]
        return sum(len(text_of(part)) for part in parts if not self.spares(part))


def _fitted(knife: _Knife, tokens_max: int, count: Count) -> Message:
    """The most that fits; the shortest there is where nothing does. Media and reasoning go before any word does."""
    chars = knife.chars
    whole = _cut(knife, chars)
    # What it costs as it stands is known: a counter may take long for a text that is all one word.
    is_known = whole.parts == knife.message.parts and knife.cost_tokens > tokens_max
    whole_tokens = knife.cost_tokens if is_known else count(whole)
    if whole_tokens <= tokens_max:
        return whole
    shortest = _cut(knife, 0)
    shortest_tokens = count(shortest)
    room_tokens = tokens_max - shortest_tokens
    cut_tokens = whole_tokens - shortest_tokens
    for _ in range(12):
        share = chars * room_tokens // max(1, cut_tokens)
        if share <= 0:
            break
        cut = _cut(knife, share)
        over_tokens = count(cut) - tokens_max
        if over_tokens <= 0:
            return cut
        room_tokens = min(room_tokens - over_tokens, int(room_tokens * 0.95))
    return shortest


def _cut(knife: _Knife, chars: int) -> Message:
    """The message with `chars` characters of text, shared out by length; without any, with a pointer alone."""
    message = knife.message
    cutter = _Cutter(knife, chars)
    cut = [shorter for part in message.parts if (shorter := cutter.shorter(part)) is not None]
    if not cut or (not cutter.named and len(cut) < len(message.parts)):
        cut.insert(0, TextPart(content=knife.pointer))
    return msgspec.structs.replace(message, parts=tuple(cut), content_shape=_shape(message))


class _Cutter:
    """Cuts the parts of one message, in their order: the first that is cut names the whole, the others say so."""

    def __init__(self, knife: _Knife, chars: int) -> None:
        """Share `chars` out among the parts."""
        self._knife = knife
        self._chars = chars
        self._calls_whole = chars >= knife.chars
        self._total_chars = max(1, knife.chars if self._calls_whole else knife.shared_chars)
        # Words of a person stay words of a person, however little is left of them.
        self._spoken = said_beside_results(knife.message)
        #: Whether a part says where the whole is.
        self.named = False

    def shorter(self, part: AnyPart) -> AnyPart | None:
        """Return what is left of a part; None where nothing is."""
        if isinstance(part, ReasoningPart):
            return None
        if self._knife.spares(part):
            return part
        if isinstance(part, ToolCallPart):
            return part if self._calls_whole else shorter_call(part, self._knife.name)
        text = text_of(part)
        room_chars = self._chars * len(text) // self._total_chars
        if room_chars >= len(text):
            return self._without_media(part, text) if _holds_media(part) else part
        if self._chars or not self.named or isinstance(part, ToolCallResponsePart) or part in self._spoken:
            return self._shortened(part, text, room_chars if self._chars else 0)
        return None

    def _without_media(self, part: AnyPart, text: str) -> AnyPart:
        shown = text if isinstance(part, ToolCallResponsePart) else beginning(text, NOTE_CHARS)
        return _with_text(part, f"{shown}\n{self._note()}")

    def _shortened(self, part: AnyPart, text: str, room_chars: int) -> AnyPart:
        demands = self._knife.message.role in _DEMANDING and isinstance(part, TextPart)
        shorten = _gist_of if demands else _shorter_part
        return shorten(part, text, room_chars, self._note(), split_at_pointer(text, self._knife.name))

    def _note(self) -> str:
        note = CUT_NOTE if self.named else self._knife.pointer
        self.named = True
        return note


def _holds_media(part: AnyPart) -> bool:
    if isinstance(part, ToolCallResponsePart):
        return next(find_media(part.response), None) is not None
    return isinstance(part, BlobPart | FilePart | UriPart)


def _gist_of(part: AnyPart, text: str, chars: int, note: str, pointed: tuple[str, str, str] | None) -> AnyPart:
    """A part with what its text demands in front of the note; of its own pointer, where it was cut before."""
    if pointed is not None:
        before, note, after = pointed
        if not (before or after):
            return part
        text = "\n".join(piece for piece in (before, after) if piece)
        chars = max(0, chars - len(note))
    shown = gist(text, chars) if chars else ""
    return _with_text(part, f"{shown}\n{note}".strip("\n"))


def _shorter_part(part: AnyPart, text: str, chars: int, note: str, pointed: tuple[str, str, str] | None) -> AnyPart:
    """A part with both ends of its text around the note; around its own pointer, where it was cut before."""
    if pointed is None:
        head, tail = _shown(part, text, chars)
        return _with_text(part, f"{head}\n{note}\n{tail}".strip("\n"))
    before, pointer, after = pointed
    if not (before or after):
        return part
    # Less of both ends: what is missing between them must not be closed up.
    chars = max(0, chars - len(pointer))
    tail_chars = chars - int(chars * HEAD_FRACTION)
    head, tail = beginning(before, int(chars * HEAD_FRACTION)), after[max(0, len(after) - tail_chars) :]
    return _with_text(part, f"{head}\n{pointer}\n{tail if tail_chars else ''}".strip("\n"))


def _shown(part: AnyPart, text: str, chars: int) -> tuple[str, str]:
    if chars and isinstance(part, BlobPart | FilePart | UriPart | GenericPart):
        return beginning(text, max(chars, NOTE_CHARS)), ""
    return clip(text, chars)


def _shape(message: Message) -> ContentShape | None:
    # A message without content may get some, and then needs a shape that can hold it.
    return None if message.content_shape in {ContentShape.NULL, ContentShape.ABSENT} else message.content_shape


def _with_text(part: AnyPart, text: str) -> AnyPart:
    match part:
        case ToolCallResponsePart():
            return msgspec.structs.replace(part, response=text)
        case TextPart() | RefusalPart() | CompactionPart():
            return msgspec.structs.replace(part, content=text)
        case _:
            return TextPart(content=text)
