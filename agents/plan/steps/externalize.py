"""Large messages before the split become pointers: how they begin, and where the whole of them is."""

from collections.abc import Iterator

import msgspec

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.messages.clip import beginning
from tailrace.agents.messages.part_text import response_text, text_of
from tailrace.agents.messages.wording import pointer_text, stands_for_more
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import before_split
from tailrace.schemas.policy.steps import Externalize
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.media import find_media
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ReasoningPart, TextPart, ToolCallResponsePart


def analyze(step: Externalize, draft: Draft) -> Iterator[Proposal]:
    """Propose a pointer for each large message; calls and summaries stay, for they are what pointers are read by."""
    for group in before_split(draft, step.keep):
        if group.is_summary:
            continue
        for item in group.items:
            if item.tokens < step.tokens_min or item.stands_for_others or item.original.call_ids:
                continue
            if any(isinstance(part, TextPart) and stands_for_more(part.content) for part in item.original.parts):
                continue  # a pointer in a list of messages, which can't say that it stands for another
            name = item.whole_id
            pointer = _results(item, name, step) if item.entry.answers else _text(item, name, step)
            yield Proposal(Action.EXTERNALIZE, item.ids, f"at least {step.tokens_min} tokens", pointer, name)


def _preview(text: str, item: Item, step: Externalize) -> str:
    """So much of a text as costs about `preview_tokens`, by what a character of its message costs; media cost none."""
    chars = sum(len(text_of(part)) for part in item.original.parts)
    return beginning(text, max(chars * step.preview_tokens // max(1, item.before_tokens), step.preview_tokens * 2))


def _text(item: Item, name: str, step: Externalize) -> Message:
    texts = (text_of(part) for part in item.original.parts if not isinstance(part, ReasoningPart))
    preview = _preview("\n".join(text for text in texts if text), item, step)
    part = TextPart(content=pointer_text(name, item.whole_tokens, preview))
    return msgspec.structs.replace(item.original, parts=(part,), content_shape=None)


def _results(item: Item, name: str, step: Externalize) -> Message:
    pointers = {}
    for part in item.original.parts:
        if isinstance(part, ToolCallResponsePart):
            text = response_text(part.response)
            if stands_for_more(text):
                continue
            preview = _preview(text, item, step)
            # What a preview shows whole needs no pointer.
            if preview != text or next(find_media(part.response), None):
                pointers[part.id] = pointer_text(name, item.whole_tokens, preview)
    return with_results(item.original, pointers)
