"""Sends the originals of dead letters back to the topic they came from, as they were: key, value and headers."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import AsyncExitStack, aclosing

from aiokafka import AIOKafkaProducer
from msgspec import Struct
from msgspec.structs import replace

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.actor import Actor, signed
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.dead_letters.letters import Letter, LetterSource, OpenLetter, open_letters
from tailrace.streams.kafka.clients import producer
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import letter_bytes_max


class Replay(Struct, frozen=True, kw_only=True):
    """What became of one letter: where its original stands now, or why it was not sent."""

    letter: Letter
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    skipped: str | None = None


async def replay_letters(
    settings: Settings, ids: Collection[str] | None = None, *, dry_run: bool = False, actor: Actor | None = None
) -> AsyncGenerator[Replay, None]:
    """Send the originals of these letters, or of all, and yield each once the broker has it.

    An original of which there are several letters is sent once. With `dry_run` nothing is sent. `actor` is who sends
    them, for the audit: whoever sent them at first does not send them again.
    """
    topics = {settings.topic(topic) for topic in Topic}
    sent: dict[LetterSource, str] = {}
    async with AsyncExitStack() as stack:
        client = None
        if not dry_run:
            # The record is as large as a letter at most.
            client = await stack.enter_async_context(
                producer(settings, acks="all", max_request_size=letter_bytes_max(settings))
            )
        letters = await stack.enter_async_context(aclosing(open_letters(settings, ids)))
        async for opened in letters:
            letter = opened.letter
            reason = _why_not(opened, topics, sent)
            if reason is not None or letter.source is None:
                yield Replay(letter=letter, skipped=reason)
                continue
            sent[letter.source] = letter.id
            if client is None:
                yield Replay(letter=letter, topic=letter.source.topic)
            else:
                yield await _send(client, _signed(opened, actor), letter.source.topic, settings)


def _why_not(opened: OpenLetter, topics: Collection[str], sent: dict[LetterSource, str]) -> str | None:
    source = opened.letter.source
    if source is None:
        return "its headers don't say where it came from: it was not written by Tailrace"
    if source.topic not in topics:
        return f"it came from {source.topic}, which is no topic of Tailrace with these settings"
    if source in sent:
        return f"same original as {sent[source]}"
    if opened.letter.key is None and opened.value is None:
        return "it has neither key nor value"
    return None


def _signed(opened: OpenLetter, actor: Actor | None) -> OpenLetter:
    letter = opened.letter
    sender = None if actor is None else replace(actor, letter=letter.id)
    return replace(opened, letter=replace(letter, headers=signed(letter.headers, sender)))


async def _send(client: AIOKafkaProducer, opened: OpenLetter, topic: str, settings: Settings) -> Replay:
    seconds_max = settings.client.publish_wait_ms / 1000
    letter = opened.letter
    try:
        # aiokafka#1101: without a limit it waits for ever for a broker that is gone.
        async with asyncio.timeout(seconds_max):
            done = await client.send_and_wait(topic, value=opened.value, key=letter.key, headers=list(letter.headers))
    except TimeoutError as error:
        raise Unavailable(
            f"the broker did not acknowledge the original of {letter.id} within {seconds_max:g} s; it may have "
            f"arrived. "
            "Look for it, then replay the rest"
        ) from error
    return Replay(letter=letter, topic=done.topic, partition=done.partition, offset=done.offset)
