"""Values of JSON's kinds as they come from runtimes.

Subclasses of text, numbers, lists and dicts become the plain kinds. LangChain's `message.text` is a subclass of str,
other runtimes hand on their own dicts and lists. The encoder takes no subclass of str, int or float; to whoever hands
it in, it is a text or a number like any other.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from operator import is_
from typing import Any, Final

import msgspec
from msgspec import Struct

from tailrace.schemas.half_characters import whole_characters

#: What needs no look inside.
_PLAIN: Final = (str, int, float, bool, type(None))
#: What the encoder has a way of its own for.
_ENCODED: Final = (Enum, bytes, bytearray, memoryview)


def plain_value(value: Any) -> Any:
    """Return the value with plain kinds in the place of their subclasses; the same object where it has none.

    Whatever is no value of JSON stays as it is, for the encoder to refuse.
    """
    try:
        return _plain(value)
    except RecursionError:
        return value


def json_bytes(value: Any) -> bytes:
    """Return the value as JSON, subclasses as what they are of and half characters replaced.

    Raises TypeError, OverflowError or RecursionError for what is no JSON.
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(whole_characters(msgspec.to_builtins(plain_value(value))))
    except TypeError:
        plain = plain_value(value)
        if plain is value:
            raise
    return json_bytes(plain)


def _plain(value: Any) -> Any:
    if type(value) in _PLAIN or isinstance(value, _ENCODED):
        return value
    for kind, made_plain in _MADE_PLAIN:
        if isinstance(value, kind):
            return made_plain(value)
    return value


def _plain_pairs(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    pairs = {_plain(key): _plain(child) for key, child in value.items()}
    same = type(value) is dict and all(map(is_, pairs, value)) and all(map(is_, pairs.values(), value.values()))
    return value if same else pairs


def _plain_items(value: Sequence[Any]) -> Sequence[Any]:
    items = [_plain(child) for child in value]
    if type(value) in (list, tuple) and all(map(is_, items, value)):
        return value
    return tuple(items) if isinstance(value, tuple) else items


def _plain_fields(value: Struct) -> Struct:
    changed = {}
    for name in value.__struct_fields__:
        old = getattr(value, name)
        new = _plain(old)
        if new is not old:
            changed[name] = new
    return msgspec.structs.replace(value, **changed) if changed else value


#: How each kind is made plain; the first that fits counts.
_MADE_PLAIN: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (Struct, _plain_fields),
    (Mapping, _plain_pairs),
    (Sequence, _plain_items),
)
