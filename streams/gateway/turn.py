"""A request of an agent as the turn of a thread that it is, and what is to be sent for it."""

import asyncio
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from tailrace.agents.identity.chain import Link, Scope
from tailrace.schemas.records.actor import Actor
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.signal import Overflow
from tailrace.streams.client.context import Context
from tailrace.streams.client.delivery import Outgoing
from tailrace.streams.client.publication import Publication, Published, PublishOptions
from tailrace.streams.gateway.dialect import Dialect


class ThreadLog(Protocol):
    """What a turn asks of Kafka and the workers: a `Client` is one."""

    async def begin_publishing(
        self, thread: str, messages: Iterable[tuple[Message, PublishOptions]], *, actor: Actor | None = ...
    ) -> Sequence[Outgoing[Publication]]:
        """Hand messages over."""

    async def signal(
        self,
        thread: str,
        what: Overflow,
        *,
        tenant: str = ...,
        timeout_ms: int | None = None,
        actor: Actor | None = ...,
    ) -> Published:
        """Tell a thread that a provider has refused it."""

    async def context(
        self,
        thread: str,
        *,
        timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the client's name for it
    ) -> Context:
        """Return the thread's context, with all that was handed over."""

    def delivery_wait_ms(self, thread: str) -> int:
        """Return how long to wait now until the log has what was handed over."""


class TurnVerdict(StrEnum):
    """What became of a request."""

    #: Nothing had to change: the bytes went on as they came.
    ORIGINAL = "original"
    #: The context of the thread was sent.
    COMPACTED = "compacted"
    #: The request went on as it came, because it could not be taken for a turn of a thread.
    PASSED = "passed"


class Caller(Struct, frozen=True, kw_only=True):
    """Who asks, as far as the request's headers say."""

    key_hash: str
    tenant: str = DEFAULT_TENANT
    #: Thread, agent and parent thread, where the caller names them.
    thread: str = ""
    agent: str | None = None
    parent_thread: str | None = None
    #: Who the caller's token says it is, for the audit; None without a token.
    actor: Actor | None = None

    def scope(self, dialect: Dialect) -> Scope:
        """Whose conversations may continue one another."""
        return Scope(tenant=self.tenant, key_hash=self.key_hash, dialect=dialect.format, thread=self.thread)


class Turn(Struct, frozen=True, kw_only=True):
    """A request that belongs to a thread."""

    thread: str
    dialect: Dialect
    caller: Caller
    body: dict[str, Any]
    links: tuple[Link, ...]
    #: The thread's last message with this request.
    head: Link
    #: What it added, on its way to the log.
    delivered: tuple[asyncio.Future[Any], ...] = ()

    @property
    def model(self) -> str | None:
        """The model that is asked."""
        model = self.body.get("model")
        return model if isinstance(model, str) and model else None

    def publishable(self, links: Iterable[Link]) -> list[tuple[Message, PublishOptions]]:
        """Messages of the thread with all that is known of them, under their names."""
        caller = self.caller
        return [
            (
                link.message,
                PublishOptions(
                    id=link.id,
                    tenant=caller.tenant,
                    model=self.model,
                    agent=caller.agent,
                    parent_thread=caller.parent_thread,
                ),
            )
            for link in links
        ]


class OutgoingTurn(Struct, frozen=True, kw_only=True):
    """What to send to the provider; `body` is None where the bytes go on as they came."""

    verdict: TurnVerdict
    reason: str = ""
    turn: Turn | None = None
    body: dict[str, Any] | None = None
