"""Records that nobody should write: real ones of every kind with something wrong in them, the same for the same number.

What is wrong is anywhere: in the value, as bytes or as JSON, in the key, in the headers. So most get past the first
look, and are refused, or taken, deep inside of who reads them.
"""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from aiokafka.structs import ConsumerRecord

from ops.chaos.load import Load, conversations
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.context import ChunkMark, HeldCandidates, ReadySummary
from tailrace.schemas.records.dead_letter import DeadLetter, Headers
from tailrace.schemas.records.kafka_records import (
    InputRecord,
    OutputRecord,
    Topic,
    answer_records,
    decode_work,
    encode,
    signal_record,
)
from tailrace.schemas.records.ledger import Directive, DirectiveKind
from tailrace.schemas.records.signal import (
    Announce,
    AnySignal,
    CallEnded,
    CallStarted,
    Compact,
    Overflow,
    SubagentFinished,
    SwitchModel,
    Tick,
)
from tailrace.schemas.records.summary import (
    ChunkSummary,
    ModelCall,
    StructuredSummary,
    SummaryClaim,
    SummaryKey,
    SummaryRejection,
    UnansweredRequest,
)
from tailrace.schemas.records.work import WorkKind
from tailrace.streams.models.counters import DEFAULT_ENCODING, exact_counter

#: The thread that all of them are about, where they are about one.
THREAD = "thread"
#: What stands in the place of a value of JSON: numbers that nothing can hold, texts that are none, other shapes.
_ODD: tuple[str, ...] = (
    "null", "true", "0", "-1", "0.5", "-0", "1e308", "1e999", "9223372036854775808", "-9223372036854775809",
    "123456789012345678901234567890", "9" * 400, "NaN", '""', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u001f"',
    '"' + "x" * 3000 + '"', '"1"', '"user"', "[]", "{}", "[[]]", '[{"type":"text"}]', '{"a":1}', '"a\\u001fb"',
    "[" * 300 + "]" * 300, '{"a":' * 5000, "[" * 100_000, '{"a":' * 180 + "1" + "}" * 180, '{"version":99}',
)  # fmt: skip
_BYTES: tuple[bytes | None, ...] = (
    None, b"", b"\x00", b"\xff\xfe", b"no JSON", b"{", b"[]", b"null", b"\xef\xbb\xbf{}", b'{"a":' * 5000,
    b"[" * 100_000, b'{"a":' * 190 + b"1" + b"}" * 190, b'"\\ud800"', b"1" * 5000, b'{"a":1}{"a":1}', b" " * 5000,
)  # fmt: skip
_KEYS: tuple[bytes | None, ...] = (
    None, b"", b"thread", b"other", b"\xff", b"\x1f", b"thread\x1f", b"thread\x1f\x1fsummary\x1fa",
    b"thread\x1f\x1fchunk", b"thread\x1f\x1fcandidates", b"thread\x1f\x1fdeparted\x1f1", b"thread\x1f\x1fnobody",
    b"thread\x1f\xff", b"k" * 300,
)  # fmt: skip
#: Times are whatever a producer says.
_MOMENTS: tuple[int, ...] = (-1, 0, 2**63 - 1, 2**62, 253_402_300_800_000, 2**53)
_HEADER_VALUES: tuple[bytes | None, ...] = (
    None,
    b"",
    b"\xff",
    b"1",
    b"-1",
    b"9" * 5000,
    b"9" * 17,
    b"\xc2\xb2",
    b"x" * 2000,
)


def fuzzed(topic: Topic, number: int) -> ConsumerRecord:
    """Return record `number` of a topic, of any kind that there is."""
    chance = Random(f"{topic}-{number}")
    # Mostly what belongs to the topic, or it would be refused by its type alone.
    kinds = (_by_type(topic) if chance.random() < 0.8 else None) or _by_type(None)
    record = chance.choice(kinds[chance.randrange(len(kinds))])
    key, value, headers = record.key, record.value, record.headers
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        what = chance.random()
        if what < 0.75:
            value = spoiled(value, chance)
        elif what < 0.85:
            key = chance.choice(_KEYS)
        else:
            headers = _spoiled_headers(headers, chance)
    made = consumer_record(topic, number, key, value, headers)
    return replace(made, timestamp=chance.choice(_MOMENTS)) if chance.random() < 0.1 else made


