"""Gemini contents: what each part is read as, in either spelling, and how others are written as contents."""

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from support.read_back import read_back

from tailrace.schemas.errors import Invalid
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.formats import read_native, write_context
from tailrace.schemas.providers.gemini.provider import PROVIDER
from tailrace.schemas.providers.gemini.read import read_message
from tailrace.schemas.providers.gemini.write import write_messages
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    FilePart,
    GenericPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

GEMINI, CHAT, ANTHROPIC = Format.GEMINI, Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES


def content(*parts: Any, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


read_same = partial(read_back, PROVIDER)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("user", "user"), ("model", "assistant"), ("system", "system"), ("function", "function"), ("tool", "tool")],
)
def test_the_model_is_the_assistant(theirs: str, ours: str) -> None:
    assert read_same(content({"text": "hi"}, role=theirs)).role == ours


@pytest.mark.parametrize("fields", [{}, {"parts": None}, {"parts": []}])
def test_every_way_to_say_nothing_is_kept_apart(fields: dict[str, Any]) -> None:
    assert read_same({"role": "model", **fields}).parts == ()


@pytest.mark.parametrize(
    ("data", "part"),
    [
        ({"text": "hi"}, TextPart(content="hi")),
        ({"text": "", "thoughtSignature": "c2ln"}, TextPart(content="", extra={"thoughtSignature": "c2ln"})),
        ({"text": "hm", "thought": True}, ReasoningPart(content="hm")),
        (
            {"text": "hi", "function_call": None, "thought": None},
            TextPart(content="hi", extra={"function_call": None, "thought": None}),
        ),
        (
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
            BlobPart(content="iVBORw0KGgo=", modality="image", mime_type="image/png"),
        ),
        (
            {"inline_data": {"mime_type": "audio/wav", "data": "UklGRg=="}},
            BlobPart(content="UklGRg==", modality="audio", mime_type="audio/wav", extra={"inline_data": {}}),
        ),
        (
            {"fileData": {"fileUri": "gs://a/b.mp4", "mimeType": "video/mp4"}},
            UriPart(uri="gs://a/b.mp4", modality="video", mime_type="video/mp4"),
        ),
        (
            {"file_data": {"file_uri": "https://generativelanguage.googleapis.com/v1beta/files/1"}},
            FilePart(
                file_id="https://generativelanguage.googleapis.com/v1beta/files/1",
                modality="document",
                extra={"file_data": {}},
            ),
        ),
        (
            {"functionCall": {"id": "a", "name": "read", "args": {"n": 1}}, "thoughtSignature": "c2ln"},
            ToolCallPart(id="a", name="read", arguments={"n": 1}, extra={"thoughtSignature": "c2ln"}),
        ),
        (
            {"function_call": {"id": None, "name": "read", "args": {}}},
            ToolCallPart(id="function_call_read", name="read", arguments={}, extra={"function_call": {"id": None}}),
        ),
        (
            {"functionResponse": {"id": "a", "name": "read", "response": {"output": "1"}}},
            ToolCallResponsePart(
                id="a", response={"output": "1"}, extra={"functionResponse": {"id": "a", "name": "read"}}
            ),
        ),
        ({"executableCode": {"code": "1"}}, GenericPart(value={"executableCode": {"code": "1"}})),
        ({"text": "a", "inlineData": {}}, GenericPart(value={"text": "a", "inlineData": {}})),
        ({}, GenericPart(value={})),
    ],
)
def test_parts_become_parts(data: dict[str, Any], part: AnyPart) -> None:
    assert read_same(content(data)).parts == (part,)


def test_a_call_is_one_whatever_stands_beside_it() -> None:
    message = read_same(content({"functionCall": {"name": "read"}, "text": "reading"}, role="model"))
    assert message.call_ids == ("function_call_read",)


