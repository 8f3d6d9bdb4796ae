"""Brings what a client publishes to the broker, in order, for as long as it takes; nobody waits here, only outside.

A message that was handed over once is sent until the broker has it or refuses it for good: over lost connections,
restarts and changed addresses. Sending one again is safe, because a worker recognises its id.
"""

import asyncio
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, MessageSizeTooLargeError, RecordListTooLargeError
from aiokafka.structs import RecordMetadata

from tailrace.schemas.errors import Invalid, TailraceError, Unavailable
from tailrace.schemas.records.kafka_records import InputRecord, Topic
from tailrace.streams.client.publication import Published
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import record_bytes_max

#: What may wait for a broker that is away: hours of conversations, and little beside what an agent holds anyway.
WAITING_BYTES_MAX: Final = 64 * 1024 * 1024
#: A record that is not acknowledged by then asks for a new connection: the broker may have another address by now.
STUCK_SECONDS: Final = 20.0
_LOOK_SECONDS: Final = 1.0
_PAUSES_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
#: Waiting for room in the producer's buffer, and for one answer of the broker.
_REQUEST_MS: Final = 10_000
_BATCH_BYTES: Final = 128 * 1024

#: Failures of the one message, not of the connection.
_REFUSED: Final = (MessageSizeTooLargeError, RecordListTooLargeError)


class Sendable(Protocol):
    """What can be sent: a message, or a signal."""

    @property
    def id(self) -> str: ...
    @property
    def thread(self) -> str: ...
    @property
    def key(self) -> tuple[str, ...]: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def record(self) -> InputRecord: ...


_Sent = TypeVar("_Sent", bound=Sendable)


@dataclass(frozen=True, slots=True, eq=False)
class Outgoing(Generic[_Sent]):
    """A message on its way. `delivered` gets its place in the log, or the reason why it never will have one."""

    publication: _Sent
    delivered: asyncio.Future[Published]

    @property
    def published(self) -> Published | None:
        """Its place in the log, None as long as it has none."""
        done = self.delivered.done() and not self.delivered.cancelled() and self.delivered.exception() is None
        return self.delivered.result() if done else None


@dataclass(slots=True)
class _Connection:
    """One producer, and what went wrong with it: what it reports late must not spoil its successor."""

    producer: AIOKafkaProducer
    failure: BaseException | None = None


