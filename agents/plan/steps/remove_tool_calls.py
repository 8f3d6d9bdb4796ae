"""Calls of some tools go, their results with them, but for the last few."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import RemoveToolCalls
from tailrace.schemas.records.compaction import Action


def analyze(step: RemoveToolCalls, draft: Draft) -> Iterator[Proposal]:
    """Propose one drop of all groups that call none but these tools, the last few left out."""
    groups = [group for group in draft.groups if group.kind is GroupKind.TOOL_CALL and _calls_only(group, step.tools)]
    gone = [group for group in groups[: max(0, len(groups) - step.keep_last)] if group.kept is None]
    if gone:
        ids = tuple(message_id for group in gone for message_id in group.ids)
        yield Proposal(Action.DROP, ids, f"not among the last {step.keep_last} groups of calls")


def _calls_only(group: DraftGroup, patterns: tuple[str, ...]) -> bool:
    names = group.tool_names().values()
    return bool(names) and all(any(fnmatchcase(name, pattern) for pattern in patterns) for name in names)
