"""Every conversation through several policies at several budgets: every context must be valid, and must fit.

The stream's own code runs, event by event. After each event the tokens are compared with the limit; whenever a context
was compacted, and at the end, it is rendered in every provider's format and validated.

    python -m ops.eval.budgets DATA [--policy NAME ...] [--budget TOKENS ...]
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ops.bench.events import Conversation, load, publish_as
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import with_limit
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.tokens.counts import count_message
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.models.counters import exact_counter
from tailrace.streams.policy.files import open_policy

POLICIES = ("default", "codex", "opencode", "agent-framework", "ladder")
BUDGETS_TOKENS = (8_000, 32_000, 128_000)
FORMATS = tuple(one for one in Format if one is not Format.TAILRACE)


@dataclass(frozen=True, slots=True)
class Task:
    """One conversation under one policy at one budget."""

    conversation: Conversation
    policy: str
    budget_tokens: int


def _count(message: Message, _model: str | None) -> int:
    return count_message(message, exact_counter("o200k_base"))


def examine(task: Task) -> Counter[str]:
    """Events, contexts, compactions, and what was wrong, for one task."""
    policy = with_limit(open_policy(task.policy, Path()), task.budget_tokens)
    rules = Engine(policy=policy, count_tokens=_count, catalogue=lambda _: task.budget_tokens)
    partition = PartitionView()
    found: Counter[str] = Counter()
    view = ThreadView()
    for offset, publication in enumerate(publish_as("thread", None, task.conversation.messages)):
        outcome = process(partition, publication.as_input(offset), rules)
        view = next(iter(partition.threads.values()), view)
        found["events"] += 1
        found[outcome.result] += 1
        found["over budget"] += view.request_tokens > task.budget_tokens
        compacted = sum(isinstance(one, CompactionRecord) for one in outcome.emissions)
        found["compactions"] += compacted
        # A system prompt alone is sent to nobody: half of the providers refuse it, compacted or not.
        if compacted and view.totals.turns:
            _validate(view, found, task)
    _validate(view, found, task)
    return found


def _validate(view: ThreadView, found: Counter[str], task: Task) -> None:
    messages = view.messages()
    for message_format in FORMATS:
        wrong = violations(request_of(messages, message_format), message_format)
        found["contexts"] += 1
        found["invalid"] += bool(wrong)
        if wrong:
            print(
                f"{task.policy} {task.budget_tokens} {task.conversation.name} {message_format}: {wrong[0]}",
                file=sys.stderr,
            )


def main() -> int:
    """Print one line for each policy and budget. Exit code 1 where a context is invalid or over its budget."""
    parser = argparse.ArgumentParser(prog="python -m ops.eval.budgets", description=__doc__)
    parser.add_argument(
        "data", type=Path, nargs="?", help="conversations as JSON lines, .zst or not; our samples if not given"
    )
    parser.add_argument("--policy", action="append", help=f"name or file; {', '.join(POLICIES)} if not given")
    parser.add_argument("--budget", action="append", type=int, metavar="TOKENS")
    arguments = parser.parse_args()
    corpus = load(arguments.data)
    failed = 0
    print(
        f"{len(corpus.conversations)} conversations of {corpus.name}, tokens of o200k_base, formats: "
        f"{', '.join(FORMATS)}"
    )
    print(
        f"{'policy':<18}{'budget':>8}{'events':>9}{'compactions':>13}{'contexts':>10}{'invalid':>9}{'over budget':>13}"
    )
    with ProcessPoolExecutor() as pool:
        for policy in arguments.policy or POLICIES:
            for budget in arguments.budget or BUDGETS_TOKENS:
                tasks = [Task(conversation, policy, budget) for conversation in corpus.conversations]
                found = sum(pool.map(examine, tasks, chunksize=4), Counter[str]())
                failed += found["invalid"] + found["over budget"] + found["dead_letter"]
                print(
                    f"{policy:<18}{budget:>8}{found['events']:>9}{found['compactions']:>13}{found['contexts']:>10}"
                    f"{found['invalid']:>9}{found['over budget']:>13}",
                    flush=True,
                )
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
