"""A thread in which tools answer.

Large outputs, artifacts in memory, and a worker that may die between any two records.
"""

import hashlib
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from support.conversations import Published
from support.drafts import count

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.lookups import NOTHING, Contents
from tailrace.agents.engine.partition import New, Pending, RecordOutcome, decide, read
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.recall_documents import SaidThread
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Distill
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.kafka_records import ContextChange, Emission, OutputRecord, Stored, Topic, encode
from tailrace.schemas.records.recall import RecallDocument
from tailrace.streams.artifacts.access import merged, range_within, visible
from tailrace.streams.artifacts.shelf import ArtifactShelf

Kind = TypeVar("Kind")
Result = TypeVar("Result")

THREAD = "thread"
#: Room for a few dozen outputs, counted by words; no reserve but that for what is brought back.
POLICY = Policy(
    default_window_tokens=10_000,
    output_reserve_tokens=0,
    safety_tokens=0,
    rehydration_reserve_tokens=200,
    distill=Distill(tokens_min=100, fraction_min=0.001, tokens_max=400),
)


def tool_engine(policy: Policy = POLICY) -> Engine:
    """The policy, with words for tokens."""
    window_tokens = policy.default_window_tokens
    return Engine(policy=policy, count_tokens=count, catalogue=lambda _model: window_tokens)


def lines(number: int, stem: str = "gauge") -> str:
    """An output of so many lines, six words each, all of them different."""
    return "\n".join(f"{stem} {place} stands at {place * 37 % 1009} centimetres" for place in range(number))


