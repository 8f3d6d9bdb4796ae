"""The conversation that a command reads: from a file or pipe in any format, or a thread as it is now."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation, MessageInput, conversation
from tailrace.agents.tokens.counts import count_tool_schemas
from tailrace.schemas.errors import Invalid, Unavailable
from tailrace.schemas.records.message import Format
from tailrace.schemas.transcripts.read import read_transcript
from tailrace.schemas.transcripts.transcript import Transcript
from tailrace.streams.cli.context import read_view
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import printable
from tailrace.streams.cli.packed_input import unpacked
from tailrace.streams.library.compact import format_of
from tailrace.streams.models.counters import counter_for
from tailrace.streams.settings.settings import Settings

STDIN: Final = "-"
#: More than this many skipped lines are counted, not listed.
_LISTED_MAX: Final = 10


@dataclass(frozen=True, slots=True)
class InputConversation:
    """A conversation with the name that it goes by, and the format that it came in."""

    title: str
    talk: Conversation
    format: Format
    #: What the definitions of tools cost that stood beside the messages.
    tool_tokens: int = 0
    #: Whether it is a live thread, which some worker has a policy for.
    is_thread: bool = False


def read_file(name: str, engine: Engine, model: str | None) -> InputConversation:
    """Return the conversation in a file; what is no message is said on standard error. Raises Invalid where none is.

    Without a model it is for the last one that the file names.
    """
    title = "standard input" if name == STDIN else Path(name).name
    transcript = _transcript(_bytes(name), title)
    inputs = [
        MessageInput(
            message.message,
            id=message.id,
            agent=message.agent,
            source=message.source,
            pinned=message.pinned,
            usage=message.usage,
            created_at_ms=message.created_at_ms or 0,
        )
        for message in transcript.messages
    ]
    named = [message.model for message in transcript.messages if message.model is not None]
    planned_for = model or (named[-1] if named else None)
    talk = conversation(inputs, engine, model=planned_for)
    problems = [f"line {skipped.line}: {skipped.why}" for skipped in transcript.skipped]
    _report(title, [*problems, *(f"message {refused.place + 1}: {refused.reason}" for refused in talk.refused)])
    tool_tokens = count_tool_schemas(transcript.tools, counter_for(planned_for)) if transcript.tools else 0
    if tool_tokens:
        what = f"{len(transcript.tools):,} definitions of tools, {tool_tokens:,} tokens"
        typer.echo(
            printable(f"beside the messages: {title}, {what}; they are counted, and left out of what is written"),
            err=True,
        )
    return InputConversation(title, talk, format_of([message.message for message in inputs]), tool_tokens)


def read_source(name: str, engine: Engine, settings: Settings, model: str | None) -> InputConversation:
    """Return the conversation in a file of this name; where there is none, the context of the thread of this name."""
    if name == STDIN or Path(name).is_file():
        return read_file(name, engine, model)
    try:
        view = run(read_view(settings, name, settings.client.context_wait_ms))
    except Unavailable as error:
        what = f"{name} is a folder" if Path(name).is_dir() else f"there is no file {name}"
        raise Unavailable(f"{what}, and as a thread: {error}") from error
    talk = Conversation(view, model=model or view.model)
    return InputConversation(name, talk, format_of(view.messages()), is_thread=True)


def _bytes(name: str) -> bytes:
    if name == STDIN:
        if sys.stdin is None or sys.stdin.isatty():  # None: it was closed before we began
            raise typer.BadParameter("nothing to read: name a file, or pipe a conversation in")
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"{name}: {error.strerror}") from None


def _transcript(data: bytes, title: str) -> Transcript:
    try:
        text = unpacked(data)
        if text.strip():
            # Only at line feeds: other separators may stand inside of a JSON string. A line that is no UTF-8 is
            # skipped.
            return read_transcript(text.decode("utf-8-sig", "surrogateescape").split("\n"))
    except Invalid as error:
        raise Invalid(f"{title}: {error}") from error
    raise Invalid(f"{title} is empty")


def _report(title: str, problems: list[str]) -> None:
    for problem in problems[:_LISTED_MAX]:
        typer.echo(printable(f"skipped: {title}, {problem}"), err=True)
    if len(problems) > _LISTED_MAX:
        typer.echo(f"skipped: {len(problems) - _LISTED_MAX} more", err=True)