def test_calls_without_ids_pair_by_name_and_by_place_among_calls_of_that_name() -> None:
    calls = [{"functionCall": {"name": name, "args": {}}} for name in ("read", "list", "read")]
    answers = [{"functionResponse": {"name": name, "response": {}}} for name in ("read", "list", "read")]
    made = read_same(content(*calls, role="model")).call_ids
    assert made == ("function_call_read", "function_call_list", "function_call_2_read")
    assert read_same(content(*answers)).answered_ids == made


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"parts": []}, "message.role must be one of user, model, system, function, tool, got nothing"),
        ({"role": "assistant", "parts": []}, "message.role must be one of user, model"),
        ({"role": "user", "parts": {}}, "message.parts must be a list of parts, got an object"),
        (content("hi"), r"message.parts\[0\] must be an object, got str"),
        (content({"text": 1}), r"message.parts\[0\].text must be a string, got int"),
        (content({"functionCall": {"args": {}}}), r"message.parts\[0\].functionCall.name must be a string"),
        (content({"functionCall": "read"}), r"message.parts\[0\].functionCall must be an object, got str"),
        (content({"function_call": {"name": "r", "args": []}}), r"message.parts\[0\].function_call.args must be"),
        (content({"functionResponse": {"name": "r", "response": "1"}}), r"functionResponse.response must be an object"),
        (content({"functionCall": {}, "function_response": {}}), "must hold one function call or response, got funct"),
        (content({"functionResponse": {}}), r"message.parts\[0\].functionResponse.name must be a string"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(data: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read_message(data)


def to_gemini(*messages: dict[str, Any], source: Format = CHAT) -> list[dict[str, Any]]:
    return write_context([read_native(source, message) for message in messages], GEMINI)


def test_a_chat_turn_becomes_contents() -> None:
    calls = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"n": 1}'}}
        for call_id, name in (("a", "read"), ("b", "list"))
    ]
    assert to_gemini(
        {"role": "developer", "content": "be brief"},
        {"role": "assistant", "content": "looking", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "", "is_error": True},
        {"role": "user", "content": "go on"},
    ) == [
        content({"text": "be brief"}, role="system"),
        content(
            {"text": "looking"},
            {"functionCall": {"id": "a", "name": "read", "args": {"n": 1}}},
            {"functionCall": {"id": "b", "name": "list", "args": {"n": 1}}},
            role="model",
        ),
        content(
            {"functionResponse": {"id": "a", "name": "read", "response": {"output": "1"}}},
            {"functionResponse": {"id": "b", "name": "list", "response": {"error": ""}}},
        ),
        content({"text": "go on"}),
    ]


def test_media_in_answers_follow_the_function_responses() -> None:
    png = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    url = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "see"}, png]}
    assert to_gemini({"role": "user", "content": [result, url]}, source=ANTHROPIC) == [
        content(
            {"functionResponse": {"id": "a", "name": "a", "response": {"output": "see"}}},
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
            {"text": "[image: https://example.org/a.png]"},
        )
    ]


def test_answers_cross_as_the_text_and_the_media_that_they_hold() -> None:
    def answer(response: Any, **fields: Any) -> Message:
        body = {"id": "a", "name": "read", "response": response, **fields}
        return read_message(content({"functionResponse": body}))

    def crossed(message: Message) -> Any:
        return write_context([message], ANTHROPIC)[0]["content"][0]

    result = {"type": "tool_result", "tool_use_id": "a"}
    png = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    assert crossed(answer({"result": "1"})) == {**result, "content": "1"}
    assert crossed(answer({"error": "gone"})) == {**result, "content": "gone", "is_error": True}
    assert crossed(answer({"a": 1, "b": 2})) == {**result, "content": '{"a":1,"b":2}'}
    assert crossed(answer(None)) == result
    assert crossed(answer({"output": "see"}, parts=[png])) == {
        **result,
        "content": [{"type": "text", "text": "see"}, {"type": "image", "source": source}],
    }


@pytest.mark.parametrize(
    "part",
    [
        {"text": "hm", "thought": True, "thoughtSignature": "c2ln"},
        {"thoughtSignature": "c2ln"},
        {"text": "", "thoughtSignature": "c2ln"},
        {"fileData": {"fileUri": "https://generativelanguage.googleapis.com/v1beta/files/1"}},
    ],
)
def test_what_only_gemini_can_use_does_not_cross(part: dict[str, Any]) -> None:
    assert write_context([read_message(content(part, role="model"))], CHAT) == []


def test_an_answer_that_was_made_shorter_is_still_an_object() -> None:
    message = read_message(content({"functionResponse": {"name": "read", "response": {"output": "long"}}}))
    shorter = replace(message, parts=(replace(message.parts[0], response="short"),))
    assert write_messages([shorter], carry) == [
        content({"functionResponse": {"name": "read", "response": {"output": "short"}}})
    ]
