"""Credentials in what tools say, found and masked before a distillation, a summary or a log line leaves a worker.

Every message goes through here, so the text is searched for a handful of single characters, and only what stands around them is
looked at (`secret_rules`). What a word like password gives away is judged by `secret_values`, and what no sign gives away by
`secret_forms`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from msgspec import Struct

from tailrace.agents.secret_forms import after_flag, beside_password, in_cookies
from tailrace.agents.secret_rules import (
    AROUND,
    BEARER,
    LEFT_CHARS_MAX,
    PASSWORD,
    PREFIX_LENGTHS,
    PREFIXED,
    SEPARATORS,
    SIGNS,
    WHOLE,
    compiled,
)
from tailrace.agents.secret_values import BLANK, is_bare_secret, is_placeholder, is_secret, kind_named

#: What a mask begins with. Nothing that begins so is taken for a secret, so that masking twice changes nothing.
MASK_OPENS = "[secret:"
#: Secrets side by side, without anything between: so many are told apart.
_ROUNDS_MAX = 8
#: No secret is shorter, together with what gives it away.
_TEXT_CHARS_MIN = 12
#: Fewer different characters than this are somebody's idea of an example.
_DIFFERENT_MIN = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A secret: its kind, and where it stands in the text."""

    kind: str
    start: int
    end: int


class Masked(Struct, frozen=True, gc=False):
    """A text without its secrets, and where they stood in the text that was given."""

    text: str
    found: tuple[Found, ...]


def find_secrets(text: str) -> tuple[Found, ...]:
    """Return the secrets of a text in their order; no two overlap, and none goes over the end of a line."""
    if len(text) < _TEXT_CHARS_MIN:
        return ()
    found = _scan(text)
    rest = text
    fresh = found
    for _ in range(_ROUNDS_MAX if found else 0):
        # A secret that is gone may show where another one begins or ends.
        rest = _blanked(rest, fresh)
        fresh = _scan(rest)
        if not fresh:
            break
        found = found + fresh
    return tuple(_within_lines(text, _apart(found))) if found else ()


def _scan(data: str) -> list[Found]:
    found: list[Found] = []
    for needed, search, look in _SCANS:
        if needed not in data:
            continue
        match = search(data)
        while match is not None:
            # More may have been matched than stands for the place.
            resume = match.start() + 1
            for secret in look(data, match):
                found.append(secret)
                resume = max(resume, secret.end)
            match = search(data, resume)
    return found


def _blanked(data: str, found: Iterable[Found]) -> str:
    blanked = list(data)
    for secret in found:
        blanked[secret.start : secret.end] = BLANK * (secret.end - secret.start)
    return "".join(blanked)


def mask_secrets(text: str) -> Masked:
    """Return the text with `[secret:<kind>]` in the place of each secret; the very same text where there is none.

    The number of lines stays as it was, JSON stays JSON, and masking again changes nothing.
    """
    found = find_secrets(text)
    if not found:
        return Masked(text, ())
    pieces: list[str] = []
    done = 0
    for secret in found:
        pieces += text[done : secret.start], f"[secret:{secret.kind}]"
        done = secret.end
    pieces.append(text[done:])
    return Masked("".join(pieces), found)


def _token(_data: str, match: re.Match[str]) -> Iterator[Found]:
    if _is_varied(match[0]):
        yield Found(_kind(match), match.start(), match.end())


def _at_password(data: str, match: re.Match[str]) -> Iterator[Found]:
    # The match begins in the middle of the word, at its rarest letter.
    for secret in beside_password(data, match.start() - len("pass"), match.end()):
        yield Found(*secret)


#: What a separator may be the beginning of.
_KEY_OPENS = ("----", "-User")
_FLAG = compiled(r"--[A-Za-z]|-u\Z")


def _at_separator(data: str, match: re.Match[str]) -> Iterator[Found]:
    sign = match[0]
    if _FLAG.match(sign):
        for flag in after_flag(data, match.start(), sign.lstrip("-"), match.end()):
            yield Found(*flag)
    elif sign.startswith(_KEY_OPENS):
        yield from _private_key(data, match.start())
    yield from _with_prefix(data, match.start() + 1)
    yield from _around(data, match.start())


def _with_prefix(data: str, body_start: int) -> Iterator[Found]:
    for length in PREFIX_LENGTHS:
        start = body_start - length
        rule = PREFIXED.get(data[start:body_start]) if start >= 0 else None
        if rule is None or not _begins_word(data, start):
            continue
        body = rule.body.match(data, body_start)
        if body and _is_varied(body[0]):
            yield Found(rule.kind, start, body.end())


def _around(data: str, middle: int) -> Iterator[Found]:
    for kind, left, right in AROUND:
        after = right.match(data, middle)
        before = after and left.search(data[max(0, middle - LEFT_CHARS_MAX) : middle])
        if before and after and _is_varied(before[0]):
            yield Found(kind, middle - len(before[0]), after.end())


