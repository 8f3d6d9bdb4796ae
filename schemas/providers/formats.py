"""The message formats by name: which one a bare message is in, how it is read, how a context is written."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.message import Format, Message, format_named

#: The format of a message that shows none: a role and a text are the same to most providers.
PLAINEST: Final = Format.OPENAI_CHAT
#: Formats that a message is not shown to be in: any may be `PLAINEST`, and ours is no provider's.
SHOWING_NOTHING: Final = frozenset({PLAINEST, Format.TAILRACE})
#: Fields of a message that no other format has: whoever reads it as another loses what they hold.
_CHAT_ALONE = frozenset(
    {"name", "refusal", "audio", "tool_calls", "function_call", "tool_call_id", "reasoning", "reasoning_content"}
)
#: By what a caller may write in the place of a format, too: a member of `Format` is equal to its name.
_BY_NAME: dict[str, Provider] = {str(name): provider for name, provider in PROVIDERS.items()}
_SHOWN_BY = tuple((name, provider.is_shown_by) for name, provider in PROVIDERS.items() if name is not PLAINEST)


def read_native(message_format: str, data: Mapping[str, Any]) -> Message:
    """Return the message that `data` is in that format.

    Raises `UnknownVersion` for a format that this release doesn't read, `Invalid` for data of the wrong shape.
    """
    provider = _provider(message_format)
    if not isinstance(data, (dict, Mapping)):  # dict first: asking the abstract class is slow
        raise wrong("message", "an object with role and content", data)
    return provider.read_message(data)


def write_context(messages: Sequence[Message], message_format: str) -> list[dict[str, Any]]:
    """Return the messages as JSON values of that format, ready to send to a provider.

    A message that came in the same format is written unchanged, any other as far as it crosses: see `conversion`.
    Nothing is copied: what is returned shares its values with the messages, so read it and leave it as it is.
    """
    return _provider(message_format).write_messages(messages, carry)


def detect_format(data: Mapping[str, Any]) -> Format:
    """Return the format of a bare message. Never raises: whatever is none of the others is OpenAI chat's to refuse."""
    for message_format, is_shown_by in _SHOWN_BY:
        if is_shown_by(data):
            return message_format
    return PLAINEST


def shown_format(messages: Iterable[Mapping[str, Any]]) -> Format | None:
    """Return the provider's format that some messages of a conversation show, if it is one alone.

    Any of them may be OpenAI chat.
    """
    shown = {detect_format(data) for data in messages} - SHOWING_NOTHING
    return shown.pop() if len(shown) == 1 else None


def read_among(data: Mapping[str, Any], shown: Format | None) -> Message:
    """Return a bare message of a conversation that shows a format: as that, where the message could be of any.

    Raises as `read_native` does.
    """
    own = detect_format(data)
    says_nothing = own is PLAINEST or data.get("parts") == []
    if shown is not None and says_nothing and not _shows_chat(data, shown):
        try:
            return read_native(shown, data)
        except PoisonEvent:
            pass  # of another format than the rest, or of none: its own shape says
    return read_native(own, data)


def _shows_chat(data: Mapping[str, Any], among: Format) -> bool:
    """Return whether a message has what OpenAI's chat has and that format has not.

    Read as that, it would be lost, or sent to an API that refuses it.
    """
    return not data.keys().isdisjoint(_CHAT_ALONE) or PROVIDERS[among].lacks_place_for(data)


def _provider(message_format: str) -> Provider:
    return _BY_NAME.get(message_format) or PROVIDERS[format_named(message_format)]
