"""How much of a text is looked at: what is made to be slow is masked as a whole, and nothing of it is shown."""

import json

import pytest

from tailrace.agents.secrets.scan import LOOKS_MAX, UNREAD, find_secrets, mask_secrets

#: No password of anybody.
SECRET = "hunter22hunter"  # noqa: S105


@pytest.mark.parametrize("unit", ["pwd=", "password=abc1 ", "pwd=\n", "-u ", "-us1", 'token:"', "password ", "sk-"])
def test_what_is_behind_too_many_places_is_not_shown(unit: str) -> None:
    text = f"first\n{unit * (4 * LOOKS_MAX)}\npassword={SECRET}\nlast {SECRET}"
    masked = mask_secrets(text)

    assert masked.text.startswith("first\n")
    assert SECRET not in masked.text
    assert masked.text.count("\n") == text.count("\n")
    assert mask_secrets(masked.text).text == masked.text


def test_values_that_nothing_calls_secret_are_no_places() -> None:
    rows = json.dumps([{"value": number, "key": f"k{number}"} for number in range(LOOKS_MAX + 5_000)])
    assert find_secrets(rows) == ()


def test_as_many_places_as_are_looked_at_are_judged_one_by_one() -> None:
    text = f"password={SECRET}\n" * (LOOKS_MAX // 2)
    assert {one.kind for one in find_secrets(text)} == {"password"}
    assert UNREAD in {one.kind for one in find_secrets(text * 3)}
