"""The context as an agent gets it: messages ready to send, how full the window is, and who says so."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from tailrace.agents.engine.request import Injection, render
from tailrace.agents.tokens.counts import count_message
from tailrace.agents.triggers.reactive import believed_limit
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.check import check_fits
from tailrace.schemas.records.context import CoversThrough, Totals
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.models.counters import counter_for


class ContextSource(StrEnum):
    """Who put a context together."""

    #: A worker: complete up to what was asked for.
    TAILRACE = "tailrace"
    #: The client, from the last it knew and what it published itself, because a worker's was not there in time.
    LOCAL = "local"


class Context(Struct, frozen=True, kw_only=True):
    """The context of a thread at one moment."""

    thread: str
    tenant: str
    messages: tuple[Message, ...]
    #: What the messages cost, with the start of the reply.
    tokens: int
    limit_tokens: int
    window_tokens: int
    model: str | None
    #: How often the thread was compacted; -1 before its first message.
    epoch: int
    #: Last event that a worker has taken into account; None before the first.
    covers_through: CoversThrough | None
    totals: Totals
    source: ContextSource
    format: Format = Format.OPENAI_CHAT
    #: The same messages with the names and kinds of their entries.
    entries: tuple[ContextMessage, ...] = ()
    #: Hashes of the ids of the messages that have left it (`schemas.records.context.id_hash`).
    departed: frozenset[str] = frozenset()
    #: What `request` may inject.
    injection_reserve_tokens: int = 0

    @property
    def complete(self) -> bool:
        """Whether this is a worker's context, with everything that it had to include."""
        return self.source is ContextSource.TAILRACE

    def request(
        self,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
        *,
        inject: Sequence[Injection] = (),
        check: bool = True,
    ) -> dict[str, Any]:
        """Return the keyword arguments that carry the context in a provider's call; by default in its own `format`.

            client.chat.completions.create(model="gpt-4o", **context.request())
            request = context.request("anthropic.messages")
            anthropic.messages.create(model="claude-sonnet-4-5", max_tokens=1024, **request)

        `inject` is what you want to add to this one request, at its very end; no byte before it changes. What it costs
        must fit `policy.injection_reserve_tokens`: otherwise `InjectionTooLarge` is raised. See
        `tailrace.agents.engine.request`.

        Nothing is handed over that should not be sent: a context above its limit raises `OverBudget`, one that the
        provider would refuse `Unsendable`. Who only wants to look at it takes `messages`, or `check=False`.
        """
        if check:
            check_fits(f"thread {self.thread}", tokens=self.tokens, limit_tokens=self.limit_tokens)
        return render(
            self.messages,
            format or self.format,
            injections=inject,
            injection_reserve_tokens=self.injection_reserve_tokens,
            count=lambda message: count_message(message, counter_for(self.model)),
            check=check,
        )


def context_of(
    thread: str,
    view: ThreadView,
    policy: Policy,
    *,
    source: ContextSource = ContextSource.TAILRACE,
    message_format: Format = Format.OPENAI_CHAT,
) -> Context:
    """Return the context that a view holds; empty where nothing was said yet."""
    head = view.head
    entries = tuple(
        ContextMessage(entry.id, entry.kind, message, entry.sources)
        for entry, message in zip(view.live(), view.messages(), strict=True)
    )
    return Context(
        thread=thread,
        tenant=head.tenant if head else DEFAULT_TENANT,
        messages=tuple(entry.message for entry in entries),
        tokens=context_tokens(view),
        limit_tokens=limit_tokens(view, policy),
        window_tokens=view.believed_tokens(view.window_tokens or policy.default_window_tokens),
        model=view.model,
        epoch=view.epoch,
        covers_through=view.covers,
        totals=view.totals,
        source=source,
        format=message_format,
        entries=entries,
        departed=frozenset(view.departed),
        injection_reserve_tokens=policy.injection_reserve_tokens,
    )


def context_tokens(view: ThreadView) -> int:
    """Return what the context costs in tokens, with the start of the reply; 0 where there is none."""
    return view.request_tokens if view.entries else 0


def limit_tokens(view: ThreadView, policy: Policy) -> int:
    """Return what the thread's context may cost: as its worker says, unless the model has changed since."""
    head = view.head
    if head is not None and head.window_tokens == view.window_tokens:
        return head.limit_tokens
    return believed_limit(policy, view.standing, view.model, view.window_tokens or policy.default_window_tokens)
