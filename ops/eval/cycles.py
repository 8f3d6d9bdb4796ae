"""What is left of early constraints and changes after one compaction upon the other, each of the former's result.

    python -m ops.eval.cycles DATA --score SCORER [--budget TOKENS]

A conversation grows by a tenth at a time and is compacted down to the budget after each, ten times, by the engine on
one thread, as on the stream. What counts as a constraint or a change, and whether a context still holds it, is the
scorer's business: the facts are those of the first three tenths.
"""

import argparse
import importlib.util
import sys
from pathlib import Path
from statistics import mean
from typing import Any

from ops.bench.events import Conversation, load, publish_as
from ops.eval.by_characters import count_by_characters
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import with_limit
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format
from tailrace.streams.policy.files import open_policy

CYCLES = 10
FACTS_CYCLES = 3
BUDGET_TOKENS = 8_000
#: Shorter conversations are not compacted ten times.
CONVERSATION_TOKENS_MIN = 60_000
TARGET = 0.95


def scorer_of(path: Path) -> Any:
    """The scorer, as a module."""
    spec = importlib.util.spec_from_file_location("scorer", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path}: no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def survival(conversation: Conversation, scorer: Any, budget_tokens: int) -> list[tuple[float | None, float | None]]:
    """Shares of constraints and of artifacts that the context holds at the end of each tenth from the third on."""
    messages = list(conversation.messages)
    cuts = [scorer.cut_at(messages, (number + 1) / CYCLES) for number in range(CYCLES)]
    early = messages[: cuts[FACTS_CYCLES - 1]]
    facts = ([line for _, line in scorer.constraints(early)], scorer.artifacts(early))
    policy = with_limit(open_policy("default", Path()), budget_tokens)
    rules = Engine(policy=policy, count_tokens=count_by_characters, catalogue=lambda _: budget_tokens)
    partition = PartitionView()
    found = []
    for offset, publication in enumerate(publish_as("thread", None, messages)):
        process(partition, publication.as_input(offset), rules)
        if offset + 1 in cuts[FACTS_CYCLES - 1 :]:
            view = next(iter(partition.threads.values()), ThreadView())
            context = request_of(view.messages(), Format.OPENAI_CHAT)["messages"]
            found.append(scorer.survive(facts, context))
    return found


def main() -> int:
    """Print the shares after each cycle. Exit code 1 where the last is below the target."""
    parser = argparse.ArgumentParser(prog="python -m ops.eval.cycles", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--score", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=BUDGET_TOKENS)
    parser.add_argument("--every", type=int, default=1, help="only every so many conversations")
    arguments = parser.parse_args()
    scorer = scorer_of(arguments.score)
    large = [
        one
        for one in load(arguments.data).conversations
        if scorer.toks(one.messages) >= CONVERSATION_TOKENS_MIN and any(m.get("tool_calls") for m in one.messages)
    ][:: arguments.every]
    rows = [survival(one, scorer, arguments.budget) for one in large]
    print(
        f"{len(rows)} conversations at {arguments.budget} tokens; share of the first three tenths alive after "
        "each tenth"
    )
    last = []
    for place, name in enumerate(("constraints", "artifacts")):
        shares = []
        for cycle in range(CYCLES - FACTS_CYCLES + 1):
            known = [row[cycle][place] for row in rows if cycle < len(row)]
            shares.append(mean([share for share in known if share is not None]))
        print(
            f"  {name:<12}" + " ".join(f"{share:.3f}" for share in shares) + f"   at least {TARGET} wanted at the end"
        )
        last.append(shares[-1])
    return int(min(last) < TARGET)


if __name__ == "__main__":
    sys.exit(main())
