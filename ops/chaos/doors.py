"""The kill dance at the doors: the API, the gateway and workers are killed while others publish through them.

    make chaos                        with the dance of the workers
    python -m ops.chaos.doors         a short one
    python -m ops.chaos.doors --seed 7     the same faults again

Programs publish over HTTP and publish again under the same id until that is acknowledged; agents talk to a model
through the gateway and ask again until they have a whole answer. Then the topics are asked: whatever was acknowledged
is in the log, no thread has it twice, and every context is what one undisturbed worker would have made of the log.
What it does not show: a broker that is away (then the gateway passes requests on, and says so), or more machines.
"""

import argparse
import asyncio
import itertools
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from aiokafka import TopicPartition

from ops.chaos.troupe import Troupe
from ops.chaos.verifier import Report, verify
from ops.stream_server import message_in, stream_server
from tailrace.schemas.errors import PoisonEvent, Unavailable
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.http_client.async_client import AsyncHttpClient
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import HOST, free_port
from tailrace.streams.settings.settings import Settings, cache_dir, load_settings
from tailrace.streams.topics import topic_admin

PARTITIONS = 4
POLICY = {"window_tokens": 2_000, "output_reserve_tokens": 200, "safety_tokens": 50}
SHUTDOWN_SECONDS = 12.0
#: How long anybody tries to get an answer, and the workers to come to rest.
PATIENCE_SECONDS = 240.0
#: Longer than a worker takes to come back: what was not in the log by then would be sent later.
CONTEXT_WAIT_MS = 15_000
_PAUSE_SECONDS = 0.2
_LINES_SHOWN = 40
_VALUE_BYTES_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class DoorDance:
    """How many publish how much, and how often something is killed meanwhile."""

    programs: int
    messages: int
    agents: int
    turns: int
    kills: int


FULL = DoorDance(programs=12, messages=200, agents=12, turns=60, kills=25)
SHORT = DoorDance(programs=4, messages=40, agents=4, turns=12, kills=5)


