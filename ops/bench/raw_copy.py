"""Consume and produce with aiokafka alone: what the client library can do when nothing is decided.

It is run by the benchmarks: python -m ops.bench.raw_copy GROUP OUTPUT_TOPIC LINGER_MS
"""

import asyncio
import sys

from ops.bench.stand import BATCH_BYTES
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics.topics import record_bytes_max

READY = "copying"
_POLL_MS = 1000


async def copy(group: str, output: str, linger_ms: int) -> None:
    """Copy records to the same partition of another topic, for ever."""
    settings = load_settings()
    topic = settings.topic(Topic.CONVERSATIONS)
    producing = clients.producer(
        settings,
        acks="all",
        compression_type=None,
        linger_ms=linger_ms,
        max_batch_size=BATCH_BYTES,
        max_request_size=record_bytes_max(settings),
    )
    consuming = clients.consumer(settings, topic, group_id=group, auto_offset_reset="earliest")
    async with producing as producer, consuming as consumer:
        await consumer.getmany(timeout_ms=0)
        print(READY, flush=True)
        while True:
            deliveries = [
                await producer.send(
                    output, key=record.key, value=record.value, headers=list(record.headers), partition=record.partition
                )
                for records in (await consumer.getmany(timeout_ms=_POLL_MS)).values()
                for record in records
            ]
            await asyncio.gather(*deliveries)


if __name__ == "__main__":
    asyncio.run(copy(sys.argv[1], sys.argv[2], int(sys.argv[3])))
