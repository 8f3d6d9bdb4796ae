"""Messages made shorter: they fit, they stay answers and calls, and they say where the whole is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drafts import calls, count, words
from support.strategies import any_messages, patient

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.artifacts.shorten import shorten, shorten_results, with_results
from tailrace.agents.messages.clip import beginning, clip
from tailrace.agents.messages.wording import CUT_NOTE, brief_pointer_text, pointer_text
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    GenericPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

LONG = "\n".join(words(9, f"line{number}-") for number in range(100))


def message(*parts: AnyPart, role: str = "assistant", **fields: object) -> Message:
    return Message(role=role, parts=parts, **fields)  # type: ignore[arg-type]


def shorter(original: Message, tokens_max: int) -> Message:
    return shorten(original, tokens_max, count(original), count)


def test_a_long_text_keeps_its_beginning_and_its_end_around_a_pointer() -> None:
    original = message(TextPart(content=LONG))

    cut = shorter(original, 200)

    (part,) = cut.parts
    assert isinstance(part, TextPart)
    pointer = brief_pointer_text(artifact_id(original), count(original))
    head, _, tail = part.content.partition(f"\n{pointer}\n")
    assert LONG.startswith(head)
    assert LONG.endswith(tail)
    assert 185 < count(cut) <= 200
    assert len(head) > len(tail) > 0


def test_how_to_read_the_whole_is_said_where_there_is_room_for_it() -> None:
    original = message(TextPart(content=LONG * 2))

    assert pointer_text(artifact_id(original), count(original)) in str(shorter(original, 600).parts)
    assert "read_artifact" not in str(shorter(original, 400).parts)


def test_with_no_room_only_the_pointer_is_left() -> None:
    original = message(TextPart(content=LONG), BlobPart(content="aaaa", modality="image"), TextPart(content=LONG))

    assert shorter(original, 0).parts == (TextPart(content=brief_pointer_text(artifact_id(original), count(original))),)


def test_an_answer_stays_an_answer_and_keeps_what_its_provider_said_about_it() -> None:
    original = message(ToolCallResponsePart(id="a", response=LONG, extra={"is_error": True}), role="tool")

    (part,) = shorter(original, 100).parts

    assert isinstance(part, ToolCallResponsePart)
    assert (part.id, part.extra) == ("a", {"is_error": True})
    assert artifact_id(original) in str(part.response)


def test_answers_in_one_message_stay_apart() -> None:
    original = message(*(ToolCallResponsePart(id=key, response=f"{key} {LONG}") for key in "ab"), role="user")

    first, second = shorter(original, 100).parts

    assert isinstance(first, ToolCallResponsePart)
    assert isinstance(second, ToolCallResponsePart)
    assert str(first.response).startswith("a line0")
    assert str(second.response).startswith("b line0")
    assert CUT_NOTE in str(second.response)


def test_arguments_stay_json_of_the_same_kind_and_name_the_whole() -> None:
    long = {"path": "a", "content": LONG}
    original = message(
        ToolCallPart(id="a", name="write", arguments=json.dumps(long)),
        ToolCallPart(id="b", name="write", arguments=long),
        ToolCallPart(id="c", name="write", arguments='{"path": "a"}'),
    )

    first, second, third = shorter(original, 60).parts

    assert isinstance(first, ToolCallPart)
    assert isinstance(second, ToolCallPart)
    assert json.loads(first.arguments)["artifact"] == artifact_id(original)
    assert second.arguments["artifact"] == artifact_id(original)
    assert third == original.parts[2]


def test_a_call_without_arguments_is_left_alone() -> None:
    original = message(TextPart(content=LONG), ToolCallPart(id="a", name="look"), CompactionPart(id="opaque"))

    assert shorter(original, 50).parts[1:] == original.parts[1:]


def test_reasoning_goes_and_a_message_of_nothing_else_becomes_a_pointer() -> None:
    thought = ReasoningPart(content=words(99, "thought"))
    assert "thought" not in str(shorter(message(thought, TextPart(content=LONG)), 100).parts)

    original = message(ReasoningPart(content=LONG))
    assert shorter(original, 100).parts == (
        TextPart(content=brief_pointer_text(artifact_id(original), count(original))),
    )


@pytest.mark.parametrize(
    "part",
    [
        BlobPart(content="aaaa", modality="image", mime_type="image/png"),
        UriPart(uri=f"data:image/png;x;base64,{'a' * 9_000}", modality="image"),
        GenericPart(value={"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}),
        GenericPart(value={"type": "redacted_thinking", "data": "aaaa" * 1_000}),
    ],
    ids=["blob", "data address", "foreign image", "encrypted"],
)
def test_media_becomes_a_note_without_its_bytes(part: AnyPart) -> None:
    cut = shorter(message(part, TextPart(content=LONG)), 200)

    first = cut.parts[0]
    assert isinstance(first, TextPart)
    assert "not shown" in first.content
    assert "aaaa" not in first.content


def test_a_long_address_is_cut_too() -> None:
    (part,) = shorter(message(UriPart(uri=f"https://example.org/{'a' * 9_000}", modality="image")), 200).parts

    assert isinstance(part, TextPart)
    assert part.content.startswith("[image: https://example.org/aaa")
    assert len(part.content) < 4_000


def test_a_message_that_had_no_content_gets_a_shape_that_can_hold_some() -> None:
    original = message(ReasoningPart(content=LONG), content_shape=ContentShape.NULL)

    assert shorter(original, 50).content_shape is None


BESIDE = (ToolCallResponsePart(id="a", response=LONG), TextPart(content="stop, and delete nothing"))


def test_what_a_person_said_beside_results_stays_whole_as_long_as_these_can_give() -> None:
    original = message(*BESIDE, role="user")

    for tokens_max in (300, 60, 30):
        answer, said = shorter(original, tokens_max).parts
        assert said == BESIDE[1]
        assert artifact_id(original) in str(getattr(answer, "response", ""))


def test_and_is_cut_only_after_them() -> None:
    original = message(ToolCallResponsePart(id="a", response=LONG), TextPart(content=LONG), role="user")

    cut = shorter(original, 500)

    answer, said = cut.parts
    assert isinstance(said, TextPart)
    assert getattr(answer, "response", "") == pointer_text(artifact_id(original), count(original))
    assert said.content.startswith("line0-0 ")
    assert 400 < count(cut) <= 500


def test_however_little_is_left_it_still_says_that_somebody_spoke() -> None:
    assert shorter(message(*BESIDE, role="user"), 0).parts[1] == TextPart(content=CUT_NOTE)


def test_only_results_are_cut_where_only_they_may_be() -> None:
    cut = shorten_results(message(*BESIDE, role="user"), 0, 900, count)

    assert cut.parts[1] == BESIDE[1]


def test_a_text_that_was_cut_before_keeps_the_one_pointer_that_it_has() -> None:
    original = message(TextPart(content=LONG))
    name = artifact_id(original)
    once = shorter(original, 600)

    twice = shorten(once, 100, count(once), count, name=name)

    (part,) = twice.parts
    assert isinstance(part, TextPart)
    head, _, tail = part.content.partition(f"\n{pointer_text(name, count(original))}\n")
    assert LONG.startswith(head)
    assert LONG.endswith(tail)
    assert part.content.count("read_artifact") == 1
    assert 60 < count(twice) <= 100


def test_a_pointer_to_nothing_but_a_pointer_is_never_made() -> None:
    alone = shorter(message(TextPart(content=LONG)), 0)

    assert shorter(alone, 0) == alone


def test_a_pointer_that_a_text_only_quotes_is_not_taken_for_its_own() -> None:
    original = message(TextPart(content=f"it said\n{pointer_text('0123456789abcdef', 7)}\n{LONG}"))

    assert artifact_id(original) in str(shorter(original, 100).parts)


@patient
@given(any_messages, st.integers(0, 80))
def test_any_message_fits_or_is_as_short_as_can_be_and_its_pairs_stay(original: Message, tokens_max: int) -> None:
    cut = shorter(original, tokens_max)

    assert count(cut) <= max(tokens_max, count(shorter(original, 0)))
    assert (cut.call_ids, cut.answered_ids) == (original.call_ids, original.answered_ids)
    assert cut.role == original.role


@patient
@given(st.dictionaries(st.text(max_size=9), st.text() | st.integers(), min_size=3), st.integers(0, 80))
def test_arguments_are_always_json(arguments: dict[str, object], tokens_max: int) -> None:
    original = calls("a", arguments=arguments).message

    (part,) = shorter(original, tokens_max).parts

    assert isinstance(part, ToolCallPart)
    assert isinstance(json.loads(part.arguments), dict)


# The pieces


def test_the_beginning_of_a_text_ends_with_a_line_where_one_ends_nearby() -> None:
    assert beginning("one\ntwo three four", 8) == "one\ntwo "
    assert beginning("one two\nthree four", 9) == "one two"
    assert beginning("short", 9) == "short"


@patient
@given(st.text(), st.integers(0, 40))
def test_a_clipped_text_is_no_longer_than_it_may_be(whole: str, chars: int) -> None:
    head, tail = clip(whole, chars)

    assert len(head) + len(tail) <= chars
    assert whole.startswith(head)
    assert whole.endswith(tail)


def test_only_the_named_results_get_another_text() -> None:
    original = message(
        ToolCallResponsePart(id="a", response="one"),
        ToolCallResponsePart(id="b", response="two"),
        TextPart(content="x"),
    )

    assert with_results(original, {"b": "stub"}).parts == (
        ToolCallResponsePart(id="a", response="one"),
        ToolCallResponsePart(id="b", response="stub"),
        TextPart(content="x"),
    )


DEMAND = "Replace gasket 7 of pump 4 before Friday, and never touch valve 7."


def test_pictures_become_notes_before_any_word_is_cut() -> None:
    original = message(
        TextPart(content=DEMAND), *[UriPart(uri="https://weir.example/gate.png", modality="image")] * 6, role="user"
    )
    tokens_max = count(original) // 2

    cut = shorter(original, tokens_max)

    assert count(cut) <= tokens_max
    assert cut.parts[0] == TextPart(content=DEMAND)
    assert any(artifact_id(original) in part.content for part in cut.parts[1:] if isinstance(part, TextPart))


def test_reasoning_goes_before_any_word_is_cut_and_the_message_says_so() -> None:
    original = message(ReasoningPart(content=words(900)), TextPart(content=DEMAND))

    cut = shorter(original, 100)

    assert count(cut) <= 100
    assert [part.content for part in cut.parts if isinstance(part, TextPart)][-1] == DEMAND
    assert artifact_id(original) in str(cut.parts[0])


def test_a_result_with_pictures_keeps_its_text() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
    answer = ToolCallResponsePart(id="a", response=[{"type": "text", "text": DEMAND}, picture, picture, picture])
    original = message(answer, role="tool")

    cut = shorter(original, count(original) // 2)

    (part,) = cut.parts
    assert isinstance(part, ToolCallResponsePart)
    assert DEMAND in str(part.response)
    assert artifact_id(original) in str(part.response)
    assert "aGVsbG8=" not in str(part.response)


def test_a_call_that_is_cut_keeps_what_it_is_about_and_the_words_beside_it() -> None:
    words = "The sill leaks, so I write the file anew."
    arguments = json.dumps({"force": True, "path": "gates/sill.cfg", "content": "sill = 4 metres\n" * 200})
    original = Message(
        role="assistant", parts=(TextPart(content=words), ToolCallPart(id="a", name="write", arguments=arguments))
    )
    text, call = shorten(original, 80, count(original), count).parts

    assert text == TextPart(content=words)
    assert isinstance(call, ToolCallPart)
    shown = json.loads(str(call.arguments))
    assert shown["path"] == "gates/sill.cfg"
    assert shown["shortened"].startswith("sill = 4 metres")
    assert shown["artifact"] == artifact_id(original)


def test_words_stay_whole_where_an_image_of_the_result_beside_them_can_go() -> None:
    def costly(one: Message) -> int:
        shown = [
            part for part in one.parts if isinstance(part, ToolCallResponsePart) and isinstance(part.response, list)
        ]
        return count(one) + 1_000 * len(shown)

    spoken = TextPart(content=words(120))
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}
    original = message(ToolCallResponsePart(id="c1", response=[image]), spoken, role="user")

    cut = shorten(original, costly(message(spoken)) + 100, costly(original), costly)

    assert spoken in cut.parts
