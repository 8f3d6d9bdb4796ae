"""A bare Faust agent, as its documentation shows one: for each event, one put into a table with a changelog.

It promises less than a worker: what it has not sent yet when it dies is lost, and nothing is decided. It is run by
the throughput benchmark: python -m ops.bench.bare_faust NAME
"""

import sys
from collections.abc import AsyncIterator

import faust

from ops.bench.stand import BATCH_BYTES, LINGER_MS
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics.topics import record_bytes_max

TABLE = "latest"


def changelog_topic(name: str) -> str:
    """Return the topic that Faust gives the table of the app of this name."""
    return f"{name}-{TABLE}-changelog"


def make_app(name: str) -> faust.App:
    """Return the app; what isn't set here is Faust's default."""
    settings = load_settings()
    app = faust.App(
        name,
        broker=[f"kafka://{server}" for server in clients.bootstrap_servers(settings).split(",")],
        broker_credentials=clients.faust_credentials(settings),
        consumer_auto_offset_reset="earliest",
        producer_acks=-1,
        producer_linger=LINGER_MS / 1000,
        producer_max_batch_size=BATCH_BYTES,
        producer_max_request_size=record_bytes_max(settings),
        store="memory://",
        topic_partitions=settings.topics.partitions,
        # The benchmark has created them.
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
        datadir=settings.data_dir / "bare-faust",
    )
    conversations = app.topic(
        settings.topic(Topic.CONVERSATIONS),
        key_type=bytes,
        value_type=bytes,
        key_serializer="raw",
        value_serializer="raw",
    )
    latest = app.Table(TABLE, key_type=bytes, value_type=bytes, partitions=settings.topics.partitions)

    @app.agent(conversations)
    async def keep_latest(stream: faust.StreamT[bytes]) -> AsyncIterator[None]:
        async for key, value in stream.items():
            latest[key] = value
        yield  # an agent is a generator

    return app


if __name__ == "__main__":
    faust.Worker(make_app(sys.argv[1]), loglevel="WARNING").execute_from_commandline()
