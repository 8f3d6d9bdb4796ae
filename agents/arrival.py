"""What becomes of a message as it arrives: a large tool output is distilled at once, and its whole text kept.

The entry is written distilled from the beginning, so the prefix of the context never changes because of it. Distilling is
deterministic and free of the conversation: the same output under the same policy gives the same text on every worker.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tailrace.agents.artifacts import artifact_id, content_of
from tailrace.agents.call_text import call_text
from tailrace.agents.distill.distill import DISTILLER_VERSION, Distilled, ToolOutput, distill
from tailrace.agents.envelope import Call, content_hash, envelope_of, given_for, rule_for
from tailrace.agents.media_tokens import find_media
from tailrace.agents.part_text import response_text
from tailrace.agents.secrets import mask_secrets
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
from tailrace.schemas.records import Stored

#: A distillation that saves less than this part of the output is not worth it.
SAVINGS_FRACTION = 0.25
#: The same content comes again and again while agents work: so many distillations are remembered.
REMEMBERED = 256
#: Longer outputs are not remembered: they would fill the memory, and rarely come twice.
REMEMBERED_CHARS_MAX = 100_000

#: Finds the call that a result answers.
FindCall = Callable[[str], Call | None]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message as it enters the context, and what is written beside it."""

    message: Message
    tokens: int
    kind: EntryKind = EntryKind.VERBATIM
    artifact_id: str | None = None
    whole_tokens: int = 0
    durability: Durability | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    stored: tuple[Stored, ...] = ()
    distillations: tuple[Distillation, ...] = ()


@dataclass(frozen=True, slots=True)
class Desk:
    """What an arriving message is looked at with."""

    policy: Policy
    limit_tokens: int
    count: Callable[[Message], int]
    find_call: FindCall
    offset: int


