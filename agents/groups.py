"""Atomic groups: the messages that stay, go or are summarised together.

A tool call, the reasoning before it and all its results are one group, however late a result comes; every other
message is a group of its own. Groups are numbered in the order in which they began; the number is the high part of
an entry's rank, so a late result takes its place right behind its call.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from tailrace.schemas.context import RANKS_PER_GROUP, Entry, Totals
from tailrace.schemas.errors import Misplaced
from tailrace.schemas.event import Event
from tailrace.schemas.message import Message
from tailrace.schemas.parts import ReasoningPart


class GroupKind(StrEnum):
    """What a group holds. Producers may group what they like, so a group is of the strongest kind that a member has."""

    SYSTEM = "system"
    USER = "user"
    TOOL_CALL = "tool_call"
    ASSISTANT_TEXT = "assistant_text"


_STRENGTH = {kind: strength for strength, kind in enumerate(reversed(GroupKind))}
_KIND_OF_ROLE = {"system": GroupKind.SYSTEM, "developer": GroupKind.SYSTEM, "user": GroupKind.USER}


@dataclass(slots=True)
class Group:
    """One atomic group of live entries."""

    sequence: int
    turn: int
    kind: GroupKind = GroupKind.ASSISTANT_TEXT
    name: str | None = None
    # Immutable, because nearly all groups have one member and no call: empty lists and sets would be most of their size.
    ids: tuple[str, ...] = ()
    tokens: int = 0
    members: int = 0
    pinned: int = 0
    open_calls: frozenset[str] = frozenset()
    #: The last member is reasoning whose message is still to come.
    expects_message: bool = False

    def copy(self) -> "Group":
        """Return a group of its own with the same content."""
        return replace(self)

    def add(self, entry: Entry) -> None:
        """Take an entry into the group."""
        self.kind = max(self.kind, _kind(entry), key=_STRENGTH.__getitem__)
        self.ids = (*self.ids, entry.id)
        self.tokens += entry.tokens
        self.members = max(self.members, entry.rank % RANKS_PER_GROUP + 1)
        self.pinned += entry.pinned
        self.name = self.name or entry.group
        if entry.calls or entry.answers:
            self.open_calls = self.open_calls.union(entry.calls).difference(entry.answers)
        self.expects_message = entry.reasoning_only

    def remove(self, entry: Entry) -> None:
        """Take an entry out of the group."""
        self.ids = tuple(message_id for message_id in self.ids if message_id != entry.id)
        self.tokens -= entry.tokens
        self.pinned -= entry.pinned
        self.open_calls = self.open_calls.difference(entry.calls)


def _kind(entry: Entry) -> GroupKind:
    # Tool results may travel as user messages; a person has not spoken.
    if entry.calls or entry.answers:
        return GroupKind.TOOL_CALL
    return _KIND_OF_ROLE.get(entry.role, GroupKind.ASSISTANT_TEXT)


class Grouped(Protocol):
    """What placing a message needs to know of its thread."""

    @property
    def groups(self) -> dict[int, Group]: ...
    @property
    def open_calls(self) -> dict[str, tuple[int, ...]]: ...
    @property
    def totals(self) -> Totals: ...


def is_reasoning_only(message: Message) -> bool:
    """Tell whether a message is the reasoning of an assistant message that is still to come."""
    return (
        message.role == "assistant"
        and bool(message.parts)
        and all(isinstance(part, ReasoningPart) for part in message.parts)
    )


def starts_turn(message: Message) -> bool:
    """Tell whether a person speaks: a tool result that travels as a user message is no new turn."""
    return message.role == "user" and not message.answered_ids


def place(thread: Grouped, event: Event) -> tuple[int, int]:
    """Rank and turn of a new message. Raises Misplaced for a tool result that no open call waits for."""
    message = event.message
    turn = thread.totals.turns + starts_turn(message)
    group = _group_to_join(thread, event)
    if group is None:
        return thread.totals.groups * RANKS_PER_GROUP, turn
    return group.sequence * RANKS_PER_GROUP + group.members, max(group.turn, turn)


def _group_to_join(thread: Grouped, event: Event) -> Group | None:
    answered = event.message.answered_ids
    if answered:
        return _group_of_calls(thread, answered)
    newest = thread.groups.get(thread.totals.groups - 1)
    if newest is not None and newest.expects_message and event.message.role == "assistant":
        return newest
    if event.group is not None and newest is not None and newest.name == event.group:
        return newest
    return None


def _group_of_calls(thread: Grouped, answered: tuple[str, ...]) -> Group:
    missing = [call_id for call_id in answered if call_id not in thread.open_calls]
    if missing:
        raise Misplaced(
            f"tool result for call {missing[0]!r}, which is not open in this thread; "
            "publish the message with the call first, then replay this dead letter"
        )
    common = set.intersection(*(set(thread.open_calls[call_id]) for call_id in answered))
    if not common:
        raise Misplaced("one message answers tool calls of different messages; publish one message for each")
    return thread.groups[max(common)]
