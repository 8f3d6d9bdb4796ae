"""The last resort: where even what is kept exceeds the limit, kept messages are shortened, and then the oldest go.

The order is that of `KeepReason`. Each shortened message says where its whole text is. Messages that are small already
are left alone as long as large ones can give. What a person said last stays whole wherever it fits beside all others
made short. Calls and results that don't fit, however short, are told in one message. Only when nothing is left to
shorten or tell do kept groups go, the latest user message and the system prompt last of all.
"""

from collections.abc import Callable, Iterator

import msgspec

from tailrace.agents.artifacts.shorten import shorten, shorten_results
from tailrace.agents.messages.clip import beginning
from tailrace.agents.messages.groups import GroupKind, said_beside_results
from tailrace.agents.messages.wording import CUT_NOTE
from tailrace.agents.plan.draft.call_digest import every_told_within, holds_others_words, left_out, told_within
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.eviction import ASKED_FOR, let_go, tokens_with_note
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

STRATEGY = "floor"

#: Shortening goes through all reasons with the first bound, then through all with the next: nobody gives all before
#: others give some.
SHORTENED_TOKENS = (2_000, 500, 120, 40)
#: All others are made as short as this, if they have to be, before the latest user message is.
SPARING_TOKENS = 120
#: What tells of calls that have left may take so much of the limit where all else needs the rest.
TOLD_FRACTION = 0.3

#: What has to go where shortening is not enough: what is being said now outlasts what was kept from before.
DROP_ORDER = (
    KeepReason.ANCHORING,
    KeepReason.OPEN_CALL,
    KeepReason.SOURCE,
    KeepReason.RULE,
    KeepReason.FIRST_USER,
    KeepReason.PINNED,
    KeepReason.PROTECTED,
    KeepReason.RECENT,
    KeepReason.NEWEST,
    KeepReason.SYSTEM,
    KeepReason.LATEST_USER,
)


def make_room(draft: Draft, fraction: float) -> None:
    """Shorten what is kept, which exceeds the limit or nearly does, so far that a conversation fits beside it.

    Of what the latest user message leaves, where it can stay whole; only where that is not enough does it give too.
    """
    limit_tokens = draft.budget.limit_tokens
    if not _can_spare_latest(draft, draft.kept_tokens - limit_tokens):
        _shorten_in_order(draft, lambda: draft.kept_tokens - int(limit_tokens * fraction))
        return
    latest_tokens = sum(_spoken_tokens(draft, item) for item in _latest(draft))
    room_tokens = latest_tokens + int((limit_tokens - latest_tokens) * fraction)
    _shorten_others(draft, lambda: draft.kept_tokens - room_tokens)


def fit_kept(draft: Draft) -> str | None:
    """Make the draft fit its limit. Returns why it can't be done, where even one message is too much.

    None where it fits.
    """

    def over_tokens() -> int:
        return draft.tokens - draft.budget.limit_tokens

    if over_tokens() > 0:
        _fit(draft, over_tokens)
    if over_tokens() <= 0:
        if any(group.kind is not GroupKind.SYSTEM for group in draft.groups):
            return None
        return (
            f"nothing but the system prompt fits {draft.budget.limit_tokens} tokens: no provider takes a request "
            "without a message"
        )
    return f"{draft.tokens} tokens are left and can't be made smaller; the limit is {draft.budget.limit_tokens}"


def _fit(draft: Draft, over_tokens: Callable[[], int]) -> None:
    if _can_spare_latest(draft, over_tokens()):
        _shorten_others(draft, over_tokens)
    _let_pairs_go(draft, over_tokens)
    _shorten_in_order(draft, over_tokens)
    _let_pairs_go(draft, over_tokens)
    _tell_calls(draft, over_tokens)
    _shorten_words(draft, over_tokens)
    _let_pairs_go(draft, over_tokens, words_tokens_min=SHORTENED_TOKENS[-1])
    if over_tokens() > 0:
        let_go(draft, [group for reason in DROP_ORDER for group in draft.groups if group.kept == reason], STRATEGY)
    _let_pairs_go(draft, over_tokens, words_tokens_min=0)


def _latest(draft: Draft) -> Iterator[Item]:
    return (item for group in draft.groups if group.kept is KeepReason.LATEST_USER for item in group.items)


