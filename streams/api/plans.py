"""Endpoints that ask for something of a thread: a dry run, a compaction now, a signal."""

import asyncio
import sqlite3
from functools import partial
from typing import Any, Final

from tailrace.agents.engine.offline import Conversation
from tailrace.schemas.api import problem
from tailrace.schemas.api.plans import CompactReply, CompactRequest, PlanRequest
from tailrace.schemas.api.publication import PublishedMessage
from tailrace.schemas.errors import Invalid
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.kafka_records import Topic, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import SIGNAL_KINDS, Compact, signal_of
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.contexts import known_state, visible_state
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.api.thread_views import ThreadState
from tailrace.streams.client.publication import Published, new_id
from tailrace.streams.client.signal_answer import ENDS
from tailrace.streams.library.plan_report import PlanTitle, plan_report
from tailrace.streams.library.plans import Limits, engine_of
from tailrace.streams.library.worker_policy import policy_for
from tailrace.streams.policy.files import ready_made_names
from tailrace.streams.settings.settings import Settings

#: Ticks are the worker's own: it knows when which is due.
_KINDS: Final = tuple(kind for kind in SIGNAL_KINDS if kind != "tick")


async def plan(services: Services, call: ApiCall) -> dict[str, Any]:
    """What a compaction would do now. Nothing changes."""
    state = await visible_state(services, call.thread, call.caller)
    check_policy_name(call.body.policy)
    return await asyncio.to_thread(_plan, services.settings, state, call.body)


def check_policy_name(name: str | None) -> None:
    """Raise a problem for what is no ready-made policy: a name must never open a file of the server."""
    if name is not None and name not in ready_made_names():
        raise ProblemError(
            problem.INVALID,
            f"there is no policy {name[:64]!r}",
            f"name one of {', '.join(ready_made_names())}, or leave it out for the one in force",
            where="policy",
        )


def _plan(settings: Settings, state: ThreadState, asked: PlanRequest) -> dict[str, Any]:
    # A copy: what is planned for is shared with everybody who reads the thread.
    talk = Conversation(state.view.copy(), model=state.view.model)
    limits = Limits(
        budget_tokens=asked.budget_tokens,
        window_tokens=asked.window_tokens,
        model=asked.model,
        fills=not asked.force,
    )
    titles = PlanTitle(f"thread {state.thread}", asked.policy)
    by = policy_for(settings, talk, engine_of(settings, asked.policy), limits, named=asked.policy is not None)
    return plan_report(talk, by, titles, forced=asked.force).as_json()


async def compact(services: Services, call: ApiCall) -> CompactReply:
    """Ask for a compaction now, and return what became of it once contexts show it."""
    state = await known_state(services, call)
    body: CompactRequest = call.body
    settings = services.settings.client
    wait_ms = settings.publish_wait_ms if call.query.wait_ms is None else call.query.wait_ms
    try:
        asked = Compact(
            target_tokens=body.target_tokens,
            target_fraction=body.target_fraction,
            strategy=body.strategy,
            reason=_with_name(body.reason, call),
        )
    except ValueError as error:
        raise Invalid(f"the body: {error}") from error
    signal_id = new_id()
    try:
        async with asyncio.timeout(wait_ms / 1000):
            published = await services.client.signal(
                state.thread,
                asked,
                tenant=state.mark.tenant,
                id=signal_id,
                timeout_ms=wait_ms,
                actor=call.caller.actor(state.mark.tenant),
            )
            event = await _answer(services, published)
    except TimeoutError:
        raise ProblemError(
            problem.DEADLINE,
            f"no worker has compacted thread {state.thread} within {wait_ms} ms",
            "one that comes later still will; /v1/stats tells whether workers are there",
        ) from None
    if event.kind is LifecycleKind.REFUSED:
        raise ProblemError(problem.CONFLICT, event.reason or "the thread refuses it", "correct what was asked for")
    return CompactReply(
        thread=event.thread,
        outcome=event.kind,
        before_tokens=event.before_tokens,
        after_tokens=event.after_tokens,
        limit_tokens=event.limit_tokens,
        reason=event.reason,
        compaction_id=event.compaction_id,
    )


def _with_name(reason: str, call: ApiCall) -> str:
    """The reason with who asked: it stands on `lifecycle`, where others look for it."""
    who = f"asked for by {call.caller.name}"
    return f"{reason} ({who})" if reason else who


async def _answer(services: Services, published: Published) -> LifecycleEvent:
    """What became of a signal, once the context takes it into account."""
    topic = services.settings.topic(Topic.LIFECYCLE)
    read = partial(_ends_of, topic=topic, thread=published.thread, event_id=published.event_id)
    with services.changes.watch([published.thread]) as watcher:
        while True:
            for event in await services.file.read(read):
                if event.kind is LifecycleKind.REFUSED:
                    return event
                state = await services.views.state(published.thread)
                covers = state.view.covers if state is not None else None
                if covers is not None and covers.offset >= published.offset:
                    return event
            await watcher.wait()
            if services.changes.ended:
                raise ProblemError(problem.UNAVAILABLE, "this process stops", "ask again")


def _ends_of(connection: sqlite3.Connection, *, topic: str, thread: str, event_id: str) -> list[LifecycleEvent]:
    query = "SELECT value FROM trail WHERE event_id = ? AND thread = ? AND topic = ? ORDER BY offset"
    events = (decode_lifecycle(value) for (value,) in connection.execute(query, (event_id, thread, topic)))
    return [event for event in events if event.kind in ENDS]


async def send_signal(services: Services, call: ApiCall) -> PublishedMessage:
    """Tell a thread something that is not said in it."""
    data = dict(call.body)
    signal_id = check_id(data.pop("id", None) or new_id(), "id")
    if data.get("kind") not in _KINDS:
        raise Invalid(f"kind is {str(data.get('kind'))[:64]!r}; a signal is one of {', '.join(_KINDS)}")
    call.caller.narrowed(data.pop("tenant", None))
    call.caller.narrowed(call.query.tenant)
    what = signal_of(data, signal_id=signal_id, thread=call.thread, logged_at_ms=0).what
    state = await known_state(services, call)
    tenant = state.mark.tenant
    actor = call.caller.actor(tenant)
    done = await services.client.signal(call.thread, what, tenant=tenant, id=signal_id, actor=actor)
    return PublishedMessage(id=done.event_id, thread=done.thread, partition=done.partition, offset=done.offset)
