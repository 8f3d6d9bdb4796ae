"""Whatever number stands in a record of `contexts`, a worker that recovers from it goes on, in bounded time and memory.

Each number of each type of record, in turn, is one that nobody should write: rules count up to some of them, and
compute with others.
"""

import json
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from support.conversations import THREAD, Published, rules

from ops.chaos.fuzzed_records import consumer_record, real_records
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.temporal import next_timer
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.records.kafka_records import ENTRY_TYPE, HEAD_TYPE, OutputRecord, Topic, encode
from tailrace.streams.worker.recovery import Rebuilding

#: More than any of these tests needs; a rule that counts up to a number of a record takes all there is.
MEMORY_BYTES: Final = 2_000_000_000
#: Where the input ends.
LOG_END: Final = 10**9
ODD: Final = (
    "-1",
    "0",
    "0.5",
    "-0.5",
    "1e-300",
    "1e308",
    str(2**63 - 1),
    str(-(2**63)),
    "123456789012345678901234567890",
    "9" * 400,
)
#: What records of these types may have, and the real ones have not.
WINDOW: Final = {"window_tokens": 500, "counted_fraction": 0.5, "accepted_tokens": 100, "answers": 3, "counted": False}
STANDING: Final = {
    "windows": {"weir-large": WINDOW, "": WINDOW},
    "fired": {"idle": 5},
    "asked_tokens": 7,
    "failures": 1,
    "failed_at_ms": 5,
    "completed_at_ms": 6,
    "asked_group": 1,
    "announced_tokens": 4,
    "overflows": 1,
}
CALIBRATION: Final = {
    "model": "weir-large",
    "reported_tokens": 900,
    "counted_tokens": 200,
    "ratio": 1.5,
    "accepted_tokens": 800,
}
FULLER: Final[dict[str, dict[str, Any]]] = {
    HEAD_TYPE: {"calibration": CALIBRATION, "brought_back": {"a": 3}, "quiet_tokens": 5},
    ENTRY_TYPE: {
        "quiet_tokens": 4,
        "whole_tokens": 4,
        "last_turn": 3,
        "logged_at_ms": 4,
        "created_at_ms": 4,
        "window_tokens": 900,
        "model": "weir-large",
        "usage": {"input_tokens": 4, "output_tokens": 4},
    },
}
TIMERS: Final = Timers(
    idle_ms=600_000,
    every_ms=3_600_000,
    cron="0 3 * * *",
    before_cache_expiry_ms=1_000,
    call_deadline_ms=5_000,
    chunk_ms=6_000,
)
POLICY: Final = Policy(
    default_window_tokens=500,
    output_reserve_tokens=0,
    safety_tokens=0,
    rehydration_reserve_tokens=0,
    chunks=Chunks(enabled=True, tokens_min=60, tokens_max=200),
    triggers=Triggers(timers=TIMERS),
)

Place = tuple[str | int, ...]


def type_of(record: OutputRecord) -> str:
    return (dict(record.headers).get("ce_type") or b"").decode()


CONTEXTS: Final = [record for record in real_records() if record.topic is Topic.CONTEXTS]
TYPES: Final = sorted({type_of(record) for record in CONTEXTS if record.value})


@pytest.fixture(autouse=True)
def memory() -> Iterator[None]:
    """Keep a rule that counts up to any number from taking the machine along."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    now_bytes = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now_bytes + MEMORY_BYTES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize("ce_type", TYPES)
def test_a_worker_recovers_and_goes_on_whatever_number_a_record_has(ce_type: str) -> None:
    place = max(place for place, record in enumerate(CONTEXTS) if record.value and type_of(record) == ce_type)
    data = fuller(json.loads(CONTEXTS[place].value or b""), ce_type)
    paths = list(number_paths(data))
    assert paths or "departed" in ce_type
    for path in paths:
        for odd in ODD:
            go_on(recovered(place, with_number(data, path, odd)), f"{path}: {odd[:40]}")


def fuller(data: dict[str, Any], ce_type: str) -> dict[str, Any]:
    data |= FULLER.get(ce_type, {})
    if "standing" in data:
        data["standing"] |= STANDING
    return data


def number_paths(data: Any, path: Place = ()) -> Iterator[Place]:
    """Yield where numbers stand; those of a list of numbers at its first ones."""
    for name, value in data.items() if isinstance(data, dict) else enumerate(data[:3]):
        if isinstance(value, dict | list):
            if name != "message":
                yield from number_paths(value, (*path, name))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*path, name)


def with_number(data: dict[str, Any], path: Place, number: str) -> bytes:
    copied: Any = json.loads(json.dumps(data))
    parent = copied
    for name in path[:-1]:
        parent = parent[name]
    parent[path[-1]] = "the number"
    return json.dumps(copied).replace('"the number"', number).encode()


def recovered(place: int, value: bytes) -> PartitionView:
    """The partition after all records up to one of them, which has this value."""
    rebuilding = Rebuilding([0], {0: LOG_END})
    for offset, record in enumerate(CONTEXTS[: place + 1]):
        read = value if offset == place else record.value
        try:
            rebuilding.take(0, consumer_record(Topic.CONTEXTS, offset, record.key, read, record.headers))
        except PoisonEvent:
            assert offset == place
    return rebuilding.owned(3)[0].view


def go_on(partition: PartitionView, which: str) -> None:
    """Say something until the thread is compacted, and ask for its timers, as a worker does."""
    engine = rules(POLICY)
    for number in range(3):
        value = b'{"role":"user","content":"%s"}' % (b"word " * 150)
        outcome = process(partition, Published(THREAD.encode(), value).at(LOG_END + number), engine)
        assert [encode(emission, 9) for emission in outcome.written], which
        for view in partition.threads.values():
            view.messages()
            next_timer(view, POLICY.triggers)
