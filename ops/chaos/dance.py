"""The kill dance: three workers under load, killed, frozen, ended, the broker restarted; then the topics are asked.

    make chaos                      the whole: 20,000 events, 200 threads, every kind of fault
    python -m ops.chaos.dance       a short one
    python -m ops.chaos.dance --seed 7     the same again

What it does not show: more than one broker, a network that splits, a disk that lies.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaProducer, TopicPartition

from ops.chaos.load import WINDOWS, Load, conversations
from ops.chaos.troupe import Troupe
from ops.chaos.verifier import Report, verify, waiting_threads
from tailrace.agents.engine.engine import Engine
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.kafka import clients
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, cache_dir, load_settings
from tailrace.streams.topics import topic_admin

SESSION_SECONDS = 6.0
SHUTDOWN_SECONDS = 8.0
#: Everything that can make a thread be looked at is on, with times that a dance meets; the cron only in the whole dance, whose end waits for its minute.
POLICY: dict[str, Any] = {
    "default_window_tokens": 2_000,
    "output_reserve_tokens": 200,
    "safety_tokens": 50,
    "triggers": {
        "rules": [
            {"name": "back to work", "when": "total >= 70% of limit and (needs_follow_up or pending_input)"},
            {"name": "turn is over", "when": 'event == "turn_closed" and turns_since_compaction >= 4'},
            {"name": "tools talk", "when": "tool_tokens > 40% of limit and not in_flight"},
            {"name": "switched", "when": 'event == "model_switched" and turns_since_compaction >= 1'},
            {"name": "helped", "when": 'event == "subagent_finished" and turns_since_compaction >= 1'},
            {"name": "chunked", "when": 'event == "chunk_closed" and messages_since_compaction >= 4'},
            {"name": "once more", "when": 'event == "compaction_completed" and fraction > 62%'},
        ],
        "hold": "cache_hot and total <= 80% of limit",
        "timers": {
            "idle_ms": 1_500,
            "every_ms": 2_000,
            "cache_ttl_ms": 3_000,
            "before_cache_expiry_ms": 500,
            "call_deadline_ms": 2_500,
            "chunk_ms": 1_000,
        },
        "call_ms_max": 2_000,
        "governor": {"cooldown_ms": 100, "breaker_ms": 5_000},
    },
    "chunks": {"enabled": True, "tokens_min": 200, "tokens_max": 400},
}
CRON = "* * * * *"
#: Timers that the policy above has, as their ticks are called.
TIMERS = ("idle", "every", "cache", "chunk", "tool call", "call in flight", "after chunk", "after compaction")
#: How long the workers get to finish once everything is published and nothing is broken any more.
SETTLE_SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Dance:
    """How much, and which faults in which order."""

    events: int
    threads: int
    faults: tuple[str, ...]
    cron: str | None = None

    @property
    def policy(self) -> dict[str, Any]:
        """What the workers decide by."""
        if self.cron is None:
            return POLICY
        triggers = POLICY["triggers"]
        return {**POLICY, "triggers": {**triggers, "timers": {**triggers["timers"], "cron": self.cron}}}

    @property
    def timers(self) -> tuple[str, ...]:
        """Timers that have to go off: of a short dance, those that every thread has."""
        return (*TIMERS, "cron") if self.cron else ("idle", "chunk", "call in flight")


FULL = Dance(
    20_000,
    200,
    ("kill", "kill", "freeze", "end", "kill", "broker", "kill", "freeze", "kill", "end", "kill", "kill all"),
    CRON,
)
SHORT = Dance(2_400, 60, ("kill", "freeze", "end", "kill"))


def main() -> int:
    """Dance, verify, report. Exit code 1 where anything was lost, twice, out of order or different."""
    parser = argparse.ArgumentParser(description="Kill dance on a real Kafka; see the top of this file.")
    parser.add_argument("--full", action="store_true", help="20,000 events and every kind of fault")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    dance = FULL if arguments.full else SHORT
    print(f"seed {arguments.seed}: {dance.events} events, {dance.threads} threads, faults: {', '.join(dance.faults)}")
    with tempfile.TemporaryDirectory(prefix="tailrace-dance-") as folder, _broker(Path(folder)) as broker:
        report = asyncio.run(perform(dance, arguments.seed, Path(folder), broker))
        if report.problems:
            for log in sorted(Path(folder).glob("worker-*.log")):
                print(f"--- {log.name}\n{log.read_text(errors='replace')[-6000:]}")
    print(report)
    print("NOTHING LOST, NOTHING TWICE, EVERY CONTEXT EQUAL" if not report.problems else "FAILED")
    return 1 if report.problems else 0


@contextmanager
def _broker(folder: Path) -> Iterator[LocalBroker]:
    broker = LocalBroker(data_dir=folder / "broker", cache_dir=cache_dir(), port=free_port())
    local_broker.start(broker)
    try:
        yield broker
    finally:
        local_broker.stop(broker)


async def perform(dance: Dance, seed: int, folder: Path, broker: LocalBroker) -> Report:
    """Run the whole dance and return what the verifier found."""
    environment = _environment(dance, folder, broker)
    settings = load_settings(
        broker=environment["TAILRACE_BROKER"],
        topics={"partitions": 6},
        policy=dance.policy,
        models=WINDOWS,
    )
    rules = make_rules(settings)
    await topic_admin.apply(settings)
    troupe = Troupe(3, environment, folder)
    troupe.revive()
    started = time.monotonic()
    try:
        await _play(dance, seed, settings, troupe, broker)
        await _settle(settings, rules, troupe)
    finally:
        troupe.close(SHUTDOWN_SECONDS + 2)
    report = await verify(settings, rules, published=dance.events)
    report.counts.update({f"workers: {how}": count for how, count in troupe.exits.items()})
    silent = [name for name in dance.timers if not report.counts[f"ticks that counted: {name}"]]
    report.expect("timers that never went off", found=silent, wanted=[])
    if troupe.exits["did not stop on SIGTERM"]:
        report.problems.append("a worker did not stop on SIGTERM")
    print(f"danced for {time.monotonic() - started:.0f} s")
    return report


def _environment(dance: Dance, folder: Path, broker: LocalBroker) -> dict[str, str]:
    return {
        "TAILRACE_BROKER": f"127.0.0.1:{broker.port}",
        "TAILRACE_DATA_DIR": str(folder / "data"),
        "TAILRACE_HTTP__PORT": "0",
        "TAILRACE_TOPICS__PARTITIONS": "6",
        **{f"TAILRACE_POLICY__{key.upper()}": json.dumps(value) for key, value in dance.policy.items()},
        "TAILRACE_MODELS": json.dumps(WINDOWS),
        "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS": str(SESSION_SECONDS),
        "TAILRACE_WORKER__HEARTBEAT_SECONDS": "1",
        "TAILRACE_WORKER__SHUTDOWN_SECONDS": str(SHUTDOWN_SECONDS),
        # Small batches: more of them, so more places to be killed in.
        "TAILRACE_WORKER__BATCH_EVENTS_MAX": "40",
    }


async def _play(dance: Dance, seed: int, settings: Settings, troupe: Troupe, broker: LocalBroker) -> None:
    """Publish all events, evenly between the faults; each fault comes while the one before is still being healed."""
    chance = random.Random(seed)
    loads = conversations(events=dance.events, threads=dance.threads, seed=seed)
    chunk = len(loads) // (len(dance.faults) + 1)
    async with clients.producer(settings, acks="all", enable_idempotence=True, request_timeout_ms=120_000) as producer:
        for number, fault in enumerate((*dance.faults, "none")):
            last = number == len(dance.faults)
            part = loads[number * chunk :] if last else loads[number * chunk : (number + 1) * chunk]
            publishing = asyncio.create_task(_publish(settings, producer, part, chance))
            # In the middle of the part: workers are busy with what came before it and with what comes.
            await asyncio.sleep(chance.uniform(0.5, 2.5))
            await _FAULTS[fault](troupe, chance, broker)
            await publishing
            troupe.revive()


async def _publish(settings: Settings, producer: AIOKafkaProducer, part: list[Load], chance: random.Random) -> None:
    topic = settings.topic(Topic.CONVERSATIONS)
    deliveries = []
    for load in part:
        send = producer.send(topic, load.value, key=load.thread.encode(), headers=list(load.headers))
        deliveries.append(await send)
        if chance.random() < 0.01:
            await asyncio.sleep(0.02)
    await asyncio.gather(*deliveries)


async def _nothing(_troupe: Troupe, _chance: random.Random, _broker: LocalBroker) -> None:
    """Leave the workers alone."""


async def _kill(troupe: Troupe, chance: random.Random, _broker: LocalBroker) -> None:
    troupe.kill(chance.randrange(troupe.size))


async def _kill_all(troupe: Troupe, _chance: random.Random, _broker: LocalBroker) -> None:
    for place in range(troupe.size):
        troupe.kill(place)


async def _freeze(troupe: Troupe, chance: random.Random, _broker: LocalBroker) -> None:
    place = chance.randrange(troupe.size)
    troupe.freeze(place)
    await asyncio.sleep(SESSION_SECONDS * 2)
    troupe.thaw(place)


async def _end(troupe: Troupe, chance: random.Random, _broker: LocalBroker) -> None:
    await asyncio.to_thread(troupe.end, chance.randrange(troupe.size), SHUTDOWN_SECONDS + 2)


async def _restart_broker(_troupe: Troupe, _chance: random.Random, broker: LocalBroker) -> None:
    await asyncio.to_thread(local_broker.stop, broker)
    await asyncio.to_thread(local_broker.start, broker)


_FAULTS: dict[str, Callable[[Troupe, random.Random, LocalBroker], Awaitable[None]]] = {
    "none": _nothing,
    "kill": _kill,
    "kill all": _kill_all,
    "freeze": _freeze,
    "end": _end,
    "broker": _restart_broker,
}


async def _settle(settings: Settings, rules: Engine, troupe: Troupe) -> None:
    """Wait until no thread has a timer any more and the group has committed the end of every partition: then nothing more is written."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        troupe.revive()
        try:
            # In this order: what is written in between is ticks, and a tick that is not met yet has its timer in the context.
            if await _lag(settings) == 0 and await waiting_threads(settings, rules) == 0:
                return
        except Unavailable:
            pass  # No worker has joined yet: the coordinator of the group is made by the first that asks.
        await asyncio.sleep(0.5)
    print(f"the workers did not come to rest within {SETTLE_SECONDS:.0f} s")


async def _lag(settings: Settings) -> int:
    wanted = [TopicPartition(settings.topic(Topic.CONVERSATIONS), p) for p in range(settings.topics.partitions)]
    async with clients.consumer(settings) as reader, clients.admin(settings) as admin:
        ends = await reader.end_offsets(wanted)
        committed = await admin.list_consumer_group_offsets(settings.group, partitions=wanted)
    return sum(ends[one] - max(0, committed[one].offset if one in committed else 0) for one in wanted)


if __name__ == "__main__":
    sys.exit(main())
