"""A window over the newest part of a context: what lies outside of it goes, a whole chunk at once."""

from collections.abc import Iterator

from tailrace.agents.draft import Draft
from tailrace.agents.proposal import Proposal
from tailrace.agents.splits import newest
from tailrace.schemas.compaction import Action
from tailrace.schemas.policy_steps import SlidingWindow


def analyze(step: SlidingWindow, draft: Draft) -> Iterator[Proposal]:
    """Propose one drop of everything outside of the last turns, groups or tokens; of several bounds the tightest holds."""
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
