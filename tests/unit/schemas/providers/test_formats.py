"""Formats by name: detection, and what becomes of each piece in a format that it did not come in."""

from typing import Any

import pytest

from tailrace.schemas.errors import Invalid, UnknownVersion
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import (
    detect_format,
    read_among,
    read_native,
    shown_format,
    write_context,
)
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.providers.tools import tool_definitions
from tailrace.schemas.records.message import Format, Message, format_named
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

OPENAI, ANTHROPIC, TAILRACE = Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES, Format.TAILRACE
RESPONSES, GEMINI = Format.OPENAI_RESPONSES, Format.GEMINI

PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
PNG_URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def cross(source: Format, target: Format, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    return write_context([read_native(source, message) for message in messages], target)


def to_openai(*blocks: dict[str, Any], role: str = "user") -> list[dict[str, Any]]:
    return cross(ANTHROPIC, OPENAI, {"role": role, "content": list(blocks)})


def to_anthropic(*items: dict[str, Any], role: str = "user") -> list[dict[str, Any]]:
    return cross(OPENAI, ANTHROPIC, {"role": role, "content": list(items)})


def call(call_id: str, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "read", "arguments": arguments}}


def calls(*tool_calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(tool_calls)}


def use(call_id: str, arguments: Any = None) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "read", "input": arguments or {}}


def result(call_id: str, *content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, **({"content": content[0]} if content else {}), **fields}


def answer(call_id: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **fields}


def test_every_format_has_a_provider() -> None:
    assert set(PROVIDERS) == set(Format)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"role": "user", "content": "hi"}, OPENAI),
        ({"role": "user", "content": [text("hi")]}, OPENAI),
        ({"role": "user", "content": [PNG_URL]}, OPENAI),
        ({"role": "user", "content": [{"type": "image"}]}, OPENAI),
        ({"role": "user", "content": [text("hi"), PNG]}, ANTHROPIC),
        ({"role": "assistant", "content": [use("a")]}, ANTHROPIC),
        ({"role": "user", "content": [result("a")]}, ANTHROPIC),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, ANTHROPIC),
        ({"role": "assistant", "content": [{"type": "web_search_tool_result"}]}, ANTHROPIC),
        ({"role": "tool", "tool_call_id": "a", "content": [PNG]}, OPENAI),
        ({"role": "user", "content": [{"type": "input_text", "text": "hi"}]}, RESPONSES),
        ({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]}, RESPONSES),
        ({"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}, RESPONSES),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}, OPENAI),
        ({"type": "message", "role": "user", "content": "hi"}, RESPONSES),
        ({"type": "message", "role": "assistant", "content": [text("hi")], "stop_reason": "end_turn"}, ANTHROPIC),
        ({"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"}, RESPONSES),
        ({"type": "function_call_output", "call_id": "a", "output": "1"}, RESPONSES),
        ({"type": "reasoning", "summary": []}, RESPONSES),
        ({"type": "compaction", "encrypted_content": "b3Bh"}, RESPONSES),
        ({"type": "ping"}, OPENAI),
        ({"role": "tool", "tool_call_id": "a", "content": [{"type": "input_text", "text": "hi"}]}, OPENAI),
        ({"role": "user", "parts": [{"text": "hi"}]}, GEMINI),
        ({"role": "model", "parts": [{"function_call": {"name": "read"}, "text": None}]}, GEMINI),
        ({"role": "user", "parts": [{"type": "text", "content": "hi"}]}, TAILRACE),
        ({"role": "user", "parts": [{"type": "new", "text": "hi"}]}, TAILRACE),
        ({"role": "model", "parts": []}, TAILRACE),
        ({"role": "user", "parts": []}, TAILRACE),
        ({"role": "user", "parts": [], "content": [PNG]}, TAILRACE),
        ({"role": [], "content": [None, {"type": []}, {}]}, OPENAI),
        ({}, OPENAI),
    ],
)
def test_a_bare_message_shows_its_format(data: dict[str, Any], expected: Format) -> None:
    assert detect_format(data) is expected


def test_a_refusal_of_openais_responses_keeps_what_it_says_and_its_id() -> None:
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}
    message = read_among(item, shown_format([{"role": "user", "content": "hi"}, item]))

    assert (message.format, message.parts) == (RESPONSES, (RefusalPart(content="no"),))
    assert write_context([message], RESPONSES) == [item]
    assert write_context([message], ANTHROPIC) == [{"role": "assistant", "content": "no"}]


