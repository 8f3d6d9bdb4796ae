"""Messages whose content was too large for a record: their producer put it into the artifact store and sent a claim.

The worker reads no more of it than a distillation can use: its beginning and its end. The rest never leaves the store.
"""

from dataclasses import dataclass

import msgspec

from tailrace.agents.arrival import Arrival, Desk
from tailrace.agents.call_text import call_text
from tailrace.agents.distill.distill import DISTILLER_VERSION, ToolOutput, distill
from tailrace.agents.envelope import content_hash, envelope_of, given_for
from tailrace.agents.secrets import mask_secrets
from tailrace.agents.wording import CUT_NOTE, distilled_text, gone_text
from tailrace.schemas.context import EntryKind
from tailrace.schemas.distillation import Distillation
from tailrace.schemas.envelope import ToolEnvelope
from tailrace.schemas.errors import Invalid
from tailrace.schemas.event import Claim, Event
from tailrace.schemas.message import Message
from tailrace.schemas.parts import AnyPart, TextPart, ToolCallResponsePart

#: How much of a content is read: half of it from the beginning, half from the end.
READ_BYTES_MAX = 1_000_000
#: A guess where nothing better is known: bytes for one token.
_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ClaimedText:
    """What was read of a claimed content; all of it where `tail` is empty."""

    claim: Claim
    head: str = ""
    tail: str = ""
    #: Why there is nothing.
    missing: str | None = None

    @property
    def text(self) -> str:
        """What was read, with a note where something is left out."""
        return f"{self.head}\n{CUT_NOTE}\n{self.tail}" if self.tail else self.head


def arrive_claimed(event: Event, claimed: ClaimedText, desk: Desk) -> Arrival:
    """The message as it enters the context: what it holds is always distilled, or a note where it is gone."""
    claim = claimed.claim
    part = _part(event, claim)
    if claimed.missing is not None:
        message = _with_text(event.message, claim.part, gone_text(claim.artifact_id, claimed.missing))
        return Arrival(
            message, desk.count(message), EntryKind.POINTER, claim.artifact_id, sensitivity=event.sensitivity
        )
    masked = mask_secrets(claimed.text) if desk.policy.mask_secrets else None
    text = masked.text if masked else claimed.text
    envelope, told = _known(event, part, claimed, desk)
    body = distill(ToolOutput(text, envelope.name or "", told), chars_max=_chars_max(claimed.text, desk))
    whole_tokens = claim.size_bytes // _BYTES_PER_TOKEN
    shown = distilled_text(claim.artifact_id, whole_tokens, envelope.name or "", body.method, body.text)
    message = _with_text(event.message, claim.part, shown)
    tokens = desk.count(message)
    record = Distillation(
        version=1,
        id=f"{event.thread}/{event.id}/{envelope.call_id or claim.part}",
        thread=event.thread,
        tenant=event.tenant,
        event_id=event.id,
        offset=desk.offset,
        envelope=envelope,
        artifact_id=claim.artifact_id,
        content_hash=content_hash(claimed.text),
        method=body.method,
        method_version=DISTILLER_VERSION,
        policy_version=desk.policy.hash,
        before_chars=claim.size_bytes,
        after_chars=len(shown),
        before_tokens=whole_tokens,
        after_tokens=tokens,
        secrets=tuple(sorted({found.kind for found in masked.found})) if masked else (),
        text=shown,
    )
    return Arrival(
        message,
        tokens,
        EntryKind.DISTILLED,
        claim.artifact_id,
        whole_tokens,
        envelope.durability,
        event.sensitivity,
        distillations=(record,),
    )


def _chars_max(text: str, desk: Desk) -> int:
    """At most what the policy gives to a distillation, and never more than a twentieth of the whole limit."""
    tokens = min(desk.policy.distill.tokens_max, max(200, desk.limit_tokens // 20))
    return min(tokens * _BYTES_PER_TOKEN, len(text))


def _part(event: Event, claim: Claim) -> AnyPart:
    parts = event.message.parts
    if not 0 <= claim.part < len(parts) or not isinstance(parts[claim.part], TextPart | ToolCallResponsePart):
        raise Invalid(f"claim.part is {claim.part}; it must be the place of a text or a tool result in the message")
    return parts[claim.part]


def _known(event: Event, part: AnyPart, claimed: ClaimedText, desk: Desk) -> tuple[ToolEnvelope, str]:
    if not isinstance(part, ToolCallResponsePart):
        return ToolEnvelope(), ""
    call = desk.find_call(part.id)
    given = given_for(part, 0, event.tools)
    envelope = envelope_of(part, claimed.text, call, given, answered_at_ms=event.created_at_ms)
    said = call_text(call.part) if call else None
    return envelope, (said.path or said.command or said.told) if said else ""


def _with_text(message: Message, place: int, text: str) -> Message:
    parts = list(message.parts)
    part = parts[place]
    field = "response" if isinstance(part, ToolCallResponsePart) else "content"
    parts[place] = msgspec.structs.replace(part, **{field: text})
    return msgspec.structs.replace(message, parts=tuple(parts))
