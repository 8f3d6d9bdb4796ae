"""Half a character becomes U+FFFD, wherever it stands, and nothing else changes."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.schemas.errors import Undecodable
from tailrace.schemas.half_characters import decode_json, whole_characters

#: Every character there is, halves among them more often than chance would have it.
TEXTS = st.text(st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("\\u\ud83d\ude00d8")))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXTS,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(TEXTS, children, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (rb'"a \ud83d b"', "a \ufffd b"),
        (rb'"a \uD83D"', "a \ufffd"),
        (rb'"\ud83dA"', "\ufffdA"),
        (rb'"\udc00"', "\ufffd"),
        (rb'"\ud83d\ud83d\ude00"', "\ufffd\U0001f600"),
        (rb'"\\ud83d \ud83d"', "\\ud83d \ufffd"),
        (rb'{"\ude00": ["\ud83d\ude00", "\"\ud83d\""]}', {"\ufffd": ["\U0001f600", '"\ufffd"']}),
    ],
)
def test_only_the_half_is_replaced(written: bytes, value: Any) -> None:
    assert decode_json(written) == decode_json(written.decode()) == value


@given(VALUES)
def test_what_is_written_with_halves_is_read_as_it_is_mended(value: Any) -> None:
    mended = whole_characters(value)

    assert decode_json(json.dumps(value)) == mended
    assert msgspec.json.decode(msgspec.json.encode(mended)) == mended
    assert whole_characters(mended) == mended


@pytest.mark.parametrize("text", ["", "{", '{"a": "\\ud83d', "[1,]", '{"a": "\\ud83d"} x', '"\\ud8"', '"\\'])
def test_what_is_no_json_stays_none(text: str) -> None:
    with pytest.raises(Undecodable):
        decode_json(text)
