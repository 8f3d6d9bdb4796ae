"""OpenAI chat messages: what each piece is read as, that it comes back as it was, and what errors say."""

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from support.read_back import read_back

from tailrace.schemas.errors import Invalid
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.openai_chat.provider import PROVIDER
from tailrace.schemas.providers.openai_chat.read import read_message
from tailrace.schemas.providers.openai_chat.write import write_messages
from tailrace.schemas.records.message import ContentShape
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)


def call(call_id: str = "call_1", arguments: str = '{"path": "a.py"}') -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "read", "arguments": arguments}}


def assistant(**fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, **fields}


def user(*items: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(items)}


read_same = partial(read_back, PROVIDER)


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
def test_plain_text_is_one_text_part(role: str) -> None:
    message = read_same({"role": role, "content": "hi"})
    assert message.role == role
    assert message.parts == (TextPart(content="hi"),)
    assert message.content_shape is ContentShape.STRING
    assert message.extra == {}


@pytest.mark.parametrize(
    ("fields", "shape"),
    [
        ({"content": ""}, ContentShape.STRING),
        ({"content": []}, ContentShape.LIST),
        ({"content": None}, ContentShape.NULL),
        ({}, ContentShape.ABSENT),
    ],
)
def test_every_way_to_say_nothing_is_kept_apart(fields: dict[str, Any], shape: ContentShape) -> None:
    message = read_same({"role": "assistant", **fields})
    assert message.parts == ()
    assert message.content_shape is shape


def test_a_list_of_one_plain_text_stays_a_list() -> None:
    message = read_same(user({"type": "text", "text": "hi"}))
    assert message.parts == (TextPart(content="hi"),)
    assert message.content_shape is ContentShape.LIST


@pytest.mark.parametrize(
    ("item", "part"),
    [
        (
            {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}},
            TextPart(content="hi", extra={"cache_control": {"type": "ephemeral"}}),
        ),
        ({"type": "refusal", "refusal": "no"}, RefusalPart(content="no", extra={"type": "refusal"})),
        (
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
            UriPart(uri="https://example.org/a.png", modality="image", extra={"image_url": {"detail": "low"}}),
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}, "x": 1},
            BlobPart(content="iVBORw0KGgo=", modality="image", mime_type="image/png", extra={"x": 1}),
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png,raw"}},
            UriPart(uri="data:image/png,raw", modality="image"),
        ),
        (
            {"type": "image_url", "image_url": "https://example.org/a.png"},
            GenericPart(value={"type": "image_url", "image_url": "https://example.org/a.png"}),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
            BlobPart(content="UklGRg==", modality="audio", mime_type="audio/wav"),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "SUQz", "format": "mp3", "x": None}},
            BlobPart(content="SUQz", modality="audio", mime_type="audio/mpeg", extra={"input_audio": {"x": None}}),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "T2dnUw==", "format": "opus"}},
            GenericPart(value={"type": "input_audio", "input_audio": {"data": "T2dnUw==", "format": "opus"}}),
        ),
        ({"type": "file", "file": {"file_id": "file-1"}}, FilePart(file_id="file-1", modality="document")),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"}},
            BlobPart(
                content="JVBERi0=",
                modality="document",
                mime_type="application/pdf",
                extra={"file": {"filename": "a.pdf"}},
            ),
        ),
        (
            {"type": "file", "file": {"file_data": "JVBERi0="}},
            GenericPart(value={"type": "file", "file": {"file_data": "JVBERi0="}}),
        ),
        ({"type": "file", "file": {}}, GenericPart(value={"type": "file", "file": {}})),
        ({"type": "video_url", "video_url": {}}, GenericPart(value={"type": "video_url", "video_url": {}})),
    ],
)
def test_each_content_item_is_read_as_its_part(item: dict[str, Any], part: AnyPart) -> None:
    assert read_same(user(item)).parts == (part,)


