"""The sample conversations are what they promise: readable, whole, varied, and free of anything about a machine."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from tailrace.schemas.providers.formats import detect_format, read_native, write_context
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import BlobPart, ReasoningPart, RefusalPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.transcripts.read import read_transcript
from tailrace.streams.demo.sample_conversations import Sample, load_samples, read_sample
from tailrace.streams.models.vocabulary import load_count

TOTAL_BYTES_MAX = 600_000
DATA = Path(__file__).parents[3] / "data" / "conversations"

SAMPLES = Path(__file__).resolve().parents[4] / "streams" / "demo" / "samples"

SHIPPED = load_samples()
EVERY = [*SHIPPED, read_sample(DATA, "unusual_shapes")]
#: Threads in which a call is meant to wait: the tools that nobody answered.
OPEN_CALLS = {"incident": ["request_approval"]}

by_thread = pytest.mark.parametrize("sample", EVERY, ids=lambda sample: sample.thread)
shipped = pytest.mark.parametrize("sample", SHIPPED, ids=lambda sample: sample.thread)


def read(sample: Sample) -> list[Message]:
    return [read_native(detect_format(message), message) for message in sample.messages]


def parts(sample: Sample, kind: type) -> list[Any]:
    return [part for message in read(sample) for part in message.parts if isinstance(part, kind)]


def strings(value: Any) -> list[str]:
    """Return every text in a JSON value; arguments of calls are JSON in JSON, and texts too."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


@by_thread
def test_every_message_is_read_and_written_back_as_it_came(sample: Sample) -> None:
    for message in sample.messages:
        message_format = detect_format(message)
        assert write_context([read_native(message_format, message)], message_format) == [message]


@shipped
def test_no_line_of_a_sample_is_skipped(sample: Sample) -> None:
    file = SAMPLES / f"{sample.thread.replace('-', '_')}.jsonl"
    transcript = read_transcript(file.read_text(encoding="utf-8").split("\n"))

    assert list(transcript.skipped) == []
    assert len(transcript.messages) == len(sample.messages)


@by_thread
@pytest.mark.parametrize("message_format", [Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES])
def test_every_conversation_can_be_written_for_either_provider(sample: Sample, message_format: Format) -> None:
    written = write_context(read(sample), message_format)

    assert [read_native(message_format, message) for message in written]


@by_thread
def test_every_result_follows_its_call_and_no_call_is_left_but_those_that_wait(sample: Sample) -> None:
    open_calls: dict[str, str] = {}
    for message in read(sample):
        if message.role in {"user", "assistant"} and not message.answered_ids:
            assert open_calls == {}, f"{message.parts} comes before the results"
        for call_id in message.answered_ids:
            del open_calls[call_id]
        open_calls |= {part.id: part.name for part in message.parts if isinstance(part, ToolCallPart)}

    assert list(open_calls.values()) == OPEN_CALLS.get(sample.thread, [])


def test_threads_and_call_ids_are_unique() -> None:
    threads = [sample.thread for sample in EVERY]
    calls = [call for sample in EVERY for message in read(sample) for call in message.call_ids]

    assert len(set(threads)) == len(threads)
    assert len(set(calls)) == len(calls)


def test_there_are_several_languages_and_both_formats() -> None:
    formats = {
        sample.thread: {detect_format(message) for message in sample.messages} & {Format.ANTHROPIC_MESSAGES}
        for sample in SHIPPED
    }

    assert {sample.language for sample in SHIPPED} >= {"en", "de", "ja", "pt", "ar"}
    assert sum(map(bool, formats.values())) == 2
    assert all(sample.title and sample.model for sample in EVERY)


def test_every_shape_that_agents_send_is_there() -> None:
    messages = [message for sample in SHIPPED for message in read(sample)]
    answers = [part for sample in SHIPPED for part in parts(sample, ToolCallResponsePart)]

    assert any(len(message.call_ids) > 1 for message in messages), "parallel calls"
    assert any(len(message.answered_ids) > 1 for message in messages), "several results in one message"
    assert any(answer.extra.get("is_error") for answer in answers), "a result that is an error"
    assert any("[exit code " in str(answer.response) for answer in answers), "a command that failed"
    assert any(len(str(answer.response)) > 12_000 for answer in answers), "a large output"
    assert any(parts(sample, ReasoningPart) for sample in SHIPPED), "reasoning"
    assert any(parts(sample, RefusalPart) for sample in SHIPPED), "a refusal"


def test_the_picture_is_a_png() -> None:
    (picture,) = [part for sample in SHIPPED for part in parts(sample, BlobPart)]

    assert (picture.modality, picture.mime_type) == ("image", "image/png")
    assert base64.b64decode(picture.content).startswith(b"\x89PNG")


def test_one_conversation_is_long() -> None:
    longest = max(SHIPPED, key=lambda sample: len(sample.messages))
    count = load_count("cl100k_base")
    tokens = sum(count(text) for message in longest.messages for text in strings(message))

    assert len(longest.messages) >= 200
    assert 60_000 <= tokens <= 100_000


@shipped
def test_nothing_in_a_sample_tells_of_the_machine_it_was_recorded_on(sample: Sample) -> None:
    allowed = re.compile(r"/(?:srv|usr|var|tmp|dev|proc|etc|bin)(?:/|$)")
    paths = re.compile(r"(?<![\w.:/\\<>*)\]}~$\"'-])/[a-z]+/[\w.-]+(?:/[\w.-]+)+")
    private = re.compile(
        r"/root\b|\broot root\b|/home/|/work\b|\.internal\b|\.local\b|AKIA|BEGIN [A-Z ]*PRIVATE KEY|(?:ghp|"
        r"sk)[-_]\w{16}"
    )
    for text in (text for message in sample.messages for text in strings(message)):
        assert not private.search(text), private.search(text)
        for path in paths.findall(text):
            assert allowed.match(path), path


def test_all_samples_together_stay_small() -> None:
    assert sum(file.stat().st_size for file in SAMPLES.iterdir()) < TOTAL_BYTES_MAX
    assert sorted(file.suffix for file in SAMPLES.iterdir()) == [".json"] * len(SHIPPED) + [".jsonl"] * len(SHIPPED)
