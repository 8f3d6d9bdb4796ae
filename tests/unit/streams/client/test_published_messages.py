"""What a client remembers of what it has published, and when it may forget it."""

import asyncio
from typing import Any

from support.conversations import small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.client.delivery import Outgoing
from tailrace.streams.client.publication import Published, make_publication
from tailrace.streams.client.published_messages import OwnMessages


def outgoing(message_id: str, thread: str = "t1", content: str = "hi") -> Outgoing:
    message = {"role": "user", "content": content}
    publication = make_publication("c", thread, message, {"id": message_id}, value_bytes_max=1_000_000)
    return Outgoing(publication, asyncio.get_running_loop().create_future())


def acknowledge(message: Outgoing, offset: int, partition: int = 0) -> None:
    publication = message.publication
    message.delivered.set_result(
        Published(event_id=publication.id, thread=publication.thread, partition=partition, offset=offset)
    )


def view_through(*messages: Outgoing) -> ThreadView:
    from msgspec.structs import replace  # noqa: PLC0415

    partition = PartitionView()
    for offset, message in enumerate(messages):
        process(partition, replace(message.publication.record, offset=offset), small_engine())
    return partition.threads.get("t1", ThreadView())


def ids(own: OwnMessages) -> list[str]:
    return [message.publication.id for message in own.of("t1")]


async def test_a_message_is_covered_when_the_context_has_moved_past_it() -> None:
    own, first, second = OwnMessages(), outgoing("a"), outgoing("b")
    own.add(first)
    own.add(second)
    acknowledge(first, 0)
    acknowledge(second, 1)

    assert not own.settle("t1", view_through(first), partition=0)
    assert ids(own) == ["b"]
    assert own.settle("t1", view_through(first, second), partition=0)


async def test_offsets_of_another_partition_say_nothing() -> None:
    own, first, second = OwnMessages(), outgoing("a"), outgoing("b")
    own.add(second)
    acknowledge(second, 0, partition=3)

    assert not own.settle("t1", view_through(first), partition=0)


async def test_without_an_acknowledgement_the_id_tells() -> None:
    own, first = OwnMessages(), outgoing("a")
    own.add(first)

    assert not own.settle("t1", ThreadView(), partition=0)
    assert own.settle("t1", view_through(first), partition=0)


async def test_publishing_again_under_the_same_id_moves_the_message_to_the_end() -> None:
    own = OwnMessages()
    for name in ("a", "b", "a"):
        own.add(outgoing(name))

    assert ids(own) == ["b", "a"]


async def test_memory_is_bounded_by_forgetting_the_oldest_that_are_safe_in_the_log() -> None:
    own = OwnMessages(remembered_bytes_max=10_000)
    unsent = outgoing("unsent", content="x" * 500)
    own.add(unsent)
    for number in range(100):
        message: Any = outgoing(f"m{number}", content="x" * 500)
        acknowledge(message, number)
        own.add(message)

    kept = ids(own)
    assert kept[0] == "unsent"
    assert kept[-1] == "m99"
    assert len(kept) < 25
