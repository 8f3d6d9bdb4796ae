"""Contexts and threads as the API gives them."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.records.context import CoversThrough, EntryKind, Totals
from tailrace.schemas.records.message import Format

#: Longest time that a request may wait for a worker.
WAIT_MS_MAX = 60_000

WaitMs = Annotated[int, Meta(ge=0, le=WAIT_MS_MAX)]


class ContextQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a context is asked for."""

    #: The API that `request` is for.
    format: Format = Format.OPENAI_CHAT
    #: Id of a message that has to be in it, or to be refused, before the answer comes.
    covers: str | None = None
    #: How long to wait for that; by default `client.context_wait_ms`.
    wait_ms: WaitMs | None = None
    #: Refuse a context that is above its limit, or that the provider would refuse.
    check: bool = True


class ContextEntry(Struct, frozen=True, kw_only=True):
    """One message of a context. With `format=tailrace/1` it stands at the same place in `request.messages`."""

    id: str
    kind: EntryKind
    role: str
    tokens: int
    turn: int
    pinned: bool
    #: Messages that it stands for.
    sources: tuple[str, ...]


class ContextReply(Struct, frozen=True, kw_only=True):
    """The context of a thread, ready to send."""

    thread: str
    tenant: str
    model: str | None
    #: What it costs, with the start of the reply.
    tokens: int
    limit_tokens: int
    window_tokens: int
    #: How often the thread was compacted.
    epoch: int
    #: The last message that it takes into account.
    covers_through: CoversThrough | None
    totals: Totals
    format: Format
    #: Arguments of the provider's call: `messages`, `input`, `system`, `contents`.
    request: dict[str, Any]
    #: The messages in their order, with what Tailrace knows of each.
    entries: tuple[ContextEntry, ...]


class ThreadsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which threads are listed."""

    #: Only those whose id holds this; upper and lower case are the same.
    search: Annotated[str, Meta(max_length=256)] = ""
    agent: str | None = None
    model: str | None = None
    #: Only of this tenant, for callers who see several.
    tenant: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    #: `next` of the page before.
    after: Annotated[str, Meta(max_length=1_024)] = ""


class ThreadSummary(Struct, frozen=True, kw_only=True):
    """What one line says about a thread."""

    thread: str
    tenant: str
    model: str | None
    agent: str | None
    parent_thread: str | None
    #: Said since the thread began, compacted or not.
    messages: int
    tokens_said: int
    #: In the context now.
    messages_live: int
    tokens: int
    limit_tokens: int
    compactions: int
    #: When something was said last.
    last_at_ms: int


class ThreadsReply(Struct, frozen=True, kw_only=True):
    """A page of threads, those first in which something was said last."""

    threads: tuple[ThreadSummary, ...]
    #: For `after` of the next page; None on the last.
    next: str | None


class ContextNotice(Struct, frozen=True, kw_only=True):
    """The data of an event `context` in a stream: a thread has changed."""

    thread: str
    #: As the ETag of the context says it.
    etag: str
    tokens: int
    limit_tokens: int
    epoch: int
    covers_through: CoversThrough | None
    #: The whole context, where a format was asked for.
    context: ContextReply | None = None


class FollowQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which threads a stream follows."""

    #: Ids of threads, once for each: the stream begins with them as they are now. Without any, whatever changes from
    #: now on.
    thread: Annotated[tuple[str, ...], Meta(max_length=1_000)] = ()
    #: Send the whole context in this format with each event.
    format: Format | None = None
    #: Only of this tenant, for callers who see several.
    tenant: str | None = None
