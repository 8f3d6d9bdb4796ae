"""Old calls with their results become one short message for each group.

Which tools were called, and what came of it.
"""

from collections.abc import Iterator

from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.plan.draft.call_digest import Telling, holds_others_words, told_calls
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import CollapseToolCalls
from tailrace.schemas.records.compaction import Action


def analyze(step: CollapseToolCalls, draft: Draft) -> Iterator[Proposal]:
    """Propose one message for each group of calls but the last few."""
    groups = [group for group in draft.groups if group.kind is GroupKind.TOOL_CALL]
    for group in groups[: max(0, len(groups) - step.keep_last)]:
        if group.kept is None and group.is_open_to(Action.SUMMARIZE) and not holds_others_words(group):
            yield Proposal(
                action=Action.SUMMARIZE,
                ids=group.ids,
                reason=f"not among the last {step.keep_last} groups of calls",
                replacement=told_calls(group, Telling(step.result_chars_max)),
            )
