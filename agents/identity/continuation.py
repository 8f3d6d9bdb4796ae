"""What a request adds to a thread that is known, or that it begins a new one.

A request continues a thread only from its head: the last message that the thread has. Whatever does not hold that
message, in its place behind all others, is another conversation, though it may begin with the same words. A request
that is sent again ends with the head itself: it continues its thread and adds nothing.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tailrace.agents.identity.chain import Link, head_of


class Continuation(Struct, frozen=True):
    """Where a request belongs."""

    #: The thread that it continues; None where it begins one.
    thread: str | None
    #: Name of that thread's head.
    head_id: str | None
    #: Name of the head once the request is part of the thread; None for a request without a message that counts.
    next_head_id: str | None
    #: What the thread doesn't have yet, in its order.
    added: tuple[Link, ...]


def continuation_of(links: Sequence[Link], heads: Mapping[str, str]) -> Continuation:
    """Tell where a request belongs. `heads` gives the thread by the name of its head."""
    head = head_of(links)
    next_head_id = head.id if head is not None else None
    for place in reversed(range(len(links))):
        link = links[place]
        if link.counts and (thread := heads.get(link.id)) is not None:
            return Continuation(thread, link.id, next_head_id, tuple(links[place + 1 :]))
    return Continuation(None, None, next_head_id, tuple(links))
