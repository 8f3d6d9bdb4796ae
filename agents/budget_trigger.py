"""The budget trigger: over the upper mark, compact down to the lower one, or say why not.

It decides between two events of a thread, from the thread's view alone, and never waits for anything.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tailrace.agents.groups import Group
from tailrace.agents.sliding_window import DROPPED_MESSAGES_MAX, choose_drops
from tailrace.schemas.policy import Policy

STRATEGY = "sliding_window"

#: A compaction that frees less of the limit than this is not worth a changed prefix, unless the limit itself is passed.
PROGRESS_FRACTION_MIN = 0.10


@dataclass(frozen=True, slots=True)
class Marks:
    """The three marks of a thread's budget."""

    limit_tokens: int
    upper_tokens: int
    lower_tokens: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the trigger decided. `drops` is empty where the context stands."""

    before_tokens: int
    after_tokens: int
    drops: tuple[Group, ...] = ()
    #: Why nothing was done, said once, when the upper mark is crossed; or why what was done is not enough.
    reason: str | None = None


@lru_cache(maxsize=256)  # asked for at every event, with the windows of the models in use
def marks(policy: Policy, window_tokens: int) -> Marks:
    """Marks for a model with this window."""
    limit_tokens = policy.limit_tokens(window_tokens)
    return Marks(
        limit_tokens=limit_tokens,
        upper_tokens=int(limit_tokens * policy.upper_fraction),
        lower_tokens=int(limit_tokens * policy.lower_fraction),
    )


def judge(
    groups: Iterable[Group], *, before_tokens: int, was_over: bool, arriving: int, marks: Marks
) -> Verdict | None:
    """Verdict on a context of `before_tokens` to which the group `arriving` has just added; None below the upper mark.

    `was_over` tells whether the context was over the mark already, so that the reason has been given.
    """
    if before_tokens <= marks.upper_tokens:
        return None
    drops = choose_drops(groups, excess_tokens=before_tokens - marks.lower_tokens, arriving=arriving)
    freed_tokens = sum(group.tokens for group in drops)
    after_tokens = before_tokens - freed_tokens
    worthwhile = freed_tokens >= PROGRESS_FRACTION_MIN * marks.limit_tokens or after_tokens <= marks.lower_tokens
    many = sum(len(group.ids) for group in drops) >= DROPPED_MESSAGES_MAX
    enough = worthwhile or many or before_tokens > marks.limit_tokens
    if not drops or not enough:
        stuck = f"only {freed_tokens} of {before_tokens} tokens could be dropped: the rest is always kept"
        return Verdict(before_tokens, before_tokens, reason=None if was_over else stuck)
    over = f"{after_tokens} tokens are always kept, more than the upper mark of {marks.upper_tokens}"
    return Verdict(before_tokens, after_tokens, tuple(drops), over if after_tokens > marks.upper_tokens else None)


def compaction_id(thread: str, epoch: int, policy_version: str, ids: Iterable[str]) -> str:
    """Id of a compaction: the same span under the same policy gives the same id, on any worker, however often."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (thread, str(epoch), policy_version, *ids):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()
