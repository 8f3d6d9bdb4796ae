"""What becomes of a message as it arrives: a large tool output is distilled at once, and its whole text kept.

The entry is written distilled from the beginning, so the prefix of the context never changes because of it. Distilling is
deterministic and free of the conversation: the same output under the same policy gives the same text on every worker.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import msgspec

from tailrace.agents.artifacts import artifact_id, content_of, plain_text_of
from tailrace.agents.distill.distill import DISTILLER_VERSION, Distilled, ToolOutput, distill
from tailrace.agents.envelope import Call, content_hash, envelope_of, given_for, rule_for, told_by
from tailrace.agents.keep import source_rule
from tailrace.agents.mask import mask_envelope, mask_message
from tailrace.agents.media_tokens import find_media
from tailrace.agents.part_text import response_text
from tailrace.agents.secrets import Masked, mask_secrets
from tailrace.agents.shorten import with_results
from tailrace.agents.wording import distilled_text
from tailrace.schemas.artifact import NewArtifact, stricter
from tailrace.schemas.context import EntryKind
from tailrace.schemas.distillation import Distillation
from tailrace.schemas.envelope import Durability, ToolEnvelope
from tailrace.schemas.event import Event, Sensitivity
from tailrace.schemas.message import Message
from tailrace.schemas.parts import ToolCallResponsePart
from tailrace.schemas.policy import Policy
from tailrace.schemas.policy_tools import ToolRule
from tailrace.schemas.records import Stored

#: Distillations that save less than this part of their outputs are not worth it.
SAVINGS_FRACTION = 0.25
#: The same content comes again and again while agents work: so many distillations are remembered.
REMEMBERED = 256
#: Longer outputs are not remembered: they would fill the memory, and rarely come twice.
REMEMBERED_CHARS_MAX = 100_000


@dataclass(frozen=True, slots=True)
class Desk:
    """What an arriving message is looked at with."""

    policy: Policy
    limit_tokens: int
    count: Callable[[Message], int]
    #: The call with this id, if the thread has it.
    find_call: Callable[[str], Call | None]
    offset: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message as it enters the context, and what is written beside it."""

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


def arrive(event: Event, tokens: int, desk: Desk) -> Arrival:
    """The message as it enters the context: as it is, or with its large tool outputs distilled."""
    policy = desk.policy
    whole = Arrival(event.message, tokens, sensitivity=event.sensitivity)
    if not event.message.answered_ids or (tokens < policy.distill.tokens_min and not event.tools and not policy.tools):
        return whole
    results = _results(event, tokens, desk)
    whole = replace(
        whole,
        durability=_most_lasting(results),
        sensitivity=_strictest(event, (result.rule.sensitivity for result in results)),
    )
    large = [result for result in results if result.is_large(desk)]
    return _smaller(whole, event, large, desk) if large and not _is_kept(event, policy) else whole


