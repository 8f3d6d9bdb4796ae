"""What counts in a message: text, names, calls, answers, media, and nothing of base64."""

import base64
import random
from typing import Any

import pytest

from tailrace.agents.tokens import counts
from tailrace.agents.tokens import media as media_tokens
from tailrace.agents.tokens.counts import count_message, count_tool_schemas
from tailrace.agents.tokens.media import IMAGE_BASE_TOKENS, IMAGE_UNKNOWN_TOKENS, UNSEEN_TOKENS, image_tokens
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Part,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

PICTURE = base64.b64encode(random.Random(1).randbytes(60_000)).decode()


class Words:
    """Counts words: a counter whose sums are easily checked by eye."""

    encoding = "words"

    def count_text(self, text: str) -> int:
        return len(text.split())


def cost_of(*parts: AnyPart) -> int:
    """Tokens of the parts without the message around them."""
    return count_message(Message(role="user", parts=parts), Words()) - count_message(Message(role="user"), Words())


def answer(response: Any) -> int:
    """Tokens of a tool's answer without what is around it."""
    return cost_of(ToolCallResponsePart(id="c1", response=response)) - counts.TOOL_RESPONSE_OVERHEAD_TOKENS


def test_a_message_costs_its_text_its_role_and_three_marks() -> None:
    message = Message(role="user", parts=(TextPart(content="one two three"),))

    assert count_message(message, Words()) == 3 + 1 + 3


def test_a_name_costs_itself_and_a_mark() -> None:
    message = Message(role="user", name="ada", parts=(TextPart(content="hello"),))

    assert count_message(message, Words()) == 3 + 1 + 1 + 1 + 1


def test_every_type_of_part_can_be_counted() -> None:
    assert set(counts._PART_TOKENS) == set(Part.__subclasses__())


@pytest.mark.parametrize("part_type", [TextPart, ReasoningPart, RefusalPart, CompactionPart])
def test_parts_with_content_cost_their_text(part_type: Any) -> None:
    assert cost_of(part_type(content="four words of text")) == 4


def test_a_compaction_that_only_its_provider_can_read_costs_nothing() -> None:
    assert cost_of(CompactionPart(id="x")) == 0


def test_a_call_costs_its_name_and_arguments_whether_they_are_text_or_an_object() -> None:
    as_text = cost_of(ToolCallPart(id="c1", name="search", arguments='{"query":"two words"}'))
    as_object = cost_of(ToolCallPart(id="c1", name="search", arguments={"query": "two words"}))

    assert as_text == as_object == counts.TOOL_CALL_OVERHEAD_TOKENS + 1 + 2


def test_an_answer_in_text_blocks_costs_what_the_same_plain_text_costs() -> None:
    text = 'line one\nline "two"\n'

    assert answer([{"type": "text", "text": text}]) == answer(text) == 4
    assert answer(None) == 0


def test_an_answer_that_is_an_object_costs_its_json() -> None:
    assert answer({"state": "all is well"}) == 3


def test_a_generic_part_costs_its_json() -> None:
    assert cost_of(GenericPart(value={"type": "novel", "body": "one two three"})) == 3


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
        {"type": "image", "data": PICTURE, "mimeType": "image/png"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}"},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {"type": "image", "source": {"type": "file", "file_id": "f1"}},
        {"type": "wrapped", "deep": [{"inline_data": {"mime_type": "image/png", "data": PICTURE}}]},
    ],
)
def test_an_image_in_an_answer_costs_an_image_and_none_of_its_base64(block: dict[str, Any]) -> None:
    text_around = 1

    assert answer([block]) == IMAGE_UNKNOWN_TOKENS + text_around
    assert cost_of(GenericPart(value=block)) == IMAGE_UNKNOWN_TOKENS + text_around


def test_base64_with_line_breaks_is_not_counted_as_text_either() -> None:
    wrapped = base64.encodebytes(base64.b64decode(PICTURE)).decode()
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": wrapped}}

    assert answer([block]) == IMAGE_UNKNOWN_TOKENS + 1


def test_the_text_of_a_document_is_counted_as_text() -> None:
    block = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "one two three"}}

    assert answer([block]) == 3


def test_a_listing_of_files_is_no_media() -> None:
    listing = [{"type": "file", "name": "a.txt"}, {"type": "file", "name": "b.txt"}, {"type": "image"}]

    assert answer(listing) == 3


def test_images_cost_the_same_however_they_come() -> None:
    parts = [
        BlobPart(content=PICTURE, modality="image", mime_type="image/png"),
        UriPart(uri="https://example.org/cat.png", modality="image"),
        UriPart(uri=f"data:image/png;base64,{PICTURE}", modality="image"),
        FilePart(file_id="f1", modality="image"),
    ]

    assert {cost_of(part) for part in parts} == {IMAGE_UNKNOWN_TOKENS}


def test_an_image_of_known_size_or_low_detail_costs_by_that() -> None:
    known = BlobPart(content=PICTURE, modality="image", extra={"width": 1024, "height": 1024})
    low = UriPart(uri="https://example.org/cat.png", modality="image", extra={"image_url": {"detail": "low"}})

    assert cost_of(known) == 765
    assert cost_of(low) == IMAGE_BASE_TOKENS


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (100, 100, 85 + 170),
        (1024, 1024, 85 + 4 * 170),
        (2048, 4096, 85 + 6 * 170),
        (1920, 1080, 85 + 6 * 170),
        (100_000, 1, 85 + 4 * 170),
        (0, 100, IMAGE_UNKNOWN_TOKENS),
        (-5, 100, IMAGE_UNKNOWN_TOKENS),
        (float("nan"), 100, IMAGE_UNKNOWN_TOKENS),
    ],
)
def test_images_cost_their_tiles(width: float, height: float, expected: int) -> None:
    assert image_tokens(width, height) == expected


