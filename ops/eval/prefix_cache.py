"""What the prefix of a context is worth: how much of each prompt a cache would have had, and what that costs.

    python -m ops.eval.prefix_cache DATA [--window TOKENS] [--policy NAME ...]

Each conversation that is longer than one and a half windows and calls tools is replayed through the stream's own code.
At every message of the assistant, the context before it is the prompt. The part that it shares with the prompt before
it costs a tenth, the rest one and a quarter, as providers price their caches. The cost index is that sum by the same
sum without any compaction. A token is four characters.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ops.bench.events import Conversation, load, publish_as
from ops.eval.by_characters import CHARS_PER_TOKEN, count_by_characters
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import with_limit
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.streams.policy.files import open_policy

CACHED_PRICE, FRESH_PRICE = 0.1, 1.25
LONGER_THAN_WINDOWS = 1.5
WINDOW_TOKENS = 32_000
POLICIES = ("default", "codex", "opencode", "agent-framework", "ladder")


@dataclass(slots=True)
class Bill:
    """Sums over all prompts, in tokens."""

    prompt_tokens: float = 0
    shared_tokens: float = 0
    compactions: int = 0

    def add(self, prompt_tokens: float, shared_tokens: float) -> None:
        """Take one prompt into account."""
        self.prompt_tokens += prompt_tokens
        self.shared_tokens += shared_tokens

    def join(self, other: "Bill") -> None:
        """Take another bill into account."""
        self.add(other.prompt_tokens, other.shared_tokens)
        self.compactions += other.compactions

    @property
    def cost(self) -> float:
        """Price of all prompts."""
        return CACHED_PRICE * self.shared_tokens + FRESH_PRICE * (self.prompt_tokens - self.shared_tokens)


def replay(conversation: Conversation, policy: Policy, window_tokens: int) -> tuple[Bill, Bill]:
    """Return the bill of a conversation under the policy, and without any compaction."""
    limited = with_limit(policy, window_tokens)
    rules = Engine(policy=limited, count_tokens=count_by_characters, catalogue=lambda _: window_tokens)
    partition = PartitionView()
    compacted, whole = Bill(), Bill()
    before: list[tuple[str, int]] = []
    history_tokens = last_tokens = 0.0
    for offset, publication in enumerate(publish_as("thread", None, conversation.messages)):
        if conversation.messages[offset]["role"] == "assistant" and offset:
            prompt = [(entry.id, entry.tokens) for entry in partition.threads["thread"].live()]
            compacted.add(sum(tokens for _, tokens in prompt), _shared_tokens(before, prompt))
            before = prompt
            whole.add(history_tokens, last_tokens)
            last_tokens = history_tokens
        outcome = process(partition, publication.as_input(offset), rules)
        compacted.compactions += sum(isinstance(one, CompactionRecord) for one in outcome.emissions)
        history_tokens += message_tokens(conversation.messages[offset])
    return compacted, whole


def _shared_tokens(before: list[tuple[str, int]], after: list[tuple[str, int]]) -> int:
    shared = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        shared += one[1]
    return shared


def message_tokens(message: dict[str, Any]) -> float:
    """Return what a message costs before anything is done to it."""
    chars = len(message.get("content") or "")
    for call in message.get("tool_calls") or ():
        chars += len(call["function"]["name"]) + len(call["function"]["arguments"])
    return chars / CHARS_PER_TOKEN


def long_ones(conversations: tuple[Conversation, ...], window_tokens: int) -> list[Conversation]:
    """Return the conversations that are worth looking at."""
    return [
        one
        for one in conversations
        if sum(map(message_tokens, one.messages)) > LONGER_THAN_WINDOWS * window_tokens
        and any(message.get("tool_calls") for message in one.messages)
    ]


def main() -> int:
    """Print one line for each policy."""
    parser = argparse.ArgumentParser(prog="python -m ops.eval.prefix_cache", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--window", type=int, default=WINDOW_TOKENS, metavar="TOKENS")
    parser.add_argument("--policy", action="append", help=f"name or file; {', '.join(POLICIES)} if not given")
    arguments = parser.parse_args()
    conversations = long_ones(load(arguments.data).conversations, arguments.window)
    print(f"window {arguments.window:,} tokens, {len(conversations)} conversations")
    print(f"{'policy':<18}{'prompt tokens':>15}{'shared prefix':>15}{'cost index':>12}{'compactions':>13}")
    with ProcessPoolExecutor() as pool:
        for name in arguments.policy or POLICIES:
            policy = open_policy(name, Path())
            compacted, whole = Bill(), Bill()
            many = len(conversations)
            for ours, theirs in pool.map(replay, conversations, [policy] * many, [arguments.window] * many):
                compacted.join(ours)
                whole.join(theirs)
            shared = compacted.shared_tokens / compacted.prompt_tokens
            print(
                f"{name:<18}{compacted.prompt_tokens / 1e6:>13.1f} M{shared:>15.3f}{compacted.cost / whole.cost:>12.3f}"
                f"{compacted.compactions:>13}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
