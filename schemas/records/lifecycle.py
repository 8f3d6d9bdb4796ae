"""Lifecycle events: the audit trail of what the triggers saw and did, without any message text."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole
from tailrace.schemas.records.compaction import Action, Trigger


class LifecycleKind(StrEnum):
    """What happened."""

    CHECK_STARTED = "check_started"
    PROPOSAL_GENERATED = "proposal_generated"
    EXTERNALIZED = "externalized"
    SUMMARIZED = "summarized"
    CLEARED = "cleared"
    DROPPED = "dropped"
    #: The ledger was written anew.
    NOTED = "noted"
    REHYDRATED = "rehydrated"
    COMPLETED = "completed"
    NOOP = "noop"
    FAILED = "failed"
    FLAGGED = "flagged"
    #: A record was read that names who sent it: `actor`.
    RECEIVED = "received"
    #: Somebody asked for something that can't be done.
    REFUSED = "refused"
    #: Input was deleted before it was read, and somebody has accepted that. It is about a partition, not about a
    #: thread.
    LOST = "lost"


class StepProposal(Struct, frozen=True, kw_only=True):
    """What one step of a policy proposed in a check: one action on so many messages, and what that frees."""

    strategy: str
    action: Action
    messages: Whole
    freed_tokens: Whole


class LifecycleEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of one check. The id is the same however often the step is repeated."""

    version: Literal[1]
    id: str
    kind: LifecycleKind
    thread: str
    tenant: str
    trigger: Trigger
    event_id: str
    offset: Whole
    before_tokens: Whole
    after_tokens: Whole
    limit_tokens: Whole
    policy_version: str
    strategy: str | None = None
    compaction_id: str | None = None
    message_ids: tuple[str, ...] = ()
    reason: str | None = None
    #: What the steps proposed, where that is what happened.
    proposals: tuple[StepProposal, ...] = ()
    #: What fired: the name of the rule, mark or timer, and its condition with the values of that moment.
    rule: str | None = None
    condition: str | None = None
    #: Who sent what was received.
    actor: str | None = None
    #: When it was, by the broker's clock.
    at_ms: Whole = 0
