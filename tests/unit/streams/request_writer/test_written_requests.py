"""What the topic of whole requests gets: the newest state of a thread, once, and nothing that it has already."""

import json
from collections.abc import Iterator

import msgspec
from aiokafka.structs import ConsumerRecord
from support.conversations import small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import InputRecord, Topic, encode
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.request_record import RequestRecord
from tailrace.streams.request_writer.written_requests import WrittenRequests

ENGINE = small_engine(Policy(window_tokens=100_000))


class Contexts:
    """What a worker writes of a conversation."""

    def __init__(self) -> None:
        self.view = PartitionView()
        self.said = 0

    def say(self, thread: str, text: str) -> Iterator[ConsumerRecord]:
        value = msgspec.json.encode({"role": "user", "content": text})
        said = InputRecord(
            topic="c", partition=0, offset=self.said, timestamp_ms=self.said, key=thread.encode(), value=value
        )
        self.said += 1
        for emission in process(self.view, said, ENGINE).written:
            record = encode(emission, 1)
            if record.topic is Topic.CONTEXTS:
                yield consumed(record.key, record.value, record.headers)


def consumed(key: bytes | None, value: bytes | None, headers: object = ()) -> ConsumerRecord:
    return ConsumerRecord("t", 0, 0, 0, 0, key, value, None, 0, 0, tuple(headers))


def written(format: Format = Format.OPENAI_CHAT) -> WrittenRequests:  # noqa: A002  the name that the records have
    return WrittenRequests(ENGINE.policy, format)


def due(requests: WrittenRequests) -> dict[str, RequestRecord]:
    return {thread: msgspec.json.decode(value, type=RequestRecord) for thread, value in requests.due()}


def test_many_changes_are_one_record_with_the_newest_state() -> None:
    contexts, requests = Contexts(), written()
    for text in ("Hello", "And then?"):
        for record in contexts.say("t1", text):
            requests.take(record)

    (record,) = due(requests).values()

    assert [message["content"] for message in record.request["messages"]] == ["Hello", "And then?"]
    assert record.covers_through is not None
    assert (record.covers_through.offset, record.problem, record.tokens > 0) == (1, None, True)
    assert due(requests) == {}


def test_only_threads_that_have_changed_are_written() -> None:
    contexts, requests = Contexts(), written(Format.ANTHROPIC_MESSAGES)
    for thread in ("t1", "t2"):
        for record in contexts.say(thread, "Hello"):
            requests.take(record)
    assert set(due(requests)) == {"t1", "t2"}

    for record in contexts.say("t2", "And then?"):
        requests.take(record)

    assert set(due(requests)) == {"t2"}


def test_what_the_topic_has_is_not_written_again() -> None:
    contexts, first, second = Contexts(), written(), written()
    records = [*contexts.say("t1", "Hello"), *contexts.say("t2", "Hello")]
    for record in records:
        first.take(record)
    ((thread, value), _) = first.due()

    second.note_written(consumed(thread.encode(), value))
    for record in records:
        second.take(record)

    assert set(due(second)) == {"t2"}


def test_what_a_provider_would_refuse_says_so() -> None:
    contexts, requests = Contexts(), written()
    for record in contexts.say("t1", "Hello. " * 200):
        head = json.loads(record.value or b"{}")
        if "limit_tokens" in head:
            head["limit_tokens"] = 20
            record = consumed(record.key, json.dumps(head).encode(), record.headers)  # noqa: PLW2901
        requests.take(record)

    (record,) = due(requests).values()

    assert record.tokens > record.limit_tokens == 20
    assert "20" in (record.problem or "")
    assert record.request["messages"]
