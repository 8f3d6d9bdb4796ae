"""What each compression costs and saves on batches as a worker sends them.

The batches hold messages of 64 threads, mixed. All get the same batches, through aiokafka's own builder, and are timed
by the CPU of this process, in turns; the best of the rounds counts. lz4 and zstd have the levels of aiokafka (9 and 3),
gzip that of a worker.
"""

import time
from collections.abc import Sequence
from typing import Final

from ops.bench.events import Publication
from ops.bench.report import Result, Row
from ops.bench.stand import BATCH_BYTES, Stand
from ops.record_batches import batch_builder
from tailrace.streams.kafka.gzip_level import lower_gzip_level

NAME = "compression"
ROUNDS = 5
EVENTS = 4_000
#: A batch of the smallest kind: one message, as a client publishes it.
ALONE = "one message"
BATCHED = "a full batch"
#: As the protocol numbers them.
_CODECS: Final = {"none": 0, "gzip": 1, "lz4": 3, "zstd": 4}


async def run(stand: Stand) -> Result:
    """Measure every compression on full batches, and on batches of one record."""
    lower_gzip_level()
    events = stand.corpus.publications(stand.scaled(EVENTS, least=200))
    rounds = stand.scaled(ROUNDS, least=2)
    rows: list[Row] = []
    for shape, batches in ((BATCHED, _full(events)), (ALONE, [[event] for event in events])):
        plain_bytes, _ = _best("none", batches, rounds)
        _, lz4_seconds = _best("lz4", batches, rounds)
        for name in _CODECS:
            size_bytes, seconds = _best(name, batches, rounds)
            rows.append(Row(what=f"{shape}: bytes, {name} / none", value=size_bytes / plain_bytes, unit="ratio"))
            rows.append(Row(what=f"{shape}: CPU time, {name} / lz4", value=seconds / lz4_seconds, unit="ratio"))
            rows.append(Row(what=f"{shape}: {name}, for each event", value=seconds / len(events) * 1e6, unit="us"))
    return Result(
        name=NAME,
        rows=tuple(rows),
        parameters=f"{stand.corpus.name}, {len(events):,} events, batches of {BATCH_BYTES:,} bytes or one event, "
        f"best of {rounds}.",
        does_not_show="what readers and the broker's disk gain; a worker's contexts, which repeat themselves less.",
    )


def _full(events: Sequence[Publication]) -> list[list[Publication]]:
    batches: list[list[Publication]] = [[]]
    size_bytes = 0
    for event in events:
        if size_bytes + len(event.value) > BATCH_BYTES and batches[-1]:
            batches.append([])
            size_bytes = 0
        batches[-1].append(event)
        size_bytes += len(event.value)
    return batches


def _best(codec: str, batches: Sequence[Sequence[Publication]], rounds: int) -> tuple[int, float]:
    """Return the bytes of all batches and the CPU seconds of building them."""
    measured = [_built(_CODECS[codec], batches) for _ in range(rounds)]
    return measured[0][0], min(seconds for _, seconds in measured)


def _built(codec: int, batches: Sequence[Sequence[Publication]]) -> tuple[int, float]:
    size_bytes = 0
    begin = time.process_time()
    for batch in batches:
        builder = batch_builder(codec)
        for offset, event in enumerate(batch):
            builder.append(offset, timestamp=1, key=event.key, value=event.value, headers=list(event.headers))
        size_bytes += len(builder.build())
    return size_bytes, time.process_time() - begin
