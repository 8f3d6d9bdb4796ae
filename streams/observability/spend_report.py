"""What models have cost, by whoever it was for, from the projection of this machine."""

import sqlite3
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.spend import Purpose
from tailrace.schemas.records.summary import ANSWERED
from tailrace.streams.observability.model_calls_table import TABLE


class GroupedBy(StrEnum):
    """What calls can be put together by: columns of the table."""

    TENANT = "tenant"
    AGENT = "agent"
    THREAD = "thread"
    MODEL = "model"


class Sum(Struct, frozen=True, kw_only=True):
    """Several calls together."""

    calls: int = 0
    input_tokens: int = 0
    #: Of the input, what came out of the provider's cache.
    cache_read_tokens: int = 0
    #: And what went into it.
    cache_write_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


class SpendRow(Struct, frozen=True, kw_only=True):
    """What one tenant, agent, thread or model has cost: the agents' own calls, and those that make contexts smaller."""

    name: str
    primary: Sum = Sum()
    compactor: Sum = Sum()

    @property
    def cost_usd(self) -> float:
        """All of it."""
        return self.primary.cost_usd + self.compactor.cost_usd


class SpendFilter(Struct, frozen=True, kw_only=True):
    """Which calls count; None is no condition."""

    tenant: str | None = None
    thread: str | None = None
    since_ms: int | None = None


def spend_rows(path: Path, by: GroupedBy, only: SpendFilter) -> list[SpendRow]:
    """Sums of calls, the dearest first.

    Raises Unavailable where there is no projection, or one of an earlier release.
    """
    if not path.is_file():
        raise Unavailable(f"there is no projection at {path} yet: a worker writes it. Start one: tailrace worker")
    conditions = {"tenant = :tenant": only.tenant, "thread = :thread": only.thread, "at_ms >= :since_ms": only.since_ms}
    where = " and ".join(["outcome = :outcome", *(sql for sql, value in conditions.items() if value is not None)])
    query = (
        f"select coalesce({by}, ''), purpose, count(*), sum(input_tokens), "  # noqa: S608  names of ours
        f"sum(cache_read_tokens), "
        f"sum(cache_write_tokens), sum(output_tokens), sum(cost_usd) from {TABLE} where {where} group by 1, 2"
    )
    values = {"outcome": ANSWERED, "tenant": only.tenant, "thread": only.thread, "since_ms": only.since_ms}
    by_name: dict[str, dict[str, Any]] = {}
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            for name, purpose, *numbers in connection.execute(query, values):
                total = Sum(**dict(zip(Sum.__struct_fields__, numbers, strict=True)))
                by_name.setdefault(name, {})[Purpose(purpose)] = total
    except sqlite3.Error as error:
        raise Unavailable(f"{path} could not be read: {error}") from error
    rows = [
        SpendRow(name=name, **{str(purpose): purpose_sum for purpose, purpose_sum in sums.items()})
        for name, sums in by_name.items()
    ]
    return sorted(rows, key=lambda row: (-row.cost_usd, row.name))
