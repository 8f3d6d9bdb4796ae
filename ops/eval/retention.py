"""Contexts for a scorer of what compaction keeps: one for each task, made by the engine in one go.

    python ops/eval/retention.py DATA TASKS [--policy NAME] > contexts.jsonl

DATA holds conversations, TASKS lines of `{"id", "cut", "budget", "kind"}`: the messages of a conversation before the
cut are to fit the budget, a token being four characters. The policy is the default one, but its marks are at the budget
itself: a scorer asks what a budget can hold, not when to compact.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from ops.bench.events import load
from ops.eval.by_characters import count_by_characters
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format
from tailrace.streams.policy.files import open_policy


class Task(msgspec.Struct, frozen=True):
    """What to compact, and how far."""

    id: str
    cut: int
    budget: int
    kind: str = ""


def filling(policy: Policy) -> Policy:
    """The policy with both marks at the budget, so that what is left of it is used."""
    return msgspec.structs.replace(
        policy, upper_fraction=1.0, lower_fraction=0.999, progress_fraction=0.0, scope="total"
    )


def context(task: Task, messages: tuple[dict[str, Any], ...], policy: Policy) -> list[dict[str, Any]]:
    """Return the context of a task as OpenAI chat messages."""
    read = [read_native(Format.OPENAI_CHAT, message) for message in messages[: task.cut]]
    done = compact(read, Engine(policy, count_by_characters), budget_tokens=task.budget)
    written: list[dict[str, Any]] = request_of(done.messages, Format.OPENAI_CHAT)["messages"]
    return written


def contexts(data: Path, tasks: list[Task], policy: Policy) -> Iterator[tuple[Task, list[dict[str, Any]]]]:
    """Yield the context of each task, in the order of the tasks."""
    conversations = {one.name: one.messages for one in load(data).conversations}
    with ProcessPoolExecutor() as pool:
        # A few at a time: whole histories wait in the queue.
        remaining = iter(tasks)
        while portion := list(islice(remaining, 64)):
            histories = [conversations[task.id] for task in portion]
            yield from zip(portion, pool.map(context, portion, histories, [policy] * len(portion)), strict=True)


def main() -> int:
    """Write one line for each task."""
    parser = argparse.ArgumentParser(prog="ops/eval/retention.py", description=__doc__)
    parser.add_argument("data", type=Path, help="conversations as JSON lines, .zst or not")
    parser.add_argument("tasks", type=Path, help="tasks as JSON lines")
    parser.add_argument("--policy", default="default", help="name or file of a policy")
    arguments = parser.parse_args()
    lines = arguments.tasks.read_bytes().splitlines()
    tasks = [msgspec.json.decode(line, type=Task) for line in lines if line.strip()]
    policy = filling(open_policy(arguments.policy, Path()))
    for task, messages in contexts(arguments.data, tasks, policy):
        line = msgspec.json.encode({**msgspec.to_builtins(task), "messages": messages})
        sys.stdout.buffer.write(line + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
