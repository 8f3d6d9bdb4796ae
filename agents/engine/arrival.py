"""What becomes of a message as it arrives: a large tool output is distilled at once, and its whole text kept.

The entry is written distilled from the beginning, so the prefix of the context never changes because of it. Distilling is
deterministic and free of the conversation: the same output under the same policy gives the same text on every worker.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from tailrace.agents.artifacts.names import artifact_id, content_of, plain_text_of
from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.distill.distill import DISTILLER_VERSION, Distilled, ToolOutput
from tailrace.agents.distill.fleet_cache import SharedFound, distill_shared
from tailrace.agents.distill.terminal_text import cleaned
from tailrace.agents.messages.envelope import (
    Call,
    content_hash,
    durability_of,
    envelope_of,
    given_for,
    name_of,
    rule_for,
    sensitivity_of,
    told_by,
    ttl_seconds_of,
)
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import distilled_text, stands_for_more
from tailrace.agents.plan.draft.keep import source_rule
from tailrace.agents.secrets.mask import mask_envelope, mask_message
from tailrace.agents.secrets.scan import Masked, mask_secrets
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import Durability, ToolEnvelope
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Stored, Topic
from tailrace.schemas.records.media import find_media
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart
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
    #: The call with this id, if the thread has it.
    find_call: Callable[[str], Call | None]
    offset: int
    #: What others have distilled of it, by the call, or the artifact where the content was only claimed.
    shared: Mapping[str, SharedFound] = {}


class Arrival(Struct, frozen=True):
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


def is_plain(event: Event, tokens: int, policy: Policy) -> bool:
    """Tell whether there is nothing to distil in a message, and nothing more to know of it: most messages are so."""
    if tokens < policy.distill.tokens_min and not event.tools and not policy.tools:
        return True
    return not event.message.answered_ids


def arrive(event: Event, tokens: int, desk: ArrivalInputs) -> Arrival:
    """The message as it enters the context: as it is, or with its large tool outputs distilled."""
    policy = desk.policy
    whole = Arrival(event.message, tokens, sensitivity=event.sensitivity)
    if is_plain(event, tokens, policy):
        return whole
    results = _results(event, tokens, desk)
    whole = msgspec.structs.replace(
        whole,
        durability=_most_lasting(results),
        sensitivity=sensitivity_of(event.sensitivity, (result.rule for result in results)),
    )
    large = [result for result in results if result.is_large(desk)]
    if not large or _is_kept(event, policy):
        return whole
    return _smaller(whole, event, [_read(result, event, policy) for result in large], desk)


def _smaller(whole: Arrival, event: Event, large: Sequence["_Large"], desk: ArrivalInputs) -> Arrival:
    """The message with its large outputs distilled; as it is where that would save too little."""
    name = artifact_id(whole.message)
    distilled = [one.distilled(event, desk) for one in large]
    made = [(one, body) for one, (body, _) in zip(large, distilled, strict=True)]
    shared = [one for _, to_share in distilled for one in to_share]
    shown = {one.result.part.id: one.text_of(body, name) for one, body in made}
    shorter = with_results(whole.message, shown)
    tokens = desk.count(shorter)
    if whole.tokens - tokens < SAVINGS_FRACTION * sum(one.tokens for one in large):
        return whole
    return msgspec.structs.replace(
        whole,
        message=shorter,
        tokens=tokens,
        kind=EntryKind.DISTILLED,
        artifact_id=name,
        whole_tokens=whole.tokens,
        stored=(_stored(whole, event, name, large, desk.policy), *shared),
        distillations=tuple(_record(event, name, one, body, desk) for one, body in made),
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """One tool output of the message, as much of it as every message is asked for."""

    part: ToolCallResponsePart
    #: What it costs, with what stands around it in a message.
    tokens: int
    call: Call | None
    given: ToolEnvelope
    name: str
    rule: ToolRule

    @property
    def durability(self) -> Durability | None:
        return durability_of(self.rule, self.given, self.call)

    def is_large(self, desk: ArrivalInputs) -> bool:
        own = desk.policy.distill
        wanted = own.enabled if self.rule.distill is None else self.rule.distill
        least_tokens = self.rule.tokens_min or max(own.tokens_min, int(own.fraction_min * desk.limit_tokens))
        if not wanted or self.tokens < least_tokens or self.durability is Durability.ANCHORING:
            return False
        response = self.part.response
        if isinstance(response, str) and stands_for_more(response):
            return False  # made smaller before: the list of a context that is compacted again
        # Media would be lost with the blocks around it; it has a step of its own.
        return next(find_media(response), None) is None


@dataclass(frozen=True, slots=True)
class _Large:
    """A tool output that is to be distilled: its text, and all that is known of it."""

    result: _Result
    text: str
    masked: Masked
    envelope: ToolEnvelope

    @property
    def tokens(self) -> int:
        return self.result.tokens

    def distilled(self, event: Event, desk: ArrivalInputs) -> tuple[Distilled, tuple[Stored, ...]]:
        """The distillation, and what has to be kept so that others need not make it again."""
        own = desk.policy.distill
        tokens_max = min(own.tokens_max, int(own.ratio * self.tokens))
        chars_max = len(self.text) * tokens_max // max(1, self.tokens)
        call = self.result.call
        output = ToolOutput(self.masked.text, self.result.name, told_by(call.part if call else None))
        return distill_shared(
            output,
            chars_max=chars_max,
            shared=desk.shared.get(self.result.part.id),
            event=event,
            ttl_seconds=ttl_seconds_of([self.result.rule], desk.policy.artifact_ttl_seconds),
        )

    def text_of(self, body: Distilled, name: str) -> str:
        return distilled_text(name, self.tokens, self.result.name, body.method, body.text)


def _results(event: Event, tokens: int, desk: ArrivalInputs) -> list[_Result]:
    message = event.message
    parts = [part for part in message.parts if isinstance(part, ToolCallResponsePart)]
    results = []
    for place, part in enumerate(parts):
        call = desk.find_call(part.id)
        given = given_for(part, place, event.tools)
        name = name_of(given, call)
        # Beside other parts its share can't be told from the length: an image is a short text, and costs as much as a long one.
        own_tokens = tokens if len(message.parts) == 1 else desk.count(_alone(message, part))
        results.append(_Result(part, own_tokens, call, given, name, rule_for(name, desk.policy.tools)))
    return results


def _read(result: _Result, event: Event, policy: Policy) -> _Large:
    text = response_text(result.part.response)
    # Colours may part a secret from what gives it away, and no distillation shows them.
    masked = mask_secrets(cleaned(text)) if policy.mask_secrets else Masked(text, ())
    envelope = envelope_of(
        result.part,
        masked.text,
        result.call,
        mask_envelope(result.given) if policy.mask_secrets else result.given,
        rules=policy.tools,
        whole_hash=content_hash(text),
        answered_at_ms=event.created_at_ms,
    )
    return _Large(result, text, masked, envelope)


def _alone(message: Message, part: ToolCallResponsePart) -> Message:
    return msgspec.structs.replace(message, parts=(part,))


def _is_kept(event: Event, policy: Policy) -> bool:
    """Tell whether whoever published the message, or the policy by its source, wants it to stay as it is."""
    return event.pinned or source_rule(event.source, policy.keep) in {"keep", "protect"}


#: The later, the longer a result must stay. What nobody knows stays longer than what can be had again.
_LASTING = (Durability.EPHEMERAL, Durability.REPLAYABLE, None, Durability.NON_REPLAYABLE, Durability.ANCHORING)


def _most_lasting(results: Iterable[_Result]) -> Durability | None:
    """A message with several results is as durable as the one that must stay the longest."""
    return max((result.durability for result in results), key=_LASTING.index)


def _stored(whole: Arrival, event: Event, name: str, large: Sequence[_Large], policy: Policy) -> Stored:
    media_type, content = content_of(event.message)
    secret = any(one.masked.secrets for one in large)
    if policy.mask_secrets and not secret and plain_text_of(event.message) is None:
        # The artifact is the whole message: what stands beside the large outputs counts as well.
        secret = mask_message(event.message) is not event.message
    return Stored(
        tenant=event.tenant,
        ttl_seconds=ttl_seconds_of((one.result.rule for one in large), policy.artifact_ttl_seconds),
        artifact=NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=event.created_at_ms,
            sensitivity=Sensitivity.RESTRICTED if secret else whole.sensitivity,
            thread=event.thread,
            message_id=event.id,
            tool=large[0].result.name,
        ),
    )


def _record(event: Event, name: str, large: _Large, body: Distilled, desk: ArrivalInputs) -> Distillation:
    text = large.text_of(body, name)
    shorter = msgspec.structs.replace(large.result.part, response=text)
    return Distillation(
        version=1,
        id=f"{event.thread}/{event.id}/{large.result.part.id}",
        thread=event.thread,
        tenant=event.tenant,
        event_id=event.id,
        offset=desk.offset,
        envelope=large.envelope,
        artifact_id=name,
        content_hash=content_hash(large.text),
        method=body.method,
        method_version=DISTILLER_VERSION,
        policy_version=desk.policy.hash,
        before_chars=len(large.text),
        after_chars=len(text),
        before_tokens=large.tokens,
        after_tokens=desk.count(_alone(event.message, shorter)),
        secrets=kinds_of(large.masked),
        text=text,
    )


def kinds_of(masked: Masked) -> tuple[str, ...]:
    """Kinds of the secrets that were masked, each once."""
    return tuple(sorted({found.kind for found in masked.secrets}))
