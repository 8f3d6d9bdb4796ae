"""`read_artifact` and `recall` as a model calls them: answers it can act on, and nothing that it may not see."""

import logging
import sqlite3
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from tailrace.agents.artifacts.names import PARTS_TYPE, TEXT_TYPE
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.artifacts.open_store import SQLITE_FILE, open_store
from tailrace.streams.artifacts.reader import SCAN_BYTES_MAX
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.tools.tool_calls import ANSWER_CHARS_MAX, ToolCalls

OURS = SecurityContext(tenant="ours", clearance=Sensitivity.INTERNAL, actor="model")
THEIRS = SecurityContext(tenant="theirs", clearance=Sensitivity.INTERNAL)
LINES = "".join(f"sluice {number} holds {number * 3} cubic metres\n" for number in range(1, 1_001))


@pytest.fixture
def settings(bare_folder: Path) -> Settings:
    return load_settings(data_dir=bare_folder)


@pytest.fixture
async def calls(settings: Settings) -> AsyncIterator[ToolCalls]:
    async with ToolCalls(settings) as calls:
        yield calls


async def keep(settings: Settings, *artifacts: NewArtifact) -> None:
    store = await open_store(settings)
    await store.store(SecurityContext(tenant="ours"), artifacts)
    await store.close()


def text(name: str, content: str | Sequence[bytes], **fields: Any) -> NewArtifact:
    data = content.encode() if isinstance(content, str) else content
    return NewArtifact(id=name, media_type=TEXT_TYPE, content=data, created_at_ms=1, **fields)


def said(settings: Settings, *documents: RecallDocument) -> None:
    connection = sqlite3.connect(settings.data_dir / RECALL_FILE)
    RecallIndex(sqlite_utils.Database(connection)).add(documents)
    connection.commit()
    connection.close()


def message(name: str, content: str, **fields: Any) -> RecallDocument:
    usual = {"tenant": "ours", "thread": "t1", "kind": RecallKind.MESSAGE, "role": "tool", "tool": "gauge", "turn": 4}
    return RecallDocument(id=name, text=content, **{**usual, **fields})


async def read(calls: ToolCalls, context: SecurityContext = OURS, **arguments: str) -> str:
    return await calls.answer("read_artifact", arguments, context=context, thread="t1")


async def recall(calls: ToolCalls, context: SecurityContext = OURS, **arguments: str) -> str:
    return await calls.answer("recall", arguments, context=context, thread="t1")


async def test_an_artifact_is_read_from_its_first_line_and_says_what_comes_next(
    settings: Settings, calls: ToolCalls
) -> None:
    await keep(settings, text("a1", LINES))
    first = await read(calls, id="a1")
    assert first.startswith("[lines 1-1000 of 1000]\n1: sluice 1 holds 3 cubic metres\n")
    assert len(first) <= ANSWER_CHARS_MAX
    following = first.rpartition('read range "')[2].removesuffix('"]')
    second = await read(calls, id="a1", range=following)
    assert second.split("\n")[1].startswith(f"{following.partition('-')[0]}: sluice ")


async def test_lines_and_words_of_an_artifact_are_found(settings: Settings, calls: ToolCalls) -> None:
    await keep(settings, text("a1", LINES))
    assert (await read(calls, id="a1", range="500-501")).split("\n")[1:] == [
        "500: sluice 500 holds 1500 cubic metres",
        "501: sluice 501 holds 1503 cubic metres",
    ]
    assert "700> sluice 700 holds 2100" in await read(calls, id="a1", query="2100")
    both = await read(calls, id="a1", query="sluice 9", range="90-95")
    assert "90> sluice 90 holds" in both
    assert "9> sluice 9 holds" not in both.split("\n")


async def test_the_arguments_may_be_the_json_that_an_api_hands_over(settings: Settings, calls: ToolCalls) -> None:
    await keep(settings, text("a1", "one\ntwo"))
    answer = await calls.answer("read_artifact", '{"id": "a1", "range": "-1"}', context=OURS, thread=None)
    assert answer == "[lines 2-2 of 2]\n2: two"


async def test_parts_are_read_as_text_and_not_as_json(settings: Settings, calls: ToolCalls) -> None:
    parts = b'[{"type":"text","content":"first"},{"type":"text","content":"second"}]'
    await keep(settings, NewArtifact(id="p1", media_type=PARTS_TYPE, content=parts, created_at_ms=1))
    assert (await read(calls, id="p1")).endswith("1: first\n2: second")


