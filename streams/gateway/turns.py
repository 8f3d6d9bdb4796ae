"""One request of an agent as a turn of a thread.

What is new in it is published, and a context takes the place of the rest.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec
import structlog
import uuid_utils
from msgspec import Struct

from tailrace.agents.identity.chain import Link, Scope, chain_of, continued, head_of
from tailrace.agents.identity.continuation import Continuation, continuation_of
from tailrace.agents.identity.swap import Swapped, swapped
from tailrace.schemas.errors import PoisonEvent, TailraceError
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.signal import Overflow
from tailrace.streams.client.client import Client
from tailrace.streams.client.context import Context
from tailrace.streams.client.publication import PublishOptions
from tailrace.streams.gateway.dialect import Answer, Dialect
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.patience import Patience
from tailrace.streams.settings.gateway import GatewaySettings

log = structlog.get_logger("tailrace.gateway")

#: What a thread that a caller named is called where it forks, before a few characters of its own.
_FORK: Final = "~"


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


class Turn(Struct, frozen=True, kw_only=True):
    """A request that belongs to a thread."""

    thread: str
    dialect: Dialect
    caller: Caller
    body: dict[str, Any]
    links: tuple[Link, ...]
    #: Name of the thread's last message with this request.
    head_id: str
    #: What it added, on its way to the log.
    delivered: tuple[asyncio.Future[Any], ...] = ()

    @property
    def model(self) -> str | None:
        """The model that is asked."""
        model = self.body.get("model")
        return model if isinstance(model, str) and model else None


class OutgoingTurn(Struct, frozen=True, kw_only=True):
    """What to send to the provider; `body` is None where the bytes go on as they came."""

    verdict: TurnVerdict
    reason: str = ""
    turn: Turn | None = None
    body: dict[str, Any] | None = None


class GatewayTurns:
    """Takes requests for turns of threads."""

    def __init__(self, settings: GatewaySettings, client: Client, heads: HeadsFile) -> None:
        """Use a client that is running."""
        self._settings = settings
        self._client = client
        self._heads = heads
        self._patience = Patience(settings.context_wait_ms)

    async def take(self, dialect: Dialect, caller: Caller, body: dict[str, Any]) -> OutgoingTurn:
        """Publish what a request adds to its thread, and say what to send.

        Never raises for what Kafka or a worker does.
        """
        if (field := dialect.held_by(body)) is not None:
            return OutgoingTurn(verdict=TurnVerdict.PASSED, reason=f"the provider holds the conversation ({field})")
        try:
            turn = await self._begun(dialect, caller, body)
        except PoisonEvent as error:
            return OutgoingTurn(verdict=TurnVerdict.PASSED, reason=f"unreadable: {error}")
        except TailraceError as error:
            return OutgoingTurn(verdict=TurnVerdict.PASSED, reason=f"not published: {error}")
        if turn is None:
            return OutgoingTurn(verdict=TurnVerdict.PASSED, reason="no message")
        context = await self._client.context(turn.thread, timeout_ms=self._patience.wait_ms, format=dialect.format)
        self._patience.learn(answered=context.complete)
        if not context.complete:
            return OutgoingTurn(verdict=TurnVerdict.PASSED, reason="no context in time", turn=turn)
        return self._outgoing(turn, context)

    async def again(self, turn: Turn, overflow: Overflow) -> OutgoingTurn | None:
        """What to send after a provider refused a request as too long; None where there is nothing smaller."""
        try:
            await self._client.signal(
                turn.thread, overflow, tenant=turn.caller.tenant, timeout_ms=self._settings.context_wait_ms
            )
        except TailraceError as error:
            log.warning("gateway.overflow_unreported", thread=turn.thread, error=str(error))
        context = await self._client.context(
            turn.thread, timeout_ms=self._settings.context_wait_ms, format=turn.dialect.format
        )
        outgoing = self._outgoing(turn, context)
        return outgoing if outgoing.body is not None else None

    async def answered(self, turn: Turn, answer: Answer) -> None:
        """Publish what the model said, once the log has what it was asked.

        Waits a bounded time; what is late is sent later.
        """
        head = next(link for link in reversed(turn.links) if link.id == turn.head_id)
        links = continued(head, answer.messages)
        last = head_of(links)
        if last is None or not self._heads.move(turn.thread, turn.head_id, last.id):
            log.info("gateway.answer_left", thread=turn.thread)  # another request has continued the thread meanwhile
            await self.settled(turn)
            return
        options = _options(turn, links)
        options[-1][1]["usage"] = answer.usage
        answered = msgspec.structs.replace(turn, head_id=last.id)
        await self.settled(await self._publish(answered, options))

    async def settled(self, turn: Turn) -> None:
        """Wait a bounded time until the log has what the turn added; from then on a restart knows the thread again."""
        waiting = [future for future in turn.delivered if not future.done()]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=self._patience.wait_ms / 1000)
            self._patience.learn(answered=not late)
            if late:
                log.warning("gateway.undelivered", thread=turn.thread, messages=len(late))
                return
        if all(future.exception() is None for future in turn.delivered):
            self._heads.settle(turn.thread, turn.head_id)

    async def _begun(self, dialect: Dialect, caller: Caller, body: dict[str, Any]) -> Turn | None:
        links = chain_of(_scope(dialect, caller), dialect.conversation(body))
        continuation = continuation_of(links, self._heads.threads_of([link.id for link in links if link.counts]))
        if continuation.next_head_id is None:
            return None
        thread = self._placed(continuation, caller)
        turn = Turn(
            thread=thread, dialect=dialect, caller=caller, body=body, links=links, head_id=continuation.next_head_id
        )
        return await self._publish(turn, _options(turn, continuation.added))

    async def _publish(self, turn: Turn, messages: Sequence[tuple[Message, PublishOptions]]) -> Turn:
        try:
            handed = await self._client.begin_publishing(turn.thread, messages)
        except BaseException:
            # The thread lacks what its head names: the next request must begin another.
            self._heads.forget(turn.thread)
            raise
        return msgspec.structs.replace(turn, delivered=(*turn.delivered, *(outgoing.delivered for outgoing in handed)))

    def _placed(self, continuation: Continuation, caller: Caller) -> str:
        """The thread that a request belongs to; from now on it ends with the request's last message."""
        head_id = continuation.next_head_id or ""
        thread_before, head_before = continuation.thread, continuation.head_id
        if (
            thread_before is not None
            and head_before is not None
            and self._heads.move(thread_before, head_before, head_id)
        ):
            return thread_before
        thread = caller.thread if caller.thread and not self._heads.knows(caller.thread) else _new_thread(caller)
        self._heads.begin(thread, head_id)
        return thread

    def _outgoing(self, turn: Turn, context: Context) -> OutgoingTurn:
        sent = swapped(turn.links, context.entries)
        if sent is None:
            return OutgoingTurn(
                verdict=TurnVerdict.PASSED, reason="the context is another's or lacks the last message", turn=turn
            )
        if sent.unchanged:
            return OutgoingTurn(verdict=TurnVerdict.ORIGINAL, turn=turn)
        return OutgoingTurn(verdict=TurnVerdict.COMPACTED, turn=turn, body=_body(turn, sent))


def _body(turn: Turn, sent: Swapped) -> dict[str, Any]:
    return turn.dialect.with_messages(turn.body, sent.messages)


def _scope(dialect: Dialect, caller: Caller) -> Scope:
    return Scope(tenant=caller.tenant, key_hash=caller.key_hash, dialect=dialect.format, thread=caller.thread)


def _options(turn: Turn, links: Iterable[Link]) -> list[tuple[Message, PublishOptions]]:
    caller = turn.caller
    return [
        (
            link.message,
            PublishOptions(
                id=link.id,
                tenant=caller.tenant,
                model=turn.model,
                agent=caller.agent,
                parent_thread=caller.parent_thread,
            ),
        )
        for link in links
    ]


def _new_thread(caller: Caller) -> str:
    own = str(uuid_utils.uuid7())
    return check_id(f"{caller.thread}{_FORK}{own[-8:]}", "thread") if caller.thread else f"gw-{own}"


def key_hash(key: bytes) -> str:
    """Tells callers apart without keeping their keys."""
    return hashlib.blake2b(key, digest_size=16, person=b"tailrace-gateway").hexdigest()
