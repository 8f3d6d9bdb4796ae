"""Messages as the Anthropic Messages API has them.

Those that came so are unchanged, all others as far as they cross (`conversion`).

A run of tool messages of other formats becomes one user message with all results, as the API demands. A mark for the
prompt cache crosses from OpenAI's chat: a message of texts alone doesn't show which of the two it is.
"""

from collections.abc import Sequence
from typing import Any

from tailrace.schemas.providers.anthropic.content import write_block
from tailrace.schemas.providers.anthropic.read import ROLES
from tailrace.schemas.providers.arguments import input_of
from tailrace.schemas.providers.as_text import media_note
from tailrace.schemas.providers.cache_marks import MARK
from tailrace.schemas.providers.content import shortest, text_item
from tailrace.schemas.providers.pieces import CarriedAnswer, Carry
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import AnyPart, BlobPart, FilePart, TextPart, ToolCallPart, UriPart

_ANTHROPIC_MESSAGES = Format.ANTHROPIC_MESSAGES
_STRING, _LIST = ContentShape.STRING, ContentShape.LIST

_FOREIGN_ROLES = {"system": "system", "developer": "system", "assistant": "assistant"}


def write_messages(messages: Sequence[Message], carry: Carry) -> list[dict[str, Any]]:
    """Return Anthropic messages: those that came as such unchanged, others as far as they cross."""
    transcript = _Transcript(carry)
    for message in messages:
        if message.format == _ANTHROPIC_MESSAGES and message.role in ROLES:
            transcript.add(_write_native(message))
        elif _is_marked_text(message):
            transcript.add_marked(message)
        else:
            transcript.add_foreign(message)
    transcript.release()
    return transcript.messages


def _is_marked_text(message: Message) -> bool:
    """Whether a message of OpenAI's chat holds texts alone, some of them marked for the cache.

    Anthropic's look just so.
    """
    if message.format != Format.OPENAI_CHAT or message.role not in ROLES:
        return False
    texts = [part for part in message.parts if type(part) is TextPart]
    return len(texts) == len(message.parts) and any(MARK in part.extra for part in texts)


def _write_native(message: Message) -> dict[str, Any]:
    blocks = [write_block(part) for part in message.parts]
    content: str | list[dict[str, Any]] = blocks
    if message.content_shape != _LIST:
        content = shortest(blocks) if blocks else ""
    written = {"role": message.role, "content": content}
    for key, value in message.extra.items():
        written.setdefault(key, value)
    return written


class _Transcript:
    def __init__(self, carry: Carry) -> None:
        self._carry = carry
        self.messages: list[dict[str, Any]] = []
        # Results must come first in the user message that directly follows their calls.
        self._results: list[dict[str, Any]] = []
        self._held: list[dict[str, Any]] = []

    def add(self, message: dict[str, Any]) -> None:
        self.release()
        self.messages.append(message)

    def add_foreign(self, message: Message) -> None:
        carried = self._carry(message)
        role = "assistant" if carried.calls else _FOREIGN_ROLES.get(message.role, "user")
        blocks = [_foreign_block(part, role) for part in carried.parts]
        blocks += [_foreign_call(call) for call in carried.calls]
        answers = [_foreign_answer(answer) for answer in carried.answers]
        media = [
            _foreign_block(part, "user")
            for answer in carried.answers
            for part in answer.parts
            if _is_beside(answer, part)
        ]
        if answers and role == "user":
            self._results += answers
            self._held += [*media, *blocks]
            return
        if blocks:
            self.add({"role": role, "content": shortest(blocks)})
        self._results += answers
        self._held += media

    def add_marked(self, message: Message) -> None:
        marked = [
            {**text_item(part.content), **({MARK: part.extra[MARK]} if MARK in part.extra else {})}
            for part in message.parts
            if isinstance(part, TextPart) and part.content.strip()
        ]
        if marked:
            self.add({"role": message.role, "content": marked})

    def release(self) -> None:
        if self._results or self._held:
            self.messages.append({"role": "user", "content": [*self._results, *self._held]})
            self._results, self._held = [], []


def _foreign_block(part: AnyPart, role: str) -> dict[str, Any]:
    # The API fetches nothing that is sent in the open.
    is_open = isinstance(part, UriPart) and part.uri.startswith("http://")
    if isinstance(part, BlobPart | FilePart | UriPart) and (role != "user" or is_open):
        return text_item(media_note(part))
    return write_block(part)


def _is_beside(answer: CarriedAnswer, part: AnyPart) -> bool:
    return answer.is_error and not isinstance(part, TextPart)  # an error may hold nothing but text


def _foreign_call(call: ToolCallPart) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": input_of(call.arguments)}


def _foreign_answer(answer: CarriedAnswer) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": answer.id}
    content = [_foreign_block(part, "user") for part in answer.parts if not _is_beside(answer, part)]
    if content:
        block["content"] = shortest(content)
    if answer.is_error:
        block["is_error"] = True
    return block
