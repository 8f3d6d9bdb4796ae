"""Plays sample conversations: all at once, each over the whole time, so that one can watch contexts grow and shrink."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from tailrace.streams.client.client import Client
from tailrace.streams.demo.sample_conversations import Sample
from tailrace.streams.settings.settings import Settings

#: Called with the conversation and the message that was just published.
OnMessage = Callable[[Sample, dict[str, Any]], None]


async def play(settings: Settings, samples: Sequence[Sample], *, seconds: float, on_message: OnMessage) -> None:
    """Publish the samples within so many seconds; 0 publishes as fast as the broker takes them."""
    clock = asyncio.get_running_loop().time
    async with Client(settings, reads=False) as client:
        began = clock()

        async def speak(sample: Sample) -> None:
            for number, message in enumerate(sample.messages):
                await asyncio.sleep(began + seconds * number / len(sample.messages) - clock())
                await client.publish(sample.thread, message, id=f"{sample.thread}-{number:04d}", model=sample.model)
                on_message(sample, message)

        await asyncio.gather(*map(speak, samples))
