"""Contexts of threads as answers to a tool call: as they are, and what becomes of one that is to be brought down now.

They are read from the topic for each call, whole, because a context is only shown where every message of it may be: the
caller's tenant and clearance count here as they do for artifacts.
"""

import asyncio
from typing import Any

from msgspec import Struct

from tailrace.agents.engine.offline import Conversation, carry_out, plan_for
from tailrace.agents.plan.plan import Change
from tailrace.agents.triggers.manual import invoked
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.ingest import check_id
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.signal import Compact
from tailrace.streams.client.client import Client
from tailrace.streams.client.context import context_of
from tailrace.streams.client.contexts_reader import contexts_reader
from tailrace.streams.client.worker_backlog import wait_for_workers
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.library.compact import format_of
from tailrace.streams.library.plans import Limits, budget_in
from tailrace.streams.settings.settings import Settings


class ContextCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Asks for the context of a thread, ready to send."""

    thread: str
    #: By default the one that its messages came in.
    format: Format | None = None


class CompactCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Asks for the context of a thread to be brought down now, or, for a dry run, what it would be then."""

    thread: str
    #: What it is to come down to; by default the policy's lower mark, or where it is below that, as much less as the
    #: marks lie apart.
    budget_tokens: int | None = None
    dry_run: bool = False
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if self.budget_tokens is not None and self.budget_tokens < 1:
            raise ValueError(f"budget_tokens must be a positive number of tokens, got {self.budget_tokens}")


class ThreadAnswers:
    """Answers about the threads of one installation."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; the broker is asked for each answer."""
        self._settings = settings

    async def context(self, call: ContextCall, caller: SecurityContext) -> dict[str, Any]:
        """The context with what it costs. Raises Unavailable where there is none, or none that the caller may see."""
        view, behind = await self._view(call.thread, caller)
        context = context_of(call.thread, view, self._settings.compaction_policy)
        chosen = call.format or format_of(context.messages)
        return {
            "thread": context.thread,
            "model": context.model,
            "tokens": context.tokens,
            "limit_tokens": context.limit_tokens,
            "messages_not_yet_in_it": behind,
            "format": chosen,
            "request": context.request(chosen),
        }

    async def compact(self, call: CompactCall, caller: SecurityContext) -> dict[str, Any]:
        """What became of a compaction; for a dry run, the context as it would leave it. Raises as `context` does."""
        view, _ = await self._view(call.thread, caller)
        if not call.dry_run:
            return await self._asked_for(call, caller.tenant)
        # Counting and planning take their time where a context is large.
        return await asyncio.to_thread(self._compacted, call, view)

    async def _asked_for(self, call: CompactCall, tenant: str) -> dict[str, Any]:
        async with Client(self._settings, reads=False) as client:
            event = await client.compact(
                call.thread, tenant=tenant, target_tokens=call.budget_tokens, reason=call.reason
            )
        return {
            "thread": event.thread,
            "outcome": event.kind,
            "before_tokens": event.before_tokens,
            "after_tokens": event.after_tokens,
            "limit_tokens": event.limit_tokens,
            "reason": event.reason,
            "compaction_id": event.compaction_id,
        }

    def _compacted(self, call: CompactCall, view: ThreadView) -> dict[str, Any]:
        engine = make_engine(self._settings)
        talk = Conversation(view, model=view.model)
        asked = Compact(target_tokens=call.budget_tokens)
        wish = invoked(asked, budget_in(talk, engine, Limits()), engine.policy)
        # Forced: whoever asks wants to see it now, not once the upper mark is reached.
        plan = plan_for(talk, engine, wish.budget, forced=True)
        done = carry_out(talk, plan, engine)
        chosen = format_of(done.messages)
        return {
            "thread": call.thread,
            "before_tokens": plan.before_tokens,
            "after_tokens": done.tokens,
            "limit_tokens": plan.budget.limit_tokens,
            "messages_before": len(view.entries),
            "messages_after": len(done.messages),
            "reason": plan.reason or plan.missed,
            "changes": [_change(change) for change in plan.changes],
            "format": chosen,
            "request": request_of(done.messages, chosen),
        }

    async def _view(self, thread: str, caller: SecurityContext) -> tuple[ThreadView, int]:
        """The thread, and how many messages no worker has taken in yet."""
        check_id(thread, "thread")
        behind = await wait_for_workers(self._settings, self._settings.client.context_wait_ms)
        async with contexts_reader(self._settings, thread) as reader:
            reader.check_readable(thread)
            view = reader.views().get(thread)
        if view is None or view.head is None or view.head.tenant != caller.tenant:
            raise Unavailable(f"there is no context of thread {thread}")
        # Live: what was brought back for this turn too, which may come from a thread that is more sensitive than this
        # one.
        if not all(caller.may_see(entry.sensitivity) for entry in view.live()):
            raise Unavailable(f"the context of thread {thread} holds what is too sensitive to be shown here")
        return view, behind


def _change(change: Change) -> dict[str, Any]:
    return {
        "action": change.action,
        "ids": change.ids,
        "before_tokens": change.before_tokens,
        "after_tokens": change.after_tokens,
        "strategy": change.strategy,
        "reason": change.reason,
    }
