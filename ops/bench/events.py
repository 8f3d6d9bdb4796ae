"""Conversations to measure with: real ones from a file, our samples, or made up, all as records ready to publish."""

import io
import itertools
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, InputRecord
from tailrace.streams.demo.sample_conversations import load_samples

#: Threads that are alive at the same time: a conversation begins where another one has ended.
LIVE_THREADS = 64
_SEED = 20
#: Conversations that are long, as agents have them, compress with a window above the library's default.
_ZSTD_WINDOW_BYTES_MAX = 1 << 31

_encode_json = msgspec.json.Encoder().encode
_decode_json = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True)
class Publication:
    """One record of the conversations topic, before it is published."""

    event_id: str
    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...]

    def as_input(self, offset: int) -> InputRecord:
        """Return the record as a worker reads it."""
        return InputRecord(
            topic="conversations",
            partition=0,
            offset=offset,
            timestamp_ms=0,
            key=self.key,
            value=self.value,
            headers=self.headers,
        )


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages of one thread in OpenAI's or Anthropic's form, and the model that took part."""

    name: str
    model: str | None
    messages: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where conversations come from."""

    name: str
    conversations: tuple[Conversation, ...]

    @property
    def size(self) -> str:
        """What tells it from others without naming it: nobody else has the file."""
        messages = sum(len(conversation.messages) for conversation in self.conversations)
        return f"{len(self.conversations):,} conversations, {messages:,} messages"

    def publications(self, count: int) -> list[Publication]:
        """Return the first records of the stream; the same every time."""
        return list(itertools.islice(self.stream(), count))

    def stream(self) -> Iterator[Publication]:
        """Yield records without end: many threads at a time, each in its order.

        Where there are not enough conversations they begin again, as other threads.
        """
        return _interleaved(self._endless())

    def _endless(self) -> Iterator[Iterator[Publication]]:
        order = list(self.conversations)
        random.Random(_SEED).shuffle(order)
        for copy in itertools.count():
            yield from (_of_conversation(conversation, copy) for conversation in order)


def load(path: Path | None) -> Corpus:
    """Return the conversations of a file (JSON lines, each with `messages`; .zst is unpacked), or our samples."""
    if path is not None:
        return Corpus(path.name, tuple(_from_lines(path)))
    samples = load_samples()
    return Corpus("our samples", tuple(Conversation(one.thread, one.model, one.messages) for one in samples))


def made_up(*, conversations: int, messages: int) -> tuple[Conversation, ...]:
    """Return conversations of an agent that calls a tool in every turn; about 300 tokens a message."""
    chance = random.Random(_SEED)
    return tuple(
        Conversation(f"made-up-{number}", None, tuple(itertools.islice(_agent(chance), messages)))
        for number in range(conversations)
    )


def _from_lines(path: Path) -> Iterator[Conversation]:
    with path.open("rb") as file:
        source: Any = file
        if path.suffix == ".zst":
            source = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES_MAX).stream_reader(file)
        for number, line in enumerate(io.BufferedReader(source)):
            data = _decode_json(line)
            yield Conversation(str(data.get("id", number)), data.get("model"), tuple(data["messages"]))


def _interleaved(sources: Iterator[Iterator[Publication]]) -> Iterator[Publication]:
    live = list(itertools.islice(sources, LIVE_THREADS))
    while True:
        for place, source in enumerate(live):
            publication = next(source, None)
            while publication is None:
                live[place] = next(sources)
                publication = next(live[place], None)
            yield publication


def _of_conversation(conversation: Conversation, copy: int) -> Iterator[Publication]:
    thread = f"{conversation.name}-{copy}"
    return publish_as(thread, conversation.model, conversation.messages)


def publish_as(thread: str, model: str | None, messages: Iterable[dict[str, Any]]) -> Iterator[Publication]:
    """Yield messages as CloudEvents of a thread."""
    envelope = {} if model is None else {"model": model}
    for number, message in enumerate(messages):
        event_id = f"{thread}-{number}"
        yield Publication(
            event_id=event_id,
            key=thread.encode(),
            value=_encode_json({**envelope, "native": message}),
            headers=(
                ("ce_specversion", b"1.0"),
                ("ce_id", event_id.encode()),
                ("ce_source", b"/bench"),
                ("ce_type", MESSAGE_TYPE.encode()),
                ("content-type", b"application/json"),
            ),
        )


_WORDS = tuple(
    re.findall(
        r"\S+",
        "the gate at weir nine opens slowly when pressure falls below its mark because a sensor reports flow twice a "
        "second def level(self) -> float: return sum(readings) / len(readings) if readings else 0.0 # metres above "
        "the sill",
    )
)


def _agent(chance: random.Random) -> Iterator[dict[str, Any]]:
    def words(count: int) -> str:
        return " ".join(chance.choice(_WORDS) for _ in range(count))

    yield {"role": "system", "content": words(300)}
    for turn in itertools.count():
        call = {"id": f"call-{turn}", "type": "function", "function": {"name": "read", "arguments": '{"path":"weir"}'}}
        yield {"role": "user", "content": words(40)}
        yield {"role": "assistant", "content": words(20), "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"call-{turn}", "content": words(600)}
        yield {"role": "assistant", "content": words(60)}
