"""The table `model_calls` of the projection.

Every call of a model with its tokens and price, the agents' own and the compactor's.

Workers write what the log tells, workers of the role `summarize` their own calls as they make them; a call has one id,
and one row.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from tailrace.schemas.records.spend import Spent
from tailrace.streams.models.model_prices import price_usd

TABLE: Final = "model_calls"
#: A call that is under way, or whose end nobody waited for.
PENDING: Final = "pending"

_CREATE = """
create table if not exists model_calls (
    id text primary key, purpose text, request_id text, kind text, thread text, agent text, tenant text, provider text,
    model text, at_ms integer, input_tokens integer, cache_read_tokens integer not null default 0,
    cache_write_tokens integer not null default 0, output_tokens integer, cost_usd real, outcome text
)
"""
#: For the limits on what a tenant, and all of them, may spend.
_INDEXES = (
    "create index if not exists model_calls_by_tenant on model_calls (tenant, at_ms)",
    "create index if not exists model_calls_by_time on model_calls (at_ms)",
)


def make_table(connection: sqlite3.Connection) -> None:
    """Make the table if it is missing, and what an earlier release's has not."""
    connection.execute(_CREATE)
    columns = {column[1] for column in connection.execute(f"pragma table_info({TABLE})")}
    for name in ("cache_read_tokens", "cache_write_tokens"):
        if name not in columns:
            connection.execute(f"alter table {TABLE} add column {name} integer not null default 0")
    for index in _INDEXES:
        connection.execute(index)


def insert(connection: sqlite3.Connection, row: Mapping[str, object], conflict: str = "replace") -> None:
    """Write one call down; `conflict` is what becomes of it where its id is known."""
    names = ", ".join(row)
    places = ", ".join(f":{name}" for name in row)
    connection.execute(f"insert or {conflict} into {TABLE} ({names}) values ({places})", dict(row))  # noqa: S608  names of ours


def insert_told(connection: sqlite3.Connection, spent: Iterable[Spent]) -> None:
    """Write calls down that the log tells of; those that are known stay as whoever made them wrote them."""
    for call in spent:
        row = {**msgspec.structs.asdict(priced(call)), "purpose": str(call.purpose)}
        insert(connection, row, "ignore")


@lru_cache(maxsize=1_024)
def priced(spent: Spent) -> Spent:
    """The call with its price, where it has none yet and the catalogue knows one."""
    if spent.cost_usd or not spent.model:
        return spent
    cost_usd = price_usd(
        spent.provider or None,
        spent.model,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cache_read_tokens=spent.cache_read_tokens,
        cache_write_tokens=spent.cache_write_tokens,
        at_ms=spent.at_ms,
    )
    return msgspec.structs.replace(spent, cost_usd=cost_usd)
