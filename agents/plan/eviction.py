"""Kept messages that don't fit even shortened: they leave, and one pointer stands for all of them.

Each is kept whole as an artifact. The pointer names as many of them as fit; where not even the first does, one more
message leaves to make room for it, for what nobody can see is as good as lost.
"""

from collections.abc import Iterator, Sequence

import msgspec

from tailrace.agents.messages.wording import brief_pointer_text, left_messages_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import TextPart

#: What a record says of them.
LEFT_REASON = "even shortened it doesn't fit"
#: What somebody wanted to be kept.
ASKED_FOR = frozenset((KeepReason.SOURCE, KeepReason.RULE, KeepReason.PINNED, KeepReason.PROTECTED))
#: These leave only where they have to, and not for a pointer's sake.
_LAST = frozenset((KeepReason.NEWEST, KeepReason.SYSTEM, KeepReason.LATEST_USER))


def let_go(draft: Draft, groups: Sequence[DraftGroup], strategy: str) -> None:
    """Let so many of these groups go, the first first, that the draft fits its limit, if one at least is left."""
    leaving = _needed(draft, groups)
    if not leaving:
        return
    more = groups[len(leaving) : len(leaving) + 1]
    one_more = [*leaving, *more] if more[:1] and more[0].kept not in _LAST else leaving
    for some, named in ((leaving, True), (one_more, True), (leaving, False)):
        pointer = _pointer(draft, some, named=named) if len(some) < len(draft.groups) else None
        if pointer is not None and draft.force(pointer, strategy):
            return
    for group in leaving:
        draft.force(Proposal(Action.DROP, group.ids, LEFT_REASON, keeps_each=True), strategy)


def tokens_with_note(draft: Draft, leaving: Sequence[DraftGroup], *, lasts: bool) -> int:
    """What the draft may take with a note in the place of these groups.

    One that does not last is the next plan's to take, which must not be made because of it: below the upper mark there
    is none. Where the system prompt is cut or leaves, nobody knows where that mark will be.
    """
    if lasts:
        return draft.budget.limit_tokens
    prompts = [group for group in draft.groups if group.kept is KeepReason.SYSTEM]
    leave = {id(group) for group in leaving}
    moved = any(id(group) in leave or any(item.replacement for item in group.items) for group in prompts)
    return 0 if moved else min(draft.budget.limit_tokens, draft.budget.upper_tokens)


def _needed(draft: Draft, groups: Sequence[DraftGroup]) -> list[DraftGroup]:
    over_tokens = draft.tokens - draft.budget.limit_tokens
    leaving: list[DraftGroup] = []
    for group in groups:
        if over_tokens <= 0 or len(leaving) + 1 >= len(draft.groups):
            break
        leaving.append(group)
        over_tokens -= group.tokens
    return leaving


def _pointer(draft: Draft, leaving: Sequence[DraftGroup], *, named: bool) -> Proposal | None:
    """One pointer for all of these that names as many as fit, or only counts them; None where that doesn't fit."""
    items = [item for group in leaving for item in group.items]
    # Until a result has come, a response may go on, and nothing could join a pointer.
    if any(item.waiting_tokens for item in items):
        return None
    alone = len(items) == len(items[0].ids) == 1 and not items[0].original.call_ids
    lasts = alone or any(group.kept in ASKED_FOR for group in leaving)
    room_tokens = tokens_with_note(draft, leaving, lasts=lasts) - (
        draft.tokens - sum(group.tokens for group in leaving)
    )
    names = [name for item in items for name in (item.artifact_ids or (item.whole_id,))]
    ids = tuple(message_id for group in leaving for message_id in group.ids)
    if alone:
        item = items[0]
        texts = iter([brief_pointer_text(item.whole_id, item.whole_tokens)])
        note = msgspec.structs.replace(item.original, parts=(), content_shape=None)
    else:
        shown = [*dict.fromkeys(names)] if named else []
        texts = _texts(shown, sum(item.before_tokens for item in items), len(ids))
        note = Message(role="assistant", parts=(), content_shape=ContentShape.STRING)
    for text in texts:
        message = msgspec.structs.replace(note, parts=(TextPart(content=text),))
        if draft.count(message) <= room_tokens:
            name = items[0].whole_id if alone else None
            return Proposal(Action.EXTERNALIZE, ids, LEFT_REASON, message, name, keeps_each=True)
    return None


def _texts(names: Sequence[str], tokens: int, messages: int) -> Iterator[str]:
    """What may be said of them, from most to least."""
    number = len(names)
    yield left_messages_text(names, tokens, messages)
    while number > 1:
        number //= 2
        yield left_messages_text(names[:number], tokens, messages)