def test_what_could_be_of_any_format_is_read_as_what_the_others_show() -> None:
    marked = {"role": "user", "content": [{**text("hi"), "cache_control": {"type": "ephemeral"}}]}
    talk = [marked, {"role": "assistant", "content": [use("a")]}]

    assert shown_format(talk) is ANTHROPIC
    assert read_among(marked, ANTHROPIC).format is ANTHROPIC
    assert shown_format([marked, {"role": "user", "parts": [{"type": "text", "content": "hi"}]}]) is None
    assert shown_format([*talk, {"role": "user", "parts": [{"text": "hi"}]}]) is None


@pytest.mark.parametrize(
    "data",
    [
        {
            "role": "assistant",
            "content": "well",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "user", "content": "hi", "name": "ann"},
    ],
)
def test_what_only_openai_chat_has_is_read_as_such_whatever_the_others_show(data: dict[str, Any]) -> None:
    for shown in (ANTHROPIC, RESPONSES, GEMINI):
        assert read_among(data, shown) == read_native(OPENAI, data)


@pytest.mark.parametrize(
    ("shown", "data"),
    [
        (GEMINI, {"role": "system", "content": "Never book without a yes."}),
        (GEMINI, {"role": "user", "content": [text("hi")]}),
        (RESPONSES, {"role": "user", "content": [text("hi")]}),
        (RESPONSES, {"role": "user", "content": [PNG_URL]}),
        (ANTHROPIC, {"role": "user", "content": [text("hi"), PNG_URL]}),
    ],
)
def test_words_and_media_of_openai_chat_are_not_lost_among_messages_of_another_format(
    shown: Format, data: dict[str, Any]
) -> None:
    assert read_among(data, shown) == read_native(OPENAI, data)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    known = "tailrace/1, openai.chat, openai.responses, anthropic.messages, gemini"
    says = f"message format 'google.genai' is not known. Known: {known}"
    with pytest.raises(UnknownVersion, match=says):
        read_native("google.genai", {})
    with pytest.raises(UnknownVersion, match=says):
        write_context([], "google.genai")


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(Invalid, match="message must be an object with role and content, got a list"):
        read_native(OPENAI, [])  # type: ignore[arg-type]  wrong on purpose


def test_the_plain_form_holds_all_that_is_known_of_a_message() -> None:
    data = {"role": "user", "parts": [{"type": "text", "content": "hi", "lang": "en"}, {"type": "new"}], "mood": "good"}
    message = read_native(TAILRACE, data)
    (written,) = write_context([message], TAILRACE)
    assert written == {
        "role": "user",
        "parts": [
            {"type": "text", "content": "hi", "extra": {"lang": "en"}},
            {"type": "generic", "value": {"type": "new"}},
        ],
        "extra": {"mood": "good"},
    }
    assert read_native(TAILRACE, written) == message


def test_a_part_without_a_readable_type_is_a_generic_part() -> None:
    assert read_native(TAILRACE, {"role": "user", "parts": [{"type": []}]}).parts == (GenericPart(value={"type": []}),)


# From OpenAI to Anthropic


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"path": "a.py"}', {"path": "a.py"}),
        ("", {}),
        ("[1]", {"_raw": "[1]"}),
        ('{"path": ', {"_raw": '{"path": '}),
        ("[" * 5000, {"_raw": "[" * 5000}),
        ({"path": "a.py"}, {"path": "a.py"}),
        (None, {}),
    ],
)
def test_arguments_become_an_object_for_anthropic(arguments: Any, expected: dict[str, Any]) -> None:
    assert cross(OPENAI, ANTHROPIC, calls(call("a", arguments))) == [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": expected}]}
    ]


def test_a_run_of_tool_messages_becomes_one_user_message() -> None:
    assert cross(
        OPENAI,
        ANTHROPIC,
        calls(call("a"), call("b"), content="looking"),
        answer("a", "1", name="read"),
        answer("b", [text("2"), text("3")], is_error=True),
        {"role": "user", "content": "thanks", "name": "ann"},
    ) == [
        {"role": "assistant", "content": [text("looking"), use("a"), use("b")]},
        {"role": "user", "content": [result("a", "1"), result("b", [text("2"), text("3")], is_error=True)]},
        {"role": "user", "content": "thanks"},
    ]


@pytest.mark.parametrize("content", [None, "", " \n", []])
def test_an_answer_without_content_is_still_an_answer(content: Any) -> None:
    assert cross(OPENAI, ANTHROPIC, answer("a", content)) == [{"role": "user", "content": [result("a")]}]


def test_the_old_function_call_crosses_as_a_call_with_its_answer() -> None:
    written = cross(
        OPENAI,
        ANTHROPIC,
        {"role": "assistant", "content": None, "function_call": {"name": "read", "arguments": "{}"}},
        {"role": "function", "name": "read", "content": "ok"},
    )
    assert written == [
        {"role": "assistant", "content": [use("function_call_read")]},
        {"role": "user", "content": [result("function_call_read", "ok")]},
    ]


