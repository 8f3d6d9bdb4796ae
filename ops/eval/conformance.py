"""The engine as a compactor of `compaction-conformance-kit`.

Measured: which planted rules, facts and updates a small budget keeps.

    python -m ops.eval.conformance

What runs is what runs on the stream: the default policy, with its marks at the budget itself, because the kit asks what
a budget can hold, not when to compact. The kit counts characters of all messages with their roles, so that is what is
counted here. Its later rounds hand back what the former one returned, as one system message.
"""

import sys
from pathlib import Path

from compaction_kit import CompactedContext, Turn
from compaction_kit.benchmark import budget_benchmark_to_markdown, run_budget_benchmark
from compaction_kit.canaries import seeded_canaries
from compaction_kit.report import build_report
from compaction_kit.runner import run_conformance
from compaction_kit.session import build_seeded_session

from ops.eval.retention import filling
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact
from tailrace.agents.messages.part_text import text_of
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.policy.files import open_policy

BUDGETS = (0.10, 0.20, 0.30)
SEEDS = tuple(range(1, 13))
#: Where the kit names no budget, every round has this part of the first transcript.
FRACTION = 0.30
CHECKED_ROUNDS = 10


class TailraceCompactor:
    """Compacts a transcript with the engine; a token is a character here."""

    name = "tailrace"

    def __init__(self) -> None:
        """Take the default policy."""
        self._policy = filling(open_policy("default", Path()))
        self._budget_chars = 0

    def compact(self, turns: list[Turn], round_num: int = 1, budget_chars: int | None = None) -> CompactedContext:
        """Return the context that fits the budget, as the kit reads it."""
        if round_num == 1:
            self._budget_chars = int(len("\n".join(map(_line, turns))) * FRACTION)
        done = compact(
            [_message(turn) for turn in turns],
            Engine(self._policy, _count),
            budget_tokens=budget_chars or self._budget_chars,
        )
        text = "\n".join(_written(message) for message in done.messages)
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)


def _line(turn: Turn) -> str:
    return f"[{turn.role}] {turn.text}"


def _message(turn: Turn) -> Message:
    return Message(role=turn.role, parts=(TextPart(content=turn.text),), content_shape=ContentShape.STRING)


def _written(message: Message) -> str:
    # What a former round returned comes back as one system message, roles and all.
    text = "\n".join(text_of(part) for part in message.parts)
    return text if text.startswith("[system] ") else f"[{message.role}] {text}"


def _count(message: Message, _model: str | None = None) -> int:
    return len(_written(message)) + 1


def main() -> int:
    """Print the benchmark and the check. Exit code 1 where the check finds a type of statement that gets lost."""
    print(budget_benchmark_to_markdown(run_budget_benchmark({"tailrace": TailraceCompactor}, BUDGETS, SEEDS)))
    session = build_seeded_session()
    run = run_conformance(session, TailraceCompactor(), rounds=CHECKED_ROUNDS)
    report = build_report(run, canaries=seeded_canaries(), session=session)
    print(report.to_markdown())
    return bool(report.flagged_types or report.late_cliff_types)


if __name__ == "__main__":
    sys.exit(main())
