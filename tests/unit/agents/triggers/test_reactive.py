"""Reactive trigger: what a provider's refusal shows of a window."""

import pytest

from tailrace.agents.tokens.learned_window import effective_tokens
from tailrace.agents.triggers.reactive import Refusal, believed_limit, refusal_text
from tailrace.schemas.errors import Refused
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import LearnedWindow, Standing
from tailrace.schemas.records.signal import Overflow


def refusal(overflow: Overflow, context_tokens: int = 900, window_tokens: int = 1_000, accepted: int = 0) -> Refusal:
    return Refusal(overflow, context_tokens, window_tokens, window_tokens, accepted)


@pytest.mark.parametrize(
    ("overflow", "window"),
    [
        (Overflow(window_tokens=700), 700),
        # Refused as it is: by our count its window is less than that.
        (Overflow(window_tokens=3_000), 855),
        # The provider counted twice what we did: by our count its window is half.
        (Overflow(window_tokens=700, sent_tokens=1_800), 350),
        (Overflow(), 855),
        (Overflow(sent_tokens=1_800), 855),
        (Overflow(window_tokens=700, sent_tokens=10**9), 256),
        (Overflow(window_tokens=256), 256),
        (Overflow(window_tokens=256, sent_tokens=900), 256),
    ],
)
def test_the_window_is_what_the_refusal_shows_and_never_more_than_was_believed(overflow: Overflow, window: int) -> None:
    assert effective_tokens(refusal(overflow).shown()) == window


def test_a_small_window_alone_is_not_believed_and_the_audit_says_so() -> None:
    alone, counted = Overflow(window_tokens=8_000), Overflow(window_tokens=8_000, sent_tokens=100_000)
    assert effective_tokens(refusal(alone, 100_000, 128_000).shown()) == 25_000
    assert effective_tokens(refusal(counted, 100_000, 128_000).shown()) == 8_000
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
        refusal(overflow).check_plausible(proved=False)


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
    refusal(overflow).check_plausible(proved=False)


@pytest.mark.parametrize(
    ("overflow", "context_tokens", "window"),
    [
        # Without a number, a quarter of the window that the model is known to have.
        (Overflow(), 20_000, 32_000),
        (Overflow(sent_tokens=25_000), 20_000, 32_000),
        # With both numbers, a 32nd of it.
        (Overflow(window_tokens=256, sent_tokens=20_000), 20_000, 4_000),
        (Overflow(window_tokens=4_096, sent_tokens=20_000), 20_000, 4_096),
    ],
)
def test_no_refusal_shows_less_than_a_share_of_the_known_window(
    overflow: Overflow, context_tokens: int, window: int
) -> None:
    assert effective_tokens(refusal(overflow, context_tokens, 128_000).shown()) == window


def test_what_is_learned_for_good_is_never_below_what_was_accepted() -> None:
    taken = refusal(Overflow(window_tokens=8_000, sent_tokens=100_000), 100_000, 128_000, accepted=90_000)
    lasting = taken.lasting(taken.shown())
    assert effective_tokens(taken.shown()) == 8_000
    assert lasting is not None
    assert effective_tokens(lasting) == 90_000


def test_a_report_without_a_window_is_refused_below_what_was_accepted_unless_it_is_about_this_context() -> None:
    small = refusal(Overflow(), 50_000, 128_000, accepted=90_000)
    with pytest.raises(Refused, match="has taken a request of 90,000 tokens, and this context has 50,000"):
        small.check_plausible(proved=False)
    small.check_plausible(proved=True)
    refusal(Overflow(), 95_000, 128_000, accepted=90_000).check_plausible(proved=False)


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
@pytest.mark.parametrize("own", [True, False])
def test_a_window_is_held_to_what_was_shown_be_it_the_policys_or_the_catalogues(
    windows: dict[str, int], model: str | None, expected: int, *, own: bool
) -> None:
    policy = Policy(window_tokens=900 if own else None)
    standing = Standing(windows={name: LearnedWindow(window_tokens=tokens) for name, tokens in windows.items()})
    limit_tokens = believed_limit(policy, standing, model, 5_000 if own else 900)
    assert limit_tokens == Policy(window_tokens=expected).limit_tokens(0, model)
