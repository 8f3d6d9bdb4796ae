"""The context of a thread as a client over HTTP gets it.

Messages with their ids, written for a provider without asking again.
"""

from typing import Any, Final

from msgspec import Struct

from tailrace.schemas.api.context import ContextReply
from tailrace.schemas.decoder import decoder
from tailrace.schemas.providers.check import check_fits, check_sendable
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.context import CoversThrough, Totals
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.message import Format, Message, message_from_json


class HttpContext(Struct, frozen=True, kw_only=True):
    """The context of a thread at one moment, up to `covers_through`."""

    thread: str
    tenant: str
    model: str | None
    #: What the messages cost, with the start of the reply.
    tokens: int
    limit_tokens: int
    window_tokens: int
    #: How often the thread was compacted.
    epoch: int
    covers_through: CoversThrough | None
    totals: Totals
    #: Names the state: equal ones are equal contexts.
    etag: str
    #: The messages with the names and kinds of their entries.
    entries: tuple[ContextMessage, ...]

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages in their order."""
        return tuple(entry.message for entry in self.entries)

    def request(
        self,
        format: Format | str = Format.OPENAI_CHAT,  # noqa: A002  the name that the records have for it
        *,
        check: bool = True,
    ) -> dict[str, Any]:
        """Return the keyword arguments that carry the context in a provider's call.

        Raises `OverBudget` for a context above its limit, `Unsendable` for one that the provider would refuse;
        `check=False` gives them all the same.
        """
        request = request_of(self.messages, format)
        if check:
            check_fits(f"thread {self.thread}", tokens=self.tokens, limit_tokens=self.limit_tokens)
            if self.entries:
                check_sendable(request, format)
        return request


_decode: Final = decoder(ContextReply)


def context_in(body: bytes, etag: str) -> HttpContext:
    """Return the context in a response, which has to be in the format tailrace/1."""
    return context_of_reply(_decode(body), etag)


def context_of_reply(reply: ContextReply, etag: str) -> HttpContext:
    """Return the context that a reply in the format tailrace/1 holds."""
    messages = map(message_from_json, reply.request["messages"])
    return HttpContext(
        thread=reply.thread,
        tenant=reply.tenant,
        model=reply.model,
        tokens=reply.tokens,
        limit_tokens=reply.limit_tokens,
        window_tokens=reply.window_tokens,
        epoch=reply.epoch,
        covers_through=reply.covers_through,
        totals=reply.totals,
        etag=etag,
        entries=tuple(
            ContextMessage(entry.id, entry.kind, message, entry.sources)
            for entry, message in zip(reply.entries, messages, strict=True)
        ),
    )
