"""The receipt of a compaction: of what left the context, what is still there word for word, and where the rest can be had.

Identifiers are those that people and the agent used themselves; what only a tool showed is in its artifact, or in the log. Nothing
is lost as long as the log keeps its messages, so what is not retained names the message, or the artifact, that holds it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from tailrace.agents.call_text import bounded
from tailrace.agents.names import Names
from tailrace.agents.part_text import text_of
from tailrace.schemas.compaction import ClassReceipt, LossReceipt, Recoverable
from tailrace.schemas.context import DERIVED_ID_PREFIX, Entry
from tailrace.schemas.ledger import EvidenceKind, Ledger
from tailrace.schemas.message import Message

RECOVER_FROM = "the conversations topic, by id"
#: Items that stand in a record are cut here: it says what they are, the message says the rest.
TEXT_CHARS_MAX = 120
#: A statement counts as retained by its beginning: a list of quotes may cut its end.
_QUOTED_CHARS = 80

_NOTHING = Ledger()

_decode_message = msgspec.json.Decoder(Message).decode


@dataclass(frozen=True, slots=True)
class Departure:
    """What a compaction does to a context."""

    #: Entries that are no longer there as they were.
    left: Sequence[Entry]
    #: Entries of the new context.
    live: Sequence[Entry]
    #: What is remembered of all that has left, shown or not.
    ledger: Ledger


def make_receipt(departure: Departure, *, changed: int, listed_max: int) -> LossReceipt:
    """Receipt of a compaction that changed so many messages; every class names at most `listed_max` items. O(what left and is there)."""
    shown = "\n".join(_text(entry) for entry in departure.live)
    names = Names()
    there = names.among(shown)
    squeezed = " ".join(shown.split()) if departure.ledger != _NOTHING else ""
    artifacts = {entry.id: entry.artifact_id for entry in departure.left if entry.artifact_id is not None}
    ledger = departure.ledger
    stated = {
        "directives": {one.text: one.source for one in ledger.directives},
        "obligations": {one.text: one.source for one in ledger.obligations},
        "decisions": {one.text: one.source for one in ledger.evidence if one.kind is EvidenceKind.DECISION},
    }
    classes = {
        name: _of_class(items, lambda text: text[:_QUOTED_CHARS].rstrip(" …") in squeezed, artifacts, listed_max)
        for name, items in stated.items()
    }
    classes["identifiers"] = _of_class(_identifiers(departure.left, names), there.__contains__, artifacts, listed_max)
    return LossReceipt(
        retained=len(departure.live), recoverable=changed, lost=0, recover_from=RECOVER_FROM, classes=classes
    )


def _of_class(
    items: Mapping[str, str], is_there: Callable[[str], bool], artifacts: Mapping[str, str], listed_max: int
) -> ClassReceipt:
    gone = [(text, source) for text, source in items.items() if not is_there(text)]
    return ClassReceipt(
        retained=len(items) - len(gone),
        recoverable=len(gone),
        # The newest first: they are the likeliest to be missed.
        listed=tuple(
            Recoverable(text=text[:TEXT_CHARS_MAX], message_id=source, artifact_id=artifacts.get(source))
            for text, source in gone[: -listed_max - 1 : -1]
        ),
    )


def _identifiers(left: Iterable[Entry], names: Names) -> dict[str, str]:
    """Names that people and the agent used, with the last message that did."""
    found: dict[str, str] = {}
    for entry in left:
        if not entry.answers and not entry.id.startswith(DERIVED_ID_PREFIX):
            found.update(dict.fromkeys(names.of(_text(entry)), entry.id))
    return {name: source for name, source in found.items() if name[0].isalnum()}


def _text(entry: Entry) -> str:
    """Beginning and end of what an entry says, as summaries read it."""
    return "\n".join(bounded(text_of(part)) for part in _decode_message(entry.message).parts)
