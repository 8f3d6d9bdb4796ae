"""Credentials in what tools say, found and masked before a distillation, a summary or a log line leaves a worker.

Every message goes through here, so the text is searched for a handful of single characters, and only what stands around
them is looked at (`secrets.rules`). What a word like password gives away is judged by `secrets.values`, and what no
sign gives away by `secrets.forms`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from msgspec import Struct

from tailrace.agents.secrets.assignments import AssignedName, assigned, name_before
from tailrace.agents.secrets.forms import after_flag, beside_password, beside_upper_password, identified_by
from tailrace.agents.secrets.keys import in_private_key
from tailrace.agents.secrets.rules import (
    AROUND,
    BEARER,
    IDENTIFIED,
    PASSWORD,
    PREFIX_LENGTHS,
    PREFIXED,
    SECOND_LETTER,
    SEPARATORS,
    SIGNS,
    WHOLE,
    compiled,
)
from tailrace.agents.secrets.values import BLANK, MASK_OPENS, is_placeholder, is_user_token

#: Secrets side by side, without anything between: so many are told apart.
_ROUNDS_MAX = 8
#: Places of one kind that are looked at in one text: no text but one that is made to be slow has as many. What stands
#: behind them is masked as a whole.
LOOKS_MAX: Final = 20_000
#: The kind of what was not looked at.
UNREAD: Final = "unread"
#: Texts of this length and more are searched once, however often their message is written.
_LONG_CHARS: Final = 2_000
_REMEMBERED_MAX: Final = 16
#: No secret is shorter, together with what gives it away.
_TEXT_CHARS_MIN = 12
#: Fewer different characters than this are somebody's idea of an example.
_DIFFERENT_MIN = 6


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: its kind, and where it stands in the text."""

    kind: str
    start: int
    end: int


