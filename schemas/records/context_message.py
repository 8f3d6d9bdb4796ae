"""A message of a context with what Tailrace knows it by: every way to a context gives the same."""

from msgspec import Struct

from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.message import Message


class ContextMessage(Struct, frozen=True):
    """A message of a context: what it is, and the name of its entry.

    Who keeps messages of their own finds them by it.
    """

    id: str
    kind: EntryKind
    message: Message
    #: Messages that the entry names as those that it stands for.
    sources: tuple[str, ...] = ()
