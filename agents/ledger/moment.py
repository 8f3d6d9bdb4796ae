"""Where and when something was said: what every item of a ledger remembers of its message."""

from typing import NamedTuple


class Moment(NamedTuple):
    """The message that says something, when it came, and in which turn."""

    source: str
    at_ms: int = 0
    turn: int = 0
