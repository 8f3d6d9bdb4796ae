"""Rollout files of Codex: what was sent and received, one record on each line, with items of the Responses API.

Of the records, response items are the conversation; the others say which model was at work and what it counted. What
the program shows to its user says nothing new and is passed over. Turns that were taken back are skipped and listed,
and so is a summary of what the file still has; where the file begins with one, it stands for what came before. A fork
has the header of its parent behind its own. Older files have the items bare, behind a header.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import CompactionPart, Json
from tailrace.schemas.transcripts.draft import TranscriptDraft, milliseconds, text_or_none, tokens_of
from tailrace.schemas.transcripts.program_words import holds_instructions, written_by_program
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE, Transcript, TranscriptMessage

_RESPONSES = Format.OPENAI_RESPONSES

#: Items that are kept in the file alone: no model ever sees them.
_NOT_SENT = frozenset({"ghost_snapshot", "other"})


def is_codex(data: Mapping[str, Any]) -> bool:
    """Return whether a line is a record of a rollout file."""
    kind = data.get("type")
    return _is_old_header(data) or (
        isinstance(data.get("payload"), dict) and isinstance(kind, str) and kind in _READERS
    )


def _is_old_header(data: Mapping[str, Any]) -> bool:
    """Whether a line is the first of a rollout file as they were before records had payloads."""
    return {"id", "timestamp", "instructions"} <= data.keys() and data.keys().isdisjoint({"type", "role", "payload"})


def read_codex(lines: Sequence[tuple[int, Json]], draft: TranscriptDraft) -> Transcript:
    """Return the conversation of a rollout file, given its decoded lines with their numbers."""
    rollout = _Rollout(draft)
    for number, data in lines:
        payload = data.get("payload") if isinstance(data, dict) else None
        if isinstance(data, dict) and payload is None and rollout.read_old(number, data):
            continue
        if not isinstance(data, dict) or not isinstance(payload, dict):
            draft.skip(number, "a record must be an object with a payload")
            continue
        kind = data.get("type")
        reader = _READERS.get(kind) if isinstance(kind, str) else None
        if reader is None:
            draft.skip(number, f"records of the type {kind!r} are not known")
        else:
            reader(rollout, number, payload, milliseconds(data.get("timestamp")))
    return draft.finished()


class _Rollout:
    def __init__(self, draft: TranscriptDraft) -> None:
        self._draft = draft
        self._model: str | None = None
        self._is_instructed = False

    def read_old(self, number: int, data: dict[str, Any]) -> bool:
        """Take a line of the older form: the header, an item as it is, or a note of the program's state.

        False where it is none.
        """
        created_at_ms = milliseconds(data.get("timestamp"))
        if _is_old_header(data):
            self.read_session(number, data, created_at_ms)
        elif detect_format(data) is _RESPONSES:
            self.read_item(number, data, created_at_ms)
        else:
            return "record_type" in data
        return True

    def read_session(self, number: int, payload: dict[str, Any], created_at_ms: int | None) -> None:
        instructions = payload.get("base_instructions", payload.get("instructions"))
        if isinstance(instructions, dict):
            instructions = instructions.get("text")
        if isinstance(instructions, str) and instructions and not self._is_instructed:
            self._is_instructed = True
            self.read_item(number, {"role": "system", "content": instructions}, created_at_ms)

    def read_turn(self, _: int, payload: dict[str, Any], __: int | None) -> None:
        self._model = text_or_none(payload.get("model")) or self._model

    def read_item(self, number: int, payload: dict[str, Any], created_at_ms: int | None) -> None:
        if text_or_none(payload.get("type")) in _NOT_SENT:
            return
        try:
            message = read_native(_RESPONSES, payload)
        except PoisonEvent as error:
            self._draft.skip(number, str(error))
            return
        self._add(number, message, created_at_ms, text_or_none(payload.get("id")))

    def read_event(self, number: int, payload: dict[str, Any], _: int | None) -> None:
        kind = payload.get("type")
        if kind == "token_count":
            info = payload.get("info")
            counts = info.get("last_token_usage") if isinstance(info, dict) else None
            if isinstance(counts, dict):
                self._draft.note_usage(_usage(counts))
        elif kind == "thread_rolled_back":
            turns = payload.get("num_turns")
            if isinstance(turns, int) and turns > 0 and not isinstance(turns, bool):
                self._draft.take_back(turns, "is in a turn that was taken back")
            else:
                self._draft.skip(number, "takes back turns, which are still in the transcript here")

    def read_compacted(self, number: int, payload: dict[str, Any], created_at_ms: int | None) -> None:
        if self._draft.count:
            self._draft.skip(number, "sums up what stands before it")
            return
        history = payload.get("replacement_history")
        for item in history if isinstance(history, list) else []:
            if isinstance(item, dict):
                self.read_item(number, item, created_at_ms)
        summary = text_or_none(payload.get("message"))
        if summary and not self._draft.count:
            self._add(number, Message(role="user", parts=(CompactionPart(content=summary),)), created_at_ms, None)

    def _add(self, number: int, message: Message, created_at_ms: int | None, own_id: str | None) -> None:
        model = self._model if message.role == "assistant" else None
        by_program = written_by_program(message)
        transcript_message = TranscriptMessage(
            id=own_id or f"line-{number}",
            message=message,
            created_at_ms=created_at_ms,
            model=model,
            source=PROGRAM_SOURCE if by_program else None,
            pinned=by_program and holds_instructions(message),
        )
        self._draft.add(number, transcript_message)


def _usage(counts: dict[str, Any]) -> Usage:
    return Usage(
        input_tokens=tokens_of(counts, "input_tokens"),
        output_tokens=tokens_of(counts, "output_tokens"),
        cache_read_tokens=tokens_of(counts, "cached_input_tokens"),
        reasoning_tokens=tokens_of(counts, "reasoning_output_tokens"),
    )


_READERS = {
    "session_meta": _Rollout.read_session,
    "turn_context": _Rollout.read_turn,
    "response_item": _Rollout.read_item,
    "event_msg": _Rollout.read_event,
    "compacted": _Rollout.read_compacted,
}
