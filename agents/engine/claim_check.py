"""Messages whose content was too large for a record: their producer put it into the artifact store and sent a claim.

The worker reads no more of it than a distillation can use: its beginning and its end. The rest never leaves the store.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tailrace.agents.artifacts.stand_ins import gone_reference, named_call
from tailrace.agents.distill.distill import DISTILLER_VERSION, ToolOutput
from tailrace.agents.distill.fleet_cache import distill_shared
from tailrace.agents.distill.terminal_text import cleaned
from tailrace.agents.engine.arrival import ArrivalInputs, EntryForm, kinds_of, result_envelope
from tailrace.agents.engine.tool_results import ToolResult
from tailrace.agents.messages.envelope import content_hash, rule_for, sensitivity_of, ttl_seconds_of
from tailrace.agents.messages.wording import CUT_NOTE, distilled_text
from tailrace.agents.secrets.mask import mask_message
from tailrace.agents.secrets.scan import Masked, mask_secrets
from tailrace.schemas.errors import Invalid
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.event import Claim, Event, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, TextPart, ToolCallPart, ToolCallResponsePart

#: How much of a content is read: half of it from the beginning, half from the end.
READ_BYTES_MAX = 1_000_000
#: A guess where nothing better is known: bytes for one token.
_BYTES_PER_TOKEN = 4
#: A distillation of a claimed content gets this part of the limit, and at least so many tokens.
_LIMIT_PART = 20
_TOKENS_MIN = 200
#: A line that was cut is left out where its other end is so near; of one that is longer, as much as a secret may take.
_TORN_LINE_CHARS = 2_000
_TORN_SECRET_CHARS = 512
#: The end of a private key whose beginning was not read.
_KEY_REST = re.compile(r"\A(?:(?!-----BEGIN )[^\n]*\n){0,256}?[^\n]*-----END [A-Z0-9 ]{0,40}-----")


@dataclass(frozen=True, slots=True)
class ClaimedText:
    """What was read of a claimed content; all of it where `tail` is empty."""

    claim: Claim
    head: str = ""
    tail: str = ""
    #: Why there is nothing.
    missing: str | None = None
    #: What the store says of it. A producer may say anything.
    size_bytes: int = 0
    sensitivity: Sensitivity = Sensitivity.PUBLIC

    @property
    def text(self) -> str:
        """What was read, with a note where something is left out. No half of anything stands beside the note."""
        return f"{_whole_head(self.head)}\n{CUT_NOTE}\n{_whole_tail(self.tail)}" if self.tail else self.head

    def shown_sensitivity(self, masked: Masked) -> Sensitivity:
        """How sensitive what is shown of it is, once its secrets are masked: a claim lowers nothing.

        What is restricted only because of its secrets is not, without them; they may also stand in what was not read.
        """
        for_secrets = self.sensitivity is Sensitivity.RESTRICTED and (masked.secrets or self.tail)
        return Sensitivity.PUBLIC if for_secrets else self.sensitivity


def arrive_claimed(event: Event, claimed: ClaimedText, inputs: ArrivalInputs) -> EntryForm:
    """The form of a message with a claim.

    What was claimed is distilled, or shown as its producer does, or a note that it is gone.
    """
    part = _part(event, claimed.claim)
    if claimed.missing is not None:
        return _gone(event, claimed.claim, part, claimed.missing, inputs)
    masked = mask_secrets(cleaned(claimed.text)) if inputs.policy.mask_secrets else Masked(claimed.text, ())
    if claimed.claim.media or isinstance(part, ToolCallPart):
        return _as_shown(event, claimed, masked, inputs)
    return _distilled(event, claimed, masked, inputs)


def _gone(event: Event, claim: Claim, part: AnyPart, reason: str, inputs: ArrivalInputs) -> EntryForm:
    """The message with a note in the place of a content that can't be had."""
    message = _with_part(event.message, claim.part, gone_reference(part, claim.artifact_id, reason))
    return EntryForm(
        message=message,
        tokens=inputs.count(message),
        kind=EntryKind.POINTER,
        artifact_id=claim.artifact_id,
        sensitivity=event.sensitivity,
        refused=reason,
    )


