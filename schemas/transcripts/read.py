"""From the lines of a file to a transcript: what the file holds says which reader it is for."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tailrace.schemas.decoder import decode_next
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.half_characters import decode_json, whole_characters
from tailrace.schemas.records.parts import Json
from tailrace.schemas.transcripts.claude_code import is_claude_code, read_claude_code
from tailrace.schemas.transcripts.codex import is_codex, read_codex
from tailrace.schemas.transcripts.draft import TranscriptDraft
from tailrace.schemas.transcripts.messages import is_document, read_document, read_message_lines
from tailrace.schemas.transcripts.transcript import Transcript

_filled = re.compile(r"\S").search


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Return the conversation that the lines of a file hold, in whichever form it was saved.

    A byte that is no UTF-8 is expected as `surrogateescape` decodes it. A line that can't be read is skipped and
    listed, never the whole file. Raises `Invalid` if nothing could be read.
    """
    texts = [text.removeprefix("\ufeff") for text in lines]
    filled = [(number, text) for number, text in enumerate(texts, start=1) if text.strip()]
    whole = _whole([text for _, text in filled])
    if is_document(whole):
        return read_document(whole)
    decoded: list[tuple[int, Json]] = _spread(texts)
    refused: list[tuple[int, str]] = []
    for number, text in filled if not decoded else ():
        try:
            decoded.append((number, decode_json(text)))
        except PoisonEvent as error:
            refused.append((number, f"no JSON: {error}"))
    source, reader = _reader_for(decoded)
    draft = TranscriptDraft(source)
    for number, why in refused:
        draft.skip(number, why)
    return reader(decoded, draft)


def _whole(filled: list[str]) -> Json | None:
    """Return the value that all lines are together; None where the first is whole by itself: one of many."""
    if not filled or filled[0].lstrip()[0] not in "[{" or (len(filled) > 1 and _decoded(filled[0]) is not None):
        return None
    return _decoded("\n".join(filled))


def _spread(texts: list[str]) -> list[tuple[int, Json]]:
    """Return objects that stand over several lines each, one after another, as jq writes them.

    None where the lines are anything else.
    """
    text = "\n".join(text.rstrip("\r\n") for text in texts)
    place = len(text) - len(text.lstrip())
    first, _, more = text[place:].partition("\n")
    if not first.startswith("{") or not more.strip() or _decoded(first) is not None:
        return []
    placed_objects: list[tuple[int, Json]] = []
    number = 1 + text.count("\n", 0, place)
    while place < len(text):
        try:
            value, end = decode_next(text, place)
            placed_objects.append((number, whole_characters(value)))
        except PoisonEvent:
            return []
        behind = _filled(text, end)
        after = behind.start() if behind else len(text)
        number += text.count("\n", place, after)
        place = after
    return placed_objects


def _decoded(text: str) -> Json | None:
    try:
        return decode_json(text)
    except PoisonEvent:
        return None


def _reader_for(
    decoded: Sequence[tuple[int, Json]],
) -> tuple[str, Callable[[Sequence[tuple[int, Json]], TranscriptDraft], Transcript]]:
    for source, is_record, reader in _READERS:
        if any(isinstance(data, dict) and is_record(data) for _, data in decoded):
            return source, reader
    return "jsonl", read_message_lines


_Reader = Callable[[Sequence[tuple[int, Json]], TranscriptDraft], Transcript]

#: Programs whose files are known, by a record that only theirs have.
_READERS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool], _Reader], ...] = (
    ("codex", is_codex, read_codex),
    ("claude-code", is_claude_code, read_claude_code),
)
