"""What it costs to distil a tool output, beside what tiktoken needs to count its tokens, and how that grows.

Both get the same texts in one process, by its CPU, in turns: every output is distilled to a quarter of its characters
and counted by `encode_ordinary`, and the best of the rounds counts for each; what the first round costs, in which
nothing is warm, has a row of its own. How the cost grows is measured on outputs that are made up, one for each kind,
ten kilobytes and a megabyte of the same.
"""

import gc
import itertools
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from tiktoken import Encoding

from ops.bench.events import Corpus
from ops.bench.report import Result, Row, at_least, at_most
from ops.bench.stand import Stand
from tailrace.agents.distill.distill import ToolOutput, distill
from tailrace.streams.models.vocabulary import load_encoding

NAME = "distillation"
#: How many times faster than tiktoken it should be.
FASTER = 2.0
#: By how much a byte of a long output may cost more than one of a short output.
GROWTH = 1.5
SHORT_CHARS, LONG_CHARS = 10_000, 1_000_000
#: An output of that many characters has more than a thousand tokens, or nearly.
OUTPUT_CHARS_MIN = 3_500
#: Our samples have few large outputs: so many made-up ones join them.
OUTPUTS_MIN = 50
OUTPUTS_MAX = 2_000
ROUNDS = 4
_SEED = 20


@dataclass(slots=True)
class Cost:
    """The best of the rounds for one output, in nanoseconds, and what the first round cost."""

    kind: str
    ours_ns: float = float("inf")
    tiktoken_ns: float = float("inf")
    ours_first_ns: float = 0

    @property
    def ratio(self) -> float:
        """How many times faster ours was."""
        return self.tiktoken_ns / self.ours_ns


async def run(stand: Stand) -> Result:
    """Measure ours and tiktoken on real outputs, then the growth on made-up ones."""
    outputs = _outputs(stand.corpus)
    real = len(outputs)
    if real < OUTPUTS_MIN:
        outputs += [ToolOutput(make(SHORT_CHARS)) for make in MADE_UP.values()]
    rounds = stand.scaled(ROUNDS, least=2)
    costs = _costs(outputs, rounds)
    by_kind: dict[str, list[Cost]] = defaultdict(list)
    for cost in costs:
        by_kind[cost.kind].append(cost)
    growth = {kind: _growth(make, rounds) for kind, make in MADE_UP.items()}
    chars = sum(len(output.text) for output in outputs)
    return Result(
        name=NAME,
        rows=(
            Row(
                what="tiktoken / ours, median of the outputs",
                value=median(cost.ratio for cost in costs),
                unit="ratio",
                target=at_least(FASTER),
            ),
            Row(
                what="tiktoken / ours, all outputs together",
                value=sum(cost.tiktoken_ns for cost in costs) / sum(cost.ours_ns for cost in costs),
                unit="ratio",
            ),
            Row(
                what="  in the first round",
                value=sum(cost.tiktoken_ns for cost in costs) / sum(cost.ours_first_ns for cost in costs),
                unit="ratio",
            ),
            *(
                Row(what=f"  {kind}, {len(some)} outputs", value=median(cost.ratio for cost in some), unit="ratio")
                for kind, some in sorted(by_kind.items(), key=lambda item: -len(item[1]))
            ),
            Row(what="ours, an output, median", value=median(cost.ours_ns for cost in costs) / 1e3, unit="us"),
            *(
                Row(what=f"a byte of 1 MB / of 10 KB, {kind}", value=value, unit="ratio", target=at_most(GROWTH))
                for kind, value in growth.items()
            ),
        ),
        parameters=f"{real} tool outputs of {stand.corpus.name} from {OUTPUT_CHARS_MIN:,} characters on, {chars:,} "
        f"characters, each to a quarter, best of {rounds} rounds.",
        does_not_show="how good what is kept is (make eval does), and what counting the distillation's tokens costs.",
    )


