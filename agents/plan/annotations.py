"""Annotations of a thread's messages: what belongs together, what it costs, what a plan leaves out, and why."""

from collections.abc import Iterable

from tailrace.agents.plan.derived_entries import derived_id
from tailrace.agents.plan.draft.groups import draft_groups
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.plan import Plan
from tailrace.schemas.records.annotation import TOKEN_COUNT_BASIS, Annotation, GroupAnnotation
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.parts import ReasoningPart


def annotations(entries: Iterable[Entry], plan: Plan | None = None) -> dict[str, Annotation]:
    """Return the annotation of each message by its id, and of what the plan puts in the place of some."""
    groups = draft_groups(entries)
    annotated: dict[str, Annotation] = {}
    for index, group in enumerate(groups):
        for item in group.items:
            annotated[item.entry.id] = Annotation(group=_group(group, index, item.tokens))
    for change in plan.changes if plan is not None else ():
        first = annotated[change.first.id].group
        name = derived_id(change) if change.replacement is not None else None
        members = [annotated[message_id].group.id for message_id in change.ids]
        for message_id in change.ids:
            annotated[message_id] = Annotation(
                group=annotated[message_id].group,
                excluded=True,
                exclude_reason=f"{change.strategy}: {change.reason}",
                summarized_by_summary_id=name,
            )
        if name is not None:
            annotated[name] = Annotation(
                group=GroupAnnotation(
                    id=f"group_{name}",
                    kind=first.kind if len(change.ids) == 1 else "assistant_text",
                    index=first.index,
                    has_reasoning=False,
                    token_count=change.after_tokens,
                    token_count_basis=TOKEN_COUNT_BASIS,
                ),
                summary_of_message_ids=change.ids,
                summary_of_group_ids=tuple(dict.fromkeys(members)),
            )
    return annotated


def _group(group: DraftGroup, index: int, tokens: int) -> GroupAnnotation:
    return GroupAnnotation(
        id=f"group_{group.items[0].entry.id}",
        kind=group.kind,
        index=index,
        has_reasoning=any(isinstance(part, ReasoningPart) for item in group.items for part in item.original.parts),
        token_count=tokens,
        token_count_basis=TOKEN_COUNT_BASIS,
    )
