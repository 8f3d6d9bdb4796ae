"""From the lines of a file to a transcript: what the file holds says which reader it is for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tailrace.schemas.parts import Json
from tailrace.schemas.transcripts.claude_code import is_claude_code, read_claude_code
from tailrace.schemas.transcripts.codex import is_codex, read_codex
from tailrace.schemas.transcripts.draft import Draft
from tailrace.schemas.transcripts.messages import is_document, read_document, read_message_lines
from tailrace.schemas.transcripts.transcript import Transcript

_decode_json = msgspec.json.Decoder().decode


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Return the conversation that the lines of a file hold, in whichever form it was saved.

    A line that can't be read is skipped and listed, never the whole file. Raises `Invalid` if nothing could be read.
    """
    texts = [text.removeprefix("\ufeff") for text in lines]
    document = _document(texts)
    if document is not None:
        return read_document(document)
    decoded: list[tuple[int, Json]] = []
    refused: list[tuple[int, str]] = []
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            continue
        try:
            decoded.append((number, _decode_json(text)))
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            refused.append((number, f"no JSON: {error}"))
    source, reader = _reader_for(decoded)
    draft = Draft(source)
    for number, why in refused:
        draft.skip(number, why)
    return reader(decoded, draft)


def _document(texts: list[str]) -> Json | None:
    filled = [text for text in texts if text.strip()]
    if not filled or filled[0].lstrip()[0] not in "[{":
        return None
    if len(filled) > 1 and _decoded(filled[0]) is not None:
        return None  # the first line is whole by itself: one of many
    value = _decoded("\n".join(text.rstrip("\r\n") for text in texts))
    return value if is_document(value) else None


def _decoded(text: str) -> Json | None:
    try:
        return _decode_json(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def _reader_for(
    decoded: Sequence[tuple[int, Json]],
) -> tuple[str, Callable[[Sequence[tuple[int, Json]], Draft], Transcript]]:
    for source, is_record, reader in _READERS:
        if any(isinstance(data, dict) and is_record(data) for _, data in decoded):
            return source, reader
    return "jsonl", read_message_lines


_Reader = Callable[[Sequence[tuple[int, Json]], Draft], Transcript]

#: Programs whose files are known, by a record that only theirs have.
_READERS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool], _Reader], ...] = (
    ("codex", is_codex, read_codex),
    ("claude-code", is_claude_code, read_claude_code),
)