@pytest.mark.parametrize(("role", "expected"), [("system", "system"), ("developer", "system"), ("user", "user")])
def test_roles_cross_to_anthropic(role: str, expected: str) -> None:
    assert cross(OPENAI, ANTHROPIC, {"role": role, "content": "hi"}) == [{"role": expected, "content": "hi"}]


@pytest.mark.parametrize(
    ("item", "block"),
    [
        (PNG_URL, PNG),
        (
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
        ),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"}},
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}},
        ),
        ({"type": "file", "file": {"file_data": "data:image/png;base64,iVBORw0KGgo="}}, PNG),
        (
            {"type": "image_url", "image_url": {"url": "data:image/tiff;base64,AA=="}},
            text("[image image/tiff: not shown]"),
        ),
        ({"type": "image_url", "image_url": {"url": "gs://a/b.png"}}, text("[image: gs://a/b.png]")),
        (
            {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
            text("[audio audio/wav: not shown]"),
        ),
        ({"type": "refusal", "refusal": "no"}, text("no")),
        ({"type": "video_url", "video_url": {"url": "x"}}, text('{"type":"video_url","video_url":{"url":"x"}}')),
    ],
)
def test_content_items_cross_to_anthropic(item: dict[str, Any], block: dict[str, Any]) -> None:
    assert to_anthropic(text("see"), item) == [{"role": "user", "content": [text("see"), block]}]


def test_images_in_answers_cross_to_anthropic() -> None:
    assert cross(OPENAI, ANTHROPIC, answer("a", [text("see"), PNG_URL])) == [
        {"role": "user", "content": [result("a", [text("see"), PNG])]}
    ]


def test_images_that_anthropic_takes_only_from_users_become_notes() -> None:
    assert to_anthropic(PNG_URL, role="assistant") == [{"role": "assistant", "content": "[image image/png: not shown]"}]


def test_a_transcript_crosses_without_its_audio() -> None:
    spoken = {"role": "assistant", "content": None, "audio": {"id": "audio_1", "transcript": "hello"}}
    assert cross(OPENAI, ANTHROPIC, spoken) == [{"role": "assistant", "content": "hello"}]


@pytest.mark.parametrize(
    "data",
    [
        {"role": "assistant", "content": None, "reasoning_content": "hm"},
        {"role": "assistant", "content": [], "refusal": " "},
        {"role": "assistant"},
        {"role": "user", "content": " \n"},
        {"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]},
    ],
)
def test_a_message_of_which_nothing_crosses_to_anthropic_is_left_out(data: dict[str, Any]) -> None:
    assert cross(OPENAI, ANTHROPIC, data) == []


# From Anthropic to OpenAI


def test_input_becomes_compact_json_for_openai() -> None:
    block = use("a", {"path": "ä.py", "lines": [1, 2]})
    assert to_openai(text("looking"), block, role="assistant") == [
        calls(call("a", '{"path":"ä.py","lines":[1,2]}'), content="looking")
    ]
    assert to_openai(use("a"), role="assistant") == [calls(call("a", "{}"))]


def test_answers_become_tool_messages_and_the_rest_follows_as_user() -> None:
    assert to_openai(
        result("a", "1", is_error=True), result("b", [text("2"), text("3")]), result("c"), text("go on")
    ) == [
        answer("a", "1"),
        answer("b", [text("2"), text("3")]),
        answer("c", ""),
        {"role": "user", "content": "go on"},
    ]


def test_images_in_answers_follow_the_whole_run_of_tool_messages() -> None:
    messages = [
        read_native(OPENAI, calls(call("a"), call("b"))),
        read_native(ANTHROPIC, {"role": "user", "content": [result("a", [text("see"), PNG]), text("this")]}),
        read_native(OPENAI, answer("b", "2")),
        read_native(OPENAI, {"role": "user", "content": "next"}),
    ]
    assert write_context(messages, OPENAI) == [
        calls(call("a"), call("b")),
        answer("a", "see"),
        answer("b", "2"),
        {"role": "user", "content": [PNG_URL, text("this")]},
        {"role": "user", "content": "next"},
    ]


def test_calls_inside_an_answer_are_text() -> None:
    assert to_openai(result("a", [use("b")])) == [answer("a", '{"type":"tool_use","id":"b","name":"read","input":{}}')]


@pytest.mark.parametrize(
    ("block", "item"),
    [
        (PNG, PNG_URL),
        (
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}, "cache_control": {}},
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        ),
        (
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}},
            {
                "type": "file",
                "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
            },
        ),
        (
            {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}},
            text("[document: https://example.org/a.pdf]"),
        ),
        ({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}}, text("words")),
        ({"type": "compaction", "content": "so far"}, text("so far")),
        ({"type": "search_result", "title": "t"}, text('{"type":"search_result","title":"t"}')),
        ({"type": "mcp_tool_result", "content": []}, text('{"type":"mcp_tool_result","content":[]}')),
    ],
)
def test_blocks_cross_to_openai(block: dict[str, Any], item: dict[str, Any]) -> None:
    assert to_openai(text("see"), block) == [{"role": "user", "content": [text("see"), item]}]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b3Bh"},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
        {"type": "container_upload", "file_id": "file_1"},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "compaction", "content": None},
        {"type": "text", "text": "  "},
    ],
)
def test_what_only_anthropic_can_use_is_left_out(block: dict[str, Any]) -> None:
    assert to_openai(block, role="assistant") == []
    assert to_openai(text("hi"), block, role="assistant") == [{"role": "assistant", "content": "hi"}]


