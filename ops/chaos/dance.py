"""The kill dance: workers of both roles are killed, frozen and ended under load, and the broker is restarted.

Then the topics are asked.

    make chaos                      the whole: 8,000 events, 200 threads, every kind of fault
    python -m ops.chaos.dance       a short one
    python -m ops.chaos.dance --seed 7     the same again

Beside the conversations and their signals somebody sends finished summaries again, late and spoiled, and a fuzzer sends
records with something wrong to every topic. What it does not show: more than one broker, a network that splits, a disk
that lies.
"""

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiokafka import TopicPartition

from ops import model_server as servers
from ops.chaos.load import WINDOWS, Load, conversations
from ops.chaos.publishers import Echo, Fuzzer, Log, open_echo, open_log, publish_loads, thread_names
from ops.chaos.readers import read_as_users_do
from ops.chaos.troupe import Troupe
from ops.chaos.verifier import Report, verify, waiting_threads
from tailrace.agents.engine.engine import Engine
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, cache_dir, load_settings
from tailrace.streams.topics import topic_admin

PARTITIONS = 6
#: The partition in which the fuzzer writes to every topic; no thread of the dance belongs to it.
FUZZED_PARTITION = 5
#: The workers.
COMMANDS = tuple(("worker", "--role", role) for role in ("context", "context", "context", "summarize"))
SESSION_SECONDS = 6.0
SHUTDOWN_SECONDS = 8.0
#: Everything that can make a thread be looked at is on, with times that a dance meets; the cron only in the whole
#: dance, whose end waits for its minute.
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
#: What the role summarize asks; it answers on the loopback.
MODEL = "scribe"
#: Timers that the policy above has, as their ticks are called.
TIMERS = ("idle", "every", "cache", "chunk", "tool call", "call in flight", "after chunk", "after compaction")
#: How long the workers get to finish once everything is published and nothing is broken any more.
SETTLE_SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Dance:
    """How much, and which faults in which order."""

    events: int
    threads: int
    #: Records that the fuzzer sends to each topic.
    fuzzed: int
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
    8_000,
    200,
    800,
    ("kill", "kill", "freeze", "end", "kill", "broker", "kill", "freeze", "kill", "end", "kill", "kill all"),
    CRON,
)
SHORT = Dance(2_400, 60, 150, ("kill", "freeze", "end", "kill"))


def main() -> int:
    """Dance, verify, report. Exit code 1 where anything was lost, twice, out of order or different."""
    parser = argparse.ArgumentParser(description="Kill dance on a real Kafka; see the top of this file.")
    parser.add_argument("--full", action="store_true", help="8,000 events and every kind of fault")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    # That a broker is away, and what a client does about it, is what a dance is about.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    dance = FULL if arguments.full else SHORT
    print(f"seed {arguments.seed}: {dance.events} events, {dance.threads} threads, faults: {', '.join(dance.faults)}")
    with tempfile.TemporaryDirectory(prefix="tailrace-dance-") as folder, _broker(Path(folder)) as broker:
        report = asyncio.run(perform(dance, arguments.seed, Path(folder), broker))
        if report.problems:
            for log in sorted(Path(folder).glob("process-*.log")):
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
    with servers.model_server() as models:
        # Some answers are none; the others tell as little as a cap of some fifty tokens lets them.
        models.behave(servers.in_turn(*[servers.brief] * 6, servers.invented_rules, servers.broken_json), model=MODEL)
        return await _perform(dance, seed, folder, broker, models.url)


async def _perform(dance: Dance, seed: int, folder: Path, broker: LocalBroker, models_url: str) -> Report:
    environment = _environment(dance, folder, broker, models_url)
    settings = load_settings(
        broker=environment["TAILRACE_BROKER"],
        topics={"partitions": PARTITIONS},
        policy=dance.policy,
        models=WINDOWS,
    )
    engine = make_engine(settings)
    await topic_admin.apply(settings)
    troupe = Troupe(COMMANDS, environment, folder)
    troupe.revive()
    started = time.monotonic()
    try:
        published = await _play(dance, seed, settings, troupe, broker)
        await _settle(settings, engine, troupe)
    finally:
        troupe.close(SHUTDOWN_SECONDS + 2)
    report = await verify(settings, engine, published=published, without=FUZZED_PARTITION)
    report.counts.update({f"workers: {how}": count for how, count in troupe.exits.items()})
    silent = [name for name in dance.timers if not report.counts[f"ticks that counted: {name}"]]
    report.expect("timers that never went off", found=silent, wanted=[])
    report.problems += await read_as_users_do(environment)
    if troupe.exits["did not stop on SIGTERM"]:
        report.problems.append("a worker did not stop on SIGTERM")
    print(f"danced for {time.monotonic() - started:.0f} s")
    return report


