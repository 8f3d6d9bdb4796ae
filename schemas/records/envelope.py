"""The envelope of a tool result: what is known of it beside its content.

A producer may publish one with the event; what it leaves out is derived from the message, and a policy may overrule the
durability by the name of the tool. It decides how long the result stays and how it may be had again.
"""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

#: What SQLite, and most readers of the topics, can hold. JSON knows no limit, and one number beyond it would stop a
#: worker for good.
INTEGER_MAX: Final = 2**63 - 1
#: A number that a producer tells us.
Number = Annotated[int, Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]


class Outcome(StrEnum):
    """How a call ended."""

    OK = "ok"
    ERROR = "error"
    UNKNOWN = "unknown"


class Durability(StrEnum):
    """What a result is worth once it is old."""

    #: True only for the moment: a clock, a poll. The first to go.
    EPHEMERAL = "ephemeral"
    #: What everything after it rests on. It stays as it is while there is room for it.
    ANCHORING = "anchoring"
    #: The same call brings it again.
    REPLAYABLE = "replayable"
    #: It can't be had again: something was changed, or it took a person. It never leaves without being an artifact.
    NON_REPLAYABLE = "non_replayable"


class Determinism(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What tells whether the same call would bring the same content. What is not known counts as changed."""

    content_hash: str | None = None
    etag: str | None = None
    modified_at: str | None = None
    content_version: str | None = None

    def same_as(self, other: "Determinism") -> bool:
        """Tell whether both name the same content: one mark that both have is equal, and none differs."""
        marks = [(getattr(self, name), getattr(other, name)) for name in self.__struct_fields__]
        both = [(ours, theirs) for ours, theirs in marks if ours is not None and theirs is not None]
        return bool(both) and all(ours == theirs for ours, theirs in both)


class Timing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When a call was made, and how long it took."""

    started_at_ms: Number | None = None
    duration_ms: Number | None = None


class ToolEnvelope(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One tool result. Fields that nobody knows are absent."""

    call_id: str | None = None
    name: str | None = None
    outcome: Outcome | None = None
    #: The few values that stand for the whole: ids, counts, an exit code.
    key_fields: dict[str, str] = {}
    durability: Durability | None = None
    determinism: Determinism | None = None
    timing: Timing | None = None
