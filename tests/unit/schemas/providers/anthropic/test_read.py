"""Anthropic messages: what each block is read as, that it comes back as it was, and what errors say."""

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from support.read_back import read_back

from tailrace.schemas.errors import Invalid
from tailrace.schemas.providers.anthropic.provider import PROVIDER
from tailrace.schemas.providers.anthropic.read import read_message
from tailrace.schemas.providers.anthropic.write import write_messages
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.records.message import ContentShape
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


read_same = partial(read_back, PROVIDER)


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_plain_text_is_one_text_part(role: str) -> None:
    message = read_same({"role": role, "content": "hi"})
    assert message.role == role
    assert message.parts == (TextPart(content="hi"),)
    assert message.content_shape is ContentShape.STRING


@pytest.mark.parametrize(
    ("content", "shape"),
    [("", ContentShape.STRING), ([], ContentShape.LIST), ([{"type": "text", "text": ""}], ContentShape.LIST)],
)
def test_every_way_to_say_nothing_is_kept_apart(content: Any, shape: ContentShape) -> None:
    assert read_same({"role": "user", "content": content}).content_shape is shape


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "hi"}, TextPart(content="hi")),
        (
            {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}, "citations": None},
            TextPart(content="hi", extra={"cache_control": {"type": "ephemeral"}, "citations": None}),
        ),
        (
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            ReasoningPart(content="hm", extra={"signature": "c2ln"}),
        ),
        (
            {"type": "redacted_thinking", "data": "b3Bh"},
            GenericPart(value={"type": "redacted_thinking", "data": "b3Bh"}),
        ),
        (
            {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py"}, "caller": {}},
            ToolCallPart(id="toolu_1", name="read", arguments={"path": "a.py"}, extra={"caller": {}}),
        ),
        (
            {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}},
            ToolCallPart(id="toolu_1", name="read", arguments={}),
        ),
        (
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"},
            ToolCallResponsePart(id="toolu_1", response="ok"),
        ),
        (
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "a", "x": 1}]},
            ToolCallResponsePart(id="toolu_1", response=[{"type": "text", "text": "a", "x": 1}]),
        ),
        (
            {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True},
            ToolCallResponsePart(id="toolu_1", extra={"is_error": True}),
        ),
        (
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": None},
            ToolCallResponsePart(id="toolu_1", extra={"content": None}),
        ),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
            BlobPart(content="iVBORw0KGgo=", modality="image", mime_type="image/png"),
        ),
        (
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png", "x": 1}, "y": 2},
            UriPart(uri="https://example.org/a.png", modality="image", extra={"source": {"x": 1}, "y": 2}),
        ),
        (
            {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
            FilePart(file_id="file_1", modality="image"),
        ),
        (
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
                "title": "a",
            },
            BlobPart(content="JVBERi0=", modality="document", mime_type="application/pdf", extra={"title": "a"}),
        ),
        (
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}, "title": "a"},
            TextPart(
                content="words",
                extra={"type": "document", "source": {"type": "text", "media_type": "text/plain"}, "title": "a"},
            ),
        ),
        (
            {"type": "document", "source": {"type": "content", "content": "x"}},
            GenericPart(value={"type": "document", "source": {"type": "content", "content": "x"}}),
        ),
        (
            {"type": "compaction", "content": "so far"},
            CompactionPart(content="so far", extra={"type": "compaction"}),
        ),
        (
            {"type": "compaction", "content": None},
            CompactionPart(extra={"type": "compaction", "content": None}),
        ),
        (
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
            GenericPart(value={"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}),
        ),
        ({"type": "hologram", "x": [1]}, GenericPart(value={"type": "hologram", "x": [1]})),
    ],
)
def test_each_block_is_read_as_its_part(block: dict[str, Any], part: AnyPart) -> None:
    assert read_same(user(block)).parts == (part,)


def test_one_user_message_answers_several_calls_and_says_something() -> None:
    message = read_same(
        user(
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a"},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "b", "is_error": True},
            {"type": "text", "text": "go on"},
        )
    )
    assert message.role == "user"
    assert message.answered_ids == ("toolu_1", "toolu_2")
    assert message.parts[2] == TextPart(content="go on")


def test_a_whole_response_body_comes_back() -> None:
    body = {"id": "msg_1", "type": "message", "model": "m", "stop_reason": "end_turn", "usage": {"input_tokens": 1}}
    assert read_same({"role": "assistant", "content": [], **body}).extra == body


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "message.role must be one of system, user, assistant, got nothing"),
        ({"role": "tool", "content": "x"}, "message.role must be one of system, user, assistant, got 'tool'"),
        ({"role": {}}, "message.role must be one of system, user, assistant, got an object"),
        ({"role": "user"}, "message.content must be a string or a list of content blocks, got nothing"),
        ({"role": "user", "content": None}, "message.content must be a string or a list .*, got null"),
        (user("x"), r"message.content\[0\] must be an object with a type, got str"),
        (user({"type": 1}), r"message.content\[0\].type must be a string, got int"),
        (user({"type": "text"}), r"message.content\[0\].text must be a string, got nothing"),
        (user({"type": "thinking", "thinking": []}), r"message.content\[0\].thinking must be a string, got a list"),
        (user({"type": "tool_use"}), r"message.content\[0\].id must be a non-empty string .*, got nothing"),
        (user({"type": "tool_use", "id": "a"}), r"message.content\[0\].name must be a string, got nothing"),
        (
            user({"type": "tool_use", "id": "a", "name": "f", "input": "{}"}),
            r"message.content\[0\].input must be an object, got str",
        ),
        (user({"type": "tool_result"}), r"message.content\[0\].tool_use_id must be a non-empty string"),
        (
            user({"type": "tool_result", "tool_use_id": "a", "content": 1}),
            r"message.content\[0\].content must be a string or a list of content blocks, got int",
        ),
        (
            user({"type": "text", "text": ""}, {"type": "tool_result", "tool_use_id": "a", "content": [{}, 1]}),
            r"message.content\[1\].content\[0\].type must be a string, got nothing",
        ),
        (user({"type": "image"}), r"message.content\[0\].source must be an object, got nothing"),
        (user({"type": "image", "source": {}}), r"message.content\[0\].source.type must be a string, got nothing"),
        (
            user({"type": "image", "source": {"type": "base64", "data": "x"}}),
            r"message.content\[0\].source.media_type must be a string, got nothing",
        ),
        (user({"type": "image", "source": {"type": "url"}}), r"\[0\].source.url must be a string, got nothing"),
        (user({"type": "document", "source": {"type": "file"}}), r"\[0\].source.file_id must be a string, got nothing"),
        (user({"type": "document", "source": {"type": "text"}}), r"\[0\].source.data must be a string, got nothing"),
        (user({"type": "compaction", "content": 1}), r"message.content\[0\].content must be a string or null, got int"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(data: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read_message(data)


def test_an_exchanged_answer_is_written_in_place_of_the_old_one() -> None:
    message = read_message(user({"type": "tool_result", "tool_use_id": "a", "content": None, "is_error": False}))
    stub = replace(message.parts[0], response="shortened")
    assert write_messages([replace(message, parts=(stub,))], carry) == [
        user({"type": "tool_result", "tool_use_id": "a", "content": "shortened", "is_error": False})
    ]


def test_a_compaction_of_ours_is_written_as_text() -> None:
    message = read_message({"role": "user", "content": "hi"})
    parts = (CompactionPart(id="c1", content="so far"), *message.parts)
    assert write_messages([replace(message, parts=parts)], carry) == [
        user({"type": "text", "text": "so far"}, {"type": "text", "text": "hi"})
    ]