def _spoken_tokens(draft: Draft, item: Item) -> int:
    """What a message of the latest user costs without the calls and results that came with it."""
    if not item.entry.answers:
        return 0 if item.entry.calls else item.tokens
    counted = draft.spoken_tokens.get(id(item))
    if counted is None or counted[0] is not item.message:
        words = said_beside_results(item.message)
        tokens = draft.count(msgspec.structs.replace(item.message, parts=words)) if words else 0
        counted = draft.spoken_tokens[id(item)] = item.message, tokens
    return counted[1]


def _can_spare_latest(draft: Draft, over_tokens: int) -> bool:
    """Tell whether so many tokens can be had of all else that is kept."""
    others = [
        item for group in draft.groups if group.kept not in {None, KeepReason.LATEST_USER} for item in group.items
    ]
    givable = sum(max(0, item.tokens - SPARING_TOKENS) for item in others)
    givable += sum(max(0, item.tokens - _spoken_tokens(draft, item) - SPARING_TOKENS) for item in _latest(draft))
    return over_tokens <= givable


def _shorten_others(draft: Draft, over_tokens: Callable[[], int]) -> None:
    """Shorten all that is kept but the words of the latest user."""
    for tokens_min in SHORTENED_TOKENS:
        for item in _latest(draft):
            if item.entry.answers and over_tokens() > 0 and item.tokens > tokens_min:
                _shorten_item(
                    draft, item, max(tokens_min, item.tokens - over_tokens()), KeepReason.LATEST_USER, shorten_results
                )
        for reason in KeepReason:
            if reason is not KeepReason.LATEST_USER:
                _shorten(draft, reason, tokens_min, over_tokens)