def test_a_tool_call_keeps_its_arguments_byte_for_byte() -> None:
    arguments = '{ "b":1.0,\n"a" : "\\u00e9" '
    message = read_same(assistant(tool_calls=[call(arguments=arguments)]))
    assert message.parts == (ToolCallPart(id="call_1", name="read", arguments=arguments),)
    assert message.call_ids == ("call_1",)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (
            {**call(), "index": 0},
            ToolCallPart(
                id="call_1",
                name="read",
                arguments='{"path": "a.py"}',
                extra={"index": 0, "type": "function", "function": {}},
            ),
        ),
        (
            {"id": "call_1", "function": {"name": "read", "arguments": "{}", "strict": True}},
            ToolCallPart(id="call_1", name="read", arguments="{}", extra={"function": {"strict": True}}),
        ),
        (
            {"id": "call_1", "type": None, "function": {"name": "read"}},
            ToolCallPart(id="call_1", name="read", extra={"type": None, "function": {}}),
        ),
        (
            {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": None}},
            ToolCallPart(id="call_1", name="read", extra={"type": "function", "function": {"arguments": None}}),
        ),
        (
            {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": {"path": "a.py"}}},
            ToolCallPart(
                id="call_1", name="read", arguments={"path": "a.py"}, extra={"type": "function", "function": {}}
            ),
        ),
        (
            {"id": "call_1", "type": "custom", "custom": {"name": "sql", "input": "select 1"}},
            ToolCallPart(id="call_1", name="sql", arguments="select 1", extra={"type": "custom", "custom": {}}),
        ),
        (
            {"id": "call_1", "type": "search", "search": {"query": "x"}, "y": 2},
            ToolCallPart(id="call_1", name="search", arguments={"query": "x"}, extra={"type": "search", "y": 2}),
        ),
    ],
)
def test_an_unusual_tool_call_is_a_call_all_the_same(data: dict[str, Any], part: ToolCallPart) -> None:
    assert read_same(assistant(tool_calls=[data])).parts == (part,)


def test_parts_of_an_assistant_message_have_one_order() -> None:
    message = read_same(
        {
            "tool_calls": [call("call_1"), call("call_2")],
            "refusal": "not that",
            "content": "but this",
            "reasoning_content": "hm",
            "role": "assistant",
            "name": "coder",
            "annotations": [],
        }
    )
    assert [type(part) for part in message.parts] == [
        ReasoningPart, TextPart, RefusalPart, ToolCallPart, ToolCallPart,
    ]  # fmt: skip
    assert message.name == "coder"
    assert message.extra == {"annotations": []}


def test_what_an_sdk_dumps_with_all_its_nulls_comes_back() -> None:
    nulls = {"refusal": None, "annotations": None, "audio": None, "function_call": None, "tool_calls": None}
    message = read_same({"role": "assistant", "content": "hi", "name": None, "reasoning_content": None, **nulls})
    assert message.parts == (TextPart(content="hi"),)
    assert message.extra == {**nulls, "name": None, "reasoning_content": None}


def test_empty_lists_and_texts_beside_the_content_come_back() -> None:
    message = read_same(assistant(tool_calls=[], refusal="", reasoning_content="", name=""))
    assert message.parts == ()
    assert message.name == ""


def test_reasoning_under_its_other_name_is_reasoning_too() -> None:
    assert read_same(assistant(reasoning="hm")).parts == (ReasoningPart(content="hm", extra={"type": "reasoning"}),)
    assert read_same(assistant(reasoning={"effort": "low"})).parts == ()


def test_reasoning_that_comes_under_both_names_counts_once() -> None:
    message = read_same(assistant(reasoning_content="hm", reasoning="hm"))
    assert message.parts == (ReasoningPart(content="hm"),)


def test_spoken_audio_is_a_file_of_the_provider() -> None:
    message = read_same(assistant(audio={"id": "audio_1", "transcript": "hello", "expires_at": 1}))
    extra = {"type": "audio", "audio": {"transcript": "hello", "expires_at": 1}}
    assert message.parts == (FilePart(file_id="audio_1", modality="audio", extra=extra),)
    assert read_same(assistant(audio={"data": "x"})).extra == {"audio": {"data": "x"}}


def test_the_old_function_call_is_paired_by_the_name_of_its_function() -> None:
    made = read_same(assistant(function_call={"name": "read", "arguments": "{}", "id": "odd"}))
    answered = read_same({"role": "function", "name": "read", "content": "text", "tool_call_id": "odd"})
    assert made.call_ids == answered.answered_ids == ("function_call_read",)


@pytest.mark.parametrize("content", ["text", "", [], [{"type": "text", "text": "a", "x": 1}]])
def test_a_tool_message_is_one_answer_with_its_content_verbatim(content: Any) -> None:
    message = read_same({"role": "tool", "tool_call_id": "call_1", "content": content})
    assert message.parts == (ToolCallResponsePart(id="call_1", response=content),)


