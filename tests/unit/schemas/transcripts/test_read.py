"""Transcripts: files of each kind give their conversation, and what is left out is listed with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.parts import CompactionPart, ReasoningPart, TextPart
from tailrace.schemas.transcripts.read import read_transcript
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE, Skipped, Transcript, TranscriptMessage

DATA = Path(__file__).parents[3] / "data" / "transcripts"


def read(name: str) -> Transcript:
    return read_transcript((DATA / name).read_text(encoding="utf-8").splitlines(keepends=True))


def read_lines(*records: Any) -> Transcript:
    return read_transcript([record if isinstance(record, str) else json.dumps(record) for record in records])


def outline(transcript: Transcript) -> list[tuple[str, str, list[str]]]:
    return [
        (found.id, found.message.role, [type(part).__name__.removesuffix("Part") for part in found.message.parts])
        for found in transcript.messages
    ]


def skipped(transcript: Transcript) -> list[tuple[int, str]]:
    return [(left_out.line, left_out.why) for left_out in transcript.skipped]


def sources(transcript: Transcript) -> list[str | None]:
    return [found.source for found in transcript.messages]


# Claude Code


def typed(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "sessionId": "s", "message": {"role": "user", "content": text}, **fields}


@pytest.mark.parametrize(
    ("record", "source"),
    [
        (typed("Caveat: what follows was not meant for you.", isMeta=True), PROGRAM_SOURCE),
        (typed("<command-name>/clear</command-name>\n<command-args></command-args>"), PROGRAM_SOURCE),
        (typed("<local-command-stdout>Set\nmodel</local-command-stdout>"), PROGRAM_SOURCE),
        (typed("<bash-input>ls</bash-input><bash-stdout>a\nb</bash-stdout>"), PROGRAM_SOURCE),
        (typed("<command-name>/fix</command-name><command-args>the pump</command-args>"), None),
        (typed("<system-reminder>todo</system-reminder> and fix the pump"), None),
        (typed("[Request interrupted by user for tool use]"), PROGRAM_SOURCE),
        (typed("[Request interrupted by user] go on with the pump"), None),
        (typed("what does <command-name> mean?"), None),
        (typed("<task-notification><task-id>b1</task-id></task-notification>"), PROGRAM_SOURCE),
        (typed("fix the pump"), None),
    ],
)
def test_what_claude_code_writes_in_its_user_s_name_has_a_source_of_its_own(
    record: dict[str, Any], source: str | None
) -> None:
    assert sources(read_lines(record)) == [source]


def test_a_result_is_no_word_of_the_program() -> None:
    assert set(sources(read("claude_code.jsonl"))) == {None}


def test_a_session_of_claude_code_is_the_branch_that_ends_with_the_last_line() -> None:
    transcript = read("claude_code.jsonl")
    assert transcript.source == "claude-code"
    assert outline(transcript) == [
        ("u2", "user", ["Text"]),
        ("msg_1", "assistant", ["Reasoning", "ToolCall", "ToolCall"]),
        ("u5", "user", ["ToolCallResponse"]),
        ("u7", "user", ["ToolCallResponse"]),
        ("msg_2", "assistant", ["Text"]),
        ("u13", "user", ["Text"]),
    ]
    assert {found.message.format for found in transcript.messages} == {Format.ANTHROPIC_MESSAGES}


def test_what_a_session_leaves_out_is_listed_with_its_line() -> None:
    found = skipped(read("claude_code.jsonl"))
    assert [line for line, _ in found] == [3, 9, 11, 13, 15, 17]
    assert found[0][1] == "is on a branch that was left"
    assert found[1][1].startswith("no JSON: ")
    assert found[2][1] == "belongs to the conversation of a subagent"
    assert found[3][1] == "was written by the program in the place of the model"
    assert found[4][1] == "sums up what stands before it"
    assert found[5][1].startswith("answers the call 'toolu_gone', which no message before it makes")


def test_an_answer_over_several_lines_has_the_usage_of_the_last_one_and_the_time_of_the_first() -> None:
    answer = read("claude_code.jsonl").messages[1]
    assert answer.model == "claude-opus-4-8"
    assert answer.usage == Usage(input_tokens=1105, output_tokens=40, cache_read_tokens=1000, cache_write_tokens=100)
    assert answer.created_at_ms == 1772359203000
    assert answer.message.parts[0] == ReasoningPart(content="Both at once.", extra={"signature": "c2ln"})
    assert answer.message.extra == {}


def record(uuid: str, parent: str | None, text: str, **fields: Any) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    return {"type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message, **fields}


def test_a_session_that_begins_with_a_summary_keeps_it_as_one() -> None:
    transcript = read_lines(record("a", None, "so far", isCompactSummary=True), record("b", "a", "go on"))
    assert [found.message.parts[0] for found in transcript.messages] == [
        CompactionPart(content="so far"),
        TextPart(content="go on"),
    ]
    assert transcript.skipped == ()


def test_a_file_of_a_subagent_alone_is_its_conversation() -> None:
    transcript = read_lines(record("a", None, "look", isSidechain=True), record("b", "a", "go on", isSidechain=True))
    assert [found.id for found in transcript.messages] == ["a", "b"]


def test_records_that_were_written_again_count_once() -> None:
    assert len(read_lines(record("a", None, "look"), record("b", "a", "on"), record("a", None, "look")).messages) == 2


def attached(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "attachment", "sessionId": "s", "attachment": {"type": kind, **fields}}


def queued(prompt: Any, **fields: Any) -> dict[str, Any]:
    return attached("queued_command", prompt=prompt, commandMode="prompt") | fields


@pytest.mark.parametrize("place", [{"uuid": "b", "parentUuid": "a"}, {}])
@pytest.mark.parametrize("prompt", ["Never touch prod.", [{"type": "text", "text": "Never touch prod."}]])
def test_what_was_typed_while_the_agent_worked_is_said_at_its_place(place: dict[str, str], prompt: Any) -> None:
    lines = [record("a", None, "build"), queued(prompt, **place), record("c", place.get("uuid", "a"), "go on")]
    transcript = read_lines(*lines)
    assert [found.message.parts for found in transcript.messages] == [
        (TextPart(content="build"),),
        (TextPart(content="Never touch prod."),),
        (TextPart(content="go on"),),
    ]
    assert set(sources(transcript)) == {None}
    assert transcript.skipped == ()


@pytest.mark.parametrize("fields", [{"commandMode": "task-notification"}, {"commandMode": "prompt", "isMeta": True}])
def test_what_the_program_queued_is_no_word_of_the_user(fields: dict[str, Any]) -> None:
    told = attached("queued_command", prompt="The build has ended.", **fields)
    assert sources(read_lines(record("a", None, "build"), told)) == [None, PROGRAM_SOURCE]


def test_what_was_typed_on_a_branch_that_was_left_or_holds_nothing_is_listed() -> None:
    transcript = read_lines(
        record("a", None, "build"),
        queued("no, stop", uuid="b", parentUuid="a"),
        queued(None),
        record("c", "a", "go on"),
    )
    assert [found.id for found in transcript.messages] == ["a", "c"]
    assert [line for line, _ in skipped(transcript)] == [2, 3]


def test_what_was_typed_for_a_subagent_is_part_of_its_own_file_alone() -> None:
    side = record("b", None, "look", isSidechain=True)
    assert len(read_lines(side, queued("here too")).messages) == 2
    transcript = read_lines(record("a", None, "build"), side, queued("here too", isSidechain=True))
    assert [found.id for found in transcript.messages] == ["a"]


def test_other_attachments_with_content_are_listed_once_for_each_kind_and_lead_on() -> None:
    transcript = read_lines(
        record("a", None, "read @notes.md"),
        attached("file", content={"type": "text", "file": {"content": "tide"}}) | {"uuid": "b", "parentUuid": "a"},
        attached("file", content={"type": "text", "file": {"content": "ebb"}}) | {"uuid": "c", "parentUuid": "b"},
        attached("hook_success", content="") | {"uuid": "d", "parentUuid": "c"},
        record("e", "d", "go on"),
    )
    assert [found.id for found in transcript.messages] == ["a", "e"]
    assert skipped(transcript) == [(2, "attachments of the type 'file' are not read (2 in all)")]


# Codex


def test_a_rollout_of_codex_is_its_response_items() -> None:
    transcript = read("codex.jsonl")
    assert transcript.source == "codex"
    assert outline(transcript) == [
        ("line-1", "system", ["Text"]),
        ("line-2", "developer", ["Text"]),
        ("line-4", "user", ["Text"]),
        ("rs_1", "assistant", ["Reasoning"]),
        ("fc_1", "assistant", ["ToolCall"]),
        ("line-10", "tool", ["ToolCallResponse"]),
        ("line-16", "assistant", ["Text"]),
    ]
    assert {found.message.format for found in transcript.messages} == {Format.OPENAI_RESPONSES}
    assert [found.model for found in transcript.messages if found.model] == ["gpt-5.2-codex"] * 3


@pytest.mark.parametrize(
    ("role", "text", "source"),
    [
        ("user", "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>", PROGRAM_SOURCE),
        ("user", "<user_instructions>use tabs</user_instructions>", PROGRAM_SOURCE),
        ("user", "<turn_aborted>by the user</turn_aborted>", PROGRAM_SOURCE),
        ("user", "explain <environment_context>", None),
        ("assistant", "<environment_context>x</environment_context>", None),
    ],
)
def test_what_codex_writes_in_its_user_s_name_has_a_source_of_its_own(role: str, text: str, source: str | None) -> None:
    item = {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}
    assert sources(read_lines({"type": "response_item", "payload": item})) == [source]


@pytest.mark.parametrize(
    ("text", "source", "pinned"),
    [
        ("<user_instructions>use tabs</user_instructions>", PROGRAM_SOURCE, True),
        ("# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>", PROGRAM_SOURCE, True),
        ("<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>", PROGRAM_SOURCE, False),
        ("use <INSTRUCTIONS>tabs</INSTRUCTIONS>", None, False),
    ],
)
def test_standing_instructions_that_codex_hands_on_are_nobody_s_turn_and_stay(
    text: str, source: str | None, *, pinned: bool
) -> None:
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    (found,) = read_lines({"type": "response_item", "payload": item}).messages
    assert (found.source, found.pinned) == (source, pinned)


def test_an_older_rollout_is_read_with_its_instructions() -> None:
    instructed = "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>"
    transcript = read_lines(
        {"id": "s1", "timestamp": "2025-06-01T10:00:00Z", "instructions": "be brief", "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": instructed}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "a"},
        {"type": "function_call_output", "call_id": "a", "output": "ok"},
        {"type": "state"},
    )
    assert transcript.source == "codex"
    assert [(found.message.role, found.source, found.pinned) for found in transcript.messages] == [
        ("system", None, False),
        ("user", PROGRAM_SOURCE, True),
        ("user", None, False),
        ("assistant", None, False),
        ("tool", None, False),
    ]
    assert [line for line, _ in skipped(transcript)] == [7]


def test_what_codex_counted_belongs_to_the_answer_before() -> None:
    usages = {found.id: found.usage for found in read("codex.jsonl").messages if found.usage}
    counted = Usage(input_tokens=900, output_tokens=40, cache_read_tokens=800, reasoning_tokens=20)
    assert usages == {"fc_1": counted}


def test_what_a_rollout_leaves_out_is_listed_with_its_line() -> None:
    found = skipped(read("codex.jsonl"))
    assert [line for line, _ in found] == [11, 13, 14, 15, 17, 18]
    assert found[0][1].startswith("answers the call 'call_0'")
    assert found[1][1].startswith("no JSON: ")
    assert found[2][1].startswith("message.call_id must be a non-empty string")
    assert found[3][1] == "sums up what stands before it"
    assert found[4][1] == "records of the type 'something_new' are not known"
    assert found[5][1] == "takes back turns, which are still in the transcript here"


def test_a_rollout_that_begins_with_a_summary_keeps_what_it_was_replaced_by() -> None:
    history = [{"type": "message", "role": "user", "content": "so far"}]
    begun = {"timestamp": "2026-03-01T10:00:00Z", "type": "compacted", "payload": {"message": "short"}}
    assert read_lines(begun).messages[0].message.parts == (CompactionPart(content="short"),)
    begun["payload"] = {"message": "short", "replacement_history": history}
    assert read_lines(begun).messages[0].message.parts == (TextPart(content="so far"),)


def item(role: str, text: str) -> dict[str, Any]:
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    return {"type": "response_item", "payload": {"type": "message", "role": role, "content": content}}


def session(text: str | None, **fields: Any) -> dict[str, Any]:
    return {"type": "session_meta", "payload": {"base_instructions": {"text": text} if text else None, **fields}}


def rolled_back(**fields: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": "thread_rolled_back", **fields}}


def said(transcript: Transcript) -> list[str]:
    return [part.content for found in transcript.messages for part in found.message.parts]


def test_a_fork_has_one_base_prompt_its_own_where_it_says_one() -> None:
    user = item("user", "look")
    assert said(read_lines(session("a fork"), session("a parent"), user)) == ["a fork", "look"]
    assert said(read_lines(session(None), session("a parent"), user)) == ["a parent", "look"]


ENVIRONMENT = "<environment_context>/srv</environment_context>"
TAKEN_BACK = [
    session("base"),
    item("user", "<user_instructions>use tabs</user_instructions>"),
    item("user", "one"),
    item("assistant", "first"),
    item("user", ENVIRONMENT),
    item("user", "two"),
    item("user", "<user_instructions>use spaces</user_instructions>"),
    item("assistant", "second"),
]


@pytest.mark.parametrize(
    ("turns", "left", "lines"),
    [
        (1, ["one", "first", ENVIRONMENT], [6, 8]),
        (2, [], [3, 4, 5, 6, 8]),
        (9, [], [3, 4, 5, 6, 8]),
    ],
)
def test_turns_that_were_taken_back_are_listed_and_what_holds_for_the_session_stays(
    turns: int, left: list[str], lines: list[int]
) -> None:
    transcript = read_lines(*TAKEN_BACK, rolled_back(num_turns=turns), item("user", "three"))
    kept = [text for text in said(transcript) if not text.startswith("<user_instructions>")]
    assert kept == ["base", *left, "three"]
    assert [found.pinned for found in transcript.messages].count(True) == 2
    assert skipped(transcript) == [(line, "is in a turn that was taken back") for line in lines]


def test_turns_are_taken_back_again_and_again() -> None:
    transcript = read_lines(*TAKEN_BACK, rolled_back(num_turns=1), rolled_back(num_turns=1), item("user", "three"))
    assert [found.message.role for found in transcript.messages if not found.pinned] == ["system", "user"]


@pytest.mark.parametrize("fields", [{}, {"num_turns": 0}, {"num_turns": True}, {"num_turns": "1"}, {"num_turns": -1}])
def test_where_nobody_knows_how_many_turns_were_taken_back_they_stay_and_it_is_said(fields: dict[str, Any]) -> None:
    transcript = read_lines(*TAKEN_BACK, rolled_back(**fields))
    assert len(transcript.messages) == len(TAKEN_BACK)
    assert skipped(transcript) == [(9, "takes back turns, which are still in the transcript here")]


# Messages as such


def test_lines_of_bare_messages_are_read_one_by_one() -> None:
    transcript = read("messages.jsonl")
    assert transcript.source == "jsonl"
    assert outline(transcript) == [
        ("m1", "system", ["Text"]),
        ("m2", "user", ["Text"]),
        ("m3", "assistant", ["ToolCall"]),
        ("m4", "tool", ["ToolCallResponse"]),
        ("m2-2", "assistant", ["Text"]),
    ]
    assert transcript.messages[0].created_at_ms == 1772359200000
    assert transcript.messages[0].message.extra == {}
    found = skipped(transcript)
    assert [line for line, _ in found] == [6, 7, 8]
    assert found[1][1].startswith("message.role must be one of system, developer, user, assistant, tool, function")


def test_envelopes_are_read_as_a_worker_reads_them() -> None:
    transcript = read_lines(
        {
            "id": "e1",
            "message": {"role": "user", "parts": [{"type": "text", "content": "Never dive here."}]},
            "pinned": True,
        },
        {"native": {"role": "assistant", "content": "Agreed."}, "model": "gpt-4o", "source": "rag", "agent": "diver"},
        {"role": "user", "content": "bare"},
        {"native": {"role": "nobody"}},
        {"id": "e1", "native": {"role": "user", "content": "long"}, "pinned": "yes"},
    )
    assert outline(transcript) == [
        ("e1", "user", ["Text"]),
        ("message-2", "assistant", ["Text"]),
        ("message-3", "user", ["Text"]),
    ]
    first, second, third = transcript.messages
    assert (first.pinned, second.pinned) == (True, False)
    assert (second.model, second.source, second.agent) == ("gpt-4o", "rag", "diver")
    assert third.message.format is Format.OPENAI_CHAT
    assert [line for line, _ in skipped(transcript)] == [4, 5]
    assert skipped(transcript)[1][1].startswith("envelope: ")


def test_a_request_to_anthropic_is_read_with_its_system_prompt() -> None:
    transcript = read("anthropic.json")
    assert transcript.source == "json"
    assert [found.message.role for found in transcript.messages] == ["system", "user", "assistant", "user", "assistant"]
    assert {found.message.format for found in transcript.messages} == {Format.ANTHROPIC_MESSAGES}
    assert [found.model for found in transcript.messages if found.model] == ["claude-opus-4-8"] * 2
    assert transcript.skipped == (Skipped(line=1, why="messages[3]: a message must be an object"),)


def test_an_array_of_messages_is_read() -> None:
    transcript = read("chat.json")
    assert [found.id for found in transcript.messages] == ["message-1", "message-2", "message-3"]
    assert {found.message.format for found in transcript.messages} == {Format.OPENAI_CHAT}
    assert transcript.skipped == ()


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"instructions": "be brief", "input": [{"role": "user", "content": "hi"}]}, Format.OPENAI_RESPONSES),
        (
            {"system_instruction": "be brief", "contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
            Format.GEMINI,
        ),
        (
            {"systemInstruction": {"parts": [{"text": "be brief"}]}, "contents": [{"role": "user", "parts": []}]},
            Format.GEMINI,
        ),
        ({"messages": [{"role": "system", "content": "x"}, {"role": "user", "content": "hi"}]}, Format.OPENAI_CHAT),
    ],
)
def test_requests_to_other_providers_are_read_too(document: dict[str, Any], expected: Format) -> None:
    transcript = read_lines(document)
    assert [(found.message.role, found.message.format) for found in transcript.messages] == [
        ("system", expected),
        ("user", expected),
    ]


@pytest.mark.parametrize(
    ("document", "texts"),
    [
        ({"contents": [{"parts": [{"text": "hi"}]}]}, ["hi"]),
        ({"model": "gpt-5", "instructions": "be brief", "input": "hi"}, ["be brief", "hi"]),
        ({"model": "gemini-3-pro", "config": {"system_instruction": "be brief"}, "contents": "hi"}, ["be brief", "hi"]),
        ({"config": {"systemInstruction": "be brief"}, "contents": [{"parts": [{"text": "hi"}]}]}, ["be brief", "hi"]),
    ],
)
def test_short_forms_of_requests_are_read(document: dict[str, Any], texts: list[str]) -> None:
    messages = [found.message for found in read_lines(document).messages]
    assert [part.content for message in messages for part in message.parts] == texts
    assert [message.role for message in messages] == ["system", "user"][-len(texts) :]


def test_definitions_of_tools_beside_the_messages_are_found() -> None:
    tool = {"name": "look", "input_schema": {"type": "object"}}
    talk = {"messages": [{"role": "user", "content": "hi"}], "tools": [tool, 5]}
    assert read_lines(talk).tools == (tool,)
    assert read_lines({"contents": [{"parts": [{"text": "hi"}]}], "config": {"tools": [tool]}}).tools == (tool,)


def test_a_text_under_input_without_a_model_is_no_request() -> None:
    with pytest.raises(Invalid):
        read_lines({"input": "hi", "output": "hello"})


def test_a_message_that_shows_no_format_is_read_as_the_others() -> None:
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]}
    transcript = read_lines({"role": "user", "content": "hi"}, use, {"role": "developer", "content": "x"})
    assert [found.message.format for found in transcript.messages] == [
        Format.ANTHROPIC_MESSAGES,
        Format.ANTHROPIC_MESSAGES,
        Format.OPENAI_CHAT,
    ]


@pytest.mark.parametrize(
    "lines", [[], ["", " "], ["hello", "world"], ["{}"], ["[]"], ['{"type": "summary"}', "[" * 9000]]
)
def test_a_file_in_which_nothing_could_be_read_is_refused_with_what_is_expected(lines: list[str]) -> None:
    with pytest.raises(
        Invalid, match=r"no message could be read\. A transcript is a JSON array of messages, an object"
    ):
        read_transcript(lines)


def test_a_message_without_anything_else_is_a_transcript_message() -> None:
    (found,) = read_lines('\ufeff{"role": "user", "content": "hi", "id": "\\u0000"}').messages
    assert found == TranscriptMessage(id="line-1", message=found.message)
    assert found.message.parts == (TextPart(content="hi"),)


HALF = '{"role": "assistant", "content": "a \\ud83d b"}'


def test_half_a_character_costs_that_character_and_not_the_line() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asks = {"role": "assistant", "content": None, "tool_calls": [call]}
    transcript = read_lines(asks, '{"role": "tool", "tool_call_id": "c1", "content": "cut \\ud83d"}', HALF)

    assert skipped(transcript) == []
    assert transcript.messages[2].message.parts == (TextPart(content="a \ufffd b"),)
    assert transcript == read_lines(
        asks,
        {"role": "tool", "tool_call_id": "c1", "content": "cut \ufffd"},
        {"role": "assistant", "content": "a \ufffd b"},
    )
    assert read_lines(f"[{HALF}]").messages[0].message.parts == (TextPart(content="a \ufffd b"),)


def test_one_message_over_several_lines_is_one_message() -> None:
    message = {"role": "user", "content": "hi", "own": {}}
    pretty = json.dumps(message, indent=2).splitlines()

    assert read_lines("", *pretty, "").messages == read_lines(message).messages
    assert skipped(read_lines(*pretty)) == []
    record = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
    assert read_lines(*json.dumps(record, indent=2).splitlines()).source == "claude-code"


def test_messages_over_several_lines_each_are_as_many_messages() -> None:
    messages = [
        {"role": "user", "content": "a \ud83d b"},
        {"role": "assistant", "content": "yes"},
        {"role": "wizard", "content": "?"},
    ]
    pretty = [line for message in messages for line in ["", *json.dumps(message, indent=2).splitlines()]]

    assert read_lines(*pretty).messages == read_lines(*messages).messages
    assert [line for line, _ in skipped(read_lines(*pretty))] == [12]
    with pytest.raises(Invalid, match="line 2: no JSON: it ends in the middle"):
        read_lines(*pretty[:-1])


def test_why_a_line_is_no_json_is_said_as_it_is() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    transcript = read_lines({"role": "user", "content": "hi"}, '{"role": "us', '{"content": "\udcff"}', deep)

    assert skipped(transcript) == [
        (2, "no JSON: it ends in the middle"),
        (3, "no JSON: it is not UTF-8"),
        (4, "no JSON: it is nested more than 256 levels deep"),
    ]


def test_a_type_that_is_no_text_costs_its_record_alone() -> None:
    said = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
    assert outline(read_lines({"type": ["x"], "message": {}}, said)) == [("u1", "user", ["Text"])]
    item = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "hi"}}
    rollout = read_lines(item, {"type": "response_item", "payload": {"type": ["x"]}})
    assert skipped(rollout) == [(2, "message.type must be a string, got a list")]
    assert len(rollout.messages) == 1
