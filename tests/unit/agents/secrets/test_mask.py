"""Messages with their secrets masked: in texts, in arguments, in answers of any shape.

Everything else stays the same object. No secret stands in this file: all are made up while the tests run.
"""

import base64
import json
from typing import Any

import msgspec
import pytest
from support.fresh_secrets import SECRETS

from tailrace.agents.secrets.mask import mask_ends, mask_envelope, mask_json, mask_message
from tailrace.agents.secrets.scan import mask_secrets
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    CompactionPart,
    GenericPart,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

TOKEN = SECRETS["token"]


def masked(part: AnyPart) -> AnyPart:
    (found,) = mask_message(Message(role="tool", parts=(part,))).parts
    return found


@pytest.mark.parametrize(
    "part",
    [
        TextPart(content=f"the token is {TOKEN}."),
        RefusalPart(content=f"not {TOKEN}"),
        CompactionPart(content=f"was {TOKEN}"),
        ToolCallPart(id="a", name="curl", arguments=f'{{"header": "{TOKEN}"}}'),
        ToolCallPart(id="a", name="curl", arguments={"header": [TOKEN]}),
        ToolCallResponsePart(id="a", response=f"env:\nTOKEN={TOKEN}\n"),
        ToolCallResponsePart(id="a", response=[{"type": "text", "text": f"export TOKEN={TOKEN}"}]),
        ToolCallResponsePart(id="a", response={"deep": [{"er": {"est": TOKEN}}]}),
        GenericPart(value={"type": "later", "body": TOKEN}),
    ],
    ids=lambda part: (
        f"{type(part).__name__}-{type(getattr(part, 'response', getattr(part, 'arguments', ''))).__name__}"
    ),
)
def test_a_secret_is_masked_wherever_it_stands(part: AnyPart) -> None:
    written = msgspec.json.encode(masked(part)).decode()

    assert TOKEN not in written
    assert "[secret:" in written


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("shape", ["text", "block", "field", "listed"])
def test_every_kind_of_secret_is_masked_in_every_shape_of_an_answer(kind: str, shape: str) -> None:
    secret = SECRETS[kind]
    text = f"first line\nsetting: {secret}\nlast line"
    shapes: dict[str, Any] = {
        "text": text,
        "block": [{"type": "text", "text": text}],
        "field": {"output": text, "ok": True},
        "listed": ["before", text, {"after": [1, None, text]}],
    }

    written = msgspec.json.encode(mask_json(shapes[shape])).decode()

    for line in secret.split("\n"):
        assert msgspec.json.encode(line).decode().strip('"') not in written
    assert "last line" in written


def test_json_that_stands_as_text_in_a_block_is_masked_as_it_reads() -> None:
    """Written out once more, its quotes have more backslashes before them than anybody writes."""
    text = json.dumps(json.dumps({"password": "Wq8-brontosaur-71"}))

    assert "brontosaur" not in str(mask_json([{"type": "text", "text": text}]))


def test_a_name_beside_a_value_gives_it_away_and_numbers_stay_numbers() -> None:
    found = mask_json({"user": "ana", "password": "Wq8-brontosaur-71", "port": 5432, "ratio": 0.1, "none": None})

    assert found == {"user": "ana", "password": found["password"], "port": 5432, "ratio": 0.1, "none": None}
    assert found["password"].startswith("[secret:")


@pytest.mark.parametrize("value", ["plain", "", 7, None, True, [], {}, [1, "a"], {"a": {"b": [2]}}, {"big": 10**40}])
def test_what_holds_no_secret_is_the_very_same(value: object) -> None:
    assert mask_json(value) is value


def test_a_message_without_secrets_is_the_very_same() -> None:
    message = Message(role="user", parts=(TextPart(content="a word"), ReasoningPart(content=TOKEN)))

    assert mask_message(message) is message


def test_reasoning_is_bound_to_its_bytes() -> None:
    part = ReasoningPart(content=f"I saw {TOKEN}", extra={"signature": "s"})

    assert masked(part) is part


def test_masking_again_changes_nothing() -> None:
    once = mask_json({"a": [f"x {TOKEN}", {"password": "Wq8-brontosaur-71"}]})

    assert mask_json(once) == once


def test_what_cannot_be_written_as_json_is_not_shown_at_all() -> None:
    deep: Any = "leaf"
    for _ in range(100_000):
        deep = [deep]

    assert mask_json(deep) == "[masked]"
    assert mask_json(["\ud800"]) == "[masked]"


def test_key_fields_of_an_envelope_are_masked_by_their_names_too() -> None:
    given = ToolEnvelope(name="env", key_fields={"password": "Wq8-brontosaur-71", "path": "a.csv", "note": TOKEN})

    found = mask_envelope(given)

    assert (found.name, found.key_fields["path"]) == ("env", "a.csv")
    assert TOKEN not in str(found.key_fields)
    assert "brontosaur" not in str(found.key_fields)
    plain = ToolEnvelope(key_fields={"path": "a.csv"})
    assert mask_envelope(plain) is plain


KEY = "\n".join(
    [
        "-----BEGIN PRIVATE KEY-----",
        *[base64.b64encode(bytes([n % 251]) * 30 + b"x7").decode() for n in range(300)],
        "-----END PRIVATE KEY-----",
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "short",
        f"one long line {'x ' * 9_000}{TOKEN}",
        "\n".join(["plain line of a log"] * 2_000),
        "\n".join([f"token={TOKEN}", *["plain line of a log"] * 2_000, f"token={TOKEN}"]),
        "a line\n" * 30 + KEY,
        "\n".join([*["plain"] * 40, *[f"password = {TOKEN}{number}" for number in range(900)]]),
    ],
)
@pytest.mark.parametrize(("head_chars", "tail_chars"), [(0, 0), (10, 10), (200, 1), (1, 200), (1_000, 1_000)])
def test_the_ends_of_a_text_are_masked_as_in_the_whole_of_it(text: str, head_chars: int, tail_chars: int) -> None:
    whole, ends = mask_secrets(text).text, mask_ends(text, head_chars, tail_chars)
    assert ends[:head_chars] == whole[:head_chars]
    assert ends[len(ends) - tail_chars :] == whole[len(whole) - tail_chars :]
    assert len(ends) <= len(whole)


def test_the_middle_of_a_long_text_is_not_looked_at() -> None:
    assert len(mask_ends("plain line of a log\n" * 10_000, 200, 200)) < 1_000
