"""A plan as a table: what would go, span by span, under the step that takes it and its reason, and what it comes to."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace
from rich.text import Text

from tailrace.agents.plan.plan import Change
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.parts import ToolCallPart
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.tables import budget_bar
from tailrace.streams.library.plan_report import Planned

#: Width of the numbers in front of each row; the message has the rest of the line.
_TURNS_WIDTH: Final = 7
_TOKENS_WIDTH: Final = 8

ACTION_STYLES: Final = {"drop": "red", "clear": "yellow", "summarize": "cyan", "externalize": "blue"}


def plan_lines(planned: Planned) -> Iterator[Text]:
    """Yield the lines of the table; none where nothing is to be done."""
    sections: dict[tuple[str, str, str], list[Change]] = {}
    for change in planned.plan.changes:
        sections.setdefault((change.action, change.strategy, change.reason), []).append(change)
    if not sections:
        return
    yield Text.assemble(("  ".join([_right("turn", _TURNS_WIDTH), *_right_tokens("before", "after"), "what"]), "bold"))
    for (action, strategy, reason), changes in sections.items():
        yield Text.assemble((action, f"bold {ACTION_STYLES[action]}"), " by ", one_line(f"{strategy}: {reason}"))
        for change in changes:
            yield _row(_turns(change), change.before_tokens, change.after_tokens, one_line(_what(planned, change)))
        if len(changes) > 1:
            yield _sum(changes)
    ledger = planned.plan.ledger
    if ledger is not None:
        yield Text.assemble(("ledger", "bold magenta"), " of what was stated, is open and was done in what has left")
        what = "a new one" if ledger.former is None else "in the place of the former one"
        yield _row("", ledger.before_tokens, ledger.tokens, Text(what if ledger.message else "no room for one"))


def header_lines(planned: Planned) -> Iterator[Text]:
    """Yield what is planned for: conversation, model and policy, how full it is and between which marks it moves."""
    budget = planned.plan.budget
    model = planned.model or "model unknown"
    policy = f"policy {planned.policy.name} ({planned.policy.hash})"
    yield Text.assemble((one_line(planned.title).plain, "bold"), "  ", one_line(f"{model}, {policy}"))
    yield Text.assemble(
        budget_bar(planned.plan.before_tokens, budget.limit_tokens),
        f"  {planned.plan.before_tokens:,} of {budget.limit_tokens:,} tokens; ",
        f"above {budget.upper_tokens:,} down to {budget.lower_tokens:,}",
    )
    if planned.note is not None:
        yield Text.assemble(("note: ", "yellow"), one_line(planned.note))


def total_lines(planned: Planned) -> Iterator[Text]:
    """Yield what the plan comes to."""
    plan, freed = planned.plan, planned.freed_tokens
    share = freed / max(1, plan.before_tokens)
    limit = plan.budget.limit_tokens
    yield Text.assemble(
        ("tokens    ", "bold"),
        f"{plan.before_tokens:,} before, {plan.after_tokens:,} after, limit {limit:,}, freed {freed:,} ({share:.0%})",
    )
    yield Text.assemble(("messages  ", "bold"), f"{len(planned.entries):,} before, {planned.messages_after:,} after")


def notes(planned: Planned) -> Iterator[Text]:
    """Yield what a reader has to know beside the numbers: why it is not enough, warnings, skipped steps."""
    plan = planned.plan
    if plan.changes and plan.reason:
        yield Text.assemble(("not enough: ", "bold red"), one_line(plan.reason))
    for warning in plan.warnings:
        yield Text.assemble(("warning: ", "yellow"), one_line(warning))
    for step in plan.skipped:
        yield Text.assemble(("skipped: ", "yellow"), one_line(f"{step.strategy}: {step.reason}"))


def _what(planned: Planned, change: Change) -> str:
    message = decode_message(change.first.message)
    # Of a message that says something and makes calls, only these are ever shortened.
    calls = tuple(part for part in message.parts if isinstance(part, ToolCallPart))
    begins = planned.beginning(replace(message, parts=calls) if calls else message)
    named = begins if change.first.answers else f"{change.first.role}: {begins}"
    return named if len(change.ids) == 1 else f"{_count(len(change.ids))} from {named}"


def _sum(changes: Sequence[Change]) -> Text:
    before_tokens = sum(change.before_tokens for change in changes)
    after_tokens = sum(change.after_tokens for change in changes)
    what = f"{_count(sum(len(change.ids) for change in changes))} in all"
    return _row("", before_tokens, after_tokens, Text(what), style="dim")


def _row(turns: str, before_tokens: int, after_tokens: int, what: Text, *, style: str = "") -> Text:
    numbers = "  ".join([_right(turns, _TURNS_WIDTH), *_right_tokens(f"{before_tokens:,}", f"{after_tokens:,}")])
    # How a message begins is shown as far as there is room.
    return Text(f"{numbers}  {what.plain}", style, no_wrap=True, overflow="ellipsis")


def _right(text: str, width: int) -> str:
    return f"{text:>{width}}"


def _right_tokens(*texts: str) -> list[str]:
    return [_right(text, _TOKENS_WIDTH) for text in texts]


def _turns(change: Change) -> str:
    first, last = change.first.turn, change.last_turn
    return str(first) if first == last else f"{first}-{last}"


def _count(messages: int) -> str:
    return "1 message" if messages == 1 else f"{messages:,} messages"
