"""Messages of other formats, written as OpenAI chat messages.

Each answer becomes a tool message. A tool message holds only text and must follow the call directly, so media in
answers, and what a user said beside them, wait for the end of the run of tool messages and follow as a user message.
"""

from typing import Any

from msgspec.structs import replace

from tailrace.schemas.providers.as_text import json_text, media_note
from tailrace.schemas.providers.content import shortest, text_item
from tailrace.schemas.providers.openai_chat.calls import write_call
from tailrace.schemas.providers.openai_chat.content import write_item
from tailrace.schemas.providers.pieces import CarriedAnswer, Carry
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import AnyPart, BlobPart, FilePart, RefusalPart, TextPart, ToolCallPart, UriPart

ANSWERING_ROLES = frozenset({"tool", "function"})
SPEAKING_ROLES = frozenset({"system", "developer", "user", "assistant"})


class ChatTranscript:
    """OpenAI chat messages in the making."""

    def __init__(self, carry: Carry) -> None:
        """Start with no message; `carry` takes messages of other formats apart."""
        self._carry = carry
        self.messages: list[dict[str, Any]] = []
        self._held: list[dict[str, Any]] = []

    def add(self, message: dict[str, Any]) -> None:
        """Add a message as it is."""
        if self._held and message["role"] not in ANSWERING_ROLES:
            self.release()
        self.messages.append(message)

    def add_foreign(self, message: Message) -> None:
        """Add what crosses of a message of another format; nothing if nothing does."""
        carried = self._carry(message)
        role = "assistant" if carried.calls else (message.role if message.role in SPEAKING_ROLES else "user")
        items = [_write_item(part, role) for part in carried.parts]
        if role == "user" and carried.answers:
            self._add_answers(carried.answers)
            self._held += items
            return
        if items or carried.calls:
            turn: dict[str, Any] = {"role": role, "content": shortest(items) if items else None}
            if message.name and message.format == Format.TAILRACE:
                turn["name"] = message.name
            if carried.calls:
                turn["tool_calls"] = [_write_call(call) for call in carried.calls]
            self.add(turn)
        self._add_answers(carried.answers)

    def release(self) -> None:
        """Add the user message that waited for the end of a run of tool messages."""
        if self._held:
            self.messages.append({"role": "user", "content": shortest(self._held)})
            self._held = []

    def _add_answers(self, answers: list[CarriedAnswer]) -> None:
        for answer in answers:
            texts = [text_item(part.content) for part in answer.parts if isinstance(part, TextPart)]
            self.add({"role": "tool", "tool_call_id": answer.id, "content": shortest(texts) if texts else ""})
            self._held += [_write_item(part, "user") for part in answer.parts if not isinstance(part, TextPart)]


def _write_call(call: ToolCallPart) -> dict[str, Any]:
    if isinstance(call.arguments, str):
        return write_call(call)
    return write_call(replace(call, arguments="{}" if call.arguments is None else json_text(call.arguments)))


def _write_item(part: AnyPart, role: str) -> dict[str, Any]:
    if isinstance(part, BlobPart | FilePart | UriPart) and role != "user":
        return text_item(media_note(part))
    if isinstance(part, RefusalPart) and role != "assistant":
        return text_item(part.content)
    if isinstance(part, BlobPart) and part.modality == "document":
        return write_item(replace(part, extra={"file": {"filename": "document.pdf"}}))  # file_data needs a name
    return write_item(part)
