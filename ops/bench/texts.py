"""What the slowest texts cost in one event.

That is everything that a step does with a message, on texts that are made to be slow.

Units are repeated until the text is long enough: signs and words that are known to be dear, and, one pattern after the
other as far as the time goes, what the project's own patterns match. A message of a person and a tool's result are
published with it, in a thread of its own, and the slower of the two counts, by the CPU of this process.
"""

import dataclasses
import json
import time
from collections.abc import Iterator

from ops.bench.repeated_units import GENERIC, patterns, units
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.streams.installation.rules import make_rules, warm_up
from tailrace.streams.settings.settings import load_settings

NAME = "texts"
BYTES = 1_000_000
GROWTH = 4
#: A step of a megabyte takes no longer, whatever it says.
SECONDS_MAX = 0.5
#: Every pattern's own units are tried on a text of so many bytes; the dearest of them on a whole one.
SHORT_BYTES = 20_000
DEAREST = 20
_CALL = {"id": "c", "type": "function", "function": {"name": "run", "arguments": "{}"}}


async def run(stand: Stand) -> Result:
    """Find the dearest units on short texts, then measure them on long ones."""
    warm_up()
    rules = dataclasses.replace(make_rules(load_settings()), value_bytes_max=10 * BYTES)
    tried = list(_units(stand.scaled(1_000, least=50)))
    short = {unit: _seconds(unit, SHORT_BYTES, rules) for unit in tried}
    dearest = sorted(short, key=lambda unit: -short[unit])[: stand.scaled(DEAREST, least=5)]
    whole = {unit: _seconds(unit, BYTES, rules) for unit in dearest}
    worst = max(whole, key=lambda unit: whole[unit])
    quarter = _seconds(worst, BYTES // GROWTH, rules)
    return Result(
        name=NAME,
        rows=(
            Row(what="slowest step of a megabyte", value=whole[worst], unit="s", target=at_most(SECONDS_MAX)),
            Row(
                what=f"that text, {GROWTH} times as long",
                value=whole[worst] / max(quarter, 1e-6),
                unit="ratio",
                target=at_most(GROWTH * 1.5),
            ),
        ),
        parameters=f"{len(tried):,} units at {SHORT_BYTES:,} bytes, the dearest {len(dearest)} at {BYTES:,}; the worst "
        f"repeats {worst[:40]!r}.",
        does_not_show="texts that are dear without repeating anything.",
    )


def _units(count: int) -> Iterator[str]:
    """Yield the general units, then those of patterns that lie evenly apart."""
    yield from GENERIC
    found = [unit for named in patterns() for unit in units(named.pattern)]
    yield from dict.fromkeys(found[:: max(1, len(found) // count)])


def _seconds(unit: str, size: int, rules: Engine) -> float:
    """Return what the dearer of the two messages takes."""
    text = (unit * (size // len(unit.encode()) + 1)).encode()[:size].decode(errors="ignore")
    said = {"role": "user", "content": text}
    called = {"role": "assistant", "content": None, "tool_calls": [_CALL]}
    result = {"role": "tool", "tool_call_id": "c", "content": text}
    partition, slowest = PartitionView(), 0.0
    for offset, message in enumerate((said, called, result)):
        value = json.dumps(message, ensure_ascii=False).encode()
        record = InputRecord(topic="t", partition=0, offset=offset, timestamp_ms=offset, key=b"t", value=value)
        begin = time.process_time()
        process(partition, record, rules)
        slowest = max(slowest, time.process_time() - begin)
    return slowest