def _environment(dance: Dance, folder: Path, broker: LocalBroker, models_url: str) -> dict[str, str]:
    model = {"provider": "openai", "model": MODEL, "base_url": f"{models_url}/v1", "window_tokens": 32_000}
    return {
        "TAILRACE_BROKER": f"127.0.0.1:{broker.port}",
        "TAILRACE_DATA_DIR": str(folder / "data"),
        "TAILRACE_HTTP__PORT": "0",
        "TAILRACE_TOPICS__PARTITIONS": str(PARTITIONS),
        "TAILRACE_SUMMARIZER__MODELS": json.dumps([model]),
        "TAILRACE_SUMMARIZER__TRIES_MAX": "1",
        "OPENAI_API_KEY": "nobody's",
        **{f"TAILRACE_POLICY__{key.upper()}": json.dumps(value) for key, value in dance.policy.items()},
        "TAILRACE_MODELS": json.dumps(WINDOWS),
        "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS": str(SESSION_SECONDS),
        "TAILRACE_WORKER__HEARTBEAT_SECONDS": "1",
        "TAILRACE_WORKER__SHUTDOWN_SECONDS": str(SHUTDOWN_SECONDS),
        # Small batches: more of them, so more places to be killed in.
        "TAILRACE_WORKER__BATCH_EVENTS_MAX": "40",
    }


async def _play(dance: Dance, seed: int, settings: Settings, troupe: Troupe, broker: LocalBroker) -> int:
    """Publish everything, evenly between the faults, and return how much it was.

    Each fault comes while the one before is being healed.
    """
    chance = random.Random(seed)
    threads = thread_names(dance.threads, partitions=PARTITIONS, without=FUZZED_PARTITION)
    parts = _parts(conversations(events=dance.events, threads=threads, seed=seed), len(dance.faults) + 1)
    async with open_log(settings) as log, open_echo(log, chance, without=FUZZED_PARTITION) as echo:
        fuzzer = Fuzzer(log, FUZZED_PARTITION, number=seed * dance.fuzzed)
        await _first_commit(log)
        for part, fault in zip(parts, (*dance.faults, "none"), strict=True):
            publishing = asyncio.create_task(_publish(log, part, chance, fuzzer, echo, dance.fuzzed // len(parts)))
            # In the middle of the part: workers are busy with what came before it and with what comes.
            await asyncio.sleep(chance.uniform(0.5, 2.5))
            await _FAULTS[fault](troupe, chance, broker)
            await publishing
            troupe.revive()
        # What came last of the summaries: late by then.
        await echo.publish()
        return log.published


async def _first_commit(log: Log) -> None:
    """Wait until the group has committed an offset where the fuzzer will write.

    Before, contexts are all that tells how far it came.
    """
    await (await log.publish(b"first", b'{"role": "user", "content": "Is anybody there?"}', (), FUZZED_PARTITION))
    place = TopicPartition(log.settings.topic(Topic.CONVERSATIONS), FUZZED_PARTITION)
    async with asyncio.timeout(SETTLE_SECONDS), clients.admin(log.settings) as admin:
        while (await committed_offsets(admin, log.settings.group, [place]))[place].offset < 1:  # noqa: ASYNC110  the broker tells nobody
            await asyncio.sleep(0.2)


def _parts(loads: list[Load], count: int) -> list[list[Load]]:
    size = len(loads) // count
    return [*(loads[number * size : (number + 1) * size] for number in range(count - 1)), loads[(count - 1) * size :]]


async def _publish(
    log: Log, loads: Sequence[Load], chance: random.Random, fuzzer: Fuzzer, echo: Echo, fuzzed: int
) -> None:
    await asyncio.gather(publish_loads(log, loads, chance), fuzzer.publish(fuzzed), echo.publish())


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


async def _settle(settings: Settings, engine: Engine, troupe: Troupe) -> None:
    """Wait until no request waits, no thread has a timer and the groups have committed all.

    Then nothing more is written.
    """
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        troupe.revive()
        try:
            if await _at_rest(settings, engine):
                return
        except Unavailable:
            pass  # No worker has joined yet: the coordinator of the group is made by the first that asks.
        await asyncio.sleep(0.5)
    print(f"the workers did not come to rest within {SETTLE_SECONDS:.0f} s")


async def _at_rest(settings: Settings, engine: Engine) -> bool:
    """Whether everything has come to its end."""
    asking = f"{settings.group}-summarize"
    # In this order: what is written in between is ticks, and a tick that is not met yet has its timer in the context.
    # The requests a second time, as their answers are events, and events make requests.
    return (
        await _lag(settings, Topic.WORK, asking) == 0
        and await _lag(settings, Topic.CONVERSATIONS, settings.group) == 0
        and await waiting_threads(settings, engine, without=FUZZED_PARTITION) == 0
        and await _lag(settings, Topic.WORK, asking) == 0
    )


async def _lag(settings: Settings, topic: Topic, group: str) -> int:
    wanted = [TopicPartition(settings.topic(topic), p) for p in range(PARTITIONS)]
    async with clients.consumer(settings) as reader, clients.admin(settings) as admin:
        ends = await reader.end_offsets(wanted)
        committed = await admin.list_consumer_group_offsets(group, partitions=wanted)
    return sum(ends[one] - max(0, committed[one].offset if one in committed else 0) for one in wanted)


if __name__ == "__main__":
    sys.exit(main())
