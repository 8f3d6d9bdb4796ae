"""The circuit breaker: a model that fails again and again is left alone for a while, by all workers of this machine.

Afterwards one call may try it. If that is answered the model is back; if not, it is left alone again.
"""

import sqlite3

from tailrace.streams.summarizer.records_file import RecordsFile


class Breaker:
    """The breakers of all models, by name. Times are milliseconds of one clock for all workers: the machine's."""

    def __init__(self, file: RecordsFile, *, failures_max: int, pause_ms: int) -> None:
        """Open after `failures_max` failures in a row, for `pause_ms`."""
        self._file = file
        self._failures_max = failures_max
        self._pause_ms = pause_ms

    async def allows(self, model: str, now_ms: int) -> bool:
        """Tell whether the model may be asked now.

        Whoever is told so while the breaker is open makes the one call that tries it.
        """

        def allows(connection: sqlite3.Connection) -> bool:
            failures, open_until_ms = _state(connection, model)
            if failures < self._failures_max:
                return True
            if now_ms < open_until_ms:
                return False
            _write(connection, model, failures, now_ms + self._pause_ms)
            return True

        return await self._file.transact(allows)

    async def opened(self, model: str) -> bool:
        """Tell whether the model has failed too often, without trying it."""
        failures, _ = await self._file.transact(lambda connection: _state(connection, model))
        return failures >= self._failures_max

    async def failed(self, model: str, now_ms: int) -> None:
        """Note a failure."""

        def failed(connection: sqlite3.Connection) -> None:
            failures, open_until_ms = _state(connection, model)
            opens = failures + 1 >= self._failures_max
            _write(connection, model, failures + 1, now_ms + self._pause_ms if opens else open_until_ms)

        await self._file.transact(failed)

    async def answered(self, model: str) -> None:
        """Note an answer: all failures are forgotten."""
        await self._file.transact(lambda connection: _write(connection, model, 0, 0))


def _state(connection: sqlite3.Connection, model: str) -> tuple[int, int]:
    row = connection.execute("select failures, open_until_ms from model_breakers where model = ?", (model,)).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def _write(connection: sqlite3.Connection, model: str, failures: int, open_until_ms: int) -> None:
    connection.execute("insert or replace into model_breakers values (?, ?, ?)", (model, failures, open_until_ms))
