"""The receipt of a compaction.

Of what left the context, what is still there word for word, and where the rest can be had.

Identifiers are those that people and the agent used themselves; what only a tool showed is in its artifact, or in the
log. Nothing is lost as long as the log keeps its messages, so what is not retained names the message, or the artifact,
that holds it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import msgspec

from tailrace.agents.language.names import Names
from tailrace.agents.ledger.directives import ROLES
from tailrace.agents.ledger.item_text import ASKED, asked_beside
from tailrace.agents.ledger.list_headings import unfolded
from tailrace.agents.ledger.remaining_statements import still_said
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.secrets.mask import mask_message
from tailrace.agents.secrets.scan import mask_secrets
from tailrace.schemas.records.compaction import ClassReceipt, LossReceipt, Recoverable
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, Entry, EntryKind
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.ledger import EvidenceKind, Ledger
from tailrace.schemas.records.message import Message

RECOVER_FROM = "the conversations topic, by id"
#: Items that stand in a record are cut here: it says what they are, the message says the rest.
TEXT_CHARS_MAX = 120
#: At the end of an item that was cut when it was noted.
_CLIPPED = " …"
#: In the place of a name that is a secret.
HIDDEN = "[secret]"

_POINTER = EntryKind.POINTER


@dataclass(frozen=True, slots=True)
class Departure:
    """What a compaction does to a context."""

    #: Entries that are no longer there as they were.
    left: Sequence[Entry]
    #: Entries of the new context.
    live: Sequence[Entry]
    #: What is remembered of all that has left, shown or not.
    ledger: Ledger
    #: Messages that are there as they were.
    stay: int = 0


def make_receipt(departure: Departure, *, changed: int, listed_max: int, masked: bool = True) -> LossReceipt:
    """Receipt of a compaction that changed so many messages; every class names at most `listed_max` items.

    O(what left and is there).

    With `masked`, no item shows a secret: arguments of calls hold passwords, and a record is read by more people than a
    thread.
    """
    names = Names()
    named = _identifiers(departure.left, names)
    shown = _ShownWords("\n".join(_text(entry) for entry in departure.live))
    # Behind the names of what left: of plain words only those that were met are looked for.
    there = names.among(shown.each_once)
    ledger = departure.ledger
    listing = _Listing({entry.id: entry for entry in departure.left}, listed_max, masked=masked)
    there_whole = {entry.id for entry in departure.live if entry.compaction is None}
    stated = _stated(ledger, there_whole)
    # A message that was cut may say a statement below its headings, or without them.
    cut = "\n".join(_text(entry) for entry in departure.live if entry.kind is _POINTER and entry.role in ROLES)
    in_cut = still_said(stated["directives"], cut) if cut else frozenset()
    classes = {
        name: listing.of_class(items, lambda text: shown.says(text) or text in in_cut) for name, items in stated.items()
    }
    # What a message asks for beside what it states is shown without that.
    asked = {
        obligation.text: asked_beside(obligation, ledger.directives)
        for obligation in ledger.obligations
        if obligation.kind in ASKED
    }
    classes["obligations"] = listing.of_class(
        stated["obligations"],
        lambda text: all(map(shown.says, asked.get(text, (text,)))),
    )
    added = sum(bool(directive.added_by) for directive in ledger.directives)
    if added:
        classes["directives"] = msgspec.structs.replace(classes["directives"], added=added)
    classes["identifiers"] = listing.of_class(named, there.__contains__)
    return LossReceipt(retained=departure.stay, recoverable=changed, lost=0, recover_from=RECOVER_FROM, classes=classes)


def _stated(ledger: Ledger, there_whole: AbstractSet[str]) -> dict[str, dict[str, str]]:
    """What was stated, with the message that states it, by class; no obligation whose message is there as it was."""
    decisions = [item for item in ledger.evidence if item.kind is EvidenceKind.DECISION and not item.call]
    return {
        "directives": {directive.text: directive.source for directive in ledger.directives},
        "obligations": {owed.text: owed.source for owed in ledger.obligations if owed.source not in there_whole},
        "decisions": {decision.text: decision.source for decision in decisions},
        "said": {statement.text: statement.source for statement in ledger.unclassified},
    }


class _ShownWords:
    """What a context says, however its lines are broken: looked up, because a receipt asks hundreds of times."""

    def __init__(self, text: str) -> None:
        words = text.split()
        self._words = frozenset(words)
        # As bytes, which one unusual character makes no wider.
        self._text = _utf8(" ".join(words))

    @property
    def each_once(self) -> str:
        """All words, each once: names are in single words, and a long context says most of its words often."""
        return " ".join(self._words)

    def says(self, item: str) -> bool:
        """Tell whether an item stands there word for word."""
        item = item.removesuffix(_CLIPPED)
        # Between its first and its last, which may be parts of words, all are words of the context.
        return self._words.issuperset(item.split(" ")[1:-1]) and _utf8(item) in self._text


class _Listing:
    """Names what is not there any more, with where it can be had."""

    def __init__(self, left: Mapping[str, Entry], listed_max: int, *, masked: bool) -> None:
        self._left = left
        self._listed_max = listed_max
        self._masked = masked
        #: What each message says, and what it says once its secrets are masked. Few are asked for.
        self._texts: dict[str, tuple[str, str]] = {}

    def of_class(self, items: Mapping[str, str], is_there: Callable[[str], bool]) -> ClassReceipt:
        gone = [(text, source) for text, source in items.items() if not is_there(text)]
        return ClassReceipt(
            retained=len(items) - len(gone),
            recoverable=len(gone),
            # The newest first: they are the likeliest to be missed.
            listed=tuple(self._item(text, source) for text, source in gone[: -self._listed_max - 1 : -1]),
        )

    def _item(self, text: str, source: str) -> Recoverable:
        entry = self._left.get(source)
        return Recoverable(
            text=(self._shown(text, entry) if self._masked else text)[:TEXT_CHARS_MAX],
            message_id=source,
            artifact_id=entry.artifact_id if entry is not None else None,
        )

    def _shown(self, text: str, entry: Entry | None) -> str:
        """The text without its secrets. That a name alone is one is told by what stands beside it in its message."""
        if entry is not None:
            if entry.id not in self._texts:
                message = decode_message(entry.message)
                without = mask_secrets(_whole_text(mask_message(message))).text
                self._texts[entry.id] = _whole_text(message), without
            whole, without = self._texts[entry.id]
            if text in whole and text not in without:
                return HIDDEN
        return mask_secrets(text).text


def _identifiers(left: Iterable[Entry], names: Names) -> dict[str, str]:
    """Names that people and the agent used, with the last message that did."""
    sources: dict[str, str] = {}
    for entry in left:
        if not entry.answers and not entry.id.startswith(DERIVED_ID_PREFIX):
            sources.update(dict.fromkeys(names.of(_text(entry)), entry.id))
    return {name: source for name, source in sources.items() if name[0].isalnum()}


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(entry: Entry) -> str:
    """All that an entry says: whatever a receipt calls retained can be found there.

    Items of a ledger stand behind their headings again.
    """
    text = _whole_text(decode_message(entry.message))
    return f"{text}\n{unfolded(text)}" if entry.kind is EntryKind.LEDGER else text


def _whole_text(message: Message) -> str:
    return "\n".join(text_of(part) for part in message.parts)