async def test_a_text_without_line_feeds_can_be_read_to_its_end(settings: Settings, calls: ToolCalls) -> None:
    whole = ",".join(str(number) for number in range(20_000))
    await keep(settings, text("a1", whole))
    found, span = "", "1-"
    for _ in range(100):
        answer = await read(calls, id="a1", range=span)
        assert answer.startswith("[lines longer than 1,000 characters go on in the next line]")
        found += "".join(line.partition(": ")[2] for line in answer.split("\n") if not line.startswith("["))
        rest = answer.rpartition("\n")[2]
        if "left out" not in rest:
            break
        span = rest.rpartition('read range "')[2].removesuffix('"]')
    assert found == whole


async def test_an_artifact_of_50_mb_is_never_in_memory(settings: Settings, calls: ToolCalls) -> None:
    chunk = b"".join(b"line %04d of a long log, %b\n" % (number, b"x" * 950) for number in range(1_000))
    await keep(settings, text("big", [*[chunk] * 51, b"the very last line"]))
    tracemalloc.start()
    try:
        middle = await read(calls, id="big", range="30001-30002")
        end = await read(calls, id="big", range="-2")
        found = await read(calls, id="big", query="very last")
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [line[:28] for line in middle.split("\n")[2:]] == [
        "30001: line 0000 of a long l",
        "30002: line 0001 of a long l",
    ]
    assert "51001: the very last line" in end
    assert "51001> the very last line" in found
    assert peak_bytes < 10_000_000


async def test_what_one_answer_reads_is_bounded_and_said(settings: Settings, calls: ToolCalls) -> None:
    chunk = b"x" * 1_048_575 + b"\n"
    chunks = SCAN_BYTES_MAX // len(chunk)
    await keep(settings, text("huge", [*[chunk] * chunks, b"behind it"]))
    answer = await read(calls, id="huge", query="behind")
    assert f"the first {SCAN_BYTES_MAX:,} of them were read" in answer
    assert "what follows was not read" in answer
    assert "only" not in await read(calls, id="huge", range="1-1")


@pytest.mark.parametrize(
    ("context", "expected"),
    [(THEIRS, "There is nothing under the id 'a1'"), (OURS, "There is nothing under the id 'a1'")],
    ids=["another tenant's", "expired"],
)
async def test_what_is_gone_and_what_is_somebody_elses_are_the_same_sentence(
    settings: Settings, calls: ToolCalls, context: SecurityContext, expected: str
) -> None:
    await keep(settings, text("a1", "secret plans", expires_at_ms=2 if context is OURS else None))
    answer = await read(calls, context, id="a1")
    assert answer.startswith(expected)
    assert answer == (await read(calls, context, id="never")).replace("never'", "a1'")
    assert "secret" not in answer


@pytest.mark.parametrize("kept", ["artifact", "message"])
async def test_what_is_too_sensitive_is_refused_with_a_sentence_and_logged_without_content(
    settings: Settings, calls: ToolCalls, kept: str, caplog: pytest.LogCaptureFixture
) -> None:
    if kept == "artifact":
        await keep(settings, text("x1", "secret plans", sensitivity=Sensitivity.RESTRICTED))
    else:
        said(settings, message("x1", "secret plans", sensitivity=Sensitivity.RESTRICTED))
    with caplog.at_level(logging.WARNING):
        answer = await read(calls, id="x1", query="plans")
    assert answer == "This content is kept back: it is too sensitive to be shown here."
    (record,) = caplog.records
    logged = record.getMessage()
    for field in ("tool_call.refused", "forbidden", "read_artifact", "x1", "ours"):
        assert field in logged
    assert "plans" not in logged
    cleared = SecurityContext(tenant="ours", clearance=Sensitivity.RESTRICTED)
    assert "secret plans" in await read(calls, cleared, id="x1")


async def test_a_message_that_recall_names_is_read_by_its_id(settings: Settings, calls: ToolCalls) -> None:
    long = "\n".join(f"reading {number}: level {number % 7}" for number in range(500))
    said(settings, message("m1", long), message("m2", "theirs", tenant="theirs"))
    answer = await read(calls, id="m1", range="499-")
    assert answer == (
        "[message m1: thread t1, turn 4, tool gauge]\n[lines 499-500 of 500]\n499: reading 498: level 1\n"
        "500: reading 499: level 2"
    )
    assert (await read(calls, id="m2")).startswith("There is nothing under the id 'm2'")
    assert len(await read(calls, id="m1")) <= ANSWER_CHARS_MAX


async def test_of_two_messages_with_one_id_the_asking_threads_own_is_read(settings: Settings, calls: ToolCalls) -> None:
    said(
        settings,
        message("m1", "from here", created_at_ms=1),
        message("m1", "from elsewhere", thread="t2", created_at_ms=2),
    )
    assert "from here" in await read(calls, id="m1")
    other = await calls.answer("read_artifact", {"id": "m1"}, context=OURS, thread=None)
    assert "from elsewhere" in other


