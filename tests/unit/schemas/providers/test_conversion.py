"""What crosses to another provider's format: bytes of media never as text, and media only where the target takes it."""

import json
from typing import Any

import pytest

from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format, message_from_json

BYTES = "iVBORw0KGgo" * 60
DATA_URL = f"data:image/png;base64,{BYTES}"
OTHERS = {
    source: [target for target in Format if target not in (source, Format.TAILRACE)]
    for source in (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)
}


def crossed(source: Format, target: Format, *messages: dict[str, Any]) -> dict[str, Any]:
    return request_of([read_native(source, message) for message in messages], target)


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [
            text
            for key, child in value.items()
            for text in ([child] if key in ("text", "content", "output") and isinstance(child, str) else texts(child))
        ]
    return [text for child in value for text in texts(child)] if isinstance(value, list) else []


SCREENSHOT = (
    {"type": "computer_call", "call_id": "c1", "id": "cu_1", "action": {"type": "screenshot"}, "status": "completed"},
    {
        "type": "computer_call_output",
        "call_id": "c1",
        "output": {"type": "computer_screenshot", "image_url": DATA_URL},
    },
)
PICTURE_BLOCK = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BYTES}}
DOCUMENT = {"type": "document", "source": {"type": "content", "content": [PICTURE_BLOCK]}}
RESULT = {"output": {"shot": {"mime_type": "image/png", "data": BYTES}, "width": 7}}


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        (Format.OPENAI_RESPONSES, SCREENSHOT),
        (Format.ANTHROPIC_MESSAGES, ({"role": "user", "content": [DOCUMENT]},)),
        (
            Format.OPENAI_CHAT,
            (
                {
                    "role": "user",
                    "content": [{"type": "input_audio", "input_audio": {"data": BYTES, "format": "flac"}}],
                },
            ),
        ),
        (Format.OPENAI_CHAT, ({"role": "user", "content": [{"type": "image_url", "image_url": DATA_URL}]},)),
        (
            Format.GEMINI,
            (
                {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": RESULT}}]},
            ),
        ),
    ],
)
def test_bytes_of_media_never_cross_as_text(source: Format, messages: tuple[dict[str, Any], ...]) -> None:
    for target in OTHERS[source]:
        request = crossed(source, target, *messages)

        assert texts(request) or BYTES in json.dumps(request)
        assert not [text for text in texts(request) if BYTES in text]


@pytest.mark.parametrize("target", OTHERS[Format.OPENAI_RESPONSES])
def test_a_screenshot_crosses_as_an_image(target: Format) -> None:
    assert BYTES in json.dumps(crossed(Format.OPENAI_RESPONSES, target, *SCREENSHOT))


@pytest.mark.parametrize("target", OTHERS[Format.OPENAI_CHAT])
def test_an_image_in_an_old_form_crosses_as_an_image(target: Format) -> None:
    message = {"role": "user", "content": [{"type": "image_url", "image_url": DATA_URL}]}

    assert BYTES in json.dumps(crossed(Format.OPENAI_CHAT, target, message))


def test_what_stands_around_media_in_an_answer_is_still_read() -> None:
    call = {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]}
    answer = {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": RESULT}}]}

    (text,) = [text for text in texts(crossed(Format.GEMINI, Format.OPENAI_CHAT, call, answer)) if "width" in text]

    assert json.loads(text) == {"output": {"shot": "[image: not shown]", "width": 7}}


def test_gemini_gets_a_note_for_the_image_type_that_it_does_not_know() -> None:
    url = f"data:image/gif;base64,{BYTES}"
    message = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}

    assert crossed(Format.OPENAI_CHAT, Format.GEMINI, message) == {
        "contents": [{"role": "user", "parts": [{"text": "[image image/gif: not shown]"}]}]
    }


def test_anthropic_gets_a_note_for_an_address_that_it_does_not_fetch() -> None:
    message = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://example.org/a.png"}}]}

    assert crossed(Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES, message) == {
        "messages": [{"role": "user", "content": "[image: http://example.org/a.png]"}]
    }


def test_media_of_a_failure_stands_behind_the_result_for_anthropic() -> None:
    call = {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "look", "args": {}}}]}
    media = [{"inlineData": {"mimeType": "image/png", "data": BYTES}}]
    body = {"id": "c1", "name": "look", "response": {"error": "dark"}, "parts": media}
    failure = {"role": "user", "parts": [{"functionResponse": body}]}

    *_, last = crossed(Format.GEMINI, Format.ANTHROPIC_MESSAGES, call, failure)["messages"]

    assert last["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "dark", "is_error": True},
        PICTURE_BLOCK,
    ]


@pytest.mark.parametrize("target", [one for one in Format if one is not Format.TAILRACE])
def test_bytes_of_media_in_an_answer_of_our_own_form_are_never_written_as_text(target: Format) -> None:
    call = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look"}]}
    response = [[RESULT["output"]], {"width": 7}]
    answer = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": response}]}

    request = request_of([message_from_json(call), message_from_json(answer)], target)

    assert BYTES not in json.dumps(request)
    assert "width" in json.dumps(request)
