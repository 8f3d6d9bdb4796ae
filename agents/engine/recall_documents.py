"""What of a message can be found again: its text, secrets masked, whole even where the context holds less of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from tailrace.agents.artifacts.names import readable_message
from tailrace.agents.engine.claim_check import ClaimedText
from tailrace.agents.messages.envelope import given_for, rule_for, sensitivity_of
from tailrace.agents.messages.groups import begins_turn
from tailrace.agents.secrets.mask import mask_message
from tailrace.agents.secrets.scan import Masked, mask_secrets
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, RefusalPart, TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.records.recall import RecallDocument, RecallKind

#: Calls of a thread that wait for their results. Nobody has as many open, but anybody may write as many.
OPEN_CALLS_MAX: Final = 1_000


class SaidThread(Struct):
    """What has to be known of a thread to make documents of the next message: kept between two reads of the log."""

    turns: int = 0
    #: Names of the tools that were called, by the id of the call; the newest last, where an id was used again.
    open_calls: dict[str, list[str]] = {}

    def documents(
        self, event: Event, offset: int, claimed: ClaimedText | None, policy: Policy
    ) -> tuple[RecallDocument, ...]:
        """Take the next message in, and return what of it can be found again."""
        self.turns += begins_turn(event)
        documents = documents_of(event, LogPosition(offset, self.turns), claimed, policy, called=self._called)
        for part in event.message.parts:
            if isinstance(part, ToolCallPart):
                self.open_calls.setdefault(part.id, []).append(part.name)
            elif isinstance(part, ToolCallResponsePart):
                names = self.open_calls.pop(part.id, [])
                if names[:-1]:
                    self.open_calls[part.id] = names[:-1]
        while len(self.open_calls) > OPEN_CALLS_MAX:
            del self.open_calls[next(iter(self.open_calls))]
        return documents

    def _called(self, call_id: str) -> str:
        names = self.open_calls.get(call_id)
        return names[-1] if names else ""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where a message stands."""

    offset: int
    turn: int


def documents_of(
    event: Event, place: LogPosition, claimed: ClaimedText | None, policy: Policy, *, called: Callable[[str], str]
) -> tuple[RecallDocument, ...]:
    """What of a message can be found again.

    `called` names the tool that a call is to.
    """
    sensitivity = document_sensitivity(event, policy.tools, called)
    documents = [message_document(event, place.offset, masked=policy.mask_secrets)]
    if claimed is not None and claimed.missing is None and not claimed.claim.media:
        documents.append(claim_document(event, claimed, place.offset, masked=policy.mask_secrets))
    return tuple(
        msgspec.structs.replace(document, turn=place.turn, sensitivity=strictest([sensitivity, document.sensitivity]))
        for document in documents
    )


def document_sensitivity(event: Event, rules: Mapping[str, ToolRule], called: Callable[[str], str]) -> Sensitivity:
    """How sensitive the text of a message is: what its tools must not show, the index must not show either.

    `called` names the tool that a call is to, where the producer has not.
    """
    if not any(rule.sensitivity for rule in rules.values()):
        return event.sensitivity
    results = [part for part in event.message.parts if isinstance(part, ToolCallResponsePart)]
    names = [given_for(part, place, event.tools).name or called(part.id) for place, part in enumerate(results)]
    return sensitivity_of(event.sensitivity, (rule_for(name, rules) for name in names))


def message_document(event: Event, offset: int, *, masked: bool) -> RecallDocument:
    """The document of one message."""
    message = event.message
    tools = [part.name for part in message.parts if isinstance(part, ToolCallPart)]
    text = _masked_text(message) if masked else readable_message(message)
    return RecallDocument(
        tenant=event.tenant,
        thread=event.thread,
        id=event.id,
        kind=RecallKind.MESSAGE,
        text=text,
        role=message.role,
        tool=tools[0] if tools else "",
        offset=offset,
        created_at_ms=event.created_at_ms,
        sensitivity=event.sensitivity,
    )


def _masked_text(message: Message) -> str:
    """What a person reads of a message, secrets masked.

    Twice: a key beside a value gives secrets away, and so does the whole text, in which reasoning stands as well. Where
    the whole is the only text and has none, the second look would be the first again.
    """
    masked = mask_message(message)
    text = readable_message(masked)
    if masked is message and len(message.parts) == 1 and text is _looked_at(message.parts[0]):
        return text
    return mask_secrets(text).text


def _looked_at(part: AnyPart) -> object:
    """What `mask_message` has looked at as one text. Not reasoning, which it leaves alone."""
    match part:
        case TextPart() | RefusalPart():
            return part.content
        case ToolCallResponsePart():
            return part.response
    return None


def claim_document(event: Event, claimed: ClaimedText, offset: int, *, masked: bool) -> RecallDocument:
    """The document of a content that travelled apart from its message: as much of it as was read."""
    shown = mask_secrets(claimed.text) if masked else Masked(claimed.text, ())
    return RecallDocument(
        tenant=event.tenant,
        thread=event.thread,
        id=claimed.claim.artifact_id,
        kind=RecallKind.ARTIFACT,
        text=shown.text,
        role=event.message.role,
        offset=offset,
        created_at_ms=event.created_at_ms,
        sensitivity=strictest([event.sensitivity, claimed.shown_sensitivity(shown)]),
    )
