"""Artifacts that come back by themselves: a message names one, and for that turn its content stands at the very end.

What is wanted is decided here, from the message and the thread alone; whoever runs the agent looks it up, and hands in what it
found. What is brought back has a reserve of its own, is no part of what is compacted, and leaves with the turn: nothing
before it ever changes because of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from tailrace.agents.groups import starts_turn
from tailrace.agents.occasion import Occasion
from tailrace.agents.part_text import text_of
from tailrace.agents.shorten import beginning
from tailrace.agents.view import ThreadView, id_hash
from tailrace.agents.wording import gone_text, rehydrated_text
from tailrace.schemas.compaction import Trigger
from tailrace.schemas.context import DERIVED_ID_PREFIX, REHYDRATED_RANK, Entry, EntryKind
from tailrace.schemas.event import Event, Sensitivity
from tailrace.schemas.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.message import Message
from tailrace.schemas.parts import TextPart, ToolCallPart
from tailrace.schemas.policy import Policy
from tailrace.schemas.policy_tools import Rehydrate
from tailrace.schemas.records import Emission
from tailrace.schemas.tools import READ_ARTIFACT, RECALL

#: An artifact's id as a token of its own.
_ID = re.compile(r"(?<![0-9A-Za-z_-])[0-9a-f]{16}(?![0-9A-Za-z_-])")
#: The same as pointers and notes write it: whoever repeats that means the artifact, and nothing else.
_NAMED = re.compile(r"artifact[:(\"' ]{1,3}([0-9a-f]{16})(?![0-9A-Za-z_-])")
#: How much of a message is searched: who names an artifact does not hide the name behind a book.
_SEARCHED_CHARS = 20_000
#: Characters of one token at most, for the first cut: what is longer than that can't fit anyway.
_CHARS_PER_TOKEN_MAX = 8

#: What the audit trail calls it.
REHYDRATION = "rehydration"

_encode_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Wanted:
    """An artifact that a message asks for."""

    artifact_id: str
    #: It is named as one: if it can't be had, the context says so. A mere token that looks like an id may be anything.
    named: bool


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """What was found of an artifact that was asked for."""

    artifact_id: str
    #: None where it can't be shown, for this reason.
    text: str | None
    reason: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL


@dataclass(frozen=True, slots=True)
class Room:
    """How much may be brought back."""

    policy: Policy
    limit_tokens: int
    #: What the context costs without it.
    context_tokens: int
    count: Callable[[Message], int]
    #: What was brought back in this turn already.
    there: Sequence[Entry] = ()

    @property
    def rules(self) -> Rehydrate:
        """What the policy says about it."""
        return self.policy.rehydrate

    def left_tokens(self) -> int:
        """The reserve and whatever else is free of the limit, as far as the policy allows, less what is there."""
        free = self.policy.rehydration_reserve_tokens + max(0, self.limit_tokens - self.context_tokens)
        return min(self.rules.tokens_max, free) - sum(entry.tokens for entry in self.there)


def there_before(view: ThreadView, event: Event, offset: int) -> list[Entry]:
    """What was brought back in this turn before this message; what an owner that died has written for it does not count."""
    if starts_turn(event.message):
        return []
    return [entry for entry in view.rehydrated.values() if entry.offset < offset]


def leaving(view: ThreadView, event: Event, offset: int) -> list[str]:
    """Ids of what was brought back for a turn that is over now."""
    if not starts_turn(event.message):
        return []
    return [key for key, entry in view.rehydrated.items() if entry.offset < offset]


def wanted(view: ThreadView, event: Event, offset: int, policy: Policy) -> tuple[Wanted, ...]:
    """The artifacts that a message asks for, in the order of their mention; none that are there already or cooling down."""
    rules = policy.rehydrate
    if not rules.enabled:
        return ()
    turn = view.totals.turns + starts_turn(event.message)
    found: dict[str, bool] = {}
    for artifact_id, named in _mentions(event):
        last = view.brought_back.get(artifact_id)
        if last is None or turn - last > rules.cooldown_turns:
            found[artifact_id] = found.get(artifact_id, False) or named
    if not found:
        return ()
    there = len(there_before(view, event, offset))
    return tuple(Wanted(one, named) for one, named in list(found.items())[: max(0, rules.artifacts_max - there)])


def _mentions(event: Event) -> Iterator[tuple[str, bool]]:
    yield from ((hint, True) for hint in event.hints if _ID.fullmatch(hint))
    message = event.message
    texts: list[str] = []
    if starts_turn(message):
        texts = [part.content for part in message.parts if isinstance(part, TextPart)]
    elif message.call_ids:
        # Who asks for an artifact by the tool gets it as the tool's answer.
        calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
        texts = [text_of(part) for part in calls if part.name not in {READ_ARTIFACT.name, RECALL.name}]
    for text in texts:
        searched = text[:_SEARCHED_CHARS]
        named = set(_NAMED.findall(searched))
        yield from ((found, found in named) for found in _ID.findall(searched))


def bring_back(found: Sequence[BroughtBack], cause: Entry, occasion: Occasion, room: Room) -> list[Emission]:
    """Entries of what was found, each cut to its room, and the audit of what was brought back and what was refused."""
    entries: list[Entry] = []
    left_tokens = room.left_tokens()
    shown: list[str] = []
    for place, one in enumerate(found):
        tokens_max = min(room.rules.artifact_tokens_max, left_tokens)
        message, tokens = _message(one, tokens_max, room.count)
        if tokens > tokens_max:
            continue
        left_tokens -= tokens
        entries.append(_entry(one, message, tokens, cause, len(room.there) + place))
        if one.text is not None:
            shown.append(one.artifact_id)
    refused = [one for one in found if one.text is None]
    missed = [one.artifact_id for one in found if one.text is not None and one.artifact_id not in shown]
    audit = [_audit(LifecycleKind.REHYDRATED, shown, occasion, room, reason=None)] if shown else []
    audit += [_audit(LifecycleKind.FLAGGED, [one.artifact_id], occasion, room, reason=one.reason) for one in refused]
    audit += [_audit(LifecycleKind.NOOP, missed, occasion, room, reason="no room to bring it back")] if missed else []
    return [*audit, *entries]


def _message(one: BroughtBack, tokens_max: int, count: Callable[[Message], int]) -> tuple[Message, int]:
    def made(text: str) -> Message:
        return Message(role="user", parts=(TextPart(content=text),))

    if one.text is None:
        note = made(gone_text(one.artifact_id, one.reason))
        return note, count(note)
    body = beginning(one.text, max(1, tokens_max) * _CHARS_PER_TOKEN_MAX)
    while True:
        message = made(rehydrated_text(one.artifact_id, body, cut=len(body) < len(one.text)))
        tokens = count(message)
        if tokens <= tokens_max or not body:
            return message, tokens
        body = beginning(one.text, int(len(body) * min(0.9, tokens_max / tokens)))


def _entry(one: BroughtBack, message: Message, tokens: int, cause: Entry, place: int) -> Entry:
    return Entry(
        version=1,
        thread=cause.thread,
        tenant=cause.tenant,
        id=f"{DERIVED_ID_PREFIX}{EntryKind.REHYDRATED}:{one.artifact_id}:{id_hash(cause.id)}",
        epoch=max(0, cause.epoch),
        rank=REHYDRATED_RANK + place,
        turn=cause.turn,
        tokens=tokens,
        offset=cause.offset,
        role=message.role,
        message=msgspec.Raw(bytes(memoryview(_encode_json(message)))),
        kind=EntryKind.REHYDRATED,
        sensitivity=one.sensitivity,
        created_at_ms=cause.created_at_ms,
        artifact_id=one.artifact_id,
    )


def _audit(
    kind: LifecycleKind, artifact_ids: Sequence[str], occasion: Occasion, room: Room, *, reason: str | None
) -> LifecycleEvent:
    return LifecycleEvent(
        version=1,
        id=f"{occasion.thread}/{occasion.event_id}/{kind}/{'+'.join(artifact_ids)}",
        kind=kind,
        thread=occasion.thread,
        tenant=occasion.tenant,
        trigger=Trigger.STRUCTURAL,
        event_id=occasion.event_id,
        offset=occasion.offset,
        before_tokens=room.context_tokens,
        after_tokens=room.context_tokens,
        limit_tokens=room.limit_tokens,
        policy_version=occasion.policy_hash,
        strategy=REHYDRATION,
        message_ids=tuple(artifact_ids),
        reason=reason,
    )
