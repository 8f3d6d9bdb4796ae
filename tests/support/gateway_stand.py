"""What tests of agents behind a gateway share: a small window, and a model that asks for page after page."""

import uuid
from pathlib import Path
from typing import Protocol

from support.patience import LONG_MS
from support.provider_server import Provider, Received, Said

from tailrace.streams.settings.settings import Settings, load_settings

#: The longest that a gateway can be told to wait.
GATEWAY_WAIT_MS = 60_000
POLICY = {"window_tokens": 6_000, "output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}
LOOK = {"type": "object", "properties": {"page": {"type": "integer"}}}


class Broker(Protocol):
    bootstrap_servers: str


def page(number: int) -> str:
    """What the tool answers: unlike every other page, and long enough to fill the window within a few turns."""
    return " ".join(f"row {number}-{row}: valve {row * number} is shut;" for row in range(60))


def looks_on(received: Received) -> Said:
    """A model that asks for one page after the other."""
    number = received.content.count(b"tool_result") + received.content.count(b'"role":"tool"')
    return Said("Looking further. ", [(f"call-{uuid.uuid4().hex[:12]}", "look", {"page": number})])


def fresh_settings(broker: Broker, provider: Provider, data_dir: Path) -> Settings:
    """Settings with topics of their own."""
    name = f"gateway-{uuid.uuid4().hex[:8]}"
    return load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=data_dir,
        topics={"prefix": f"{name}.", "partitions": 2},
        policy=POLICY,
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
        gateway={
            "openai_url": provider.base_url,
            "anthropic_url": provider.base_url,
            "context_wait_ms": GATEWAY_WAIT_MS,
        },
    )