def test_fields_of_a_tool_message_belong_to_the_answer() -> None:
    message = read_same({"role": "tool", "tool_call_id": "call_1", "content": None, "name": "read", "is_error": True})
    assert message.parts == (ToolCallResponsePart(id="call_1", extra={"content": None, "is_error": True}),)
    assert message.name == "read"
    read_same({"role": "tool", "tool_call_id": "call_1"})


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "message.role must be one of system, developer, user, assistant, tool, function, got nothing"),
        ({"role": "model"}, "message.role must be one of .*, got 'model'"),
        ({"role": ["user"]}, "message.role must be one of .*, got a list"),
        ({"role": ""}, "message.role must be one of .*, got ''"),
        ({"role": "user"}, "message.content must be a string or a list of content items, got nothing"),
        ({"role": "user", "content": None}, "message.content must be a string or a list .*, got null"),
        ({"role": "user", "content": 4}, "message.content must be a string or a list of content items, got int"),
        ({"role": "user", "content": "x", "name": 4}, "message.name must be a string or null, got int"),
        (user("x"), r"message.content\[0\] must be an object with a type, got str"),
        (user({}), r"message.content\[0\].type must be a string, got nothing"),
        (
            user({"type": "video"}, {"type": "video"}, {"type": "text", "text": 4}),
            r"message.content\[2\].text must be a string, got int",
        ),
        (user({"type": "refusal"}), r"message.content\[0\].refusal must be a string, got nothing"),
        (user({"type": "image_url"}), r"message.content\[0\].image_url must be an object, got nothing"),
        (user({"type": "image_url", "image_url": {}}), r"message.content\[0\].image_url.url must be a string"),
        (
            user({"type": "input_audio", "input_audio": {"data": 1}}),
            r"\[0\].input_audio.data must be a string, got int",
        ),
        (user({"type": "file", "file": []}), r"message.content\[0\].file must be an object, got a list"),
        (assistant(content=4), "message.content must be a string, a list of content items or null, got int"),
        (assistant(refusal=4), "message.refusal must be a string or null, got int"),
        (assistant(reasoning_content={}), "message.reasoning_content must be a string or null, got an object"),
        (assistant(audio="x"), "message.audio must be an object with an id, or null, got str"),
        (assistant(tool_calls={}), "message.tool_calls must be a list of tool calls or null, got an object"),
        (assistant(tool_calls=[4]), r"message.tool_calls\[0\] must be an object with id, type and function, got int"),
        (assistant(tool_calls=[{**call(), "id": None}]), r"tool_calls\[0\].id must be a non-empty string .*, got null"),
        (assistant(tool_calls=[call(), call("")]), r"message.tool_calls\[1\].id must be a non-empty string: it pairs"),
        (assistant(tool_calls=[{"id": "a"}]), r"message.tool_calls\[0\] must have the type function or custom"),
        (
            assistant(tool_calls=[{"id": "a", "type": "function"}]),
            r"message.tool_calls\[0\].function must be an object, got nothing",
        ),
        (
            assistant(tool_calls=[{"id": "a", "type": "function", "function": {"name": None, "arguments": ""}}]),
            r"message.tool_calls\[0\].function.name must be a string, got null",
        ),
        (
            assistant(tool_calls=[{"id": "a", "type": "function", "function": {"name": "f", "arguments": [1]}}]),
            r"message.tool_calls\[0\].function.arguments must be a string, got a list",
        ),
        (
            assistant(tool_calls=[{"id": "a", "type": "custom", "custom": {"name": "f", "input": 1}}]),
            r"message.tool_calls\[0\].custom.input must be a string, got int",
        ),
        (assistant(function_call="f"), "message.function_call must be an object with name and arguments, or null"),
        ({"role": "tool", "content": "x"}, "message.tool_call_id must be a non-empty string .*, got nothing"),
        ({"role": "tool", "tool_call_id": "", "content": "x"}, "message.tool_call_id must be a non-empty string"),
        ({"role": "tool", "tool_call_id": "a", "content": {}}, "message.content must be .* or null, got an object"),
        (
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text"}]},
            r"message.content\[0\].text must be a string, got nothing",
        ),
        ({"role": "function", "content": "x"}, "message.name must be a string, got nothing"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(data: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read_message(data)


def test_an_exchanged_answer_is_written_in_place_of_the_old_one() -> None:
    message = read_message({"role": "tool", "tool_call_id": "call_1", "content": None, "name": "read"})
    stub = replace(message.parts[0], response="shortened")
    assert write_messages([replace(message, parts=(stub,))], carry) == [
        {"role": "tool", "tool_call_id": "call_1", "content": "shortened", "name": "read"}
    ]


def test_a_text_put_where_there_was_none_is_written() -> None:
    message = read_message(assistant(tool_calls=[call()]))
    parts = (CompactionPart(content="so far"), *message.parts)
    assert write_messages([replace(message, parts=parts)], carry) == [assistant(content="so far", tool_calls=[call()])]
