"""Reading artifacts without holding them.

A store that is there, their text in pieces, and the lines that a call asks for.

A short artifact is read as a whole. A longer one is read from its beginning, a chunk at a time, as far as the lines go
that are asked for: never more than one chunk is in memory, and never more than `SCAN_BYTES_MAX` are read for one
answer.
"""

import asyncio
import codecs
from collections.abc import AsyncIterator
from typing import Final

from tailrace.agents.artifacts.excerpt import matching_lines, read_lines
from tailrace.agents.artifacts.names import readable
from tailrace.agents.artifacts.pieces import LineCutter, scan_for, short_lines
from tailrace.schemas.providers.tools import ReadArtifact
from tailrace.schemas.records.artifact import Artifact, SecurityContext
from tailrace.streams.artifacts.chunks import CHUNK_BYTES
from tailrace.streams.artifacts.open_store import SQLITE_FILE, open_store
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.settings.settings import Settings

#: Up to here an artifact is read as a whole: more than nearly every tool output has.
WHOLE_BYTES_MAX: Final = 4 * CHUNK_BYTES
#: What one answer may cost the store.
SCAN_BYTES_MAX: Final = 64 * CHUNK_BYTES
_BROKEN: Final = "[lines longer than 1,000 characters go on in the next line]"
#: Room for the sentences around a page.
_FRAME_CHARS: Final = 300


async def open_existing(settings: Settings) -> ArtifactStore | None:
    """The store of these settings, or None where no worker has made it yet: who only reads makes no file."""
    if settings.artifacts.url is None and not (settings.data_dir / SQLITE_FILE).is_file():
        return None
    return await open_store(settings)


async def content_pieces(
    store: ArtifactStore, context: SecurityContext, artifact: Artifact, *, bytes_max: int | None = None
) -> AsyncIterator[bytes]:
    """Yield an artifact as it is stored, or its beginning, a chunk at a time."""
    end_byte = artifact.size_bytes if bytes_max is None else min(artifact.size_bytes, bytes_max)
    for first_byte in range(0, end_byte, CHUNK_BYTES):
        wanted_bytes = min(CHUNK_BYTES, end_byte - first_byte)
        yield await store.retrieve(context, artifact.id, first_byte=first_byte, bytes_max=wanted_bytes)


async def read_artifact(store: ArtifactStore, context: SecurityContext, call: ReadArtifact, *, chars_max: int) -> str:
    """The lines that a call asks for, at most `chars_max` characters.

    Raises an ArtifactError where there are none to see.
    """
    artifact = await store.metadata(context, call.id)
    if artifact.size_bytes <= WHOLE_BYTES_MAX:
        content = await store.retrieve(context, call.id)
        return page_of(readable(artifact.media_type, content), call, chars_max=chars_max)
    cutter = LineCutter()
    scan = scan_for(call, chars_max=chars_max - _FRAME_CHARS)
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode

    def look_at(piece: bytes) -> None:
        scan.take(cutter.take(decode(piece)))

    ended = False
    async for piece in content_pieces(store, context, artifact, bytes_max=SCAN_BYTES_MAX):
        # Not on the event loop: a piece full of short lines takes a tenth of a second.
        await asyncio.to_thread(look_at, piece)
        if scan.enough:
            break
    else:
        ended = artifact.size_bytes <= SCAN_BYTES_MAX
        if ended:
            scan.take([*cutter.take(decode(b"", final=True)), *cutter.end()])
    head = f"[artifact of {artifact.size_bytes:,} bytes"
    head += "]" if ended or scan.enough else f"; the first {SCAN_BYTES_MAX:,} of them were read]"
    return "\n".join([head, *([_BROKEN] if cutter.broke_lines else []), scan.page(ended=ended)])


def page_of(text: str, call: ReadArtifact, *, chars_max: int) -> str:
    """The lines of a text that a call asks for, at most `chars_max` characters."""
    short, broken = short_lines(text)
    note = f"{_BROKEN}\n" if broken else ""
    room_chars = chars_max - len(note)
    if call.query is None:
        return note + read_lines(short, call.span, chars_max=room_chars)
    return note + matching_lines(short, call.query, call.span, chars_max=room_chars)