async def test_recall_shows_passages_with_ids_threads_and_turns(settings: Settings, calls: ToolCalls) -> None:
    said(
        settings,
        message("m1", "pump_7 failed at 04:12"),
        message("m2", "pump_7 runs again", thread="t2", role="user", tool=""),
        message("m3", "pump_7 of theirs", tenant="theirs"),
        message("m4", "pump_7 in confidence", sensitivity=Sensitivity.CONFIDENTIAL),
    )
    here = await recall(calls, query="pump_7")
    assert here == '[1. thread t1, turn 4, tool gauge; read_artifact("m1") returns all of it]\npump_7 failed at 04:12'
    there = await recall(calls, query="pump_7", thread="t2")
    assert there.startswith("[1. thread t2, turn 4, user; ")
    everywhere = await calls.answer("recall", {"query": "pump_7"}, context=OURS, thread=None)
    assert "failed at" in everywhere
    assert "runs again" in everywhere
    assert "theirs" not in everywhere
    assert "confidence" not in everywhere


async def test_recall_shows_nothing_of_an_artifact_that_is_gone(settings: Settings, calls: ToolCalls) -> None:
    passages = "\n".join(f"weir {number} is dry {'x' * 900}" for number in range(40))
    kept, gone = "a" * 16, "b" * 16
    said(
        settings,
        *(message(name, f"{name} {passages}", kind=RecallKind.ARTIFACT) for name in (kept, gone)),
        message("m1", "the weir is dry"),
    )
    await keep(
        settings, text(kept, passages, sensitivity=Sensitivity.RESTRICTED), text(gone, passages, expires_at_ms=1)
    )

    shown = await recall(calls, query="weir dry")
    assert kept in shown
    assert "m1" in shown
    assert gone not in shown
    assert "Nothing" in await recall(calls, query=gone)


async def test_recall_is_bounded_and_says_what_it_left_out(settings: Settings) -> None:
    said(settings, *(message(f"m{number}", f"valve {number} " + "shut " * 150) for number in range(6)))
    async with ToolCalls(settings, answer_chars_max=2_000) as calls:
        answer = await recall(calls, query="valve")
    assert len(answer) <= 2_000
    assert answer.endswith("[4 more left out: ask with other words]")


async def test_where_nothing_fits_recall_says_so(settings: Settings, calls: ToolCalls) -> None:
    said(settings, message("m1", "pump_7 failed"))
    assert await recall(calls, query="zeppelin") == (
        "Nothing in thread t1 fits. Try fewer words, or a name as it was written."
    )


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("write_artifact", "{}", "there is no tool 'write_artifact'"),
        ("read_artifact", "no json", "must be a JSON object"),
        ("read_artifact", "{}", "read_artifact needs id"),
        ("read_artifact", '{"id": "a", "range": "9-1"}', 'Write the smaller number first: "1-9"'),
        ("recall", '{"query": 3}', "must be a string"),
    ],
)
async def test_a_call_that_makes_no_sense_gets_a_sentence_that_helps(
    calls: ToolCalls, name: str, arguments: str, expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        reply = await calls.reply(name, arguments, context=OURS, thread="t1")
    assert expected in reply.text
    assert reply.refused == "invalid"
    assert "invalid" in caplog.records[0].getMessage()


async def test_before_a_worker_has_written_anything_nothing_is_made(settings: Settings, calls: ToolCalls) -> None:
    assert (await read(calls, id="a1")).startswith("There is nothing under the id 'a1'")
    assert await recall(calls, query="pump") == (
        "This can't be read at the moment. Go on without it, or try again later."
    )
    assert list(settings.data_dir.iterdir()) == []
    await keep(settings, text("a1", "here now"))
    assert "here now" in await read(calls, id="a1")


async def test_a_damaged_store_is_a_sentence_and_a_log_line(
    settings: Settings, calls: ToolCalls, caplog: pytest.LogCaptureFixture
) -> None:
    (settings.data_dir / SQLITE_FILE).write_text("this is no database, whatever its name says" * 50)
    with caplog.at_level(logging.WARNING):
        reply = await calls.reply("read_artifact", {"id": "a1"}, context=OURS, thread="t1")
    assert (reply.text.startswith("This can't be read at the moment"), reply.refused) == (True, "unavailable")
    assert "no SQLite file" in caplog.records[0].getMessage()


async def test_a_damaged_projection_is_not_taken_for_an_empty_one(settings: Settings, calls: ToolCalls) -> None:
    (settings.data_dir / RECALL_FILE).write_text("this is no database, whatever its name says" * 50)
    for name, arguments in (("read_artifact", {"id": "m1"}), ("recall", {"query": "pump"})):
        assert (await calls.reply(name, arguments, context=OURS, thread="t1")).refused == "unavailable"


def test_an_answer_needs_room_for_a_line(settings: Settings) -> None:
    with pytest.raises(ConfigError, match="answer_chars_max = 100"):
        ToolCalls(settings, answer_chars_max=100)
