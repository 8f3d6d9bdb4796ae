"""Whether a provider refused a request as too long, and what it said of its window."""

import re
from typing import Final

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.signal import Overflow

_STATUSES: Final = frozenset({400, 413, 422})
#: How providers say it; a window and a count where they name them.
_REFUSALS: Final = (
    # OpenAI, vLLM, SGLang, LiteLLM
    re.compile(
        r"maximum context length (?:is|of) (?P<window>[\d,]+)(?: tokens)?"
        r"(?:.{0,120}?(?:resulted in|requested|has|contains?)\D{0,20}(?P<sent>[\d,]+))?",
        re.DOTALL,
    ),
    # Anthropic
    re.compile(r"prompt is too long(?:: (?P<sent>[\d,]+) tokens > (?P<window>[\d,]+) maximum)?"),
    re.compile(r"exceed context limit: (?P<sent>[\d,]+) \+ [\d,]+ > (?P<window>[\d,]+)"),
    # Gemini and its proxies
    re.compile(
        r"input token count \(?(?P<sent>[\d,]+)\)? exceeds the maximum number of tokens allowed \(?(?P<window>[\d,]+)"
    ),
    # Whoever gives no numbers
    re.compile(r"context_length_exceeded|exceeds? the context window|maximum context length"),
)


def overflow_of(status: int, body: bytes, model: str | None) -> Overflow | None:
    """What a response says about a context that was too long; None for any other response."""
    if status not in _STATUSES:
        return None
    text = body[:20_000].decode(errors="replace")
    match = next((match for refusal in _REFUSALS if (match := refusal.search(text))), None)
    if match is None:
        return None
    numbers = {name: int(value.replace(",", "")) for name, value in match.groupdict().items() if value}
    try:
        return Overflow(model=model, window_tokens=numbers.get("window"), sent_tokens=numbers.get("sent"))
    except (Invalid, ValueError):
        return Overflow(model=model)  # numbers that are no numbers of a window
