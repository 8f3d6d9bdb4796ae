"""Artifacts that come back by themselves: a message names one, and for that turn its content stands at the very end.

What is wanted is decided here, from the message and the thread alone; whoever runs the agent looks it up, and hands in
what it found. What is brought back has a reserve of its own, is no part of what is compacted, and leaves with the turn:
nothing before it ever changes because of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from tailrace.agents.artifacts.stand_ins import name_behind
from tailrace.agents.engine.compaction_context import Occasion
from tailrace.agents.messages.clip import beginning
from tailrace.agents.messages.groups import begins_turn
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.messages.wording import gone_text, rehydrated_text
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Rehydrate
from tailrace.schemas.providers.tool import READ_ARTIFACT, RECALL
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, REHYDRATED_RANK, Entry, EntryKind, id_hash
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Rehydration",
    does="a message names an artifact: bring it back for that turn",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: An artifact's id as a token of its own.
_ID = re.compile(r"(?<![0-9A-Za-z_-])[0-9a-f]{16}(?![0-9A-Za-z_-])")
#: The same as pointers and notes write it: whoever repeats that means the artifact, and nothing else.
_NAMED = re.compile(r"artifact[:(\"' ]{1,3}([0-9a-f]{16})(?![0-9A-Za-z_-])")
#: Each character as one byte that says whether it may be part of an id, and an id in these.
_KINDS = bytes(ord("x") if chr(byte) in "0123456789abcdef" else ord(" ") for byte in range(256))
_ID_CHARS = b"x" * 16
#: How much of a text is searched at each end: who names an artifact does not hide the name in the middle of a book.
_SEARCHED_CHARS = 20_000
#: Our own tools, also under the names that runtimes give to those of a server.
_OUR_TOOLS = re.compile(rf"(?:\A|__|[.:/])(?:{READ_ARTIFACT.name}|{RECALL.name})\Z")
#: Characters of one token at most, for the first cut: what is longer than that can't fit anyway.
_CHARS_PER_TOKEN_MAX = 8

#: What the audit trail calls it.
REHYDRATION = "rehydration"

_encode_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class WantedArtifact:
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
    #: The text is only the beginning.
    cut: bool = False


@dataclass(frozen=True, slots=True)
class TurnRoom:
    """How much may be brought back."""

    policy: Policy
    #: What the context may cost beside what is there, and what it costs.
    limit_tokens: int
    context_tokens: int
    count: Callable[[Message], int]
    #: What was brought back in this turn already.
    there: Sequence[Entry] = ()

    @property
    def rules(self) -> Rehydrate:
        """What the policy says about it."""
        return self.policy.rehydrate

    def left_tokens(self) -> int:
        """What is left of the reserve, and whatever is free of the limit, as far as the policy allows."""
        there_tokens = sum(entry.tokens for entry in self.there)
        reserve_tokens = max(0, self.policy.rehydration_reserve_tokens - there_tokens)
        free_tokens = max(0, self.limit_tokens - self.context_tokens)
        return min(self.rules.tokens_max - there_tokens, reserve_tokens + free_tokens)


def there_before(view: ThreadView, event: Event, offset: int) -> list[Entry]:
    """What was brought back in this turn before this message.

    What an owner that died has written for it does not count.
    """
    if begins_turn(event):
        return []
    return [entry for entry in view.rehydrated.values() if entry.offset < offset]


def leaving(view: ThreadView, event: Event, offset: int) -> list[str]:
    """Ids of what was brought back for a turn that is over now, and of what was written for this very message.

    The latter is of an owner that died, and written again where it is still to be had; a store may have lost it since.
    """
    over = begins_turn(event)
    return [key for key, entry in view.rehydrated.items() if over or entry.offset >= offset]


def wanted(view: ThreadView, event: Event, offset: int, policy: Policy) -> tuple[WantedArtifact, ...]:
    """The artifacts that a message asks for, those named as such first; none that are there already or cooling down."""
    rules = policy.rehydrate
    if not rules.enabled:
        return ()
    there = there_before(view, event, offset)
    shown = {entry.artifact_id for entry in there}
    if event.claim is not None:
        # Its own content: the note in its place names it, and what is read of it stands there.
        shown.add(event.claim.artifact_id)
    turn = view.totals.turns + begins_turn(event)
    mentioned: dict[str, bool] = {}
    for artifact_id, named in _mentions(event):
        last = view.brought_back.get(artifact_id)
        if artifact_id not in shown and (last is None or turn - last > rules.cooldown_turns):
            mentioned[artifact_id] = mentioned.get(artifact_id, False) or named
    # What is named as an artifact comes first: other ids of the same form, of traces for instance, must not crowd it
    # out.
    artifacts = (WantedArtifact(artifact_id, named) for artifact_id, named in mentioned.items())
    asked = sorted(artifacts, key=lambda artifact: not artifact.named)
    return tuple(asked[: max(0, rules.artifacts_max - len(there))])


def _mentions(event: Event) -> Iterator[tuple[str, bool]]:
    yield from ((hint, True) for hint in event.hints if _ID.fullmatch(hint))
    message = event.message
    # What a client has put in the place of large parts tells where they are, and asks for nothing.
    parts = [part for part in message.parts if event.claim is None or name_behind(part) is None]
    texts: list[str] = []
    if begins_turn(event):
        texts = [part.content for part in parts if isinstance(part, TextPart)]
    elif message.call_ids:
        # Who asks for an artifact by the tool gets it as the tool's answer.
        calls = [part for part in parts if isinstance(part, ToolCallPart)]
        texts = [text_of(part) for part in calls if not _OUR_TOOLS.search(part.name)]
    for text in texts:
        searched = text if len(text) <= 2 * _SEARCHED_CHARS else f"{text[:_SEARCHED_CHARS]} {text[-_SEARCHED_CHARS:]}"
        if not _may_hold_id(searched):
            continue
        named = set(_NAMED.findall(searched))
        yield from ((name, name in named) for name in _ID.findall(searched))


def _may_hold_id(text: str) -> bool:
    """Tell whether so many of its characters stand side by side.

    Most texts have none, and a pattern takes ten times as long to say so.
    """
    return _ID_CHARS in text.encode("latin-1", "replace").translate(_KINDS)


def bring_back(
    contents: Sequence[BroughtBack], cause: Entry, occasion: Occasion, room: TurnRoom
) -> tuple[list[Entry], list[LifecycleEvent]]:
    """Entries of what was found, each cut to its room, and the audit of what was brought back and what was refused."""
    entries: list[Entry] = []
    shown: list[str] = []
    missed: list[str] = []
    left_tokens = room.left_tokens()
    for content in contents:
        tokens_max = min(room.rules.artifact_tokens_max, left_tokens)
        message, tokens = _message(content, tokens_max, room.count)
        if tokens > tokens_max:
            missed.append(content.artifact_id)
            continue
        left_tokens -= tokens
        entries.append(_entry(content, message, tokens, cause, len(room.there) + len(entries)))
        if content.text is not None:
            shown.append(content.artifact_id)
    tokens = room.context_tokens
    audit = [_audit(LifecycleKind.REHYDRATED, shown, occasion, tokens)] if shown else []
    gone = [content for content in contents if content.text is None]
    audit += [refused(content.artifact_id, content.reason, occasion, tokens) for content in gone]
    audit += [_audit(LifecycleKind.NOOP, missed, occasion, tokens, reason="no room to bring it back")] if missed else []
    return entries, audit


def refused(artifact_id: str, reason: str, occasion: Occasion, context_tokens: int) -> LifecycleEvent:
    """Audit of an artifact that was asked for and can't be shown."""
    return _audit(LifecycleKind.FLAGGED, [artifact_id], occasion, context_tokens, reason=reason)


