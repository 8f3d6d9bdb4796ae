"""Kafka clients that start and stop within a deadline, or say why not and what to do.

aiokafka waits for ever when a broker goes away (aiokafka#1101), and leaves the reason why it can't connect to its log.
Here every client gets the same address and login, a limit in time, and an error that a person can act on.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeAlias

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaConnectionError, KafkaError

from tailrace.schemas.errors import Unavailable
from tailrace.streams.kafka.security import connection_options, faust_credentials
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.settings.settings import Settings, cache_dir

__all__ = [
    "START_SECONDS_MAX",
    "STOP_SECONDS_MAX",
    "KafkaClient",
    "admin",
    "bootstrap_servers",
    "compression_type",
    "connection_options",
    "consumer",
    "faust_credentials",
    "local_broker_of",
    "producer",
    "reachable",
    "start_client",
    "stop_client",
    "unreachable",
]

#: A broker in reach answers in milliseconds; one that is just starting may take seconds.
START_SECONDS_MAX: Final = 10.0
#: Nothing of ours is pending when a client stops: every delivery was awaited before.
STOP_SECONDS_MAX: Final = 5.0
_ABANDON_SECONDS_MAX: Final = 1.0

_LOGGER = logging.getLogger("aiokafka")

KafkaClient: TypeAlias = AIOKafkaProducer | AIOKafkaConsumer | AIOKafkaAdminClient


def local_broker_of(settings: Settings) -> LocalBroker:
    """Return the broker that `tailrace broker start` runs with these settings."""
    return LocalBroker(data_dir=settings.data_dir / "broker", cache_dir=cache_dir())


def compression_type(settings: Settings) -> str | None:
    """Return what producers do to batches, as aiokafka and Faust name it."""
    chosen = settings.topics.compression
    return None if chosen == "none" else chosen


def bootstrap_servers(settings: Settings) -> str:
    """Address of the broker: the one that is set, else that of the local broker.

    Raises Unavailable if there is none.
    """
    if settings.broker:
        return settings.broker
    status = local_broker.status(local_broker_of(settings))
    if status.bootstrap_servers is None:
        raise Unavailable(
            "no broker: run `tailrace broker start` for one on this machine, or set TAILRACE_BROKER=host:port"
        )
    return status.bootstrap_servers


@asynccontextmanager
async def producer(
    settings: Settings, *, seconds_max: float = START_SECONDS_MAX, **options: Any
) -> AsyncIterator[AIOKafkaProducer]:
    """Yield a started aiokafka producer; `options` are its own. Raises Unavailable if the broker can't be reached."""
    servers = await asyncio.to_thread(bootstrap_servers, settings)
    own = {**connection_options(settings), "compression_type": compression_type(settings), **options}
    client = AIOKafkaProducer(bootstrap_servers=servers, **own)
    async with _running(client, servers, seconds_max):
        yield client


@asynccontextmanager
async def consumer(
    settings: Settings, *topics: str, seconds_max: float = START_SECONDS_MAX, **options: Any
) -> AsyncIterator[AIOKafkaConsumer]:
    """Yield a started aiokafka consumer; `options` are its own. Raises Unavailable if the broker can't be reached."""
    servers = await asyncio.to_thread(bootstrap_servers, settings)
    client = AIOKafkaConsumer(*topics, bootstrap_servers=servers, **connection_options(settings), **options)
    async with _running(client, servers, seconds_max):
        yield client


@asynccontextmanager
async def admin(
    settings: Settings, *, seconds_max: float = START_SECONDS_MAX, **options: Any
) -> AsyncIterator[AIOKafkaAdminClient]:
    """Yield a started aiokafka admin client; `options` are its own.

    Raises Unavailable if the broker can't be reached.
    """
    servers = await asyncio.to_thread(bootstrap_servers, settings)
    client = AIOKafkaAdminClient(bootstrap_servers=servers, **connection_options(settings), **options)
    async with _running(client, servers, seconds_max):
        yield client


