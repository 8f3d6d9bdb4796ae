"""Atomic groups: the messages that stay, go or are summarised together.

A tool call, the reasoning before it and all its results are one group, however late a result comes; every other
message is a group of its own. Groups are numbered in the order in which they began; the number is the high part of
an entry's rank, so a late result takes its place right behind its call.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tailrace.schemas.context import RANKS_PER_GROUP, Entry, EntryKind, Totals
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
    tokens: int = 0
    #: Live entries.
    entries: int = 0
    #: Places that were ever taken.
    members: int = 0
    # Immutable, because nearly all groups have no call: an empty set would be most of their size.
    open_calls: frozenset[str] = frozenset()
    #: The last member is reasoning whose message is still to come.
    expects_message: bool = False

    def copy(self) -> "Group":
        """Return a group of its own with the same content."""
        # By hand: a view of thousands of groups is copied whole, and `dataclasses.replace` takes five times as long.
        return Group(
            self.sequence,
            self.turn,
            self.kind,
            self.name,
            self.tokens,
            self.entries,
            self.members,
            self.open_calls,
            self.expects_message,
        )

    def add(self, entry: Entry) -> None:
        """Take an entry into the group."""
        self.kind = stronger(self.kind, kind_of(entry))
        self.turn = min(self.turn, entry.turn)
        self.entries += 1
        self.tokens += entry.tokens
        self.members = max(self.members, entry.rank % RANKS_PER_GROUP + 1)
        self.name = self.name or entry.group
        if entry.calls or entry.answers:
            self.open_calls = self.open_calls.union(entry.calls).difference(entry.answers)
        self.expects_message = entry.reasoning_only

    def remove(self, entry: Entry) -> None:
        """Take an entry out of the group."""
        self.entries -= 1
        self.tokens -= entry.tokens
        self.open_calls = self.open_calls.difference(entry.calls)


def stronger(one: GroupKind, other: GroupKind) -> GroupKind:
    """Return the kind of a group that has members of both kinds."""
    return max(one, other, key=_STRENGTH.__getitem__)


def kind_of(entry: Entry) -> GroupKind:
    """Return the kind of group that an entry alone would make."""
    # Tool results may travel as user messages; a person has not spoken.
    if entry.calls or entry.answers:
        return GroupKind.TOOL_CALL
    # A summary may be sent under any role; it is nobody's word.
    if entry.kind is EntryKind.SUMMARY:
        return GroupKind.ASSISTANT_TEXT
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
