"""The policy: what is refused, what a window leaves, and when two policies are the same."""

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy import Policy


def test_the_reserves_are_taken_off_the_window() -> None:
    assert Policy(output_reserve_tokens=4_000, safety_tokens=500).limit_tokens(128_000) == 123_500


def test_a_window_of_its_own_comes_before_the_model_s() -> None:
    policy = Policy(window_tokens=10_000, output_reserve_tokens=0, safety_tokens=0)
    assert policy.limit_tokens(128_000) == 10_000


@pytest.mark.parametrize("window_tokens", [1, 2, 3, 4, 100, 4_000, 5_000])
def test_reserves_leave_at_least_a_quarter_of_a_small_window(window_tokens: int) -> None:
    limit_tokens = Policy().limit_tokens(window_tokens)
    assert limit_tokens == max(1, window_tokens // 4, window_tokens - 4_596)
    assert 0 < limit_tokens <= window_tokens


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("upper_fraction", 0.0),
        ("upper_fraction", 1.01),
        ("upper_fraction", float("nan")),
        ("lower_fraction", 0.0),
        ("lower_fraction", 0.85),
        ("lower_fraction", -1.0),
        ("lower_fraction", float("nan")),
        ("window_tokens", 0),
        ("default_window_tokens", -1),
        ("output_reserve_tokens", -1),
        ("safety_tokens", -1),
    ],
)
def test_a_number_that_can_t_work_is_refused_by_name(key: str, value: float) -> None:
    with pytest.raises(ConfigError) as refused:
        Policy(**{key: value})
    assert refused.value.key == f"policy.{key}"
    assert refused.value.value is value or refused.value.value == value


def test_equal_policies_have_equal_versions() -> None:
    assert Policy().version == Policy(upper_fraction=0.85).version
    assert len(Policy().version) == 12


@pytest.mark.parametrize(
    "other",
    [Policy(upper_fraction=0.9), Policy(lower_fraction=0.5), Policy(window_tokens=1), Policy(safety_tokens=501)],
)
def test_any_other_number_is_another_version(other: Policy) -> None:
    assert other.version != Policy().version
