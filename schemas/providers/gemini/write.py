"""Messages as contents of the Gemini API: those that came so unchanged, all others as far as they cross (`conversion`).

A run of tool messages of other formats becomes one content with all function responses, as the API demands.
"""

from collections.abc import Sequence
from typing import Any

from tailrace.schemas.providers.as_text import media_note
from tailrace.schemas.providers.gemini.content import write_part
from tailrace.schemas.providers.gemini.functions import response_object
from tailrace.schemas.providers.gemini.read import ROLES
from tailrace.schemas.providers.pieces import CarriedAnswer, Carry
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import AnyPart, BlobPart, FilePart, TextPart, ToolCallPart, UriPart

_GEMINI = Format.GEMINI
_LIST, _NULL, _ABSENT = ContentShape.LIST, ContentShape.NULL, ContentShape.ABSENT

_GEMINI_ROLES = {ours: gemini for gemini, ours in ROLES.items()}

_FOREIGN_ROLES = {"system": "system", "developer": "system", "assistant": "model"}


def write_messages(messages: Sequence[Message], carry: Carry) -> list[dict[str, Any]]:
    """Return Gemini contents: those that came as such unchanged, others as far as they cross."""
    contents = _Contents(carry)
    for message in messages:
        contents.names.update({part.id: part.name for part in message.parts if isinstance(part, ToolCallPart)})
        if message.format == _GEMINI and message.role in _GEMINI_ROLES:
            contents.add(_write_native(message))
        else:
            contents.add_foreign(message)
    contents.release()
    return contents.written


def _write_native(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": _GEMINI_ROLES[message.role]}
    if message.parts or message.content_shape not in (_NULL, _ABSENT):
        written["parts"] = [write_part(part) for part in message.parts]
    elif message.content_shape == _NULL:
        written["parts"] = None
    for key, value in message.extra.items():
        written.setdefault(key, value)
    return written


class _Contents:
    def __init__(self, carry: Carry) -> None:
        self._carry = carry
        self.written: list[dict[str, Any]] = []
        #: Names of the functions by the ids of their calls: a response must say whose it is.
        self.names: dict[str, str] = {}
        # Responses must come first in the content that directly follows their calls.
        self._responses: list[dict[str, Any]] = []
        self._held: list[dict[str, Any]] = []

    def add(self, content: dict[str, Any]) -> None:
        self.release()
        self.written.append(content)

    def add_foreign(self, message: Message) -> None:
        carried = self._carry(message)
        role = "model" if carried.calls else _FOREIGN_ROLES.get(message.role, "user")
        parts = [_foreign_part(part, role) for part in carried.parts] + [write_part(call) for call in carried.calls]
        if parts and not (carried.answers and role == "user"):
            self.add({"role": role, "parts": parts})
            parts = []
        for answer in carried.answers:
            self._add_answer(answer)
        self._held += parts

    def release(self) -> None:
        if self._responses or self._held:
            self.written.append({"role": "user", "parts": [*self._responses, *self._held]})
            self._responses, self._held = [], []

    def _add_answer(self, answer: CarriedAnswer) -> None:
        text = "\n".join(part.content for part in answer.parts if isinstance(part, TextPart))
        response = response_object(text, is_error=answer.is_error)
        name = self.names.get(answer.id, answer.id)
        self._responses.append({"functionResponse": {"id": answer.id, "name": name, "response": response}})
        self._held += [_foreign_part(part, "user") for part in answer.parts if not isinstance(part, TextPart)]


def _foreign_part(part: AnyPart, role: str) -> dict[str, Any]:
    if isinstance(part, BlobPart | FilePart | UriPart) and role != "user":
        return {"text": media_note(part)}
    if isinstance(part, UriPart) and part.mime_type is None:
        return {"text": media_note(part)}  # Gemini fetches nothing of which it doesn't know the type
    if isinstance(part, BlobPart) and part.mime_type == "image/gif":
        return {"text": media_note(part)}  # the one type of image that all others take
    return write_part(part)
