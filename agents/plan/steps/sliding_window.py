"""A window over the newest part of a context: what lies outside of it goes, a whole chunk at once."""

from collections.abc import Iterator

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import newest
from tailrace.schemas.policy.steps import SlidingWindow
from tailrace.schemas.records.compaction import Action


def analyze(step: SlidingWindow, draft: Draft) -> Iterator[Proposal]:
    """Propose one drop of everything outside of the last turns, groups or tokens.

    Of several bounds the tightest holds.
    """
    inside = draft.groups
    if step.groups is not None:
        inside = inside[-step.groups :]
    if step.turns is not None:
        inside = [group for group in inside if group.turn > draft.turn - step.turns]
    if step.tokens is not None:
        inside = newest(inside, step.tokens)
    stay = {group.sequence for group in inside}
    ids = tuple(key for group in draft.free() if group.sequence not in stay for key in group.ids)
    if ids:
        yield Proposal(Action.DROP, ids, "outside of the window")
