"""Reactive trigger: a provider refused a request because its context was too long.

Reads conversations; writes contexts, compactions and lifecycle. What the refusal shows of the model's window is
learned.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec

from tailrace.agents.tokens.budget import BELIEVED_FRACTION
from tailrace.agents.tokens.learned_window import effective_tokens, learned_tokens
from tailrace.schemas.errors import Refused
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Head, LearnedWindow, Standing
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.signal import WINDOW_TOKENS_MIN, Overflow
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Reactive trigger",
    does="a provider refused a request as too long: learn its window, compact at once",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: Where a provider doesn't say what it can take, it is less than what it refused by at least this part.
REFUSED_FRACTION = 0.95
#: No refusal shows less than this part of the window that the model is known to have, where the provider named its
#: window.
STATED_FLOOR_FRACTION = 1 / 32
#: Where it didn't: who is refused without a number may have sent anything.
GUESSED_FLOOR_FRACTION = 0.25
#: A provider that counts so many times our estimate has most likely counted another context.
OTHER_CONTEXT_RATIO = 1.25


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request beside what is known of the thread that it was made for.

    All tokens are our estimate of what the provider counts.
    """

    overflow: Overflow
    #: The context as it is now.
    context_tokens: int
    #: The model's window by the policy or the catalogue, and what is believed of it.
    window_tokens: int
    believed_tokens: int
    #: The largest request that the provider is known to have taken.
    accepted_tokens: int = 0

    def check_plausible(self, *, proved: bool) -> None:
        """Return if the report can be about the context.

        Raises Refused where its numbers can't, or where the provider has taken more before.

        `proved` says that the request is known to have been this context.
        """
        _check_numbers(self.overflow, self.context_tokens)
        if proved or self.overflow.window_tokens is not None:
            return
        refused_tokens = max(self.context_tokens, self.overflow.sent_tokens or 0)
        if refused_tokens <= self.accepted_tokens:
            raise Refused(
                f"the provider has taken a request of {self.accepted_tokens:,} tokens, and this context has "
                f"{refused_tokens:,}; "
                "say what it can take (window_tokens), or which context it refused (epoch)"
            )

    @property
    def floor_tokens(self) -> int:
        """Below this the refusal is not believed."""
        if self.overflow.window_tokens is None:
            return max(1, int(self.window_tokens * GUESSED_FLOOR_FRACTION))
        least_tokens = max(WINDOW_TOKENS_MIN, int(self.window_tokens * STATED_FLOOR_FRACTION))
        sent_tokens = self.overflow.sent_tokens
        if sent_tokens is None or sent_tokens * BELIEVED_FRACTION > self.context_tokens:
            # A window alone, or beside a count that is nothing like ours: one wrong report must not empty a context.
            least_tokens = max(least_tokens, int(self.context_tokens * BELIEVED_FRACTION))
        return min(self.window_tokens, least_tokens)

    def shown(self) -> LearnedWindow:
        """The window that the refusal of the context as it is now shows; never larger than it was believed to be."""
        stated_tokens = self.overflow.window_tokens
        counted_tokens = max(self.context_tokens, self.overflow.sent_tokens or 0)
        if stated_tokens is not None:
            # Refused is what exceeds the window, be it with the answer that was asked for.
            counted_tokens = max(counted_tokens, int(stated_tokens / REFUSED_FRACTION))
        shown = LearnedWindow(
            window_tokens=stated_tokens or int(counted_tokens * REFUSED_FRACTION),
            counted_fraction=round(self.context_tokens / max(1, counted_tokens), 6),
            stated=stated_tokens is not None,
        )
        return self._bounded(shown, min(self.floor_tokens, self.believed_tokens))

    def shown_by_another(self) -> LearnedWindow | None:
        """The window that the refusal of a context shows that has been made smaller since; None where it shows none."""
        stated_tokens = self.overflow.window_tokens
        if stated_tokens is None:
            return None
        shown = LearnedWindow(window_tokens=stated_tokens, stated=True)
        return self._bounded(shown, min(self.floor_tokens, self.believed_tokens))

    def lasting(self, shown: LearnedWindow) -> LearnedWindow | None:
        """What is learned of it for good; None where nothing new is."""
        lasting = self._bounded(shown, min(self.accepted_tokens, self.window_tokens))
        if effective_tokens(lasting) >= self.believed_tokens and self.believed_tokens < self.window_tokens:
            return None
        return msgspec.structs.replace(lasting, accepted_tokens=self.accepted_tokens)

    def _bounded(self, shown: LearnedWindow, least_tokens: int) -> LearnedWindow:
        tokens = effective_tokens(shown)
        bounded_tokens = max(least_tokens, min(tokens, self.believed_tokens))
        if tokens == bounded_tokens:
            return shown
        return msgspec.structs.replace(shown, window_tokens=bounded_tokens, counted_fraction=1.0)


