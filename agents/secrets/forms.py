"""Secrets without an equals sign or colon before them: behind flags, in calls, elements, SQL, netrc and cookies.

Each function looks at one place that `secrets.rules` has found, and yields kind, beginning and end of the secrets
there. What people write in running text is as near to these forms as to none of the others, so a word alone is never a
secret here.
"""

import re
from collections.abc import Iterator
from typing import Final

from tailrace.agents.secrets.rules import compiled
from tailrace.agents.secrets.values import is_bare_secret, is_placeholder, is_random, is_secret, kind_named

Span = tuple[str, int, int]

#: Between a flag and its value: white space, or the border between two strings of a list.
_FLAG_GAP = compiled(r"[ \t]{1,8}|\\{0,2}[\"'][ ]?,[ \n]{0,8}(?=\\{0,2}[\"'])")
#: A value in quotes, which nothing but the end of the word follows; never what stands between two strings of JSON.
_QUOTED = compiled(
    r"(?P<quote>\\{0,2}[\"'`])(?P<value>(?![:,\]}])[^\s\"'`\\]{4,512}+)(?P=quote)(?=[\s),;\]|&\\\"']|\Z)"
)
_BARE = compiled(r"(?P<value>[^\s\"'`\\,;&|<>(){}\[\]]{4,512}+)(?=[\s\"'`\\,;&|<>)]|\Z)")
#: What a flag begins behind.
_FLAG_OPENS: Final = " \t\n\"'`([=,"
_USER: Final = frozenset(("user", "proxy-user"))
#: The name and the password that curl is given. A user and a group look the same, so curl must be on the line.
_USER_PASSWORD = compiled(r"\\{0,2}[\"']?[^\s:\"'`\\]{1,128}:(?P<value>[^\s\"'`\\]{1,256}+)")
_CURL: Final = "curl"
_LINE_CHARS_MAX: Final = 1024


def after_flag(data: str, start: int, name: str, end: int) -> Iterator[Span]:
    """Look behind a flag that begins at `start`, with its hyphens, and whose name ends at `end`."""
    if start and data[start - 1] not in _FLAG_OPENS:
        return
    gap = _FLAG_GAP.match(data, end)
    if gap is None:
        return
    if name in _USER or name == "u":
        yield from _user_password(data, start, gap.end())
        return
    kind = kind_named(name)
    if kind is None:
        return
    quoted = _QUOTED.match(data, gap.end())
    value = quoted or _BARE.match(data, gap.end())
    if value is None:
        return
    text = value["value"]
    if is_secret(kind, text) if quoted else is_bare_secret(kind, text, in_code=False):
        yield kind, *value.span("value")


def _user_password(data: str, start: int, value_start: int) -> Iterator[Span]:
    line_start = data.rfind("\n", max(0, start - _LINE_CHARS_MAX), start) + 1
    if _CURL not in data[max(line_start, start - _LINE_CHARS_MAX) : start]:
        return
    value = _USER_PASSWORD.match(data, value_start)
    if value and not is_placeholder(value["value"]):
        yield "password", *value.span("value")


#: The name of a call, an element or a flag in front of the word password.
_NAME: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:.-"
_NAME_CHARS_MAX: Final = 66
#: What sets a password; others ask for one, check it, or change it.
_SETTERS: Final = ("set", "with", "use")
_ELEMENT = compiled(r"(?P<value>[^\s<>&\"'\\]{4,512}+)(?=</)")
#: What stands before the password in netrc, on one line or several.
_NETRC = compiled(
    r"(?:\A|\s|\\n|[\"'])(?:machine(?:[ \t\n]|\\[nt]){1,8}[^\s\\]{1,128}|default)"
    r"(?:(?:[ \t\n]|\\[nt]){1,8}(?:login|account)(?:[ \t\n]|\\[nt]){1,8}[^\s\\]{1,128}){0,2}(?:[ \t\n]|\\[nt]){1,8}\Z"
)
_NETRC_WORDS: Final = ("machine", "default")
_NETRC_CHARS_MAX: Final = 512
_NETRC_VALUE = compiled(r"(?:[ \t\n]|\\[nt]){1,8}(?P<value>[^\s\"'\\]{4,512}+)")


def beside_password(data: str, start: int, end: int) -> Iterator[Span]:
    """Look at what follows the word password, or passwd, that stands between `start` and `end`."""
    follows = data[end : end + 1]
    left = data[max(0, start - _NAME_CHARS_MAX) : start]
    before = left.rstrip(_NAME)
    name = left[len(before) :]
    if follows == ">":
        value = _ELEMENT.match(data, end + 1) if before.endswith("<") else None
        if value and not is_placeholder(value["value"]):
            yield "password", *value.span("value")
    elif follows == "(":
        yield from _in_call(data, end + 1, name.rpartition(".")[2].lower())
    elif name.startswith("-") and not name.startswith("--"):
        yield from after_flag(data, start - len(name), "password", end)
    else:
        is_word = not name or (before.endswith("\\") and name in {"n", "t"})
        if is_word:
            yield from _in_netrc(data, start, end)
        yield from _in_sql(data, start, end, _SQL_GAP if is_word else _SQL_BY)


