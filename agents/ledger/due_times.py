"""When something is to come up, as far as words tell: "in 10 minutes", a date with its time, a time of the day.

A time of the day without a zone may be meant anywhere: it counts as past only where it is past everywhere. What comes up again and again is
never due.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from tailrace.schemas.records.parts import Json

#: Clocks are behind UTC by no more than this.
ZONE_MS = 12 * 3_600_000
_READ_CHARS = 300
_DAY_MS = 86_400_000
#: 9999-01-01. What a clock shows farther on, or before 1970, is no time: clocks of producers may be wrong by any number.
_TIMES_END_MS = 253_370_764_800_000
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": _DAY_MS, "w": 7 * _DAY_MS}

_AGAIN = re.compile(
    r"\b(?:every|each|daily|weekly|hourly|monthly|recurring|cron|jeden|jede|alle \d+|täglich|wöchentlich|chaque|tous les|quotidien\w*|cada|diari\w*|todos los|ogni|elke|każd\w+|кажд\w+)\b|[每毎]|(?:[\d*/,-]+ ){4}[\d*/,-]+"
)
_COUNTS = {
    **dict.fromkeys(
        ("a", "an", "one", "einer", "eine", "ein", "einem", "une", "un", "una", "uno", "uma", "um", "een"), 1.0
    ),
    **dict.fromkeys(("half an", "half a", "einer halben", "eine halbe", "une demi", "media", "mezz"), 0.5),
    **dict.fromkeys(("two", "zwei", "deux", "dos", "due", "dois", "duas", "twee", "два", "две"), 2.0),
    **dict.fromkeys(("three", "drei", "trois", "tres", "tre", "três", "drie", "три"), 3.0),
}
#: How long until then; the unit by the first letters that tell it.
_SPAN = re.compile(
    rf"(?P<count>\d+(?:[.,]\d+)?|\b(?:{'|'.join(_COUNTS)})[ '-]) ?(?:(?P<w>weeks?\b|wochen?|semaines?|semanas?|settiman|weken|week|недел|周|星期)|(?P<d>days?\b|tagen?\b|tage\b|tag\b|jours?\b|días?\b|giorn|dias?\b|dagen|dag\b|дня|день|дней|天)|"
    r"(?P<h>hours?\b|hrs?\b|h\b|stunden?|heures?|horas?|or[ae]\b|uur|uren|godzin|час|小时|小時|時間)|(?P<m>minut\w*|mins?\b|minuti|минут|分钟|分鐘|分)|(?P<s>seconds?|secs?\b|sekunden?|secondes?|segundos?|secondi|seconden|s\b|секунд|秒))"
)
#: Before a span of time that begins now.
_FROM_NOW = re.compile(r"(?:\b(?:in|within|after|nach|dans|en|tra|fra|dentro de|em|over|za|через)|[:(])\s*$")
_DATE = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?(?P<zone> ?(?:Z|UTC|GMT)|[+-]\d{2}:?\d{2})?"
)
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2})(?!\d)(?::\d{2})?)?\s?(?P<half>[ap]\.?m\b\.?|uhr\b)?",
    re.IGNORECASE,
)
_KEY_UNITS = (
    ("_ms", 0.001),
    ("millis", 0.001),
    ("second", 1.0),
    ("minute", 60.0),
    ("hour", 3_600.0),
    ("day", 86_400.0),
)
_NOON = 12


def is_time(at_ms: float) -> bool:
    """Tell whether a number of milliseconds is a time that a calendar knows."""
    return 0 < at_ms < _TIMES_END_MS


def due_by_arguments(arguments: Mapping[str, Json], since_ms: int) -> int:
    """When a call was told that something is to come up, in milliseconds; 0 where it was told no time."""
    if not is_time(since_ms):
        return 0
    for key, value in arguments.items():
        small = key.lower()
        if isinstance(value, int | float) and not isinstance(value, bool):
            factor = next((factor for unit, factor in _KEY_UNITS if unit in small), 0.0)
            if factor and 0 < value * factor < 366 * 86_400:
                return since_ms + int(value * factor * 1_000)
        elif isinstance(value, str) and (due := due_in(value, since_ms, alone=True)):
            return due
    return 0


def due_in(text: str, since_ms: int, *, alone: bool = False) -> int:
    """When a text says that something is to come up; 0 where it tells no time. `alone` where a span needs no word before it."""
    small = text[:_READ_CHARS].lower()
    if not is_time(since_ms) or _AGAIN.search(small):
        return 0
    return next(iter(_dates(small)), 0) or _span(small, since_ms, alone=alone) or _clock(small, since_ms)


def _dates(small: str) -> Iterator[int]:
    for found in _DATE.finditer(small.upper()):
        zone = (found["zone"] or "").strip()
        try:
            at = datetime.fromisoformat(f"{found['date']}T{found['hour']}:{found['minute']}")
        except ValueError:
            continue
        at_ms = int(at.replace(tzinfo=UTC).timestamp() * 1_000)
        yield at_ms - _offset_ms(zone) if zone else at_ms + ZONE_MS


def _offset_ms(zone: str) -> int:
    if zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return (minutes if zone[0] == "+" else -minutes) * 60_000


def _span(small: str, since_ms: int, *, alone: bool) -> int:
    for found in _SPAN.finditer(small):
        if alone or _FROM_NOW.search(small[: found.start()]):
            told = found["count"].rstrip(" '-").replace(",", ".")
            count = _COUNTS[told] if told in _COUNTS else float(told)
            due_ms = since_ms + count * _UNIT_MS[next(unit for unit in _UNIT_MS if found[unit])]
            return int(due_ms) if is_time(due_ms) else 0
    return 0


def _clock(small: str, since_ms: int) -> int:
    """The next time that a clock shows, where no zone on earth is behind it any more."""
    for found in _CLOCK.finditer(small):
        if not found["minute"] and not found["half"]:
            continue
        hour = int(found["hour"])
        half = (found["half"] or "").lower()
        hour += _NOON if half.startswith("p") and hour < _NOON else 0
        if hour > 23 or int(found["minute"] or 0) > 59:  # noqa: PLR2004  hours and minutes
            continue
        since = datetime.fromtimestamp(since_ms / 1_000, UTC)
        at = since.replace(hour=hour, minute=int(found["minute"] or 0), second=0, microsecond=0)
        at += timedelta(days=1) if at <= since else timedelta()
        return int(at.timestamp() * 1_000) + ZONE_MS
    return 0
