"""Endpoints about threads and their contexts: the list, one line, the context itself, and the wait for a message."""

import asyncio
import hashlib
import importlib.metadata
from functools import cache

import msgspec
from starlette.responses import Response

from tailrace.schemas.api import problem
from tailrace.schemas.api.context import ContextEntry, ContextReply, ThreadsReply, ThreadSummary
from tailrace.schemas.api.endpoint import JSON
from tailrace.schemas.records.message import Format
from tailrace.streams.api.byte_ranges import etags
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.api.thread_views import ThreadMark, ThreadState
from tailrace.streams.client.context import context_of, context_tokens, limit_tokens
from tailrace.streams.settings.settings import Settings


async def list_threads(services: Services, call: ApiCall) -> ThreadsReply:
    """A page of threads."""
    page = await services.views.page(call.query, call.caller.narrowed(call.query.tenant))
    states = [await services.views.state(thread) for thread in page.threads]
    summaries = tuple(summary_of(state, services.settings) for state in states if state is not None)
    return ThreadsReply(threads=summaries, next=page.next)


async def show_thread(services: Services, call: ApiCall) -> ThreadSummary:
    """One thread in one line."""
    return summary_of(await visible_state(services, call.thread, call.caller), services.settings)


async def read_context(services: Services, call: ApiCall) -> Response:
    """The context of a thread, or that it is the one that the caller has."""
    thread, query = call.thread, call.query
    if query.covers is not None:
        wait_ms = services.settings.client.context_wait_ms if query.wait_ms is None else query.wait_ms
        await wait_until_covered(services, thread, query.covers, call.caller, wait_ms)
    mark = services.views.mark(thread)
    if mark is None or not call.caller.sees(mark.tenant):
        mark = (await known_state(services, call, query.wait_ms)).mark
    etag = etag_of(mark, query.format, services.settings)
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if etag in etags(call.header("If-None-Match")):
        return Response(status_code=304, headers=headers)
    key = thread, query.format, query.check
    body = services.bodies.get(key, etag)
    if body is None:
        state = await visible_state(services, thread, call.caller)
        # It may have moved on since its mark was looked at.
        headers["ETag"] = etag = etag_of(state.mark, query.format, services.settings)
        body = await asyncio.to_thread(context_body, services.settings, state, query.format, check=query.check)
        services.bodies.put(key, etag, body)
    return Response(body, headers=headers, media_type=JSON)


async def known_state(services: Services, call: ApiCall, wait_ms: int | None = None) -> ThreadState:
    """The thread; one to which something was published here a moment ago is waited for."""
    if not services.places.knows(call.thread, call.caller.acting_for(None)):
        return await visible_state(services, call.thread, call.caller)
    wait_ms = services.settings.client.context_wait_ms if wait_ms is None else wait_ms
    try:
        async with asyncio.timeout(wait_ms / 1000):
            with services.changes.watch([call.thread]) as watcher:
                while True:
                    try:
                        return await visible_state(services, call.thread, call.caller)
                    except ProblemError:
                        await watcher.wait()
                        if services.changes.ended:
                            raise
    except TimeoutError:
        raise no_such_thread(call.thread) from None


async def wait_until_covered(services: Services, thread: str, event_id: str, caller: ApiCaller, wait_ms: int) -> None:
    """Wait until the context of the thread takes a message into account. Raises a problem where that takes too long."""
    try:
        async with asyncio.timeout(wait_ms / 1000):
            with services.changes.watch([thread]) as watcher:
                while not await _is_covered(services, thread, event_id, caller):
                    await watcher.wait()
                    if services.changes.ended:
                        raise ProblemError(problem.UNAVAILABLE, "this process stops", "ask again")
    except TimeoutError:
        raise ProblemError(
            problem.DEADLINE,
            f"no context of thread {thread} takes message {event_id} into account within {wait_ms} ms",
            "ask again, or without covers for what there is; /v1/stats tells whether workers are there, "
            "/v1/dead-letters "
            "what was refused",
            where="covers",
        ) from None


async def _is_covered(services: Services, thread: str, event_id: str, caller: ApiCaller) -> bool:
    state = await services.views.state(thread)
    if state is None or not caller.sees(state.mark.tenant):
        return False
    covers = state.view.covers
    if state.view.knows(event_id) or (covers is not None and covers.event_id == event_id):
        return True
    published = services.places.of(thread, event_id)
    return published is not None and covers is not None and 0 <= published.offset <= covers.offset


async def visible_state(services: Services, thread: str, caller: ApiCaller) -> ThreadState:
    """The thread as it is. Raises the same problem for one that is missing and one that is another tenant's."""
    mark = services.views.mark(thread)
    state = await services.views.state(thread) if mark is not None and caller.sees(mark.tenant) else None
    if state is None or not caller.sees(state.mark.tenant):
        raise no_such_thread(thread)
    return state


def no_such_thread(thread: str) -> ProblemError:
    """The problem of a thread that nobody can see."""
    return ProblemError(
        problem.NOT_FOUND,
        f"there is no context of thread {thread}",
        "publish to it first, and ask with covers=ID to wait for the message; /v1/threads lists those there are",
        where="thread",
    )


def etag_of(mark: ThreadMark, message_format: Format | None, settings: Settings) -> str:
    """Name the state of a context in a format: the same in every process with the same settings and release."""
    return f'"{mark.mark & _ALL_BITS:016x}-{_form(message_format, settings.compaction_policy.hash)}"'


_ALL_BITS = (1 << 64) - 1


@cache
def _form(message_format: Format | None, policy_hash: str) -> str:
    text = f"{message_format} {policy_hash} {importlib.metadata.version('tailrace')}"
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def context_reply(settings: Settings, state: ThreadState, message_format: Format, *, check: bool) -> ContextReply:
    """The context in a format. Raises OverBudget or Unsendable, if asked to, where it should not be sent."""
    context = context_of(state.thread, state.view, settings.compaction_policy, message_format=message_format)
    return ContextReply(
        thread=context.thread,
        tenant=context.tenant,
        model=context.model,
        tokens=context.tokens,
        limit_tokens=context.limit_tokens,
        window_tokens=context.window_tokens,
        epoch=context.epoch,
        covers_through=context.covers_through,
        totals=context.totals,
        format=message_format,
        request=context.request(check=check),
        entries=tuple(
            ContextEntry(
                id=entry.id,
                kind=entry.kind,
                role=entry.role,
                tokens=entry.tokens,
                turn=entry.turn,
                pinned=entry.pinned,
                sources=entry.sources,
            )
            for entry in state.view.live()
        ),
    )


def context_body(settings: Settings, state: ThreadState, message_format: Format, *, check: bool) -> bytes:
    """The same as JSON."""
    return msgspec.json.encode(context_reply(settings, state, message_format, check=check))


def summary_of(state: ThreadState, settings: Settings) -> ThreadSummary:
    """The thread in one line."""
    view, head = state.view, state.view.head
    return ThreadSummary(
        thread=state.thread,
        tenant=state.mark.tenant,
        model=view.model,
        agent=view.agent,
        parent_thread=head.parent_thread if head else None,
        messages=view.totals.messages,
        tokens_said=view.totals.tokens,
        messages_live=len(view.entries),
        tokens=context_tokens(view),
        limit_tokens=limit_tokens(view, settings.compaction_policy),
        compactions=view.totals.compactions,
        last_at_ms=state.mark.said_at_ms,
    )
