"""Messages as programs save them, bare or in an envelope of ours.

A file is one JSON document with all of them, or has one message on each line.

A document is an array, or an object as a request to a provider has it, with the system prompt beside the messages.
Where some messages show their format and others could be of any, all are read as the format that shows.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.fields import rest
from tailrace.schemas.ingest import event_in, is_envelope
from tailrace.schemas.providers.formats import read_among, shown_format
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.parts import Json
from tailrace.schemas.transcripts.draft import TranscriptDraft, milliseconds, text_or_none
from tailrace.schemas.transcripts.transcript import Transcript, TranscriptMessage

#: Shapes of documents by where they keep their messages: those in which the system prompt may stand beside them.
_SHAPES = {provider.list_key: provider for provider in PROVIDERS.values() if provider.system_keys}

#: Fields beside a message that say when it was made; no provider has them.
_TIMES = ("timestamp", "created_at")


def is_document(value: Json) -> bool:
    """Return whether the value is an array, or an object that holds an array of messages."""
    return isinstance(value, list) or (isinstance(value, dict) and _key_of(value) is not None)


def read_document(value: Json) -> Transcript:
    """Return the messages of a document. Its lines mean nothing, so what is skipped says its own place."""
    draft = TranscriptDraft("json")
    key = _key_of(value) if isinstance(value, dict) else None
    entries: list[Json] = _entries(value[key], _SHAPES[key]) if key else value
    model = text_or_none(value.get("model")) if key else None
    shown = _shown_in(entries)
    beside = _beside(value) if key else {}
    system = next((beside[name] for name in _SHAPES[key].system_keys if beside.get(name)), None) if key else None
    if key and system is not None:
        shown = _SHAPES[key].format
        _add(draft, 1, _SHAPES[key].bare_message("system", system), shown, f"{_SHAPES[key].system_keys[0]}: ")
    for index, entry in enumerate(entries):
        _add(draft, 1, entry, shown, f"{key or ''}[{index}]: ", model)
    tools = beside.get("tools")
    defined = tuple(tool for tool in tools if isinstance(tool, dict)) if isinstance(tools, list) else ()
    return replace(draft.finished(), tools=defined)


def _beside(request: dict[str, Any]) -> dict[str, Any]:
    """What stands beside the messages of a request; google-genai has it in `config`."""
    config = request.get("config")
    return {**config, **request} if isinstance(config, dict) else request


def _entries(held: Json, shape: Provider) -> list[Json]:
    """The messages of a request in their long form.

    One question may be a text, and one of Gemini's without a role is the user's.
    """
    if isinstance(held, str):
        return [shape.bare_message("user", held)]
    if not shape.is_role_optional:
        return list(held)
    return [
        {"role": "user", **rest(content, ("role",))}
        if isinstance(content, dict) and content.get("role") is None and "parts" in content
        else content
        for content in held
    ]


def read_message_lines(lines: Sequence[tuple[int, Json]], draft: TranscriptDraft) -> Transcript:
    """Return the messages of decoded lines, each with its number."""
    shown = _shown_in(data for _, data in lines)
    for number, data in lines:
        _add(draft, number, data, shown)
    return draft.finished()


def _shown_in(entries: Iterable[Json]) -> Format | None:
    return shown_format([entry for entry in entries if isinstance(entry, dict) and not is_envelope(entry)])


def _key_of(value: dict[str, Any]) -> str | None:
    # One question may be a text; without a model beside it that is no request.
    forms = (list, str) if "model" in value else (list,)
    return next((key for key in _SHAPES if isinstance(value.get(key), forms)), None)


def _add(
    draft: TranscriptDraft, line: int, entry: Json, shown: Format | None, where: str = "", model: str | None = None
) -> None:
    if not isinstance(entry, dict):
        draft.skip(line, f"{where}a message must be an object")
        return
    if is_envelope(entry):
        _add_event(draft, line, entry, where)
        return
    taken = {key for key in _TIMES if milliseconds(entry.get(key)) is not None}
    body = rest(entry, {"id", *taken} if "role" in entry else taken)
    try:
        message = read_among(body, shown)
    except PoisonEvent as error:
        draft.skip(line, f"{where}{error}")
        return
    transcript_message = TranscriptMessage(
        id=text_or_none(entry.get("id")) or f"message-{draft.count + 1}",
        message=message,
        created_at_ms=next((milliseconds(entry[key]) for key in taken), None),
        model=model if message.role == "assistant" else None,
    )
    draft.add(line, transcript_message)


def _add_event(draft: TranscriptDraft, line: int, envelope: dict[str, Any], where: str) -> None:
    """Take what was, or could be, published to the conversations topic.

    As a worker reads it, whichever thread it is of.
    """
    try:
        event = event_in(envelope, "file", default_id=f"message-{draft.count + 1}", created_at_ms=0)
    except PoisonEvent as error:
        draft.skip(line, f"{where}{error}")
        return
    if event.claim is not None:
        draft.skip(line, f"{where}only a claim to its content was published, which no file holds")
        return
    draft.add(
        line,
        TranscriptMessage(
            id=event.id,
            message=event.message,
            model=event.model,
            usage=event.usage,
            source=event.source,
            agent=event.agent,
            pinned=event.pinned,
        ),
    )
