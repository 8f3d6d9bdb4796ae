"""One way from bytes to values: a value, or an error that says what is wrong."""

from typing import Any

import pytest

from tailrace.schemas.decoder import DEPTH_MAX, decode_each_key_once, decode_next, decode_toml, decoder
from tailrace.schemas.errors import Invalid, Undecodable
from tailrace.schemas.records.context import ChunkMark

decode_any = decoder()
decode_mark = decoder(ChunkMark)


@pytest.mark.parametrize(
    ("encoded", "reason"),
    [
        (None, "in the middle"),
        (b"", "in the middle"),
        (b'{"a":', "in the middle"),
        (b'"\xff"', "not UTF-8"),
        ("\ud800", "not UTF-8"),
        (b'{"a":' * 5_000, "levels deep"),
        (b"[" * (DEPTH_MAX + 1) + b"]" * (DEPTH_MAX + 1), "levels deep"),
        ("[" * (DEPTH_MAX + 1) + "]" * (DEPTH_MAX + 1), "levels deep"),
        (b'["\\"[", ' + b"[" * DEPTH_MAX + b"]" * DEPTH_MAX + b"]", "levels deep"),
    ],
)
def test_what_is_no_json_is_refused_with_a_reason(encoded: Any, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason):
        decode_any(encoded)


@pytest.mark.parametrize(
    "encoded",
    [
        b"[" * DEPTH_MAX + b"]" * DEPTH_MAX,
        b'["' + b"[{" * 900 + b'"]',
        b'["\\"' + b"[" * 900 + b'\\\\", "\\\\", "' + b"[" * 900 + b'"]',
    ],
)
def test_brackets_count_only_outside_of_strings(encoded: bytes) -> None:
    assert isinstance(decode_any(encoded), list)


def test_fields_that_nobody_knows_may_not_be_deep_either() -> None:
    deep = b'{"version":1,"thread":"t","next_group":2,"x":' + b"[" * 300 + b"]" * 300 + b"}"
    with pytest.raises(Undecodable, match="levels deep"):
        decode_mark(deep)
    with pytest.raises(Invalid, match="next_group"):
        decode_mark(b'{"version":1,"thread":"t","next_group":"2"}')
    assert decode_mark(b'{"version":1,"thread":"t","next_group":2,"x":[]}').next_group == 2


def test_other_forms_have_the_same_limits() -> None:
    assert decode_next('{"a":1} more', 0) == ({"a": 1}, 7)
    for refused in ("[" * 5_000, "[" * 300 + "]" * 300, "nothing"):
        with pytest.raises(Undecodable):
            decode_next(refused, 0)
    with pytest.raises(Undecodable, match="twice"):
        decode_each_key_once('{"a":1,"a":2}')
    with pytest.raises(Undecodable):
        decode_toml("a = " + "[" * 5_000)
