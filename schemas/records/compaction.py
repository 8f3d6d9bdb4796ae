"""Compaction records: what was decided about which messages, and why. They reference ids, never content."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole


class Action(StrEnum):
    """What happens to a span, the weakest last: where two plans disagree, the first in this order holds."""

    DROP = "drop"
    EXTERNALIZE = "externalize"
    SUMMARIZE = "summarize"
    CLEAR = "clear"
    INCLUDE = "include"


class Trigger(StrEnum):
    """What made a compaction start."""

    BUDGET = "budget"
    STRUCTURAL = "structural"
    MANUAL = "manual"
    TEMPORAL = "temporal"
    #: A provider refused a request.
    REACTIVE = "reactive"


class SpanReference(Struct, frozen=True, kw_only=True):
    """An ordered list of message ids, with the turns it reaches over. Empty only where a first ledger is written."""

    ids: tuple[str, ...]
    first_turn: Whole
    last_turn: Whole


class SpanDecision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One action on one span."""

    action: Action
    span: SpanReference
    tokens: Whole
    #: What stands for the span afterwards, and what it costs.
    entry_id: str | None = None
    after_tokens: Whole = 0
    #: Which step asked for it, and why.
    strategy: str = ""
    reason: str = ""
    #: Under which name the whole content can be had.
    artifact_id: str | None = None
    #: Under which names its messages can be had, where each of them was kept whole.
    artifact_ids: tuple[str, ...] = ()


class Recoverable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that the context no longer says, and where it can be had."""

    text: str
    message_id: str
    artifact_id: str | None = None


class ClassReceipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one class of things, such as directives: how many the context still says word for word."""

    retained: Whole = 0
    recoverable: Whole = 0
    lost: Whole = 0
    #: How many of all these a model pointed out.
    added: Whole = 0
    #: Some of those that it no longer says, newest first.
    listed: tuple[Recoverable, ...] = ()


class LossReceipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the messages from before the compaction are now: each is counted once, by how it can still be had."""

    #: They stand as they did.
    retained: Whole
    #: They were cut, stand for nothing any more, or something else stands for them.
    recoverable: Whole
    lost: Whole
    #: How to get the recoverable ones back.
    recover_from: str
    #: By name: directives, obligations, decisions, said (what people said and no rule knows), identifiers.
    classes: dict[str, ClassReceipt] = {}


class CompactionRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A compaction that was committed: `epoch` is the one it began."""

    version: Literal[1]
    id: str
    thread: str
    tenant: str
    epoch: Whole
    trigger: Trigger
    strategy: str
    policy_version: str
    event_id: str
    offset: Whole
    before_tokens: Whole
    after_tokens: Whole
    limit_tokens: Whole
    decisions: tuple[SpanDecision, ...]
    receipt: LossReceipt
    warnings: tuple[str, ...] = ()
    #: What fired, as in the lifecycle.
    rule: str | None = None
    condition: str | None = None
    at_ms: Whole = 0
