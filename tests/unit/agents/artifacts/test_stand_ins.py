"""What stands for parts that are kept elsewhere: short, valid, and with the name of the whole."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import json_values, patient

from tailrace.agents.artifacts.stand_ins import call_reference, gone_reference, media_reference, name_behind, named_call
from tailrace.agents.messages.wording import pointer_text
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    GenericPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

NAME = "00112233445566ff"
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 99}}


def call(arguments: Any) -> ToolCallPart:
    return ToolCallPart(id="c", name="write_file", arguments=arguments)


@patient
@given(arguments=st.one_of(json_values, st.dictionaries(st.text(max_size=300), json_values), st.text(max_size=5_000)))
def test_a_call_stays_one_of_the_same_form_and_says_where_its_arguments_are(arguments: Any) -> None:
    for given_as in (arguments, json.dumps(arguments)):
        shown = call_reference(call(given_as), NAME)

        assert (shown.id, shown.name, type(shown.arguments) is str) == ("c", "write_file", isinstance(given_as, str))
        written = shown.arguments if isinstance(given_as, str) else json.dumps(shown.arguments)
        assert len(written) <= max(2_000, len(json.dumps(given_as))) + 200
        assert name_behind(named_call(shown, NAME)) == NAME


def test_short_arguments_are_whole_and_long_ones_are_cut() -> None:
    shown = call_reference(call({"path": "a.txt", "mode": [1, {"deep": "x" * 900}], "content": "y" * 9_000}), NAME)

    assert shown.arguments["path"] == "a.txt"
    assert shown.arguments["mode"][1]["deep"].endswith("... [900 characters in all]")
    assert shown.arguments["content"].endswith("... [9000 characters in all]")
    assert shown.arguments["artifact"] == NAME


def test_more_arguments_than_anybody_reads_are_left_out() -> None:
    shown = call_reference(call({"path": "a.txt", **{f"key{number}": number for number in range(900)}}), NAME)

    assert shown.arguments.keys() == {"path", "shortened", "artifact"}


@pytest.mark.parametrize(
    "part",
    [
        BlobPart(content="aGk=", modality="image", mime_type="image/png"),
        GenericPart(value=IMAGE),
        ToolCallResponsePart(id="c", response=[IMAGE]),
    ],
    ids=lambda part: type(part).__name__,
)
def test_media_become_a_reference_of_their_name(part: AnyPart) -> None:
    shown = media_reference(part, NAME)

    assert f"[Externalized Content - artifact:{NAME}]" in str(shown)
    assert "iVBOR" not in str(shown)


@pytest.mark.parametrize(
    "part", [TextPart(content="hi"), GenericPart(value={"type": "thought"}), ReasoningPart(content="hm"), call({})]
)
def test_what_holds_no_media_stays_as_it_is(part: AnyPart) -> None:
    assert media_reference(part, NAME) is part
    assert name_behind(part) is None


@pytest.mark.parametrize(
    "part", [TextPart(content="x"), ToolCallResponsePart(id="c", response="x"), call({"path": "a"}), call("no JSON")]
)
def test_what_is_gone_is_said_in_its_place(part: AnyPart) -> None:
    gone = gone_reference(part, NAME, "is not there any more.")

    assert type(gone) is type(part)
    assert f"artifact:{NAME}] is not there any more." in str(gone)


def test_a_pointer_tells_what_it_stands_for() -> None:
    pointer = pointer_text(NAME, 7)

    assert name_behind(TextPart(content=pointer)) == NAME
    assert name_behind(ToolCallResponsePart(id="c", response=pointer)) == NAME
    assert name_behind(TextPart(content=f"as in {pointer}")) is None
