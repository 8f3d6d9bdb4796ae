"""Topics in memory: as on a broker, without one."""

from support.conversations import small_engine

from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.kafka_records import OutputRecord, Topic, encode
from tailrace.streams.worker.memory import MemoryLog, run_undisturbed

HELLO = b'{"role": "user", "content": "hello"}'


def test_offsets_count_from_zero_in_each_partition() -> None:
    log = MemoryLog(partitions=4)
    records = [log.publish(f"thread-{number % 7}".encode(), HELLO) for number in range(40)]
    assert {record.partition for record in records} > {0}
    for partition in log.partitions:
        assert [record.offset for record in log.published(partition)] == list(range(len(log.published(partition))))


def test_a_thread_stays_on_the_partition_that_kafka_clients_choose() -> None:
    log = MemoryLog(partitions=8)
    # Hashes that Kafka's own tests give for murmur2, with the sign bit off.
    hashes = {b"21": -973932308, b"foobar": -790332482, b"a-little-bit-long-string": -985981536}
    for key, hashed in hashes.items():
        assert log.publish(key, HELLO).partition == (hashed & 0x7FFFFFFF) % 8


async def test_records_are_there_when_their_delivery_was_awaited() -> None:
    log = MemoryLog()
    record = OutputRecord(Topic.LIFECYCLE, b"t", b"{}", ())
    delivery = await log.send([(0, record)])
    assert not log.written(Topic.LIFECYCLE, 0)
    await delivery
    assert log.written(Topic.LIFECYCLE, 0) == [record]


def test_what_a_worker_builds_can_be_looked_at_without_a_broker() -> None:
    log = MemoryLog()
    log.publish(b"t", HELLO)
    log.publish(b"t", b'{"role": "assistant", "content": "hi"}')
    view = run_undisturbed(log, small_engine())[0].threads["t"]
    assert [message.role for message in view.messages()] == ["user", "assistant"]
    entries = [encode(entry, 1) for entry in view.entries.values() if isinstance(entry, Entry)]
    assert set(entries) <= set(log.written(Topic.CONTEXTS, 0))
