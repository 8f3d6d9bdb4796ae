"""The estimate for unknown vocabularies.

Never below a real one on the text that agents handle, and not far above it.
"""

import base64
import json
import random
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from tailrace.agents.tokens import estimate
from tailrace.agents.tokens.estimate import SAFETY_MARGIN, EstimatingCounter
from tailrace.streams.models.counters import exact_counter

PROSE = Path(__file__).resolve().parents[3] / "data" / "prose"

#: Of the exact count: an estimate may be this much, no less and no more.
RATIO_MIN = 1.0
RATIO_MAX = 1.6


def records(count: int) -> list[dict[str, object]]:
    """Records such as an API returns."""
    dice = random.Random(11)
    return [
        {
            "id": str(uuid.UUID(bytes=dice.randbytes(16))),
            "createdAt": f"2025-11-{dice.randrange(1, 29):02}T0{dice.randrange(10)}:15:01.{dice.randrange(1000):03}Z",
            "isActive": dice.random() < 0.5,
            "score": dice.random(),
            "tags": ["alpha", "betaTest"],
            "parent": None,
        }
        for _ in range(count)
    ]


SAMPLES: dict[str, Callable[[], str]] = {
    "python": lambda: Path(estimate.__file__).read_text(encoding="utf-8"),
    "json": lambda: json.dumps(records(40), indent=2),
    "minified json": lambda: json.dumps(records(40), separators=(",", ":")),
    "base64": lambda: base64.b64encode(random.Random(1).randbytes(6_000)).decode(),
    "hex": lambda: random.Random(2).randbytes(4_000).hex(),
    "numbers": lambda: " ".join(str(random.Random(seed).random()) for seed in range(300)),
    "log": lambda: "\n".join(f"2025-11-16 04:15:{n % 60:02} INFO worker.py:{n} done in {n * 7}ms" for n in range(200)),
    **{path.stem: path.read_text for path in sorted(PROSE.glob("*.txt"))},
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_estimate_is_at_least_the_exact_count_and_not_far_above_it(sample: str) -> None:
    text = SAMPLES[sample]()

    ratio = EstimatingCounter().count_text(text) / exact_counter("o200k_base").count_text(text)

    assert RATIO_MIN <= ratio <= RATIO_MAX


def test_there_are_samples_of_every_script_that_is_promised() -> None:
    scripts = {"arabic", "chinese", "emoji", "english", "german", "hindi", "japanese", "korean", "russian"}

    assert scripts <= set(SAMPLES)


def test_a_chinese_character_counts_for_a_token_or_more() -> None:
    assert EstimatingCounter().count_text("的" * 1_000) >= 1_000


def test_no_text_costs_nothing_and_any_text_something() -> None:
    assert EstimatingCounter().count_text("") == 0
    assert all(EstimatingCounter().count_text(text) >= 1 for text in ("a", " ", "\n", "\x00", "\ud800", "\U0010ffff"))


def test_every_character_has_a_price() -> None:
    every_kind = "".join(map(chr, [*range(0x300), *range(0x300, 0x110000, 97)]))

    assert EstimatingCounter().count_text(every_kind) >= len(every_kind) / 32
    assert all(EstimatingCounter().count_text(chr(code)) >= 1 for code in range(0, 0x110000, 1_009))


def test_a_larger_margin_counts_more() -> None:
    text = "some words of text" * 100

    assert EstimatingCounter(margin=2 * SAFETY_MARGIN).count_text(text) >= 2 * EstimatingCounter().count_text(text) - 2


def test_the_encoding_names_the_estimate_and_its_margin() -> None:
    assert EstimatingCounter().encoding == "estimate-1x1.1"
    assert EstimatingCounter(margin=1.2).encoding != EstimatingCounter().encoding


@pytest.mark.parametrize("unit", ["a", " ", "的", "😀", "\n", " x", "-", "A1", "́"], ids=ascii)
def test_the_time_is_linear_in_the_text(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode()))

    started = time.process_time()
    EstimatingCounter().count_text(text)

    assert time.process_time() - started < 5
