"""Laws of masking: nothing else is touched, twice is as good as once, lines stay lines and JSON stays JSON."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st
from support.strategies import json_values, patient

from tailrace.agents.secrets.scan import find_secrets, mask_secrets

#: Pieces that secrets are made of, put together so that nearly everything can happen.
PIECES = (
    *("password", "PASSWORD", "secret", "token", "api_key", "Authorization", "Bearer ", "aws_secret_access_key", "pwd"),
    *(
        "=",
        ":",
        " = ",
        ": ",
        ":=",
        "=>",
        '"',
        "'",
        "`",
        '\\"',
        "\\n",
        "\n",
        "\r\n",
        "\t",
        " ",
        ",",
        ";",
        "&",
        "(",
        ")",
        "[",
        "]",
    ),
    *(
        "ghp_",
        "sk-",
        "sk-ant-",
        "glpat-",
        "xoxb-",
        "SG.",
        "npm_",
        "AKIA",
        "AIza",
        "eyJ",
        ".eyJ",
        "-us7",
        "AC",
        "SK",
        "AP5",
    ),
    *(
        "a8Fk29dLx0Qz",
        "Zx81Kq0PvW3nB7tY",
        "0123456789abcdef" * 2,
        "hunter2",
        "x" * 20,
        "T3BlbkFJ",
        "b1" * 20,
        "GR1348941",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "MIIEvQIBADANBgkqhkiG9w0BAQ",
        "PuTTY-User-Key-File-2: ",
    ),
    *(
        "https://",
        "user:",
        "@host/",
        "://",
        "@",
        "?sig=",
        "[secret:",
        "[secret:password]",
        "${",
        "}",
        "<",
        ">",
        "…",
        "\u2028",
    ),
    *(
        "--password ",
        "--token",
        "-u ",
        "curl ",
        "machine h login u password ",
        "Cookie: session=",
        "<password>",
        "</password>",
    ),
    *("setPassword(", "password(", '", "'),
    *(
        "name: DB_PASSWORD",
        '"name": "DB_PASSWORD"',
        '"value": "',
        "value",
        "value: ",
        "value=",
        '\\"value\\": \\"',
        '\\\\\\"',
    ),
    *("CREATE USER g ", "IDENTIFIED BY '", "identified by ", "PASSWORD '", "PASSWORD", "SET PASSWORD = ", " BY "),
    *(
        "2026-01-05 12:00:01 INFO weir[311]: ",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc\n",
    ),
    *("é", "水", "\ud800", "\x85", "\x0c", "\\", "-", "_", "."),
)
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=14).map("".join),
)
MASK = re.compile(r"\[secret:[a-z-]+\]")


@patient
@given(text=texts)
def test_only_what_was_found_is_replaced(text: str) -> None:
    masked = mask_secrets(text)

    rebuilt, done = "", 0
    for one in masked.secrets:
        assert done <= one.start < one.end <= len(text)
        rebuilt += text[done : one.start] + f"[secret:{one.kind}]"
        done = one.end
    assert masked.text == rebuilt + text[done:]
    assert all(MASK.fullmatch(f"[secret:{one.kind}]") for one in masked.secrets)
    assert masked.secrets == find_secrets(text)


@patient
@given(text=texts)
def test_masking_again_changes_nothing(text: str) -> None:
    once = mask_secrets(text).text
    assert mask_secrets(once).text is once


@patient
@given(text=texts)
def test_there_are_as_many_lines_as_before(text: str) -> None:
    masked = mask_secrets(text).text
    assert masked.count("\n") == text.count("\n")
    assert len(masked.splitlines()) == len(text.splitlines())


@patient
@given(
    value=st.recursive(st.one_of(json_values, texts), lambda inner: st.lists(inner, max_size=3), max_leaves=6),
    key=texts,
)
def test_json_stays_json_of_the_same_shape(value: object, key: str) -> None:
    for document in ({key: value}, {"password": value}, {"a": json.dumps({"token": value, "env": key})}):
        for text in (json.dumps(document), json.dumps(document, ensure_ascii=False, indent=1)):
            masked = json.loads(mask_secrets(text).text)
            assert _shape(masked) == _shape(json.loads(text))


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return sorted((type(inner).__name__, str(_shape(inner))) for inner in value.values())
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return type(value).__name__
