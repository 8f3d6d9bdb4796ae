"""The event envelope: who said what, where, when, under which id.

On the wire the envelope is split as CloudEvents' binary mode asks: id, time and type are headers, the thread is
the record's key, everything else is the JSON value.
"""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.envelope import ToolEnvelope
from tailrace.schemas.message import Message


class Sensitivity(StrEnum):
    """How far a content may travel."""

    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    RESTRICTED = "restricted"


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the provider counted for the call that made this message."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    reasoning_tokens: int | None = None


class Claim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the content of a message is that was too large for a record: its producer has put it into the artifact store."""

    artifact_id: str
    size_bytes: int
    #: Place of the part, a text or a tool result, whose content it is.
    part: int = 0


DEFAULT_TENANT = "default"

#: A name for something. It travels in every entry and head, so what is longer is content in the wrong place.
Label = Annotated[str, Meta(max_length=256)]


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a thread with everything its producer told about it."""

    id: str
    thread: str
    message: Message
    created_at_ms: int
    tenant: str = DEFAULT_TENANT
    agent: Label | None = None
    parent_thread: Label | None = None
    turn: int | None = None
    group: Label | None = None
    source: Label | None = None
    model: Label | None = None
    usage: Usage | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    pinned: bool = False
    #: What the producer knows of the tool results in the message; in their order, or by call id.
    tools: tuple[ToolEnvelope, ...] = ()
    claim: Claim | None = None
    #: Ids of artifacts that the next model call is likely to need.
    hints: tuple[str, ...] = ()
    extra: dict[str, Any] = {}
