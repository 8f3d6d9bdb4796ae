"""Endpoints about what left the contexts: passages, artifacts, and the tools with which models ask for both."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import chain, zip_longest
from typing import Final

from starlette.responses import Response, StreamingResponse

from tailrace.schemas.api import problem
from tailrace.schemas.api.departures import Deleted, LinesReply, RecallReply, ToolsReply
from tailrace.schemas.api.endpoint import BYTES
from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import ArtifactMissing, Unavailable
from tailrace.schemas.ingest import check_id
from tailrace.schemas.providers.tools import ReadArtifact, parse_span, tool_definitions
from tailrace.schemas.records.artifact import Artifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallHit
from tailrace.streams.api.byte_ranges import etags, select
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.artifacts.chunks import CHUNK_BYTES
from tailrace.streams.artifacts.reader import read_artifact
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.recall.artifact_passages import forget_artifact, search_kept
from tailrace.streams.recall.reader import RecallReader
from tailrace.streams.recall.tables import RECALL_FILE

#: Of one page; what is left out is said with the lines that show it.
_PAGE_CHARS_MAX: Final = 20_000
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]{1,64}/[\w.+-]{1,128}", re.ASCII)
#: Whatever an artifact holds, a browser must not run it.
_HARMLESS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Content-Disposition": "attachment",
    "Cache-Control": "private, no-cache",
    "Accept-Ranges": "bytes",
}


async def recall(services: Services, call: ApiCall) -> RecallReply:
    """Passages of all that was said, the best first."""
    query = call.query
    if not query.query.strip():
        raise ProblemError(problem.INVALID, "query is empty", "say what to look for", where="query")
    if query.thread is not None:
        check_id(query.thread, "thread")
    (own, own_lag, own_lack), others = await asyncio.gather(
        _recalled_here(services, call), services.peers.ask(call, RecallReply)
    )
    hits = _interleaved([own, *(reply.hits for reply in others.replies)])
    lag_records = max(own_lag, *(reply.lag_records for reply in others.replies), 0)
    return RecallReply(hits=hits[: query.limit], missing=others.lacking(own_lack), lag_records=lag_records)


async def _recalled_here(services: Services, call: ApiCall) -> tuple[Sequence[RecallHit], int, str | None]:
    """What the index of this machine has, how many records it is behind, or why it can't be asked."""
    reader = RecallReader(services.settings.data_dir / RECALL_FILE)
    try:
        hits = await search_kept(
            reader,
            call.query.query,
            context=_on_behalf(call),
            thread=call.query.thread,
            limit=call.query.limit,
            opened=services.artifacts.store,
        )
        return hits, await asyncio.to_thread(reader.lag_records), None
    except Unavailable as error:
        return (), 0, f"the index of {socket.gethostname()}: {error}"


def _interleaved(rankings: Iterable[Sequence[RecallHit]]) -> tuple[RecallHit, ...]:
    """The best of each machine, then the second of each: scores of two searches tell nothing about each other.

    A passage that two machines have stands once.
    """
    hits: dict[tuple[str, str, str, int], RecallHit] = {}
    for hit in chain.from_iterable(zip_longest(*rankings)):
        if hit is not None:
            hits.setdefault((hit.thread, hit.kind, hit.id, hit.first_char), hit)
    return tuple(hits.values())


async def show_artifact(services: Services, call: ApiCall) -> Response:
    """The bytes of an artifact, or a range of them, a chunk at a time."""
    store, caller, artifact = await _artifact(services, call)
    etag = f'"{artifact.sha256}"'
    headers = {**_HARMLESS, "ETag": etag}
    if etag in etags(call.header("If-None-Match")):
        return Response(status_code=304, headers=headers)
    selection = select(call.header("Range"), call.header("If-Range"), etag=etag, size_bytes=artifact.size_bytes)
    return StreamingResponse(
        _pieces(store, caller, artifact.id, selection.wanted),
        status_code=selection.status,
        headers=headers | selection.headers,
        media_type=artifact.media_type if _MEDIA_TYPE.fullmatch(artifact.media_type) else BYTES,
    )


async def show_artifact_meta(services: Services, call: ApiCall) -> Artifact:
    """What is known of an artifact; its content is not read."""
    _, _, artifact = await _artifact(services, call)
    return artifact


async def show_artifact_lines(services: Services, call: ApiCall) -> LinesReply:
    """Lines of an artifact with their numbers, as a model reads them."""
    store, caller, artifact = await _artifact(services, call)
    span = None if call.query.lines is None else parse_span(call.query.lines)
    words = " ".join((call.query.query or "").split()) or None
    asked = ReadArtifact(id=artifact.id, span=span, query=words)
    return LinesReply(id=artifact.id, text=await read_artifact(store, caller, asked, chars_max=_PAGE_CHARS_MAX))


async def delete_artifact(services: Services, call: ApiCall) -> Deleted:
    """Remove an artifact for good, and the passages of it."""
    store, caller, artifact = await _artifact(services, call)
    if not await store.delete(caller, artifact.id):
        raise ArtifactMissing(artifact.id)
    forget_artifact(services.settings.data_dir / RECALL_FILE, caller.tenant, artifact.id)
    return Deleted(deleted=artifact.id)


async def list_tools(_services: Services, call: ApiCall) -> ToolsReply:
    """The tools that a model is given to read back what left its context."""
    return ToolsReply(format=call.query.format, tools=tuple(tool_definitions(call.query.format)))


def _on_behalf(call: ApiCall) -> SecurityContext:
    """Who looks after it sees all of the tenant's; agents and their readers see what isn't marked as sensitive."""
    clearance = Sensitivity.RESTRICTED if call.caller.role.may(AccessRole.OPERATOR) else Sensitivity.INTERNAL
    tenant = check_id(call.caller.acting_for(call.query.tenant), "tenant")
    return SecurityContext(tenant=tenant, clearance=clearance, actor=f"api {call.caller.name}")


async def _artifact(services: Services, call: ApiCall) -> tuple[ArtifactStore, SecurityContext, Artifact]:
    caller, artifact_id = _on_behalf(call), call.path["artifact"]
    store = await services.artifacts.store()
    if store is None:
        raise ArtifactMissing(artifact_id)
    return store, caller, await store.metadata(caller, artifact_id)


async def _pieces(
    store: ArtifactStore, caller: SecurityContext, artifact_id: str, wanted: range
) -> AsyncIterator[bytes]:
    for first_byte in range(wanted.start, wanted.stop, CHUNK_BYTES):
        bytes_max = min(CHUNK_BYTES, wanted.stop - first_byte)
        yield await store.retrieve(caller, artifact_id, first_byte=first_byte, bytes_max=bytes_max)
