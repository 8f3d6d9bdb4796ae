"""What a request adds to a thread that is known, or that it begins a new one.

A request continues a thread only from its head: the last message that the thread has. Whatever does not hold that
message, in its place behind all others, is another conversation, though it may begin with the same words. A request
that is sent again ends with the head itself: it continues its thread and adds nothing.

Conversations of one caller may be equal word by word and differ in what their harness puts around them, such as the
folder that an agent works in. Where several threads end alike, a request continues the one that its harness agrees
with. Where only one does, a harness that differs has renewed its texts, as long as a model has answered there: two
conversations rarely get the same answer. A thread without an answer at its end is continued by equal texts alone.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tailrace.agents.identity.chain import Link, head_of


class ThreadHead(Struct, frozen=True):
    """A thread that ends with a certain message."""

    thread: str
    #: As in a link: what the harness had put around all of it.
    harness: str


class Continuation(Struct, frozen=True):
    """Where a request belongs."""

    #: The thread that it continues; None where it begins one.
    thread: str | None
    #: The thread's head as it was; None where there is none.
    head: Link | None
    #: The head once the request is part of the thread; None for a request without a message that counts.
    next_head: Link | None
    #: What the thread doesn't have yet, in its order.
    added: tuple[Link, ...]


def continuation_of(links: Sequence[Link], heads: Mapping[str, Sequence[ThreadHead]]) -> Continuation:
    """Tell where a request belongs. `heads` gives the threads by the name of their head."""
    next_head = head_of(links)
    for place in reversed(range(len(links))):
        link = links[place]
        if link.counts and (thread := _continued(link, heads.get(link.id, ()))) is not None:
            return Continuation(thread, link, next_head, tuple(links[place + 1 :]))
    return Continuation(None, None, next_head, tuple(links))


def _continued(link: Link, heads: Sequence[ThreadHead]) -> str | None:
    """The thread among those that end with this message that the request continues."""
    alike = [head.thread for head in heads if head.harness == link.harness]
    if alike:
        return alike[0]
    return heads[0].thread if len(heads) == 1 and link.message.role == "assistant" else None
