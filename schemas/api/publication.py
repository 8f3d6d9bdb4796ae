"""Messages as the API takes them, and what it says of those that are in the log."""

from typing import Any

from msgspec import Struct

from tailrace.schemas.api.parameters import MessageFormat, ModelName, TenantName


class PublishQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for messages that don't say it themselves."""

    #: Model that will read the context: its window counts.
    model: ModelName | None = None
    tenant: TenantName | None = None
    #: By default it is recognised.
    format: MessageFormat | None = None


class PublishedMessage(Struct, frozen=True, kw_only=True):
    """Where a message stands in the log."""

    id: str
    thread: str
    partition: int
    #: -1 where only the broker knows it.
    offset: int


class PublishReply(Struct, frozen=True, kw_only=True):
    """The messages that the broker has, in their order."""

    published: tuple[PublishedMessage, ...]


#: One message, or several: bare ones of a provider, or envelopes.
PublishBody = dict[str, Any] | list[dict[str, Any]]