def _message(content: BroughtBack, tokens_max: int, count: Callable[[Message], int]) -> tuple[Message, int]:
    def made(text: str) -> Message:
        return Message(role="user", parts=(TextPart(content=text),))

    if content.text is None:
        note = made(gone_text(content.artifact_id, content.reason))
        return note, count(note)
    # What is there may take more than is left by now: then there is room for nothing.
    body = beginning(content.text, max(0, tokens_max) * _CHARS_PER_TOKEN_MAX)
    while True:
        message = made(rehydrated_text(content.artifact_id, body, cut=content.cut or len(body) < len(content.text)))
        tokens = count(message)
        if tokens <= tokens_max or not body:
            return message, tokens
        body = beginning(content.text, int(len(body) * min(0.9, tokens_max / tokens)))


def _entry(content: BroughtBack, message: Message, tokens: int, cause: Entry, place: int) -> Entry:
    return Entry(
        version=1,
        thread=cause.thread,
        tenant=cause.tenant,
        id=f"{DERIVED_ID_PREFIX}{EntryKind.REHYDRATED}:{content.artifact_id}:{id_hash(cause.id)}",
        epoch=max(0, cause.epoch),
        rank=REHYDRATED_RANK + place,
        turn=cause.turn,
        tokens=tokens,
        offset=cause.offset,
        role=message.role,
        message=msgspec.Raw(bytes(memoryview(_encode_json(message)))),
        kind=EntryKind.REHYDRATED,
        sensitivity=content.sensitivity,
        created_at_ms=cause.created_at_ms,
        artifact_id=content.artifact_id,
    )


def _audit(
    kind: LifecycleKind,
    artifact_ids: Sequence[str],
    occasion: Occasion,
    context_tokens: int,
    *,
    reason: str | None = None,
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
        before_tokens=context_tokens,
        after_tokens=context_tokens,
        limit_tokens=occasion.limit_tokens,
        policy_version=occasion.policy_hash,
        strategy=REHYDRATION,
        message_ids=tuple(artifact_ids),
        reason=reason,
        rule=REHYDRATION,
        condition=f"asked for: artifact {', '.join(artifact_ids)}",
        at_ms=occasion.at_ms,
    )