class Masked(Struct, frozen=True, gc=False):
    """A text without its secrets, and where they stood in the text that was given."""

    text: str
    secrets: tuple[Secret, ...]


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in their order; no two overlap, and none goes over the end of a line."""
    if len(text) < _TEXT_CHARS_MIN:
        return ()
    return _remembered(text) if len(text) >= _LONG_CHARS else _find(text)


def _find(text: str) -> tuple[Secret, ...]:
    looks = [0] * len(_SCANS)
    secrets = _scan(text, looks)
    rest = text
    fresh = secrets
    for _ in range(_ROUNDS_MAX if secrets else 0):
        # A secret that is gone may show where another one begins or ends.
        rest = _blanked(rest, fresh)
        fresh = _scan(rest, looks)
        if not fresh:
            break
        secrets = secrets + fresh
    return tuple(_within_lines(text, _apart(secrets))) if secrets else ()


_remembered = lru_cache(maxsize=_REMEMBERED_MAX)(_find)


def _scan(data: str, looks: list[int]) -> list[Secret]:
    """Return what is found; `looks` counts the places that were looked at, of each kind."""
    secrets: list[Secret] = []
    end = len(data)
    for kind, (needed, search, look) in enumerate(_SCANS):
        if needed not in data:
            continue
        match = search(data, 0, end)
        while match is not None:
            # More may have been matched than stands for the place.
            resume = match.start() + 1
            there = look(data, match)
            if there is not _NOTHING:
                looks[kind] += 1
                if looks[kind] > LOOKS_MAX:
                    end = match.start()
                    break
                for secret in there:
                    secrets.append(secret)
                    resume = max(resume, secret.end)
            match = search(data, resume, end)
    if end < len(data):
        secrets.append(Secret(UNREAD, end, len(data)))
    return secrets


def _blanked(data: str, secrets: Iterable[Secret]) -> str:
    blanked = list(data)
    for secret in secrets:
        blanked[secret.start : secret.end] = BLANK * (secret.end - secret.start)
    return "".join(blanked)


def mask_secrets(text: str) -> Masked:
    """Return the text with `[secret:<kind>]` in the place of each secret; the very same text where there is none.

    The number of lines stays as it was, JSON stays JSON, and masking again changes nothing.
    """
    secrets = find_secrets(text)
    if not secrets:
        return Masked(text, ())
    pieces: list[str] = []
    done = 0
    for secret in secrets:
        pieces += text[done : secret.start], f"[secret:{secret.kind}]"
        done = secret.end
    pieces.append(text[done:])
    return Masked("".join(pieces), secrets)


def _token(data: str, match: re.Match[str]) -> Iterator[Secret]:
    if not match.lastgroup:
        for secret in beside_upper_password(data, match.start() - 1, match.end()):
            yield Secret(*secret)
    elif _is_varied(match[0]):
        yield Secret(_kind(match), match.start(), match.end())


def _from_second_letter(_data: str, match: re.Match[str]) -> Iterator[Secret]:
    if _is_varied(match[0]):
        yield Secret(_kind(match), match.start() - 1, match.end())


def _at_password(data: str, match: re.Match[str]) -> Iterator[Secret]:
    # The match begins in the middle of the word, at its rarest letter.
    for secret in beside_password(data, match.start() - len("pass"), match.end()):
        yield Secret(*secret)


#: What a separator may be the beginning of.
_KEY_OPENS = ("----", "-User")
_FLAG = compiled(r"--[A-Za-z]|-u\Z")


def _at_separator(data: str, match: re.Match[str]) -> Iterator[Secret]:
    sign = match[0]
    if _FLAG.match(sign):
        for flag in after_flag(data, match.start(), sign.lstrip("-"), match.end()):
            yield Secret(*flag)
    elif sign.startswith(_KEY_OPENS):
        for start, end in in_private_key(data, match.start()):
            yield Secret("private-key", start, end)
    yield from _with_prefix(data, match.start() + 1)
    yield from _around(data, match.start())


def _with_prefix(data: str, body_start: int) -> Iterator[Secret]:
    for length in PREFIX_LENGTHS:
        start = body_start - length
        rule = PREFIXED.get(data[start:body_start]) if start >= 0 else None
        if rule is None or not _begins_word(data, start):
            continue
        body = rule.body.match(data, body_start)
        if body and _is_varied(body[0]):
            yield Secret(rule.kind, start, body.end())


def _around(data: str, middle: int) -> Iterator[Secret]:
    for kind, left_chars, left, right in AROUND:
        after = right.match(data, middle)
        before = after and left.search(data[max(0, middle - left_chars) : middle])
        if before and after and _is_varied(before[0]):
            yield Secret(kind, middle - len(before[0]), after.end())


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


def _at_sign(data: str, match: re.Match[str]) -> Iterable[Secret]:
    if match.lastgroup:
        return _in_address(data, match)
    name = name_before(data, match.end())
    return _NOTHING if name is None else _assigned_to(data, name)


def _assigned_to(data: str, name: AssignedName) -> Iterator[Secret]:
    for secret in assigned(data, name):
        yield Secret(*secret)


def _in_address(data: str, match: re.Match[str]) -> Iterator[Secret]:
    if match.lastgroup == "url_user":
        yield from _user(data, match)
        return
    if match.lastgroup == "url_password":
        yield from _user(data, match)
    yield from _in_group(data, match)


def _user(data: str, match: re.Match[str]) -> Iterator[Secret]:
    """Look at the user of an address, who may be a token that needs no password."""
    if is_user_token(match["url_user"]) and not _is_in_mask(data, match.start("url_user")):
        yield Secret("url-token", *match.span("url_user"))


def _at_by(data: str, match: re.Match[str]) -> Iterator[Secret]:
    if match.lastgroup:
        yield from _in_group(data, match)
        return
    for secret in identified_by(data, match.start(), match.end()):
        yield Secret(*secret)


def _in_group(data: str, match: re.Match[str]) -> Iterator[Secret]:
    group = match.lastgroup or ""
    if not _is_in_mask(data, match.start(group)) and not is_placeholder(match[group]):
        yield _secret_of(_kind(match), match, group)


def _is_in_mask(data: str, start: int) -> bool:
    """Tell whether a mask stands there: in the place of a user it is none, though it has a colon."""
    return data.endswith(MASK_OPENS, 0, start)


def _secret_of(kind: str, match: re.Match[str], group: str | int) -> Secret:
    return Secret(kind, *match.span(group))


_Search = Callable[..., re.Match[str] | None]
#: At a place where nothing can be, which costs next to nothing to tell.
_NOTHING: Final[tuple[Secret, ...]] = ()
_Look = Callable[[str, re.Match[str]], Iterable[Secret]]
#: Everything that is searched for: what must be there, which takes a fifth of the time that a search takes to begin;
#: the search, and what looks at the place.
_SCANS: tuple[tuple[str, _Search, _Look], ...] = (
    *((needed, pattern.search, _at_separator) for needed, pattern in SEPARATORS.items()),
    *((needed, pattern.search, _token) for needed, pattern in WHOLE.items()),
    ("K", SECOND_LETTER.search, _from_second_letter),
    *((needed, pattern.search, _at_sign) for needed, pattern in SIGNS.items()),
    ("B", BEARER.search, _at_by),
    ("identified by", IDENTIFIED.search, _at_by),
    ("assw", PASSWORD.search, _at_password),
)


def _apart(secrets: Iterable[Secret]) -> list[Secret]:
    """Return the secrets in their order, those that overlap as one: of the kind that begins first, or is longer."""
    apart: list[Secret] = []
    for secret in sorted(secrets, key=lambda span: (span.start, -span.end)):
        if apart and secret.start < apart[-1].end:
            last = apart.pop()
            apart.append(Secret(last.kind, last.start, max(last.end, secret.end)))
        else:
            apart.append(secret)
    return apart


def _within_lines(text: str, secrets: Iterable[Secret]) -> Iterator[Secret]:
    """Yield the secrets line by line: some characters end a line that are no white space to our patterns."""
    for secret in secrets:
        start = secret.start
        for line in text[secret.start : secret.end].splitlines(keepends=True):
            (shown,) = line.splitlines()
            if shown:
                yield Secret(secret.kind, start, start + len(shown))
            start += len(line)
