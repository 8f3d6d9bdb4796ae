"""Which threads a client follows, on which partitions, and how their views come together. Knows nothing of a broker.

A thread is first placed on its partition. Its view is there at once where the partition is known to hold nothing of it;
else its past is read, and what comes meanwhile waits behind it until both are joined.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from aiokafka import TopicPartition
from aiokafka.partitioner import DefaultPartitioner
from aiokafka.structs import ConsumerRecord

from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.client.context_partition import ContextPartition, thread_of
from tailrace.streams.client.thread_watch import ThreadWatch, WakeUp

#: Threads beyond this are forgotten, those first that were not asked for the longest; asking again reads their past
#: again.
THREADS_MAX: Final = 10_000


@dataclass(slots=True)
class FollowedPartition:
    """A partition that is being followed. `position` is the offset behind all that was taken into account."""

    place: TopicPartition
    position: int
    threads: ContextPartition = field(default_factory=ContextPartition)
    #: Whether the past was read once: only then is `threads.skipped` all that was there.
    past_known: bool = False
    moved: WakeUp = field(default_factory=WakeUp)

    def move_to(self, position: int) -> None:
        """Note how far the partition is read."""
        self.position = position
        self.moved.send()


class FollowedThreads:
    """The threads of one client and the partitions they are on."""

    def __init__(self, threads_max: int = THREADS_MAX) -> None:
        """Follow nothing yet."""
        self.partitions: dict[int, FollowedPartition] = {}
        self._threads_max = threads_max
        self._watches: OrderedDict[str, ThreadWatch] = OrderedDict()
        self._partition_count: int | None = None

    def __len__(self) -> int:
        """Return the number of threads."""
        return len(self._watches)

    def get(self, thread: str) -> ThreadWatch | None:
        """Return the thread if it is followed."""
        return self._watches.get(thread)

    def watch(self, thread: str) -> ThreadWatch:
        """Return the thread; it is followed from now on. Its past has to be read where its view is None."""
        watch = self._watches.get(thread)
        if watch is None:
            watch = self._watches[thread] = ThreadWatch(thread)
            self._place(watch)
            self._forget_oldest()
        self._watches.move_to_end(thread)
        return watch

    def place_all(self, partition_count: int) -> None:
        """Say how many partitions there are. Where that has changed, everything starts anew."""
        if self._partition_count not in (None, partition_count):
            for number in list(self.partitions):
                self.drop(number)
            for watch in self._watches.values():
                watch.partition = None
        self._partition_count = partition_count
        for watch in self._watches.values():
            if watch.partition is None:
                self._place(watch)

    def without_view(self) -> list[ThreadWatch]:
        """Return the threads whose past has to be read."""
        return [watch for watch in self._watches.values() if watch.view is None and not watch.unreadable]

    def partition_of(self, watch: ThreadWatch) -> FollowedPartition | None:
        """Return the partition of a thread, None as long as it is not followed."""
        return None if watch.partition is None else self.partitions.get(watch.partition)

    def take(self, partition: FollowedPartition, records: Iterable[ConsumerRecord]) -> None:
        """Take new records of a partition into account."""
        changed: set[str] = set()
        for record in records:
            watch = self._watches.get(thread_of(record))
            loading = watch.behind if watch is not None else None
            if loading is not None and partition.threads.admits(record):
                loading.append(record)
            thread = partition.threads.take(record)
            if thread is not None:
                changed.add(thread)
        for thread in changed & self._watches.keys():
            self._show(self._watches[thread], partition)

    def begin_past(self, loading: Sequence[ThreadWatch]) -> dict[int, tuple[ContextPartition, int]]:
        """Return, by partition, what has to be filled with the past of these threads, and the offset to stop below."""
        past: dict[int, tuple[ContextPartition, int]] = {}
        for watch in loading:
            partition = self.partition_of(watch)
            if partition is not None:
                number = partition.place.partition
                wanting, _ = past.setdefault(number, (ContextPartition(), partition.position))
                wanting.wanted.add(watch.thread)
                watch.behind = []
        return past

    def end_past(self, past: dict[int, tuple[ContextPartition, int]]) -> None:
        """Join the past of threads with what came since; they are followed from here on."""
        for number, (before, _) in past.items():
            partition = self.partitions.get(number)
            if partition is None:
                continue
            for thread in before.wanted:
                watch = self._watches.get(thread)
                # Forgotten or moved meanwhile: nobody waits for it here any more.
                if watch is not None and watch.partition == number and watch.behind is not None:
                    self._join(watch, partition, before)
            partition.threads.skipped |= before.skipped
            partition.past_known = True

    def abandon_past(self) -> None:
        """Give up what is being read: its connection is gone."""
        for watch in self._watches.values():
            watch.behind = None

    def wake_all(self) -> None:
        """Wake everyone who waits for a thread."""
        for watch in self._watches.values():
            watch.changed.send()

    def move(self, watch: ThreadWatch, number: int) -> None:
        """Look for a thread on another partition: there are more of them now, and its messages go there."""
        self._forget_view(watch)
        watch.partition, watch.view = number, None
        watch.note_change()

    def drop(self, number: int) -> None:
        """Follow a partition no more; the past of its threads has to be read again."""
        partition = self.partitions.pop(number, None)
        for watch in self._watches.values():
            if watch.partition == number:
                watch.view, watch.behind, watch.unreadable = None, None, False
                watch.note_change()
        if partition is not None:
            partition.moved.send()

    def _place(self, watch: ThreadWatch) -> None:
        if self._partition_count is None:
            return
        numbers = list(range(self._partition_count))
        watch.partition = int(DefaultPartitioner()(watch.thread.encode(), numbers, numbers))
        partition = self.partitions.get(watch.partition)
        if partition is not None and partition.past_known and hash(watch.thread) not in partition.threads.skipped:
            self._keep(watch, partition, ThreadView())

    def _join(self, watch: ThreadWatch, partition: FollowedPartition, before: ContextPartition) -> None:
        thread = watch.thread
        view = PartitionView(threads={thread: before.view.threads.get(thread) or ThreadView()}, term=before.view.term)
        joined = ContextPartition(wanted={thread}, view=view, unreadable=before.unreadable & {thread})
        for record in watch.behind or ():
            joined.take(record)
        watch.behind = None
        partition.threads.view.term = max(partition.threads.view.term, view.term)
        partition.threads.unreadable |= joined.unreadable
        self._keep(watch, partition, view.threads[thread])

    def _keep(self, watch: ThreadWatch, partition: FollowedPartition, view: ThreadView) -> None:
        partition.threads.wanted.add(watch.thread)
        partition.threads.view.threads[watch.thread] = view
        self._show(watch, partition)

    def _show(self, watch: ThreadWatch, partition: FollowedPartition) -> None:
        watch.unreadable = watch.thread in partition.threads.unreadable
        watch.view = None if watch.unreadable else partition.threads.view.threads.get(watch.thread)
        watch.note_change()

    def _forget_oldest(self) -> None:
        if len(self._watches) <= self._threads_max:
            return
        for thread, watch in list(self._watches.items())[: -self._threads_max]:
            if not watch.users:
                self._forget_view(watch)
                del self._watches[thread]

    def _forget_view(self, watch: ThreadWatch) -> None:
        partition = self.partition_of(watch)
        watch.behind = None
        if partition is not None and watch.thread in partition.threads.wanted:
            partition.threads.wanted.discard(watch.thread)
            partition.threads.unreadable.discard(watch.thread)
            partition.threads.view.threads.pop(watch.thread, None)
            partition.threads.skipped.add(hash(watch.thread))
