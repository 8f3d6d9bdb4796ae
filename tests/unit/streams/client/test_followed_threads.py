"""Threads that are joined at any moment must look as if they had been followed from the beginning."""

from random import Random
from typing import Any

import pytest
from aiokafka import TopicPartition
from support.conversations import Published, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.kafka_records import Topic, encode
from tailrace.streams.client.followed_threads import FollowedPartition, FollowedThreads
from tailrace.streams.client.thread_watch import ThreadWatch

PLACE = TopicPartition("tailrace.contexts", 0)
THREADS = ("one", "two", "three")


class Record:
    """A record of the contexts topic, as the consumer hands it out."""

    def __init__(self, offset: int, key: bytes | None, value: bytes | None, headers: Any) -> None:
        self.offset, self.key, self.value, self.headers = offset, key, value, headers


def log_of(seed: int, messages: int = 120) -> list[Record]:
    """A partition with three threads, several compactions and two owners, the first of which writes on for a while."""
    random = Random(seed)
    partition = PartitionView()
    records: list[Record] = []
    late: list[Any] = []
    for number in range(messages):
        thread = random.choice(THREADS)
        value = b'{"role":"user","content":"%s","id":"%s-%d"}' % (b"word " * 20, thread.encode(), number)
        outcome = process(partition, Published(thread.encode(), value).at(number), small_engine())
        term = 1 if number < messages // 2 else 2
        for emission in outcome.emissions:
            written = encode(emission, term)
            if written.topic is Topic.CONTEXTS:
                records.append(Record(len(records), written.key, written.value, written.headers))
                if term == 1 and random.random() < 0.1:
                    late.append(encode(emission, 1))
        if term == 2 and late:
            stale = late.pop()
            records.append(Record(len(records), stale.key, stale.value, stale.headers))
    return records


def expected(records: list[Record]) -> PartitionView:
    view = PartitionView()
    for record in records:
        assert record.key is not None
        view.apply_record(record.key, record.value, record.headers)
    return view


class Feed:
    """The log, read by hand: what the follower has had, and the past being read beside it."""

    def __init__(self, records: list[Record], threads_max: int = 100) -> None:
        self.records = records
        self.threads = FollowedThreads(threads_max)
        self.threads.place_all(1)
        self.threads.partitions[0] = FollowedPartition(PLACE, 0)

    def follow(self, count: int) -> None:
        partition = self.threads.partitions[0]
        new = self.records[partition.position : partition.position + count]
        self.threads.take(partition, new)
        partition.move_to(partition.position + len(new))

    def load(self, meanwhile: int = 0) -> None:
        past = self.threads.begin_past(self.threads.without_view())
        self.follow(meanwhile)
        for partition, below in past.values():
            for record in self.records[:below]:
                partition.take(record)
        self.threads.end_past(past)

    def check(self, watch: ThreadWatch) -> None:
        known = expected(self.records[: self.threads.partitions[0].position]).threads
        assert watch.view is not None
        want = known.get(watch.thread)
        assert watch.view.live() == (want.live() if want else [])
        assert watch.view.covers == (want.covers if want else None)
        assert watch.view.totals.messages == (want.totals.messages if want else 0)


@pytest.mark.parametrize("seed", range(30))
def test_a_thread_that_is_joined_in_the_middle_has_its_whole_past(seed: int) -> None:
    random = Random(seed)
    feed = Feed(log_of(seed))
    watches: list[ThreadWatch] = []
    for thread in random.sample(THREADS, len(THREADS)):
        feed.follow(random.randrange(60))
        watches.append(feed.threads.watch(thread))
        if random.random() < 0.7:
            feed.load(meanwhile=random.randrange(60))
            for watch in watches:
                feed.check(watch)
    feed.follow(random.randrange(60))
    feed.load()
    feed.follow(10_000)

    for watch in watches:
        feed.check(watch)


def test_a_thread_that_begins_while_its_partition_is_followed_needs_no_past() -> None:
    records = log_of(1)
    feed = Feed(records)
    feed.threads.watch("one")
    feed.load()
    late = feed.threads.watch("unheard of")

    assert late.view is not None
    assert not feed.threads.without_view()


def test_a_thread_that_was_skipped_needs_its_past() -> None:
    feed = Feed(log_of(2))
    feed.threads.watch("one")
    feed.load()
    feed.follow(10_000)

    assert feed.threads.watch("two").view is None
    feed.load()
    feed.check(feed.threads.watch("two"))


def test_threads_that_nobody_asks_for_are_forgotten_and_found_again() -> None:
    feed = Feed(log_of(3), threads_max=2)
    used = feed.threads.watch("one")
    with used.in_use():
        feed.threads.watch("two")
        feed.load()
        feed.follow(10_000)
        feed.threads.watch("three")
        feed.threads.watch("four")

        assert feed.threads.get("one") is used
        assert feed.threads.get("two") is None
        again = feed.threads.watch("two")
        assert again.view is None
        feed.load()
        feed.check(again)
        feed.check(used)


def test_more_partitions_start_everything_anew() -> None:
    feed = Feed(log_of(4))
    watch = feed.threads.watch("one")
    feed.load()
    version = watch.version

    feed.threads.place_all(7)

    assert watch.view is None
    assert watch.version > version
    assert not feed.threads.partitions
    assert feed.threads.without_view() == [watch]


def test_a_record_that_can_not_be_read_spoils_its_own_thread_only() -> None:
    records = log_of(5)
    strange = Record(len(records), b"one\x1fnew", b'{"version":9}', records[-1].headers)
    feed = Feed([*records, strange])
    one, two = feed.threads.watch("one"), feed.threads.watch("two")
    feed.load()
    feed.follow(10_000)

    assert one.unreadable
    assert one.view is None
    feed.records.pop()
    feed.check(two)
