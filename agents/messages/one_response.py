"""Which messages are pieces of one response: reasoning and parallel calls that came as messages of their own.

Some formats have a message for each item of a response, and some runtimes write a line for each block of one. As long
as no result has come, the model can't have been asked again: an assistant's message behind calls that wait is one more
piece of their response, and a call behind reasoning, with or without words between them, is what that reasoning led to.
Reasoning behind calls begins the next response: its message may come later than their results. A call that comes behind
a result is the next step of a chain, unless its producer names a group.
"""

from dataclasses import dataclass
from typing import Final

from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry

#: Of so many messages a response is made at most, so that a producer that never publishes a result gets no group
#: without end.
PIECES_MAX: Final = 128


@dataclass(slots=True)
class Response:
    """The state of one response while its messages come: it tells which message may join.

    It depends on the messages alone, and not on the order in which they arrive.
    """

    #: Places that were ever taken.
    members: int = 0
    #: What the producer calls it.
    name: str | None = None
    # Immutable, because nearly all groups have no call: an empty set would be most of their size.
    open_calls: frozenset[str] = frozenset()
    #: Messages of reasoning alone, and messages that answer calls.
    reasonings: int = 0
    results: int = 0
    #: The last member is an assistant's.
    assistant_last: bool = False
    #: The last member is reasoning whose message is still to come.
    expects_message: bool = False

    def goes_on_with(self, role: str, calls: tuple[str, ...], *, reasoning_only: bool, name: str | None) -> bool:
        """Tell whether a message that answers nothing is the next piece of this response."""
        if role != "assistant" or not self.assistant_last:
            return False
        if self.expects_message:
            return True
        if reasoning_only or self.results or self.members >= PIECES_MAX or (name is not None and name != self.name):
            return False
        # Words alone say nothing about the reasoning before the words before them.
        if not self.open_calls and not (calls and self.reasonings):
            return False
        # A response has every id once: a call whose id is open already is of another.
        return self.open_calls.isdisjoint(calls)

    def take(self, entry: Entry) -> None:
        """Take the next message, or what replaces one of them, into account."""
        place = entry.rank % RANKS_PER_GROUP
        self.name = self.name or entry.group
        if entry.calls or entry.answers:
            self.open_calls = self.open_calls.union(entry.calls).difference(entry.answers)
            self.results += bool(entry.answers)
        self.reasonings += entry.reasoning_only
        if place + 1 >= self.members:
            self.members = place + 1
            self.assistant_last = entry.role == "assistant" and not entry.answers
            self.expects_message = entry.reasoning_only

    def lose(self, entry: Entry) -> None:
        """Forget a message that is there no more."""
        self.open_calls = self.open_calls.difference(entry.calls)
        self.results -= bool(entry.answers)
        self.reasonings -= entry.reasoning_only
