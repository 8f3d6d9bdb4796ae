"""Endpoints for people who look after an installation: policies, cost and numbers."""

import asyncio
import socket
import sqlite3
import time
from collections.abc import Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

from tailrace.agents.plan.policy_warnings import policy_warnings
from tailrace.schemas.api import problem
from tailrace.schemas.api.care import (
    CostReply,
    CostRow,
    CostSum,
    ExplainReply,
    PoliciesReply,
    PolicyChange,
    PolicyCheckReply,
    PolicyDiffReply,
    PolicyProblem,
    PolicyReply,
    PolicySummary,
    PolicyWarningReply,
    StatsReply,
    TriggerReply,
    VersionReply,
)
from tailrace.schemas.errors import ConfigError, TailraceError, Unavailable
from tailrace.schemas.ingest import check_id
from tailrace.schemas.policy.document import BASE, ROOT
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.message import Format
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.contexts import visible_state
from tailrace.streams.api.plans import check_policy_name
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.client.worker_backlog import wait_for_workers
from tailrace.streams.installation.releases import versions
from tailrace.streams.library.plans import Limits, engine_of
from tailrace.streams.library.worker_policy import policy_for
from tailrace.streams.observability.spend_report import GroupedBy, SpendFilter, SpendRow, Sum, spend_rows
from tailrace.streams.policy.files import Layer, examine, open_policy, ready_made, ready_made_names
from tailrace.streams.policy.text import differences
from tailrace.streams.policy.trigger_report import explained_conversation, trigger_report
from tailrace.streams.worker.projection import PROJECTION_FILE

#: In the path: the policy by which threads are compacted.
IN_FORCE: Final = "in-force"
_BODY: Final = "the body"
#: What is told of the workers may be so old: asking takes a connection of its own.
_BACKLOG_SECONDS: Final = 2.0


async def list_policies(services: Services, _call: ApiCall) -> PoliciesReply:
    """The policy in force, and the ready-made ones."""
    ours = services.settings.compaction_policy
    listed = [(open_policy(name, Path()), ready_made(name).about) for name in ready_made_names()]
    if all(policy.hash != ours.hash for policy, _ in listed):
        listed.insert(0, (ours, "What the settings say."))
    return PoliciesReply(
        policies=tuple(
            PolicySummary(name=policy.name, hash=policy.hash, about=about, in_force=policy.hash == ours.hash)
            for policy, about in listed
        )
    )


async def show_policy(services: Services, call: ApiCall) -> PolicyReply:
    """A policy with all its defaults."""
    policy = _policy(services, None if call.path["policy"] == IN_FORCE else call.path["policy"])
    return PolicyReply(name=policy.name, hash=policy.hash, policy=policy)


async def check_policy(_services: Services, call: ApiCall) -> PolicyCheckReply:
    """Everything that is wrong about a policy, and what has no effect in it."""
    values = call.body[ROOT] if call.body.keys() == {ROOT} and isinstance(call.body[ROOT], Mapping) else call.body
    try:
        check_policy_name(_base(values))
        policy, problems = examine(Layer(_BODY, values), Path())
    except ConfigError as error:
        policy, problems = None, [error]
    return PolicyCheckReply(
        ok=not problems,
        name=policy.name if policy else None,
        hash=policy.hash if policy else None,
        problems=tuple(
            PolicyProblem(key=error.key, value=repr(error.value), allowed=error.allowed) for error in problems
        ),
        warnings=tuple(
            PolicyWarningReply(key=warning.key, what=warning.what)
            for warning in (policy_warnings(policy) if policy else ())
        ),
    )


def _base(values: Mapping[str, Any]) -> str | None:
    base = values.get(BASE)
    if base is not None and not isinstance(base, str):
        raise ConfigError(f"{ROOT}.{BASE}", base, "the name of a ready-made policy")
    return base


async def diff_policies(services: Services, call: ApiCall) -> PolicyDiffReply:
    """In which keys two policies differ."""
    changes = differences(_policy(services, call.query.name), _policy(services, call.query.other))
    changed = tuple(PolicyChange(key=key, a=ours, b=theirs) for key, ours, theirs in changes)
    return PolicyDiffReply(equal=not changes, changes=changed)


async def explain_policy(services: Services, call: ApiCall) -> ExplainReply:
    """When a policy compacts, in words; for a thread, with the values of now."""
    name = None if call.path["policy"] == IN_FORCE else call.path["policy"]
    check_policy_name(name)
    thread = call.query.thread
    state = None
    if thread is not None:
        state = await visible_state(services, check_id(thread, "thread"), call.caller)
    limits = Limits(window_tokens=call.query.window_tokens, model=call.query.model)

    def explained() -> ExplainReply:
        engine = engine_of(services.settings, name)
        view = None if state is None else state.view
        by = policy_for(services.settings, explained_conversation(view, limits), engine, limits, named=name is not None)
        report = trigger_report(by, view)
        return ExplainReply(
            name=by.engine.policy.name,
            hash=by.engine.policy.hash,
            note=by.note,
            window_tokens=report.window_tokens,
            thread=thread,
            triggers=tuple(
                TriggerReply(trigger=line.trigger, when=line.when, now=line.now, holds=line.holds)
                for line in report.lines
            ),
        )

    return await asyncio.to_thread(explained)