def _let_pairs_go(draft: Draft, over_tokens: Callable[[], int], *, words_tokens_min: int | None = None) -> None:
    """Keep only the words of the latest user where they came with more calls and results than have a place.

    Whole where all fits then; with `words_tokens_min` cut to fit, but not below that, and whole where even that is no
    use: then the pairs have left, and it is for others to go.
    """
    for group in [group for group in draft.groups if group.kept is KeepReason.LATEST_USER]:
        over = over_tokens()
        words = _words(group)
        if over <= 0 or not words or any(item.waiting_tokens for item in group.items):
            continue
        tokens_max = group.tokens - over
        alone = whole = _words_alone(draft, group, words, tokens_max)
        chars, tokens = len(words) if words_tokens_min is not None else 0, draft.count(alone)
        while chars > 0 and tokens > tokens_max:
            # By what a character has cost so far, and by a quarter at least: few counts, whatever the text is.
            chars = min(chars * 3 // 4, chars * max(0, tokens_max) // tokens)
            shorter = f"{beginning(words, chars)}\n{CUT_NOTE}"
            if words_tokens_min and draft.count(_as_said(shorter)) < words_tokens_min:
                break
            alone = _words_alone(draft, group, shorter, tokens_max)
            tokens = draft.count(alone)
        fits = tokens <= tokens_max
        if fits or words_tokens_min is not None:
            reason = "more calls and results came with these words than fit"
            kept = alone if fits else whole
            draft.force(Proposal(Action.EXTERNALIZE, group.ids, reason, kept, keeps_each=True), STRATEGY)


def _words(group: DraftGroup) -> str:
    """What a person said beside results in a group, whether or not its calls and results have left."""
    first = group.items[0]
    if first.stands_for_others:
        return next((part.content for part in first.message.parts if isinstance(part, TextPart)), "")
    return "\n".join(part.content for item in group.items for part in said_beside_results(item.original))


def _as_said(words: str) -> Message:
    return Message(role="user", parts=(TextPart(content=words),))


def _words_alone(draft: Draft, group: DraftGroup, words: str, tokens_max: int) -> Message:
    """What a person said, and what can be told of the calls in so many tokens together."""
    message = _as_said(words)
    if group.items[0].stands_for_others:
        return msgspec.structs.replace(message, parts=(*message.parts, *group.items[0].message.parts[1:]))
    room_tokens = min(tokens_max - draft.count(message), _room_to_tell(draft, group))
    calls = every_told_within(group, room_tokens, draft.count)
    note = TextPart(content=f"[{left_out(group)}]") if calls is None else calls.parts[0]
    return msgspec.structs.replace(message, parts=(*message.parts, note))


def _tell_calls(draft: Draft, over_tokens: Callable[[], int]) -> None:
    """Let one message tell of each group of calls.

    Together with all others they don't fit, however short each result is.
    """
    for reason in KeepReason:
        for group in [group for group in draft.groups if group.kept == reason and group.tool_names()]:
            if over_tokens() <= 0:
                return
            # Until a result has come, a response may go on, and nothing could join what tells of it.
            if holds_others_words(group) or not any(item.entry.answers for item in group.items):
                continue
            # The next plan keeps what is newest.
            lasts = reason in ASKED_FOR or group is draft.groups[-1]
            mark_tokens = tokens_with_note(draft, [group], lasts=lasts)
            tokens_max = min(group.tokens - (draft.tokens - mark_tokens), _room_to_tell(draft, group))
            note = told_within(group, tokens_max, draft.count)
            if lasts or draft.count(note) <= tokens_max:
                why = f"kept ({reason}), but more calls and results than fit"
                draft.force(Proposal(Action.EXTERNALIZE, group.ids, why, note, keeps_each=True), STRATEGY)


def _room_to_tell(draft: Draft, group: DraftGroup) -> int:
    """What may tell of the calls of a group.

    What the lower mark leaves once all others have their words back, or a part of the limit.
    """
    others = [item for other in draft.groups if other is not group for item in other.items]
    beside_tokens = draft.budget.lower_tokens - draft.overhead_tokens - sum(item.before_tokens for item in others)
    return max(beside_tokens, int(draft.budget.limit_tokens * TOLD_FRACTION))


def _shorten_in_order(draft: Draft, over_tokens: Callable[[], int]) -> None:
    for tokens_min in SHORTENED_TOKENS:
        for reason in KeepReason:
            if over_tokens() <= 0:
                return
            _shorten(draft, reason, tokens_min, over_tokens)


def _shorten(draft: Draft, reason: KeepReason, tokens_min: int, over_tokens: Callable[[], int]) -> None:
    """Shorten the messages that are kept for this reason, the largest first, each as far as needed and allowed."""
    items = [item for group in draft.groups if group.kept == reason for item in group.items]
    for item in sorted(items, key=lambda item: (-item.tokens, item.entry.rank)):
        over = over_tokens()
        if over <= 0:
            return
        least_tokens, cut = tokens_min, shorten
        if reason is KeepReason.LATEST_USER and _spoken_tokens(draft, item):
            # Few words of a person outlast all that others can give; the results beside them don't.
            beside = item.entry.answers and _spoken_tokens(draft, item) <= SPARING_TOKENS
            least_tokens, cut = (tokens_min, shorten_results) if beside else (max(tokens_min, SPARING_TOKENS), shorten)
        if item.tokens > least_tokens:
            _shorten_item(draft, item, max(least_tokens, item.tokens - over), reason, cut)


def _shorten_words(draft: Draft, over_tokens: Callable[[], int]) -> None:
    """Shorten what the latest user said as far as all others were: now there is nothing else to shorten."""
    least_tokens = SHORTENED_TOKENS[-1]
    for item in [item for item in _latest(draft) if not item.entry.calls and not item.stands_for_others]:
        if over_tokens() > 0 and item.tokens > least_tokens and not item.entry.answers:
            _shorten_item(draft, item, max(least_tokens, item.tokens - over_tokens()), KeepReason.LATEST_USER)


def _shorten_item(
    draft: Draft, item: Item, tokens_max: int, reason: KeepReason, cut: Callable[..., Message] = shorten
) -> None:
    original = item.original
    # Measured from the whole message: cutting what was cut before would nest the notes.
    shorter = cut(original, tokens_max, item.before_tokens, draft.count, name=item.whole_id)
    draft.force(
        Proposal(
            action=Action.EXTERNALIZE,
            ids=item.ids,
            reason=f"kept ({reason}), but all that is kept leaves no room for the rest",
            replacement=shorter,
            artifact_id=item.whole_id,
            may_return=True,
        ),
        STRATEGY,
    )
