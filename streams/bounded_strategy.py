"""Somebody else's strategy, made harmless: it gets a copy, a limited time and a thread of its own, and its answer is checked.

Python can't end a thread from outside. So a call that takes too long is abandoned: an exception is raised in its thread, which
ends a busy loop, and the strategy is left out for a while. Code that waits in C, or catches everything, goes on in its
thread, but there is never more than one such thread for a strategy, whoever calls it in this process. It can't be kept from using memory, or from holding the
interpreter inside of one C call: for that it would have to be another process.
"""

import ctypes
import threading
import time
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from tailrace.agents.custom_proposals import readable, words_of
from tailrace.agents.draft import Draft
from tailrace.agents.draft_copy import copy_of, own_message
from tailrace.agents.proposal import Proposal
from tailrace.agents.strategies import Strategy
from tailrace.schemas.compaction import Action
from tailrace.schemas.errors import Nonsense, Unavailable
from tailrace.streams.client.client_log import client_log

#: Workers and clients call strategies, so it is logged as a guest logs.
LOGGER: Final = "tailrace.strategies"

#: How long a strategy is left out after a call that took too long: long enough that its waits don't add up to a stalled worker.
PAUSE_SECONDS: Final = 60.0
#: More proposals than this are an endless generator.
PROPOSALS_MAX: Final = 100_000


class Abandoned(BaseException):
    """Raised in the thread of a call that took too long. No `Exception`, so that an ordinary handler lets it pass."""


class Pause:
    """What holds a strategy back after a call that took too long. Whoever calls the same strategy shares it."""

    __slots__ = ("hung", "until")

    def __init__(self) -> None:
        """Start with a strategy that may be called."""
        self.hung: _Call | None = None
        self.until = 0.0


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
        """Wrap a strategy; nothing is called yet. Give the pause of another wrapper where it is for the same strategy."""
        self.name = name
        self._strategy = strategy
        self._timeout_seconds = timeout_seconds
        self._now = now
        self._pause = Pause() if pause is None else pause

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        """What the strategy proposes for a copy of the draft, within the time that it has."""
        self._refuse_while_paused()
        own_options = msgspec.json.decode(msgspec.json.encode(options))
        call = _Call(self._strategy, copy_of(draft), own_options)
        if not call.ends_within(self._timeout_seconds):
            self._pause.hung, self._pause.until = call, self._now() + PAUSE_SECONDS
            log = client_log(LOGGER)
            log.warning("strategy.timed_out", strategy=self.name, seconds=self._timeout_seconds, pause=PAUSE_SECONDS)
            raise Unavailable(
                f"strategy {self.name!r} gave no answer within {self._timeout_seconds:g} s; "
                f"it is left out for {PAUSE_SECONDS:g} s"
            )
        if call.error is not None:
            raise Nonsense(f"strategy {self.name!r} {call.error}")
        return call.proposals

    def _refuse_while_paused(self) -> None:
        pause = self._pause
        if pause.hung is None:
            return
        if pause.hung.still_runs():
            raise Unavailable(f"strategy {self.name!r} is left out: its last call has not ended yet")
        left_seconds = pause.until - self._now()
        if left_seconds > 0:
            raise Unavailable(f"strategy {self.name!r} is left out for {left_seconds:.0f} s more: it took too long")
        pause.hung = None


class _Call:
    """One call in a thread of its own."""

    def __init__(self, strategy: Strategy, draft: Draft, options: Mapping[str, Any]) -> None:
        self.proposals: list[Proposal] = []
        #: What went wrong, as words that follow the name of the strategy.
        self.error: str | None = None
        self._work = (strategy, draft, options)
        self._ended = False
        #: Held by whoever decides that the call has ended: an exception must never hit a thread that has other work by then.
        self._ending = threading.Lock()
        # A daemon, because a process must be able to end while a strategy hangs.
        self._thread = threading.Thread(target=self._run, name="tailrace-strategy", daemon=True)
        self._thread.start()

    def ends_within(self, seconds: float) -> bool:
        """Wait for the answer. Where it doesn't come, the call is abandoned."""
        self._thread.join(seconds)
        return not self.still_runs()

    def still_runs(self) -> bool:
        """Tell whether the call has not ended; then it is asked to, once more."""
        with self._ending:
            if self._ended or not self._thread.is_alive():
                return False
            _raise_in(self._thread, Abandoned)
            return True

    def _run(self) -> None:
        try:
            try:
                self.proposals = _proposals(*self._work)
            except Nonsense as error:
                self.error = str(error)
            except BaseException as error:  # noqa: BLE001  sys.exit() of a strategy must not end a worker
                self.error = f"raised {words_of(error)}"
            with self._ending:
                self._ended = True
        except Abandoned:
            # It came after the answer and before the end: the caller has gone on without it.
            return


def _raise_in(thread: threading.Thread, exception: type[BaseException]) -> None:
    """Raise an exception in another thread, at the next bytecode that it executes.

    CPython has this for debuggers and for cases like this one; only C may call it. It is no force: C code that waits does
    not see it before it returns.
    """
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(exception))


def _proposals(strategy: Strategy, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
    found = [_checked(proposal) for proposal in islice(strategy.analyze(draft, options), PROPOSALS_MAX + 1)]
    if len(found) > PROPOSALS_MAX:
        raise Nonsense(f"makes more than {PROPOSALS_MAX} proposals")
    return found


def _checked(proposal: Proposal) -> Proposal:
    """The proposal, made of the types that it says: dataclasses don't look, and a record with others can't be written."""
    if not isinstance(proposal, Proposal):
        raise Nonsense(f"returned {type(proposal).__name__} instead of proposals")
    ids, replacement = proposal.ids, proposal.replacement
    if not isinstance(ids, list | tuple) or not all(isinstance(message_id, str) for message_id in ids):
        raise Nonsense("made a proposal whose ids are no list of texts")
    try:
        action = Action(proposal.action)
        message = None if replacement is None else own_message(replacement)
    except (ValueError, TypeError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        raise Nonsense(f"made a proposal that can't be read: {words_of(error)}") from error
    return Proposal(
        action=action,
        ids=tuple(str(message_id) for message_id in ids),
        reason=readable(str(proposal.reason)),
        replacement=message,
        artifact_id=None if proposal.artifact_id is None else readable(str(proposal.artifact_id)),
    )