def _policy(services: Services, name: str | None) -> Policy:
    if name is None:
        return services.settings.compaction_policy
    try:
        check_policy_name(name)
    except ProblemError as error:
        raise ProblemError(problem.NOT_FOUND, error.detail, error.remedy, where=error.where) from error
    return open_policy(name, Path())


async def show_cost(services: Services, call: ApiCall) -> CostReply:
    """What models have cost, on all machines that answer."""
    (own, own_lack), others = await asyncio.gather(_cost_here(services, call), services.peers.ask(call, CostReply))
    rows = _added(own, *(reply.rows for reply in others.replies))
    return CostReply(by=call.query.by, rows=rows, missing=others.lacking(own_lack))


async def _cost_here(services: Services, call: ApiCall) -> tuple[tuple[CostRow, ...], str | None]:
    """What the workers of this machine have written down, or why that can't be asked."""
    query = call.query
    tenant = call.caller.narrowed(query.tenant)
    only = SpendFilter(tenant=tenant, thread=query.thread, since_ms=query.since_ms)
    try:
        rows = await asyncio.to_thread(
            spend_rows, services.settings.data_dir / PROJECTION_FILE, GroupedBy(str(query.by)), only
        )
    except Unavailable as error:
        return (), f"the workers of {socket.gethostname()}: {error}"
    return tuple(map(_cost_row, rows)), None


def _added(*machines: tuple[CostRow, ...]) -> tuple[CostRow, ...]:
    """The rows of all machines, those of one name put together, the dearest first."""
    rows: dict[str, CostRow] = {}
    for row in chain.from_iterable(machines):
        before = rows.get(row.name)
        rows[row.name] = row if before is None else _both(before, row)
    return tuple(sorted(rows.values(), key=lambda row: (-row.primary.cost_usd - row.compactor.cost_usd, row.name)))


def _both(row: CostRow, other: CostRow) -> CostRow:
    return CostRow(
        name=row.name, primary=_sum(row.primary, other.primary), compactor=_sum(row.compactor, other.compactor)
    )


def _sum(part: CostSum, other: CostSum) -> CostSum:
    return CostSum(**{name: getattr(part, name) + getattr(other, name) for name in CostSum.__struct_fields__})


def _cost_row(row: SpendRow) -> CostRow:
    return CostRow(name=row.name, primary=_cost_sum(row.primary), compactor=_cost_sum(row.compactor))


def _cost_sum(total: Sum) -> CostSum:
    return CostSum(**{name: getattr(total, name) for name in CostSum.__struct_fields__})


async def show_stats(services: Services, call: ApiCall) -> StatsReply:
    """How the installation is, seen from this process."""
    feed, policy = services.feed, services.settings.compaction_policy
    return StatsReply(
        release=versions()["tailrace"],
        threads=await services.file.read(partial(_count, tenant=call.caller.tenant)),
        waiting_messages=await _backlog(services),
        unread_records=feed.behind,
        ready=feed.caught_up.is_set(),
        problem=feed.problem,
        policy=policy.name,
        policy_hash=policy.hash,
        formats=tuple(str(name) for name in Format),
    )


def _count(connection: sqlite3.Connection, *, tenant: str | None) -> int:
    where, values = ("tenant <> ''", ()) if tenant is None else ("tenant = ?", (tenant,))
    return int(connection.execute(f"SELECT count(*) FROM threads WHERE {where}", values).fetchone()[0])  # noqa: S608  texts of ours


async def _backlog(services: Services) -> int | None:
    backlog = services.backlog
    async with backlog.asking:
        now_seconds = time.monotonic()
        if now_seconds - backlog.asked_at_seconds > _BACKLOG_SECONDS:
            try:
                backlog.messages = await wait_for_workers(services.settings, 0)
            except TailraceError:
                backlog.messages = None
            backlog.asked_at_seconds = time.monotonic()
        return backlog.messages


async def show_version(_services: Services, _call: ApiCall) -> VersionReply:
    """Versions of what answers."""
    return VersionReply(versions=versions())


async def show_metrics(services: Services, _call: ApiCall) -> Response:
    """Numbers of this process, for Prometheus."""
    return Response(generate_latest(services.registry), media_type=CONTENT_TYPE_LATEST)
