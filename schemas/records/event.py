"""The event envelope: who said what, where, when, under which id.

On the wire the envelope is split as CloudEvents' binary mode asks: id, time and type are headers, the thread is
the record's key, everything else is the JSON value.
"""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.records.envelope import Number, ToolEnvelope
from tailrace.schemas.records.message import Message

#: Far more than any call takes, and so few that the sum of many still is a number that SQLite can hold.
Tokens = Annotated[int, Meta(ge=-1_000_000_000_000, le=1_000_000_000_000)]
#: A name for something. It travels in every entry and head, so what is longer is content in the wrong place.
Label = Annotated[str, Meta(max_length=256)]
#: What models are shown as the id of an artifact: a word, so that nothing else can be said with it.
ArtifactName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._:=-]{1,256}$")]


class Sensitivity(StrEnum):
    """How far a content may travel."""

    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    RESTRICTED = "restricted"


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the provider counted for the call that made this message."""

    input_tokens: Tokens | None = None
    output_tokens: Tokens | None = None
    cache_read_tokens: Tokens | None = None
    #: What the provider put into its cache, where that has a price of its own.
    cache_write_tokens: Tokens | None = None
    reasoning_tokens: Tokens | None = None


class Claim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the content of a message is that is too large for a record: in the artifact store, from its producer."""

    artifact_id: ArtifactName
    #: As its producer says. What is shown goes by what the store says.
    size_bytes: Number
    #: Place of the part whose content it is: a text, a tool result or a call.
    part: Number = 0
    #: It is media, of which nothing is read: the text in its place is a reference to it, and is all that is shown.
    media: bool = False


DEFAULT_TENANT = "default"


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a thread with everything its producer told about it."""

    id: str
    thread: str
    message: Message
    created_at_ms: int
    tenant: str = DEFAULT_TENANT
    agent: Label | None = None
    parent_thread: Label | None = None
    turn: Number | None = None
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
