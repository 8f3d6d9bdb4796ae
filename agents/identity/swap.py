"""The messages to send in place of those that a request holds.

What stands word for word in a thread's context is taken from the request itself, so the provider gets what the runtime
wrote, with its marks and reminders of today. Only what stands for other messages comes from the context.

A context is sent only for the conversation that it was made from: whatever was said in the thread, live or gone, has to
be a message of the request, and each message of the request has to be part of the thread. Which messages have gone the
context tells itself, so what stands for them needs to name none of them.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from tailrace.agents.identity.chain import Link, head_of, passing_ids
from tailrace.schemas.records.context import EntryKind, id_hash
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.message import Message

#: Entries under the id of the message that they hold, or hold a shorter form of.
_OWN_KINDS = frozenset({EntryKind.VERBATIM, EntryKind.DISTILLED})


class Swapped(Struct, frozen=True):
    """What to send."""

    messages: tuple[Message, ...]
    #: Whether it is what the request holds, message by message.
    unchanged: bool


class Mismatch(StrEnum):
    """Why a context is not sent for a request."""

    #: The thread holds a message that the request doesn't: it is, or has become, another conversation.
    FOREIGN = "the thread holds a message of another conversation"
    #: The thread lacks a message of the request: a worker has refused it, or it is not there yet.
    LACKING = "the thread lacks a message of the request"


def swapped(links: Sequence[Link], context: Sequence[ContextMessage], departed: frozenset[str]) -> Swapped | Mismatch:
    """Return what to send for a request. `departed` has the hashes of the messages that have left the context."""
    if mismatch := _mismatch(links, context, departed):
        return mismatch
    own = {link.id: link for link in links}
    messages: list[Message] = []
    verbatim: list[str] = []
    for entry in context:
        link = own.get(entry.id)
        if link is not None and entry.kind is EntryKind.VERBATIM and _is_whole(entry.message, link.message):
            messages.append(link.message)
            verbatim.append(entry.id)
        elif link is not None or entry.kind not in _OWN_KINDS:
            messages.append(entry.message)
        # What is neither is reasoning that the runtime has dropped.
    return Swapped(tuple(messages), unchanged=len(messages) == len(verbatim) and verbatim == list(own))


def is_foreign(links: Sequence[Link], context: Sequence[ContextMessage], departed: frozenset[str]) -> bool:
    """Tell whether a thread holds, or ever held, a message that the request does not."""
    live = _live(context)
    dropped = passing_ids(links, lambda name: name in live or id_hash(name) in departed)
    own = {link.id for link in links}.union(dropped)
    return not live <= own or (bool(departed) and not departed <= set(map(id_hash, own)))


def _mismatch(links: Sequence[Link], context: Sequence[ContextMessage], departed: frozenset[str]) -> Mismatch | None:
    if is_foreign(links, context, departed):
        return Mismatch.FOREIGN
    live = _live(context)
    counting = [link.id for link in links if link.counts and link.id not in live]
    if any(id_hash(name) not in departed for name in counting):
        return Mismatch.LACKING
    shown = live.union(*(entry.sources for entry in context))
    head = head_of(links)
    # What the model is to answer has to be there, whole or as what names it.
    return None if head is None or head.id in shown else Mismatch.LACKING


def _live(context: Sequence[ContextMessage]) -> set[str]:
    return {entry.id for entry in context if entry.kind in _OWN_KINDS}


def _is_whole(entry: Message, own: Message) -> bool:
    """Whether a context has a message as it was said: results that came too late are told in words."""
    return entry.answered_ids == own.answered_ids
