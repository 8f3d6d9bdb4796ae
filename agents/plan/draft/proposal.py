"""What a strategy asks for: an action on some messages of a draft, and what is to stand in their place."""

from msgspec import Struct

from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message


class Proposal(Struct, frozen=True, gc=False):
    """One action on one span.

    A replacement for several messages takes the place of the first; they must be whole groups. A replacement for one
    message must make and answer the same tool calls, so that the pair stays whole. Without a replacement they go.
    """

    action: Action
    ids: tuple[str, ...]
    reason: str
    replacement: Message | None = None
    #: Name under which the whole content can be had, where the replacement says so.
    artifact_id: str | None = None
    #: False for housekeeping that is no compaction: it leaves no record.
    recorded: bool = True
    #: Whether what is cut may come back where room is left in the end.
    may_return: bool = False
    #: Keep every message whole under a name of its own, where one replacement stands for several.
    keeps_each: bool = False
