"""Requests of agents taken for turns of threads.

What is new in a request is published, and a context takes the place of the rest.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import structlog
import uuid_utils

from tailrace.agents.identity.chain import Link, chain_of, continued, head_of
from tailrace.agents.identity.continuation import Continuation, continuation_of
from tailrace.agents.identity.swap import Mismatch, is_foreign, swapped
from tailrace.schemas.errors import PoisonEvent, TailraceError
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.signal import Overflow
from tailrace.streams.client.context import Context
from tailrace.streams.client.publication import PublishOptions
from tailrace.streams.gateway.dialect import Answer, Dialect
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.turn import Caller, OutgoingTurn, ThreadLog, Turn, TurnVerdict
from tailrace.streams.settings.gateway import GatewaySettings

log = structlog.get_logger("tailrace.gateway")

#: What a thread that a caller named is called where it forks, before a few characters of its own.
_FORK: Final = "~"


class GatewayTurns:
    """Takes requests for turns of threads."""

    def __init__(self, settings: GatewaySettings, client: ThreadLog, heads: HeadsFile) -> None:
        """Use a client that is running."""
        self._settings = settings
        self._client = client
        self._heads = heads

    async def take(self, dialect: Dialect, caller: Caller, body: dict[str, Any]) -> OutgoingTurn:
        """Publish what a request adds to its thread, and say what to send.

        Never raises for what Kafka or a worker does.
        """
        if (field := dialect.held_by(body)) is not None:
            return _passed(f"the provider holds the conversation ({field})")
        try:
            turn = await self._begun(dialect, caller, body)
            return await self._swapped(turn) if turn is not None else _passed("no message")
        except PoisonEvent as error:
            return _passed(f"unreadable: {error}")
        except TailraceError as error:
            return _passed(f"not published: {error}")
        except Exception as error:
            # An agent never stops because of us. What fails here is a defect, and the log says where.
            log.exception("gateway.failed", thread=caller.thread)
            return _passed(f"failed: {type(error).__name__}")

    async def _swapped(self, turn: Turn) -> OutgoingTurn:
        context = await self._client.context(turn.thread, format=turn.dialect.format)
        if not context.complete:
            return _passed("no context in time", turn)
        await self.settled(turn)
        return self._outgoing(turn, context)

    async def looked_up(self, dialect: Dialect, caller: Caller, body: dict[str, Any]) -> dict[str, Any] | None:
        """The request as a turn with its messages would be sent; None where that is as it came. Publishes nothing."""
        try:
            links = chain_of(caller.scope(dialect), dialect.conversation(body))
        except PoisonEvent:
            return None
        continuation = self._continuation(links)
        if continuation.thread is None:
            return None
        context = await self._client.context(continuation.thread, format=dialect.format)
        earlier = links[: len(links) - len(continuation.added)]
        sent = swapped(earlier, context.entries, context.departed) if context.complete else Mismatch.LACKING
        if isinstance(sent, Mismatch) or sent.unchanged:
            return None
        return dialect.with_messages(body, [*sent.messages, *(link.message for link in continuation.added)])

    async def again(self, turn: Turn, overflow: Overflow) -> OutgoingTurn | None:
        """What to send after a provider refused a request as too long; None where there is nothing smaller."""
        try:
            await self._client.signal(
                turn.thread,
                overflow,
                tenant=turn.caller.tenant,
                timeout_ms=self._settings.context_wait_ms,
                actor=turn.caller.actor,
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
        links = continued(turn.head, answer.messages)
        last = head_of(links)
        if last is None or not self._heads.move(turn.thread, turn.head, last):
            log.info("gateway.answer_left", thread=turn.thread)  # another request has continued the thread meanwhile
            await self.settled(turn)
            return
        options = turn.publishable(links)
        options[-1][1]["usage"] = answer.usage
        await self.settled(await self._publish(msgspec.structs.replace(turn, head=last), options))

    async def settled(self, turn: Turn) -> None:
        """Wait a bounded time until the log has what the turn added; from then on a restart knows the thread again."""
        waiting = [future for future in turn.delivered if not future.done()]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=self._client.delivery_wait_ms(turn.thread) / 1000)
            if late:
                log.warning("gateway.undelivered", thread=turn.thread, messages=len(late))
                return
        if all(future.exception() is None for future in turn.delivered):
            self._heads.settle(turn.thread, turn.head)
        else:
            # The log lacks what the head names: the next request must begin another thread.
            self._heads.forget(turn.thread, turn.head)

    async def _begun(self, dialect: Dialect, caller: Caller, body: dict[str, Any]) -> Turn | None:
        links = chain_of(caller.scope(dialect), dialect.conversation(body))
        is_free = not caller.thread or self._heads.knows(caller.thread) or await self._is_free(caller.thread, links)
        continuation = self._continuation(links)
        if continuation.next_head is None:
            return None
        thread = self._placed(continuation, continuation.next_head, caller, named_is_free=is_free)
        turn = Turn(thread=thread, dialect=dialect, caller=caller, body=body, links=links, head=continuation.next_head)
        return await self._publish(turn, turn.publishable(continuation.added))

    def _continuation(self, links: Sequence[Link]) -> Continuation:
        return continuation_of(links, self._heads.heads_at([link.id for link in links if link.counts]))

    async def _publish(self, turn: Turn, messages: Sequence[tuple[Message, PublishOptions]]) -> Turn:
        try:
            handed = await self._client.begin_publishing(turn.thread, messages, actor=turn.caller.actor)
        except BaseException:
            # The thread lacks what its head names: the next request must begin another.
            self._heads.forget(turn.thread, turn.head)
            raise
        return msgspec.structs.replace(turn, delivered=(*turn.delivered, *(outgoing.delivered for outgoing in handed)))

    async def _is_free(self, thread: str, links: Sequence[Link]) -> bool:
        """Tell whether a thread that is not known here can take these messages: it is new, or holds none but these.

        Another gateway may have begun it, or this one before it lost its file.
        """
        context = await self._client.context(check_id(thread, "thread"))
        return not context.complete or not is_foreign(links, context.entries, context.departed)

    def _placed(self, continuation: Continuation, next_head: Link, caller: Caller, *, named_is_free: bool) -> str:
        """The thread that a request belongs to; from now on it ends with the request's last message."""
        before, head = continuation.thread, continuation.head
        if before is not None and head is not None and self._heads.move(before, head, next_head):
            return before
        takes_name = caller.thread and named_is_free and not self._heads.knows(caller.thread)
        thread = caller.thread if takes_name else _new_thread(caller)
        self._heads.begin(thread, next_head)
        return thread

    def _outgoing(self, turn: Turn, context: Context) -> OutgoingTurn:
        sent = swapped(turn.links, context.entries, context.departed)
        if isinstance(sent, Mismatch):
            if sent is Mismatch.FOREIGN:
                # What it goes on with belongs elsewhere, unless the thread itself has gone on meanwhile.
                self._heads.forget(turn.thread, turn.head)
            return _passed(sent, turn)
        if sent.unchanged:
            return OutgoingTurn(verdict=TurnVerdict.ORIGINAL, turn=turn)
        body = turn.dialect.with_messages(turn.body, sent.messages)
        return OutgoingTurn(verdict=TurnVerdict.COMPACTED, turn=turn, body=body)


def _passed(reason: str, turn: Turn | None = None) -> OutgoingTurn:
    return OutgoingTurn(verdict=TurnVerdict.PASSED, reason=reason, turn=turn)


def _new_thread(caller: Caller) -> str:
    own = str(uuid_utils.uuid7())
    return check_id(f"{caller.thread}{_FORK}{own[-8:]}", "thread") if caller.thread else f"gw-{own}"


def key_hash(key: bytes) -> str:
    """Tells callers apart without keeping their keys."""
    return hashlib.blake2b(key, digest_size=16, person=b"tailrace-gateway").hexdigest()
