"""What waits for a broker: once for each message, and not without bound."""

import logging

import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams.client.delivery import WAITING_BYTES_MAX, Delivery
from tailrace.streams.client.publication import Publication, make_publication
from tailrace.streams.settings.settings import load_settings


@pytest.fixture
def delivery() -> Delivery:
    return Delivery(load_settings(broker="127.0.0.1:1"), logging.getLogger())


def publication(message_id: str, thread: str = "t1", content: str = "hi") -> Publication:
    message = {"role": "user", "content": content}
    return make_publication("c", thread, message, {"id": message_id}, value_bytes_max=10_000_000)


async def test_a_message_that_is_published_again_while_it_waits_is_the_same_one(delivery: Delivery) -> None:
    first = delivery.hand_over(publication("a"))

    assert delivery.hand_over(publication("a")) is first
    assert delivery.hand_over(publication("a", thread="t2")) is not first
    assert delivery.waiting == 2
    assert first.published is None


async def test_what_waits_has_a_limit_and_the_error_says_what_it_waits_for(delivery: Delivery) -> None:
    large = "x" * 9_000_000
    fitting = WAITING_BYTES_MAX // len(large)
    for number in range(fitting):
        delivery.hand_over(publication(f"m{number}", content=large))

    with pytest.raises(Unavailable, match=rf"{fitting} messages .* no connection"):
        delivery.hand_over(publication("too much", content=large))
    assert delivery.waiting == fitting


async def test_there_is_nothing_to_wait_for_when_a_client_without_a_connection_stops(delivery: Delivery) -> None:
    delivery.hand_over(publication("a"))

    await delivery.flush(600)

    assert delivery.waiting == 1
