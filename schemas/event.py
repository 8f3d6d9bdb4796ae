"""The event envelope: who said what, where, when, under which id.

On the wire the envelope is split as CloudEvents' binary mode asks: id, time and type are headers, the thread is
the record's key, everything else is the JSON value.
"""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

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
    extra: dict[str, Any] = {}
