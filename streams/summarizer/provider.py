"""What every provider of models does here: one prompt in, one text out, or a trouble that says what to do next.

Providers never try again by themselves: how often, when and with which model is decided in one place for all of them.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tailrace.agents.summary.model.prompt import Prompt
from tailrace.schemas.errors import Unavailable


class Trouble(StrEnum):
    """Why there is no answer."""

    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"
    #: The model can't read so much.
    TOO_LONG = "too_long"
    #: A wrong key, a model that is not there, a request that is not understood: no use to try again.
    REFUSED = "refused"


#: What may be over in a moment.
PASSING = frozenset({Trouble.RATE_LIMITED, Trouble.UNAVAILABLE, Trouble.TIMED_OUT})


class ProviderError(Unavailable):
    """A call that was not answered. Its text names the kind of error, never what was sent."""

    def __init__(self, trouble: Trouble, what: str, retry_after_seconds: float | None = None) -> None:
        """Say what kind of trouble it is, and when the provider wants to be asked again."""
        super().__init__(f"{trouble}: {what}")
        self.trouble = trouble
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer, and what the provider counted for it."""

    text: str
    input_tokens: int
    output_tokens: int


class ModelProvider(Protocol):
    """A way to ask models."""

    async def complete(self, model: str, prompt: Prompt, *, output_tokens_max: int) -> Completion:
        """Ask a model once. Raises ProviderError."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


_TOO_LONG = ("context_length", "context length", "maximum context", "too long", "too many tokens", "context window")
_RATE_LIMITED = 429
_TOO_LARGE = 413
_TRYABLE = (408, 409, 425)
_SERVER_ERROR = 500


def status_error(status: int, message: str, retry_after: str | None) -> ProviderError:
    """The error for an HTTP status. The message is only looked at: it may quote what was sent."""
    seconds = float(retry_after) if retry_after and retry_after.replace(".", "", 1).isdigit() else None
    if status == _RATE_LIMITED:
        return ProviderError(Trouble.RATE_LIMITED, f"HTTP {status}", seconds)
    if status >= _SERVER_ERROR or status in _TRYABLE:
        return ProviderError(Trouble.UNAVAILABLE, f"HTTP {status}", seconds)
    too_long = status == _TOO_LARGE or any(words in message.lower() for words in _TOO_LONG)
    return ProviderError(Trouble.TOO_LONG if too_long else Trouble.REFUSED, f"HTTP {status}")
