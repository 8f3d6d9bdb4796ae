"""The floor under every policy: the oldest groups go, until the target is met.

Summaries, which stand for much, go last.
"""

from collections.abc import Iterator

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import Truncate
from tailrace.schemas.records.compaction import Action


def analyze(_step: Truncate, draft: Draft) -> Iterator[Proposal]:
    """Propose one drop of the oldest groups that may go, as many as the target asks for."""
    excess_tokens = draft.excess_tokens
    ids: list[str] = []
    for group in sorted(draft.free(), key=lambda group: group.is_summary):
        if excess_tokens <= 0:
            break
        ids += group.ids
        excess_tokens -= group.tokens
    if ids:
        yield Proposal(action=Action.DROP, ids=tuple(ids), reason="oldest first, down to the target")
