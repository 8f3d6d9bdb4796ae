"""How long to wait before a model is asked again."""

from random import Random

FIRST_SECONDS = 0.5
SECONDS_MAX = 20.0


def pause_seconds(tries: int, chance: Random, retry_after_seconds: float | None = None) -> float:
    """Pause after so many tries.

    Doubled each time, half of it left to chance, never shorter than the provider asks for.

    A provider that asks for longer than the longest pause gets that: the request's own limit decides whether it is
    worth it.
    """
    longest = min(SECONDS_MAX, FIRST_SECONDS * 2.0 ** (tries - 1))
    pause = longest * (0.5 + chance.random() / 2)
    return max(pause, retry_after_seconds or 0.0)
