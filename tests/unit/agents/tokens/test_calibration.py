"""What a provider's counts teach.

The anchor, the ratio with its bounds, and what of it stays hidden from our own count.
"""

from hypothesis import given
from hypothesis import strategies as st
from support.entries import entry

from tailrace.agents.tokens.calibration import OTHERS_MAX, RATIO_MAX, RATIO_MIN, calibrated, hidden_tokens
from tailrace.schemas.records.context import Calibration, Entry
from tailrace.schemas.records.event import Usage


def reported(input_tokens: int | None, output_tokens: int | None = 0) -> Entry:
    return entry(role="assistant", usage=Usage(input_tokens=input_tokens, output_tokens=output_tokens))


def test_the_last_report_is_the_anchor() -> None:
    known = calibrated(None, reported(1_500, 50), 1_000, "m")
    assert known == Calibration(model="m", reported_tokens=1_550, counted_tokens=1_000, accepted_tokens=1_500)
    assert hidden_tokens(known, 1_000, "m") == 550
    assert hidden_tokens(known, 1_200, "m") == 550


def test_a_report_without_output_counts_the_message_as_we_do() -> None:
    known = calibrated(None, reported(100, None), 90, "m")
    assert known is not None
    assert known.reported_tokens == 110


def test_a_report_of_nothing_teaches_nothing() -> None:
    known = Calibration(model="m", reported_tokens=7, counted_tokens=7)
    assert calibrated(known, reported(None), 90, "m") is known
    assert calibrated(known, reported(0), 90, "m") is known


def test_the_ratio_is_learned_from_growth_so_that_an_overhead_does_not_distort_it() -> None:
    known = calibrated(None, reported(10_000), 1_000, "m")
    for step in range(1, 40):
        known = calibrated(known, reported(10_000 + step * 1_200), 1_000 + step * 1_000, "m")
    assert known is not None
    assert abs(known.ratio - 1.2) < 0.01


def test_each_model_has_an_anchor_and_a_ratio_of_its_own() -> None:
    known = None
    for step in range(40):
        model, factor = (("m", 1.2), ("other", 1.8))[step % 2]
        counted = 1_000 + step * 1_000
        known = calibrated(known, reported(int(factor * counted)), counted, model)
    assert known is not None
    (before,) = known.others

    assert (known.model, before.model) == ("other", "m")
    assert abs(known.ratio - 1.8) < 0.02
    assert abs(before.ratio - 1.2) < 0.01
    assert hidden_tokens(known, 40_000, "m") == hidden_tokens(before, 40_000, "m") > 0


def test_only_so_many_models_are_known() -> None:
    known = None
    for number in range(OTHERS_MAX + 3):
        known = calibrated(known, reported(1_000), 900, f"m{number}")
    assert known is not None
    assert len(known.others) == OTHERS_MAX
    assert not any(other.others for other in known.others)
    assert hidden_tokens(known, 1_000, "m0") == 0


def test_another_model_starts_anew() -> None:
    known = Calibration(model="m", reported_tokens=10_000, counted_tokens=1_000, ratio=1.5)
    other = calibrated(known, reported(20_000), 2_000, "other")
    assert other is not None
    assert other.ratio == 1.0
    assert hidden_tokens(known, 1_000, "other") == 0


def test_our_own_count_stands_where_the_provider_counts_less() -> None:
    assert hidden_tokens(Calibration(model="m", reported_tokens=10, counted_tokens=1_000), 1_000, "m") == 0


reports = st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**6)), max_size=20)


@given(reports)
def test_no_report_moves_the_ratio_out_of_its_bounds(reports: list[tuple[int, int]]) -> None:
    known: Calibration | None = None
    for input_tokens, counted_tokens in reports:
        known = calibrated(known, reported(input_tokens), counted_tokens, "m")
        assert known is not None
        assert RATIO_MIN <= known.ratio <= RATIO_MAX
        assert hidden_tokens(known, counted_tokens, "m") >= 0
