"""The window that a client cuts by itself when Tailrace doesn't answer in time.

It is what a worker would have made of the last context that is known and the client's own messages behind it: the same
pure code runs on a copy of the view. So it is deterministic, never over budget where a worker's is not, and never holds
a tool result without its call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.client.publication import Publication
from tailrace.streams.client.signal_record import SignalPublication


@dataclass(slots=True)
class LocalWindow:
    """A thread as far as this client knows it. Grows with what is published, starts anew when the base changes."""

    engine: Engine
    _base: ThreadView = field(default_factory=ThreadView)
    _base_version: int = -1
    _applied: list[Publication | SignalPublication] = field(default_factory=list)
    _partition: PartitionView = field(default_factory=PartitionView)
    #: Messages that a worker would refuse as things stand, such as a tool result whose call is not known here.
    left_out: int = 0

    def rebase(self, base: ThreadView | None, version: int) -> None:
        """Begin from the last known view; equal versions are equal views, and change nothing."""
        if version == self._base_version:
            return
        self._base = base.copy() if base is not None else ThreadView()
        self._base_version = version
        self._restart()

    def view(self, thread: str, own: Sequence[Publication | SignalPublication]) -> ThreadView:
        """Return the base with the client's own messages behind it, cut by the worker's rules.

        Costs what came since the last call. `covers` is the base's: only a worker can say what is covered.
        """
        done = len(self._applied)
        if done > len(own) or any(old is not new for old, new in zip(self._applied, own, strict=False)):
            self._restart()
            done = 0
        for publication in own[done:]:
            self._apply(thread, publication)
        view = self._partition.threads.get(thread)
        return replace(view, covers=self._base.covers) if view is not None else ThreadView()

    def _apply(self, thread: str, publication: Publication | SignalPublication) -> None:
        view = self._partition.threads.get(thread)
        covered_offset = view.covers.offset if view is not None and view.covers is not None else -1
        # Only the order matters: these offsets never leave the process.
        record = msgspec.structs.replace(publication.record, offset=covered_offset + 1)
        outcome = process(self._partition, record, self.engine)
        self.left_out += outcome.result == "dead_letter"
        self._applied.append(publication)

    def _restart(self) -> None:
        head = self._base.head
        threads = {head.thread: self._base.copy()} if head is not None else {}
        self._partition = PartitionView(threads=threads)
        self._applied = []
        self.left_out = 0