def arrive(event: Event, tokens: int, desk: Desk) -> Arrival:
    """The message as it enters the context: as it is, or with its large tool outputs distilled."""
    message = event.message
    policy = desk.policy
    plain = Arrival(message, tokens, sensitivity=event.sensitivity)
    if not message.answered_ids or (tokens < _tokens_least(policy) and not event.tools and not policy.tools):
        return plain
    results = _results(event, tokens, desk)
    durability = _weakest(results)
    large = [result for result in results if result.is_large(desk)]
    texts = [(result, result.distilled(policy)) for result in large]
    name = artifact_id(message)
    shown = {
        result.part.id: distilled_text(name, result.tokens, result.envelope.name or "", body.method, body.text)
        for result, body in texts
    }
    shorter = with_results(message, shown)
    shorter_tokens = desk.count(shorter) if shown else tokens
    if tokens - shorter_tokens < SAVINGS_FRACTION * tokens:
        return _durable(plain, durability)
    sensitivity = stricter(event.sensitivity, _strictest(large))
    return Arrival(
        message=shorter,
        tokens=shorter_tokens,
        kind=EntryKind.DISTILLED,
        artifact_id=name,
        whole_tokens=tokens,
        durability=durability,
        sensitivity=event.sensitivity,
        stored=(_stored(event, name, sensitivity, large, policy),),
        distillations=tuple(_record(event, name, result, body, shown[result.part.id], desk) for result, body in texts),
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """One tool output of the message."""

    part: ToolCallResponsePart
    text: str
    #: Its share of what the message costs.
    tokens: int
    call: Call | None
    envelope: ToolEnvelope
    masked: str
    secrets: tuple[str, ...]
    sensitivity: Sensitivity

    def is_large(self, desk: Desk) -> bool:
        rule = rule_for(self.envelope.name or "", desk.policy.tools)
        wanted = desk.policy.distill.enabled if rule.distill is None else rule.distill
        if not wanted or self.envelope.durability is Durability.ANCHORING:
            return False
        own = desk.policy.distill
        least = rule.tokens_min or max(own.tokens_min, int(own.fraction_min * desk.limit_tokens))
        # Media would be lost with the blocks around it; it has a step of its own.
        return self.tokens >= least and next(find_media(self.part.response), None) is None

    def distilled(self, policy: Policy) -> Distilled:
        own = policy.distill
        tokens_max = min(own.tokens_max, int(own.ratio * self.tokens))
        chars_max = len(self.text) * tokens_max // max(1, self.tokens)
        said = call_text(self.call.part) if self.call else None
        output = ToolOutput(
            text=self.masked,
            tool=self.envelope.name or "",
            told=(said.path or said.command or said.told) if said else "",
        )
        return (_remembered if len(self.masked) <= REMEMBERED_CHARS_MAX else distill)(output, chars_max=chars_max)


@lru_cache(maxsize=REMEMBERED)
def _remembered(output: ToolOutput, *, chars_max: int) -> Distilled:
    return distill(output, chars_max=chars_max)


def _tokens_least(policy: Policy) -> int:
    return policy.distill.tokens_min


def _results(event: Event, tokens: int, desk: Desk) -> list[_Result]:
    parts = [part for part in event.message.parts if isinstance(part, ToolCallResponsePart)]
    texts = [response_text(part.response) for part in parts]
    chars = max(1, sum(map(len, texts)))
    results = []
    for place, (part, text) in enumerate(zip(parts, texts, strict=True)):
        call = desk.find_call(part.id)
        given = given_for(part, place, event.tools)
        envelope = envelope_of(part, text, call, given, answered_at_ms=event.created_at_ms)
        rule = rule_for(envelope.name or "", desk.policy.tools)
        masked = mask_secrets(text) if desk.policy.mask_secrets else None
        found = tuple(sorted({one.kind for one in masked.found})) if masked else ()
        results.append(
            _Result(
                part=part,
                text=text,
                tokens=tokens * len(text) // chars,
                call=call,
                envelope=ToolEnvelope(
                    **{
                        **{name: getattr(envelope, name) for name in ToolEnvelope.__struct_fields__},
                        "durability": rule.durability or envelope.durability,
                    }
                ),
                masked=masked.text if masked else text,
                secrets=found,
                sensitivity=Sensitivity.RESTRICTED if found else rule.sensitivity or event.sensitivity,
            )
        )
    return results


def _durable(arrival: Arrival, durability: Durability | None) -> Arrival:
    if durability is None:
        return arrival
    return Arrival(arrival.message, arrival.tokens, durability=durability, sensitivity=arrival.sensitivity)


#: A message with several results is as durable as the one that must stay the longest.
_LASTING = (Durability.EPHEMERAL, Durability.REPLAYABLE, Durability.NON_REPLAYABLE, Durability.ANCHORING)


def _weakest(results: Sequence[_Result]) -> Durability | None:
    known = [result.envelope.durability for result in results if result.envelope.durability is not None]
    return max(known, key=_LASTING.index) if known and len(known) == len(results) else None


def _strictest(results: Sequence[_Result]) -> Sensitivity:
    strictest = Sensitivity.PUBLIC
    for result in results:
        strictest = stricter(strictest, result.sensitivity)
    return strictest


def _stored(event: Event, name: str, sensitivity: Sensitivity, large: Sequence[_Result], policy: Policy) -> Stored:
    media_type, content = content_of(event.message)
    tool = large[0].envelope.name or ""
    ttl = rule_for(tool, policy.tools).ttl_seconds or policy.artifact_ttl_seconds
    return Stored(
        tenant=event.tenant,
        ttl_seconds=ttl,
        artifact=NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=event.created_at_ms,
            sensitivity=sensitivity,
            thread=event.thread,
            message_id=event.id,
            tool=tool,
        ),
    )


def _record(event: Event, name: str, result: _Result, body: Distilled, text: str, desk: Desk) -> Distillation:
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
        after_tokens=result.tokens * len(text) // max(1, len(result.text)),
        secrets=result.secrets,
        text=text,
    )
