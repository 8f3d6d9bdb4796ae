"""Which turns a summary says that it stands for, and where a span is divided so that summaries in a row tell one story.

A reader takes `Turns 3-9` before `Turns 7-12` for two stories of the same turns. So no span reaches over a summary that
stays, and one that shares turns with another says that it tells them in part: a chunk may end within a turn, and what
was kept of it leaves later than the rest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns that a summary tells of."""

    first: int
    last: int
    #: Another summary in the same context tells of some of them too.
    in_part: bool = False


def turns_of(draft: Draft, groups: Sequence[DraftGroup], proposed: Iterable[Sequence[DraftGroup]] = ()) -> Turns:
    """The turns of groups that are to become a summary in this draft.

    Others are `proposed` to become one in the same step.
    """
    own = {id(group) for group in groups}
    first, last = _reach(groups)
    standing = ([group] for group in draft.summaries() if id(group) not in own)
    others = map(_reach, (*standing, *proposed))
    return Turns(first, last, in_part=any(begin <= last and first <= end for begin, end in others))


def runs(draft: Draft, groups: Sequence[DraftGroup]) -> list[list[DraftGroup]]:
    """The groups in their order, divided wherever a summary that stays lies between two of them."""
    wanted = {id(group) for group in groups}
    between = {id(group) for group in draft.summaries()} - wanted
    if not between:
        return [[*groups]] if groups else []
    divided: list[list[DraftGroup]] = [[]]
    for group in draft.groups:
        if id(group) in wanted:
            divided[-1].append(group)
        elif divided[-1] and id(group) in between:
            divided.append([])
    return [run for run in divided if run]


def _reach(groups: Sequence[DraftGroup]) -> tuple[int, int]:
    """First and last turn of groups; words beside a late result are of a later turn than their group's first."""
    items = [item for group in groups for item in group.items]
    return min(item.entry.turn for item in items), max(item.last_turn for item in items)
