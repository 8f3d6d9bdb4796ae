"""The command line of the benchmarks."""

import argparse
import asyncio
import os
import platform
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

from ops.bench import (
    api,
    artifacts,
    book,
    compression,
    conditions,
    distillation,
    events,
    gateway,
    latency,
    ledger,
    plan,
    programs,
    recovery,
    report,
    requests,
    secrets,
    shutdown,
    slow_model,
    start,
    texts,
    thread_length,
    threads,
    throughput,
    timers,
    turn,
)
from ops.bench.stand import PARTITIONS, Stand, stand
from tailrace.streams.kafka.client_logs import silence_client_logs
from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION

#: Events of a backlog in a whole run.
EVENTS = 8_000
EVENTS_MIN = 2_000

BENCHMARKS: dict[str, Callable[[Stand], Awaitable[report.Result]]] = {
    throughput.NAME: throughput.run,
    latency.NAME: latency.run,
    slow_model.NAME: slow_model.run,
    thread_length.NAME: thread_length.run,
    shutdown.NAME: shutdown.run,
    recovery.NAME: recovery.run,
    turn.NAME: turn.run,
    plan.NAME: plan.run,
    secrets.NAME: secrets.run,
    compression.NAME: compression.run,
    artifacts.NAME: artifacts.run,
    distillation.NAME: distillation.run,
    ledger.NAME: ledger.run,
    conditions.NAME: conditions.run,
    timers.NAME: timers.run,
    api.NAME: api.run,
    requests.NAME: requests.run,
    threads.NAME: threads.run,
    gateway.NAME: gateway.run,
    texts.NAME: texts.run,
    start.NAME: start.run,
}
#: Those that measure pure functions, or a file.
WITHOUT_BROKER = frozenset(
    {
        thread_length.NAME,
        turn.NAME,
        plan.NAME,
        secrets.NAME,
        compression.NAME,
        artifacts.NAME,
        distillation.NAME,
        ledger.NAME,
        conditions.NAME,
        timers.NAME,
        api.NAME,
        requests.NAME,
        threads.NAME,
        texts.NAME,
        start.NAME,
    }
)


def main() -> int:
    """Run what is asked for, print the table. Exit code 1 only where a benchmark could not be run."""
    arguments = _arguments()
    corpus = events.load(arguments.data)
    silence_client_logs()
    names = arguments.only or list(BENCHMARKS)
    with_broker = not WITHOUT_BROKER.issuperset(names)
    beginning = book.begin()
    results = asyncio.run(_run(names, corpus, arguments.events, with_broker=with_broker))
    parameters = _parameters(with_broker=with_broker)
    report.show(results, parameters)
    if arguments.json:
        report.save(results, parameters, arguments.json)
    if arguments.events >= EVENTS:
        _write_down(book.entry_of(results, beginning, corpus=corpus.size, events=arguments.events))
    return any(isinstance(result, report.Failure) for result in results)


def _write_down(entry: book.Entry) -> None:
    """Put a run into the book, and say what got worse."""
    for line in book.worse(entry, book.read(book.BOOK)):
        print(line)
    if entry.ratios:
        book.append(book.BOOK, entry)
        print(f"written down in {book.BOOK.relative_to(programs.ROOT)}: commit it with what it measures")


def _parameters(*, with_broker: bool) -> str:
    machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}"
    if not with_broker:
        return f"{machine}."
    kafka = f"Kafka {KAFKA_VERSION if 'TAILRACE_BROKER' not in os.environ else 'at TAILRACE_BROKER'}"
    return f"{machine}, {kafka} on the same machine, {PARTITIONS} partitions, one worker process."


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ops.bench", description="Measure Tailrace against other libraries; ratios, in one run."
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FILE",
        help="conversations as JSON lines with `messages`, .zst or not; our samples if not given",
    )
    parser.add_argument("--only", action="append", choices=list(BENCHMARKS), help="one benchmark; may be repeated")
    parser.add_argument(
        "--events",
        type=_backlog,
        default=EVENTS,
        metavar="N",
        help=f"events of a backlog (default {EVENTS}, at least {EVENTS_MIN}); with fewer than the default "
        "everything else shrinks too, for a quick look",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there as well")
    return parser.parse_args()


def _backlog(text: str) -> int:
    events_asked = int(text)
    if events_asked < EVENTS_MIN:
        raise argparse.ArgumentTypeError(
            f"{events_asked} events are a few batches, no stream: take {EVENTS_MIN} or more"
        )
    return events_asked


async def _run(
    names: list[str], corpus: events.Corpus, backlog_events: int, *, with_broker: bool
) -> list[report.Result | report.Failure]:
    results: list[report.Result | report.Failure] = []
    scale = backlog_events / EVENTS
    async with stand(corpus, events=backlog_events, scale=scale, with_broker=with_broker) as here:
        for name in names:
            begin = time.monotonic()
            print(f"bench: {name} ...", end=" ", file=sys.stderr, flush=True)
            try:
                results.append(await BENCHMARKS[name](here))
            except Exception as error:  # noqa: BLE001  the others may still have something to say
                traceback.print_exc()
                results.append(report.Failure(name=name, error=repr(error)))
            print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return results


if __name__ == "__main__":
    sys.exit(main())
