"""Responses items: what each is read as, that it comes back as it was, and how others are written as items."""

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from support.read_back import read_back

from tailrace.schemas.errors import Invalid
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.formats import read_native, write_context
from tailrace.schemas.providers.openai_responses.provider import PROVIDER
from tailrace.schemas.providers.openai_responses.read import read_message
from tailrace.schemas.providers.openai_responses.write import write_messages
from tailrace.schemas.records.message import ContentShape, Format, Message
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

RESPONSES, CHAT, ANTHROPIC = Format.OPENAI_RESPONSES, Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES

CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "read", "arguments": "{}"}
PATCH = {"type": "custom_tool_call", "call_id": "call_2", "name": "apply_patch", "input": "*** Begin"}


read_same = partial(read_back, PROVIDER)


def to_items(*messages: dict[str, Any], source: Format = CHAT) -> list[dict[str, Any]]:
    return write_context([read_native(source, message) for message in messages], RESPONSES)


@pytest.mark.parametrize("fields", [{}, {"type": "message"}, {"type": "message", "id": "msg_1", "status": "completed"}])
def test_a_message_may_leave_out_its_type(fields: dict[str, Any]) -> None:
    message = read_same({"role": "developer", "content": "be brief", **fields})
    assert (message.role, message.parts) == ("developer", (TextPart(content="be brief"),))
    assert message.content_shape is ContentShape.STRING


@pytest.mark.parametrize(
    ("role", "item", "part"),
    [
        ("user", {"type": "input_text", "text": "hi"}, TextPart(content="hi")),
        (
            "assistant",
            {"type": "output_text", "text": "hi", "annotations": []},
            TextPart(content="hi", extra={"annotations": []}),
        ),
        ("assistant", {"type": "input_text", "text": "hi"}, TextPart(content="hi", extra={"type": "input_text"})),
        ("assistant", {"type": "refusal", "refusal": "no"}, RefusalPart(content="no")),
        (
            "user",
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"},
            BlobPart(content="iVBORw0KGgo=", modality="image", mime_type="image/png", extra={"detail": "low"}),
        ),
        (
            "user",
            {"type": "input_image", "image_url": "https://example.org/a.png"},
            UriPart(uri="https://example.org/a.png", modality="image"),
        ),
        ("user", {"type": "input_image", "file_id": "file-1"}, FilePart(file_id="file-1", modality="image")),
        (
            "user",
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
            BlobPart(content="JVBERi0=", modality="document", mime_type="application/pdf", extra={"filename": "a.pdf"}),
        ),
        (
            "user",
            {"type": "input_file", "file_url": "https://example.org/a.pdf"},
            UriPart(uri="https://example.org/a.pdf", modality="document"),
        ),
        ("user", {"type": "input_file", "file_id": "file-1"}, FilePart(file_id="file-1", modality="document")),
        ("user", {"type": "new", "x": 1}, GenericPart(value={"type": "new", "x": 1})),
    ],
)
def test_content_items_become_parts(role: str, item: dict[str, Any], part: AnyPart) -> None:
    assert read_same({"role": role, "content": [item]}).parts == (part,)


@pytest.mark.parametrize(
    ("item", "role", "part"),
    [
        (CALL, "assistant", ToolCallPart(id="call_1", name="read", arguments="{}", extra={"id": "fc_1"})),
        (
            PATCH,
            "assistant",
            ToolCallPart(id="call_2", name="apply_patch", arguments="*** Begin", extra={"type": "custom_tool_call"}),
        ),
        (
            {"type": "shell_call", "call_id": "call_1", "action": {"commands": ["ls"]}},
            "assistant",
            ToolCallPart(id="call_1", name="shell_call", arguments={"commands": ["ls"]}, extra={"type": "shell_call"}),
        ),
        (
            {"type": "later_call", "call_id": "call_1", "what": 1},
            "assistant",
            ToolCallPart(id="call_1", name="later_call", extra={"type": "later_call", "what": 1}),
        ),
        (
            {"type": "function_call_output", "call_id": "call_1", "output": "1"},
            "tool",
            ToolCallResponsePart(id="call_1", response="1"),
        ),
        (
            {"type": "custom_tool_call_output", "call_id": "call_1", "output": [{"type": "input_text", "text": "1"}]},
            "tool",
            ToolCallResponsePart(
                id="call_1",
                response=[{"type": "input_text", "text": "1"}],
                extra={"type": "custom_tool_call_output"},
            ),
        ),
        (
            {"type": "local_shell_call_output", "id": "call_1", "output": "1"},
            "tool",
            ToolCallResponsePart(id="call_1", response="1", extra={"type": "local_shell_call_output", "id": "call_1"}),
        ),
        (
            {"type": "compaction", "id": "cmp_1", "encrypted_content": "b3Bh"},
            "assistant",
            CompactionPart(extra={"type": "compaction", "id": "cmp_1", "encrypted_content": "b3Bh"}),
        ),
        (
            {"type": "web_search_call", "id": "ws_1", "status": "completed"},
            "assistant",
            GenericPart(value={"type": "web_search_call", "id": "ws_1", "status": "completed"}),
        ),
    ],
)
def test_other_items_become_messages_of_one_part(item: dict[str, Any], role: str, part: AnyPart) -> None:
    message = read_same(item)
    assert (message.role, message.parts, message.content_shape) == (role, (part,), None)


