"""When chunks close, what they hold, and which requests they make."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from support.conversations import Published, small_engine

from tailrace.agents.engine.chunks import (
    Chunk,
    ChunkSizes,
    closed_chunk,
    content_hash,
    distill_request,
    summary_request,
)
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.work import SpanMessage, WorkKind

SIZES = ChunkSizes(tokens_min=400, tokens_max=800)
ROOMY = small_engine(Policy(window_tokens=1_000_000))


def message(role: str, words: int, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": "word " * words, **fields}


def chunks_of(messages: Sequence[dict[str, Any]], sizes: ChunkSizes = SIZES) -> tuple[list[Chunk], ThreadView]:
    """Chunks of a conversation that is looked at after every event, as a worker does."""
    partition = PartitionView()
    found: list[Chunk] = []
    first_group = 0
    for offset, one in enumerate(messages):
        body = {"id": f"m{offset}", **one}
        outcome = process(partition, Published(b"t", msgspec.json.encode(body)).at(offset), ROOMY)
        assert outcome.result == "appended"
        while chunk := closed_chunk(partition.threads["t"], first_group, sizes):
            found.append(chunk)
            first_group = chunk.next_group
    return found, partition.threads["t"]


def ids(chunk: Chunk) -> list[str]:
    return list(chunk.span.ids)


TURN = [message("user", 30), message("assistant", 200)]


def test_a_chunk_closes_where_the_next_turn_begins_and_there_is_enough() -> None:
    chunks, _ = chunks_of(TURN * 4)
    assert [ids(chunk) for chunk in chunks] == [["m0", "m1", "m2", "m3"]]
    assert chunks[0].next_group == 4
    assert SIZES.tokens_min <= chunks[0].tokens <= SIZES.tokens_max
    assert (chunks[0].span.first_turn, chunks[0].span.last_turn) == (1, 2)


def test_the_system_prompt_is_in_no_chunk() -> None:
    chunks, _ = chunks_of([message("system", 500), *TURN * 3])
    assert [ids(chunk) for chunk in chunks] == [["m1", "m2", "m3", "m4"]]


def call(number: int) -> dict[str, Any]:
    function = {"name": "cat", "arguments": "{}"}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
    }


def result(number: int, words: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": "word " * words}


def test_a_turn_that_grows_too_long_is_cut_between_two_groups() -> None:
    steps = [one for number in range(20) for one in (call(number), result(number, 80))]
    chunks, view = chunks_of([message("user", 30), *steps])
    assert len(chunks) >= 2
    for chunk in chunks:
        assert SIZES.tokens_min <= chunk.tokens <= SIZES.tokens_max
        made = {call_id for entry in chunk.entries for call_id in entry.calls}
        assert made == {call_id for entry in chunk.entries for call_id in entry.answers}
    together = [one for chunk in chunks for one in ids(chunk)]
    assert together == [entry.id for entry in view.live()][: len(together)]


def test_a_call_that_is_never_answered_is_in_no_chunk_and_holds_up_none() -> None:
    chunks, _ = chunks_of([message("user", 30), call(1), *TURN * 4])
    assert chunks
    assert all("m1" not in ids(chunk) for chunk in chunks)


def test_a_message_larger_than_a_chunk_is_one_by_itself() -> None:
    chunks, _ = chunks_of([message("user", 2_000), message("assistant", 5), message("assistant", 5)])
    assert [ids(chunk) for chunk in chunks] == [["m0"]]


def test_what_a_compaction_has_made_is_in_no_chunk() -> None:
    partition = PartitionView()
    small = small_engine(
        Policy(window_tokens=700, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    )
    for offset in range(30):
        body = {"id": f"m{offset}", **message("user" if offset % 2 == 0 else "assistant", 40)}
        process(partition, Published(b"t", msgspec.json.encode(body)).at(offset), small)
    view = partition.threads["t"]
    assert view.totals.compactions > 0
    chunk = closed_chunk(view, 0, ChunkSizes(tokens_min=100, tokens_max=300))
    assert chunk is None or all(entry.kind in ("verbatim", "distilled") for entry in chunk.entries)


def test_quiet_closes_what_is_there() -> None:
    _, view = chunks_of(TURN)
    assert closed_chunk(view, 0, SIZES) is None
    chunk = closed_chunk(view, 0, SIZES, quiet=True)
    assert chunk is not None
    assert ids(chunk) == ["m0", "m1"]
    assert closed_chunk(view, chunk.next_group, SIZES, quiet=True) is None


def test_quiet_closes_what_stands_before_a_call_that_nobody_has_answered() -> None:
    _, view = chunks_of([*TURN, call(1)])
    chunk = closed_chunk(view, 0, SIZES, quiet=True)
    assert chunk is not None
    assert ids(chunk) == ["m0", "m1"]


def test_quiet_leaves_open_what_is_hardly_worth_a_summary() -> None:
    _, view = chunks_of([message("user", 20), message("assistant", 40)])
    assert closed_chunk(view, 0, SIZES, quiet=True) is None


def test_a_request_holds_what_its_answer_depends_on_and_nothing_that_changes() -> None:
    (chunk,), _ = chunks_of(TURN * 4)
    one = summary_request(chunk, offset=9, policy_version="p", sizes=SIZES)
    assert one == summary_request(chunk, offset=9, policy_version="p", sizes=SIZES)
    assert (one.kind, one.thread, one.span.ids) == (WorkKind.SUMMARIZE, "t", chunk.span.ids)
    assert [each.id for each in one.messages] == ids(chunk)
    assert one.tokens == chunk.tokens
    assert one.tokens_max == int(chunk.tokens * 0.25)
    other = summary_request(chunk, offset=9, policy_version="q", sizes=SIZES)
    assert other.id != one.id
    assert other.content_hash == one.content_hash


def test_a_request_names_the_language_that_people_speak_where_words_tell() -> None:
    german = (
        "Wie hoch ist das Wasser, und ist die Pumpe mit dem Wehr von Hand zu fahren? Der Pegel wird nicht gelesen. "
    )
    said = [{"role": "user", "content": german * 3}, {"role": "assistant", "content": german * 20}]
    for messages, language in ((said * 3, "de"), (TURN * 4, None)):
        chunk = chunks_of(messages)[0][0]
        assert summary_request(chunk, offset=9, policy_version="p", sizes=SIZES).language == language


def test_the_hash_is_of_the_content_alone() -> None:
    (chunk,), _ = chunks_of(TURN * 4)
    messages = summary_request(chunk, offset=9, policy_version="p").messages
    renamed = [msgspec.structs.replace(one, id=f"x-{one.id}") for one in messages]
    assert content_hash(messages) == content_hash(renamed)
    assert content_hash(messages) != content_hash(messages[1:])
    assert content_hash(messages) != content_hash([*messages[1:], messages[0]])


@pytest.mark.parametrize("masked", [True, False])
def test_secrets_are_masked_before_anything_leaves(masked: bool) -> None:  # noqa: FBT001
    key = "AKIA" + "Z7QXW3ERT5YUI2OP"
    chunks, _ = chunks_of(
        [message("user", 30), {"role": "assistant", "content": f"aws_access_key_id={key} " + "word " * 500}, *TURN]
    )
    one = summary_request(chunks[0], offset=9, policy_version="p", masked=masked)
    assert (key in msgspec.json.encode(one).decode()) is not masked


def test_a_request_to_distil_names_the_artifact() -> None:
    _, view = chunks_of([message("user", 30), call(1), result(1, 50)])
    entry = msgspec.structs.replace(view.entries["m2"], artifact_id="abc", whole_tokens=5_000)
    one = distill_request(entry, offset=3, policy_version="p", tokens_max=300)
    assert (one.kind, one.artifact_id, one.tokens, one.span.ids) == (WorkKind.DISTILL, "abc", 5_000, ("m2",))
    other = distill_request(
        msgspec.structs.replace(entry, artifact_id="abd"), offset=3, policy_version="p", tokens_max=300
    )
    assert other.content_hash != one.content_hash


def test_by_program_is_part_of_the_content() -> None:
    (chunk,), _ = chunks_of(TURN * 4)
    messages: list[SpanMessage] = list(summary_request(chunk, offset=9, policy_version="p").messages)
    changed = [msgspec.structs.replace(messages[0], by_program=True), *messages[1:]]
    assert content_hash(changed) != content_hash(messages)
