"""What a client over HTTP sends and how it reads what comes back.

All of it but the waiting, which differs between sync and async.
"""

import uuid
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import httpx2
import msgspec
from msgspec import Struct

from tailrace.schemas.api.context import ContextNotice
from tailrace.schemas.api.departures import RecallReply
from tailrace.schemas.api.plans import CompactReply, CompactRequest
from tailrace.schemas.api.problem import ProblemDocument
from tailrace.schemas.api.publication import PublishedMessage, PublishReply
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import ConfigError, Invalid, PoisonEvent, Refused, TailraceError, TooLarge, Unavailable
from tailrace.schemas.providers.formats import write_context
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.http_client.context import HttpContext, context_in, context_of_reply

DEFAULT_URL: Final = "http://127.0.0.1:8700"
DEFAULT_SECONDS: Final = 30.0
#: Threads of which the newest message, or the newest context, is remembered.
_THREADS_MAX: Final = 1_000
_NOT_MODIFIED: Final = 304
_OK: Final = range(200, 300)
_decode_notice: Final = decoder(ContextNotice)
_decode_problem: Final = decoder(ProblemDocument)


class OutgoingRequest(Struct, frozen=True, kw_only=True):
    """A request as the HTTP library takes it. All of them may be repeated: messages have ids."""

    method: str
    path: str
    params: Mapping[str, Any] = {}
    content: bytes | None = None
    headers: Mapping[str, str] = {}


@dataclass(slots=True)
class _Remembered:
    """Something of each of the threads that were used last."""

    values: OrderedDict[str, Any] = field(default_factory=OrderedDict)

    def put(self, thread: str, value: Any) -> None:
        self.values[thread] = value
        self.values.move_to_end(thread)
        if len(self.values) > _THREADS_MAX:
            self.values.popitem(last=False)


