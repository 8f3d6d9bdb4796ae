"""What becomes of a message as it arrives: a large tool output is distilled at once, and its whole text kept.

The entry is written distilled from the beginning, so the prefix of the context never changes because of it. Distilling
is deterministic and free of the conversation: the same output under the same policy gives the same text on every
worker.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from tailrace.agents.artifacts.names import artifact_id, content_of, plain_text_of
from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.distill.distill import DISTILLER_VERSION, Distilled, ToolOutput
from tailrace.agents.distill.fleet_cache import SharedFound, distill_shared
from tailrace.agents.distill.terminal_text import cleaned
from tailrace.agents.engine.tool_results import (
    LargeOutput,
    ToolResult,
    alone,
    most_lasting,
    results_sensitivity,
    results_ttl_seconds,
)
from tailrace.agents.messages.envelope import envelope_of
from tailrace.agents.messages.wording import distilled_text
from tailrace.agents.secrets.mask import mask_envelope, mask_message
from tailrace.agents.secrets.scan import Masked, mask_secrets
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import Durability, ToolEnvelope
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Stored, Topic
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Distillation",
    does="a large tool output arrives: write it smaller, keep the whole of it",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.WORK, Topic.DISTILLATIONS, Topic.CONTEXTS),
)

#: Distillations that save less than this part of their outputs are not worth it.
SAVINGS_FRACTION = 0.25


class ArrivalInputs(Struct, frozen=True):
    """What an arriving message is looked at with."""

    policy: Policy
    limit_tokens: int
    count: Callable[[Message], int]
    offset: int
    #: The tool results of the message, and which of them are to be distilled.
    results: tuple[ToolResult, ...] = ()
    large: tuple[LargeOutput, ...] = ()
    #: Distillations that others made, by the call, or the artifact where the content was only claimed.
    shared: Mapping[str, SharedFound] = {}


class EntryForm(Struct, frozen=True):
    """The form in which a message enters the context, and what is written beside it."""

    message: Message
    tokens: int
    kind: EntryKind = EntryKind.VERBATIM
    #: Where the whole of it is, if this is less, and what that would cost.
    artifact_id: str | None = None
    whole_tokens: int = 0
    durability: Durability | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    stored: tuple[Stored, ...] = ()
    distillations: tuple[Distillation, ...] = ()
    #: Why its content can't be had, where it travelled apart from the message.
    refused: str | None = None


def arrive(event: Event, tokens: int, inputs: ArrivalInputs) -> EntryForm:
    """The form of a message with tool results: as it is, or with its large outputs distilled."""
    whole = EntryForm(
        event.message,
        tokens,
        durability=most_lasting(inputs.results),
        sensitivity=results_sensitivity(event.sensitivity, inputs.results),
    )
    return _smaller(whole, event, inputs) if inputs.large else whole


def _smaller(whole: EntryForm, event: Event, inputs: ArrivalInputs) -> EntryForm:
    """The message with its large outputs distilled; as it is where that would save too little."""
    name = artifact_id(whole.message)
    shown = [_shown(output, event, name, inputs) for output in inputs.large]
    shorter = with_results(whole.message, {text.output.result.part.id: text.text for text in shown})
    tokens = inputs.count(shorter)
    if whole.tokens - tokens < SAVINGS_FRACTION * sum(output.tokens for output in inputs.large):
        return whole
    to_share = [stored for text in shown for stored in text.to_share]
    return msgspec.structs.replace(
        whole,
        message=shorter,
        tokens=tokens,
        kind=EntryKind.DISTILLED,
        artifact_id=name,
        whole_tokens=whole.tokens,
        stored=(_stored(whole, event, name, shown, inputs.policy), *to_share),
        distillations=tuple(_record(event, name, text, inputs) for text in shown),
    )


@dataclass(frozen=True, slots=True)
class _ShownText:
    """A large output with what takes its place in the message."""

    output: LargeOutput
    masked: Masked
    body: Distilled
    text: str
    #: What has to be kept so that others need not distil it again.
    to_share: tuple[Stored, ...]


def _shown(output: LargeOutput, event: Event, name: str, inputs: ArrivalInputs) -> _ShownText:
    policy, result = inputs.policy, output.result
    # Colours may part a secret from what gives it away, and no distillation shows them.
    masked = mask_secrets(cleaned(output.text)) if policy.mask_secrets else Masked(output.text, ())
    tokens_max = min(policy.distill.tokens_max, int(policy.distill.ratio * output.tokens))
    body, to_share = distill_shared(
        ToolOutput(masked.text, result.name, result.subject),
        chars_max=len(output.text) * tokens_max // max(1, output.tokens),
        shared=inputs.shared.get(result.part.id),
        event=event,
        ttl_seconds=results_ttl_seconds([result], policy),
    )
    text = distilled_text(name, output.tokens, result.name, body.method, body.text)
    return _ShownText(output, masked, body, text, to_share)


def result_envelope(
    result: ToolResult, event: Event, policy: Policy, masked: Masked, whole_hash: str | None
) -> ToolEnvelope:
    """The envelope of a tool result, its secrets masked. `whole_hash` stands for all of its text, if all is known."""
    return envelope_of(
        result.part,
        masked.text,
        result.call,
        mask_envelope(result.envelope) if policy.mask_secrets else result.envelope,
        rules=policy.tools,
        whole_hash=whole_hash,
        answered_at_ms=event.created_at_ms,
    )


def _stored(whole: EntryForm, event: Event, name: str, shown: Sequence[_ShownText], policy: Policy) -> Stored:
    media_type, content = content_of(event.message)
    secret = any(text.masked.secrets for text in shown)
    if policy.mask_secrets and not secret and plain_text_of(event.message) is None:
        # The artifact is the whole message: what stands beside the large outputs counts as well.
        secret = mask_message(event.message) is not event.message
    return Stored(
        tenant=event.tenant,
        ttl_seconds=results_ttl_seconds((text.output.result for text in shown), policy),
        artifact=NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=event.created_at_ms,
            sensitivity=Sensitivity.RESTRICTED if secret else whole.sensitivity,
            thread=event.thread,
            message_id=event.id,
            tool=shown[0].output.result.name,
        ),
    )


def _record(event: Event, name: str, shown: _ShownText, inputs: ArrivalInputs) -> Distillation:
    output, body = shown.output, shown.body
    part = output.result.part
    shorter = msgspec.structs.replace(part, response=shown.text)
    return Distillation(
        version=1,
        id=f"{event.thread}/{event.id}/{part.id}",
        thread=event.thread,
        tenant=event.tenant,
        event_id=event.id,
        offset=inputs.offset,
        envelope=result_envelope(output.result, event, inputs.policy, shown.masked, output.whole_hash),
        artifact_id=name,
        content_hash=output.whole_hash,
        method=body.method,
        method_version=DISTILLER_VERSION,
        policy_version=inputs.policy.hash,
        before_chars=len(output.text),
        after_chars=len(shown.text),
        before_tokens=output.tokens,
        after_tokens=inputs.count(alone(event.message, shorter)),
        secrets=kinds_of(shown.masked),
        text=shown.text,
    )


def kinds_of(masked: Masked) -> tuple[str, ...]:
    """Kinds of the secrets that were masked, each once."""
    return tuple(sorted({secret.kind for secret in masked.secrets}))
