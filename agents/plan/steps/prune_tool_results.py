"""Pruning, a pass before any compaction.

Old tool results go, where that is worth it, and nobody makes a record of it.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase

import msgspec

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.messages.wording import PRUNED_PREFIX, PRUNED_STUB, pointer_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import PruneToolResults
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart


def analyze(step: PruneToolResults, draft: Draft) -> Iterator[Proposal]:
    """Propose to prune all results beyond the newest, or none where too little would be saved.

    What stays for another reason takes nothing of the protected tokens.
    """
    protected_tokens = step.protect_tokens
    proposals: list[Proposal] = []
    saved_tokens = 0
    for group, item in reversed(draft.results()):
        if group.kept is not None or item.action is not Action.INCLUDE:
            continue
        names = group.tool_names()
        calls = {call_id for call_id in item.entry.answers if not _is_protected(step, names.get(call_id, ""))}
        if not calls:
            continue
        protected_tokens -= item.tokens
        if protected_tokens >= 0 or draft.turn - item.entry.turn < step.keep_turns:
            continue
        # What no call brings again says where it is.
        name = item.whole_id if item.entry.durability is Durability.NON_REPLAYABLE else None
        pruned = _pruned(draft, item, calls, pointer_text(name, item.whole_tokens) if name else "")
        savings_tokens = item.tokens - draft.count(pruned)
        if savings_tokens > 0:
            saved_tokens += savings_tokens
            action = Action.EXTERNALIZE if name else Action.CLEAR
            proposals.append(Proposal(action, item.ids, "beyond the newest results", pruned, name, recorded=False))
    if saved_tokens >= step.savings_tokens_min:
        yield from reversed(proposals)


def _is_protected(step: PruneToolResults, tool: str) -> bool:
    return any(fnmatchcase(tool, pattern) for pattern in step.protected_tools)


def _pruned(draft: Draft, item: Item, calls: set[str], pointer: str) -> Message:
    message = item.original
    stubs = {}
    for part in message.parts:
        if isinstance(part, ToolCallResponsePart) and part.id in calls and not _was_pruned(part):
            alone = msgspec.structs.replace(message, parts=(part,))
            tokens = item.tokens if len(message.parts) == 1 else draft.count(alone)
            stub = PRUNED_STUB.format(tokens=tokens)
            stubs[part.id] = f"{stub}\n{pointer}" if pointer else stub
    return with_results(message, stubs)


def _was_pruned(part: ToolCallResponsePart) -> bool:
    return isinstance(part.response, str) and part.response.startswith(PRUNED_PREFIX)
