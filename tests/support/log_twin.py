"""Kafka and one worker in memory, as far as a gateway asks for them. Each gateway has a client of its own.

Where chance plays, what a client hands over may stay with it for a while, and is lost if the gateway is ended then;
contexts may be late, and others go on in between.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

import msgspec

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import PartitionView, process
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.actor import Actor
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Format, Message, format_named
from tailrace.schemas.records.signal import Overflow
from tailrace.streams.client.context import Context, ContextSource, context_of
from tailrace.streams.client.delivery import Outgoing
from tailrace.streams.client.publication import Publication, Published, PublishOptions, make_publication


@dataclass(slots=True)
class LogTwin:
    """The log and what a worker makes of it, at once."""

    engine: Engine
    partition: PartitionView = field(default_factory=PartitionView)
    records: list[Publication] = field(default_factory=list)

    def append(self, publication: Publication) -> Published:
        offset = len(self.records)
        self.records.append(publication)
        process(self.partition, msgspec.structs.replace(publication.record, partition=0, offset=offset), self.engine)
        return Published(event_id=publication.id, thread=publication.thread, partition=0, offset=offset)


@dataclass(slots=True)
class ClientTwin:
    """A gateway's client. `held` is what the broker does not have yet, in its order."""

    log: LogTwin
    #: None where everything is prompt.
    random: Random | None = None
    held: list[Outgoing[Publication]] = field(default_factory=list)

    async def begin_publishing(
        self, thread: str, messages: Iterable[tuple[Message, PublishOptions]], *, actor: Actor | None = None
    ) -> Sequence[Outgoing[Publication]]:
        loop = asyncio.get_running_loop()
        outgoing = [
            Outgoing(
                make_publication("t", thread, message, options, value_bytes_max=1_000_000),
                loop.create_future(),
            )
            for message, options in messages
        ]
        self.held += outgoing
        if not self._happens(0.1):
            self.deliver()
        await self._others_go_on()
        return outgoing

    async def signal(
        self,
        thread: str,
        what: Overflow,
        *,
        tenant: str = DEFAULT_TENANT,
        timeout_ms: int | None = None,
        actor: Actor | None = None,
    ) -> Published:
        raise NotImplementedError  # nobody refuses a request here

    async def context(
        self,
        thread: str,
        *,
        timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the client's name for it
    ) -> Context:
        await self._others_go_on()
        is_late = any(outgoing.publication.thread == thread for outgoing in self.held) or self._happens(0.03)
        return context_of(
            thread,
            self.log.partition.threads.get(thread, ThreadView()),
            self.log.engine.policy,
            source=ContextSource.LOCAL if is_late else ContextSource.TAILRACE,
            message_format=format_named(format or Format.OPENAI_CHAT),
        )

    def delivery_wait_ms(self, thread: str) -> int:
        return 0

    def deliver(self) -> None:
        for outgoing in self.held:
            outgoing.delivered.set_result(self.log.append(outgoing.publication))
        self.held = []

    def _happens(self, chance: float) -> bool:
        return self.random is not None and self.random.random() < chance

    async def _others_go_on(self) -> None:
        for _ in range(self.random.randrange(4) if self.random is not None else 0):
            await asyncio.sleep(0)
