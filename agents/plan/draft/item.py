"""What a draft consists of: messages, each with what is to become of it, in groups that stay whole."""

from msgspec import Struct

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.secrets.mask import mask_message
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import Entry, EntryKind
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, ToolCallPart

#: The first of two that meet holds.
PRECEDENCE = tuple(Action)
STRENGTH = {action: len(PRECEDENCE) - place for place, action in enumerate(PRECEDENCE)}
_SUMMARIZE, _INCLUDE, _SUMMARY = Action.SUMMARIZE, Action.INCLUDE, EntryKind.SUMMARY


class Item(Struct, eq=False, gc=False):
    """One message of the draft, or what is to stand for several. Refers to nothing that refers to it.

    The garbage collector passes by.
    """

    entry: Entry
    tokens: int
    #: Live messages that this item stands for, in order.
    ids: tuple[str, ...]
    action: Action = Action.INCLUDE
    replacement: Message | None = None
    strategy: str = ""
    reason: str = ""
    artifact_id: str | None = None
    #: Names of the single messages, where it stands for several and each is kept whole.
    artifact_ids: tuple[str, ...] = ()
    recorded: bool = True
    #: Cut by a step that means it, whatever room is left in the end.
    cut_for_good: bool = False
    #: What the messages cost as they are now in the thread.
    before_tokens: int = 0
    last_turn: int = 0
    #: What a request says for the results that its calls still wait for.
    waiting_tokens: int = 0
    #: Secrets are not to be seen in anything that is made from the message.
    masked: bool = True
    _unmasked: Message | None = None
    _original: Message | None = None

    @property
    def message(self) -> Message:
        """The message as it would be read if the draft were carried out now."""
        return self.replacement if self.replacement is not None else self.original

    @property
    def original(self) -> Message:
        """The message as it is in the thread, secrets masked; the first of them where the item stands for several."""
        if self._original is None:
            self._original = mask_message(self.unmasked) if self.masked else self.unmasked
        return self._original

    @property
    def unmasked(self) -> Message:
        """The message as it is in the thread, secrets and all: to look at, never to show.

        Masking costs more than reading.
        """
        if self._unmasked is None:
            self._unmasked = decode_message(self.entry.message)
        return self._unmasked

    @property
    def whole_id(self) -> str:
        """Name of the whole content, of which the message may hold only a part already."""
        return self.entry.artifact_id or artifact_id(self.unmasked)

    @property
    def whole_tokens(self) -> int:
        """What the whole content costs."""
        return self.entry.whole_tokens or self.before_tokens

    @property
    def stands_for_others(self) -> bool:
        """Whether the plan has put this item in the place of whole groups."""
        return self.action is _SUMMARIZE or len(self.ids) > 1


class DraftGroup(Struct, eq=False, gc=False):
    """One atomic group of the draft. Refers to nothing that refers to it, as its items don't."""

    sequence: int
    turn: int
    kind: GroupKind
    items: list[Item]
    #: Why the group stays, whatever is proposed; None where it may go.
    kept: str | None = None

    @property
    def tokens(self) -> int:
        """What the group costs now, with what stands for results that are missing."""
        # Asked of every group, time and again: a loop costs half of what a generator does.
        tokens = 0
        for item in self.items:
            tokens += item.tokens + item.waiting_tokens
        return tokens

    @property
    def ids(self) -> tuple[str, ...]:
        """Live messages of the group, in order."""
        return tuple([message_id for item in self.items for message_id in item.ids])

    @property
    def is_summary(self) -> bool:
        """Whether the group is a summary of others, made now or by an earlier compaction."""
        item = self.items[0]
        if item.action is not _SUMMARIZE and item.entry.kind is not _SUMMARY:
            return False
        return any(isinstance(part, CompactionPart) for part in item.message.parts)

    def is_open_to(self, action: Action) -> bool:
        """Whether nothing stronger than this action is planned for a message of the group."""
        for item in self.items:
            if item.action is not _INCLUDE and STRENGTH[item.action] > STRENGTH[action]:
                return False
        return True

    def tool_names(self) -> dict[str, str]:
        """Names of the tools that the group calls, by the id of the call."""
        names: dict[str, str] = {}
        for item in self.items:
            if (item.entry.calls or item.entry.role == "assistant") and not item.stands_for_others:
                for part in item.unmasked.parts:
                    if type(part) is ToolCallPart:
                        names[part.id] = part.name
        return names