def _check_numbers(overflow: Overflow, context_tokens: int) -> None:
    sent_tokens = overflow.sent_tokens
    if sent_tokens is not None and sent_tokens < context_tokens * BELIEVED_FRACTION:
        raise Refused(f"a request of {sent_tokens:,} tokens was not this context of {context_tokens:,}")
    counted_tokens = max(sent_tokens or 0, context_tokens)
    if overflow.window_tokens is not None and counted_tokens < overflow.window_tokens * BELIEVED_FRACTION:
        raise Refused(
            f"a request of {counted_tokens:,} tokens is not too long for a window of {overflow.window_tokens:,}; "
            "sent_tokens says what the provider counted"
        )


def is_present(overflow: Overflow, head: Head, standing: Standing) -> bool:
    """Tell whether the refused request is known to have been the context as it is now, or the same with less behind it.

    While a call is under way its thread is not compacted, so a refusal that ends one is about what is there.
    """
    if overflow.epoch is not None:
        return overflow.epoch >= head.epoch
    return standing.in_flight is not None and not _compacted_since(standing)


def is_overtaken(overflow: Overflow, head: Head, standing: Standing, context_tokens: int) -> bool:
    """Tell whether the context has been made smaller since the request that was refused."""
    if overflow.epoch is not None:
        return overflow.epoch < head.epoch
    return _compacted_since(standing) and (overflow.sent_tokens or 0) > context_tokens * OTHER_CONTEXT_RATIO


def _compacted_since(standing: Standing) -> bool:
    """Tell whether the thread was compacted since a model spoke last, or its call began."""
    return standing.compacted_at_ms > standing.called_at_ms


def refusal_text(overflow: Overflow, window_tokens: int, total_tokens: int) -> str:
    """What a refusal has shown, for the audit."""
    shown = f"a context of {total_tokens:,} tokens was refused; the window is {window_tokens:,}"
    said_tokens = overflow.window_tokens
    return f"{shown}, reported were {said_tokens:,}" if said_tokens not in {None, window_tokens} else shown


def believed_window(policy: Policy, standing: Standing, model: str | None, window_tokens: int) -> int:
    """Return how large a model's window is believed to be.

    That is the policy's own value, or the catalogue's, unless refusals have shown less.
    """
    return learned_tokens(standing, model, policy.window_tokens or window_tokens)


def believed_limit(policy: Policy, standing: Standing, model: str | None, window_tokens: int) -> int:
    """What a context may cost for this model, after all that refusals have shown."""
    if not standing.windows:
        return policy.limit_tokens(window_tokens, model)
    believed_tokens = believed_window(policy, standing, model, window_tokens)
    return believing(policy, believed_tokens).limit_tokens(believed_tokens, model)


def believing(policy: Policy, window_tokens: int) -> Policy:
    """The policy; where it names a window of its own, none larger than what is believed of it."""
    if policy.window_tokens is None or window_tokens >= policy.window_tokens:
        return policy
    return _narrowed(policy, window_tokens)


@lru_cache(maxsize=256)  # every event of the thread asks
def _narrowed(policy: Policy, window_tokens: int) -> Policy:
    return msgspec.structs.replace(policy, window_tokens=window_tokens)
