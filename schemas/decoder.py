"""The one way from text or bytes to a value, wherever they come from: topics, files, sockets, models, tools.

Whatever it is given, a decoder returns a value or raises a PoisonEvent. Two limits hold for all: how large a text may
be, and how deep it may nest. Python gives up on deep nesting with a RecursionError, at a depth that depends on who is
calling; the limit lies far below it, so every process says the same about the same bytes.
"""

import json
import tomllib
from array import array
from collections.abc import Callable
from itertools import accumulate
from typing import Any, Final, TypeVar, overload

import msgspec

from tailrace.schemas.errors import Invalid, TooLarge, Undecodable

Value = TypeVar("Value")
#: What can be decoded. Kafka has records without a value.
Encoded = bytes | str | msgspec.Raw | None

#: Deepest nesting of an event. What is read there is written again inside other records.
EVENT_DEPTH_MAX: Final = 200
#: Deepest nesting of anything: an event, and what our own records put around it.
DEPTH_MAX: Final = EVENT_DEPTH_MAX + 56
#: More than the largest record that settings allow, and than any answer or file of ours.
BYTES_MAX: Final = 256 * 1024 * 1024

#: What msgspec says of a text that ends too early, wherever it comes from.
_CUT_OFF: Final = "Input data was truncated"

_TOO_DEEP: Final = "it is nested more than {} levels deep"
_BRACKETS: Final = b"[]{}"
_NO_BRACKETS: Final = bytes(set(range(256)) - set(_BRACKETS))
#: One level deeper, and as a signed byte one level less deep.
_STEPS: Final = bytes(1 if sign in b"[{" else 255 for sign in range(256))

_one_of_many = json.JSONDecoder().raw_decode


@overload
def decoder(*, depth_max: int = ...) -> Callable[[Encoded], Any]: ...
@overload
def decoder(kind: type[Value], *, depth_max: int = ...) -> Callable[[Encoded], Value]: ...
def decoder(kind: Any = Any, *, depth_max: int = DEPTH_MAX) -> Callable[[Encoded], Any]:
    """Return a function that decodes JSON to values of a kind.

    It raises Undecodable for what is no JSON in UTF-8 or nested too deeply, Invalid for JSON of another shape, and
    TooLarge.
    """
    decode = msgspec.json.Decoder(kind).decode

    def decoded(encoded: Encoded) -> Any:
        # A piece of a record was looked at with the record.
        size = 0 if encoded is None or isinstance(encoded, msgspec.Raw) else len(encoded)
        if size > BYTES_MAX:
            raise TooLarge(f"{size} bytes are more than anything is read of ({BYTES_MAX})")
        try:
            value = decode(b"" if encoded is None else encoded)
        except msgspec.ValidationError as error:
            raise Invalid(str(error)) from error
        except RecursionError as error:
            raise Undecodable(_TOO_DEEP.format(depth_max)) from error
        except ValueError as error:
            raise Undecodable(_why(error)) from error
        # Nothing shorter nests so deeply.
        if size > depth_max and _is_deeper(encoded, depth_max):
            raise Undecodable(_TOO_DEEP.format(depth_max))
        return value

    return decoded


def decode_each_key_once(text: str) -> Any:
    """Return the value that a JSON text is, as people write it.

    A key that is there twice is refused, with what a decoder refuses.
    """
    _decode_anything(text)  # the strict one, which lets a key be there twice
    return json.loads(text, object_pairs_hook=_each_key_once)


def decode_next(text: str, place: int) -> tuple[Any, int]:
    """Return the value that begins at a place of a text, whatever follows it, and where it ends. Raises Undecodable."""
    try:
        value, end = _one_of_many(text, place)
    except RecursionError as error:
        raise Undecodable(_TOO_DEEP.format(DEPTH_MAX)) from error
    except ValueError as error:
        raise Undecodable(_why(error)) from error
    if _is_deeper(text[place:end], DEPTH_MAX):
        raise Undecodable(_TOO_DEEP.format(DEPTH_MAX))
    return value, end


def decode_toml(text: str) -> dict[str, Any]:
    """Return the table that a TOML text is. Raises Undecodable."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise Undecodable("the TOML is nested too deeply") from error
    except ValueError as error:
        raise Undecodable(str(error)) from error


def _why(error: ValueError) -> str:
    """What is wrong with a text that is no JSON in UTF-8."""
    if isinstance(error, UnicodeError):
        return "it is not UTF-8"
    return "it ends in the middle" if str(error) == _CUT_OFF else str(error)


def _is_deeper(encoded: Any, depth_max: int) -> bool:
    """Tell whether a text that is JSON is nested more than so many levels deep."""
    opens = (b"{", b"[") if isinstance(encoded, bytes) else ("{", "[")
    if sum(map(encoded.count, opens)) <= depth_max:
        return False
    written = encoded if isinstance(encoded, bytes) else encoded.encode("utf-8", "replace")
    if b"\\" in written:
        written = written.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Every other piece between quotes is a string, whose brackets don't count.
    outside = b"".join(written.split(b'"')[::2])
    return max(accumulate(array("b", outside.translate(_STEPS, _NO_BRACKETS))), default=0) > depth_max


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise Undecodable(f"the key {key!r} is there twice")
        values[key] = value
    return values


_decode_anything = decoder()
