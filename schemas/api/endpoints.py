"""All endpoints of the API, in the order in which the OpenAPI document has them; here are those for agents."""

from typing import Any, Final

from tailrace.schemas.api import departures, examples
from tailrace.schemas.api.care_endpoints import CARE, ITSELF
from tailrace.schemas.api.context import (
    ContextNotice,
    ContextQuery,
    ContextReply,
    FollowQuery,
    ThreadsQuery,
    ThreadsReply,
    ThreadSummary,
)
from tailrace.schemas.api.endpoint import BYTES, EVENTS, Endpoint
from tailrace.schemas.api.history import CompactionsReply, HistoryQuery, HistoryReply, WatchQuery
from tailrace.schemas.api.plans import CompactQuery, CompactReply, CompactRequest, PlanReply, PlanRequest, SignalQuery
from tailrace.schemas.api.publication import PublishBody, PublishedMessage, PublishQuery, PublishReply
from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.records.artifact import Artifact
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent

_THREADS: Final = (
    Endpoint(
        name="list_threads",
        method="GET",
        path="/v1/threads",
        role=AccessRole.READER,
        summary="List the threads, those first in which something was said last.",
        query=ThreadsQuery,
        response=ThreadsReply,
        response_example=examples.THREADS,
        command="threads",
    ),
    Endpoint(
        name="show_thread",
        method="GET",
        path="/v1/threads/{thread}",
        role=AccessRole.READER,
        summary="Tell how full the context of a thread is, and what was said in it.",
        response=ThreadSummary,
        response_example=examples.THREAD,
        command="threads",
    ),
    Endpoint(
        name="publish",
        method="POST",
        path="/v1/threads/{thread}/messages",
        role=AccessRole.WRITER,
        summary="Publish a message, or a list of messages in their order. All of them are in the log when the answer "
        "comes.",
        query=PublishQuery,
        request=PublishBody,
        request_schema="MessageEvent",
        request_example=examples.MESSAGE,
        response=PublishReply,
        response_example=examples.PUBLISHED,
        status=201,
        command="publish",
    ),
    Endpoint(
        name="read_context",
        method="GET",
        path="/v1/threads/{thread}/context",
        role=AccessRole.READER,
        summary="Return the context of a thread, ready to send to a model.",
        query=ContextQuery,
        response=ContextReply,
        response_example=examples.CONTEXT,
        command="context",
    ),
    Endpoint(
        name="follow",
        method="GET",
        path="/v1/follow",
        role=AccessRole.READER,
        summary="Follow the contexts of threads: an event for each that has changed. Resumes by Last-Event-ID.",
        query=FollowQuery,
        response=ContextNotice,
        response_example=examples.NOTICE,
        media_type=EVENTS,
        command="context",
    ),
)

_HISTORY: Final = (
    Endpoint(
        name="show_history",
        method="GET",
        path="/v1/threads/{thread}/history",
        role=AccessRole.READER,
        summary="Tell what happened to a thread and why, oldest first.",
        query=HistoryQuery,
        response=HistoryReply,
        response_example=examples.HISTORY,
        command="history",
    ),
    Endpoint(
        name="list_compactions",
        method="GET",
        path="/v1/threads/{thread}/compactions",
        role=AccessRole.READER,
        summary="List the records of the compactions of a thread, oldest first.",
        query=HistoryQuery,
        response=CompactionsReply,
        response_example=examples.COMPACTIONS,
        command="history",
    ),
    Endpoint(
        name="show_compaction",
        method="GET",
        path="/v1/compactions/{compaction}",
        role=AccessRole.READER,
        summary="Return the record of a compaction with its receipt, by its id or how that begins.",
        response=CompactionRecord,
        response_example=examples.COMPACTION,
        command="receipt",
    ),
    Endpoint(
        name="watch",
        method="GET",
        path="/v1/lifecycle",
        role=AccessRole.READER,
        summary="Follow the audit trail: what fired, what was proposed and what was done. Resumes by Last-Event-ID.",
        query=WatchQuery,
        response=LifecycleEvent,
        response_example=examples.EVENT,
        media_type=EVENTS,
        command="watch",
    ),
)

_ASKED: Final = (
    Endpoint(
        name="plan",
        method="POST",
        path="/v1/threads/{thread}/plan",
        role=AccessRole.READER,
        summary="Show what a compaction would do, and change nothing.",
        request=PlanRequest,
        request_example=examples.PLAN_REQUEST,
        response=PlanReply,
        response_example=examples.PLAN,
        command="plan",
    ),
    Endpoint(
        name="compact",
        method="POST",
        path="/v1/threads/{thread}/compact",
        role=AccessRole.WRITER,
        summary="Compact a thread now, whatever the marks say, and return what became of it.",
        query=CompactQuery,
        request=CompactRequest,
        request_example=examples.COMPACT_REQUEST,
        response=CompactReply,
        response_example=examples.COMPACTED,
        command="compact",
    ),
    Endpoint(
        name="send_signal",
        method="POST",
        path="/v1/threads/{thread}/signals",
        role=AccessRole.WRITER,
        summary="Tell a thread what a runtime does: a model call begins or ends, so much will be added, a provider "
        "refused a request.",
        query=SignalQuery,
        request=dict[str, Any],
        request_schema="Signal",
        request_example=examples.SIGNAL,
        response=PublishedMessage,
        response_example=examples.PUBLISHED["published"][0],
        status=202,
        command="signal",
    ),
)

_KEPT: Final = (
    Endpoint(
        name="recall",
        method="GET",
        path="/v1/recall",
        role=AccessRole.READER,
        summary="Find passages in all that was said, the best first, also in what has left the contexts.",
        query=departures.RecallQuery,
        response=departures.RecallReply,
        response_example=examples.RECALLED,
        command="recall",
    ),
    Endpoint(
        name="show_artifact",
        method="GET",
        path="/v1/artifacts/{artifact}",
        role=AccessRole.READER,
        summary="Return an artifact as it is stored, or a range of its bytes.",
        query=departures.TenantQuery,
        media_type=BYTES,
        command="artifacts show",
    ),
    Endpoint(
        name="show_artifact_lines",
        method="GET",
        path="/v1/artifacts/{artifact}/lines",
        role=AccessRole.READER,
        summary="Return lines of an artifact with their numbers, as a model reads them.",
        query=departures.LinesQuery,
        response=departures.LinesReply,
        response_example=examples.LINES,
        command="artifacts show",
    ),
    Endpoint(
        name="show_artifact_meta",
        method="GET",
        path="/v1/artifacts/{artifact}/meta",
        role=AccessRole.READER,
        summary="Tell what is known of an artifact: size, hash, origin, sensitivity, expiry.",
        query=departures.TenantQuery,
        response=Artifact,
        response_example=examples.ARTIFACT,
        command="artifacts meta",
    ),
    Endpoint(
        name="delete_artifact",
        method="DELETE",
        path="/v1/artifacts/{artifact}",
        role=AccessRole.OPERATOR,
        summary="Remove an artifact for good, and the passages of it that recall knows.",
        query=departures.TenantQuery,
        response=departures.Deleted,
        response_example=examples.DELETED,
        command="artifacts delete",
    ),
    Endpoint(
        name="list_tools",
        method="GET",
        path="/v1/tools",
        role=AccessRole.READER,
        summary="Return the tools that a model is given to read back what left its context.",
        query=departures.ToolsQuery,
        response=departures.ToolsReply,
        response_example=examples.TOOLS,
        command="tools",
    ),
)

ENDPOINTS: Final = (*_THREADS, *_HISTORY, *_ASKED, *_KEPT, *CARE, *ITSELF)
