"""What lies before the split becomes a summary, at the place of its first message.

A summary stays as it is while later ones come behind it: the prefix that a prompt cache holds reaches up to the newest.
Only when all summaries together take more than their share are they summarised themselves. What lies on both sides of
one that stays, because a model had it ready, becomes two.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from tailrace.agents.language.cues import tool_changes, tool_runs
from tailrace.agents.messages.attempts import says_failure
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.messages.program_notes import as_written
from tailrace.agents.messages.wording import left_out_text, summary_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.newest_text import asked_text, newest_text
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import before_split
from tailrace.agents.plan.draft.summary_spans import Turns, runs, turns_of
from tailrace.agents.secrets.mask import mask_ends
from tailrace.agents.summary.extract.bullets import without_quotes
from tailrace.agents.summary.extract.extraction import extract_summary, quotations, untold
from tailrace.agents.summary.extract.span import UNREAD
from tailrace.schemas.policy.steps import Summarize
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import CompactionPart, TextPart, ToolCallResponsePart

#: A summary shorter than this says nothing.
SUMMARY_TOKENS_MIN = 40
#: A summary is never more than this part of what it stands for, however much room there is.
RATIO_MAX = 0.5
#: What a summary leaves of the target goes to the newest groups that it would stand for, where it is more than this
#: part.
LEFT_OVER_FRACTION = 0.05
#: Where pointers that may still go leave no room, a summary gets this part of the target.
CROWDED_FRACTION = 0.25
#: Where a summary has nothing to quote it names the tools that were used, up to so many.
TOOLS_NAMED_MAX = 10
#: Tokens of a span that are read in full. A chunk of a large window is below it; of a whole transcript, results beyond
#: it go unread.
EXAMINED_TOKENS_MAX = 15_000
#: What is read of an older text.
OPENING_CHARS_MAX = 240
#: What is shorter is cut at a word: one sentence may be all that there is.
OPENING_CHARS_MIN = 60
_SENTENCE_ENDS = (". ", "! ", "? ", "\n", "\u3002", "\uff01", "\uff1f")
#: Who says why a change failed says it in less than this.
FAILURE_TOKENS_MAX = 150
#: Between two turns, for the user may have said there what stays in the context.
_TURN_BEGINS = Message(role="user", parts=())
_SUMMARIZE = Action.SUMMARIZE
_FAILED, _UNREAD = {"is_error": True}, {UNREAD: True}


def analyze(step: Summarize, draft: Draft) -> Iterator[Proposal]:
    """Propose a summary of everything before the split, old summaries included once they are too many."""
    old = [group for group in before_split(draft, step.keep) if group.is_open_to(_SUMMARIZE)]
    summaries = {id(group) for group in draft.summaries()}
    fresh = [group for group in old if id(group) not in summaries] if summaries else old
    summaries_tokens = sum(group.tokens for group in old if id(group) in summaries) if summaries else 0
    if step.whole or summaries_tokens > step.summaries_fraction * draft.target_tokens:
        fresh = old
    span = _span(draft, _needed(step, draft, fresh))
    if span.room_tokens < SUMMARY_TOKENS_MIN and not step.whole:
        yield from _proposals(step, draft, _crowded(draft, span))
        return
    made = [*_proposals(step, draft, span)]
    fewer = span.groups if step.whole else _without_newest(draft, span, made)
    yield from made if len(fewer) == len(span.groups) else _proposals(step, draft, _span(draft, fewer))


@dataclass(frozen=True, slots=True)
class _Span:
    """Groups that are to leave, and what the target leaves beside the ledger then."""

    groups: Sequence[DraftGroup]
    tokens: int
    room_tokens: int
    #: What no summary of them needs to quote.
    in_ledger: frozenset[str]


def _span(draft: Draft, groups: Sequence[DraftGroup]) -> _Span:
    tokens = sum([group.tokens for group in groups])
    # Over the upper mark it would be summarised again at once.
    room_tokens = min(draft.target_tokens, draft.budget.upper_tokens) - (draft.tokens - tokens)
    in_ledger: frozenset[str] = frozenset()
    if draft.ledger is not None:
        ledger_tokens, in_ledger = draft.ledger.without(
            draft, [message_id for group in groups for message_id in group.ids]
        )
        room_tokens += draft.ledger.reserved_tokens - ledger_tokens
    return _Span(groups, tokens, room_tokens, in_ledger)


def _crowded(draft: Draft, span: _Span) -> _Span:
    """The span with the room that there is once what no summary may take has gone.

    Of what was dropped none can be made.
    """
    may_go = sum([group.tokens for group in draft.free() if not group.is_open_to(_SUMMARIZE)])
    return replace(span, room_tokens=min(span.room_tokens + may_go, int(draft.target_tokens * CROWDED_FRACTION)))


def _proposals(step: Summarize, draft: Draft, span: _Span) -> Iterator[Proposal]:
    # Never more than a part of what it stands for.
    part_tokens = int(span.tokens * max(step.ratio, RATIO_MAX))
    budget_tokens = min(span.room_tokens, step.tokens_max, part_tokens)
    if budget_tokens < SUMMARY_TOKENS_MIN:
        return
    staying, asked = newest_text(draft, but=span.groups), asked_text(draft)
    proposed: list[list[DraftGroup]] = []
    silent: list[DraftGroup] = []
    for run, run_tokens in _shares(runs(draft, span.groups), budget_tokens):
        groups = [*silent, *run]
        message = _summary(
            draft,
            groups,
            run_tokens,
            turns_of(draft, groups, proposed),
            staying_and_asked=(staying, asked),
            in_ledger=span.in_ledger,
        )
        # What leaves nothing to say leaves with what comes behind it.
        silent = groups if message is None else []
        if message is not None:
            proposed.append(groups)
            ids = tuple(message_id for group in groups for message_id in group.ids)
            reason = f"before the split; {len(groups)} groups in {run_tokens} tokens at most"
            yield Proposal(Action.SUMMARIZE, ids, reason, message)


def _without_newest(draft: Draft, span: _Span, made: Iterable[Proposal]) -> Sequence[DraftGroup]:
    """The span without the newest groups that fit whole into what its summary leaves.

    It may have found little to quote.
    """
    groups = span.groups
    left_tokens = span.room_tokens - sum(draft.count(proposal.replacement) for proposal in made if proposal.replacement)
    least_tokens = left_tokens - max(1, int(draft.target_tokens * LEFT_OVER_FRACTION))
    place = len(groups)
    while place > 1 and groups[place - 1].tokens <= left_tokens:
        place -= 1
        left_tokens -= groups[place].tokens
    return groups[:place] if left_tokens <= least_tokens else groups


def _shares(apart: list[list[DraftGroup]], budget_tokens: int) -> list[tuple[list[DraftGroup], int]]:
    """Runs of groups with what the summary of each may cost, by their size.

    One that is too small for a summary joins the one before it.
    """
    span_tokens = sum(group.tokens for run in apart for group in run)
    shares = [budget_tokens * sum(group.tokens for group in run) // span_tokens for run in apart]
    while len(shares) > 1 and min(shares) < SUMMARY_TOKENS_MIN:
        place = max(1, shares.index(min(shares)))
        apart[place - 1 : place + 1] = [apart[place - 1] + apart[place]]
        shares[place - 1 : place + 1] = [shares[place - 1] + shares[place]]
    return [*zip(apart, shares, strict=True)] if len(shares) > 1 else [(run, budget_tokens) for run in apart]


def _needed(step: Summarize, draft: Draft, groups: Sequence[DraftGroup]) -> Sequence[DraftGroup]:
    """The oldest groups that must become a summary to meet the target."""
    span_tokens = 0
    for place, group in enumerate(groups):
        span_tokens += group.tokens
        # A summary must leave the context at its target, so what is left over bounds it as well.
        room_tokens = draft.target_tokens - (draft.tokens - span_tokens)
        if room_tokens >= min(int(span_tokens * step.ratio), step.tokens_max) and not step.whole:
            return groups[: place + 1]
    return groups


def _summary(
    draft: Draft,
    groups: Sequence[DraftGroup],
    budget_tokens: int,
    turns: Turns,
    *,
    staying_and_asked: tuple[str, str],
    in_ledger: frozenset[str],
) -> Message | None:
    begins = _begins(turns)

    def count_text(text: str) -> int:
        return draft.count(_message(draft.summary_role, begins, text))

    body = extract_summary(
        _examined(groups),
        budget_tokens=budget_tokens,
        count_text=count_text,
        staying_text=staying_and_asked[0],
        asked=staying_and_asked[1],
        stated_elsewhere=in_ledger,
    )
    if not body and in_ledger:
        return None  # the ledger has said it all: what is left is no loss, and a note of that would only take its room
    return summary_message(draft.summary_role, body or _outline(groups), turns)


def leave_out(draft: Draft, shown: frozenset[str]) -> None:
    """Take out of the summaries that are new in a draft what the ledger shows.

    It may have found more room than was known when they were made.
    """
    quoted = quotations(shown)
    for item in (group.items[0] for group in draft.summaries()):
        if item.action is not _SUMMARIZE or item.replacement is None:
            continue
        parts = item.replacement.parts
        text = without_quotes(text_of(parts[0]), lambda piece: untold(piece, quoted))
        shorter = msgspec.structs.replace(item.replacement, parts=(CompactionPart(content=text),))
        tokens = draft.count(shorter)
        if tokens < item.tokens:
            draft.tokens -= item.tokens - tokens
            item.replacement, item.tokens = shorter, tokens


def summary_message(role: str, body: str, turns: Turns) -> Message:
    """Message that stands for these turns."""
    return _message(role, _begins(turns), body)


def _begins(turns: Turns) -> str:
    """How a summary of these turns begins."""
    return summary_text("", turns.first, turns.last, in_part=turns.in_part)


def _message(role: str, begins: str, body: str) -> Message:
    text = f"{begins}\n{body}" if body else begins
    return Message(role=role, parts=(CompactionPart(content=text),), content_shape=ContentShape.STRING)


def _examined(groups: Sequence[DraftGroup]) -> list[Message]:
    """Messages that a summary is made from, in order: all that people said, and the newest of the rest.

    Of what is older than that, results only tell whether a change failed, and of what the agent said only how it
    begins.
    """
    room_tokens = EXAMINED_TOKENS_MAX
    examined: list[Message] = []
    turn = groups[-1].turn
    for group in reversed(groups):
        if group.turn != turn:
            turn = group.turn
            examined.append(_TURN_BEGINS)
        for item in reversed(group.items):
            room_tokens -= item.before_tokens
            if item.stands_for_others:
                examined.append(item.message)
            elif room_tokens >= 0 or item.entry.role != "assistant":
                answers = item.entry.answers
                message = _older_result(item, group) if answers and room_tokens < 0 else item.original
                examined.append(as_written(message, item.entry.source))
            else:
                examined.append(_beginning(item))
    return examined[::-1]


def _older_result(item: Item, group: DraftGroup) -> Message:
    """Of an older result only that it came, and whether it says that its call failed to change something."""
    failed: set[str] = set()
    if item.before_tokens <= FAILURE_TOKENS_MAX and any(map(_may_change, group.tool_names().values())):
        failed = {
            part.id for part in item.unmasked.parts if isinstance(part, ToolCallResponsePart) and says_failure(part)
        }
    answers = [
        ToolCallResponsePart(id=call_id, response="", extra=_FAILED if call_id in failed else _UNREAD)
        for call_id in item.entry.answers
    ]
    return Message(role="tool", parts=tuple(answers))


def _may_change(tool: str) -> bool:
    return tool_changes(tool) or tool_runs(tool)


def _beginning(item: Item) -> Message:
    match item.unmasked.parts:
        case (TextPart() as part,) if len(part.content) > OPENING_CHARS_MAX:
            text = mask_ends(part.content, OPENING_CHARS_MAX, 1) if item.masked else part.content
            return msgspec.structs.replace(
                item.unmasked, parts=(TextPart(content=_whole_sentences(text[:OPENING_CHARS_MAX])),)
            )
    return item.original


def _whole_sentences(text: str) -> str:
    """A text that was cut, up to the end of a sentence or at least of a word: half of one may say the opposite."""
    ends = [text.rfind(mark) for mark in _SENTENCE_ENDS]
    end = max(ends) + 1 if max(ends) >= OPENING_CHARS_MIN else text.rfind(" ")
    return text[:end].rstrip() if end > 0 else text


def _outline(groups: Sequence[DraftGroup]) -> str:
    tools = dict.fromkeys(name for group in groups for name in group.tool_names().values())
    return left_out_text(sum(len(group.ids) for group in groups), list(tools)[:TOOLS_NAMED_MAX])
