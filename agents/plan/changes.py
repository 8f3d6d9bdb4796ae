"""What a draft changes, as a plan lists it.

One span for each message that is replaced, and for each group that leaves.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.plan import Change
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import RANKS_PER_GROUP

#: Of so many spans nobody reads each; then neighbours that went for the same reason share one, which keeps the list
#: short.
SPANS_APART_MAX = 1_000
_INCLUDE = Action.INCLUDE


def changes_of(draft: Draft) -> tuple[Change, ...]:
    """All that a draft changes, span by span, in the order of the thread."""
    items = [item for group in draft.groups for item in group.items if item.action is not _INCLUDE]
    spans = [[item] for item in items]
    spans += _by_group(draft.dropped)
    spans.sort(key=lambda span: span[0].entry.rank)
    if len(spans) > SPANS_APART_MAX:
        spans = _joined(spans, draft)
    return tuple(_change(span) for span in spans)


def _joined(spans: Sequence[list[Item]], draft: Draft) -> list[list[Item]]:
    """Return dropped neighbours as one span: one step dropped them for one reason, and nothing is left between."""
    standing = sorted(group.items[0].entry.rank for group in draft.groups)
    joined: list[list[Item]] = []
    for span in spans:
        first = span[0]
        last = joined[-1][-1] if joined else None
        if (
            last is not None
            and first.action is last.action is Action.DROP
            and (first.strategy, first.reason, first.recorded) == (last.strategy, last.reason, last.recorded)
            and bisect_left(standing, first.entry.rank) == bisect_left(standing, last.entry.rank)
        ):
            joined[-1] += span
        else:
            joined.append(list(span))
    return joined


def _by_group(items: Iterable[Item]) -> list[list[Item]]:
    """Dropped messages by their group: a span is never wider than what belongs together."""
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(item.entry.rank // RANKS_PER_GROUP, []).append(item)
    return list(groups.values())


def _change(items: Sequence[Item]) -> Change:
    first = items[0]
    # Most spans are one message.
    return Change(
        action=first.action,
        ids=first.ids if len(items) == 1 else tuple([message_id for item in items for message_id in item.ids]),
        first=first.entry,
        last_turn=max([item.last_turn for item in items]),
        before_tokens=sum([item.before_tokens for item in items]),
        after_tokens=sum([item.tokens for item in items]),
        replacement=first.replacement,
        strategy=first.strategy,
        reason=first.reason,
        artifact_id=first.artifact_id,
        recorded=first.recorded or any(item.recorded for item in items),
        artifact_ids=first.artifact_ids
        if len(items) == 1
        else tuple([name for item in items for name in item.artifact_ids]),
    )
