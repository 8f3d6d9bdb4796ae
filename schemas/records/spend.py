"""What one call of a model has used and cost, and who it was for.

The agent's own work, or making its context smaller.
"""

from enum import StrEnum

from msgspec import Struct

from tailrace.schemas.records.event import Label
from tailrace.schemas.records.summary import ANSWERED


class Purpose(StrEnum):
    """What a call was made for."""

    #: The agent's own model, as whoever published its answer reports it.
    PRIMARY = "primary"
    #: A model that makes contexts smaller.
    COMPACTOR = "compactor"


class Spent(Struct, frozen=True, kw_only=True):
    """One call."""

    #: The same however often it is told.
    id: str
    purpose: Purpose
    thread: str
    tenant: str
    agent: Label | None
    #: Empty where nobody said which.
    model: str
    at_ms: int
    input_tokens: int
    output_tokens: int
    #: Of the input, what the provider had in its cache.
    cache_read_tokens: int = 0
    #: Of the input, what the provider put into its cache.
    cache_write_tokens: int = 0
    #: 0 where nobody knows a price, and before anybody has looked for one.
    cost_usd: float = 0.0
    provider: str = ""
    #: The request that a compactor's call answers, and its kind.
    request_id: str = ""
    kind: str = ""
    #: What became of it.
    outcome: str = ANSWERED
