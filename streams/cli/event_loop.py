"""How a command runs what waits for others."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from tailrace.streams.kafka.client_logs import silence_client_logs

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns; the Kafka client's own log lines stay away from the terminal."""
    silence_client_logs()
    client_logger = logging.getLogger("tailrace.client")
    level = client_logger.level
    client_logger.setLevel(logging.CRITICAL)  # a command says itself what went wrong
    try:
        return asyncio.run(work)
    finally:
        client_logger.setLevel(level)
