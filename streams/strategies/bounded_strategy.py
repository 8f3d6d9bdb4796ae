"""Somebody else's strategy, made harmless: it gets a limited time, a process of its own, and its answer is checked.

A call that takes too long is ended with its process, and the strategy is left out for a while.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from tailrace.agents.plan.draft.custom_proposals import own_message, readable, words_of
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.steps.registry import Strategy
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Nonsense, PoisonEvent, Unavailable
from tailrace.schemas.records.compaction import Action
from tailrace.streams.observability.client_log import client_log
from tailrace.streams.strategies.forked_call import forked

#: Workers and clients call strategies, so it is logged as a guest logs.
LOGGER: Final = "tailrace.strategies"

#: How long a strategy is left out after a call that took too long: long enough that its waits don't add up to a stalled
#: worker.
PAUSE_SECONDS: Final = 60.0
#: More proposals than this are an endless generator.
PROPOSALS_MAX: Final = 100_000


class Pause:
    """What holds a strategy back after a call that took too long. Whoever calls the same strategy shares it."""

    __slots__ = ("until",)

    def __init__(self) -> None:
        """Start with a strategy that may be called."""
        self.until = 0.0


class _Answer(Struct, frozen=True):
    """What comes back from a call."""

    proposals: list[Proposal] = []
    #: What went wrong, as words that follow the name of the strategy.
    error: str | None = None


_encode, _decode = msgspec.json.Encoder().encode, decoder(_Answer)


class BoundedStrategy:
    """A strategy that can be called without harm. Raises `Nonsense` or `Unavailable` and nothing else."""

    def __init__(
        self,
        name: str,
        strategy: Strategy,
        *,
        timeout_seconds: float,
        now: Callable[[], float] = time.monotonic,
        pause: Pause | None = None,
    ) -> None:
        """Wrap a strategy; nothing is called yet.

        Give the pause of another wrapper where it is for the same strategy.
        """
        self.name = name
        self._strategy = strategy
        self._timeout_seconds = timeout_seconds
        self._now = now
        self._pause = Pause() if pause is None else pause

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        """What the strategy proposes for the draft as it is, within the time that it has.

        What it does to the draft nobody sees.
        """
        left_seconds = self._pause.until - self._now()
        if left_seconds > 0:
            raise Unavailable(f"strategy {self.name!r} is left out for {left_seconds:.0f} s more: it took too long")
        try:
            answer = forked(partial(_answer, self._strategy, draft, options), timeout_seconds=self._timeout_seconds)
        except TimeoutError as error:
            self._pause.until = self._now() + PAUSE_SECONDS
            log = client_log(LOGGER)
            log.warning("strategy.timed_out", strategy=self.name, seconds=self._timeout_seconds, pause=PAUSE_SECONDS)
            raise Unavailable(
                f"strategy {self.name!r} gave no answer within {self._timeout_seconds:g} s; "
                f"it is left out for {PAUSE_SECONDS:g} s"
            ) from error
        except ChildProcessError as error:
            raise Nonsense(f"strategy {self.name!r}: {error}") from error
        except OSError as error:
            raise Unavailable(f"strategy {self.name!r} got no process to run in: {words_of(error)}") from error
        try:
            reply = _decode(answer)
        except PoisonEvent as error:
            raise Nonsense(f"strategy {self.name!r} wrote into the pipe of its answer") from error
        if reply.error is not None:
            raise Nonsense(f"strategy {self.name!r} {reply.error}")
        return reply.proposals


def _answer(strategy: Strategy, draft: Draft, options: Mapping[str, Any]) -> bytes:
    """What a call answers with, whatever comes of it; made in its process."""
    try:
        return _encode(_Answer(_proposals(strategy, draft, options)))
    except Nonsense as error:
        return _encode(_Answer(error=readable(str(error))))
    except BaseException as error:  # noqa: BLE001  whatever it is, it is told
        return _encode(_Answer(error=f"raised {words_of(error)}"))


def _proposals(strategy: Strategy, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
    answer: object = strategy.analyze(draft, options)
    if not isinstance(answer, Iterable):
        raise Nonsense(f"returned {type(answer).__name__} instead of proposals")
    proposals = [_checked(proposal) for proposal in islice(answer, PROPOSALS_MAX + 1)]
    if len(proposals) > PROPOSALS_MAX:
        raise Nonsense(f"makes more than {PROPOSALS_MAX} proposals")
    return proposals


def _checked(proposal: Proposal) -> Proposal:
    """The proposal, made of the types that it says.

    Dataclasses don't look, and a record with others can't be written.
    """
    if not isinstance(proposal, Proposal):
        raise Nonsense(f"returned {type(proposal).__name__} instead of proposals")
    ids, replacement = proposal.ids, proposal.replacement
    if not isinstance(ids, list | tuple) or not all(isinstance(message_id, str) for message_id in ids):
        raise Nonsense("made a proposal whose ids are no list of texts")
    try:
        action = Action(proposal.action)
        message = None if replacement is None else own_message(replacement)
    except (PoisonEvent, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Nonsense(f"made a proposal that can't be read: {words_of(error)}") from error
    return Proposal(
        action=action,
        ids=tuple(str(message_id) for message_id in ids),
        reason=readable(str(proposal.reason)),
        replacement=message,
        artifact_id=None if proposal.artifact_id is None else readable(str(proposal.artifact_id)),
    )