def _begins_word(data: str, start: int) -> bool:
    """Tell whether a word begins there. The letter before it may be that of an escape, as in JSON."""
    before = data[max(0, start - 2) : start]
    # Words of scripts without spaces end where a token begins.
    return not (before[-1:].isascii() and before[-1:].isalnum()) or (
        len(before) > 1 and before[:1] == "\\" and before[1:] in "nrt"
    )


def _is_varied(token: str) -> bool:
    return len(set(token)) >= _DIFFERENT_MIN


def _kind(match: re.Match[str]) -> str:
    return (match.lastgroup or "").replace("_", "-")


def _at_sign(data: str, match: re.Match[str]) -> Iterator[Found]:
    return _in_group(data, match) if match.lastgroup else _assigned(data, match.end())


def _in_group(data: str, match: re.Match[str]) -> Iterator[Found]:
    group = match.lastgroup or ""
    # A mask in the place of a user is none, though it has a colon.
    masked = data.endswith(MASK_OPENS, 0, match.start(group))
    if not masked and not is_placeholder(match[group]):
        yield _found(_kind(match), match, group)


#: Names are looked for no further back.
_NAME_CHARS_MAX = 96
_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-"
#: The end of a header's name, in any case of its first letter.
_COOKIE = "ookie"
#: What may stand between a name and the sign.
_CLOSING = "\\\"'`] "
#: Between the sign and its value: the rest of the sign, a type, the letter of a string, the scheme of a header.
_BEFORE_VALUE = compiled(
    r"[=>]{0,2}[ \t]{0,8}(?:(?:str|string|String|bytes|SecretStr)(?:[ ]?\|[ ]?None)?[ ]?=[ ]?)?@?[brfu]{0,2}(?=\\{0,4}[\"'`])"
    r"|[=>]{0,2}[ \t]{0,8}"
)
_SCHEME = compiled(r"\\{0,4}[\"'`]?(?:[Bb]earer|[Bb]asic|[Tt]oken|ApiKey)[ ]{1,4}(?=([^\s\"'`\\,;]{8,4096}))")
_QUOTED = compiled(
    r"(?P<escape>\\{1,4}[\"'`])(?P<a>[^\s\"'`\\]{1,512}+)(?P=escape)"
    r"|\"(?P<b>(?:[^\s\"\\]|\\[^\snrtu]){1,512}+)\"|'(?P<c>(?:[^\s'\\]|\\[^\snrtu]){1,512}+)'|`(?P<d>[^\s`\\]{1,512}+)`"
)
#: Without quotes: up to what ends a word in a shell, a URL, a connection string, YAML and code.
_BARE = compiled(r"([^\s\"'`\\,;&|<>(){}\[\]]{4,512}+)(?=([\s\"'`\\,;&|<>)}\]]|\Z))")
_ENDS_CODE = frozenset((")", ",", ";", "}", "]"))
#: The name of a field of a connection string, behind the field before it.
_CONNECTS = compiled(r"=[^;=\n]{1,64};[A-Za-z]{3,24}=\Z")
#: A line that sets a variable of the environment.
_SETS = compiled(r"(?:\A|[\s\"'`;]|\\n)[A-Z0-9_]{3,64}=\Z")
_SET = compiled(r"[^\s\"'`\\;&|<>]{4,512}+(?=[\s\"'`\\;&|]|\Z)")


def _assigned(data: str, after_sign: int) -> Iterator[Found]:
    left = data[max(0, after_sign - _NAME_CHARS_MAX) : after_sign]
    closed = left[:-1].rstrip(_CLOSING)
    name = closed[len(closed.rstrip(_NAME)) :]
    if closed.endswith(MASK_OPENS[:-1]):
        return
    if name.endswith(_COOKIE):
        for cookie in in_cookies(data, after_sign):
            yield Found(*cookie)
        return
    kind = kind_named(name)
    before_value = _BEFORE_VALUE.match(data, after_sign) if kind else None
    if kind is None or before_value is None:
        return
    start = before_value.end()
    scheme = _SCHEME.match(data, start)
    if scheme:
        value = scheme[1]
        if not is_placeholder(value):
            yield Found("authorization", *scheme.span(1))
        return
    quoted = _QUOTED.match(data, start)
    if quoted:
        group = quoted.lastgroup if quoted.lastgroup != "escape" else "a"
        if is_secret(kind, quoted[group or "a"]):
            yield _found(kind, quoted, group or "a")
        return
    # What follows a name in quotes is JSON, where a value without them is a number or a word of the language.
    if left[len(closed) : -1].isspace() or len(closed) == len(left) - 1:
        yield from _bare(data, start, kind, left)


