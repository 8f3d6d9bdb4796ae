"""By which policy a live thread is held: that of its worker, which the head of its context names, and not the caller's.

A plan for a thread says what its worker would do. Where the worker's policy is not at hand, what the head says of it is
used, and the rest is said.
"""

from dataclasses import dataclass
from pathlib import Path

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Head
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.library.plans import Limits
from tailrace.streams.policy.files import open_policy, ready_made_names
from tailrace.streams.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class WorkerPolicy:
    """An engine and limits that come nearest to those of a thread's worker, and what has to be said about them."""

    engine: Engine
    limits: Limits
    #: In which way they are not the caller's, or not the worker's; None where both are the same.
    note: str | None = None


def policy_for(settings: Settings, talk: Conversation, engine: Engine, limits: Limits, *, named: bool) -> WorkerPolicy:
    """Return what a conversation is planned by.

    The caller's rules where somebody named their policy, else the worker's.
    """
    return WorkerPolicy(engine, limits) if named else worker_policy(settings, talk, engine, limits)


def worker_policy(settings: Settings, talk: Conversation, engine: Engine, limits: Limits) -> WorkerPolicy:
    """Return what a thread is planned by where nobody named a policy; `rules` are the caller's own."""
    head = talk.view.head
    if head is None or head.policy_version == engine.policy.hash:
        return WorkerPolicy(engine, limits)
    theirs = _ready_made(head.policy_version)
    own = f"{engine.policy.name} ({engine.policy.hash})"
    if theirs is not None:
        note = (
            f"this is the policy of the thread's worker, {theirs.name} ({theirs.hash}), and not that of your "
            f"settings, {own}"
        )
        return WorkerPolicy(make_engine(settings, theirs), limits, note)
    chosen = _bounded(limits, talk, head)
    used = "Marks and steps are yours" if chosen is limits else "Its limit holds here, marks and steps are yours"
    note = (
        f"the thread's worker has another policy, {head.policy_version}, with a limit of {head.limit_tokens:,} "
        f"tokens, and you "
        f"have {own}. {used}; for a plan as its worker's, use the worker's settings, or name its file with --policy"
    )
    return WorkerPolicy(engine, chosen, note)


def _ready_made(policy_hash: str) -> Policy | None:
    every = (open_policy(name, Path()) for name in ready_made_names())
    return next((policy for policy in every if policy.hash == policy_hash), None)


def _bounded(limits: Limits, talk: Conversation, head: Head) -> Limits:
    """The limit that the head names, unless another one is asked for, or the thread has changed its model since."""
    asked = limits.budget_tokens or limits.window_tokens or limits.model
    if asked or head.window_tokens != talk.view.window_tokens:
        return limits
    return Limits(budget_tokens=head.limit_tokens)