class Delivery:
    """The way out of one client."""

    def __init__(self, settings: Settings, log: Any) -> None:
        """Prepare; nothing is sent before `run`."""
        self._settings = settings
        self._log = log
        self._topic = settings.topic(Topic.CONVERSATIONS)
        self._unacknowledged: dict[tuple[str, ...], Outgoing[Any]] = {}
        self._queue: deque[Outgoing[Any]] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._acknowledged_at_seconds = 0.0
        self.connected = False
        #: Why the broker could not be used last time.
        self.problem: str | None = None

    @property
    def waiting(self) -> int:
        """Number of messages that the broker has not acknowledged."""
        return len(self._unacknowledged)

    def hand_over(self, publication: _Sent) -> Outgoing[_Sent]:
        """Take a message. Raises Unavailable if too much is waiting already; the message is not taken then."""
        earlier = self._unacknowledged.get(publication.key)
        if earlier is not None:
            return earlier  # published again by a caller whose patience ended before
        if self._waiting_bytes and self._waiting_bytes + publication.size_bytes > WAITING_BYTES_MAX:
            raise Unavailable(
                f"{len(self._unacknowledged)} messages ({self._waiting_bytes} bytes) wait for the broker "
                f"already: {self.reason}"
            )
        outgoing = Outgoing(publication, asyncio.get_running_loop().create_future())
        if not self._unacknowledged:
            self._acknowledged_at_seconds = asyncio.get_running_loop().time()
        self._unacknowledged[publication.key] = outgoing
        self._waiting_bytes += publication.size_bytes
        self._queue.append(outgoing)
        self._wake.set()
        return outgoing

    @property
    def reason(self) -> str:
        """Why something is not delivered yet, in words."""
        if self.connected:
            return "the broker has not acknowledged it"
        return self.problem or "there is no connection to the broker yet"

    async def run(self) -> None:
        """Send for ever; connect again whenever the connection is lost."""
        failures = 0
        while True:
            try:
                async with clients.producer(self._settings, **self._options()) as producer:
                    await self._check_topic(producer)
                    self.connected, self.problem, failures = True, None, 0
                    await self._send_all(_Connection(producer))
            except Exception as error:  # noqa: BLE001  whatever it is, the next connection may not have it
                self.problem = str(error) if isinstance(error, TailraceError) else repr(error)
                self._log.warning("client.delivery_lost", error=self.problem, waiting=self.waiting)
            finally:
                self.connected = False
            await asyncio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures += 1

    async def flush(self, seconds: float) -> None:
        """Wait until everything is acknowledged, at most so long; not at all where there is no connection."""
        waiting = [outgoing.delivered for outgoing in self._unacknowledged.values()]
        if waiting and self.connected:
            await asyncio.wait(waiting, timeout=seconds)

    def _options(self) -> dict[str, Any]:
        return {
            "acks": "all",
            "enable_idempotence": True,
            "linger_ms": 0,
            "max_batch_size": _BATCH_BYTES,
            "max_request_size": record_bytes_max(self._settings),
            "request_timeout_ms": _REQUEST_MS,
        }

    async def _check_topic(self, producer: AIOKafkaProducer) -> None:
        # Asked for all topics, not for this one: a request that names a topic creates it on a broker with
        # auto-creation.
        metadata = await producer.client.fetch_all_metadata()
        if metadata.partitions_for_topic(self._topic) is None:
            raise Unavailable(f"topic {self._topic} is not there. Run: tailrace topics apply")

    async def _send_all(self, connection: _Connection) -> None:
        """Send what is not acknowledged and all that comes; returns only by an exception."""
        self._queue = deque(self._unacknowledged.values())
        self._acknowledged_at_seconds = asyncio.get_running_loop().time()
        while True:
            while self._queue and connection.failure is None:
                await self._send(connection, self._queue.popleft())
            if connection.failure is not None:
                raise connection.failure
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                self._check_progress()
            self._wake.clear()

    async def _send(self, connection: _Connection, outgoing: Outgoing[Any]) -> None:
        if outgoing.delivered.done():
            return
        record = outgoing.publication.record
        try:
            delivery = await connection.producer.send(
                self._topic,
                value=record.value,
                key=record.key,
                timestamp_ms=record.timestamp_ms,
                headers=list(record.headers),
            )
        except _REFUSED as error:
            self._refuse(outgoing, error)
            return
        delivery.add_done_callback(partial(self._on_delivery, outgoing, connection))

    def _on_delivery(
        self, outgoing: Outgoing[Any], connection: _Connection, delivery: asyncio.Future[RecordMetadata]
    ) -> None:
        if delivery.cancelled():
            return
        error = delivery.exception()
        if isinstance(error, _REFUSED):
            self._refuse(outgoing, error)
        elif error is not None:
            # An idempotent producer that lost one batch counts wrong from then on: it has to be replaced.
            connection.failure = error
            self._wake.set()
        else:
            place = delivery.result()
            published = Published(
                event_id=outgoing.publication.id,
                thread=outgoing.publication.thread,
                partition=place.partition,
                offset=place.offset,
            )
            self._acknowledged_at_seconds = asyncio.get_running_loop().time()
            self._forget(outgoing)
            if not outgoing.delivered.done():
                outgoing.delivered.set_result(published)

    def _refuse(self, outgoing: Outgoing[Any], error: KafkaError) -> None:
        self._forget(outgoing)
        self._log.warning("client.message_refused", thread=outgoing.publication.thread, error=repr(error))
        if not outgoing.delivered.done():
            outgoing.delivered.set_exception(Invalid(f"the broker refuses the message for its size: {error}"))
            outgoing.delivered.exception()  # seen: nobody may be waiting any more

    def _forget(self, outgoing: Outgoing[Any]) -> None:
        # An acknowledgement of a former connection may come late, when the message has been published anew.
        if self._unacknowledged.get(outgoing.publication.key) is outgoing:
            del self._unacknowledged[outgoing.publication.key]
            self._waiting_bytes -= outgoing.publication.size_bytes

    def _check_progress(self) -> None:
        silent_seconds = asyncio.get_running_loop().time() - self._acknowledged_at_seconds
        if self._unacknowledged and silent_seconds > STUCK_SECONDS:
            raise Unavailable(f"the broker has acknowledged nothing for {silent_seconds:.0f} s")
