"""Every call of a model with its tokens and price, and the limit on what a tenant may spend in an hour.

A call is written down before it is made, at the most that it can cost: so limits hold however many calls are under way, and a
worker that is killed has spent what it might have spent.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from tailrace.schemas.summary import ModelCall
from tailrace.schemas.work import WorkRequest
from tailrace.streams.summarizer.records_file import RecordsFile

HOUR_MS = 3_600_000
#: Who pays for a call: the agent's own model, or a model that makes contexts smaller.
COMPACTOR = "compactor"
PENDING, ANSWERED = "pending", "answered"


@dataclass(frozen=True, slots=True)
class SpendLimits:
    """What the calls for one tenant may cost in an hour; None is no limit."""

    usd: float | None = None
    tokens: int | None = None


class ModelCalls:
    """The calls of all workers of this machine."""

    def __init__(self, file: RecordsFile, limits: SpendLimits) -> None:
        """Use the file; nothing is read yet."""
        self._file = file
        self._limits = limits

    async def begin(self, call: ModelCall, request: WorkRequest) -> bool:
        """Write a call down that is about to be made, at its estimate; False where its tenant may not spend that much."""

        def begin(connection: sqlite3.Connection) -> bool:
            usd, tokens = connection.execute(
                "select coalesce(sum(cost_usd), 0), coalesce(sum(input_tokens + output_tokens), 0) from model_calls "
                "where tenant = ? and at_ms > ? and purpose = ?",
                (request.tenant, call.at_ms - HOUR_MS, COMPACTOR),
            ).fetchone()
            if self._limits.usd is not None and usd + call.cost_usd > self._limits.usd:
                return False
            if (
                self._limits.tokens is not None
                and tokens + call.input_tokens + call.output_tokens > self._limits.tokens
            ):
                return False
            _insert(connection, _row(call, request, PENDING))
            return True

        return await self._file.transact(begin)

    async def end(self, call: ModelCall, request: WorkRequest, outcome: str = ANSWERED) -> None:
        """Write down what a call really cost, and what became of it."""
        await self._file.transact(lambda connection: _insert(connection, _row(call, request, outcome)))


def insert_answered(connection: sqlite3.Connection, calls: Iterable[ModelCall], fields: dict[str, object]) -> None:
    """Write calls down that a record of the `summaries` topic tells of; those that are known stay."""
    for call in calls:
        row = {**fields, **_call_fields(call), "purpose": COMPACTOR, "outcome": ANSWERED}
        _insert(connection, row, "ignore")


def _row(call: ModelCall, request: WorkRequest, outcome: str) -> dict[str, object]:
    return {
        **_call_fields(call),
        "purpose": COMPACTOR,
        "request_id": request.id,
        "kind": str(request.kind),
        "thread": request.thread,
        "agent": request.agent,
        "tenant": request.tenant,
        "outcome": outcome,
    }


def _call_fields(call: ModelCall) -> dict[str, object]:
    return {name: getattr(call, name) for name in ModelCall.__struct_fields__}


def _insert(connection: sqlite3.Connection, row: dict[str, object], conflict: str = "replace") -> None:
    names = ", ".join(row)
    places = ", ".join(f":{name}" for name in row)
    connection.execute(f"insert or {conflict} into model_calls ({names}) values ({places})", row)  # noqa: S608  names of ours
