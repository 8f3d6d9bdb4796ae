"""What the topic of whole requests costs beside the contexts: bytes, and CPU for each request that is written.

A worker's rules make contexts of the conversations, and the role's rules make a request of every change, which is the
most that it can be. Bytes are those of the values before compression.
"""

import time
from typing import Final

from aiokafka import TopicPartition

from ops.bench.api import consumed
from ops.bench.report import Result, Row
from ops.bench.stand import Stand
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.kafka_records import InputRecord, Topic, encode
from tailrace.schemas.records.message import Format
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.request_writer.written_requests import WrittenRequests
from tailrace.streams.settings.settings import load_settings

NAME: Final = "requests"
WINDOW_TOKENS: Final = 16_000
EVENTS: Final = 4_000
_PLACE: Final = TopicPartition("contexts", 0)


async def run(stand: Stand) -> Result:
    """Measure both."""
    engine = make_engine(load_settings(policy={"window_tokens": WINDOW_TOKENS}))
    events = stand.scaled(EVENTS, least=500)
    written, view = WrittenRequests(engine.policy, Format.OPENAI_CHAT), PartitionView()
    contexts_bytes, requests_bytes, requests, seconds = 0, 0, 0, 0.0
    for number, publication in enumerate(stand.corpus.publications(events)):
        said = InputRecord(
            topic="conversations",
            partition=0,
            offset=number,
            timestamp_ms=number,
            key=publication.key,
            value=publication.value,
            headers=publication.headers,
        )
        records = [encode(emission, 1) for emission in process(view, said, engine).written]
        for record in records:
            if record.topic is Topic.CONTEXTS:
                contexts_bytes += len(record.value or b"")
                written.take(consumed(_PLACE, number, record.key, record.value, record.headers))
        begin = time.process_time()
        values = [value for _, value in written.due()]
        seconds += time.process_time() - begin
        requests += len(values)
        requests_bytes += sum(map(len, values))
    return Result(
        name=NAME,
        parameters=f"{events} events, a window of {WINDOW_TOKENS:,} tokens, {requests} requests.",
        does_not_show="compression, which takes more of repeated requests than of contexts, the broker, and the disk.",
        rows=(
            Row(what="bytes of requests / of contexts", value=requests_bytes / contexts_bytes, unit="ratio"),
            Row(what="  bytes of a request", value=requests_bytes / max(1, requests), unit="bytes"),
            Row(what="  CPU for a request", value=seconds * 1000 / max(1, requests), unit="ms"),
        ),
    )
