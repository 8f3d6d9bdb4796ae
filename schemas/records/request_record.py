"""The request of a thread, whole, as one record of the topic `requests`."""

from typing import Any, Final

from msgspec import Struct

from tailrace.schemas.records.context import CoversThrough
from tailrace.schemas.records.message import Format

#: The topic's name behind the prefix. It is there only where somebody asks for it.
REQUESTS_TOPIC: Final = "requests"


class RequestRecord(Struct, frozen=True, kw_only=True):
    """What to send to a model for a thread; its key is the thread."""

    version: int = 1
    thread: str
    tenant: str
    model: str | None
    format: Format
    #: The arguments of the provider's call that carry the conversation.
    request: dict[str, Any]
    #: Why the provider would refuse it; None for what can be sent.
    problem: str | None
    tokens: int
    limit_tokens: int
    #: How often the thread was compacted.
    epoch: int
    #: The last message that is taken into account.
    covers_through: CoversThrough | None
