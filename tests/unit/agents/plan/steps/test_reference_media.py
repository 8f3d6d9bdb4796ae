"""Media of old messages become references; everything else of them stays."""

from typing import Any

import pytest
from support.drafts import calls, draft, exchange, result, shown, take, user

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.wording import pointer_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.tokens.media import IMAGE_UNKNOWN_TOKENS, UNSEEN_TOKENS
from tailrace.schemas.policy.steps import ReferenceMedia
from tailrace.schemas.providers.media_notes import replace_media
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, BlobPart, FilePart, GenericPart, TextPart, UriPart

PICTURE = BlobPart(content="aaaa", modality="image", mime_type="image/png")
SOURCE = {"type": "base64", "media_type": "image/png", "data": "aaaa"}
#: The first user message is kept, and so is the latest; what is between them is three, two and one turns old.
FIRST, TURNS = user(), [user(), user(), user()]


def with_media(*parts: AnyPart) -> MessageInput:
    return MessageInput(Message(role="user", parts=parts))


def reference(said: MessageInput, modality_note: str, tokens: int) -> str:
    return pointer_text(artifact_id(said.message), tokens, modality_note)


def old(*said: MessageInput, step: ReferenceMedia | None = None) -> Draft:
    return take(step or ReferenceMedia(), draft([FIRST, *said, *TURNS]))


def test_a_picture_becomes_a_reference_and_the_text_beside_it_stays() -> None:
    said = with_media(TextPart(content="look at this"), PICTURE, TextPart(content="please"))

    one = old(said)

    assert shown(one)[1].parts == (
        TextPart(content="look at this"),
        TextPart(content=reference(said, "[image image/png: not shown]", IMAGE_UNKNOWN_TOKENS)),
        TextPart(content="please"),
    )
    item = one.groups[1].items[0]
    assert (item.action, item.artifact_id) == (Action.EXTERNALIZE, artifact_id(said.message))


@pytest.mark.parametrize(
    ("part", "note", "tokens"),
    [
        (UriPart(uri="https://x.org/a.png", modality="image"), "[image: https://x.org/a.png]", IMAGE_UNKNOWN_TOKENS),
        (FilePart(file_id="f1", modality="document"), "[document: file f1]", UNSEEN_TOKENS),
        (GenericPart(value={"type": "image", "source": SOURCE}), "[image: not shown]", IMAGE_UNKNOWN_TOKENS),
    ],
)
def test_media_elsewhere_and_in_foreign_blocks_too(part: AnyPart, note: str, tokens: int) -> None:
    said = with_media(part)

    assert shown(old(said))[1].parts == (TextPart(content=reference(said, note, tokens)),)


@pytest.mark.parametrize(
    ("keep_turns", "stays"), [(0, [False] * 3), (2, [False, False, True]), (3, [False, True, True])]
)
def test_what_was_looked_at_lately_stays(keep_turns: int, stays: list[bool]) -> None:
    talk = [user(), *(with_media(PICTURE) for _ in range(3)), user()]

    one = take(ReferenceMedia(keep_turns=keep_turns), draft(talk))

    assert [PICTURE in message.parts for message in shown(one)[1:4]] == stays


def test_the_pictures_of_the_latest_prompt_stay() -> None:
    one = take(ReferenceMedia(keep_turns=0), draft([user(), with_media(PICTURE)]))

    assert PICTURE in shown(one)[1].parts


TEXT = {"type": "text", "text": "seen"}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ([TEXT, {"type": "image", "source": SOURCE}], [TEXT, {"type": "text", "text": "*"}]),
        ([{"type": "image", "data": "aaaa", "mimeType": "image/png"}], [{"type": "text", "text": "*"}]),
        ([{"type": "input_image", "image_url": "data:image/png;base64,aaaa"}], [{"type": "input_text", "text": "*"}]),
        ({"ok": True, "shot": "data:image/png;base64,aaaa"}, {"ok": True, "shot": "*"}),
        ({"ok": True, "shot": {"mimeType": "image/png", "data": "aaaa"}}, {"ok": True, "shot": "*"}),
    ],
    ids=["anthropic", "mcp", "responses", "address", "gemini"],
)
def test_a_picture_in_a_result_becomes_a_reference_in_its_place(response: Any, expected: Any) -> None:
    answer = result("a", response)

    one = old(calls("a"), answer)

    found = shown(one)[2].parts[0].response  # type: ignore[union-attr]
    note = reference(answer, "[image: not shown]", IMAGE_UNKNOWN_TOKENS)
    assert found == _with(expected, note)
    assert shown(one)[2].answered_ids == ("a",)


def _with(expected: Any, note: str) -> Any:
    if isinstance(expected, dict):
        return {key: _with(value, note) for key, value in expected.items()}
    if isinstance(expected, list):
        return [_with(value, note) for value in expected]
    return note if expected == "*" else expected


def test_what_is_encrypted_stays_for_its_provider() -> None:
    block = {"type": "tool_result_block", "encrypted_content": "aaaa" * 500}
    talk = [FIRST, *exchange("a", [block]), *TURNS]

    one = take(ReferenceMedia(), draft(talk))

    assert {item.action for group in one.groups for item in group.items} == {Action.INCLUDE}


def test_a_message_without_media_stays_as_it_is() -> None:
    one = old(user(200), *exchange("a", [{"type": "text", "text": "word " * 200}]))

    assert {item.action for group in one.groups for item in group.items} == {Action.INCLUDE}


def test_the_second_time_there_is_nothing_to_do() -> None:
    one = old(with_media(PICTURE))
    again = draft([FIRST, MessageInput(shown(one)[1]), *TURNS])

    assert shown(take(ReferenceMedia(), again)) == shown(one)


def test_nesting_beyond_all_sense_is_left_alone() -> None:
    value: Any = {"shot": "data:image/png;base64,aaaa"}
    for _ in range(5_000):
        value = [value]

    assert replace_media(value, lambda _: "note") is value