async def start_client(client: KafkaClient, servers: str, *, seconds_max: float = START_SECONDS_MAX) -> None:
    """Start any aiokafka client. Raises Unavailable, with the reason and what to do, if it doesn't start in time."""
    with _reasons(servers) as reasons:
        try:
            async with asyncio.timeout(seconds_max):
                await client.start()
        except (KafkaError, OSError, TimeoutError) as error:
            await stop_client(client)
            if isinstance(error, TimeoutError):
                reasons.append(f"no answer within {seconds_max:g} s")
            raise Unavailable(unreachable(servers, "; ".join(reasons) or str(error))) from error
        except BaseException:
            await stop_client(client)
            raise


async def stop_client(client: KafkaClient, *, seconds_max: float = STOP_SECONDS_MAX) -> None:
    """Stop any aiokafka client, in whatever state it is; gives up silently when that takes too long."""
    stop = client.close if isinstance(client, AIOKafkaAdminClient) else client.stop
    # In a task of its own: while a broker is away, a consumer's stop may raise the CancelledError of its inner tasks.
    stopping = asyncio.ensure_future(stop())
    try:
        await asyncio.wait({stopping}, timeout=seconds_max)
    finally:
        stopping.cancel()
    if not _succeeded(stopping):
        await _abandon(client)


def _succeeded(task: "asyncio.Future[None]") -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


def unreachable(servers: str, reason: str) -> str:
    """Text of an error about a broker that doesn't answer."""
    return (
        f"no Kafka broker can be used at {servers} ({reason}). Is it up? `tailrace broker status` tells for the "
        f"local one; "
        "for another, check TAILRACE_BROKER and the TAILRACE_SECURITY__* settings"
    )


@asynccontextmanager
async def reachable(settings: Settings) -> AsyncIterator[None]:
    """Run what starts clients of its own. Raises Unavailable, as ours do, where the broker goes away meanwhile."""
    try:
        yield
    except KafkaError as error:
        servers = await asyncio.to_thread(bootstrap_servers, settings)
        raise Unavailable(unreachable(servers, str(error))) from error


@asynccontextmanager
async def _running(client: KafkaClient, servers: str, seconds_max: float) -> AsyncIterator[None]:
    await start_client(client, servers, seconds_max=seconds_max)
    try:
        yield
    except KafkaError as error:
        raise Unavailable(f"the Kafka broker at {servers} did not do what was asked: {error!r}") from error
    finally:
        await stop_client(client)


async def _abandon(client: KafkaClient) -> None:
    """End what is left of a client whose stop waits for a broker that is gone; can go when aiokafka#1101 is fixed."""
    sender = getattr(client, "_sender", None)
    inner = getattr(client, "client", None) or getattr(client, "_client", None)
    pending = getattr(client, "_message_accumulator", None)
    if pending is not None:
        # Whoever still waits for a delivery is told, and so is the part of stop() that waits for all of them.
        pending.fail_all(KafkaConnectionError("given up: the producer was stopped while the broker was away"))
    closing = [asyncio.ensure_future(part.close()) for part in (sender, inner) if part is not None]
    await asyncio.wait(closing, timeout=_ABANDON_SECONDS_MAX)
    for task in closing:
        task.cancel()
        _succeeded(task)


class _Reasons(logging.Handler):
    def __init__(self, servers: str) -> None:
        super().__init__(logging.WARNING)
        self.servers = [server.strip() for server in servers.split(",")]
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        # Other clients of this process may be at work with other brokers.
        for server in self.servers:
            if server in text:
                self.texts.append(text.rpartition(f'"{server}": ')[2])


@contextmanager
def _reasons(servers: str) -> Iterator[list[str]]:
    """Collect what aiokafka logs about these servers: the only place where it says why it can't connect."""
    handler = _Reasons(servers)
    _LOGGER.addHandler(handler)
    try:
        yield handler.texts
    finally:
        _LOGGER.removeHandler(handler)
