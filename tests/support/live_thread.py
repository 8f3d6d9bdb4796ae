"""A thread for tests that is told things and gets signals, by a clock of its own.

A message costs as many tokens as it has words.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from support.conversations import Published
from support.signal_moves import raw_signal, signal, tick

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.triggers.temporal import Timer, timers_of
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Head, Standing
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart
from tailrace.schemas.records.signal import AnySignal

NAME = "thread"
BEGIN_MS = 1_000_000
WINDOWS = {"small": 400, "large": 4_000}


def count_words(message: Message, _model: str | None = None) -> int:
    """Words of what is said and of tool results; calls cost one."""
    texts = [
        part.content if isinstance(part, TextPart) else response_text(part.response)
        for part in message.parts
        if isinstance(part, TextPart | ToolCallResponsePart)
    ]
    return max(1, sum(len(text.split()) for text in texts))


def policy_with(triggers: Triggers | None = None, **fields: Any) -> Policy:
    """A limit of 1,000 tokens, the upper mark at 850, the lower one at 600."""
    bare = {"output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0, "scope": "total"}
    return Policy(**{**bare, "default_window_tokens": 1_000, "triggers": triggers or Triggers(), **fields})


class LiveThread:
    """One thread of one partition."""

    def __init__(
        self, policy: Policy | None = None, *, word_tokens: int = 1, count: Callable[[Message], int] = count_words
    ) -> None:
        self.policy = policy or policy_with()
        windows = self.policy.default_window_tokens
        self.rules = Engine(
            policy=self.policy,
            count_tokens=lambda message, _model: word_tokens * count(message),
            catalogue=lambda model: WINDOWS.get(model, windows),
        )
        self.partition = PartitionView()
        self.now_ms = BEGIN_MS
        self.offset = -1

    @property
    def view(self) -> ThreadView:
        """What is known of the thread."""
        return self.partition.threads[NAME]

    @property
    def standing(self) -> Standing:
        """What triggers remember of it."""
        return self.view.standing

    @property
    def texts(self) -> list[str]:
        """What the context says, message by message."""
        return [str([getattr(p, "content", getattr(p, "response", "")) for p in m.parts]) for m in self.view.messages()]

    def publish(self, published: Published, *, later_ms: int = 1) -> RecordOutcome:
        """Process a record that the broker takes so much later."""
        self.offset += 1
        self.now_ms += later_ms
        record = InputRecord(
            topic="conversations",
            partition=0,
            offset=self.offset,
            timestamp_ms=self.now_ms,
            key=published.key,
            value=published.value,
            headers=published.headers,
        )
        return process(self.partition, record, self.rules)

    def say(self, words: int, role: str = "user", *, later_ms: int = 1, **fields: Any) -> RecordOutcome:
        """Somebody says something."""
        return self.publish(self._message({"role": role, "content": _words(words)}, **fields), later_ms=later_ms)

    def talk(self, turns: int, words: int = 100) -> None:
        """A user and a model speak in turn, so many words each."""
        for _ in range(turns):
            self.say(words)
            self.say(words, "assistant")

    def call(self, *call_ids: str, later_ms: int = 1) -> RecordOutcome:
        """A model calls tools."""
        functions = [
            {"id": call_id, "type": "function", "function": {"name": "look", "arguments": "{}"}} for call_id in call_ids
        ]
        message = {"role": "assistant", "content": None, "tool_calls": functions}
        return self.publish(self._message(message), later_ms=later_ms)

    def answer(self, call_id: str, content: str = "found it", *, message_id: str | None = None) -> RecordOutcome:
        """A tool answers."""
        fields = {"id": message_id} if message_id else {}
        return self.publish(self._message({"role": "tool", "tool_call_id": call_id, "content": content}, **fields))

    def send(
        self, what: AnySignal, signal_id: str | None = None, *, later_ms: int = 1, tenant: str = DEFAULT_TENANT
    ) -> RecordOutcome:
        """Somebody sends a signal."""
        return self.publish(signal(what, signal_id or f"s{self.offset}", NAME, tenant), later_ms=later_ms)

    def send_raw(self, data: Any) -> RecordOutcome:
        """Somebody sends what claims to be a signal."""
        return self.publish(raw_signal(data, f"s{self.offset}", NAME))

    def timers(self) -> dict[str, int]:
        """When each timer is due, by name."""
        return {timer.name: timer.due_ms for timer in timers_of(self.view, self.policy.triggers)}

    def tick(self, name: str, *, late_ms: int = 0) -> RecordOutcome:
        """A worker sends the tick of a timer once it is due."""
        timer = Timer(name, self.timers()[name])
        self.now_ms = max(self.now_ms, timer.due_ms + late_ms - 1)
        return self.publish(tick(timer, NAME))

    def _message(self, message: dict[str, Any], **fields: Any) -> Published:
        value = {"id": f"m{self.offset}", "native": message, "format": "openai.chat", **fields}
        return Published(NAME.encode(), json.dumps(value).encode())


def _words(count: int) -> str:
    return " ".join(["word"] * count)


def audit(outcome: RecordOutcome) -> list[LifecycleEvent]:
    """What the audit says of an event."""
    return [one for one in outcome.emissions if isinstance(one, LifecycleEvent)]


def kinds(outcome: RecordOutcome) -> set[LifecycleKind]:
    """Kinds of what the audit says."""
    return {one.kind for one in audit(outcome)}


def reasons(outcome: RecordOutcome) -> str:
    """Reasons that the audit gives."""
    return "; ".join(one.reason for one in audit(outcome) if one.reason)


def compactions(outcomes: RecordOutcome | Sequence[RecordOutcome]) -> list[CompactionRecord]:
    """Compactions that events caused."""
    listed = [outcomes] if isinstance(outcomes, RecordOutcome) else outcomes
    return [one for outcome in listed for one in outcome.emissions if isinstance(one, CompactionRecord)]


def refused(outcome: RecordOutcome) -> str:
    """Why a signal was refused; it must have been, and nothing else may have happened."""
    assert outcome.result == "refused"
    line, *rest = outcome.emissions
    assert isinstance(line, LifecycleEvent)
    assert all(isinstance(one, Head) for one in rest)
    assert line.kind is LifecycleKind.REFUSED
    assert line.reason
    return line.reason


def overtaken(outcome: RecordOutcome) -> bool:
    """Tell whether a tick came too late, and nobody heard of it."""
    return outcome.result == "overtaken" and not outcome.emissions


def talked(policy_triggers: Triggers | None = None, *, turns: int = 4, **fields: object) -> LiveThread:
    """A thread of 200 tokens for each turn, within its budget."""
    thread = LiveThread(policy_with(policy_triggers, **fields))
    thread.talk(turns)
    return thread
