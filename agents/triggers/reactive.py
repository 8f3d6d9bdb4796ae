"""Reactive trigger: a provider refused a request because its context was too long.

Reads conversations; writes contexts, compactions and lifecycle. What the refusal shows of the model's window is learned.
"""

from functools import lru_cache
from typing import Final

import msgspec

from tailrace.agents.budget import BELIEVED_FRACTION
from tailrace.schemas.context import Standing
from tailrace.schemas.errors import Refused
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import Topic
from tailrace.schemas.signal import Overflow
from tailrace.schemas.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Reactive trigger",
    does="a provider refused a request as too long: learn its window, compact at once",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: Where a provider doesn't say what it can take, it is less than what it refused by at least this part.
REFUSED_FRACTION = 0.95


def check_plausible(overflow: Overflow, total_tokens: int) -> None:
    """Return if a report can be about a context of so many tokens by our count. Raises Refused where its numbers can't."""
    sent_tokens = overflow.sent_tokens
    if sent_tokens is not None and sent_tokens < total_tokens * BELIEVED_FRACTION:
        raise Refused(f"a request of {sent_tokens:,} tokens was not this context of {total_tokens:,}")
    counted_tokens = max(sent_tokens or 0, total_tokens)
    if overflow.window_tokens is not None and counted_tokens < overflow.window_tokens * BELIEVED_FRACTION:
        raise Refused(
            f"a request of {counted_tokens:,} tokens is not too long for a window of {overflow.window_tokens:,}; "
            "sent_tokens says what the provider counted"
        )


def corrected_window(overflow: Overflow, window_tokens: int, total_tokens: int) -> int:
    """Window of a model that refused a context of so many tokens by our count; never larger than it was believed to be.

    A window that is far below what was refused is believed only beside a count of the request by the provider that is like ours.
    """
    shown_tokens = int(total_tokens * REFUSED_FRACTION)
    if overflow.window_tokens is not None:
        shown_tokens = overflow.window_tokens
        sent_tokens = overflow.sent_tokens
        if sent_tokens is not None and sent_tokens > total_tokens:
            # It counts more than we do: the window is smaller by our count.
            ours_tokens = overflow.window_tokens * total_tokens // sent_tokens
            shown_tokens = max(ours_tokens, int(overflow.window_tokens * BELIEVED_FRACTION))
        if sent_tokens is None or sent_tokens * BELIEVED_FRACTION > total_tokens:
            # One wrong report must not empty a context.
            shown_tokens = max(shown_tokens, int(total_tokens * BELIEVED_FRACTION))
    return max(1, min(window_tokens, shown_tokens))


def refusal_text(overflow: Overflow, window_tokens: int, total_tokens: int) -> str:
    """What a refusal has shown, for the audit."""
    shown = f"a context of {total_tokens:,} tokens was refused; the window is {window_tokens:,}"
    said_tokens = overflow.window_tokens
    return f"{shown}, reported were {said_tokens:,}" if said_tokens not in {None, window_tokens} else shown


def believing(policy: Policy, standing: Standing, model: str | None) -> Policy:
    """The policy; where it names a window of its own, none larger than what refusals of the model have shown."""
    shown_tokens = standing.windows.get(model or "")
    if shown_tokens is None or policy.window_tokens is None or shown_tokens >= policy.window_tokens:
        return policy
    return _narrowed(policy, shown_tokens)


@lru_cache(maxsize=256)  # every event of the thread asks
def _narrowed(policy: Policy, window_tokens: int) -> Policy:
    return msgspec.structs.replace(policy, window_tokens=window_tokens)