@dataclass(slots=True)
class Acknowledged:
    """What the doors have said is done: texts by thread."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, thread: str, *texts: str) -> None:
        """Note texts of a thread."""
        self.texts.setdefault(thread, []).extend(texts)


def main() -> int:
    """Dance, verify, report. Exit code 1 where anything was lost, twice or different."""
    parser = argparse.ArgumentParser(description="Kill dance at the doors; see the top of this file.")
    parser.add_argument("--full", action="store_true", help="every kind of fault, again and again")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    dance = FULL if arguments.full else SHORT
    print(f"seed {arguments.seed}: {dance}")
    with tempfile.TemporaryDirectory(prefix="tailrace-doors-") as folder:
        broker = LocalBroker(data_dir=Path(folder) / "broker", cache_dir=cache_dir(), port=free_port())
        local_broker.start(broker)
        try:
            report = asyncio.run(perform(dance, arguments.seed, Path(folder), broker))
        finally:
            local_broker.stop(broker)
        if report.problems:
            for log in sorted(Path(folder).glob("process-*.log")):
                lines = [line for line in log.read_text(errors="replace").splitlines() if '"level": "info"' not in line]
                print("\n".join([f"--- {log.name}", *lines[-_LINES_SHOWN:]]))
    print(report)
    print("NOTHING ACKNOWLEDGED LOST, NOTHING TWICE" if not report.problems else "FAILED")
    return 1 if report.problems else 0


async def perform(dance: DoorDance, seed: int, folder: Path, broker: LocalBroker) -> Report:
    """Run the whole dance and return what the verifier found."""
    async with stream_server() as model:
        environment = {
            "TAILRACE_BROKER": f"{HOST}:{broker.port}",
            "TAILRACE_DATA_DIR": str(folder / "data"),
            "TAILRACE_HTTP__PORT": "0",
            "TAILRACE_TOPICS__PARTITIONS": str(PARTITIONS),
            "TAILRACE_POLICY": json.dumps(POLICY),
            "TAILRACE_GATEWAY__OPENAI_URL": model.url,
            "TAILRACE_GATEWAY__CONTEXT_WAIT_MS": str(CONTEXT_WAIT_MS),
            "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS": "6",
            "TAILRACE_WORKER__HEARTBEAT_SECONDS": "1",
        }
        settings = load_settings(
            broker=environment["TAILRACE_BROKER"], topics={"partitions": PARTITIONS}, policy=POLICY
        )
        await topic_admin.apply(settings)
        ports = [free_port() for _ in range(3)]
        doors = [
            ("api", "--port", str(ports[0])),
            ("api", "--port", str(ports[1])),
            ("gateway", "--port", str(ports[2])),
        ]
        troupe = Troupe((*doors, ("worker",), ("worker",)), environment, folder)
        troupe.revive()
        try:
            acknowledged = await _play(dance, random.Random(seed), troupe, [f"http://{HOST}:{port}" for port in ports])
            await _settle(settings, troupe)
        finally:
            troupe.close(SHUTDOWN_SECONDS)
    report = await verify(settings, make_engine(settings), published=0, without=-1)
    await _verify_acknowledged(settings, acknowledged, report)
    report.counts.update(acknowledged.counts)
    report.counts.update({f"processes: {how}": count for how, count in troupe.exits.items()})
    return report


async def _play(dance: DoorDance, chance: random.Random, troupe: Troupe, doors: list[str]) -> Acknowledged:
    """Publish all there is, and kill something again and again until that is done."""
    acknowledged = Acknowledged()
    working = [
        *(_program(acknowledged, f"program-{number}", doors[number % 2], dance) for number in range(dance.programs)),
        *(_agent(acknowledged, number, doors[number % len(doors)], dance) for number in range(dance.agents)),
    ]
    tasks = [asyncio.create_task(work) for work in working]
    # Only what was up can be killed in the middle of something.
    await asyncio.gather(*(_listening(door) for door in doors))
    # Each of them, before one is killed again.
    rounds = [chance.sample(range(troupe.size), troupe.size) for _ in range(dance.kills // troupe.size)]
    for place in itertools.chain.from_iterable(rounds):
        await asyncio.sleep(chance.uniform(0.5, 2.5))
        troupe.kill(place)
        acknowledged.counts[f"killed: {troupe.commands[place][0]}"] += 1
        await asyncio.sleep(chance.uniform(0.0, 1.0))
        troupe.revive()
    await asyncio.gather(*tasks)
    return acknowledged


async def _listening(door: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), httpx2.AsyncClient() as client:
        while True:
            try:
                await client.get(f"{door}/livez")
            except httpx2.TransportError:
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                return


async def _program(acknowledged: Acknowledged, thread: str, door: str, dance: DoorDance) -> None:
    """A program that publishes over HTTP: each message until it is acknowledged, under its id."""
    async with AsyncHttpClient(door) as client, asyncio.timeout(PATIENCE_SECONDS):
        for number in range(dance.messages):
            text = f"{thread} says {number}. " + "The gate is open. " * 5
            published = False
            while not published:
                try:
                    message = {"role": "user" if number % 2 == 0 else "assistant", "content": text}
                    await client.publish(thread, message, id=f"{thread}-{number}")
                    published = True
                except Unavailable:
                    acknowledged.counts["messages published again"] += 1
                    await asyncio.sleep(_PAUSE_SECONDS)
            acknowledged.add(thread, text)
            acknowledged.counts["messages over HTTP"] += 1


async def _agent(acknowledged: Acknowledged, number: int, door: str, dance: DoorDance) -> None:
    """An agent that talks through the gateway: each request until there is a whole answer."""
    messages: list[dict[str, Any]] = []
    async with httpx2.AsyncClient(base_url=door, timeout=60) as client, asyncio.timeout(PATIENCE_SECONDS):
        for turn in range(dance.turns):
            messages.append({"role": "user", "content": f"Agent {number} asks {turn}. " + "How high is it? " * 5})
            response = await _answered(acknowledged, client, messages)
            answer = message_in(response.content)
            what = [response.headers.get(f"x-tailrace-{name}") for name in ("context", "reason")]
            acknowledged.counts[f"turns: {', '.join(filter(None, what))}"] += 1
            # Without a thread the request was passed on as it came: nothing was acknowledged.
            if thread := response.headers.get("x-tailrace-thread"):
                acknowledged.add(thread, messages[-1]["content"], answer["content"])
            messages.append(answer)


async def _answered(
    acknowledged: Acknowledged, client: httpx2.AsyncClient, messages: list[dict[str, Any]]
) -> httpx2.Response:
    body = {"model": "gpt-4o", "stream": True, "messages": messages}
    while True:
        try:
            response = await client.post("/v1/chat/completions", json=body, headers={"Authorization": "Bearer k"})
            if response.status_code == httpx2.codes.OK and b"[DONE]" in response.content:
                return response
        except httpx2.TransportError:
            pass
        acknowledged.counts["requests asked again"] += 1
        await asyncio.sleep(_PAUSE_SECONDS)


async def _settle(settings: Settings, troupe: Troupe) -> None:
    """Wait until the workers have committed all of the log."""
    places = [TopicPartition(settings.topic(Topic.CONVERSATIONS), number) for number in range(PARTITIONS)]
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        clients.admin(settings) as admin,
        clients.consumer(settings) as reader,
    ):
        while True:
            troupe.revive()
            ends = await reader.end_offsets(places)
            committed = await committed_offsets(admin, settings.group, places)
            if all(not ends[place] or committed[place].offset >= ends[place] for place in places):
                return
            await asyncio.sleep(0.5)


async def _verify_acknowledged(settings: Settings, acknowledged: Acknowledged, report: Report) -> None:
    """What was acknowledged is in its thread, and no thread says anything twice."""
    said: dict[str, dict[str, str]] = {}
    places = [TopicPartition(settings.topic(Topic.CONVERSATIONS), number) for number in range(PARTITIONS)]
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        async for _, records in read_to_end(reader, places):
            for record in records:
                try:
                    event = decode_event(input_record(record), value_bytes_max=_VALUE_BYTES_MAX)
                except PoisonEvent:
                    report.problems.append("a record that nobody can read")
                    continue
                # Under the same id it is the same message.
                said.setdefault(event.thread, {})[event.id] = _text(event)
    for thread, messages in said.items():
        twice = [text for text, times in Counter(messages.values()).items() if times > 1]
        report.expect(f"said twice in {thread}", found=[text[:40] for text in twice], wanted=[])
    for thread, texts in acknowledged.texts.items():
        lost = [text for text in texts if text not in set(said.get(thread, {}).values())]
        report.expect(f"acknowledged and lost of {thread}", found=[text[:40] for text in lost], wanted=[])
    report.counts["threads of the gateway"] = sum(thread.startswith("gw-") for thread in said)


def _text(event: Event) -> str:
    return "".join(part.content for part in event.message.parts if isinstance(part, TextPart))


if __name__ == "__main__":
    sys.exit(main())
