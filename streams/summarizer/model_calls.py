"""Every call of a model with its tokens and price, and the limits on what tenants may spend in an hour.

A call is written down before it is made, at the most that it can cost: so limits hold however many calls are under way,
and a worker that is killed has spent what it might have spent.
"""

import sqlite3
from dataclasses import dataclass

import msgspec

from tailrace.schemas.records.spend import Purpose
from tailrace.schemas.records.summary import ModelCall
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.observability.model_calls_table import PENDING, insert
from tailrace.streams.summarizer.records_file import RecordsFile

HOUR_MS = 3_600_000
_SPENT = (
    "select coalesce(sum(cost_usd), 0), coalesce(sum(input_tokens + output_tokens), 0) from model_calls "
    "where at_ms > :since_ms and purpose = :purpose"
)
_SPENT_BY_TENANT = f"{_SPENT} and tenant = :tenant"


@dataclass(frozen=True, slots=True)
class SpendLimits:
    """What calls may cost in an hour; None is no limit."""

    usd: float | None = None
    tokens: int | None = None

    @property
    def any(self) -> bool:
        """Whether there is a limit at all."""
        return self.usd is not None or self.tokens is not None

    def allow(self, usd: float, tokens: int) -> bool:
        """Tell whether an hour may cost so much."""
        return (self.usd is None or usd <= self.usd) and (self.tokens is None or tokens <= self.tokens)


NO_LIMITS = SpendLimits()


class ModelCalls:
    """The calls of all workers of this machine, and those of others as far as the `summaries` topic was read."""

    def __init__(self, file: RecordsFile, tenant: SpendLimits, fleet: SpendLimits = NO_LIMITS) -> None:
        """Use the file; nothing is read yet. The limits are for one tenant, and for all of them together."""
        self._file = file
        self._tenant = tenant
        self._fleet = fleet

    async def begin(self, call: ModelCall, request: WorkRequest) -> bool:
        """Write a call down that is about to be made, at its estimate.

        False where its tenant, or all of them, may not spend that much.
        """

        def begin(connection: sqlite3.Connection) -> bool:
            since = {"since_ms": call.at_ms - HOUR_MS, "purpose": str(Purpose.COMPACTOR), "tenant": request.tenant}
            for limits, query in ((self._tenant, _SPENT_BY_TENANT), (self._fleet, _SPENT)):
                if not limits.any:
                    continue
                usd, tokens = connection.execute(query, since).fetchone()
                if not limits.allow(usd + call.cost_usd, tokens + call.input_tokens + call.output_tokens):
                    return False
            insert(connection, _row(msgspec.structs.replace(call, outcome=PENDING), request))
            return True

        return await self._file.transact(begin)

    async def end(self, call: ModelCall, request: WorkRequest) -> None:
        """Write down what a call really cost, and what became of it."""
        await self._file.transact(lambda connection: insert(connection, _row(call, request)))


def _row(call: ModelCall, request: WorkRequest) -> dict[str, object]:
    return {
        **msgspec.structs.asdict(call),
        "purpose": str(Purpose.COMPACTOR),
        "request_id": request.id,
        "kind": str(request.kind),
        "thread": request.thread,
        "agent": request.agent,
        "tenant": request.tenant,
    }
