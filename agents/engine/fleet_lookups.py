"""Which distillations are worth asking the fleet for. Decided before the message is, because only the shell can ask."""

from tailrace.agents.distill.fleet_cache import SharedWanted, shared_id
from tailrace.agents.engine.claim_check import claimed_result
from tailrace.agents.engine.entrance import Incoming
from tailrace.agents.engine.tool_results import ToolResult
from tailrace.schemas.policy.policy import Policy


def shared_wanted(incoming: Incoming, policy: Policy, *, model: str, chars_min: int) -> tuple[SharedWanted, ...]:
    """Distillations, from this size on, that others may have made of what the message is going to have distilled."""

    def named(of: str, whole: str, result: ToolResult) -> SharedWanted:
        return SharedWanted(of, shared_id(whole, result.name, result.subject, policy_version=policy.hash, model=model))

    event = incoming.counted.event
    if event.claim is None:
        long = [output for output in incoming.large if len(output.text) >= chars_min]
        return tuple(named(output.result.part.id, output.whole_hash, output.result) for output in long)
    claimed = claimed_result(event, incoming.results)
    # Content is named by its hash, and how large it is, its producer says; a lie costs one question.
    if claimed is None or event.claim.size_bytes < chars_min:
        return ()
    return (named(event.claim.artifact_id, event.claim.artifact_id, claimed),)
