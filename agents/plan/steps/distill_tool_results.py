"""Tool results of earlier turns become distillations: what later turns may ask for stays, the whole is an artifact."""

from collections.abc import Iterator, Mapping

import msgspec

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.distill.distill import ToolOutput, distill
from tailrace.agents.messages.envelope import told_by
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import distilled_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import DistillToolResults
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.media import find_media
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart


def analyze(step: DistillToolResults, draft: Draft) -> Iterator[Proposal]:
    """Propose a distillation for each result that is old and large enough, and not one already."""
    for group, item in draft.results():
        old = draft.turn - item.entry.turn >= step.keep_turns
        done = item.entry.kind is not EntryKind.VERBATIM or item.action is not Action.INCLUDE
        stays = group.kept is not None or item.entry.durability is Durability.ANCHORING
        if old and not done and not stays and item.tokens >= step.tokens_min:
            texts = dict(_distilled(step, item, _calls(group), draft))
            if texts:
                shorter = with_results(item.original, texts)
                yield Proposal(Action.EXTERNALIZE, item.ids, "of an earlier turn", shorter, item.whole_id)


def _calls(group: DraftGroup) -> dict[str, ToolCallPart]:
    parts = [part for item in group.items if item.entry.calls for part in item.original.parts]
    return {part.id: part for part in parts if isinstance(part, ToolCallPart)}


def _distilled(
    step: DistillToolResults, item: Item, calls: Mapping[str, ToolCallPart], draft: Draft
) -> Iterator[tuple[str, str]]:
    message = item.original
    for part in message.parts:
        if not isinstance(part, ToolCallResponsePart) or any(find_media(part.response)):
            continue
        alone = msgspec.structs.replace(message, parts=(part,))
        tokens = item.tokens if len(message.parts) == 1 else draft.count(alone)
        if tokens < step.tokens_min:
            continue
        text = response_text(part.response)
        chars_max = len(text) * min(step.tokens_max, int(step.ratio * tokens)) // max(1, tokens)
        call = calls.get(part.id)
        name = call.name if call else message.name or ""
        body = distill(ToolOutput(text, name, told_by(call)), chars_max=chars_max)
        yield part.id, distilled_text(item.whole_id, tokens, name, body.method, body.text)
