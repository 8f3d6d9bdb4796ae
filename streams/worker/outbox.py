"""The outbox: sends the records of a batch to Kafka and waits for every acknowledgement.

Records for one partition of one topic travel in batches that we build ourselves: one call and one future for each
batch instead of for each record, and an order that nothing else can break into.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aiokafka import AIOKafkaProducer

from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.kafka_records import OutputRecord, Topic


class Outbox:
    """The `Log` of a worker: an aiokafka producer with a deadline on every delivery."""

    def __init__(
        self,
        producer: Callable[[], AIOKafkaProducer],
        topic_name: Callable[[str], str],
        *,
        delivery_seconds: float,
        on_failure: Callable[[], None] = lambda: None,
        on_contexts: Callable[[int, int, int], None] = lambda _partition, _offset, _records: None,
    ) -> None:
        """`producer` is asked for at each send: Faust makes it when the worker starts.

        `on_contexts` is told where contexts arrived: partition, offset of the first record, and how many there were.
        """
        self._producer = producer
        self._topic_name = topic_name
        self._delivery_seconds = delivery_seconds
        self._on_failure = on_failure
        self._contexts = topic_name(Topic.CONTEXTS)
        self._on_contexts = on_contexts

    async def send(self, records: Sequence[tuple[int, OutputRecord]]) -> Awaitable[None]:
        """Hand records to the producer, in order for each partition; await the result for their delivery."""
        queues: dict[tuple[str, int], list[OutputRecord]] = {}
        for partition, record in records:
            queues.setdefault((self._topic_name(record.topic), partition), []).append(record)
        sending = [self._send_queue(topic, partition, queue) for (topic, partition), queue in queues.items()]
        return self._deliver(sending)

    async def _deliver(self, sending: Sequence[Awaitable[None]]) -> None:
        try:
            await asyncio.wait_for(asyncio.gather(*sending), self._delivery_seconds)
        except TimeoutError as error:
            self._on_failure()
            raise Fatal(f"the broker did not acknowledge records within {self._delivery_seconds:g} s") from error
        except Exception as error:
            self._on_failure()
            raise Fatal(f"records were not delivered: {error!r}") from error

    async def _send_queue(self, topic: str, partition: int, queue: Sequence[OutputRecord]) -> None:
        """Send the records of one partition, batch after batch; a later batch never overtakes an earlier one."""
        producer = self._producer()
        timestamp_ms = int(time.time() * 1000)
        deliveries: list[Awaitable[Any]] = []
        sizes: list[int] = []
        batch = producer.create_batch()
        for record in queue:
            headers = list(record.headers)  # aiokafka's builder takes nothing else
            fields = {"timestamp": timestamp_ms, "key": record.key, "value": record.value, "headers": headers}
            if batch.append(**fields) is None:
                sizes.append(batch.record_count())
                deliveries.append(await producer.send_batch(batch, topic, partition=partition))
                batch = producer.create_batch()
                batch.append(**fields)
        sizes.append(batch.record_count())
        deliveries.append(await producer.send_batch(batch, topic, partition=partition))
        arrived = await asyncio.gather(*deliveries)
        if topic == self._contexts:
            for place, records in zip(arrived, sizes, strict=True):
                self._on_contexts(partition, place.offset, records)