class HttpExchange:
    """One client: what it has published and read, and the form of everything that it asks."""

    def __init__(self, token: str | None) -> None:
        """Take the token that goes with each request."""
        self.headers = {"Accept": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        self._newest = _Remembered()
        self._contexts = _Remembered()

    def publish(
        self, thread: str, messages: Sequence[Message | Mapping[str, Any]], options: Mapping[str, Any]
    ) -> OutgoingRequest:
        """Publish messages; each gets an id here, so that sending it again is no second message."""
        stated = {name: value for name, value in options.items() if value is not None}
        if "id" in stated and len(messages) != 1:
            raise Invalid("one id can't name several messages")
        return OutgoingRequest(
            method="POST",
            path=f"/v1/threads/{_escaped(thread)}/messages",
            content=_json([_envelope(message, stated) for message in messages]),
            headers={"Content-Type": "application/json"},
        )

    def published(self, response: httpx2.Response) -> tuple[PublishedMessage, ...]:
        """Where the messages stand."""
        done: PublishReply = _read(response, PublishReply)
        for message in done.published:
            self._newest.put(message.thread, message.id)
        return done.published

    def context(self, thread: str, covers: str | None, wait_ms: int | None) -> OutgoingRequest:
        """Ask for a context; one that includes what was published here, and that is not known already."""
        params: dict[str, Any] = {"format": str(Format.TAILRACE), "check": "false"}
        wanted = covers or self._newest.values.get(thread)
        if wanted is not None:
            params["covers"] = wanted
        if wait_ms is not None:
            params["wait_ms"] = wait_ms
        remembered: HttpContext | None = self._contexts.values.get(thread)
        headers = {"If-None-Match": remembered.etag} if remembered is not None else {}
        return OutgoingRequest(
            method="GET", path=f"/v1/threads/{_escaped(thread)}/context", params=params, headers=headers
        )

    def context_in(self, thread: str, response: httpx2.Response) -> HttpContext:
        """The context that was asked for."""
        remembered: HttpContext | None = self._contexts.values.get(thread)
        if response.status_code == _NOT_MODIFIED and remembered is not None:
            return remembered
        context = context_in(_body(response), response.headers.get("ETag", ""))
        self._contexts.put(thread, context)
        return context

    def compact(self, thread: str, wait_ms: int | None, overrides: Mapping[str, Any]) -> OutgoingRequest:
        """Ask for a compaction. Raises Invalid for overrides that there are not."""
        try:
            body = msgspec.convert(dict(overrides), CompactRequest)
        except msgspec.ValidationError as error:
            raise Invalid(f"compact: {error}") from error
        return OutgoingRequest(
            method="POST",
            path=f"/v1/threads/{_escaped(thread)}/compact",
            params={} if wait_ms is None else {"wait_ms": wait_ms},
            content=_json(body),
            headers={"Content-Type": "application/json"},
        )

    def compacted(self, response: httpx2.Response) -> CompactReply:
        """What became of it."""
        reply: CompactReply = _read(response, CompactReply)
        return reply

    def recall(self, query: str, thread: str | None, limit: int) -> OutgoingRequest:
        """Ask for passages."""
        params = {"query": query, "limit": limit, **({"thread": thread} if thread is not None else {})}
        return OutgoingRequest(method="GET", path="/v1/recall", params=params)

    def recalled(self, response: httpx2.Response) -> RecallReply:
        """Passages, and what nobody could be asked about."""
        reply: RecallReply = _read(response, RecallReply)
        return reply

    def follow(self, threads: Sequence[str], last_event_id: str) -> OutgoingRequest:
        """Ask for a stream of contexts."""
        headers = {"Accept": "text/event-stream"}
        if last_event_id:
            headers["Last-Event-ID"] = last_event_id
        params = {"thread": list(threads), "format": str(Format.TAILRACE)}
        return OutgoingRequest(method="GET", path="/v1/follow", params=params, headers=headers)


def arguments(outgoing: OutgoingRequest) -> dict[str, Any]:
    """The request as the HTTP library takes it."""
    return {
        "method": outgoing.method,
        "url": outgoing.path,
        "params": outgoing.params,
        "content": outgoing.content,
        "headers": outgoing.headers,
    }


class SseReader:
    """Makes contexts of the lines of a stream, and remembers where it has come to."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.last_event_id = ""
        self._id = ""
        self._data: list[str] = []

    def take(self, line: str) -> Iterator[HttpContext]:
        """Yield the context that is complete with this line, if one is."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            data, self._data = "\n".join(self._data), []
            self.last_event_id = self._id or self.last_event_id
            if data:
                notice = _decode_notice(data)
                if notice.context is not None:
                    yield context_of_reply(notice.context, notice.etag)


def check(response: httpx2.Response) -> None:
    """Raise the error that a problem document says. The response must have been read."""
    if response.status_code not in _OK and response.status_code != _NOT_MODIFIED:
        raise _error(response)


def _read(response: httpx2.Response, kind: Any) -> Any:
    return decoder(kind)(_body(response))


def _body(response: httpx2.Response) -> bytes:
    check(response)
    return bytes(response.content)


def _error(response: httpx2.Response) -> TailraceError:
    try:
        problem = _decode_problem(response.content)
        text = "; ".join(part for part in (problem.detail, problem.remedy) if part)
    except PoisonEvent:
        # Not ours: a proxy, or no Tailrace at all.
        text = f"{response.url.host} answers {response.status_code} {response.reason_phrase}, without saying why"
    match response.status_code:
        case 401 | 403:
            return ConfigError("token", "***", text)
        case 409:
            return Refused(text)
        case 413:
            return TooLarge(text)
        case 400 | 415 | 422:
            return Invalid(text)
        case _:
            return Unavailable(text)


def _envelope(message: Message | Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    named = {"id": uuid.uuid4().hex, **options}
    if isinstance(message, Message):
        named.pop("format", None)
        return {**named, "message": write_context([message], Format.TAILRACE)[0]}
    if not isinstance(message, Mapping):
        raise Invalid(f"the message must be a dict with a role, or a Message, got {type(message).__name__}")
    native = dict(message)
    if "id" in native and "id" not in options:
        named["id"] = native.pop("id")
    return {**named, "native": native}


def _json(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"the message can't be written as JSON: {error}") from error


def _plain(value: Any) -> Any:
    """What a kind of text or number of a library's own says."""
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value)
    raise NotImplementedError(f"{type(value).__name__} is no JSON")


def _escaped(thread: str) -> str:
    return quote(thread, safe="")
