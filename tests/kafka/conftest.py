"""What the tests of this folder share: a real broker, and a demo."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from support.running_demo import LAST_HINT, RunningDemo, start_demo

from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import cache_dir

FOLDER: Final = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class SharedBroker:
    """A broker to test against; only one that we started ourselves can be restarted."""

    bootstrap_servers: str
    local: LocalBroker | None

    def restart(self) -> None:
        """Stop the broker and bring it back on the same port with the same records."""
        if self.local is None:
            pytest.skip("TAILRACE_TEST_BROKER is not ours to restart")
        local_broker.stop(self.local)
        local_broker.start(self.local)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Show warnings here, where all else takes them for errors.

    Clients whose broker is ended under them leave sockets behind, and say so when they are collected.
    """
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBroker]:
    """Yield one broker for the whole session: TAILRACE_TEST_BROKER=host:port, or one of our own."""
    if given := os.environ.get("TAILRACE_TEST_BROKER"):
        yield SharedBroker(given, None)
        return
    local = new_local_broker(tmp_path_factory.mktemp("broker"))
    try:
        local_broker.start(local)
        yield SharedBroker(f"127.0.0.1:{local.port}", local)
    finally:
        local_broker.stop(local)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    """Yield a demo that has played, on its own local broker, with all that it suggests.

    Tests add to it and leave the rest.
    """
    demo = start_demo(tmp_path_factory.mktemp("newcomer"))
    try:
        demo.until(LAST_HINT)
        yield demo
    finally:
        demo.stop()


def new_local_broker(data_dir: Path) -> LocalBroker:
    """Return a broker that is not started yet, on a port of its own."""
    return LocalBroker(data_dir=data_dir, cache_dir=cache_dir(), port=free_port())
