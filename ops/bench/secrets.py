"""What it costs to look for secrets in what tools say, and on text that is made to be slow.

It stands beside counting the same text. Both sides get the same outputs, and are timed by the CPU of this process, in
turns; the best of the rounds counts. The text that is made to be slow is one and four times as long: what is linear
takes four times as long.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence

from ops.bench.events import Conversation
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.secrets.scan import find_secrets
from tailrace.streams.models.vocabulary import load_encoding

NAME = "secrets"
ROUNDS = 5
#: Enough to even out what single outputs cost, and counted in seconds.
CHARS_MAX = 6_000_000
ADVERSARIAL_CHARS = 250_000
GROWTH = 4
#: Repeated until the text is long enough.
ADVERSARIAL = (
    "a",
    "=",
    ":",
    "-",
    "password",
    "password=",
    "://a:",
    ".eyJ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----\n",
    'token:"',
    "--password ",
    "password(",
    "password ",
    "machine a password ",
    "Cookie: a=",
    "<password>",
    "\\",
    "://a@",
    "name: a\nvalue: ",
    "identified by ",
    "PASSWORD '",
    "9 gates: -----BEGIN PRIVATE KEY-----\n",
)


async def run(stand: Stand) -> Result:
    """Measure both on the outputs of tools, then the growth on each of the texts that are made to be slow."""
    outputs = _some(tuple(_outputs(stand.corpus.conversations)))
    encoding = load_encoding("o200k_base")
    rounds = stand.scaled(ROUNDS, least=2)
    measured = [(_seconds(find_secrets, outputs), _seconds(encoding.encode_ordinary, outputs)) for _ in range(rounds)]
    ours, counting = (min(side) for side in zip(*measured, strict=True))
    chars = sum(map(len, outputs))
    growth = {piece: _growth(piece, rounds) for piece in ADVERSARIAL}
    worst = max(growth, key=lambda piece: growth[piece][0])
    slowest = max(seconds for _, seconds in growth.values())
    return Result(
        name=NAME,
        rows=(
            Row(
                what="finding secrets / counting tokens with tiktoken",
                value=ours / counting,
                unit="ratio",
                target=at_most(0.1),
            ),
            Row(
                what=f"worst text, {GROWTH} times as long",
                value=growth[worst][0],
                unit="ratio",
                target=at_most(GROWTH * 1.5),
            ),
            Row(what="slowest text of a million characters", value=slowest * 1e3, unit="ms"),
        ),
        parameters=(
            f"{stand.corpus.name}, {len(outputs):,} outputs, {chars:,} characters, best of {rounds}; the worst "
            f"text repeats {worst!r}."
        ),
        does_not_show="how many secrets are found: tests/unit/agents/secrets/test_scan.py holds that against "
        "detect-secrets.",
    )


def _outputs(conversations: Sequence[Conversation]) -> Iterator[str]:
    for conversation in conversations:
        for message in conversation.messages:
            if message.get("role") == "tool":
                content = message.get("content")
                yield content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _some(outputs: Sequence[str]) -> list[str]:
    """Every nth output, so that there are not too many and all conversations have their share."""
    chars = sum(map(len, outputs))
    return list(outputs[:: max(1, -(-chars // CHARS_MAX))])


def _seconds(work: Callable[[str], object], texts: Sequence[str]) -> float:
    begin = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - begin


def _growth(piece: str, rounds: int) -> tuple[float, float]:
    """Return how much longer the longer text takes, and how long it takes."""
    short = piece * (ADVERSARIAL_CHARS // len(piece))
    long = short * GROWTH
    seconds = [min(_seconds(find_secrets, [text]) for _ in range(rounds)) for text in (short, long)]
    return seconds[1] / max(seconds[0], 1e-6), seconds[1]