def _outputs(corpus: Corpus) -> list[ToolOutput]:
    """Return large tool outputs of the conversations, every so many if there are too many."""
    found = []
    for conversation in corpus.conversations:
        calls = {
            call["id"]: call["function"]
            for message in conversation.messages
            for call in message.get("tool_calls") or ()
            if "function" in call
        }
        for message in conversation.messages:
            text = message.get("content")
            if message["role"] == "tool" and isinstance(text, str) and len(text) >= OUTPUT_CHARS_MIN:
                call = calls.get(message.get("tool_call_id"), {})
                found.append(ToolOutput(text, call.get("name", ""), call.get("arguments", "")))
    return found[:: len(found) // OUTPUTS_MAX + 1]


def _costs(outputs: list[ToolOutput], rounds: int) -> list[Cost]:
    encoding = load_encoding("o200k_base")
    costs: list[Cost] = []
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        for place, output in enumerate(outputs):
            # Who comes second finds the text in the processor's cache: so they take turns.
            tiktoken_first_ns = _counted_ns(encoding, output.text) if number % 2 else None
            begin_ns = time.process_time_ns()
            distilled = distill(output, chars_max=len(output.text) // 4)
            ours_ns = time.process_time_ns() - begin_ns
            if number == 0:
                costs.append(Cost(distilled.method, ours_first_ns=ours_ns))
            cost = costs[place]
            cost.ours_ns = min(cost.ours_ns, ours_ns)
            cost.tiktoken_ns = min(cost.tiktoken_ns, tiktoken_first_ns or _counted_ns(encoding, output.text))
    gc.unfreeze()
    return costs


def _counted_ns(encoding: Encoding, text: str) -> int:
    begin_ns = time.process_time_ns()
    encoding.encode_ordinary(text)
    return time.process_time_ns() - begin_ns


def _growth(make: Callable[[int], str], rounds: int) -> float:
    """Return what a byte of a long output costs, by what one of a short output does."""
    per_char = []
    for chars in (SHORT_CHARS, LONG_CHARS):
        output = ToolOutput(make(chars))
        repeats = rounds * max(1, LONG_CHARS // chars // 10)
        gc.collect()
        gc.freeze()
        per_char.append(min(_once_ns(output) for _ in range(repeats)) / len(output.text))
        gc.unfreeze()
    return per_char[1] / per_char[0]


def _once_ns(output: ToolOutput) -> int:
    begin_ns = time.process_time_ns()
    distill(output, chars_max=len(output.text) // 4)
    return time.process_time_ns() - begin_ns


# Outputs of each kind, made up


def _filled(lines: Iterator[str], chars: int) -> str:
    taken = []
    while chars > 0:
        line = next(lines)
        taken.append(line)
        chars -= len(line) + 1
    return "\n".join(taken)


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_VOCABULARY) for _ in range(count))


_TEXT = (
    "gate weir level flow sensor reading pump valve basin drain upper lower opens closes rises falls slowly twice "
    "because pressureMax flow_rate weir_09 readLevel gateState 1204 17.5 sillHeight/metres spillway.py"
)
_VOCABULARY = _TEXT.split()


def _lines(line: Callable[[random.Random, int], str], chars: int, *before: str) -> str:
    chance = random.Random(_SEED)
    return _filled(itertools.chain(before, (line(chance, number) for number in itertools.count(1))), chars)


def _json(chars: int) -> str:
    rows = _lines(
        lambda chance, n: f'{{"id": "gate-{n}", "level": {chance.random():.3f}, "note": "{_words(chance, 6)}"}},', chars
    )
    return f"[{rows[: rows.rfind('},') + 1]}]"


MADE_UP: dict[str, Callable[[int], str]] = {
    "json": _json,
    "table": lambda chars: _lines(
        lambda chance, n: f"gate-{n},{chance.random():.3f},{chance.randrange(900)},{chance.choice(_VOCABULARY)}",
        chars,
        "gate,level,flow,note",
    ),
    "log": lambda chars: _lines(
        lambda chance, n: (
            f"2031-04-05T10:{n // 60 % 60:02}:{n % 60:02}Z {chance.choice(('INFO', 'WARN', 'ERROR'))} "
            f"gate {chance.randrange(40)} {_words(chance, 5)}"
        ),
        chars,
    ),
    "test_run": lambda chars: _lines(
        lambda chance, n: (
            f"tests/test_gate_{n}.py::test_{chance.choice(('opens', 'closes'))} "
            f"{chance.choice(('PASSED', 'PASSED', 'FAILED'))}"
        ),
        chars,
    ),
    "diff": lambda chars: _lines(
        lambda chance, n: (
            f"@@ -{n},4 +{n},5 @@ def gate_{n}" if n % 9 == 0 else f"{chance.choice(' +-')}    {_words(chance, 6)}"
        ),
        chars,
        "diff --git a/gate.py b/gate.py",
        "--- a/gate.py",
        "+++ b/gate.py",
    ),
    "source": lambda chars: _lines(
        lambda chance, n: f"def gate_{n}(level: float) -> float:" if n % 7 == 0 else f"    return {_words(chance, 5)};",
        chars,
    ),
    "listing": lambda chars: _lines(
        lambda chance, n: f"weirs/basin_{n // 20}/gate_{chance.randrange(9_999)}.py", chars
    ),
    "html": lambda chars: _lines(
        lambda chance, n: f'<p><a href="/gate/{n}">{_words(chance, 9)}</a></p>', chars, "<html>"
    ),
    "markdown": lambda chars: _lines(
        lambda chance, n: f"## Gate {n}" if n % 8 == 0 else f"- {_words(chance, 12)}", chars, "# Gates"
    ),
    "stack_trace": lambda chars: _lines(
        lambda chance, n: f'  File "weirs/basin_{n % 50}.py", line {n}, in {chance.choice(_VOCABULARY)}',
        chars,
        "Traceback (most recent call last):",
    ),
    "text": lambda chars: _lines(lambda chance, _: f"The {_words(chance, 14)}.", chars),
}