def test_reasoning_is_one_part_for_each_text_and_the_first_holds_what_is_encrypted() -> None:
    summary = [{"type": "summary_text", "text": "First"}, {"type": "summary_text", "text": "then"}]
    message = read_same({"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": "b3Bh"})
    extra = {"id": "rs_1", "encrypted_content": "b3Bh"}
    assert message.parts == (ReasoningPart(content="First", extra=extra), ReasoningPart(content="then"))


@pytest.mark.parametrize(
    "summary",
    [{}, {"summary": []}, {"summary": None}, {"summary": [{"type": "summary_text", "text": ""}]}, {"summary": [{}]}],
)
def test_reasoning_without_a_usual_summary_is_one_part_that_keeps_it(summary: dict[str, Any]) -> None:
    message = read_same({"type": "reasoning", "id": "rs_1", **summary})
    assert message.parts == (ReasoningPart(content="", extra={"id": "rs_1", **summary}),)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"type": "function_call", "name": "read", "arguments": "{}"}, "message.call_id must be a non-empty string"),
        ({"type": "function_call", "call_id": "", "name": "read"}, "message.call_id must be a non-empty string"),
        ({"type": "function_call", "call_id": "a", "arguments": "{}"}, "message.name must be a string, got nothing"),
        ({"type": "function_call", "call_id": "a", "name": "r", "arguments": 1}, "message.arguments must be a string"),
        ({"type": "function_call_output", "call_id": "a", "output": 1}, "message.output must be a string or a list"),
        ({"type": "function_call_output", "call_id": "a", "output": [1]}, r"message.output\[0\] must be an object"),
        ({"type": 1}, "message.type must be a string, got int"),
        ({"role": "tool", "content": "hi"}, "message.role must be one of system, developer, user, assistant"),
        ({"role": "user"}, "message.content must be a string or a list of content items, got nothing"),
        ({"role": "user", "content": [{"type": "input_text"}]}, r"message.content\[0\].text must be a string"),
        ({}, "message.role must be one of"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(data: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read_message(data)


def test_a_chat_turn_becomes_items() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}}
    assert to_items(
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "text", "text": "this"}]},
        {"role": "assistant", "content": "looking", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
    ) == [
        {"type": "message", "role": "system", "content": "be brief"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "see"}, {"type": "input_text", "text": "this"}],
        },
        {"type": "message", "role": "assistant", "content": "looking"},
        {"type": "function_call", "call_id": "a", "name": "read", "arguments": '{"path": "a"}'},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
    ]


def test_an_anthropic_turn_becomes_items_with_the_image_in_the_output() -> None:
    png = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "see"}, png]}
    assert to_items(
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {"n": 1}}]},
        {"role": "user", "content": [result, {"type": "text", "text": "go on"}]},
        source=ANTHROPIC,
    ) == [
        {"type": "function_call", "call_id": "a", "name": "read", "arguments": '{"n":1}'},
        {
            "type": "function_call_output",
            "call_id": "a",
            "output": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="},
            ],
        },
        {"type": "message", "role": "user", "content": "go on"},
    ]


@pytest.mark.parametrize(
    ("call", "output"),
    [
        (PATCH, {"type": "custom_tool_call_output", "call_id": "call_2", "output": "ok"}),
        (
            {"type": "shell_call", "call_id": "s", "action": {"commands": []}},
            {
                "type": "shell_call_output",
                "call_id": "s",
                "output": [{"stdout": "ok", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
            },
        ),
        (
            {"type": "local_shell_call", "call_id": "s", "action": {}},
            {"type": "local_shell_call_output", "id": "s", "output": "ok"},
        ),
        (
            {"type": "apply_patch_call", "call_id": "s", "operation": {}},
            {"type": "apply_patch_call_output", "call_id": "s", "status": "completed", "output": "ok"},
        ),
    ],
)
def test_an_answer_of_another_format_has_the_type_that_its_call_asks_for(
    call: dict[str, Any], output: dict[str, Any]
) -> None:
    answer = Message(role="tool", parts=(ToolCallResponsePart(id=call["call_id"], response="ok"),))
    assert write_messages([read_message(call), answer], carry) == [call, output]


def test_what_only_openai_can_use_does_not_cross() -> None:
    items = [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b3Bh"},
        {"type": "compaction", "encrypted_content": "b3Bh"},
        {"type": "image_generation_call", "id": "ig_1", "result": "iVBORw0KGgo="},
        {"type": "item_reference", "id": "msg_1"},
    ]
    messages = [read_message(item) for item in items]
    assert [write_context(messages, target) for target in (CHAT, ANTHROPIC, Format.GEMINI)] == [[], [], []]


def test_a_message_whose_parts_were_exchanged_is_written_by_what_it_holds_now() -> None:
    output = read_message({"type": "function_call_output", "call_id": "a", "output": "long", "id": "fco_1"})
    shorter = replace(output, parts=(replace(output.parts[0], response="short"),))
    assert write_messages([shorter], carry) == [
        {"type": "function_call_output", "call_id": "a", "output": "short", "id": "fco_1"}
    ]
    compacted = replace(output, parts=(CompactionPart(content="so far"),))
    assert write_messages([compacted], carry) == [{"type": "message", "role": "user", "content": "so far"}]