def _bare(data: str, start: int, kind: str, left: str) -> Iterator[Found]:
    if _SETS.search(left):
        value = _SET.match(data, start)
        if value and is_secret(kind, value[0]):
            yield _found(kind, value, 0)
        return
    value = _BARE.match(data, start)
    # Between two semicolons in a connection string is a value; elsewhere it may be the name of another variable.
    in_code = value is not None and value[2] in _ENDS_CODE and not _CONNECTS.search(left)
    if value and is_bare_secret(kind, value[1], in_code=in_code):
        yield _found(kind, value, 1)


def _found(kind: str, match: re.Match[str], group: str | int) -> Found:
    return Found(kind, *match.span(group))


_BEGIN = compiled(r"-{4,5}[ ]?BEGIN [A-Z0-9 ]{0,32}?PRIVATE KEY(?: BLOCK)?[ ]?-{4,5}|PuTTY-User-Key-File-[23](?=:)")
_PUTTY = "PuTTY"
#: The body on one line, its line ends written as escapes.
_ONE_LINE = compiled(
    r"(?:[A-Za-z0-9+/=]|[ ](?=[A-Za-z0-9+/=]{8})|\\{1,4}[nr]){16,16384}(?:-{4,5}[ ]?END [A-Z0-9 ]{0,40}-{4,5})?"
)
#: A line of the body: what a file's listing or a diff puts before it, and the secret.
_BODY = compiled(r"[^\n]{0,16}?(?<![A-Za-z0-9+/=])([A-Za-z0-9+/=]{4,128})[ \t\r]*(?:\n|\Z)")
_END = compiled(r"[^\n]{0,16}?(-{4,5}[ ]?END [A-Z0-9 ]{0,40}-{4,5})")
#: Lines before the body, or between: names with values, or nothing.
_HEADER = compiled(r"[^\n]{0,16}?(?:[A-Za-z0-9-]{3,24}: [^\n]{0,200})?[ \t\r]*\n")
_KEY_LINES_MAX = 256
_KEY_CHARS_MIN = 40
_LINE_REST_CHARS_MAX = 64


def _private_key(data: str, hyphen: int) -> Iterator[Found]:
    """Yield each line of a block, so that there are as many lines after masking."""
    start = hyphen - len(_PUTTY) if data.startswith("-User", hyphen) else hyphen
    begin = _BEGIN.match(data, max(0, start))
    if begin is None:
        return
    one_line = _ONE_LINE.match(data, begin.end())
    if one_line:
        yield Found("private-key", begin.start(), one_line.end())
    else:
        yield from _key_lines(data, begin.start(), begin.end())


def _key_lines(data: str, start: int, first_end: int) -> Iterator[Found]:
    lines: list[Found] = []
    # At most the rest of a line that holds nothing else.
    at = data.find("\n", first_end, first_end + _LINE_REST_CHARS_MAX) + 1
    for _ in range(_KEY_LINES_MAX if at else 0):
        end = _END.match(data, at)
        if end:
            lines.append(Found("private-key", *end.span(1)))
            break
        body = _BODY.match(data, at)
        header = None if body else _HEADER.match(data, at)
        if body:
            lines.append(Found("private-key", *body.span(1)))
        line = body or header
        if line is None or line.end() == at or line.end() >= len(data):
            break
        at = line.end()
    # A beginning without a body is how programs look for keys.
    if sum(line.end - line.start for line in lines) >= _KEY_CHARS_MIN:
        yield Found("private-key", start, first_end)
        yield from lines


_Search = Callable[..., re.Match[str] | None]
_Look = Callable[[str, re.Match[str]], Iterable[Found]]
#: Everything that is searched for: what must be there, which takes a fifth of the time that a search takes to begin; the search, and
#: what looks at the place.
_SCANS: tuple[tuple[str, _Search, _Look], ...] = (
    *((needed, pattern.search, _at_separator) for needed, pattern in SEPARATORS.items()),
    *((needed, pattern.search, _token) for needed, pattern in WHOLE.items()),
    *((needed, pattern.search, _at_sign) for needed, pattern in SIGNS.items()),
    ("B", BEARER.search, _in_group),
    ("assw", PASSWORD.search, _at_password),
)


def _apart(found: Iterable[Found]) -> list[Found]:
    """Return the secrets in their order, those that overlap as one: of the kind that begins first, or is longer."""
    apart: list[Found] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if apart and secret.start < apart[-1].end:
            last = apart.pop()
            apart.append(Found(last.kind, last.start, max(last.end, secret.end)))
        else:
            apart.append(secret)
    return apart


def _within_lines(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """Yield the secrets line by line: some characters end a line that are no white space to our patterns."""
    for secret in found:
        start = secret.start
        for line in text[secret.start : secret.end].splitlines(keepends=True):
            (shown,) = line.splitlines()
            if shown:
                yield Found(secret.kind, start, start + len(shown))
            start += len(line)
