"""Places in a topic as the id of an event: what a stream that is resumed has taken into account, by partition."""

import re
from collections.abc import Mapping
from typing import Final

from tailrace.schemas.api import problem
from tailrace.streams.api.problems import ProblemError

_CURSOR: Final = re.compile(r"[0-9]{1,9}:-?[0-9]{1,18}(,[0-9]{1,9}:-?[0-9]{1,18})*")


def parse_cursor(text: str) -> dict[int, int]:
    """The places that an id says; none where there is no id. Raises a problem for what is none of ours."""
    if not text:
        return {}
    if not _CURSOR.fullmatch(text):
        raise ProblemError(
            problem.INVALID,
            "Last-Event-ID is no id of an event of this stream",
            "send the id of the last event that has arrived, or leave it out",
            where="header Last-Event-ID",
        )
    pairs = (pair.split(":") for pair in text.split(","))
    return {int(partition): int(offset) for partition, offset in pairs}


def cursor_id(places: Mapping[int, int]) -> str:
    """The id that says these places."""
    return ",".join(f"{partition}:{offset}" for partition, offset in sorted(places.items()))
