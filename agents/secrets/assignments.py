"""Secrets behind a name like password and a sign: in code, settings, JSON, YAML, shells, headers, connection strings.

A list of settings gives name and value each a field of its own (`name: DB_PASSWORD`, then `value: …`): there the name
beside the value counts. Each function yields kind, beginning and end of the secrets at one place.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tailrace.agents.secrets.forms import Span, in_cookies
from tailrace.agents.secrets.rules import compiled
from tailrace.agents.secrets.values import MASK_OPENS, is_bare_secret, is_placeholder, is_secret, kind_named

#: Names are looked for no further back.
_NAME_CHARS_MAX: Final = 96
_NAME: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-"
#: The end of a header's name, in any case of its first letter.
_COOKIE: Final = "ookie"
#: What may stand between a name and the sign.
_CLOSING: Final = "\\\"'`] \t"
#: Between the sign and its value: the rest of the sign, a type, the letter of a string, the scheme of a header.
_BEFORE_VALUE: Final = compiled(
    r"[=>]{0,2}[ \t]{0,8}(?:(?:str|string|String|bytes"
    r"|SecretStr)(?:[ ]?\|[ ]?None)?[ ]?=[ ]?)?@?[brfu]{0,2}(?=\\{0,4}[\"'`])"
    r"|[=>]{0,2}[ \t]{0,8}"
)
_SCHEME: Final = compiled(r"\\{0,4}[\"'`]?(?:[Bb]earer|[Bb]asic|[Tt]oken|ApiKey)[ ]{1,4}(?=([^\s\"'`\\,;]{8,4096}))")
#: In a string of JSON in a string of JSON, a quote has three backslashes before it, and a backslash three.
_QUOTED: Final = compiled(
    r"\\\"(?P<e>(?:[^\s\"\\]|\\\\(?:\\[\"\\]|[^\snrtu\"\\])){1,512}+)\\\""
    r"|(?P<escape>\\{1,4}[\"'`])(?P<a>[^\s\"'`\\]{1,512}+)(?P=escape)"
    r"|\"(?P<b>(?:[^\s\"\\]|\\[^\snrtu]){1,512}+)\"|'(?P<c>(?:[^\s'\\]|\\[^\snrtu]){1,512}+)'|`(?P<d>[^\s`\\]{1,512}+)`"
)
#: Without quotes: up to what ends a word in a shell, a URL, a connection string, YAML and code.
_BARE: Final = compiled(r"([^\s\"'`\\,;&|<>(){}\[\]]{4,512}+)(?=([\s\"'`\\,;&|<>)}\]]|\Z))")
_ENDS_CODE: Final = frozenset((")", ",", ";", "}", "]"))
#: What follows a type that is one of several.
_OR: Final = compiled(r"[ \t]{0,4}[\n]?[ \t]{0,16}[|&][ ](?=[A-Za-z])")
#: The name of a field of a connection string, behind the field before it.
_CONNECTS: Final = compiled(r"=[^;=\n]{1,64};[A-Za-z]{3,24}=\Z")
#: A line that sets a variable of the environment.
_SETS: Final = compiled(r"(?:\A|[\s\"'`;]|\\n)[A-Z0-9_]{3,64}=\Z")
_SET: Final = compiled(r"[^\s\"'`\\;&|<>]{4,512}+(?=[\s\"'`\\;&|]|\Z)")

_VALUE: Final = "value"
_PAIR_CHARS_MAX: Final = 256
#: Beginnings of fields that are looked at: the field itself, one more between, and what in a name looks like one.
_NAMES_BETWEEN_MAX: Final = 4
#: Between two fields of one setting: a comma, or the next line, or the space between two attributes.
_NEXT: Final = r"[ \t\r]{0,4},?(?:\s|\\[nrt]){0,48}"
_NAMED: Final = (
    r"(?:[Nn]ame|NAME|[Kk]ey"
    r"|KEY)\\{0,4}[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,4}[\"'`]?(?P<name>[A-Za-z0-9_./$:-]{3,96}+)\\{0,4}[\"'`]?"
)
#: One more field may stand between the two, a type mostly.
_BETWEEN: Final = (
    r"(?:\\{0,4}[\"'`]?[A-Za-z]{2,24}\\{0,4}[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,4}[\"'`]?[A-Za-z]{1,24}\\{0,4}[\"'`]?"
)
_FIELD: Final = compiled(_NAMED)
#: Where a field that names something may begin.
_NAME_PLACES: Final = compiled(r"(?=(?:[Nn]ame|NAME|[Kk]ey|KEY)\\{0,4}[\"'`]?[ \t]{0,4}[:=])")
#: A field beside a value is not further from it, whichever comes first.
_NEAR_CHARS: Final = 1024
_NAMED_BEFORE: Final = compiled(_NAMED + _NEXT + _BETWEEN + _NEXT + r")?\\{0,4}[\"'`]?\Z")
_NAMED_BEHIND: Final = compiled(r"[ \t]{0,4},(?:\s|\\[nrt]){0,48}\\{0,4}[\"'`][A-Za-z]{0,16}?" + _NAMED)


@dataclass(frozen=True, slots=True)
class AssignedName:
    """A name before a sign that gives it a value which may be a secret."""

    text: str
    #: What the name promises; empty for the names of cookies, and for the word value.
    kind: str
    after_sign: int
    #: What stands before the end of the sign, and that without what closes the name.
    left: str
    closed: str


def name_before(data: str, after_sign: int) -> AssignedName | None:
    """Return the name before a sign that ends there, where it promises a secret."""
    left = data[max(0, after_sign - _NAME_CHARS_MAX) : after_sign]
    closed = left[:-1].rstrip(_CLOSING)
    name = closed[len(closed.rstrip(_NAME)) :]
    if closed.endswith(MASK_OPENS[:-1]):
        return None
    if name.endswith(_COOKIE):
        return AssignedName(name, "", after_sign, left, closed)
    if name[-len(_VALUE) :].lower() == _VALUE:
        return AssignedName(name, "", after_sign, left, closed) if _may_be_paired(data, after_sign) else None
    kind = kind_named(name)
    return AssignedName(name, kind, after_sign, left, closed) if kind is not None else None


def _may_be_paired(data: str, after_sign: int) -> bool:
    """Tell whether a field that names a secret is near: most values have none, and are many."""
    places = _secret_fields(data)
    first = bisect_left(places, after_sign - _NEAR_CHARS)
    return first < len(places) and places[first] <= after_sign + _NEAR_CHARS


@lru_cache(maxsize=2)
def _secret_fields(data: str) -> tuple[int, ...]:
    """Places of the fields of a text that name a secret. Asked for every value of the same text."""
    return tuple(field.start() for field in _FIELD.finditer(data) if kind_named(field["name"]) is not None)


def _named_before(data: str, value_word: int) -> re.Match[str] | None:
    """Return the field that names something and stands before the word value, with at most one more field between."""
    places = _name_places(data)
    behind = bisect_left(places, value_word)
    first = bisect_left(places, value_word - _PAIR_CHARS_MAX, 0, behind)
    for place in places[max(first, behind - _NAMES_BETWEEN_MAX) : behind]:
        if named := _NAMED_BEFORE.match(data, place, value_word):
            return named
    return None


@lru_cache(maxsize=2)
def _name_places(data: str) -> tuple[int, ...]:
    return tuple(place.start() for place in _NAME_PLACES.finditer(data))


def assigned(data: str, name: AssignedName) -> Iterator[Span]:
    """Yield the secret that a name such as `password` is set to, if its value is one."""
    after_sign, kind, left, closed = name.after_sign, name.kind, name.left, name.closed
    if name.text.endswith(_COOKIE):
        yield from in_cookies(data, after_sign)
        return
    if not kind:
        yield from _in_pair(data, after_sign - len(left) + len(closed) - len(name.text), after_sign)
        return
    start = _value_start(data, after_sign)
    scheme = _SCHEME.match(data, start)
    if scheme:
        if not is_placeholder(scheme[1]):
            yield "authorization", *scheme.span(1)
        return
    quoted = _QUOTED.match(data, start)
    if quoted:
        yield from _in_quotes(quoted, kind)
    # What follows a name in quotes is JSON, where a value without them is a number or a word of the language.
    elif left[len(closed) : -1].isspace() or len(closed) == len(left) - 1:
        yield from _bare(data, start, kind, left)


def _value_start(data: str, after_sign: int) -> int:
    before_value = _BEFORE_VALUE.match(data, after_sign)
    return before_value.end() if before_value else after_sign


def _in_quotes(quoted: re.Match[str], kind: str) -> Iterator[Span]:
    group = next(name for name in "eabcd" if quoted[name] is not None)
    if is_secret(kind, quoted[group]):
        yield kind, *quoted.span(group)


def _bare(data: str, start: int, kind: str, left: str) -> Iterator[Span]:
    if _SETS.search(left):
        value = _SET.match(data, start)
        if value and is_secret(kind, value[0]):
            yield kind, *value.span()
        return
    value = _BARE.match(data, start)
    if value is None:
        return
    # Between two semicolons in a connection string is a value; elsewhere it may be the name of another variable.
    in_code = value[2] in _ENDS_CODE and not _CONNECTS.search(left)
    # Around a sign between spaces, a bar is no pipe: types are joined so.
    in_code = in_code or (left[-2:-1].isspace() and _OR.match(data, value.end()) is not None)
    if is_bare_secret(kind, value[1], in_code=in_code):
        yield kind, *value.span(1)


def _in_pair(data: str, value_word: int, after_sign: int) -> Iterator[Span]:
    """Look at the value of a setting whose name is a field beside it, before it or, in JSON, behind it."""
    before, start = _named_before(data, value_word), _value_start(data, after_sign)
    quoted = _QUOTED.match(data, start)
    named = before or (quoted and _NAMED_BEHIND.match(data, quoted.end()))
    kind = kind_named(named["name"]) if named else None
    if named is None or kind is None:
        return
    if quoted:
        yield from _in_quotes(quoted, kind)
        return
    value = _BARE.match(data, start)
    # What a variable of the environment is set to is a value, whatever it looks like.
    is_set = named["name"].isupper()
    if value and (is_secret(kind, value[1]) if is_set else is_bare_secret(kind, value[1], in_code=False)):
        yield kind, *value.span(1)
