"""Reads the dead letters and sends their originals back to where they came from.

Nothing is ever taken out of the topic: a letter stays where it is, replayed or not.
"""

import asyncio
import heapq
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from tailrace.schemas import errors
from tailrace.schemas.errors import ConfigError, PoisonEvent, Unavailable
from tailrace.schemas.records.dead_letter import (
    EXCEPTION_HEADER,
    MESSAGE_HEADER,
    OFFSET_HEADER,
    PARTITION_HEADER,
    STACKTRACE_HEADER,
    TOPIC_HEADER,
    Headers,
    original_headers,
)
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka.clients import consumer
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin

_POLL_MS: Final = 500
#: The broker has the records, as their offsets say: one that gives nothing for so long is in trouble.
_SILENCE_SECONDS_MAX: Final = 30.0
#: Letters of each partition among which the wanted ones are looked for.
_LOOKED_AT: Final = 5_000

_CODES: Final = {
    name: kind.code for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PoisonEvent)
}


class LetterSource(Struct, frozen=True):
    """Where the original record stands."""

    topic: str
    partition: int
    offset: int


class Letter(Struct, frozen=True, kw_only=True):
    """One dead letter without its value, which may be large."""

    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value_bytes: int
    #: As the original had them.
    headers: Headers
    #: Kind of failure: `PoisonEvent.code`, or what the exception is called.
    code: str
    error: str
    message: str
    stacktrace: str
    #: None where the letter was not written by Tailrace.
    source: LetterSource | None

    @property
    def id(self) -> str:
        """Name of the letter: its place in the topic."""
        return f"{self.partition}-{self.offset}"


class OpenLetter(Struct, frozen=True, kw_only=True):
    """A dead letter with its value."""

    letter: Letter
    value: bytes | None


def parse_id(text: str) -> tuple[int, int]:
    """Return partition and offset of a letter's id. Raises ConfigError if it is none."""
    partition, _, offset = text.partition("-")
    if not (partition.isdecimal() and offset.isdecimal()):
        raise ConfigError("ID", text, "partition and offset as `tailrace dlq list` shows them, for example 3-17")
    return int(partition), int(offset)


async def newest_letters(
    settings: Settings, *, limit: int, wanted: Callable[[OpenLetter], bool] | None = None
) -> list[Letter]:
    """Return the last `limit` letters of all partitions, newest first.

    With `wanted` those of them that are, looked for among the last thousands of each partition.
    """
    newest: list[tuple[int, int, int, Letter]] = []
    async with _reader(settings) as (client, begins, ends):
        # The newest of all are among the newest of each partition.
        depth = limit if wanted is None else max(limit, _LOOKED_AT)
        starts = {partition: max(begins[partition], end - depth) for partition, end in ends.items()}
        async for letter in _read(client, starts, ends):
            if wanted is not None and not wanted(letter):
                continue
            dead_letter = letter.letter
            heapq.heappush(newest, (dead_letter.timestamp_ms, dead_letter.partition, dead_letter.offset, dead_letter))
            if len(newest) > limit:
                heapq.heappop(newest)
    return [letter for *_, letter in sorted(newest, key=lambda item: item[:3], reverse=True)]


async def open_letter(settings: Settings, letter_id: str) -> OpenLetter:
    """Return one letter with its value. Raises Unavailable if there is none with this id."""
    letters = [letter async for letter in open_letters(settings, [letter_id])]
    if not letters:
        raise Unavailable(f"the broker has no record at the place of dead letter {letter_id}")
    return letters[0]


async def open_letters(settings: Settings, ids: Collection[str] | None = None) -> AsyncGenerator[OpenLetter, None]:
    """Yield letters with their values, in the order of each partition.

    These are the letters with the given ids, or all that are there now.
    """
    wanted = None if ids is None else [parse_id(text) for text in ids]
    async with _reader(settings) as (client, begins, ends):
        if wanted is None:
            async for letter in _read(client, begins, ends):
                yield letter
            return
        places = [(_partition(settings, number, ends), offset) for number, offset in wanted]
        for partition, offset in places:
            if not begins[partition] <= offset < ends[partition]:
                held = f"offsets {begins[partition]} to {ends[partition] - 1}" if ends[partition] else "none"
                raise Unavailable(
                    f"there is no dead letter {partition.partition}-{offset}: partition {partition.partition} "
                    f"has {held}. "
                    "`tailrace dlq list` shows those that are there"
                )
        for partition, offset in places:
            async for letter in _read(client, {partition: offset}, {partition: offset + 1}):
                yield letter


def _partition(settings: Settings, number: int, partitions: Collection[TopicPartition]) -> TopicPartition:
    partition = TopicPartition(settings.topic(Topic.DLQ), number)
    if partition not in partitions:
        raise Unavailable(f"there is no dead letter {number}-…: the topic has partitions 0 to {len(partitions) - 1}")
    return partition


@asynccontextmanager
async def _reader(
    settings: Settings,
) -> AsyncIterator[tuple[AIOKafkaConsumer, dict[TopicPartition, int], dict[TopicPartition, int]]]:
    """Yield a consumer, and where each partition of the dead letters begins and ends now."""
    name = settings.topic(Topic.DLQ)
    topic = (await topic_admin.describe(settings)).get(name)
    if topic is None:
        raise Unavailable(f"topic {name} is not there. Run: tailrace topics apply")
    partitions = [TopicPartition(name, number) for number in range(topic.partitions)]
    async with consumer(settings, enable_auto_commit=False, auto_offset_reset="none") as client:
        yield client, await client.beginning_offsets(partitions), await client.end_offsets(partitions)


async def _read(
    client: AIOKafkaConsumer, starts: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]
) -> AsyncGenerator[OpenLetter, None]:
    left = {partition for partition, start in starts.items() if start < ends[partition]}
    if not left:
        return
    client.assign(left)
    for partition in left:
        client.seek(partition, starts[partition])
    heard = asyncio.get_running_loop().time()
    while left:
        for partition, records in (await client.getmany(*left, timeout_ms=_POLL_MS)).items():
            heard = asyncio.get_running_loop().time()
            for record in records:
                if record.offset < ends[partition]:
                    yield letter_in(record)
        left = {partition for partition in left if await client.position(partition) < ends[partition]}
        if asyncio.get_running_loop().time() - heard > _SILENCE_SECONDS_MAX:
            raise Unavailable(f"the broker gave no dead letter for {_SILENCE_SECONDS_MAX:g} s; see `tailrace doctor`")


def letter_in(record: ConsumerRecord) -> OpenLetter:
    """Return the dead letter that a record is, whoever wrote it."""
    headers: Headers = tuple(record.headers)
    # Kafka knows headers without a value.
    texts = {name: (value or b"").decode(errors="replace") for name, value in headers}
    error = texts.get(EXCEPTION_HEADER, "")
    name = error.rpartition(".")[2]
    letter = Letter(
        partition=record.partition,
        offset=record.offset,
        timestamp_ms=record.timestamp,
        key=record.key,
        value_bytes=len(record.value or b""),
        headers=original_headers(headers),
        code=_CODES.get(name, name or "unknown"),
        error=error,
        message=texts.get(MESSAGE_HEADER, ""),
        stacktrace=texts.get(STACKTRACE_HEADER, ""),
        source=_source(texts),
    )
    return OpenLetter(letter=letter, value=record.value)


def _source(texts: Mapping[str, str]) -> LetterSource | None:
    try:
        return LetterSource(texts[TOPIC_HEADER], int(texts[PARTITION_HEADER]), int(texts[OFFSET_HEADER]))
    except (KeyError, ValueError):
        return None
