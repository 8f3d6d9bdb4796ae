"""Cron expressions fire when Debian's cron would, in their time zone, and always in the future."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.triggers.cron import check_cron, next_fire_ms
from tailrace.schemas.errors import ConfigError

NEW_YORK = "America/New_York"


def at(text: str, zone: str = "UTC", fold: int = 0) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC if zone == "UTC" else ZoneInfo(zone), fold=fold)
    return int(moment.timestamp() * 1_000)


@pytest.mark.parametrize(
    ("expression", "after", "fires"),
    [
        ("* * * * *", "2026-03-01T12:00:00", "2026-03-01T12:01:00"),
        ("* * * * *", "2026-03-01T12:00:59.999", "2026-03-01T12:01:00"),
        ("*/15 * * * *", "2026-03-01T12:44:59.999", "2026-03-01T12:45:00"),
        ("*/15 * * * *", "2026-03-01T12:45:00", "2026-03-01T13:00:00"),
        ("0 8-18 * * MON-FRI", "2026-03-06T18:00:00", "2026-03-09T08:00:00"),
        ("30 4 1,15 * 5", "2026-03-02T00:00:00", "2026-03-06T04:30:00"),
        ("0 0 L * *", "2026-02-03T00:00:00", "2026-02-28T00:00:00"),
        ("0 0 29 2 *", "2026-03-01T00:00:00", "2028-02-29T00:00:00"),
        ("0 0 * 2 MON#5", "2044-03-01T00:00:00", "2072-02-29T00:00:00"),
        ("0 0 1 1 *", "1969-06-01T00:00:00", "1970-01-01T00:00:00"),
    ],
)
def test_it_fires_at_the_next_full_minute_that_fits(expression: str, after: str, fires: str) -> None:
    assert next_fire_ms(expression, at(after)) == at(fires)


def test_it_fires_by_the_clocks_of_its_zone() -> None:
    assert next_fire_ms("0 9 * * *", at("2026-01-15T00:00:00"), NEW_YORK) == at("2026-01-15T14:00:00")
    assert next_fire_ms("0 9 * * *", at("2026-07-15T00:00:00"), NEW_YORK) == at("2026-07-15T13:00:00")
    assert next_fire_ms("0 9 * * *", at("2026-07-15T00:00:00"), "Asia/Kathmandu") == at("2026-07-15T03:15:00")


def test_a_time_that_the_clocks_skip_fires_once_they_have_moved() -> None:
    assert next_fire_ms("30 2 * * *", at("2026-03-08T00:00:00", NEW_YORK), NEW_YORK) == at(
        "2026-03-08T03:00:00", NEW_YORK
    )


def test_a_time_that_the_clocks_show_twice_fires_once() -> None:
    first = next_fire_ms("45 1 * * *", at("2026-11-01T00:00:00", NEW_YORK), NEW_YORK)
    assert first == at("2026-11-01T01:45:00", NEW_YORK)
    assert next_fire_ms("45 1 * * *", first, NEW_YORK) == at("2026-11-02T01:45:00", NEW_YORK)
    between = at("2026-11-01T01:30:00", NEW_YORK, fold=1)
    assert next_fire_ms("45 1 * * *", between, NEW_YORK) == at("2026-11-02T01:45:00", NEW_YORK)


@given(
    st.sampled_from(["* * * * *", "*/7 * * * *", "30 1,2 * * *", "45 1 * * 0", "0 */6 1 * *", "0 0 L 2 *"]),
    st.integers(0, 4_000_000_000_000),
    st.sampled_from(["UTC", NEW_YORK, "Europe/Zurich", "Australia/Lord_Howe", "Asia/Kathmandu"]),
)
def test_the_next_time_is_later_and_there_is_none_between(expression: str, after_ms: int, zone: str) -> None:
    fire_ms = next_fire_ms(expression, after_ms, zone)

    assert fire_ms > after_ms
    assert fire_ms % 60_000 == 0
    assert next_fire_ms(expression, fire_ms - 1, zone) == fire_ms
    assert next_fire_ms(expression, (after_ms + fire_ms) // 2, zone) in {
        fire_ms,
        next_fire_ms(expression, fire_ms, zone),
    }


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "five fields"),
        ("* * * *", "five fields"),
        ("0 * * * * *", "five fields"),
        ("@daily", "five fields"),
        ("60 * * * *", "Bad minute"),
        ("* 24 * * *", "Bad hour"),
        ("* * 0 * *", "Bad day-of-month"),
        ("* * 30 2 *", "Bad day-of-month"),
        ("* * * 13 *", "Bad month"),
        ("* * * * 8", "Bad day-of-week"),
        ("*/0 * * * *", "Bad minute"),
        ("a * * * *", "Bad minute"),
        ("5-3 * * * *", "Bad minute"),
        (f"{'1,' * 100}1 * * * *", "at most 200 characters"),
    ],
)
def test_what_can_not_be_read_is_refused_with_the_field(expression: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_cron(expression)

    assert raised.value.key == "cron"
    assert said in raised.value.allowed


@pytest.mark.parametrize("zone", ["", "Nowhere", "../etc/passwd", "America", "/etc/localtime"])
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(ConfigError, match="the name of a time zone"):
        check_cron("* * * * *", zone)


def test_what_can_be_read_is_allowed() -> None:
    check_cron("*/15 8-18 * * MON-FRI", "Europe/Zurich")
    assert next_fire_ms("*/15 8-18 * * MON-FRI", 0, "Europe/Zurich") > 0
