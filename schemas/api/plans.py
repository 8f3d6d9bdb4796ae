"""Dry runs, compactions and signals, as the API takes and gives them."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.api.parameters import TenantName, WaitMs
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import TOKENS_MAX
from tailrace.schemas.records.strategy_name import StrategyName

Tokens = Annotated[int, Meta(ge=1, le=TOKENS_MAX)]


class PlanRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a plan is made for; without anything, what a worker would do now."""

    #: Name of a ready-made policy; by default the one in force.
    policy: str | None = None
    #: Limit in tokens, whatever the model and the reserves.
    budget_tokens: Tokens | None = None
    #: Window to plan for, instead of the model's own.
    window_tokens: Tokens | None = None
    model: str | None = None
    #: Plan below the upper mark too, and where the policy asks for approval.
    force: bool = False


class PlanPolicy(Struct, frozen=True, kw_only=True):
    """The policy of a plan."""

    name: str
    hash: str


class PlannedChange(Struct, frozen=True, kw_only=True):
    """What would become of some messages."""

    action: Action
    ids: tuple[str, ...]
    first_turn: int
    last_turn: int
    before_tokens: int
    after_tokens: int
    strategy: str
    reason: str
    artifact_id: str | None
    recorded: bool
    #: What would stand in their place.
    replacement_id: str | None
    replacement: Any


class PlanReply(Struct, frozen=True, kw_only=True):
    """What a compaction would do. Nothing has changed."""

    source: str
    model: str | None
    window_tokens: int
    policy: PlanPolicy
    #: In which way the policy is not that of the caller, or of the thread's worker.
    note: str | None
    strategy: str
    limit_tokens: int
    upper_tokens: int
    lower_tokens: int
    before_tokens: int
    after_tokens: int
    freed_tokens: int
    messages_before: int
    messages_after: int
    #: Why nothing is done, or why it is not enough.
    reason: str | None
    changes: tuple[PlannedChange, ...]
    ledger: Any
    skipped: Any
    warnings: tuple[str, ...]
    #: What Agent Framework annotates about every message, by the message's id.
    annotations: dict[str, Any]


class CompactQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long to wait."""

    #: By default `client.publish_wait_ms`.
    wait_ms: WaitMs | None = None


class CompactRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be otherwise than the policy says, this time."""

    #: Where to come down to, in tokens or as a part of the limit.
    target_tokens: Tokens | None = None
    target_fraction: Annotated[float, Meta(gt=0, le=1)] | None = None
    strategy: StrategyName | None = None
    #: It stands in the audit trail.
    reason: Annotated[str, Meta(max_length=800)] = ""


class CompactReply(Struct, frozen=True, kw_only=True):
    """What became of a compaction; contexts that are read from now on show it."""

    thread: str
    #: `completed`; `noop`, where nothing could be made smaller; `flagged`, where it comes once the call that is under
    #: way has ended.
    outcome: LifecycleKind
    before_tokens: int
    after_tokens: int
    limit_tokens: int
    reason: str | None
    #: Its record is at /v1/compactions/{id}.
    compaction_id: str | None


class SignalQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose thread it is."""

    tenant: TenantName | None = None
