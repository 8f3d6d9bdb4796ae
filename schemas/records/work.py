"""Requests for a model, on the `work` topic: any worker of the role `summarize` may answer them.

A request holds all that its answer depends on, so that whoever takes it needs no state of the thread, and the same
request gives the same answer whenever and wherever it is read.
"""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.event import Label
from tailrace.schemas.records.message import Message


class WorkKind(StrEnum):
    """What is asked for: a summary of a span, or a better distillation of one tool output."""

    SUMMARIZE = "summarize"
    DISTILL = "distill"


class SpanMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message of a span, under the id of its event."""

    id: str
    message: Message
    #: A program wrote it in a user's name: what it says is nobody's rule.
    by_program: bool = False


class WorkRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of work for a model."""

    version: Literal[1]
    #: Made from thread, span and content: the same request has the same id.
    id: str
    kind: WorkKind
    thread: str
    tenant: str
    span: SpanReference
    #: Of `messages`, and of the artifact where one is named.
    content_hash: str
    #: What is to be read: raw events, never a rendered context.
    messages: tuple[SpanMessage, ...]
    #: Tokens of the messages.
    tokens: Whole
    #: What the answer may cost in a context.
    tokens_max: Whole
    policy_version: str
    #: Offset of the event that made the request.
    offset: Whole
    agent: Label | None = None
    #: Where the whole tool output is that the last message holds a part of.
    artifact_id: str | None = None
    #: Language of the conversation as a tag of BCP 47, where it is known.
    language: str | None = None
    #: Texts that stand in the summary whatever the answer is: what the ledger has of the span.
    ledger_texts: tuple[str, ...] = ()
    #: How many directives the answer may add to the ledger; 0 where the policy lets no model do so.
    candidates_max: Whole = 0
