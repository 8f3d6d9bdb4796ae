"""Subclasses of the kinds of JSON, as runtimes hand them in, become the plain kinds."""

from collections import OrderedDict, UserDict, UserList
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.schemas.records.plain_values import json_bytes, plain_value


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Number(float):
    pass


class Pairs(dict[str, Any]):
    pass


class Items(list[Any]):
    pass


class Name(StrEnum):
    FIRST = "first"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Text("ä"), "ä"),
        (Whole(3), 3),
        (Number(0.5), 0.5),
        (Pairs({Text("a"): Text("b")}), {"a": "b"}),
        (UserDict(a=UserList([Text("b"), Whole(1)])), {"a": ["b", 1]}),
        (OrderedDict(a=1), {"a": 1}),
        (Items([Items([Text("x")])]), [["x"]]),
        ((Text("x"), True, None), ("x", True, None)),
    ],
)
def test_a_subclass_becomes_what_it_is_a_subclass_of(value: Any, plain: Any) -> None:
    made = plain_value(value)

    assert made == plain
    assert type(made) is type(plain)
    assert json_bytes(value) == msgspec.json.encode(plain)


def test_a_message_becomes_plain_through_all_its_parts() -> None:
    message = Message(role=Text("user"), parts=(TextPart(content=Text("hello")),))

    made = plain_value(message)

    assert made == Message(role="user", parts=(TextPart(content="hello"),))
    assert type(made.parts[0].content) is str


def test_a_plain_value_is_the_same_object() -> None:
    for value in ({"a": [1, "x", {"b": (2, None)}]}, [], "x", Message(role="user"), b"bytes"):
        assert plain_value(value) is value
    assert plain_value(Name.FIRST) is Name.FIRST
    assert json_bytes(Name.FIRST) == b'"first"'


def test_half_a_character_in_a_subclass_is_replaced() -> None:
    assert json_bytes({"a": Text("x\ud83d")}) == '{"a":"x\ufffd"}'.encode()


def test_what_is_no_json_is_left_for_the_encoder_to_refuse() -> None:
    with pytest.raises(TypeError, match="object"):
        json_bytes({"a": object()})


def test_a_value_that_is_too_deep_to_look_into_is_left_as_it_is() -> None:
    deep: list[Any] = [Text("x")]
    for _ in range(100_000):
        deep = [deep]

    assert plain_value(deep) is deep
