"""When a cron expression fires next: five fields as Debian's cron reads them, in a time zone. cronsim does the work.

The present moment is an argument, and the answer is the same for every worker that knows the same rules of time zones.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from tailrace.schemas.errors import ConfigError

FIELDS: Final = 5
#: Longer is a mistake, and would be slow to read.
CHARS_MAX: Final = 200
MINUTE_MS: Final = 60_000

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE: Final = timedelta(minutes=1)
#: The calendar ends with the year 9999, and a search for the next moment may take 50 years.
_FIRST: Final = datetime(1000, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(9900, 1, 1, tzinfo=UTC)
_CALENDAR: Final = range((_FIRST - _EPOCH) // _MINUTE, (_LAST - _EPOCH) // _MINUTE)
_ALLOWED: Final = "five fields, minute hour day month weekday, as in */15 8-18 * * MON-FRI"


def is_in_calendar(moment_ms: int) -> bool:
    """Tell whether expressions can fire after a moment: a broker that takes its producers' clocks may know any year."""
    return moment_ms // MINUTE_MS in _CALENDAR


def next_fire_ms(expression: str, after_ms: int, zone: str = "UTC") -> int:
    """The first moment after `after_ms` at which the expression fires, both in milliseconds since 1970.

    `after_ms` lies in the calendar.
    A time that the clocks skip in spring fires when they have moved, one that they show twice in autumn the first time.
    Raises a ConfigError as `check_cron` does.
    """
    # It fires at full minutes only, so that all of a minute has one answer.
    return _next_minute(expression, after_ms // MINUTE_MS, zone) * MINUTE_MS


def check_cron(expression: str, zone: str = "UTC") -> None:
    """Return if the expression fires at some time. Raises a ConfigError that says what is wrong: `cron`, or `zone`."""
    if len(expression) > CHARS_MAX:
        raise ConfigError("cron", f"{expression[:CHARS_MAX]}…", f"at most {CHARS_MAX} characters")
    _next_minute(expression, 0, zone)


@lru_cache(maxsize=4096)  # thousands of threads wait for the same minute
def _next_minute(expression: str, after_minute: int, zone: str) -> int:
    if len(expression.split()) != FIELDS:
        raise ConfigError("cron", expression, _ALLOWED)
    after = _EPOCH + after_minute * _MINUTE
    try:
        for fire in CronSim(expression, after.astimezone(_zone(zone))):
            # Where clocks are set back, cronsim starts from the first of two equal times and may answer with the past.
            minute = (fire.astimezone(UTC) - _EPOCH) // _MINUTE
            if minute > after_minute:
                return minute
    except CronSimError as error:
        raise ConfigError("cron", expression, f"{_ALLOWED}; cronsim says: {error}") from error
    raise ConfigError("cron", expression, "an expression that fires at some time in 50 years")


@lru_cache(maxsize=1024)
def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ConfigError("zone", name, "the name of a time zone, as in UTC or Europe/Zurich") from error
