"""Attachments in session files of Claude Code: what the program put beside the messages while the agent was at work.

What somebody typed meanwhile stands nowhere else, and is a message. The others, such as files that were mentioned, were
shown to the model in forms of the program's own: they are not read, and those that hold content are listed, once for
each kind.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tailrace.schemas.transcripts.draft import TranscriptDraft, text_or_none

_QUEUED = "queued_command"
#: How what a person typed was meant: for the model. In other modes the program has put its own words into the queue.
_TYPED = "prompt"
#: Where attachments hold what the model was shown; the others note only that something happened.
_HOLDERS = ("content", "snippet")


def queued_body(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the message that waited until the agent could take it, as Anthropic has it.

    None where the record holds none.
    """
    attachment = _attachment(data)
    if attachment.get("type") != _QUEUED:
        return None
    return {"role": "user", "content": attachment.get("prompt")}


def queued_by_program(data: Mapping[str, Any]) -> bool:
    """Tell whether a message that waited is one of the program's, such as that a task has ended."""
    attachment = _attachment(data)
    return attachment.get("commandMode", _TYPED) != _TYPED or bool(attachment.get("isMeta"))


def list_unread(records: Iterable[tuple[int, Mapping[str, Any]]], draft: TranscriptDraft) -> None:
    """Note which kinds of attachments with content are among these records, given with their lines, and how many."""
    kinds: dict[str, list[int]] = {}
    for line, data in records:
        attachment = _attachment(data)
        kind = text_or_none(attachment.get("type"))
        if kind is not None and kind != _QUEUED and any(attachment.get(key) for key in _HOLDERS):
            kinds.setdefault(kind, []).append(line)
    for kind, lines in kinds.items():
        draft.skip(lines[0], f"attachments of the type {kind!r} are not read ({len(lines):,} in all)")


def _attachment(data: Mapping[str, Any]) -> dict[str, Any]:
    attachment = data.get("attachment") if data.get("type") == "attachment" else None
    return attachment if isinstance(attachment, dict) else {}
