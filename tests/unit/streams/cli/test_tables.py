"""Tables of threads and contexts: right numbers, and nothing in them that a message could smuggle in."""

import json

from rich.console import Console, RenderableType
from support.conversations import Published, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import BlobPart, TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.streams.cli.tables import (
    budget_bar,
    context_header,
    context_view,
    newest_first,
    thread_row,
    threads_table,
)
from tailrace.streams.library.preview import preview


def view_of(*values: bytes) -> ThreadView:
    partition = PartitionView()
    for offset, value in enumerate(values):
        process(partition, Published(b"t1", value).at(offset), small_engine())
    return partition.threads["t1"]


def shown(what: RenderableType) -> str:
    console = Console(width=200, no_color=True)
    with console.capture() as capture:
        console.print(what)
    return capture.get()


def test_a_row_tells_what_was_said_and_what_is_left() -> None:
    values = [b'{"role":"user","content":"%s"}' % (b"word " * 20) for _ in range(60)]
    view = view_of(*values)

    row = thread_row("t1", view)

    assert row.messages == 60
    assert row.messages_live == len(view.live())
    assert row.tokens < row.tokens_said
    assert row.compactions == view.totals.compactions > 0
    assert row.limit_tokens == 500
    assert row.thread in shown(threads_table([row]))


def test_no_more_is_in_a_context_than_was_said() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    waiting = json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}).encode()
    view = view_of(b'{"role":"user","content":"hi"}', waiting)

    row = thread_row("t1", view)

    # What a request says for the result that is not there, and the start of the reply, nobody said.
    assert row.tokens_in_context == row.tokens_said < row.tokens
    assert f"{row.tokens - row.tokens_in_context:,} of them around the messages" in shown(context_header(row))


def test_the_bar_is_as_full_as_the_context() -> None:
    bars = [budget_bar(tokens, 100).plain for tokens in (0, 50, 100, 250)]
    cells = len(bars[0].rstrip(" %0"))

    assert [bar.count("█") for bar in bars] == [0, cells // 2, cells, cells]
    assert [bar.count("█") + bar.count("░") for bar in bars] == [cells] * 4
    assert [bar.split()[-1].lstrip("█░") for bar in bars] == ["0%", "50%", "100%", "250%"]
    assert budget_bar(0, 0).plain.endswith("0%")


def test_what_was_published_is_neither_markup_nor_a_command_to_the_terminal() -> None:
    view = view_of(b'{"role":"user","content":"[red]x[/red] \\u001b[2J\\nsecond"}')

    text = shown(context_view("t1", view))

    assert "[red]x[/red] \\x1b[2J second" in text
    assert "\x1b" not in text


def test_a_context_that_is_too_long_for_the_screen_shows_its_last_messages() -> None:
    view = view_of(*[b'{"role":"user","content":"message %d"}' % number for number in range(10)])

    text = shown(context_view("t1", view, rows_max=3))

    assert "7 earlier ones" in text
    assert "message 6" not in text
    assert "message 7" in text
    assert "message 9" in text


def test_the_threads_come_first_in_which_something_was_said_last() -> None:
    old, new = view_of(b'{"role":"user","content":"x"}'), view_of(*[b'{"role":"user","content":"x"}'] * 3)

    assert [row.thread for row in newest_first([thread_row("a", old), thread_row("b", new)])] == ["b", "a"]


def test_a_preview_shows_what_kind_of_message_it_is() -> None:
    call = Message(role="assistant", parts=(ToolCallPart(id="1", name="ls", arguments={"path": "/"}),))
    answer = Message(
        role="tool", parts=(ToolCallResponsePart(id="1", response=[{"type": "text", "text": "bin\netc"}]),)
    )
    image = Message(
        role="user",
        parts=(TextPart(content="look:"), BlobPart(content="AAAA", modality="image", mime_type="image/png")),
    )

    assert preview(call) == '→ ls({"path":"/"})'
    assert preview(answer) == "← bin etc"
    assert preview(image) == "look:  [image image/png: not shown]"
    assert preview(Message(role="user")) == ""
    assert len(preview(Message(role="user", parts=(TextPart(content="x" * 100_000),)))) <= 500
