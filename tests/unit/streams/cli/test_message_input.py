"""Messages out of files and pipes, in every form that people keep them in."""

import io
import json
from typing import Any

from tailrace.schemas.records.message import Message
from tailrace.streams.cli.message_input import read_input
from tailrace.streams.client.message_envelope import BadInput, InputMessage

HELLO = {"role": "user", "content": "hello"}


def read(text: str | bytes) -> list[InputMessage | BadInput]:
    return list(read_input(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


def messages(text: str | bytes) -> list[Any]:
    return [item.message for item in read(text) if isinstance(item, InputMessage)]


def test_json_lines_are_read_one_by_one_and_empty_lines_don_t_count() -> None:
    text = f"\n{json.dumps(HELLO)}\n\n{json.dumps({'role': 'assistant', 'content': 'hi'})}\n"

    found = read(text)

    assert [item.where for item in found] == ["line 2", "line 4"]
    assert messages(text)[0] == HELLO


def test_the_first_line_is_there_before_the_second_is_written() -> None:
    class Pipe(io.BytesIO):
        def __next__(self) -> bytes:
            raise AssertionError("read on")

    item = next(read_input(Pipe(json.dumps(HELLO).encode() + b"\n")))

    assert isinstance(item, InputMessage)


def test_one_message_over_several_lines_is_one_message() -> None:
    assert messages(json.dumps(HELLO, indent=2)) == [HELLO]


def test_an_array_is_its_messages_on_one_line_or_many() -> None:
    for indent in (None, 2):
        assert messages(json.dumps([HELLO, HELLO], indent=indent)) == [HELLO, HELLO]


def test_a_bad_line_says_where_and_why_and_the_rest_goes_on() -> None:
    found = read(json.dumps(HELLO) + "\nnonsense\n7\n{}\n" + json.dumps(HELLO))

    assert [type(item) for item in found] == [InputMessage, BadInput, BadInput, BadInput, InputMessage]
    reasons = {item.where: item.reason for item in found if isinstance(item, BadInput)}
    assert "no JSON" in reasons["line 2"]
    assert "JSON object" in reasons["line 3"]
    assert '"role"' in reasons["line 4"]


def test_a_bad_first_line_doesn_t_spoil_the_rest() -> None:
    found = read("nonsense\n" + json.dumps(HELLO) + "\n")

    assert [(type(item), item.where) for item in found] == [(BadInput, "line 1"), (InputMessage, "line 2")]


def test_an_envelope_brings_its_thread_and_all_it_knows() -> None:
    envelope = {"thread": "t7", "id": "m1", "native": HELLO, "format": "openai.chat", "tenant": "acme", "mine": 1}

    (item,) = read(json.dumps(envelope))

    assert isinstance(item, InputMessage)
    assert item.thread == "t7"
    assert item.message == HELLO
    assert item.options == {"id": "m1", "format": "openai.chat", "tenant": "acme", "extra": {"mine": 1}}


def test_an_envelope_around_a_message_of_our_own_form_is_read() -> None:
    (found,) = messages(json.dumps({"message": {"role": "user", "parts": [{"type": "text", "content": "hi"}]}}))

    assert isinstance(found, Message)


def test_a_bare_message_may_have_an_id() -> None:
    (item,) = read(json.dumps({**HELLO, "id": "m1"}))

    assert isinstance(item, InputMessage)
    assert item.options == {"id": "m1"}
    assert item.message == HELLO


def test_nothing_is_nothing() -> None:
    assert read("") == []
    assert read("\n \n") == []


def test_bytes_that_are_no_text_are_bad_input() -> None:
    (item,) = read(b"\xff\xfe\n")

    assert isinstance(item, BadInput)
