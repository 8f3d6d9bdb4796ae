"""Reactive trigger: what a provider's refusal shows of a window."""

import pytest

from tailrace.agents.triggers.reactive import believing, corrected_window
from tailrace.schemas.context import Standing
from tailrace.schemas.policy import Policy
from tailrace.schemas.signal import Overflow


@pytest.mark.parametrize(
    ("overflow", "window"),
    [
        (Overflow(window_tokens=700), 700),
        (Overflow(window_tokens=5_000), 1_000),
        # The provider counted twice what we did: by our count its window is half.
        (Overflow(window_tokens=700, sent_tokens=1_800), 350),
        (Overflow(window_tokens=700, sent_tokens=100), 700),
        (Overflow(), 855),
        (Overflow(sent_tokens=1_800), 855),
        (Overflow(window_tokens=700, sent_tokens=10**12), 175),
        (Overflow(window_tokens=1, sent_tokens=10**12), 1),
    ],
)
def test_the_window_is_what_the_refusal_shows_and_never_more_than_was_believed(overflow: Overflow, window: int) -> None:
    assert corrected_window(overflow, 1_000, 900) == window


def test_a_policy_without_a_window_of_its_own_needs_no_change() -> None:
    policy = Policy()
    assert believing(policy, Standing(windows={"m": 500}), "m") is policy


@pytest.mark.parametrize(
    ("windows", "model", "expected"),
    [
        ({}, "m", 900),
        ({"m": 500}, "m", 500),
        ({"other": 500}, "m", 900),
        ({"m": 5_000}, "m", 900),
        ({"": 400}, None, 400),
    ],
)
def test_a_window_of_the_policy_is_held_to_what_was_shown(
    windows: dict[str, int], model: str | None, expected: int
) -> None:
    assert believing(Policy(window_tokens=900), Standing(windows=windows), model).window_tokens == expected
