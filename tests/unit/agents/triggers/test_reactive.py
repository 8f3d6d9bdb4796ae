"""Reactive trigger: what a provider's refusal shows of a window."""

import pytest

from tailrace.agents.triggers.reactive import believing, check_plausible, corrected_window, refusal_text
from tailrace.schemas.context import Standing
from tailrace.schemas.errors import Refused
from tailrace.schemas.policy import Policy
from tailrace.schemas.signal import Overflow


@pytest.mark.parametrize(
    ("overflow", "window"),
    [
        (Overflow(window_tokens=700), 700),
        (Overflow(window_tokens=5_000), 1_000),
        # The provider counted twice what we did: by our count its window is half.
        (Overflow(window_tokens=700, sent_tokens=1_800), 350),
        (Overflow(), 855),
        (Overflow(sent_tokens=1_800), 855),
        (Overflow(window_tokens=700, sent_tokens=10**9), 225),
        (Overflow(window_tokens=256), 256),
        (Overflow(window_tokens=256, sent_tokens=900), 256),
    ],
)
def test_the_window_is_what_the_refusal_shows_and_never_more_than_was_believed(overflow: Overflow, window: int) -> None:
    assert corrected_window(overflow, 1_000, 900) == window


def test_a_small_window_alone_is_not_believed_and_the_audit_says_so() -> None:
    alone, counted = Overflow(window_tokens=8_000), Overflow(window_tokens=8_000, sent_tokens=100_000)
    assert corrected_window(alone, 128_000, 100_000) == 25_000
    assert corrected_window(counted, 128_000, 100_000) == 8_000
    assert "the window is 25,000, reported were 8,000" in refusal_text(alone, 25_000, 100_000)
    assert "reported" not in refusal_text(counted, 8_000, 100_000)


@pytest.mark.parametrize(
    ("overflow", "reason"),
    [
        (Overflow(window_tokens=10**9), "is not too long for a window"),
        (Overflow(window_tokens=3_601), "is not too long for a window"),
        (Overflow(window_tokens=8_001, sent_tokens=2_000), "is not too long for a window"),
        (Overflow(sent_tokens=224), "was not this context of 900"),
    ],
)
def test_numbers_that_can_not_be_about_this_context_are_refused(overflow: Overflow, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        check_plausible(overflow, 900)


@pytest.mark.parametrize(
    "overflow",
    [
        Overflow(),
        Overflow(window_tokens=3_600),
        Overflow(window_tokens=8_000, sent_tokens=2_000),
        Overflow(sent_tokens=225),
    ],
)
def test_what_a_provider_counts_beside_the_messages_is_allowed_for(overflow: Overflow) -> None:
    check_plausible(overflow, 900)


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