class MemoryArtifacts:
    """An artifact store that forgets everything with the test.

    It keeps the rules of the real ones, by their own functions.
    """

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], tuple[Artifact, bytes]] = {}
        self.now_ms = 1_000

    async def store(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        for one in new:
            assert isinstance(one.content, bytes)
            fields = {name: getattr(one, name) for name in NewArtifact.__struct_fields__ if name != "content"}
            known = Artifact(
                version=1,
                tenant=context.tenant,
                size_bytes=len(one.content),
                sha256=hashlib.sha256(one.content).hexdigest(),
                **fields,
            )
            key = context.tenant, one.id
            self.kept[key] = (merged(self.kept[key][0], known) if key in self.kept else known), one.content

    async def metadata(self, context: SecurityContext, artifact_id: str) -> Artifact:
        found, _ = self.kept.get((context.tenant, artifact_id), (None, b""))
        return visible(context, artifact_id, found, self.now_ms)

    async def retrieve(
        self, context: SecurityContext, artifact_id: str, *, first_byte: int = 0, bytes_max: int | None = None
    ) -> bytes:
        await self.metadata(context, artifact_id)
        content = self.kept[context.tenant, artifact_id][1]
        span = range_within(len(content), first_byte, bytes_max)
        return content[span.start : span.stop]

    async def delete(self, context: SecurityContext, artifact_id: str) -> bool:
        await self.metadata(context, artifact_id)
        return self.kept.pop((context.tenant, artifact_id), None) is not None

    async def collect(self, now_ms: int, *, limit: int = 1000) -> int:
        over = [key for key, (known, _) in self.kept.items() if known.expired(now_ms)][:limit]
        for key in over:
            del self.kept[key]
        return len(over)

    async def reseal(self, *, limit: int = 100) -> int:
        return 0

    async def close(self) -> None:
        self.kept.clear()


def at_once(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of something that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    raise AssertionError("it waits")


@dataclass(slots=True)
class Talk:
    """A thread, its artifacts and everything that was written about it."""

    engine: Engine = field(default_factory=tool_engine)
    artifacts: MemoryArtifacts = field(default_factory=MemoryArtifacts)
    partition: PartitionView = field(default_factory=PartitionView)
    published: list[Published] = field(default_factory=list)
    records: list[OutputRecord] = field(default_factory=list)
    outcomes: list[RecordOutcome] = field(default_factory=list)

    @property
    def view(self) -> ThreadView:
        return self.partition.threads[THREAD]

    def say(self, role: str, content: Any, **fields: Any) -> RecordOutcome:
        """A message of one text."""
        return self.tell({"role": role, "parts": [{"type": "text", "content": content}]}, **fields)

    def call(self, *call_ids: str, tool: str = "look", arguments: Any = None, **fields: Any) -> RecordOutcome:
        """An assistant's message with these calls."""
        parts = [{"type": "tool_call", "id": one, "name": tool, "arguments": arguments or {}} for one in call_ids]
        return self.tell({"role": "assistant", "parts": parts}, **fields)

    def answer(self, responses: dict[str, Any], **fields: Any) -> RecordOutcome:
        """The answers to calls, in one message."""
        parts = [{"type": "tool_call_response", "id": one, "response": text} for one, text in responses.items()]
        return self.tell({"role": "tool", "parts": parts}, **fields)

    def use(self, response: Any, *, tool: str = "look", arguments: Any = None, **fields: Any) -> RecordOutcome:
        """A call and its answer, of which the outcome is returned."""
        call_id = f"call-{len(self.published)}"
        self.call(call_id, tool=tool, arguments=arguments)
        return self.answer({call_id: response}, **fields)

    def tell(self, message: dict[str, Any], **fields: Any) -> RecordOutcome:
        """Publish a message and process it."""
        value = {"id": f"m{len(self.published)}", "message": message, **fields}
        return self.take(Published(THREAD.encode(), json.dumps(value).encode()))

    def take(self, published: Published) -> RecordOutcome:
        """Process a record as a worker does to which nothing happens."""
        offset = len(self.published)
        self.published.append(published)
        outcome = self.process(offset)
        for emission in outcome.emissions:
            self.write(emission)
        self.outcomes.append(outcome)
        return outcome

    def process(self, offset: int) -> RecordOutcome:
        """The outcome of a record, applied to the view; nothing is written yet."""
        pending = read(self.partition, self.published[offset].at(offset), self.engine)
        return decide(self.partition, pending, self.engine, self.contents(pending))

    def contents(self, pending: Pending) -> Contents:
        shelf = ArtifactShelf(self.artifacts, self.engine.policy, now_ms=lambda: self.artifacts.now_ms)
        needs = pending.needs if isinstance(pending, New) else None
        return at_once(shelf.contents(needs)) if needs else NOTHING

    def documents(self) -> list[tuple[RecallDocument, ...]]:
        """What can be found of each record, told from the log alone."""
        thread = SaidThread()
        made: list[tuple[RecallDocument, ...]] = []
        for offset, (published, outcome) in enumerate(zip(self.published, self.outcomes, strict=True)):
            made.append(())
            pending = read(PartitionView(), published.at(offset), self.engine)
            if outcome.result == "appended" and isinstance(pending, New):
                claimed = self.contents(pending).claimed
                made[-1] = thread.documents(pending.incoming.counted.event, offset, claimed, self.engine.policy)
        return made

    def write(self, emission: Emission) -> None:
        """Store it, or send it."""
        if isinstance(emission, Stored):
            shelf = ArtifactShelf(self.artifacts, self.engine.policy, now_ms=lambda: self.artifacts.now_ms)
            at_once(shelf.keep([emission]))
        else:
            self.records.append(encode(emission, 1))

    def recovered(self) -> PartitionView:
        """The state that a reader of all records has."""
        partition = PartitionView()
        for record in self.records:
            if record.topic is Topic.CONTEXTS and record.key is not None:
                partition.apply_record(record.key, record.value, record.headers)
        return partition

    def fork(self) -> "Talk":
        """Another worker that has read all records and looks at the same store."""
        other = MemoryArtifacts()
        other.kept, other.now_ms = dict(self.artifacts.kept), self.artifacts.now_ms
        return Talk(self.engine, other, self.recovered(), list(self.published), list(self.records), list(self.outcomes))


def of_type(outcome: RecordOutcome, kind: type[Kind]) -> list[Kind]:
    """The emissions of one type."""
    return [one for one in outcome.emissions if isinstance(one, kind)]


def own_entry(outcome: RecordOutcome) -> Entry:
    """The entry of the message itself."""
    (entry,) = [one for one in of_type(outcome, Entry) if one.rank < 1 << 52 and not one.sources]
    return entry


def shown_text(entry: Entry) -> str:
    """Text of an entry of one part."""
    part = msgspec.json.decode(entry.message)["parts"][0]
    text: str = part["response"] if part["type"] == "tool_call_response" else part["content"]
    return text


def changes(outcome: RecordOutcome) -> list[Any]:
    """What the outcome writes to the contexts topic."""
    return [one for one in outcome.emissions if isinstance(one, ContextChange)]
