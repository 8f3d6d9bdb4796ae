"""Atomic groups: the messages that stay, go or are summarised together.

Tool calls of one response, the reasoning before them and all their results are one group, whether they came in one
message or one by one (see `one_response`), and however late a result comes; so are a call that the provider answers
itself and all that takes it up (see `server_calls`). Every other message is a group of its own. Groups are numbered in
the order in which they began; the number is the high part of an entry's rank, so a late result takes its place right
behind its calls.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from msgspec import Raw, Struct

from tailrace.agents.messages.one_response import Response
from tailrace.agents.messages.server_calls import group_of_server_calls
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Misplaced
from tailrace.schemas.providers.server_calls import taken_up_ids
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry, EntryKind, Totals
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import GenericPart, ReasoningPart, TextPart
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE


class GroupKind(StrEnum):
    """What a group holds. Producers may group what they like, so a group is of the strongest kind that a member has."""

    SYSTEM = "system"
    USER = "user"
    TOOL_CALL = "tool_call"
    ASSISTANT_TEXT = "assistant_text"


_STRENGTH = {kind: strength for strength, kind in enumerate(reversed(GroupKind))}
#: What we wrote ourselves, under whatever role.
_NOBODYS_WORD = frozenset((EntryKind.SUMMARY, EntryKind.LEDGER))
_KIND_OF_ROLE = {"system": GroupKind.SYSTEM, "developer": GroupKind.SYSTEM, "user": GroupKind.USER}
_USER, _TOOL_CALL, _ASSISTANT_TEXT = GroupKind.USER, GroupKind.TOOL_CALL, GroupKind.ASSISTANT_TEXT
_LEDGER = EntryKind.LEDGER


@dataclass(slots=True)
class Group(Response):
    """One atomic group of live entries."""

    sequence: int = 0
    kind: GroupKind = GroupKind.ASSISTANT_TEXT
    tokens: int = 0
    #: Live entries.
    entries: int = 0

    def copy(self) -> "Group":
        """Return a group of its own with the same content."""
        # By hand: a view of thousands of groups is copied whole, and `dataclasses.replace` takes five times as long.
        return Group(
            self.members,
            self.name,
            self.open_calls,
            self.reasonings,
            self.results,
            self.assistant_last,
            self.expects_message,
            self.sequence,
            self.kind,
            self.tokens,
            self.entries,
        )

    def add(self, entry: Entry) -> None:
        """Take an entry into the group."""
        self.kind = stronger(self.kind, kind_of(entry))
        self.entries += 1
        self.tokens += entry.tokens
        if entry.kind is not _LEDGER:  # it stands behind all places of a group, and is no member
            self.take(entry)

    def remove(self, entry: Entry) -> None:
        """Take an entry out of the group."""
        self.entries -= 1
        self.tokens -= entry.tokens
        self.lose(entry)


def stronger(kind: GroupKind, other: GroupKind) -> GroupKind:
    """Return the kind of a group that has members of both kinds."""
    return kind if kind is other or _STRENGTH[kind] >= _STRENGTH[other] else other


def kind_of(entry: Entry) -> GroupKind:
    """Return the kind of group that an entry alone would make."""
    # Tool results may travel as user messages; a person has spoken only where there are words beside them.
    if entry.calls or entry.answers:
        return _USER if speaks_beside_results(entry) else _TOOL_CALL
    # A summary may be sent under any role; it is nobody's word. Nor is what a program writes in a user's name.
    if entry.kind in _NOBODYS_WORD or (entry.role == "user" and entry.source == PROGRAM_SOURCE):
        return _ASSISTANT_TEXT
    # Of what a user sends, only an approval goes on with what others said, unless its producer groups it: nobody speaks
    # in it.
    if entry.role == "user" and entry.rank % RANKS_PER_GROUP and entry.group is None and _is_approval(entry):
        return _ASSISTANT_TEXT
    return _KIND_OF_ROLE.get(entry.role, _ASSISTANT_TEXT)


def is_system(entry: Entry) -> bool:
    """Tell whether an entry alone would make a group of system messages."""
    return entry.role in _KIND_OF_ROLE and kind_of(entry) is GroupKind.SYSTEM


def speaks_beside_results(entry: Entry) -> bool:
    """Tell whether an entry holds tool results and, beside them, what a person said."""
    if entry.role != "user" or not entry.answers or entry.source == PROGRAM_SOURCE:
        return False
    parts = _decode_outline(entry.message).parts
    return any(part.type == "text" and _decode_text(part.content).strip() for part in parts)


def _is_approval(entry: Entry) -> bool:
    return all(part.type == "generic" for part in _decode_outline(entry.message).parts)


class _PartOutline(Struct, frozen=True):
    """As much of a part as tells who speaks: results may be long, and are passed over."""

    type: str = ""
    content: Raw = Raw(b'""')


class _Outline(Struct, frozen=True):
    parts: tuple[_PartOutline, ...] = ()


_decode_outline = decoder(_Outline)
_decode_text = decoder(str)


class Grouped(Protocol):
    """What placing a message needs to know of its thread."""

    @property
    def entries(self) -> dict[str, Entry]: ...
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
        and type(message.parts[0]) is ReasoningPart  # nearly never, and seen at once
        and all(isinstance(part, ReasoningPart) for part in message.parts)
    )


def starts_turn(message: Message) -> bool:
    """Tell whether a person speaks in a message, and so begins a turn.

    Tool results that travel as a user message begin none, unless a person's words stand beside them; nor does an
    approval.
    """
    if message.role != "user":
        return False
    if message.answered_ids:
        return bool(said_beside_results(message))
    return not (taken_up_ids(message) and all(type(part) is GenericPart for part in message.parts))


def begins_turn(event: Event) -> bool:
    """Tell whether a message begins a turn. What a program writes in a user's name doesn't."""
    return starts_turn(event.message) and event.source != PROGRAM_SOURCE


def said_beside_results(message: Message) -> tuple[TextPart, ...]:
    """What a person said in a message that answers tool calls too; empty for every other message."""
    if message.role != "user" or not message.answered_ids:
        return ()
    return tuple(part for part in message.parts if isinstance(part, TextPart) and part.content.strip())


def place(thread: Grouped, event: Event, answered: tuple[str, ...]) -> tuple[int, int]:
    """Return rank and turn of a new message, which answers the calls `answered`.

    Raises Misplaced for a tool result that no open call waits for.
    """
    turn = thread.totals.turns + begins_turn(event)
    group = _group_to_join(thread, event, answered)
    if group is None:
        return thread.totals.groups * RANKS_PER_GROUP, turn
    return group.sequence * RANKS_PER_GROUP + group.members, turn


def _group_to_join(thread: Grouped, event: Event, answered: tuple[str, ...]) -> Group | None:
    if answered:
        return _group_of_calls(thread, answered)
    message, newest_sequence = event.message, thread.totals.groups - 1
    # Before what its producer calls it: the API refuses what takes a call up without the call.
    if taken_up := taken_up_ids(message):
        sequence = group_of_server_calls(thread.entries, taken_up, newest_sequence)
        if sequence is not None:
            return thread.groups[sequence]
    newest = thread.groups.get(newest_sequence)
    if newest is None:
        return None
    if event.group is not None and newest.name == event.group:
        return newest
    goes_on = newest.goes_on_with(
        message.role, message.call_ids, reasoning_only=is_reasoning_only(message), name=event.group
    )
    return newest if goes_on else None


def _group_of_calls(thread: Grouped, answered: tuple[str, ...]) -> Group:
    """Return the newest group in which all of these calls are open.

    There is one: results of calls in several groups were turned into text before (`dead_calls`).
    """
    common: Collection[int] | None = None
    for call_id in answered:
        opened = thread.open_calls.get(call_id)
        if opened is None:
            raise Misplaced(f"tool result for call {call_id!r}, which is not open in this thread", _remedy(thread))
        common = opened if common is None else [sequence for sequence in common if sequence in opened]
    return thread.groups[max(common or ())]


def _remedy(thread: Grouped) -> str:
    """What an operator can do about a result without an open call.

    Calls that have left the context are not listed, so it can only be said that the call may be among them.
    """
    if not thread.totals.compactions:
        return "publish the message with the call first, then replay this dead letter"
    return (
        "if the call was published before, it has its result, or it waited for too many turns and has left the context "
        "(policy.keep.open_call_turns): publish what the tool found as a new message; "
        "otherwise publish the message with the call first, then replay this dead letter"
    )
