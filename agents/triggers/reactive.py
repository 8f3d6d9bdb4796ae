"""Reactive trigger: a provider refused a request because its context was too long.

Reads conversations; writes contexts, compactions and lifecycle. What the refusal shows of the model's window is learned.
"""

from tailrace.schemas.signal import Overflow

#: Where a provider doesn't say what it can take, it is less than what it refused by at least this part.
REFUSED_FRACTION = 0.95


def corrected_window(overflow: Overflow, window_tokens: int, total_tokens: int) -> int:
    """Window of a model that refused a context of so many tokens by our count; never larger than it was believed to be."""
    if overflow.window_tokens is not None:
        if overflow.sent_tokens is not None and overflow.sent_tokens > total_tokens:
            # It counts more than we do: the window is smaller by our count.
            return max(1, min(window_tokens, overflow.window_tokens * total_tokens // overflow.sent_tokens))
        return max(1, min(window_tokens, overflow.window_tokens))
    return max(1, min(window_tokens, int(total_tokens * REFUSED_FRACTION)))
