"""The cluster's clock as a worker reads it."""

import time

from tailrace.streams.kafka.broker_clock import BrokerClock
from tailrace.streams.settings.settings import load_settings


def test_the_difference_of_the_clocks_is_added_to_ours() -> None:
    own_ms = time.time() * 1000
    hour_ms = 3_600_000
    assert abs(BrokerClock(hour_ms).now_ms() - own_ms - hour_ms) < hour_ms / 2
    assert abs(BrokerClock().now_ms() - own_ms) < hour_ms / 2


async def test_what_was_known_of_the_clock_has_to_do_where_nobody_answers() -> None:
    clock = BrokerClock(7)

    await clock.set(load_settings(broker="127.0.0.1:1"))

    assert clock.ahead_ms == 7