@cache
def _by_type(topic: Topic | None) -> list[list[OutputRecord]]:
    """The records of a topic, or all, those of one type together.

    A type of which there are few is as likely as any other.
    """
    kinds: dict[bytes | None, list[OutputRecord]] = {}
    for one in real_records():
        if topic in {None, one.topic}:
            kinds.setdefault(dict(one.headers).get("ce_type"), []).append(one)
    return list(kinds.values())


def consumer_record(
    topic: Topic, offset: int, key: bytes | None, value: bytes | None, headers: Headers
) -> ConsumerRecord:
    """Return a record as aiokafka reads it."""
    return ConsumerRecord(
        topic=f"tailrace.{topic}",
        partition=0,
        offset=offset,
        timestamp=1_700_000_000_000 + offset,
        timestamp_type=0,
        key=key,
        value=value,
        checksum=None,
        serialized_key_size=-1,
        serialized_value_size=-1,
        headers=headers,
    )


@cache
def real_records() -> Sequence[OutputRecord]:
    """Return records of every type that we write or read, as they are where nothing is wrong."""
    return [*_of_a_conversation(), *_answers(), *_signals()]


def _of_a_conversation() -> Iterator[OutputRecord]:
    partition = PartitionView()
    for offset, load in enumerate(_loads()):
        headers = load.headers if offset % 2 else ()
        yield OutputRecord(Topic.CONVERSATIONS, THREAD.encode(), load.value, headers)
        for emission in process(partition, _input(load, offset), _rules()).written:
            yield encode(emission, 3)
    yield encode(_refused(partition), 3)
    span = SpanReference(ids=(f"{THREAD}-1",), first_turn=1, last_turn=1)
    ready = ReadySummary(
        version=1, thread=THREAD, id="s1", kind=WorkKind.SUMMARIZE, span=span, text="short", model="m", offset=7
    )
    directive = Directive(kind=DirectiveKind.STATEMENT, text="No jam.", source=f"{THREAD}-1")
    held = HeldCandidates(version=1, thread=THREAD, directives=(directive,))
    changes = (ready, ChunkMark(version=1, thread=THREAD, next_group=2), held)
    yield from (encode(one, 3) for one in changes)


def _loads() -> list[Load]:
    """Sixty records of a thread, then a tool output that is distilled."""
    log = "\n".join(f"{number} rows of gauge {number} were copied" for number in range(400))
    function = {"name": "copy", "arguments": "{}"}
    calls = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }
    last = (calls, {"role": "tool", "tool_call_id": "c", "content": log})
    return [
        *conversations(events=60, threads=(THREAD,), seed=5),
        *(Load(THREAD, json.dumps(message).encode()) for message in last),
    ]


def _input(load: Load, offset: int) -> InputRecord:
    return InputRecord(
        topic="tailrace.conversations",
        partition=0,
        offset=offset,
        timestamp_ms=1_700_000_000_000 + offset,
        key=load.thread.encode(),
        value=load.value,
        headers=load.headers,
    )


@cache
def _rules() -> Engine:
    """Rules under which sixty records are compacted and summarised several times."""
    policy = Policy(
        default_window_tokens=900,
        output_reserve_tokens=0,
        safety_tokens=0,
        rehydration_reserve_tokens=0,
        chunks=Chunks(enabled=True, tokens_min=60, tokens_max=200),
    )
    counter = exact_counter(DEFAULT_ENCODING)
    return Engine(
        policy=policy,
        count_tokens=lambda message, _model: count_message(message, counter),
        catalogue=lambda _model: 900,
    )


def _refused(partition: PartitionView) -> DeadLetter:
    (letter,) = process(partition, _input(Load("t", b"no JSON"), 999), _rules()).written
    assert isinstance(letter, DeadLetter)
    return letter