def beside_upper_password(data: str, start: int, end: int) -> Iterator[Span]:
    """Look at what follows the word PASSWORD, as SQL writes it, that stands between `start` and `end`."""
    yield from _in_sql(data, start, end, _SQL_GAP)


#: Between the word password and a password, in statements that set one; and where the word is the end of a method's
#: name.
_SQL_GAP: Final = compiled(
    r"(?:[ \t\n]|\\[nt]){1,8}(?:(?:FOR|for)[ ][^\s=]{1,128}[ ]?)?(?:=[ ]?(?:(?:PASSWORD|password)\()?)?|\("
)
_SQL_BY: Final = compiled(r"(?:[ \t\n]|\\[nt]){1,8}(?:BY|by|AS|as)[ \t]{1,4}")
#: What makes sure that it is SQL. Elsewhere a word alone may be a label.
_SQL: Final = compiled(
    r"\b(?:CREATE|ALTER|create|alter)[ ]{1,4}(?:USER|ROLE|LOGIN|user|role|login)\b"
    r"|\b(?:SET|set)(?:[ ]{1,4}(?:PASSWORD|password)[ ]=[ ])?[ ]{0,4}\Z|\b(?:IDENTIFIED|identified)[ ](?:WITH|with)\b"
)
_SQL_CHARS_MAX: Final = 256


def _in_sql(data: str, start: int, end: int, gap: re.Pattern[str]) -> Iterator[Span]:
    between = gap.match(data, end)
    value = _QUOTED.match(data, between.end()) if between else None
    if value is None or not is_secret("password", value["value"]):
        return
    if not value["value"].isalpha() or _SQL.search(data[max(0, start - _SQL_CHARS_MAX) : start]):
        yield "password", *value.span("value")


_IDENTIFIED: Final = compiled(r"(?:IDENTIFIED|identified)[ ](?:(?:WITH|with)[ ][^\s;]{1,64}[ ])?\Z")
_IDENTIFIED_CHARS_MAX: Final = 96
_IDENTIFIED_GAP: Final = compiled(r"(?:[ \t\n]|\\[nt]){1,8}(?:(?:PASSWORD|password|VALUES|values)[ ])?")


def identified_by(data: str, start: int, end: int) -> Iterator[Span]:
    """Look for the password behind `IDENTIFIED BY` in SQL; the word that ends with BY is from `start` to `end`."""
    by = end - len("BY")
    if not _IDENTIFIED.search(data[max(0, by - _IDENTIFIED_CHARS_MAX) : by]):
        return
    gap = _IDENTIFIED_GAP.match(data, end)
    quoted = _QUOTED.match(data, gap.end()) if gap else None
    if quoted:
        if is_secret("password", quoted["value"]):
            yield "password", *quoted.span("value")
        return
    # Without quotes, as Oracle has it, only where a statement says so: people are identified by many things.
    bare = _BARE.match(data, gap.end()) if gap else None
    if bare and _SQL.search(data[max(0, start - _SQL_CHARS_MAX) : start]) and not is_placeholder(bare["value"]):
        yield "password", *bare.span("value")


def _in_netrc(data: str, start: int, end: int) -> Iterator[Span]:
    left = data[max(0, start - _NETRC_CHARS_MAX) : start]
    if not any(word in left for word in _NETRC_WORDS):
        return
    value = _NETRC_VALUE.match(data, end)
    if value and _NETRC.search(left) and not is_placeholder(value["value"]):
        yield "password", *value.span("value")


def _in_call(data: str, start: int, prefix: str) -> Iterator[Span]:
    sets = prefix.startswith(_SETTERS)
    value = _QUOTED.match(data, start) if sets or not prefix else None
    if value is None:
        return
    text = value["value"]
    # Without a verb it may be the label of a form.
    if is_secret("password", text) and (sets or not text.isalpha()):
        yield "password", *value.span("value")


_COOKIE = compiled(r"(?P<name>[A-Za-z0-9_.%-]{2,64})=(?P<value>[^\s;,\"'`\\]{8,4096})")
#: Names of what lets somebody in. Others count visits, or remember a language.
_SESSION = compiled(r"sess|sid\b|auth|token|jwt|csrf|xsrf|login|remember|sso|secret|credential|ticket|identity")
_COOKIES_CHARS_MAX: Final = 8192
_OPENS = compiled(r"[ \t]{0,8}(?P<quote>\\{0,4}[\"'`])?")


def in_cookies(data: str, start: int) -> Iterator[Span]:
    """Look at the cookies that a header holds from `start` on, up to the end of its line or string."""
    opens = _OPENS.match(data, start)
    begin = opens.end() if opens else start
    closing = [opens["quote"]] if opens and opens["quote"] else []
    # What follows the next header is looked at there.
    ends = [data.find(mark, begin, begin + _COOKIES_CHARS_MAX) for mark in ("\n", "\\n", "ookie:", *closing)]
    end = min((place for place in ends if place >= 0), default=min(len(data), begin + _COOKIES_CHARS_MAX))
    for cookie in _COOKIE.finditer(data, begin, end):
        value = cookie["value"]
        if _SESSION.search(cookie["name"].lower()) and not is_placeholder(value) and is_random(value):
            yield "cookie", *cookie.span("value")
