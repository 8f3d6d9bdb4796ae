"""What this client has published and no context covers yet: the part of a thread that only the client knows for sure.

Signals that change what the next context has to be are part of it, as messages are.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.client.delivery import Outgoing
from tailrace.streams.client.publication import Publication
from tailrace.streams.client.signal_record import SignalPublication

OwnMessage = Outgoing[Publication] | Outgoing[SignalPublication]

#: Beyond this the oldest that are in the log are forgotten: a client that only publishes never learns what is covered.
REMEMBERED_BYTES_MAX: Final = 64 * 1024 * 1024


class OwnMessages:
    """Published messages by thread, in the order in which they were published, until a context covers them."""

    def __init__(self, remembered_bytes_max: int = REMEMBERED_BYTES_MAX) -> None:
        """Know nothing yet."""
        self._by_thread: dict[str, dict[tuple[str, ...], OwnMessage]] = {}
        self._remembered_bytes = 0
        self._remembered_bytes_max = remembered_bytes_max

    def of(self, thread: str) -> Sequence[OwnMessage]:
        """Return the uncovered messages of a thread."""
        return tuple(self._by_thread.get(thread, {}).values())

    def add(self, outgoing: OwnMessage) -> None:
        """Remember a message; one that is known by its id moves to the end."""
        self.forget(outgoing)
        publication = outgoing.publication
        self._by_thread.setdefault(publication.thread, {})[publication.key] = outgoing
        self._remembered_bytes += publication.size_bytes
        if self._remembered_bytes > self._remembered_bytes_max:
            self._shrink()

    def forget(self, outgoing: OwnMessage) -> None:
        """Forget a message, or whatever has its id."""
        publication = outgoing.publication
        messages = self._by_thread.get(publication.thread, {})
        remembered = messages.pop(publication.key, None)
        if remembered is None:
            return
        self._remembered_bytes -= remembered.publication.size_bytes
        if not messages:
            del self._by_thread[publication.thread]

    def settle(self, thread: str, view: ThreadView, partition: int) -> bool:
        """Forget what the view of this partition covers; tell whether that is everything."""
        for outgoing in self.of(thread):
            if is_covered(outgoing, view, partition):
                self.forget(outgoing)
        return thread not in self._by_thread

    def _shrink(self) -> None:
        for outgoing in list(self._oldest_in_log()):
            if self._remembered_bytes <= self._remembered_bytes_max // 2:
                break
            self.forget(outgoing)

    def _oldest_in_log(self) -> Iterator[OwnMessage]:
        for messages in self._by_thread.values():
            yield from (outgoing for outgoing in messages.values() if outgoing.published is not None)


def is_covered(outgoing: OwnMessage, view: ThreadView, partition: int) -> bool:
    """Tell whether a context includes a message.

    That goes by the message's offset, or by its id where the offset is not known.

    An event that was refused, or that was a duplicate, is covered too once the context has moved past it.
    """
    published = outgoing.published
    if published is None or published.offset < 0 or published.partition != partition:
        publication = outgoing.publication
        if isinstance(publication, SignalPublication):
            return publication.id in view.standing.seen
        return view.knows(publication.id)
    return view.covers is not None and view.covers.offset >= published.offset
