"""`tailrace worker`: runs one worker, or supervises several."""

import asyncio
import os
import sys
from enum import StrEnum
from typing import Annotated

import typer

from tailrace.schemas.errors import ConfigError, TailraceError
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.files.private import UMASK
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.worker.exit import ExitCode


class Role(StrEnum):
    """What a worker does."""

    CONTEXT = "context"
    SUMMARIZE = "summarize"
    INDEX = "index"
    REQUESTS = "requests"


def worker(
    role: Annotated[
        Role,
        typer.Option(
            help="`context` makes contexts. `index` makes what was said findable; see docs/recall.md. `summarize` has "
            "models summarise what contexts will need; see docs/summaries.md. `requests` writes whole requests as "
            "records; see docs/contexts.md."
        ),
    ] = Role.CONTEXT,
    processes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            show_default="one, alone",
            help="So many worker processes, and one of the role `index` beside them. They are supervised: one that "
            "ends is started again.",
        ),
    ] = None,
) -> None:
    """Read conversations, keep every context under its budget.

    Add workers to scale: start the same command again, here or on another machine, up to one for each partition. A
    worker can be killed at any time; its successor replays what was not finished, and nothing is lost or done twice.

    Serves /metrics, /livez and /readyz at http.host and http.port (by default the next free port from 9464 on).
    """
    # What Faust and strategies leave in the data folder is for its owner alone, too.
    os.umask(UMASK)
    try:
        with missing_extras_named():
            code = _run(role, processes)
    except ConfigError as error:
        # Not 2, as other commands: a supervisor must be able to tell that starting again won't help.
        typer.echo(f"error: {error}", err=True)
        code = int(ExitCode.CONFIG)
    except TailraceError as error:
        typer.echo(f"error: {error}", err=True)
        code = int(ExitCode.TEMPORARY)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of Faust and aiokafka may still be waiting for a broker that is gone: don't wait for them.
    os._exit(code)


def _run(role: Role, processes: int | None) -> int:
    settings = load_settings()
    if role is Role.SUMMARIZE:
        return _summarize(settings, processes)
    if role is Role.INDEX:
        return _index(settings, processes)
    if role is Role.REQUESTS:
        return _requests(settings, processes)
    if processes is not None:
        from tailrace.streams.worker.supervisor import supervise  # noqa: PLC0415  a single worker has no use for it

        return supervise(settings, processes)
    # Faust and everything below it take a second to import: only where a worker really runs.
    from tailrace.streams.observability import logs  # noqa: PLC0415
    from tailrace.streams.worker.worker import Worker  # noqa: PLC0415

    logs.configure(settings.log)

    async def run() -> int:
        return int(await Worker(settings).run())

    return asyncio.new_event_loop().run_until_complete(run())


def _index(settings: Settings, processes: int | None) -> int:
    if processes is not None:
        raise ConfigError("--processes", processes, "only with --role context: one process writes the index")
    from tailrace.streams.indexer.role import IndexWorker  # noqa: PLC0415
    from tailrace.streams.observability import logs  # noqa: PLC0415

    logs.configure(settings.log)

    async def run() -> int:
        return int(await IndexWorker(settings).run())

    return asyncio.new_event_loop().run_until_complete(run())


def _requests(settings: Settings, processes: int | None) -> int:
    if processes is not None:
        raise ConfigError("--processes", processes, "only with --role context; start the command several times")
    from tailrace.streams.observability import logs  # noqa: PLC0415
    from tailrace.streams.request_writer.role import RequestWorker  # noqa: PLC0415

    logs.configure(settings.log)

    async def run() -> int:
        return int(await RequestWorker(settings).run())

    return asyncio.new_event_loop().run_until_complete(run())


def _summarize(settings: Settings, processes: int | None) -> int:
    if processes is not None and processes > 1:
        # It waits for models most of the time: one process has room for all calls that a provider allows.
        raise ConfigError("--processes", processes, "1 with --role summarize; raise summarizer.concurrency instead")
    from tailrace.streams.observability import logs  # noqa: PLC0415
    from tailrace.streams.summarizer.role import SummarizeWorker  # noqa: PLC0415

    logs.configure(settings.log)

    async def run() -> int:
        return int(await SummarizeWorker(settings).run())

    return asyncio.new_event_loop().run_until_complete(run())
