"""A strategy that holds the interpreter within one call of C, in a real worker.

The step is skipped, and the worker goes on.
"""

from dataclasses import replace
from importlib import invalidate_caches
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from support.installations import Broker, new_place, values, worker

from tailrace.schemas.records.kafka_records import Topic, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.streams import Client

pytestmark = pytest.mark.kafka

LIMIT_TOKENS = 4_000
MODULE = """
import re

class Backtracks:
    def analyze(self, draft, options):
        re.match(r"(a+)+$", "a" * 80 + "b")
        return []
"""


def install(site: Path) -> None:
    """Leave a distribution with a strategy in a folder, as pip would."""
    info = site / "hanging_strategies-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hanging-strategies\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tailrace.strategies]\nbacktracks = hanging_strategies:Backtracks\n")
    (site / "hanging_strategies.py").write_text(MODULE)


async def test_a_regular_expression_that_never_returns_costs_only_its_step(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    invalidate_caches()
    policy = {
        "window_tokens": LIMIT_TOKENS,
        "output_reserve_tokens": 0,
        "steps": [{"use": "custom", "name": "backtracks"}, {"use": "truncate"}],
    }
    place = await new_place(broker, tmp_path, partitions=1, policy=policy)
    place = replace(place, environment={**place.environment, "PYTHONPATH": str(tmp_path / "site")})
    question = {"role": "user", "content": "how high is the water at the weir? " * 40}
    answer = {"role": "assistant", "content": "It is at 41 cm. " * 40}
    with worker(place) as process:
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            for thread in ("first", "second"):
                await client.publish_many(thread, [question, answer] * 10)
                context = await client.context(thread)
                assert context.totals.compactions >= 1
                assert context.tokens <= LIMIT_TOKENS
        assert process.poll() is None
    events = [decode_lifecycle(value) for value in await values(place, Topic.LIFECYCLE)]
    reasons = [one.reason or "" for one in events if one.kind is LifecycleKind.FAILED and one.strategy == "backtracks"]
    assert "gave no answer within 1 s" in reasons[0]
    assert all("is left out for" in reason for reason in reasons[1:])
    assert len(reasons) > 1
