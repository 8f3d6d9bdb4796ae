"""A context while it is being planned: what each live message is to become.

Strategies look at a draft and propose; `execute` carries a proposal out or refuses it. Whatever strategies propose, a
draft keeps these promises: groups stay whole, pairs stay pairs, what is kept stays, one message is in at most one span,
and where two proposals meet, the stronger action holds (`PRECEDENCE`), unless it is about a part of what stands for
several: that would free nothing. Nothing of the thread itself changes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol

import msgspec

from tailrace.agents.messages.cuts import legal_cuts
from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.messages.server_calls import loses_half
from tailrace.agents.plan.draft.item import STRENGTH, DraftGroup, Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.errors import Nonsense
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind, ReadySummary
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart

_SENSITIVITIES = tuple(Sensitivity)
_DROP, _SUMMARIZE, _INCLUDE = Action.DROP, Action.SUMMARIZE, Action.INCLUDE
_SUMMARY = EntryKind.SUMMARY


class ReservedLedger(Protocol):
    """The ledger that a plan holds room for."""

    reserved_tokens: int

    def without(self, draft: "Draft", leaving: Iterable[str]) -> tuple[int, frozenset[str]]:
        """What it costs once these messages have left too, and what no summary needs to quote then."""


@dataclass(slots=True)
class Draft:
    """The whole context in order, with its budget."""

    groups: list[DraftGroup]
    budget: TokenBudget
    #: What the compaction is to come down to.
    target_tokens: int
    count: Callable[[Message], int]
    #: Everything around the messages, such as the start of the reply.
    overhead_tokens: int = 0
    before_tokens: int = 0
    tokens: int = 0
    turn: int = 0
    #: Who is to say what stands for whole groups.
    summary_role: str = "assistant"
    #: Summaries that a model has finished.
    ready: Sequence[ReadySummary] = ()
    ledger: ReservedLedger | None = None
    dropped: list[Item] = field(default_factory=list)
    #: Where two plans met on a message: what was planned by whom, what was proposed by whom, which of both holds, and
    #: how often.
    overlaps: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    #: What the words of a message cost without the results beside them, by the item: they may be long, and are asked
    #: for often.
    spoken_tokens: dict[int, tuple[Message, int]] = field(default_factory=dict)
    _places: dict[str, tuple[DraftGroup, Item]] = field(default_factory=dict)
    _cuts: tuple[list[DraftGroup], frozenset[int]] | None = None
    _results: tuple[list[DraftGroup], list[tuple[DraftGroup, Item]]] | None = None
    _summaries: tuple[list[DraftGroup], list[DraftGroup]] | None = None

    @property
    def excess_tokens(self) -> int:
        """What is still too much; 0 or less where the target is met."""
        return self.tokens - self.target_tokens

    @property
    def kept_tokens(self) -> int:
        """What stays whatever is proposed, with everything around the messages."""
        return self.overhead_tokens + sum([group.tokens for group in self.groups if group.kept is not None])

    def free(self) -> Iterator[DraftGroup]:
        """Yield the groups that may go, oldest first."""
        return (group for group in self.groups if group.kept is None)

    def results(self) -> Sequence[tuple[DraftGroup, Item]]:
        """All messages that answer calls, with their groups, in order."""
        # Groups are taken out by way of a new list, so the same list is the same groups.
        if self._results is None or self._results[0] is not self.groups:
            results = [(group, item) for group in self.groups for item in group.items if item.entry.answers]
            self._results = self.groups, results
        return self._results[1]

    def summaries(self) -> Sequence[DraftGroup]:
        """The groups that are summaries of others, made now or by an earlier compaction."""
        if self._summaries is None or self._summaries[0] is not self.groups:
            # Most are none, which is seen at once: to ask each of them takes four times as long.
            summaries = [
                group
                for group in self.groups
                if ((head := group.items[0]).action is _SUMMARIZE or head.entry.kind is _SUMMARY) and group.is_summary
            ]
            self._summaries = self.groups, summaries
        return self._summaries[1]

    def stays(self, message_id: str) -> bool:
        """Whether a message is in the context, and is to stay there word for word."""
        place = self._indexed().get(message_id)
        return place is not None and (item := place[1]).action is _INCLUDE and item.entry.compaction is None

    def legal_starts(self) -> frozenset[int]:
        """As `legal_starts` of all groups."""
        if self._cuts is None or self._cuts[0] is not self.groups:
            self._cuts = self.groups, legal_starts(self.groups)
        return self._cuts[1]

    def execute(self, proposal: Proposal, strategy: str) -> int:
        """Carry a proposal out and return the tokens that it frees.

        Return 0 where a stronger action or a lack of savings forbids it.
        Raises `Nonsense` for a proposal that no careful strategy makes.
        """
        places = self.find(proposal)
        for group, _ in places:
            if group.kept is not None:
                raise Nonsense(f"group {group.sequence} is kept: {group.kept}")
        if len(places) == 1 and proposal.replacement is not None:
            group, item = places[0]
            if len(group.items) > 1 and loses_half(item.unmasked, proposal.replacement):
                return 0  # no API takes the other half alone: such a group goes whole
        return self._carry_out(places, proposal, strategy)

    def force(self, proposal: Proposal, strategy: str) -> int:
        """Carry a proposal out even on what is kept: only for what would not fit otherwise."""
        return self._carry_out(self.find(proposal), proposal, strategy)

    def restore(self, item: Item, longer: Message | None = None, tokens: int = 0) -> None:
        """Take back what was done to a message that still stands for itself alone, or most of it.

        A longer text of it stands there now.
        """
        self._summaries = None
        after_tokens = tokens if longer is not None else item.before_tokens
        self.tokens += after_tokens - item.tokens
        item.tokens, item.replacement = after_tokens, longer
        if longer is None:
            item.action, item.artifact_id, item.strategy, item.reason, item.recorded = (
                Action.INCLUDE,
                None,
                "",
                "",
                True,
            )

    def _carry_out(self, places: list[tuple[DraftGroup, Item]], proposal: Proposal, strategy: str) -> int:
        places = [(group, item) for group, item in places if self._may(item, proposal, strategy)]
        if not places:
            return 0
        item = replaced_item(places, proposal)
        if item is not None:
            return self._replace(item, proposal, strategy)
        groups = self._whole_groups(places)
        if not groups:
            return 0
        return (
            self._merge(groups, proposal, strategy) if proposal.replacement else self._drop(groups, proposal, strategy)
        )

    def find(self, proposal: Proposal) -> list[tuple[DraftGroup, Item]]:
        """The items that a proposal is about, with their groups.

        Raises `Nonsense` for one that no careful strategy makes.
        """
        if not proposal.ids or proposal.action is _INCLUDE:
            raise Nonsense("a proposal must name at least one message and an action that changes it")
        if (proposal.action is _DROP) != (proposal.replacement is None):
            raise Nonsense("what is dropped has no replacement, and everything else needs one")
        if len(proposal.ids) == 1:
            return [self._place(proposal.ids[0])]
        places = map(self._place, proposal.ids)
        return [*{id(place[1]): place for place in places}.values()]

    def _indexed(self) -> dict[str, tuple[DraftGroup, Item]]:
        """Where each message is that was in the context to begin with."""
        if not self._places:
            self._places = {key: (group, item) for group in self.groups for item in group.items for key in item.ids}
        return self._places

    def _place(self, message_id: str) -> tuple[DraftGroup, Item]:
        place = self._indexed().get(message_id)
        if place is None:
            raise Nonsense(f"message {message_id!r} is not in the context")
        return place

    def _may(self, item: Item, proposal: Proposal, strategy: str) -> bool:
        if item.action is _INCLUDE:
            return True
        holds = item.action is not _DROP and STRENGTH[item.action] <= STRENGTH[proposal.action]
        # To take a message out of what stands for several frees nothing, and must not take the others along.
        holds = holds and (len(item.ids) == 1 or set(item.ids).issubset(proposal.ids))
        winner = proposal.action if holds else item.action
        planned, proposed = f"{item.action} by {item.strategy}", f"{proposal.action} by {strategy}"
        if planned != proposed:
            self.overlaps[planned, proposed, winner] += 1
        return holds

    def _whole_groups(self, places: Sequence[tuple[DraftGroup, Item]]) -> list[DraftGroup]:
        items = {id(item) for _, item in places}
        groups = {id(group): group for group, _ in places}
        whole = []
        for group in groups.values():
            if all(id(item) in items for item in group.items):
                whole.append(group)
            elif all(STRENGTH[item.action] <= STRENGTH[Action.CLEAR] for item in group.items):
                raise Nonsense(f"group {group.sequence} must stay or go as a whole")
            # Otherwise a stronger action holds a part of the group, and thereby the group.
        return sorted(whole, key=lambda group: group.items[0].entry.rank)

    def _replace(self, item: Item, proposal: Proposal, strategy: str) -> int:
        message = proposal.replacement
        if message is None or not _same_pairs(item.unmasked, message):
            raise Nonsense(f"the replacement of {proposal.ids[0]!r} must make and answer the same tool calls")
        tokens = self.count(message)
        freed = item.tokens - tokens
        if freed <= 0:
            return 0
        # Hundreds are replaced, hardly any of them by a summary, and to list these again takes a look at every group.
        if _SUMMARIZE in (item.action, proposal.action) or item.entry.kind is _SUMMARY:
            self._summaries = None
        _claim(item, proposal, strategy, tokens)
        self.tokens -= freed
        return freed

    def _merge(self, groups: list[DraftGroup], proposal: Proposal, strategy: str) -> int:
        message = proposal.replacement
        if message is None or message.call_ids or message.answered_ids:
            raise Nonsense("what stands for whole groups must not make or answer tool calls")
        items = [item for group in groups for item in group.items]
        tokens = self.count(message)
        freed = sum(item.tokens + item.waiting_tokens for item in items) - tokens
        if freed <= 0:
            return 0
        strictest = max((item.entry.sensitivity for item in items), key=_SENSITIVITIES.index)
        merged = Item(
            entry=msgspec.structs.replace(items[0].entry, sensitivity=strictest),
            tokens=tokens,
            ids=tuple(message_id for item in items for message_id in item.ids),
            before_tokens=sum(item.before_tokens + item.waiting_tokens for item in items),
            last_turn=max(item.last_turn for item in items),
        )
        _claim(merged, proposal, strategy, tokens)
        merged.artifact_ids = _names(items) if proposal.keeps_each else ()
        first = groups[0]
        gone = {id(group) for group in groups[1:]}
        self.groups = [group for group in self.groups if id(group) not in gone]
        first.items = [merged]
        first.kind = GroupKind.ASSISTANT_TEXT
        for message_id in merged.ids:
            self._places[message_id] = (first, merged)
        self.tokens -= freed
        return freed

    def _drop(self, groups: list[DraftGroup], proposal: Proposal, strategy: str) -> int:
        gone = {id(group) for group in groups}
        self.groups = [group for group in self.groups if id(group) not in gone]
        freed = 0
        for item in (item for group in groups for item in group.items):
            freed += item.tokens + item.waiting_tokens
            item.before_tokens += item.waiting_tokens
            item.waiting_tokens = 0
            names = _names([item]) if proposal.keeps_each else ()
            _claim(item, proposal, strategy, 0)
            item.artifact_ids = names
            self.dropped.append(item)
        self.tokens -= freed
        return freed


def legal_starts(groups: Sequence[DraftGroup]) -> frozenset[int]:
    """Sequence numbers of the groups before which every rule allows a cut."""
    legal = set(legal_cuts([item.entry for group in groups for item in group.items]))
    starts = accumulate((len(group.items) for group in groups), initial=0)
    return frozenset([group.sequence for group, start in zip(groups, starts, strict=False) if start in legal])


def replaced_item(places: Sequence[tuple[DraftGroup, Item]], proposal: Proposal) -> Item | None:
    """The item whose message a proposal replaces one for one; None where it is about whole groups."""
    if proposal.replacement is None or not len(places) == len(proposal.ids) == 1:
        return None
    group, item = places[0]
    # A group of one message may go whole, its calls with it, as any other group.
    return item if len(group.items) > 1 or _same_pairs(item.unmasked, proposal.replacement) else None


def _same_pairs(message: Message, other: Message) -> bool:
    """Tell whether two messages make and answer the same calls."""
    if len(message.parts) == len(other.parts) == 1:
        part, instead = message.parts[0], other.parts[0]
        if type(part) is type(instead) is ToolCallResponsePart:  # as most that are replaced
            return part.id == instead.id
    return message.call_ids == other.call_ids and message.answered_ids == other.answered_ids


def _names(items: Iterable[Item]) -> tuple[str, ...]:
    """Names of the whole messages, each once; of what a plan made to stand for others, theirs."""
    names = (item.artifact_ids if item.stands_for_others else (item.whole_id,) for item in items)
    return tuple(dict.fromkeys(name for of_item in names for name in of_item))


def _claim(item: Item, proposal: Proposal, strategy: str, tokens: int) -> None:
    item.action = proposal.action
    item.replacement = proposal.replacement
    item.artifact_id = proposal.artifact_id
    item.strategy = strategy
    item.reason = proposal.reason
    item.recorded = proposal.recorded
    item.cut_for_good = item.cut_for_good or not proposal.may_return
    item.tokens = tokens