def _answers() -> Iterator[OutputRecord]:
    asked = next(decode_work(one.value) for one in _of_a_conversation() if one.topic is Topic.WORK)
    call = ModelCall(id="c1", provider="openai", model="gpt-4o-mini", at_ms=5, input_tokens=9, output_tokens=3)
    about: dict[str, Any] = {
        "version": 1,
        "id": "a1",
        "kind": asked.kind,
        "thread": THREAD,
        "tenant": "default",
        "request_id": asked.id,
    }
    made: dict[str, Any] = {"created_by": "test", "created_at_ms": 9, "calls": (call,)}
    key = SummaryKey(content_hash="h", schema_version=1, policy_version="p", model="openai/m", prompt_version="1")
    read: dict[str, Any] = {"span": asked.span, "key": key}
    claims = StructuredSummary(facts=(SummaryClaim(text="Gauge 40 was copied.", events=("plan",)),))
    yield from answer_records(
        ChunkSummary(**about, **made, **read, summary=claims, text="t", tokens=3, source_tokens=9)
    )
    yield from answer_records(SummaryRejection(**about, **made, **read, reason="it says nothing"))
    yield from answer_records(UnansweredRequest(**about, **made))


def _signals() -> Iterator[OutputRecord]:
    signals: tuple[AnySignal, ...] = (
        Compact(reason="now"),
        Announce(tokens=50),
        Overflow(window_tokens=400, epoch=1),
        SwitchModel(model="small"),
        CallStarted(call="c"),
        CallEnded(call="c"),
        SubagentFinished(child="helper"),
        Tick(timer="idle", due_ms=5),
    )
    for number, one in enumerate(signals):
        yield signal_record(one, thread=THREAD, tenant="default", signal_id=f"s{number}")


def spoiled(value: bytes | None, chance: Random) -> bytes | None:
    """Return the value with something wrong in it, as bytes or as JSON."""
    if not value:
        return chance.choice(_BYTES)
    kind = chance.random()
    if kind < 0.15:
        return chance.choice(_BYTES)
    place = chance.randrange(len(value))
    if kind < 0.25:
        return value[:place]
    if kind < 0.4:
        return (
            value[:place]
            + chance.choice((b"\x00", b"\xff", b'"', b"{", b"}", b"9" * 40, b"\\u0000"))
            + value[place + 1 :]
        )
    return _with_odd_leaf(value, chance)


def _with_odd_leaf(value: bytes, chance: Random) -> bytes | None:
    """The same JSON with another value somewhere, or without it."""
    try:
        data = json.loads(value)
    except ValueError:
        return chance.choice(_BYTES)
    except RecursionError:
        return value
    places = list(_places(data)) if isinstance(data, dict | list) else []
    if not places:
        return chance.choice(_ODD).encode()
    parent, name = chance.choice(places)
    if chance.random() < 0.15:
        del parent[name]
        return json.dumps(data).encode()
    mark = f"odd-{chance.randrange(10**9)}"
    parent[name] = mark
    return json.dumps(data).replace(f'"{mark}"', chance.choice(_ODD)).encode()


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a value in JSON, the nearer ones first."""
    waiting = deque([data])
    while waiting:
        parent = waiting.popleft()
        children = parent.items() if isinstance(parent, dict) else enumerate(parent)
        for name, child in list(children):
            yield parent, name
            if isinstance(child, dict | list):
                waiting.append(child)


def _spoiled_headers(headers: Headers, chance: Random) -> Headers:
    if not headers or chance.random() < 0.2:
        return chance.choice(
            ((), (("ce_term", b"4"),), (("ce_type", None),), (("ce_type", b"\xff"), ("ce_term", b"4")))
        )
    place = chance.randrange(len(headers))
    name, _ = headers[place]
    changed = (chance.choice((name, name, name.upper(), "ce_", "")), chance.choice(_HEADER_VALUES))
    if chance.random() < 0.2:
        return (*headers, changed)
    return (*headers[:place], *(() if chance.random() < 0.2 else (changed,)), *headers[place + 1 :])


#: Every type that a record of ours can have.
FUZZED_TYPES = frozenset(dict(one.headers).get("ce_type") for one in real_records()) - {None}
