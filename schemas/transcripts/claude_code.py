"""Session files of Claude Code: a tree of records, one on each line, with messages in Anthropic's form.

An answer of the model is spread over several lines that share its id; they become one message, where the first of them
stands. The conversation is the branch that ends with the last line; a parent that is not in the file is taken to be the
line before, because parents get lost. What was typed while the agent worked stands in an attachment. Records that say
nothing to the model are passed over; those of subagents, of branches that were left and of the program itself are
skipped and listed, and so are other attachments and a summary of what the file still has.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import CompactionPart, Json, TextPart
from tailrace.schemas.transcripts.claude_code_attachments import list_unread, queued_body, queued_by_program
from tailrace.schemas.transcripts.draft import TranscriptDraft, milliseconds, text_or_none, tokens_of
from tailrace.schemas.transcripts.program_words import written_by_program
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE, Transcript, TranscriptMessage

_SPOKEN = frozenset({"user", "assistant"})

#: What the program writes in the place of a model.
_SYNTHETIC = "<synthetic>"


class _Record(Struct, frozen=True, kw_only=True):
    line: int
    data: dict[str, Any]

    @property
    def uuid(self) -> str | None:
        return text_or_none(self.data.get("uuid"))

    @property
    def is_message(self) -> bool:
        return text_or_none(self.data.get("type")) in _SPOKEN

    @property
    def is_spoken(self) -> bool:
        return self.is_message or queued_body(self.data) is not None

    @property
    def is_side(self) -> bool:
        return bool(self.data.get("isSidechain"))

    @property
    def body(self) -> dict[str, Any]:
        body = queued_body(self.data) or self.data.get("message")
        return body if isinstance(body, dict) else {}

    @property
    def message_id(self) -> str | None:
        return text_or_none(self.body.get("id")) if self.data.get("type") == "assistant" else None

    def blocks(self, kind: str, key: str) -> set[str]:
        """Return what blocks of that type hold under that key."""
        content = self.body.get("content")
        blocks = content if isinstance(content, list) else []
        matching = [block.get(key) for block in blocks if isinstance(block, dict) and block.get("type") == kind]
        return {value for value in matching if isinstance(value, str)}


def is_claude_code(data: Mapping[str, Any]) -> bool:
    """Return whether a line is a record of a session file."""
    if isinstance(data.get("message"), dict) and text_or_none(data.get("type")) in _SPOKEN:
        return True
    return isinstance(data.get("sessionId"), str) or (data.get("type") == "summary" and "leafUuid" in data)


def read_claude_code(lines: Sequence[tuple[int, Json]], draft: TranscriptDraft) -> Transcript:
    """Return the conversation of a session file, given its decoded lines with their numbers."""
    records = _records(lines, draft)
    spoken = [record for record in records if record.is_spoken]
    # A subagent's own file holds nothing but its side of things; what was queued does not always say whose it is.
    speakers = [record for record in spoken if record.is_message] or spoken
    is_side = bool(speakers) and all(record.is_side for record in speakers)
    own = [record for record in records if bool(record.data.get("isSidechain", is_side)) == is_side]
    own_lines = {record.line for record in own}
    branch = _branch(own)
    answers: dict[str, list[_Record]] = {}
    groups_spoken: list[list[_Record]] = []
    for record in spoken:
        why = "belongs to the conversation of a subagent" if record.line not in own_lines else None
        why = why or _why_not(record, branch, begun=bool(groups_spoken))
        if why is not None:
            draft.skip(record.line, why)
        elif record.message_id in answers:
            answers[record.message_id].append(record)
        else:
            groups_spoken.append([record])
            if record.message_id is not None:
                answers[record.message_id] = groups_spoken[-1]
    for group in groups_spoken:
        _add(draft, group)
    list_unread([(record.line, record.data) for record in own if not _is_left(record, branch)], draft)
    return draft.finished()


def _records(lines: Sequence[tuple[int, Json]], draft: TranscriptDraft) -> list[_Record]:
    records: list[_Record] = []
    seen: set[str] = set()
    for number, data in lines:
        if not isinstance(data, dict):
            draft.skip(number, "a record must be an object")
            continue
        record = _Record(line=number, data=data)
        if record.uuid not in seen:  # a session that is compacted again may write what it holds once more
            records.append(record)
        if record.uuid is not None:
            seen.add(record.uuid)
    return records


def _branch(records: list[_Record]) -> set[int]:
    """Return the lines of the conversation that ends with the last line."""
    trunk = [record for record in records if record.uuid is not None]
    places = {record.uuid: place for place, record in enumerate(trunk)}
    kept: set[int] = set()
    place = len(trunk) - 1
    while place >= 0:
        record = trunk[place]
        kept.add(record.line)
        parent = record.data.get("parentUuid") or record.data.get("logicalParentUuid")
        if parent is None and not _is_joint(record):
            break
        # Parents come first. One that does not, or that got lost, is taken to be the record before.
        parent_place = places.get(parent) if isinstance(parent, str) else None
        place = parent_place if parent_place is not None and parent_place < place else place - 1
    return kept | _beside(trunk, kept)


def _is_joint(record: _Record) -> bool:
    # A compaction begins a new tree: what was compacted is behind it all the same.
    return record.data.get("subtype") == "compact_boundary" or bool(record.data.get("isCompactSummary"))


def _beside(trunk: list[_Record], kept: set[int]) -> set[int]:
    # Parallel calls and their results hang off the branch: whatever belongs to an answer on it is part of it.
    on_branch = [record for record in trunk if record.line in kept]
    message_ids = {record.message_id for record in on_branch} - {None}
    answers = [record for record in trunk if record.line in kept or record.message_id in message_ids]
    calls = {call_id for record in answers for call_id in record.blocks("tool_use", "id")}
    results = [record for record in trunk if record.blocks("tool_result", "tool_use_id") & calls]
    return {record.line for record in (*answers, *results)}


def _is_left(record: _Record, branch: set[int]) -> bool:
    return record.uuid is not None and record.line not in branch


def _why_not(record: _Record, branch: set[int], *, begun: bool) -> str | None:
    data = record.data
    if data.get("isApiErrorMessage") or record.body.get("model") == _SYNTHETIC:
        return "was written by the program in the place of the model"
    if _is_left(record, branch):
        return "is on a branch that was left"
    if data.get("isCompactSummary") and begun:
        return "sums up what stands before it"
    return None


def _add(draft: TranscriptDraft, group: list[_Record]) -> None:
    first, last = group[0], group[-1]
    try:
        message = _message(group)
    except PoisonEvent as error:
        draft.skip(first.line, str(error))
        return
    transcript_message = TranscriptMessage(
        id=first.message_id or first.uuid or f"line-{first.line}",
        message=message,
        created_at_ms=milliseconds(first.data.get("timestamp")),
        model=text_or_none(first.body.get("model")),
        usage=_usage(last.body.get("usage")),
        source=PROGRAM_SOURCE if _is_program(first, message) else None,
    )
    draft.add(first.line, transcript_message)


def _is_program(record: _Record, message: Message) -> bool:
    meta = bool(record.data.get("isMeta")) and message.role == "user" and not message.answered_ids
    return meta or queued_by_program(record.data) or written_by_program(message)


def _message(group: list[_Record]) -> Message:
    first = group[0]
    content = first.body.get("content")
    if len(group) > 1:
        content = [block for record in group for block in _blocks(record.body.get("content"))]
    message = read_native(Format.ANTHROPIC_MESSAGES, {"role": first.body.get("role"), "content": content})
    if not first.data.get("isCompactSummary"):
        return message
    text = "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
    return Message(role=message.role, parts=(CompactionPart(content=text),))


def _blocks(content: Json) -> list[Json]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _usage(counts: Json) -> Usage | None:
    if not isinstance(counts, dict):
        return None
    return Usage(
        input_tokens=tokens_of(counts, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
        output_tokens=tokens_of(counts, "output_tokens"),
        cache_read_tokens=tokens_of(counts, "cache_read_input_tokens"),
        cache_write_tokens=tokens_of(counts, "cache_creation_input_tokens"),
    )
