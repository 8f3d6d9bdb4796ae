"""Contexts and threads as the API gives them."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.api.parameters import (
    MessageFormat,
    MessageId,
    ModelName,
    TenantName,
    ThreadNames,
    WaitMs,
)
from tailrace.schemas.records.context import CoversThrough, EntryKind, Totals
from tailrace.schemas.records.message import Format


class ContextQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a context is asked for."""

    #: The API that `request` is for.
    format: MessageFormat = Format.OPENAI_CHAT
    covers: MessageId | None = None
    #: By default `client.context_wait_ms`.
    wait_ms: WaitMs | None = None
    check: Annotated[
        bool,
        Meta(
            description="Refuse a context that is above its limit, or that the provider would refuse.", examples=[True]
        ),
    ] = True


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

    search: Annotated[
        str,
        Meta(
            description="Only threads whose id holds this; upper and lower case are the same.",
            max_length=256,
            examples=["t1"],
        ),
    ] = ""
    agent: Annotated[str, Meta(description="Only threads of this agent.", examples=["planner"])] | None = None
    model: ModelName | None = None
    tenant: TenantName | None = None
    limit: Annotated[int, Meta(description="So many threads at most.", ge=1, le=500, examples=[50])] = 50
    after: Annotated[
        str, Meta(description="`next` of the page before.", max_length=1_024, examples=["WzE3NjAwMDAwMDAwMDAsInQxIl0="])
    ] = ""


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

    #: The stream begins with these threads as they are now. Without any, whatever changes from now on.
    thread: ThreadNames = ()
    #: Send the whole context in this format with each event.
    format: MessageFormat | None = None
    tenant: TenantName | None = None
