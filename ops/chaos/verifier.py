"""The verifier: reads only topics, recomputes everything, and says what doesn't agree.

It knows nothing of the workers. What one undisturbed worker would have built is computed from the conversations topic
in one pass; what a reader of the other topics sees must be the same, byte for byte. Of the partition in which others
than workers write to these topics, too, it only looks at what was said.
"""

import json
from collections import Counter
from dataclasses import dataclass, field

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from ops.chaos.publishers import NUMBER_HEADER
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.temporal import AFTER_CHUNK, CALL, next_timer
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.decoder import decoder
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, Head, id_hash
from tailrace.schemas.records.dead_letter import ERROR_HEADERS, OFFSET_HEADER, TOPIC_HEADER, DeadLetter
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, SUMMARY_TYPE, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.settings.settings import Settings

_SHOWN = 20


class _Answer(Struct, frozen=True):
    """What every answer of a model says, whatever became of the request."""

    request_id: str


_decode_answer = decoder(_Answer)
#: Topics that say what was done, beside the contexts themselves.
_DESCRIBING = (Topic.DISTILLATIONS, Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.WORK, Topic.DLQ)


@dataclass(slots=True)
class Report:
    """What was found. `problems` is empty where all is well."""

    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def expect(self, what: str, *, found: object, wanted: object) -> None:
        """Note a problem where the two differ."""
        if found != wanted:
            self.problems.append(f"{what}: found {str(found)[:200]}, wanted {str(wanted)[:200]}")

    def __str__(self) -> str:
        """List counts, and the first problems."""
        lines = [f"  {name}: {count}" for name, count in sorted(self.counts.items())]
        lines += [f"  PROBLEM {problem}" for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            lines.append(f"  ... and {len(self.problems) - _SHOWN} more problems")
        return "\n".join(lines)


async def verify(settings: Settings, rules: Engine, *, published: int, without: int) -> Report:
    """Compare what the topics hold with what they must hold, in all partitions but `without`."""
    report = Report()
    numbers: list[int] = []
    for partition in range(settings.topics.partitions):
        said = await _read(settings, Topic.CONVERSATIONS, partition)
        numbers += [int(value) for record in said for name, value in record.headers if name == NUMBER_HEADER]
        if partition == without:
            report.counts["events beside which all topics were fuzzed"] = len(said)
            continue
        others = (Topic.CONTEXTS, Topic.SUMMARIES, *_DESCRIBING)
        logs = {topic: await _read(settings, topic, partition) for topic in others}
        _verify_partition({**logs, Topic.CONVERSATIONS: said}, rules, report)
    report.expect("numbers of published records", found=sorted(numbers), wanted=list(range(published)))
    return report


async def waiting_threads(settings: Settings, rules: Engine, *, without: int) -> int:
    """How many threads wait for a timer, by what the contexts topic says now, in all partitions but `without`."""
    waiting = 0
    for partition in set(range(settings.topics.partitions)) - {without}:
        view = PartitionView()
        for record in await _read(settings, Topic.CONTEXTS, partition):
            view.apply_record(record.key, record.value, record.headers)
        waiting += sum(next_timer(thread, rules.policy.triggers) is not None for thread in view.threads.values())
    return waiting


async def _read(settings: Settings, topic: Topic, partition: int) -> list[ConsumerRecord]:
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        wanted = [TopicPartition(settings.topic(topic), partition)]
        return [record async for _, records in read_to_end(reader, wanted) for record in records]


def _verify_partition(logs: dict[Topic, list[ConsumerRecord]], rules: Engine, report: Report) -> None:
    expected, emitted = _undisturbed(logs[Topic.CONVERSATIONS], rules, report)
    seen = PartitionView()
    for record in logs[Topic.CONTEXTS]:
        if seen.apply_record(record.key, record.value, record.headers) is None:
            report.counts["late writes of a former owner, ignored"] += 1
    report.counts["contexts records"] += len(logs[Topic.CONTEXTS])
    report.expect("threads", found=sorted(seen.threads), wanted=sorted(expected.threads))
    for name, wanted in expected.threads.items():
        if name in seen.threads:
            _verify_thread(name, seen.threads[name], wanted, report)
    _verify_emissions(logs, emitted, report)
    _verify_answers(logs, report)


def _undisturbed(
    log: list[ConsumerRecord], rules: Engine, report: Report
) -> tuple[PartitionView, dict[Topic, dict[object, bytes | None]]]:
    """What one worker that nothing ever happens to makes of the log."""
    view = PartitionView()
    emitted: dict[Topic, dict[object, bytes | None]] = {topic: {} for topic in _DESCRIBING}
    for record in log:
        outcome = process(view, input_record(record), rules)
        # Ticks come from the workers themselves; that two of them send the same one must have no effect.
        timer = _timer_of(record)
        report.counts["ticks" if timer else "events"] += 1
        kind = "summary" if dict(record.headers).get("ce_type") == SUMMARY_TYPE.encode() else outcome.signal
        if kind is not None and timer is None:
            report.counts[f"{kind}: {outcome.result}"] += 1
        report.counts[f"ticks that counted: {timer}" if timer and outcome.result == "noted" else outcome.result] += 1
        for emission in outcome.written:
            output = encode(emission, 1)
            match emission:
                case CompactionRecord() | LifecycleEvent() | Distillation() | WorkRequest():
                    if isinstance(emission, CompactionRecord):
                        report.counts[f"compactions: {emission.trigger}, {_name_of(emission.rule or '')}"] += 1
                    emitted[output.topic][(emission.thread, emission.id)] = output.value
                case DeadLetter():
                    emitted[Topic.DLQ][emission.topic, emission.offset] = output.value
                    report.counts[f"dead letters: {emission.code}"] += 1
                case _:
                    pass
    return view, emitted


def _timer_of(record: ConsumerRecord) -> str | None:
    """Name of the timer that a tick of a worker is about; None for every other record."""
    headers = dict(record.headers)
    if headers.get("ce_type") != SIGNAL_TYPE.encode() or not headers.get("ce_id", b"").startswith(b"tick:"):
        return None
    return _name_of(str(json.loads(record.value)["timer"]))


def _name_of(timer: str) -> str:
    """A timer without the call or the group that it is about."""
    return next((name.strip() for name in (CALL, AFTER_CHUNK) if timer.startswith(name)), timer)


def _verify_thread(name: str, seen: ThreadView, wanted: ThreadView, report: Report) -> None:
    found = [(entry.id, entry.rank, entry.tokens, bytes(entry.message)) for entry in seen.live()]
    right = [(entry.id, entry.rank, entry.tokens, bytes(entry.message)) for entry in wanted.live()]
    report.expect(f"{name}: context", found=found, wanted=right)
    report.expect(f"{name}: head", found=_head(seen), wanted=_head(wanted))
    report.expect(f"{name}: totals", found=seen.totals, wanted=wanted.totals)
    report.expect(f"{name}: covers", found=seen.covers, wanted=wanted.covers)
    report.expect(f"{name}: ids that left", found=seen.departed, wanted=wanted.departed)
    # None twice and none lost, by a count that doesn't come from the agents; what stands for others was not said.
    said = [entry for entry in seen.live() if not entry.id.startswith(DERIVED_ID_PREFIX)]
    ids = {entry.id for entry in said}
    both = [one for one in ids if id_hash(one) in seen.departed]
    report.expect(f"{name}: live and gone at once", found=both, wanted=[])
    report.expect(f"{name}: messages", found=len(ids) + len(seen.departed), wanted=seen.totals.messages)
    offsets = [entry.offset for entry in said if not entry.answers]
    report.expect(f"{name}: order", found=offsets, wanted=sorted(offsets))
    calls: set[str] = set()
    for entry in seen.live():
        report.expect(f"{name}: orphans", found=[one for one in entry.answers if one not in calls], wanted=[])
        calls.update(entry.calls)
    report.counts["threads"] += 1
    report.counts["live messages"] += len(ids)
    report.counts["live stubs, pointers and summaries"] += len(seen.entries) - len(ids)
    report.counts["compactions"] += seen.totals.compactions


def _head(view: ThreadView) -> Head | None:
    return view.head


def _verify_emissions(
    logs: dict[Topic, list[ConsumerRecord]], emitted: dict[Topic, dict[object, bytes | None]], report: Report
) -> None:
    for topic in _DESCRIBING:
        found: dict[object, bytes | None] = {}
        for record in logs[topic]:
            headers = dict(record.headers)
            if topic is Topic.DLQ:
                missing = [name for name in ERROR_HEADERS if name not in headers]
                report.expect(f"dead letter {record.offset}: headers missing", found=missing, wanted=[])
                key: object = (headers[TOPIC_HEADER].decode(), int(headers[OFFSET_HEADER]))
            else:
                key = (record.key.decode(), headers["ce_id"].decode())
            if key in found:
                report.counts[f"{topic}: written again"] += 1
                report.expect(f"{topic} {key}: written again", found=record.value, wanted=found[key])
            found[key] = record.value
        report.expect(f"{topic}: ids", found=sorted(map(str, found)), wanted=sorted(map(str, emitted[topic])))
        for key, value in found.items():
            report.expect(f"{topic} {key}", found=value, wanted=emitted[topic].get(key))


def _verify_answers(logs: dict[Topic, list[ConsumerRecord]], report: Report) -> None:
    """Every request has an answer, and every summary came back to its thread."""
    asked = {dict(record.headers)["ce_id"].decode() for record in logs[Topic.WORK]}
    answered = {_decode_answer(record.value).request_id for record in logs[Topic.SUMMARIES]}
    report.expect("requests without an answer", found=sorted(asked - answered), wanted=[])
    finished, returned = (_summaries(logs[topic]) for topic in (Topic.SUMMARIES, Topic.CONVERSATIONS))
    report.expect("summaries that did not come back", found=sorted(finished - returned), wanted=[])
    report.counts["summaries"] += len(finished)
    report.counts["summaries refused by the role"] += len(logs[Topic.SUMMARIES]) - len(finished)


def _summaries(log: list[ConsumerRecord]) -> set[bytes]:
    """Ids of the summaries in a log."""
    headers = [dict(record.headers) for record in log]
    return {one.get("ce_id", b"") for one in headers if one.get("ce_type") == SUMMARY_TYPE.encode()}
