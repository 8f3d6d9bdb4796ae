"""How far the requests of a partition are finished."""

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.streams.summarizer.work_progress import WorkProgress


def record(offset: int, partition: int = 0) -> ConsumerRecord:
    return ConsumerRecord("work", partition, offset, 0, 0, b"k", b"v", 0, 1, 1, ())


def place(partition: int = 0) -> TopicPartition:
    return TopicPartition("work", partition)


def test_what_is_finished_counts_up_to_the_first_that_is_not() -> None:
    progress = WorkProgress()
    for offset in (3, 4, 7):
        progress.take(record(offset))
    progress.finish(record(4))
    assert progress.committable() == {}
    progress.finish(record(3))
    assert progress.committable() == {place(): 5}
    assert progress.committable() == {}
    progress.finish(record(7))
    assert progress.committable() == {place(): 8}


def test_partitions_do_not_wait_for_each_other() -> None:
    progress = WorkProgress()
    progress.take(record(1))
    progress.take(record(9, partition=1))
    progress.finish(record(9, partition=1))
    assert progress.committable() == {place(1): 10}


def test_what_is_read_again_after_the_partition_moved_counts_anew() -> None:
    progress = WorkProgress()
    for offset in (5, 6):
        progress.take(record(offset))
    progress.take(record(5))
    progress.finish(record(6))  # of the first time, and not taken again yet
    assert progress.committable() == {}
    progress.finish(record(5))
    assert progress.committable() == {place(): 6}


def test_what_was_never_taken_is_ignored() -> None:
    progress = WorkProgress()
    progress.finish(record(2))
    assert progress.committable() == {}
