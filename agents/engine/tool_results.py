"""The tool results of a message: the call that each answers, what is known of it, and which are large.

Looked at once for each message. Arrival, the lookups of shared distillations and the restoration of artifacts read the
same list, so they can't disagree about a result's tool, its rule or its durability.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from tailrace.agents.messages.envelope import (
    Call,
    content_hash,
    durability_of,
    given_for,
    name_of,
    rule_for,
    sensitivity_of,
    told_by,
    ttl_seconds_of,
)
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import stands_for_more
from tailrace.agents.plan.draft.keep import source_rule
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.envelope import Durability, ToolEnvelope
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.media import find_media
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart


class ToolResult(Struct, frozen=True):
    """One tool result of a message."""

    part: ToolCallResponsePart
    #: None where the thread does not have the call.
    call: Call | None
    #: What the producer says of it.
    envelope: ToolEnvelope
    #: The tool; empty where nobody says.
    name: str
    #: What the policy says of the tool.
    rule: ToolRule

    @property
    def durability(self) -> Durability | None:
        """How long it is good for, as far as somebody knows."""
        return durability_of(self.rule, self.envelope, self.call)

    @property
    def subject(self) -> str:
        """The path, the command or whatever else the call says; empty where there is no call."""
        return told_by(self.call.part if self.call else None)


class LargeOutput(Struct, frozen=True):
    """A tool result that is to be distilled as it arrives."""

    result: ToolResult
    #: What it costs, with what stands around it in a message.
    tokens: int
    text: str
    #: Stands for all of the text.
    whole_hash: str


def tool_results(event: Event, policy: Policy, find_call: Callable[[str], Call | None]) -> tuple[ToolResult, ...]:
    """The tool results of a message in their order. `find_call` returns the call with an id, if the thread has it."""
    results = []
    parts = [part for part in event.message.parts if isinstance(part, ToolCallResponsePart)]
    for place, part in enumerate(parts):
        call = find_call(part.id)
        envelope = given_for(part, place, event.tools)
        name = name_of(envelope, call)
        results.append(ToolResult(part, call, envelope, name, rule_for(name, policy.tools)))
    return tuple(results)


def is_plain(event: Event, tokens: int, policy: Policy) -> bool:
    """Tell whether there is nothing to distil in a message, and nothing more to know of it: most messages are so."""
    if tokens < policy.distill.tokens_min and not event.tools and not policy.tools:
        return True
    return not event.message.answered_ids


def large_outputs(
    event: Event,
    results: Sequence[ToolResult],
    tokens: int,
    *,
    policy: Policy,
    limit_tokens: int,
    count: Callable[[Message], int],
) -> tuple[LargeOutput, ...]:
    """The results of a message that are to be distilled; none where the message has to stay as it is."""
    large = []
    for result in results:
        own_tokens = tokens if len(event.message.parts) == 1 else count(alone(event.message, result.part))
        if _is_large(result, own_tokens, policy, limit_tokens):
            text = response_text(result.part.response)
            large.append(LargeOutput(result, own_tokens, text, content_hash(text)))
    return tuple(large) if large and not _is_kept(event, policy) else ()


def _is_large(result: ToolResult, tokens: int, policy: Policy, limit_tokens: int) -> bool:
    own, rule = policy.distill, result.rule
    wanted = own.enabled if rule.distill is None else rule.distill
    least_tokens = rule.tokens_min or max(own.tokens_min, int(own.fraction_min * limit_tokens))
    if not wanted or tokens < least_tokens or result.durability is Durability.ANCHORING:
        return False
    response = result.part.response
    if isinstance(response, str) and stands_for_more(response):
        return False  # made smaller before: the list of a context that is compacted again
    # Media would be lost with the blocks around it; it has a step of its own.
    return next(find_media(response), None) is None


def _is_kept(event: Event, policy: Policy) -> bool:
    """Tell whether whoever published the message, or the policy by its source, wants it to stay as it is."""
    return event.pinned or source_rule(event.source, policy.keep) in {"keep", "protect"}


def alone(message: Message, part: ToolCallResponsePart) -> Message:
    """The message with this part only.

    Beside others the cost of a part can't be told from its length: an image is a short text, and costs as much as a
    long one.
    """
    return msgspec.structs.replace(message, parts=(part,))


#: The later, the longer a result must stay. What nobody knows stays longer than what can be had again.
_LASTING = (Durability.EPHEMERAL, Durability.REPLAYABLE, None, Durability.NON_REPLAYABLE, Durability.ANCHORING)


def most_lasting(results: Iterable[ToolResult]) -> Durability | None:
    """A message with several results is as durable as the one that must stay the longest. There must be one."""
    return max((result.durability for result in results), key=_LASTING.index)


def results_sensitivity(own: Sensitivity, results: Iterable[ToolResult]) -> Sensitivity:
    """How sensitive a message is with these results."""
    return sensitivity_of(own, (result.rule for result in results))


def results_ttl_seconds(results: Iterable[ToolResult], policy: Policy) -> int | None:
    """How long these results are kept together."""
    return ttl_seconds_of((result.rule for result in results), policy.artifact_ttl_seconds)