def _distilled(event: Event, claimed: ClaimedText, masked: Masked, inputs: ArrivalInputs) -> EntryForm:
    """The message with a distillation of what was read in the place of the claim."""
    claim, policy = claimed.claim, inputs.policy
    part = event.message.parts[claim.part]
    result = claimed_result(event, inputs.results)
    envelope = _envelope(event, claimed, result, masked, policy)
    name = envelope.name or ""
    body, shared = distill_shared(
        ToolOutput(masked.text, name, result.subject if result else ""),
        chars_max=_chars_max(masked.text, inputs),
        shared=inputs.shared.get(claim.artifact_id),
        event=event,
        ttl_seconds=ttl_seconds_of([rule_for(name, policy.tools)], policy.artifact_ttl_seconds),
    )
    whole_tokens = max(claimed.size_bytes, len(claimed.text)) // _BYTES_PER_TOKEN
    shown = distilled_text(claim.artifact_id, whole_tokens, name, body.method, body.text)
    field = "content" if result is None else "response"
    message = _with_part(event.message, claim.part, msgspec.structs.replace(part, **{field: shown}))
    tokens = inputs.count(message)
    record = Distillation(
        version=1,
        id=f"{event.thread}/{event.id}/{envelope.call_id or claim.part}",
        thread=event.thread,
        tenant=event.tenant,
        event_id=event.id,
        offset=inputs.offset,
        envelope=envelope,
        artifact_id=claim.artifact_id,
        # Of what was not read to its end, the name of the artifact is the hash of all of it.
        content_hash=claim.artifact_id if claimed.tail else content_hash(claimed.text),
        method=body.method,
        method_version=DISTILLER_VERSION,
        policy_version=policy.hash,
        before_chars=max(claimed.size_bytes, len(claimed.text)) if claimed.tail else len(claimed.text),
        after_chars=len(shown),
        before_tokens=whole_tokens,
        after_tokens=tokens,
        secrets=kinds_of(masked),
        text=shown,
    )
    own_sensitivity = sensitivity_of(event.sensitivity, [rule_for(name, policy.tools)])
    return EntryForm(
        message=message,
        tokens=tokens,
        kind=EntryKind.DISTILLED,
        artifact_id=claim.artifact_id,
        whole_tokens=whole_tokens,
        durability=envelope.durability,
        sensitivity=strictest([own_sensitivity, claimed.shown_sensitivity(masked)]),
        stored=shared,
        distillations=(record,),
    )


def _as_shown(event: Event, claimed: ClaimedText, masked: Masked, inputs: ArrivalInputs) -> EntryForm:
    """The message with what its producer has put in the place of media or of arguments, which are there."""
    claim = claimed.claim
    part = event.message.parts[claim.part]
    alone = len(event.message.parts) == 1
    if inputs.policy.mask_secrets:
        (part,) = mask_message(msgspec.structs.replace(event.message, parts=(part,))).parts
    if isinstance(part, ToolCallPart):
        part = named_call(part, claim.artifact_id)
    message = _with_part(event.message, claim.part, part)
    return EntryForm(
        message=message,
        tokens=inputs.count(message),
        kind=EntryKind.DISTILLED,
        # Beside other parts it is not the whole message that is kept under this name; the part itself says the name.
        artifact_id=claim.artifact_id if alone else None,
        # What media cost is for their provider to say, and the reference does.
        whole_tokens=claimed.size_bytes // _BYTES_PER_TOKEN if alone and not claim.media else 0,
        sensitivity=strictest([event.sensitivity, claimed.shown_sensitivity(masked)]),
    )


def _whole_head(head: str) -> str:
    line_end = head.rfind("\n", max(0, len(head) - _TORN_LINE_CHARS))
    return head[:line_end] if line_end >= 0 else head[:-_TORN_SECRET_CHARS]


def _whole_tail(tail: str) -> str:
    line_start = tail.find("\n", 0, _TORN_LINE_CHARS) + 1
    tail = tail[line_start or _TORN_SECRET_CHARS :]
    key_rest = _KEY_REST.match(tail)
    return tail[key_rest.end() :] if key_rest else tail


def _chars_max(text: str, inputs: ArrivalInputs) -> int:
    tokens = min(inputs.policy.distill.tokens_max, max(_TOKENS_MIN, inputs.limit_tokens // _LIMIT_PART))
    return min(tokens * _BYTES_PER_TOKEN, len(text))


def _part(event: Event, claim: Claim) -> AnyPart:
    parts = event.message.parts
    allowed = TextPart if claim.media else TextPart | ToolCallResponsePart | ToolCallPart
    if not 0 <= claim.part < len(parts) or not isinstance(parts[claim.part], allowed):
        wanted = "a text that refers to the media" if claim.media else "a text, a tool result or a call"
        raise Invalid(f"claim.part is {claim.part}; it must be the place of {wanted} in the message")
    return parts[claim.part]


def claimed_result(event: Event, results: Sequence[ToolResult]) -> ToolResult | None:
    """The tool result whose content the message claims; None where it claims that of another part."""
    parts, claim = event.message.parts, event.claim
    if claim is None or not 0 <= claim.part < len(parts) or not isinstance(parts[claim.part], ToolCallResponsePart):
        return None
    return results[sum(isinstance(part, ToolCallResponsePart) for part in parts[: claim.part])]


def _envelope(
    event: Event, claimed: ClaimedText, result: ToolResult | None, masked: Masked, policy: Policy
) -> ToolEnvelope:
    if result is None:
        return ToolEnvelope()
    whole_hash = None if claimed.tail else content_hash(claimed.text)
    return result_envelope(result, event, policy, masked, whole_hash)


def _with_part(message: Message, place: int, part: AnyPart) -> Message:
    parts = (*message.parts[:place], part, *message.parts[place + 1 :])
    return msgspec.structs.replace(message, parts=parts)
