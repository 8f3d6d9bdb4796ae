"""The answers to `read_artifact` and `recall`: what a model gets when it asks for what left its context.

    async with ToolCalls(settings) as calls:
        caller = SecurityContext(tenant="default")
        text = await calls.answer("recall", '{"query": "proxy port"}', context=caller, thread="t1")

Whatever a model asks for, it gets a text that it can act on: what it may not see, what is gone and what it asked for in
the wrong way are sentences, never exceptions. Nothing is written, and no file is made.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from tailrace.schemas.errors import ArtifactForbidden, ArtifactMissing, ConfigError, Invalid, TailraceError
from tailrace.schemas.providers.tool import TOOLS
from tailrace.schemas.providers.tools import ReadArtifact, Recall, parse_call
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.recall import RecallHit
from tailrace.streams.artifacts.lazy_store import LazyStore
from tailrace.streams.artifacts.reader import page_of, read_artifact
from tailrace.streams.observability.client_log import client_log
from tailrace.streams.recall.artifact_passages import search_kept
from tailrace.streams.recall.reader import RecallReader, SaidMessage
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings

#: About 2,000 tokens: an answer must not fill the context again that it was moved out of.
ANSWER_CHARS_MAX: Final = 8_000
#: Room for the sentences of an answer and a line of the longest.
_ANSWER_CHARS_MIN: Final = 2_000
#: More passages are less likely to hold what was meant.
_PASSAGES_MAX: Final = 6
#: Room for the notes on passages that did not fit, and on what can't be found yet.
_NOTE_CHARS: Final = 150
_UNAVAILABLE: Final = "unavailable"
_NAMES: Final = frozenset(tool.name for tool in TOOLS)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a model is told, and whether that is a refusal."""

    text: str
    #: Why it got nothing, as it stands in the log; None where it did.
    refused: str | None = None


class ToolCalls:
    """Answers the tools of one installation. Use it with `async with`, from one event loop."""

    def __init__(self, settings: Settings, *, answer_chars_max: int = ANSWER_CHARS_MAX) -> None:
        """Take the settings; stores are opened when they are first needed, and those that are not there yet later."""
        if answer_chars_max < _ANSWER_CHARS_MIN:
            raise ConfigError("answer_chars_max", answer_chars_max, f"{_ANSWER_CHARS_MIN} characters or more")
        self._chars_max = answer_chars_max
        self._recall = RecallReader(settings.data_dir / RECALL_FILE)
        self._artifacts = LazyStore(settings)
        self._log = client_log("tailrace.tool_calls")

    async def __aenter__(self) -> Self:
        """Begin; nothing is opened yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the store."""
        await self._artifacts.__aexit__(kind, error, traceback)

    async def answer(
        self, name: str, arguments: str | Mapping[str, Any], *, context: SecurityContext, thread: str | None
    ) -> str:
        """Return the text for a model that called the tool `name`; at most `answer_chars_max` characters.

        `arguments` is an object or its JSON, as the API hands it over. `context` says on whose behalf it is asked, and
        `thread` from which conversation; with None, `recall` looks into all of the tenant's.
        """
        return (await self.reply(name, arguments, context=context, thread=thread)).text

    async def reply(
        self, name: str, arguments: str | Mapping[str, Any], *, context: SecurityContext, thread: str | None
    ) -> ToolAnswer:
        """Return the same, and whether it is a refusal: for protocols that tell the two apart."""
        call: ReadArtifact | Recall | None = None
        try:
            call = parse_call(name, arguments)
            if isinstance(call, Recall):
                return await self._recalled(call, context, thread)
            return await self._read(call, context, thread)
        except TailraceError as error:
            answer = _refusal(error)
            self._log.warning(
                "tool_call.refused",
                tool=name if name in _NAMES else "unknown",
                reason=answer.refused,
                error=str(error) if answer.refused == _UNAVAILABLE else None,
                tenant=context.tenant,
                actor=context.actor,
                thread=thread,
                artifact=call.id if isinstance(call, ReadArtifact) else None,
            )
            return answer

    async def _read(self, call: ReadArtifact, context: SecurityContext, thread: str | None) -> ToolAnswer:
        store = await self._artifacts.store()
        if store is not None:
            try:
                return ToolAnswer(await read_artifact(store, context, call, chars_max=self._chars_max))
            except ArtifactMissing:
                pass  # it may be a message, which recall names by its id
        message = await asyncio.to_thread(self._recall.message, call.id, tenant=context.tenant, thread=thread)
        if message is None:
            raise ArtifactMissing(call.id)
        if not context.may_see(message.sensitivity):
            raise ArtifactForbidden(call.id, sensitivity=message.sensitivity, clearance=context.clearance)
        head = f"[message {message.id}: {_origin(message)}]\n"
        return ToolAnswer(head + page_of(message.text, call, chars_max=self._chars_max - len(head)))

    async def _recalled(self, call: Recall, context: SecurityContext, thread: str | None) -> ToolAnswer:
        hits = await search_kept(
            self._recall,
            call.query,
            context=context,
            thread=call.thread or thread,
            limit=_PASSAGES_MAX,
            opened=self._artifacts.store,
        )
        lag_records = await asyncio.to_thread(self._recall.lag_records)
        text = _passages(hits, self._chars_max) if hits else _nothing(call, thread)
        return ToolAnswer(f"{text}\n\n{_behind(lag_records)}" if lag_records else text)


def _refusal(error: TailraceError) -> ToolAnswer:
    match error:
        case Invalid():
            return ToolAnswer(f"This call can't be answered: {error}.", "invalid")
        case ArtifactMissing():
            text = (
                f"There is nothing under the id {error.artifact_id!r}: it was never kept, has expired, was "
                f"deleted, or belongs "
                "to somebody else. Use recall to look for what it held."
            )
            return ToolAnswer(text, "missing")
        case ArtifactForbidden():
            return ToolAnswer("This content is kept back: it is too sensitive to be shown here.", "forbidden")
        case _:
            return ToolAnswer("This can't be read at the moment. Go on without it, or try again later.", _UNAVAILABLE)


def _passages(hits: Sequence[RecallHit], chars_max: int) -> str:
    """The hits, the best first, as many as there is room for: whole, but for the first."""
    left_chars = chars_max - _NOTE_CHARS
    shown: list[str] = []
    for place, hit in enumerate(hits, start=1):
        passage = f"[{place}. {_origin(hit)}; {_whole(hit)}]\n{hit.snippet.strip()}"
        if len(passage) + 2 > left_chars and shown:
            shown.append(f"[{len(hits) - place + 1} more left out: ask with other words]")
            break
        shown.append(passage[:left_chars])
        left_chars -= len(passage) + 2
    return "\n\n".join(shown)


def _behind(lag_records: int) -> str:
    return f"[the {lag_records:,} newest records can't be found yet]"


def _origin(document: RecallHit | SaidMessage) -> str:
    # Turns count from 1; a document that doesn't know its own has 0.
    turn = f"turn {document.turn}" if document.turn else ""
    by = " ".join(word for word in (document.role, document.tool) if word)
    return ", ".join(fact for fact in (f"thread {document.thread}", turn, by) if fact)


def _whole(hit: RecallHit) -> str:
    return f'read_artifact("{hit.id}") returns all of it'


def _nothing(call: Recall, thread: str | None) -> str:
    where = call.thread or thread
    looked = f"in thread {where}" if where else "anywhere"
    return f"Nothing {looked} fits. Try fewer words, or a name as it was written."
