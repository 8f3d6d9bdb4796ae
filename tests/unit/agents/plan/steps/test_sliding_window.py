"""The window: what lies outside of the last turns, groups or tokens goes, a whole chunk at once."""

import pytest
from support.drafts import AROUND, assistant, draft, exchange, live, system, take, user

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.steps.registry import propose
from tailrace.schemas.policy.steps import SlidingWindow

#: Four turns: a question, a call with its result, and an answer of 20 tokens. The call costs 30.
TALK: list[MessageInput] = [
    said for key in "abcd" for said in [user(10 - AROUND), *exchange(key, 3), assistant(20 - AROUND)]
]


def gone(step: SlidingWindow, said: list[MessageInput] = TALK) -> list[str]:
    before = draft(said)
    everything = live(before)
    return [key for key in everything if key not in live(take(step, before))]


@pytest.mark.parametrize(
    ("step", "dropped"),
    [
        (SlidingWindow(turns=2), ["m1", "m2", "m3", "m4", "m5", "m6", "m7"]),
        (SlidingWindow(turns=9), []),
        (SlidingWindow(groups=4), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10"]),
        (SlidingWindow(groups=99), []),
        (SlidingWindow(tokens=50), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10"]),
        (SlidingWindow(turns=3, tokens=80), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]),
        (SlidingWindow(turns=1, groups=99), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11"]),
    ],
)
def test_what_lies_outside_goes_but_for_what_is_kept(step: SlidingWindow, dropped: list[str]) -> None:
    assert gone(step) == dropped


def test_kept_groups_stay_wherever_they_are() -> None:
    talk = [system(), user(), assistant(), assistant(pinned=True), assistant(), user(), assistant()]

    assert gone(SlidingWindow(groups=1), talk) == ["m2", "m4"]


def test_it_is_one_proposal_however_much_goes() -> None:
    assert len(propose(SlidingWindow(turns=1), draft(TALK), {})) == 1
    assert propose(SlidingWindow(turns=9), draft(TALK), {}) == []
