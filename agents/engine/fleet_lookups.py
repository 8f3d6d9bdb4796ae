"""Which distillations are worth asking the fleet for: said before a record is decided, because only the shell can ask."""

from collections.abc import Callable

from tailrace.agents.distill.fleet_cache import SharedWanted, shared_id
from tailrace.agents.messages.envelope import Call, content_hash, given_for, name_of, told_by
from tailrace.agents.messages.part_text import response_text
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.parts import ToolCallResponsePart


def shared_wanted(
    event: Event, policy: Policy, *, model: str, chars_min: int, find_call: Callable[[str], Call | None]
) -> tuple[SharedWanted, ...]:
    """The distillations that others may have made of tool results that the message holds or claims, from this size on."""
    found: list[SharedWanted] = []
    results = [(at, part) for at, part in enumerate(event.message.parts) if isinstance(part, ToolCallResponsePart)]
    for place, (at, part) in enumerate(results):
        claim = event.claim if event.claim is not None and event.claim.part == at else None
        if claim is not None:
            # Content is named by its hash, and how large it is, its producer says; a lie costs one question.
            of, whole = claim.artifact_id, claim.artifact_id if claim.size_bytes >= chars_min else ""
        else:
            text = response_text(part.response)
            of, whole = part.id, content_hash(text) if len(text) >= chars_min else ""
        if whole:
            call = find_call(part.id)
            tool = name_of(given_for(part, place, event.tools), call)
            told = told_by(call.part if call else None)
            found.append(SharedWanted(of, shared_id(whole, tool, told, policy_version=policy.hash, model=model)))
    return tuple(found)