@pytest.mark.parametrize("width", [True, "1024", None, [], 10**400, float("inf")])
def test_a_senseless_size_of_an_image_does_no_harm(width: Any) -> None:
    part = BlobPart(content="", modality="image", extra={"width": width, "height": width})

    assert 0 < cost_of(part) <= IMAGE_UNKNOWN_TOKENS


@pytest.mark.parametrize(
    ("modality", "mime_type", "bytes_per_token"),
    [
        ("audio", "audio/wav", 500),
        ("video", None, 400),
        ("document", "application/pdf", 25),
        ("document", "text/csv", 3),
    ],
)
def test_other_media_costs_by_its_bytes(modality: str, mime_type: str | None, bytes_per_token: int) -> None:
    part = BlobPart(content=PICTURE, modality=modality, mime_type=mime_type)

    assert cost_of(part) == 60_000 / bytes_per_token


def test_media_that_is_elsewhere_costs_a_flat_estimate() -> None:
    assert cost_of(FilePart(file_id="f1", modality="document")) == UNSEEN_TOKENS
    assert cost_of(UriPart(uri="https://example.org/a.mp3", modality="audio")) == UNSEEN_TOKENS


def test_encrypted_reasoning_is_taken_for_prose() -> None:
    block = {"type": "redacted_thinking", "data": PICTURE}

    assert cost_of(GenericPart(value=block)) == 60_000 / media_tokens.BYTES_PER_TOKEN["encrypted"] + 1


def test_what_providers_send_is_counted_after_it_was_read() -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}", "detail": "low"}}
    question = {"role": "user", "content": [{"type": "text", "text": "what is this"}, picture]}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "two words"}]}

    assert count_message(read_native("openai.chat", question), Words()) == 3 + 1 + 3 + IMAGE_BASE_TOKENS
    assert (
        count_message(read_native("anthropic.messages", {"role": "user", "content": [result]}), Words())
        == 3 + 1 + counts.TOOL_RESPONSE_OVERHEAD_TOKENS + 2
    )


def test_values_that_no_encoder_takes_are_counted_all_the_same() -> None:
    deep: Any = "bottom"
    for _ in range(100_000):
        deep = [deep]
    try:
        assert answer({"deep": deep}) == 2
    finally:
        while isinstance(deep, list):  # taken apart from outside: a destructor that deep would recurse
            deep = deep.pop()
    assert answer({"half": "a \ud800 pair"}) == 4


def test_tool_schemas_cost_their_json_and_the_marks_around_them() -> None:
    tool = {"type": "function", "function": {"name": "search", "description": "Finds a page"}}

    one = count_tool_schemas([tool], Words())

    assert one == counts.TOOL_LIST_OVERHEAD_TOKENS + counts.TOOL_SCHEMA_OVERHEAD_TOKENS + 3
    assert count_tool_schemas([tool, tool], Words()) - one == counts.TOOL_SCHEMA_OVERHEAD_TOKENS + 3
    assert count_tool_schemas([], Words()) == 0


WORDS = "one two three " * 30


@pytest.mark.parametrize("field", ["reasoning_details", "thinking_blocks", "provider_specific_fields"])
def test_what_gateways_send_beside_the_content_of_a_chat_is_counted(field: str) -> None:
    said = {"role": "assistant", "content": "done", field: [{"type": "reasoning.text", "text": WORDS}]}

    assert count_message(read_native("openai.chat", said), Words()) > 90


def test_what_a_runtime_notes_for_itself_is_not_sent_and_costs_nothing() -> None:
    plain = {"role": "assistant", "content": "done"}
    answer = {"role": "tool", "tool_call_id": "c1", "content": "done"}

    for said in (plain, answer):
        noted = read_native("openai.chat", {**said, "trace": WORDS})
        assert count_message(noted, Words()) == count_message(read_native("openai.chat", said), Words())


@pytest.mark.parametrize(
    ("message_format", "message"),
    [
        ("openai.responses", {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": PICTURE}),
        ("openai.responses", {"type": "compaction", "id": "c", "encrypted_content": PICTURE}),
        (
            "anthropic.messages",
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": PICTURE}]},
        ),
        (
            "gemini",
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}, "thoughtSignature": PICTURE}]},
        ),
        (
            "openai.chat",
            {"role": "assistant", "content": "x", "thinking_blocks": [{"type": "thinking", "signature": PICTURE}]},
        ),
        ("openai.chat", {"role": "assistant", "content": "x", "reasoning_opaque": PICTURE}),
    ],
)
def test_what_only_a_provider_can_read_of_its_models_thoughts_is_counted(
    message_format: str, message: dict[str, Any]
) -> None:
    sealed = 60_000 / media_tokens.BYTES_PER_TOKEN["encrypted"]

    assert sealed <= count_message(read_native(message_format, message), Words()) <= sealed + 30


def test_thinking_is_counted_once_whether_it_is_read_or_sealed() -> None:
    def thought(signature: str) -> int:
        block = {"type": "thinking", "thinking": WORDS, "signature": signature}
        return count_message(read_native("anthropic.messages", {"role": "assistant", "content": [block]}), Words())

    assert thought("s" * 400) == thought("s")
    assert thought(PICTURE) > thought("s")


def test_media_of_a_functions_response_is_counted() -> None:
    media = {"inlineData": {"mimeType": "application/pdf", "data": PICTURE}}
    body = {"id": "1", "name": "f", "response": {"output": "see"}, "parts": [media]}

    counted = count_message(read_native("gemini", {"role": "user", "parts": [{"functionResponse": body}]}), Words())

    assert counted > 60_000 / media_tokens.BYTES_PER_TOKEN["document"]