def _smaller(whole: Arrival, event: Event, large: Sequence["_Result"], desk: Desk) -> Arrival:
    """The message with its large outputs distilled; as it is where that would save too little."""
    name = artifact_id(whole.message)
    made = [(result, result.distilled(desk.policy)) for result in large]
    shown = {result.part.id: result.text_of(body, name) for result, body in made}
    shorter = with_results(whole.message, shown)
    tokens = desk.count(shorter)
    if whole.tokens - tokens < SAVINGS_FRACTION * sum(result.tokens for result in large):
        return whole
    return replace(
        whole,
        message=shorter,
        tokens=tokens,
        kind=EntryKind.DISTILLED,
        artifact_id=name,
        whole_tokens=whole.tokens,
        stored=(_stored(whole, event, name, large, desk.policy),),
        distillations=tuple(_record(event, name, result, body, desk) for result, body in made),
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """One tool output of the message."""

    part: ToolCallResponsePart
    text: str
    #: What it costs, with what stands around it in a message.
    tokens: int
    call: Call | None
    envelope: ToolEnvelope
    rule: ToolRule
    masked: Masked

    def is_large(self, desk: Desk) -> bool:
        own = desk.policy.distill
        wanted = own.enabled if self.rule.distill is None else self.rule.distill
        if not wanted or self.envelope.durability is Durability.ANCHORING:
            return False
        least_tokens = self.rule.tokens_min or max(own.tokens_min, int(own.fraction_min * desk.limit_tokens))
        # Media would be lost with the blocks around it; it has a step of its own.
        return self.tokens >= least_tokens and next(find_media(self.part.response), None) is None

    def distilled(self, policy: Policy) -> Distilled:
        own = policy.distill
        tokens_max = min(own.tokens_max, int(own.ratio * self.tokens))
        chars_max = len(self.text) * tokens_max // max(1, self.tokens)
        output = ToolOutput(
            text=self.masked.text,
            tool=self.envelope.name or "",
            told=told_by(self.call.part if self.call else None),
        )
        return (_remembered if len(output.text) <= REMEMBERED_CHARS_MAX else distill)(output, chars_max=chars_max)

    def text_of(self, body: Distilled, name: str) -> str:
        return distilled_text(name, self.tokens, self.envelope.name or "", body.method, body.text)


@lru_cache(maxsize=REMEMBERED)
def _remembered(output: ToolOutput, *, chars_max: int) -> Distilled:
    return distill(output, chars_max=chars_max)


def _results(event: Event, tokens: int, desk: Desk) -> list[_Result]:
    message = event.message
    policy = desk.policy
    parts = [part for part in message.parts if isinstance(part, ToolCallResponsePart)]
    results = []
    for place, part in enumerate(parts):
        text = response_text(part.response)
        masked = mask_secrets(text) if policy.mask_secrets else Masked(text, ())
        call = desk.find_call(part.id)
        given = given_for(part, place, event.tools)
        envelope = envelope_of(
            part,
            masked.text,
            call,
            mask_envelope(given) if policy.mask_secrets else given,
            rules=policy.tools,
            whole_hash=content_hash(text),
            answered_at_ms=event.created_at_ms,
        )
        # Beside other parts its share can't be told from the length: an image is a short text, and costs as much as a long one.
        own_tokens = tokens if len(message.parts) == 1 else desk.count(_alone(message, part))
        rule = rule_for(envelope.name or "", policy.tools)
        results.append(_Result(part, text, own_tokens, call, envelope, rule, masked))
    return results


def _alone(message: Message, part: ToolCallResponsePart) -> Message:
    return msgspec.structs.replace(message, parts=(part,))


def _is_kept(event: Event, policy: Policy) -> bool:
    """Tell whether whoever published the message, or the policy by its source, wants it to stay as it is."""
    return event.pinned or source_rule(event.source, policy.keep) in {"keep", "protect"}


#: The later, the longer a result must stay. What nobody knows stays longer than what can be had again.
_LASTING = (Durability.EPHEMERAL, Durability.REPLAYABLE, None, Durability.NON_REPLAYABLE, Durability.ANCHORING)


def _most_lasting(results: Iterable[_Result]) -> Durability | None:
    """A message with several results is as durable as the one that must stay the longest."""
    return max((result.envelope.durability for result in results), key=_LASTING.index)


def _strictest(event: Event, sensitivities: Iterable[Sensitivity | None]) -> Sensitivity:
    strictest = event.sensitivity
    for one in sensitivities:
        strictest = stricter(strictest, one) if one else strictest
    return strictest


def _stored(whole: Arrival, event: Event, name: str, large: Sequence[_Result], policy: Policy) -> Stored:
    media_type, content = content_of(event.message)
    secret = any(result.masked.found for result in large)
    if policy.mask_secrets and not secret and plain_text_of(event.message) is None:
        # The artifact is the whole message: what stands beside the large outputs counts as well.
        secret = mask_message(event.message) is not event.message
    return Stored(
        tenant=event.tenant,
        ttl_seconds=large[0].rule.ttl_seconds or policy.artifact_ttl_seconds,
        artifact=NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=event.created_at_ms,
            sensitivity=Sensitivity.RESTRICTED if secret else whole.sensitivity,
            thread=event.thread,
            message_id=event.id,
            tool=large[0].envelope.name or "",
        ),
    )


def _record(event: Event, name: str, result: _Result, body: Distilled, desk: Desk) -> Distillation:
    text = result.text_of(body, name)
    shorter = msgspec.structs.replace(result.part, response=text)
    return Distillation(
        version=1,
        id=f"{event.thread}/{event.id}/{result.part.id}",
        thread=event.thread,
        tenant=event.tenant,
        event_id=event.id,
        offset=desk.offset,
        envelope=result.envelope,
        artifact_id=name,
        content_hash=content_hash(result.text),
        method=body.method,
        method_version=DISTILLER_VERSION,
        policy_version=desk.policy.hash,
        before_chars=len(result.text),
        after_chars=len(text),
        before_tokens=result.tokens,
        after_tokens=desk.count(_alone(event.message, shorter)),
        secrets=kinds_of(result.masked),
        text=text,
    )


def kinds_of(masked: Masked) -> tuple[str, ...]:
    """Kinds of the secrets that were masked, each once."""
    return tuple(sorted({found.kind for found in masked.found}))
