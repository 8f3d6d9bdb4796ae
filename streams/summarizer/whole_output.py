"""The whole tool output behind a request to distil, from the artifact store."""

import msgspec

from tailrace.agents.secrets.mask import mask_message
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.parts import ToolCallResponsePart
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.artifacts.store import ArtifactStore

#: What is read of an output: its end. A summariser reads less than that.
OUTPUT_BYTES_MAX = 1_000_000


async def with_whole_output(request: WorkRequest, store: ArtifactStore) -> WorkRequest:
    """The request with the output that its artifact holds. Raises an ArtifactError where it can't be had.

    What is confidential stays where it is: it was not given to us to be sent to a model.
    """
    if request.artifact_id is None:
        return request
    caller = SecurityContext(tenant=request.tenant, clearance=Sensitivity.INTERNAL, actor="summarize")
    metadata = await store.metadata(caller, request.artifact_id)
    first_byte = max(0, metadata.size_bytes - OUTPUT_BYTES_MAX)
    content = await store.retrieve(caller, request.artifact_id, first_byte=first_byte)
    text = content.decode(errors="replace")
    *others, last = request.messages
    parts = tuple(
        msgspec.structs.replace(part, response=text) if isinstance(part, ToolCallResponsePart) else part
        for part in last.message.parts
    )
    whole = mask_message(msgspec.structs.replace(last.message, parts=parts))
    return msgspec.structs.replace(request, messages=(*others, msgspec.structs.replace(last, message=whole)))
