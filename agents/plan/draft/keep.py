"""What stays in a context whatever the steps of a policy propose, and for which reason.

The reasons are in the order in which kept messages are shortened where even they exceed the budget: the first named
here gives way first, the latest user message last.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase

from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.schemas.policy.policy import Keep, KeepRule
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.parts import CompactionPart, ReasoningPart, RefusalPart, TextPart, ToolCallResponsePart


class KeepReason(StrEnum):
    """Why a group stays; the first to give way first."""

    NEWEST = "the newest group"
    OPEN_CALL = "a tool call waits for its result"
    ANCHORING = "the rest rests on its result"
    RECENT = "of the last turns"
    SOURCE = "its source is kept"
    RULE = "a rule of the policy keeps it"
    FIRST_USER = "the first user message"
    PINNED = "pinned"
    PROTECTED = "its source is protected"
    SYSTEM = "the system prompt"
    LATEST_USER = "the latest user message"


#: Strongest first: the reason that a group is kept for is the one that gives way last.
STRENGTH = tuple(reversed(KeepReason))

#: What tool results that the rest rests on may take of the limit together; the newest of them stay.
ANCHORING_FRACTION = 0.3

#: What is kept for these reasons may go in a turn or two.
_PASSING = (KeepReason.NEWEST, KeepReason.OPEN_CALL, KeepReason.LATEST_USER)
#: Kinds of groups that are not kept for what they are.
_FREE = (GroupKind.TOOL_CALL, GroupKind.ASSISTANT_TEXT, GroupKind.USER)
#: What is not kept, or only because it is new, gives way to the cap of its tier: one result alone may be larger than
#: that.
MAY_SHRINK = (None, KeepReason.NEWEST, KeepReason.OPEN_CALL)
_USER, _ANCHORING = GroupKind.USER, Durability.ANCHORING
_SOURCE_REASONS = {"keep": KeepReason.SOURCE, "protect": KeepReason.PROTECTED}


def mark_kept(groups: Sequence[DraftGroup], keep: Keep, *, turn: int, arriving: int | None, limit_tokens: int) -> None:
    """Mark the groups that stay. `arriving` is the group that a message is being added to: it stays, old or not."""
    marked = _ends(groups, keep, arriving)
    open_since = turn - keep.open_call_turns
    ruled = bool(keep.sources or keep.rules)
    pinned = {id(group) for group in groups for item in group.items if item.entry.pinned}
    for group in groups:
        if not ruled and group.turn <= open_since and group.kind in _FREE and id(group) not in marked:
            # Most groups: nothing but a pin could keep them.
            group.kept = KeepReason.PINNED if id(group) in pinned else None
            continue
        reasons = [*marked.get(id(group), ()), *_reasons(group, keep, turn)]
        group.kept = next((reason for reason in STRENGTH if reason in reasons), None) if reasons else None
    _mark_anchoring(groups, int(limit_tokens * ANCHORING_FRACTION))


def _ends(groups: Sequence[DraftGroup], keep: Keep, arriving: int | None) -> dict[int, list[KeepReason]]:
    """Reasons of the groups that stay because they are the first or the last, by the group's identity."""
    users = [group for group in groups if group.kind is _USER and not goes_first(group, keep)]
    # By turns: words beside a late result stand with its call, before others that were said earlier.
    latest = sorted(users, key=lambda group: group.turn)[::-1]
    ends = {
        KeepReason.LATEST_USER: _first_to_say_something(latest),
        KeepReason.FIRST_USER: _first_to_say_something(sorted(users, key=_spoke_first)) if keep.first_user else [],
        KeepReason.NEWEST: [group for group in groups if group.sequence == arriving] + list(groups[-1:]),
    }
    marked: dict[int, list[KeepReason]] = {}
    for reason, of_reason in ends.items():
        for group in of_reason:
            marked.setdefault(id(group), []).append(reason)
    return marked


def lasting_tokens(groups: Iterable[DraftGroup]) -> int:
    """What the groups cost that stay now and will stay in the next compactions too."""
    return sum([group.tokens for group in groups if group.kept is not None and group.kept not in _PASSING])


def _first_to_say_something(users: Sequence[DraftGroup]) -> list[DraftGroup]:
    """The first of these that is not blank: a blank message is never sent, so it is nobody's first or latest word."""
    return [next((group for group in users if _says_something(group)), users[0])] if users else []


def _says_something(group: DraftGroup) -> bool:
    spoken = (item.unmasked for item in group.items if kind_of(item.entry) is GroupKind.USER)
    return any(
        part.content.strip() if isinstance(part, TextPart) else not isinstance(part, ToolCallResponsePart)
        for message in spoken
        for part in message.parts
    )


def _spoke_first(group: DraftGroup) -> int:
    """Turn in which somebody first spoke in a group; late words in it make that no later."""
    if len(group.items) == 1:
        return group.turn
    return min((item.entry.turn for item in group.items if kind_of(item.entry) is GroupKind.USER), default=group.turn)


def _mark_anchoring(groups: Sequence[DraftGroup], room_tokens: int) -> None:
    anchoring = {id(group) for group in groups for item in group.items if item.entry.durability is _ANCHORING}
    for group in reversed(groups) if anchoring else ():
        if group.kept is None and id(group) in anchoring:
            room_tokens -= group.tokens
            if room_tokens < 0:
                return
            group.kept = KeepReason.ANCHORING


def _reasons(group: DraftGroup, keep: Keep, turn: int) -> Iterable[KeepReason]:
    if group.kind is GroupKind.SYSTEM and keep.system:
        yield KeepReason.SYSTEM
    if group.turn > turn - keep.open_call_turns and any(item.waiting_tokens for item in group.items):
        yield KeepReason.OPEN_CALL
    for item in group.items:
        entry = item.entry
        if entry.pinned:
            yield KeepReason.PINNED
        if keep.sources and entry.source is not None:
            rule = source_rule(entry.source, keep)
            if rule in _SOURCE_REASONS:
                yield _SOURCE_REASONS[rule]
        if keep.rules and any(_meets(item, group, rule) for rule in keep.rules):
            yield KeepReason.RULE


def goes_first(group: DraftGroup, keep: Keep) -> bool:
    """Tell whether all of a group is of sources that go first, so that it is nobody's first or latest word either."""
    return bool(keep.sources) and all(source_rule(item.entry.source, keep) == "drop" for item in group.items)


def source_rule(source: str | None, keep: Keep) -> str | None:
    """What the policy says of a source; the first pattern that fits counts."""
    if source is None:
        return None
    return next((rule for pattern, rule in keep.sources.items() if fnmatchcase(source, pattern)), None)


def _meets(item: Item, group: DraftGroup, rule: KeepRule) -> bool:
    entry = item.entry
    for pattern, value in ((rule.role, entry.role), (rule.source, entry.source), (rule.agent, entry.agent)):
        if pattern is not None and not fnmatchcase(value or "", pattern):
            return False
    if rule.tool is not None and not any(fnmatchcase(name, rule.tool) for name in group.tool_names().values()):
        return False
    return rule.contains is None or rule.contains in plain_text(item)


def plain_text(item: Item) -> str:
    """Everything in a message that a person would read, results included; calls are left out.

    To look at, never to show.
    """
    texts: list[str] = []
    for part in (item.replacement or item.unmasked).parts:
        match part:  # the most frequent first
            case ToolCallResponsePart():
                texts.append(response_text(part.response))
            case TextPart() | ReasoningPart() | RefusalPart():
                texts.append(part.content)
            case CompactionPart():
                texts.append(part.content or "")
    return "\n".join(texts)
