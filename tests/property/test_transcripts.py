"""Laws of transcripts: any file gives messages or is refused, and what it gives a thread can take."""

import json
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.gemini_strategies import gemini_messages
from support.responses_strategies import responses_messages
from support.strategies import anthropic_messages, json_values, objects, openai_messages, patient, texts

from tailrace.schemas.errors import Invalid
from tailrace.schemas.transcripts.read import read_transcript
from tailrace.schemas.transcripts.transcript import Transcript

_few = st.none() | st.sampled_from(["a", "b", "c", ""])
_flags = dict.fromkeys(["isSidechain", "isCompactSummary", "isMeta", "isApiErrorMessage"], st.booleans())

claude_code_records = objects(
    {
        "type": st.sampled_from(["user", "assistant", "attachment", "system", "summary", "new"]) | json_values,
        "sessionId": st.just("s"),
    },
    {
        "message": anthropic_messages | json_values,
        "attachment": objects({"type": st.just("queued_command") | json_values}, {"prompt": json_values}) | json_values,
        "uuid": _few,
        "parentUuid": _few | json_values,
        "logicalParentUuid": _few,
        "timestamp": texts,
        **_flags,
    },
)
codex_records = objects(
    {
        "type": st.sampled_from(["session_meta", "response_item", "event_msg", "turn_context", "compacted", "new"])
        | json_values,
        "payload": responses_messages
        | objects({"type": st.just("token_count")}, {"info": json_values})
        | objects({"type": st.just("thread_rolled_back")}, {"num_turns": st.integers() | json_values})
        | objects({"type": json_values}, {"role": json_values, "content": json_values})
        | json_values,
    },
    {"timestamp": texts},
)
messages = st.one_of(openai_messages, anthropic_messages, responses_messages, gemini_messages)


def as_lines(records: st.SearchStrategy[Any]) -> st.SearchStrategy[list[str]]:
    """Lines of these records, with some that are no JSON, or other JSON, among them."""
    return st.lists(st.one_of(records.map(json.dumps), json_values.map(json.dumps), texts), max_size=6)


files = st.one_of(
    as_lines(claude_code_records),
    as_lines(codex_records),
    as_lines(messages),
    st.lists(messages | json_values, max_size=4).map(lambda found: [json.dumps(found)]),
    objects({"messages": st.lists(messages, max_size=4)}, {"system": json_values}).map(
        lambda found: [json.dumps(found)]
    ),
)


def read(lines: list[str]) -> Transcript | None:
    try:
        return read_transcript(lines)
    except Invalid as refused:
        assert "no message could be read" in str(refused)  # noqa: PT017  any other error of ours fails here
        return None


@patient
@given(files)
def test_any_file_gives_messages_that_a_thread_can_take_or_is_refused(lines: list[str]) -> None:
    transcript = read(lines)
    if transcript is None:
        return
    ids = [found.id for found in transcript.messages]
    assert len(set(ids)) == len(ids)
    assert all(1 <= left_out.line <= len(lines) and left_out.why for left_out in transcript.skipped)
    waiting: Counter[str] = Counter()
    for found in transcript.messages:
        waiting.update(found.message.call_ids)
        waiting.subtract(found.message.answered_ids)
        assert all(count >= 0 for count in waiting.values())
