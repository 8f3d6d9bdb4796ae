"""The client over HTTP without a server.

What it imports, what it reads out of streams, and what it makes of problems.
"""

import subprocess
import sys

import httpx2
import msgspec
import pytest

from tailrace.schemas.api import examples, problem
from tailrace.schemas.api.problem import ProblemDocument
from tailrace.schemas.errors import ConfigError, Invalid, Refused, TailraceError, TooLarge, Unavailable
from tailrace.streams.http_client.client import HttpClient
from tailrace.streams.http_client.exchange import SseReader

REPLY = {
    **examples.CONTEXT,
    "format": "tailrace/1",
    "request": {"messages": [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]},
}


def test_it_imports_nothing_of_ours_but_the_schemas() -> None:
    code = (
        "import sys; from tailrace.streams import HttpClient, AsyncHttpClient; "
        "print('\\n'.join(name for name in sys.modules if name.startswith('tailrace.') or name in {'aiokafka', "
        "'faust', 'sqlite3', 'pydantic'}))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    allowed = ("tailrace.schemas", "tailrace.streams.http_client", "tailrace.streams.extras")

    names = [name for name in found.stdout.split() if name != "tailrace.streams"]
    assert "tailrace.streams.http_client.client" in names
    assert [name for name in names if not name.startswith(allowed)] == []


def test_a_stream_is_read_as_its_format_says() -> None:
    reader = SseReader()
    notice = msgspec.json.encode({**examples.NOTICE, "context": REPLY}).decode()
    half, rest = notice[: notice.index(",") + 1], notice[notice.index(",") + 1 :]
    lines = [": following", "", "id: 0:1", "", "id: 0:4", "event: context", f"data: {half}", f"data:{rest}", ""]

    (context,) = [context for line in lines for context in reader.take(line)]

    assert reader.last_event_id == "0:4"
    assert (context.thread, context.etag) == ("t1", examples.NOTICE["etag"])
    assert context.request()["messages"] == [{"role": "user", "content": "hi"}]
    assert [(item.id, item.kind, item.message.role) for item in context.entries] == [("0199-m1", "verbatim", "user")]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (problem.INVALID, Invalid),
        (problem.TOO_LARGE, TooLarge),
        (problem.CONFLICT, Refused),
        (problem.UNAUTHENTICATED, ConfigError),
        (problem.NOT_FOUND, Unavailable),
        (problem.DEADLINE, Unavailable),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_problem_is_an_error_that_says_what_to_do(kind: problem.ProblemKind, error: type[TailraceError]) -> None:
    document = ProblemDocument(type=kind.type, title=kind.title, status=kind.status, detail="what", remedy="do this")

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(kind.status, content=msgspec.json.encode(document))

    with (
        HttpClient(transport=httpx2.MockTransport(answer)) as client,
        pytest.raises(error, match="what; do this"),
    ):
        client.context("t1")


def test_a_server_that_can_not_answer_is_asked_again_with_the_same_ids() -> None:
    bodies = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        bodies.append(request.content)
        if len(bodies) < 3:
            return httpx2.Response(503, headers={"Retry-After": "0"})
        return httpx2.Response(201, content=msgspec.json.encode(examples.PUBLISHED))

    with HttpClient(transport=httpx2.MockTransport(answer)) as client:
        done = client.publish("t1", {"role": "user", "content": "hi"})

    assert done.offset == 41
    assert len(bodies) == 3
    assert len(set(bodies)) == 1


def test_an_answer_of_somebody_else_is_said_to_be_one() -> None:
    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(404, content=b"<html>nothing here</html>")

    with (
        HttpClient(transport=httpx2.MockTransport(answer)) as client,
        pytest.raises(Unavailable, match="answers 404 Not Found, without saying why"),
    ):
        client.context("t1")
