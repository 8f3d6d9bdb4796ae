"""What models have finished ahead of need: a chunk becomes its summary, a tool's answer its better distillation.

What has none is left to the steps behind this one.
"""

from collections.abc import Iterator, Mapping, Sequence

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.messages.wording import distilled_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import before_split
from tailrace.agents.plan.draft.summary_spans import turns_of
from tailrace.agents.plan.steps.summarize import summary_message
from tailrace.agents.summary.model.text import without_quotations
from tailrace.schemas.policy.steps import ReadySummaries
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import ReadySummary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.work import WorkKind


def analyze(step: ReadySummaries, draft: Draft) -> Iterator[Proposal]:
    """Propose what is ready, oldest first.

    Every distillation that is smaller than ours, and summaries until the target is met.

    What is kept of a chunk stays beside its summary. A chunk of which something else became already keeps that.
    """
    if not draft.ready:
        return
    ready = sorted(draft.ready, key=lambda summary: summary.offset)
    items = {item.ids[0]: item for group in draft.free() for item in group.items if len(item.ids) == 1}
    for summary in ready:
        item = items.get(summary.span.ids[0])
        if summary.kind is not WorkKind.DISTILL or item is None:
            continue
        # A message with several answers would need to be told which of them it is.
        if item.action is Action.INCLUDE and len(item.entry.answers) == 1:
            shorter = _distilled(item, summary)
            yield Proposal(Action.EXTERNALIZE, item.ids, f"distilled by {summary.model}", shorter, item.whole_id)
    yield from _summaries(step, draft, [summary for summary in ready if summary.kind is WorkKind.SUMMARIZE])


def _distilled(item: Item, ready: ReadySummary) -> Message:
    text = distilled_text(item.whole_id, item.whole_tokens, "", ready.model, ready.text)
    return with_results(item.original, dict.fromkeys(item.entry.answers, text))


def _summaries(step: ReadySummaries, draft: Draft, ready: list[ReadySummary]) -> Iterator[Proposal]:
    excess_tokens = draft.excess_tokens
    by_id = {
        message_id: group
        for group in before_split(draft, step.keep)
        if not group.is_summary
        for message_id in group.ids
    }
    # A chunk that reaches into the last turns waits until they have passed: said whole and summarised, it would cost
    # twice.
    kept = {
        message_id for group in draft.groups if group.kept not in {None, KeepReason.RECENT} for message_id in group.ids
    }
    proposed: list[list[DraftGroup]] = []
    for summary in ready:
        if excess_tokens <= 0:
            return
        chunk = _chunk([message_id for message_id in summary.span.ids if message_id not in kept], by_id)
        if not chunk:
            continue
        ids = tuple(message_id for group in chunk for message_id in group.ids)
        in_ledger = draft.ledger.without(draft, ids)[1] if draft.ledger is not None else frozenset()
        # A summary is old when it is used: what it quotes may be in the ledger, or taken back.
        text = without_quotations(summary.text, in_ledger)
        if not text:
            continue
        message = summary_message(draft.summary_role, text, turns_of(draft, chunk, proposed))
        saved_tokens = sum(group.tokens for group in chunk) - draft.count(message)
        if saved_tokens > 0:
            excess_tokens -= saved_tokens
            proposed.append(chunk)
            yield Proposal(Action.SUMMARIZE, ids, f"summarised ahead of need by {summary.model}", message)


def _chunk(ids: Sequence[str], by_id: Mapping[str, DraftGroup]) -> list[DraftGroup]:
    """The whole groups that these messages are, if they may be summarised; none where anything else became of one."""
    if any(message_id not in by_id for message_id in ids):
        return []
    chunk = list({id(by_id[message_id]): by_id[message_id] for message_id in ids}.values())
    whole = {message_id for group in chunk for message_id in group.ids} == set(ids)
    return chunk if whole and all(group.is_open_to(Action.SUMMARIZE) for group in chunk) else []
