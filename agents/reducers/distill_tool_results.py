"""Tool results of earlier turns become distillations: what later turns may ask for stays, the whole is an artifact."""

from collections.abc import Iterator

from tailrace.agents.call_text import call_text
from tailrace.agents.distill.distill import ToolOutput, distill
from tailrace.agents.draft import Draft, DraftGroup, Item
from tailrace.agents.media_tokens import find_media
from tailrace.agents.part_text import response_text
from tailrace.agents.proposal import Proposal
from tailrace.agents.shorten import with_results
from tailrace.agents.wording import distilled_text
from tailrace.schemas.compaction import Action
from tailrace.schemas.context import EntryKind
from tailrace.schemas.envelope import Durability
from tailrace.schemas.parts import ToolCallPart, ToolCallResponsePart
from tailrace.schemas.policy_steps import DistillToolResults


def analyze(step: DistillToolResults, draft: Draft) -> Iterator[Proposal]:
    """Propose a distillation for each result that is old and large enough, and not one already."""
    for group in draft.free():
        calls: dict[str, ToolCallPart] | None = None
        for item in group.results():
            old = draft.turn - item.entry.turn >= step.keep_turns
            done = item.entry.kind is not EntryKind.VERBATIM or item.action is not Action.INCLUDE
            if not old or done or item.tokens < step.tokens_min or item.entry.durability is Durability.ANCHORING:
                continue
            if calls is None:
                calls = _calls(group)
            texts = dict(_distilled(step, item, calls))
            if texts:
                shorter = with_results(item.original, texts)
                yield Proposal(Action.EXTERNALIZE, item.ids, "of an earlier turn", shorter, item.whole_id)


def _calls(group: DraftGroup) -> dict[str, ToolCallPart]:
    parts = [part for item in group.items if item.entry.calls for part in item.original.parts]
    return {part.id: part for part in parts if isinstance(part, ToolCallPart)}


def _distilled(step: DistillToolResults, item: Item, calls: dict[str, ToolCallPart]) -> Iterator[tuple[str, str]]:
    parts = [part for part in item.original.parts if isinstance(part, ToolCallResponsePart)]
    texts = {part.id: response_text(part.response) for part in parts if not any(find_media(part.response))}
    chars = max(1, sum(map(len, texts.values())))
    for call_id, text in texts.items():
        tokens = item.tokens * len(text) // chars
        if tokens < step.tokens_min:
            continue
        chars_max = len(text) * min(step.tokens_max, int(step.ratio * tokens)) // max(1, tokens)
        call = calls.get(call_id)
        said = call_text(call) if call else None
        name = call.name if call else item.original.name or ""
        told = (said.path or said.command or said.told) if said else ""
        body = distill(ToolOutput(text, name, told), chars_max=chars_max)
        yield call_id, distilled_text(item.whole_id, tokens, name, body.method, body.text)
