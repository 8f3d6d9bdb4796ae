"""Plans under several policies side by side: one column for each."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.text import Text

from tailrace.schemas.records.compaction import Action
from tailrace.streams.cli.fitted_table import Column, FittedTable
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.plan_table import notes
from tailrace.streams.library.plan_report import Planned


def comparison(plans: Sequence[Planned]) -> FittedTable:
    """Return what each policy would make of the same conversation."""
    every = {name: [cell(planned) for planned in plans] for name, cell in _ROWS.items()}
    rows = [[Text(name), *map(Text, cells)] for name, cells in every.items() if set(cells) - {"", "0"}]
    return FittedTable([Column(""), *(Column(one_line(name).plain, "right") for name in _names(plans))], rows)


def comparison_notes(plans: Sequence[Planned]) -> Iterator[Text]:
    """Yield what a reader has to know beside the numbers, each with the policy that it is about."""
    for policy, planned in zip(_names(plans), plans, strict=True):
        name = f"{policy}: "
        if planned.note is not None:
            yield Text.assemble(one_line(name), one_line(planned.note))
        if not planned.plan.changes:
            yield Text.assemble(one_line(name), "nothing to do, ", one_line(planned.plan.reason or ""))
        for note in notes(planned):
            yield Text.assemble(one_line(name), note)


def _names(plans: Sequence[Planned]) -> list[str]:
    """What each policy is called; where two of them have one name, how they were asked for as well."""
    counts = Counter(planned.policy.name for planned in plans)
    return [
        planned.policy.name if counts[planned.policy.name] == 1 else f"{planned.policy.name} ({planned.asked})"
        for planned in plans
    ]


def _changed(action: Action) -> Callable[[Planned], str]:
    def cell(planned: Planned) -> str:
        counts = Counter(change.action for change in planned.plan.changes for _ in change.ids)
        return f"{counts[action]:,}"

    return cell


_ROWS: Final[dict[str, Callable[[Planned], str]]] = {
    "hash": lambda planned: planned.policy.hash,
    "limit": lambda planned: f"{planned.plan.budget.limit_tokens:,}",
    "compacts above": lambda planned: f"{planned.plan.budget.upper_tokens:,}",
    "down to": lambda planned: f"{planned.plan.budget.lower_tokens:,}",
    "tokens before": lambda planned: f"{planned.plan.before_tokens:,}",
    "tokens after": lambda planned: f"{planned.plan.after_tokens:,}",
    "freed": lambda planned: f"{planned.freed_tokens:,}",
    "messages before": lambda planned: f"{len(planned.entries):,}",
    "messages left": lambda planned: f"{planned.messages_after:,}",
    **{f"  {action}": _changed(action) for action in Action if action is not Action.INCLUDE},
    "warnings": lambda planned: f"{len(planned.plan.warnings)}",
    "skipped steps": lambda planned: f"{len(planned.plan.skipped)}",
}
