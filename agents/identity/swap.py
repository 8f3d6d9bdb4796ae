"""The messages to send in place of those that a request holds.

What stands word for word in a thread's context is taken from the request itself, so the provider gets what the runtime
wrote, with its marks and reminders of today. Only what stands for other messages comes from the context. Nothing may
come from anywhere else: a context that holds a message which the request doesn't is not this conversation's.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tailrace.agents.identity.chain import Link, head_of
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.message import Message

#: Entries under the id of the message that they hold, or hold a shorter form of.
_OWN_KINDS = frozenset({EntryKind.VERBATIM, EntryKind.DISTILLED})


class Swapped(Struct, frozen=True):
    """What to send."""

    messages: tuple[Message, ...]
    #: Whether it is what the request holds, message by message.
    unchanged: bool


def swapped(links: Sequence[Link], context: Iterable[ContextMessage]) -> Swapped | None:
    """Return what to send for a request; None where the context is not of this conversation, or lacks its end."""
    own = {link.id: link for link in links}
    messages: list[Message] = []
    verbatim: list[str] = []
    covered: set[str] = set()
    for entry in context:
        link = own.get(entry.id)
        if entry.kind not in _OWN_KINDS:
            if not own.keys() >= set(entry.sources):
                return None
            messages.append(entry.message)
            covered.update(entry.sources)
        elif link is not None:
            is_verbatim = entry.kind is EntryKind.VERBATIM
            messages.append(link.message if is_verbatim else entry.message)
            covered.add(entry.id)
            verbatim += [entry.id] if is_verbatim else []
        elif not _is_passing(entry.message):
            return None
    head = head_of(links)
    if head is not None and head.id not in covered:
        return None  # what the model is to answer was refused by the worker, or is not there yet
    if len(covered) == len(messages) and covered != own.keys():
        return None  # nothing stands for other messages, and yet one is missing: the worker has refused it
    return Swapped(tuple(messages), unchanged=len(messages) == len(verbatim) and verbatim == list(own))


def _is_passing(message: Message) -> bool:
    """Whether a runtime may leave the message out when it sends the conversation again, as it may drop reasoning."""
    return all(part.__struct_config__.tag == "reasoning" for part in message.parts)