def test_the_system_prompt_stays_a_message() -> None:
    blocks = [{**text("be brief"), "cache_control": {"type": "ephemeral"}}, text("be kind")]
    assert to_openai(*blocks, role="system") == [{"role": "system", "content": [text("be brief"), text("be kind")]}]


# From the plain form to either


@pytest.mark.parametrize(
    ("part", "openai", "anthropic"),
    [
        (TextPart(content="hi", extra={"x": 1}), "hi", "hi"),
        (CompactionPart(id="c1", content="so far"), "so far", "so far"),
        (RefusalPart(content="no"), "no", "no"),
        (UriPart(uri="s3://a/b", modality="video", mime_type="video/mp4"), "[video video/mp4: s3://a/b]", None),
        (BlobPart(content="AA==", modality="video"), "[video: not shown]", None),
        (GenericPart(value=[1]), "[1]", "[1]"),
        (
            FilePart(file_id="f1", modality="image"),
            [{"type": "file", "file": {"file_id": "f1"}}],
            [{"type": "image", "source": {"type": "file", "file_id": "f1"}}],
        ),
        (FilePart(file_id="f1", modality="audio"), [{"type": "file", "file": {"file_id": "f1"}}], "[audio: file f1]"),
    ],
)
def test_parts_of_the_plain_form_are_written_for_either(part: AnyPart, openai: Any, anthropic: Any) -> None:
    message = Message(role="user", parts=(part, ReasoningPart(content="hm")))
    assert write_context([message], OPENAI) == [{"role": "user", "content": openai}]
    assert write_context([message], ANTHROPIC) == [{"role": "user", "content": anthropic or openai}]


def test_a_plain_turn_with_calls_and_their_answers_is_taken_apart() -> None:
    message = Message(
        role="model",
        name="coder",
        parts=(
            ToolCallPart(id="a", name="read", arguments={"n": 1}),
            ToolCallResponsePart(id="a", response={"ok": True}),
            RefusalPart(content="no more"),
        ),
    )
    assert write_context([message], OPENAI) == [
        {
            "role": "assistant",
            "name": "coder",
            "content": [{"type": "refusal", "refusal": "no more"}],
            "tool_calls": [call("a", '{"n":1}')],
        },
        answer("a", '{"ok":true}'),
    ]
    assert write_context([message], ANTHROPIC) == [
        {"role": "assistant", "content": [text("no more"), use("a", {"n": 1})]},
        {"role": "user", "content": [result("a", '{"ok":true}')]},
    ]


def test_an_answer_of_the_plain_form_may_be_a_list_of_anything() -> None:
    def plain(response: Any) -> Message:
        return Message(role="tool", parts=(ToolCallResponsePart(id="a", response=response),))

    assert write_context([plain([text("1"), text("2")])], OPENAI) == [answer("a", [text("1"), text("2")])]
    assert write_context([plain([1, 2])], OPENAI) == [answer("a", "[1,2]")]


def test_the_short_name_of_anthropic_means_its_messages_everywhere() -> None:
    data = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
    message = read_native("anthropic", data)
    request = request_of([message], "anthropic")

    assert message == read_native(Format.ANTHROPIC_MESSAGES, data)
    assert write_context([message], "anthropic") == [data]
    assert request == request_of([message], Format.ANTHROPIC_MESSAGES)
    assert violations(request, "anthropic") == []
    assert violations({}, "anthropic") == violations({}, "anthropic.messages") != []
    assert tool_definitions("anthropic") == tool_definitions("anthropic.messages")
    assert format_named("anthropic") is Format.ANTHROPIC_MESSAGES
