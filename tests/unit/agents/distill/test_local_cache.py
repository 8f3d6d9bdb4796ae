"""Distillations that were made lately are not made again, and it makes no difference to anybody."""

from collections.abc import Iterator

import pytest
from support.tool_thread import lines

from tailrace.agents.distill import local_cache
from tailrace.agents.distill.distill import Distilled, ToolOutput, distill
from tailrace.agents.distill.local_cache import REMEMBERED, distill_once


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ToolOutput]]:
    """What was distilled, in order."""
    asked: list[ToolOutput] = []

    def noted(output: ToolOutput, *, chars_max: int) -> Distilled:
        asked.append(output)
        return distill(output, chars_max=chars_max)

    local_cache._made.clear()
    monkeypatch.setattr(local_cache, "distill", noted)
    yield asked
    local_cache._made.clear()


def test_the_same_output_is_distilled_once_however_long_it_is(made: list[ToolOutput]) -> None:
    output = ToolOutput(lines(20_000), "look", "gauges")
    expected = distill(output, chars_max=2_000)

    found = [distill_once(ToolOutput(lines(20_000), "look", "gauges"), chars_max=2_000) for _ in range(3)]

    assert found == [expected] * 3
    assert made == [output]


@pytest.mark.parametrize(
    ("other", "chars_max"),
    [
        (ToolOutput(lines(101), "look", "gauges"), 900),
        (ToolOutput(lines(100), "read", "gauges"), 900),
        (ToolOutput(lines(100), "look", "a.csv"), 900),
        (ToolOutput(lines(100), "look", "gauges"), 901),
    ],
)
def test_whatever_differs_is_distilled_for_itself(made: list[ToolOutput], other: ToolOutput, chars_max: int) -> None:
    distill_once(ToolOutput(lines(100), "look", "gauges"), chars_max=900)

    assert distill_once(other, chars_max=chars_max) == distill(other, chars_max=chars_max)
    assert len(made) == 2


def test_what_was_not_asked_for_lately_is_forgotten(made: list[ToolOutput]) -> None:
    often = ToolOutput("often")
    for number in range(2 * REMEMBERED):
        distill_once(ToolOutput(f"{number}"), chars_max=99)
        distill_once(often, chars_max=99)

    assert len(local_cache._made) == REMEMBERED
    assert made.count(often) == 1
    distill_once(ToolOutput("0"), chars_max=99)
    assert made.count(ToolOutput("0")) == 2
