"""What the kill dance publishes can be sent, whatever is wrong with it."""

import importlib
import sys
from pathlib import Path
from typing import Any

from tailrace.streams.settings.settings import Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
publishers = importlib.import_module("ops.chaos.publishers")
sys.path.pop(0)


class Producer:
    """Takes what aiokafka takes."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes | None, bytes | None]] = []

    async def send(self, _topic: str, value: bytes | None, *, key: bytes | None, **_: Any) -> None:
        assert not (value is None and key is None)
        self.sent.append((key, value))


async def test_a_record_without_key_and_value_is_sent_as_one_without_a_key() -> None:
    producer = Producer()

    await publishers.Log(Settings(), producer).publish(None, None, (("ce_type", None),), 0)

    assert producer.sent == [(None, b"")]
