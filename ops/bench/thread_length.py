"""Whether a long conversation makes its events dearer, and what a live message costs in memory beyond its own bytes.

Pure: no broker. Every thread says the same hundred messages over and over, so that only its length differs.
"""

import gc
import itertools
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ops.bench.events import Publication, made_up, publish_as
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import Emission, Stored, encode
from tailrace.streams.installation.rules import make_rules

NAME = "thread-length"
SHORT, LONG = 100, 10_000
#: Events measured around each length: two whole rounds of messages, and with a window of 128k one or two compactions.
SPAN = 200
#: How often each thread is measured, in turns with young ones.
TURNS = 4
#: Small enough to have compacted before message 100.
SMALL_WINDOW_TOKENS = 16_000
THREADS = 4
LIVE_MESSAGES = 5_000


class Thread:
    """One thread in a partition of its own, that can be driven on."""

    def __init__(self, name: str, rules: Engine) -> None:
        """Begin an empty thread."""
        # Without the system prompt: a hundred of them, all always kept, would be another story.
        messages = made_up(conversations=1, messages=SHORT + 1)[0].messages[1:]
        self._events = publish_as(name, None, itertools.cycle(messages))
        self._rules = rules
        self._view = PartitionView()
        self.said = 0

    def advance(self, count: int) -> float:
        """Say `count` more messages and return the CPU seconds that took."""
        records = [one.as_input(self.said + number) for number, one in enumerate(itertools.islice(self._events, count))]
        self.said += count
        begin = time.process_time()
        for record in records:
            process(self._view, record, self._rules)
        return time.process_time() - begin


async def run(stand: Stand) -> Result:
    """Measure cost by length, with and without compaction, and memory."""
    rules = make_rules(stand.settings("pure"))
    # A window that nothing fills: every message stays live.
    endless = replace(rules, policy=Policy(window_tokens=1 << 40))
    threads = stand.scaled(THREADS, least=2)
    growing = _cost_by_length(endless, threads)
    usual = _cost_by_length(replace(rules, policy=Policy()), threads)
    small = _cost_by_length(replace(rules, policy=Policy(window_tokens=SMALL_WINDOW_TOKENS)), threads)
    corpus = stand.corpus.publications(stand.scaled(LIVE_MESSAGES, least=1000))
    stepped_bytes, recovered_bytes = _memory(corpus, endless)
    what = f"message {LONG:,} / message {SHORT}"
    ceiling = at_most(1.2)
    return Result(
        name=NAME,
        rows=(
            Row(what=f"{what}, nothing is ever compacted", value=growing[1] / growing[0], unit="ratio", target=ceiling),
            Row(what=f"{what}, compacting at both", value=small[1] / small[0], unit="ratio", target=ceiling),
            Row(what=f"{what}, compacting at the later only", value=usual[1] / usual[0], unit="ratio", target=ceiling),
            Row(what=f"CPU of message {SHORT}, nothing compacted", value=growing[0], unit="us"),
            Row(what=f"CPU of message {LONG:,}, nothing compacted", value=growing[1], unit="us"),
            Row(what=f"CPU of message {LONG:,} with its share of compactions", value=usual[1], unit="us"),
            Row(what="memory of a live message beyond its bytes", value=stepped_bytes, unit="bytes"),
            Row(what="the same after a recovery", value=recovered_bytes, unit="bytes"),
        ),
        parameters=f"{threads} threads, {SPAN * TURNS} events around each length, made up, counted exactly; "
        f"compacting at both with a window of {SMALL_WINDOW_TOKENS:,} tokens, at the later only with "
        f"128,000; memory over {len(corpus):,} live messages of {stand.corpus.name}.",
        does_not_show="what the garbage collector costs in a worker with millions of live messages.",
    )


def _cost_by_length(rules: Engine, threads: int) -> tuple[float, float]:
    """CPU microseconds per event at both lengths, measured in turns."""
    old = [Thread(f"old-{number}", rules) for number in range(threads)]
    for number, thread in enumerate(old):
        # Not all at the same distance from their next compaction.
        thread.advance(LONG - SPAN * TURNS // 2 + number * SPAN // threads)
    short_seconds = long_seconds = 0.0
    for turn, thread in itertools.product(range(TURNS), old):
        long_seconds += thread.advance(SPAN)
        # The same messages in two threads: around message 100 there is no room for the whole span.
        for half in range(2):
            young = Thread(f"young-{turn}-{half}", rules)
            young.advance(SHORT - SPAN // 4)
            short_seconds += young.advance(SPAN // 2)
    per_event_us = 1e6 / (threads * TURNS * SPAN)
    return short_seconds * per_event_us, long_seconds * per_event_us


def _memory(events: Sequence[Publication], rules: Engine) -> tuple[float, float]:
    """Bytes of a live message beyond its own: in a view that has stepped, and in one that was recovered."""
    _stepped(events, rules)  # fills the caches of models and windows
    with _traced() as stepping_bytes:
        stepped = _stepped(events, rules)
    entries = [entry for view in stepped.threads.values() for entry in view.entries.values()]
    heads = [view.head for view in stepped.threads.values() if view.head is not None]
    changes: list[Emission] = [*entries, *heads]
    written = [encode(change, 1) for change in changes if not isinstance(change, Stored)]
    recovered = PartitionView()
    with _traced() as recovering_bytes:
        for record in written:
            # Copies, because a consumer makes new ones for each record that it reads.
            recovered.apply_record(_copy(record.key), _copy(record.value), record.headers)
    message_bytes = sum(len(bytes(entry.message)) for entry in entries)
    return (stepping_bytes() - message_bytes) / len(entries), (recovering_bytes() - message_bytes) / len(entries)


def _stepped(events: Sequence[Publication], rules: Engine) -> PartitionView:
    view = PartitionView()
    for offset, event in enumerate(events):
        process(view, event.as_input(offset), rules)
    return view


def _copy(data: bytes | None) -> bytes:
    return bytes(bytearray(data or b""))


@contextmanager
def _traced() -> Iterator[Callable[[], int]]:
    """Yield a function that returns the bytes that the block has allocated and kept."""
    gc.collect()
    tracemalloc.start()
    kept = 0
    try:
        yield lambda: kept
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
