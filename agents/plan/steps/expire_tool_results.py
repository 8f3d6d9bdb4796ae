"""Retention of tool results: beyond it a result becomes a stub. Its call stays, so the pair stays whole."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.messages.clip import HEAD_FRACTION, clip
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import CUT_NOTE, pointer_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.secrets.mask import mask_ends
from tailrace.schemas.policy.steps import ExpireToolResults, ToolRetention
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.parts import ToolCallResponsePart

#: A stub is worth it where the result is this many times as long.
SAVINGS_FACTOR = 1.5
_INCLUDE = Action.INCLUDE


def analyze(step: ExpireToolResults, draft: Draft) -> Iterator[Proposal]:
    """Propose to clear each result that is older than its tool's retention, newest first counted."""
    seen: Counter[str] = Counter()
    retentions: dict[tuple[str, Durability | None], ToolRetention | None] = {}
    proposals: list[Proposal] = []
    names: dict[str, str] = {}
    calling: DraftGroup | None = None
    for group, item in reversed(draft.results()):
        if group is not calling:
            calling, names = group, group.tool_names()
        entry = item.entry
        # A late result is as old as its arrival, not as its call.
        age_turns = draft.turn - entry.turn
        reasons: dict[str, str] = {}
        for call_id in reversed(entry.answers):
            tool = names.get(call_id) or item.unmasked.name or ""
            seen[tool] += 1
            key = tool, entry.durability
            if key not in retentions:
                retentions[key] = _retention(step, *key)
            retention = retentions[key]
            if retention and (reason := _expired(retention, age_turns, seen[tool])):
                reasons[call_id] = reason
        if reasons and group.kept is None and item.action is _INCLUDE:
            proposal = _proposal(step, item, reasons)
            if proposal is not None:
                proposals.append(proposal)
    yield from reversed(proposals)


def _retention(step: ExpireToolResults, tool: str, durability: Durability | None) -> ToolRetention | None:
    if durability is Durability.ANCHORING or any(fnmatchcase(tool, pattern) for pattern in step.never_evict):
        return None
    if durability is Durability.EPHEMERAL:
        return _FOR_ONE_TURN
    own = (retention for pattern, retention in step.tools.items() if fnmatchcase(tool, pattern))
    return next(own, step.default)


_FOR_ONE_TURN = ToolRetention(keep_turns=1)


def _expired(retention: ToolRetention, age_turns: int, place: int) -> str | None:
    if retention.keep_turns is not None and age_turns >= max(1, retention.keep_turns):
        return "of an earlier turn" if retention.keep_turns <= 1 else f"older than {retention.keep_turns} turns"
    if retention.keep_last is not None and place > retention.keep_last:
        return f"not among the last {retention.keep_last} of its tool"
    return None


def _proposal(step: ExpireToolResults, item: Item, reasons: Mapping[str, str]) -> Proposal | None:
    stubs = {}
    for part in item.unmasked.parts:
        if type(part) is ToolCallResponsePart and part.id in reasons:
            stub = _stub(step, response_text(part.response), masked=item.masked)
            if stub:
                stubs[part.id] = stub
    if not stubs:
        return None
    # Nothing is left to be masked where every part becomes a stub, and that is nearly always so.
    shown = item.unmasked if len(stubs) == len(item.unmasked.parts) else item.original
    reason = "; ".join(dict.fromkeys([reasons[call_id] for call_id in stubs]))
    if item.entry.durability is not Durability.NON_REPLAYABLE:
        return Proposal(Action.CLEAR, item.ids, reason, with_results(shown, stubs), may_return=step.when_needed)
    # No call brings it again, so what stands for it says where it is.
    pointer = pointer_text(item.whole_id, item.whole_tokens)
    pointed = {call_id: f"{pointer}\n{stub}" for call_id, stub in stubs.items()}
    return Proposal(
        Action.EXTERNALIZE, item.ids, reason, with_results(shown, pointed), item.whole_id, may_return=step.when_needed
    )


def _stub(step: ExpireToolResults, text: str, *, masked: bool) -> str:
    """What stands for a result; empty where it is expired already, or so short that little would be saved."""
    # Behind a text that is shown whole, a stub only makes it longer.
    if len(text) <= step.preview_chars or text.endswith(step.stub):
        return ""
    most_chars = step.preview_chars + len(CUT_NOTE) + len(step.stub) + len("\n\n\n")
    if most_chars * SAVINGS_FACTOR > len(text) and len(_preview(step, text)) * SAVINGS_FACTOR > len(text):
        return ""
    if masked:
        head_chars = int(step.preview_chars * HEAD_FRACTION) + 1
        # Longer than the preview in all, so that it is seen to be cut.
        text = mask_ends(text, head_chars, step.preview_chars - head_chars + 2)
    return _preview(step, text)


def _preview(step: ExpireToolResults, text: str) -> str:
    # What went wrong is mostly said at the end.
    head, tail = clip(text, step.preview_chars)
    return "\n".join([piece for piece in (head, CUT_NOTE if tail else "", tail, step.stub) if piece])
