"""`tailrace mcp` with the official client: over standard input and output, and over HTTP.

Contexts are in tests/kafka.
"""

import asyncio
import json
import signal
import socket
import sqlite3
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from mcp import Client
from starlette.types import Receive, Scope, Send
from support.mcp_sessions import call, environment, over_http, over_stdio
from support.patience import LONG_SECONDS
from typer.testing import CliRunner

from tailrace.agents.artifacts.names import TEXT_TYPE
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.providers.tools import tool_definitions
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.cli import app
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.tools.mcp_guard import McpGuard
from tailrace.streams.tools.mcp_server import Address, McpTools, make_server, serve
from tailrace.streams.tools.thread_answers import ThreadAnswers
from tailrace.streams.tools.tool_calls import ToolCalls

#: Nobody listens there.
NO_BROKER = {"TAILRACE_BROKER": "127.0.0.1:1"}


@pytest.fixture
async def variables(bare_folder: Path) -> dict[str, str]:
    """Fill a data folder, and return the variables that name it."""
    settings = load_settings(data_dir=bare_folder)
    store = await open_store(settings)
    for name, tenant, sensitivity in (
        ("a1", "ours", Sensitivity.INTERNAL),
        ("a2", "ours", Sensitivity.CONFIDENTIAL),
        ("a3", "theirs", Sensitivity.INTERNAL),
    ):
        new = NewArtifact(
            id=name,
            media_type=TEXT_TYPE,
            content=f"log of {tenant}\nweir {name} is open\n".encode(),
            created_at_ms=1,
            sensitivity=sensitivity,
        )
        await store.store(SecurityContext(tenant=tenant), [new])
    await store.close()
    connection = sqlite3.connect(bare_folder / RECALL_FILE)
    RecallIndex(sqlite_utils.Database(connection)).add(
        [
            RecallDocument(
                tenant=tenant, thread=thread, id=name, kind=RecallKind.MESSAGE, text=f"{name}: pump_7 failed"
            )
            for tenant, thread, name in (("ours", "t1", "m1"), ("ours", "t2", "m2"), ("theirs", "t1", "m3"))
        ]
    )
    connection.commit()
    connection.close()
    return {"TAILRACE_DATA_DIR": str(bare_folder), **NO_BROKER}


@asynccontextmanager
async def in_process(tenant: str, clearance: Sensitivity) -> AsyncIterator[Client]:
    """Yield a client of a server in this process, for what no transport changes."""
    settings = load_settings(data_dir=Path.cwd())
    async with ToolCalls(settings) as calls:
        caller = SecurityContext(tenant=tenant, clearance=clearance)
        tools = McpTools(calls=calls, threads=ThreadAnswers(settings), caller=caller, thread=None)
        async with Client(make_server(tools)) as client:
            yield client


async def tools_work(client: Client) -> None:
    """Call what needs no broker on a server of tenant ours, thread t1."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == {"read_artifact", "recall", "context", "compact"}
    for definition in tool_definitions("mcp"):
        assert listed[definition["name"]].description == definition["description"]
        assert listed[definition["name"]].input_schema == definition["inputSchema"]
    read_only = {name for name, tool in listed.items() if tool.annotations and tool.annotations.read_only_hint}
    assert read_only == {"read_artifact", "recall", "context"}
    assert listed["context"].input_schema["required"] == []
    assert await call(client, "read_artifact", id="a1", range="2") == ("[lines 2-2 of 2]\n2: weir a1 is open", False)
    text, refused = await call(client, "recall", query="pump_7")
    assert "m1: pump_7 failed" in text
    assert "m2" not in text
    assert not refused
    text, refused = await call(client, "recall", query="pump_7", thread="t2")
    assert "m2: pump_7 failed" in text
    assert "m1: pump_7 failed" in (await call(client, "read_artifact", id="m1"))[0]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_standard_input_and_output(variables: dict[str, str], tmp_path: Path, mode: str) -> None:
    async with over_stdio(tmp_path, variables, "--tenant", "ours", "--thread", "t1", mode=mode) as client:
        assert client.server_info.name == "tailrace"
        await tools_work(client)


async def test_over_http(variables: dict[str, str], tmp_path: Path) -> None:
    async with over_http(tmp_path, variables, "--tenant", "ours", "--thread", "t1") as url:
        assert url.startswith("http://127.0.0.1:")
        async with Client(url) as client:
            await tools_work(client)
        async with Client(url) as first, Client(url) as second:
            answers = await asyncio.gather(
                *(call(one, "recall", query="pump_7") for one in (first, second) for _ in "12345")
            )
        assert len({text for text, _ in answers}) == 1


TOKEN = "0123456789abcdef-only-for-tests"  # noqa: S105


async def status(url: str, **headers: str) -> int:
    """Return how a server answers a ping that carries these headers."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    request = urllib.request.Request(url, data=body, headers={**usual, **headers})  # noqa: S310  our own server
    try:
        with await asyncio.to_thread(urllib.request.urlopen, request, None, LONG_SECONDS) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost"])
async def test_a_web_page_can_not_send_its_visitors_here(variables: dict[str, str], tmp_path: Path, host: str) -> None:
    async with over_http(tmp_path, variables, address=f"{host}:0") as url:
        port = url.rpartition(":")[2].partition("/")[0]
        assert await status(url) == 200
        assert await status(url, Host="localhost", Origin="http://localhost:3000") == 200
        assert await status(url, Host=f"LOCALHOST:{port}", Origin="https://127.0.0.1") == 200
        for origin in ("http://elsewhere.example", "http://127.0.0.1.elsewhere.example", "null", "", "file://"):
            assert await status(url, Origin=origin) == 403
        for name in ("elsewhere.example", f"elsewhere.example:{port}", f"localhost.elsewhere.example:{port}", "[", "ä"):
            assert await status(url, Host=name) == 421
        assert await status(url.removesuffix("/mcp") + "/elsewhere", Host="elsewhere.example") == 421
    assert '"mcp.refused"' in (tmp_path / "mcp.log").read_text(encoding="utf-8")


async def test_a_token_that_is_set_is_asked_for_and_never_logged(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    for setting in ({"TAILRACE_MCP__TOKEN": TOKEN}, {"TAILRACE_MCP__TOKEN_FILE": str(tmp_path / "token")}):
        async with over_http(tmp_path, {**variables, **setting}) as url:
            assert await status(url, Authorization=f"Bearer {TOKEN}") == 200
            assert await status(url, Authorization=f"bearer {TOKEN}") == 200
            for sent in ("", "Bearer ", "Bearer wrong", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}"):
                assert await status(url, Authorization=sent) == 401
            assert await status(url) == 401
        logged = (tmp_path / "mcp.log").read_text(encoding="utf-8")
        assert "mcp.refused" in logged
        assert TOKEN not in logged


async def test_on_a_host_that_others_reach_only_the_token_counts(tmp_path: Path) -> None:
    async def inner(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def answered(guard: McpGuard, **headers: str) -> int:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await guard({"type": "http", "headers": pairs}, asyncio.Queue[Any]().get, send)
        return int(sent[0]["status"])

    guard = McpGuard(inner, host="192.0.2.7", token=TOKEN)
    assert await answered(guard, Host="tailrace.example", Authorization=f"Bearer {TOKEN}") == 200
    assert await answered(guard, Host="192.0.2.7") == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "tailrace.example"])  # noqa: S104
@pytest.mark.usefixtures("variables")
def test_a_host_that_others_reach_is_refused_without_a_token(host: str) -> None:
    code, error = run("--http", f"[{host}]:0" if ":" in host else f"{host}:0")

    assert code == 2
    assert "mcp.token is missing" in error
    assert "TAILRACE_MCP__TOKEN" in error
    assert host in error


@pytest.mark.parametrize("token", ["short", "with spaces in between them", "x" * 15, "ä" * 20])
@pytest.mark.usefixtures("variables")
def test_a_token_that_is_none_is_refused_and_not_shown(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_MCP__TOKEN", token)
    code, error = run("--http", "0")

    assert code == 2
    assert "mcp.token = '***'" in error
    assert token not in error


async def test_tenant_and_clearance_are_the_servers(variables: dict[str, str], tmp_path: Path) -> None:
    async with over_stdio(tmp_path, variables, "--tenant", "ours") as client:
        assert (await call(client, "read_artifact", id="a2"))[1]
        text, refused = await call(client, "read_artifact", id="a3")
        assert text.startswith("There is nothing under the id 'a3'")
        assert refused
        for attempt in ({"tenant": "theirs"}, {"clearance": "restricted"}):
            text, refused = await call(client, "read_artifact", id="a3", **attempt)
            assert "has no argument" in text
            assert refused
    log = (tmp_path / "mcp.log").read_text()
    assert log.count("tool_call.refused") == 4
    assert "is open" not in log
    async with in_process("ours", Sensitivity.CONFIDENTIAL) as client:
        assert "weir a2 is open" in (await call(client, "read_artifact", id="a2"))[0]
    async with in_process("theirs", Sensitivity.INTERNAL) as client:
        assert "weir a3 is open" in (await call(client, "read_artifact", id="a3"))[0]
        text, _ = await call(client, "recall", query="pump_7")
        assert "m3" in text
        assert "m1" not in text


async def test_what_can_not_be_answered_is_an_answer_that_says_why(variables: dict[str, str], tmp_path: Path) -> None:
    async with over_stdio(tmp_path, variables, "--tenant", "ours") as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed["compact"].input_schema["required"] == ["thread"]
        for name, arguments, expected in (
            ("write_artifact", {}, "There are: read_artifact, recall, context, compact"),
            ("context", {}, "missing required field `thread`"),
            ("context", {"thread": "t1", "format": "smoke"}, "smoke"),
            ("compact", {"thread": "t1", "budget_tokens": 0}, "a positive number of tokens"),
            ("compact", {"thread": "t1", "tenant": "theirs"}, "unknown field `tenant`"),
            ("context", {"thread": "t1"}, "no Kafka broker"),
        ):
            text, refused = await call(client, name, **arguments)
            assert refused, name
            assert expected.casefold() in text.casefold()


async def test_an_interrupt_ends_it_even_while_it_waits_for_its_client(
    variables: dict[str, str], tmp_path: Path
) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tailrace.streams.cli", "mcp"),
        env=environment(**variables),
        cwd=tmp_path,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdin
    assert server.stdout
    try:
        async with asyncio.timeout(LONG_SECONDS):
            server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            assert json.loads(await server.stdout.readline())["id"] == 1
            server.send_signal(signal.SIGINT)
            assert await server.wait() == -signal.SIGINT
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["mcp", *words])
    return result.exit_code, result.stderr


@pytest.mark.usefixtures("variables")
def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "tailrace.streams.tools.mcp_server", raising=False)
    code, error = run()
    assert code == 2
    assert error == ("error: this needs the package mcp, which is not installed. Run: pip install 'tailrace[mcp]'\n")


@pytest.mark.parametrize("address", ["", "here", "127.0.0.1", "127.0.0.1:x", "99999", "a b:80"])
@pytest.mark.usefixtures("variables")
def test_an_address_that_is_none_is_refused_with_an_example(address: str) -> None:
    code, error = run("--http", address)
    assert code == 2
    assert "8765" in error


@pytest.mark.usefixtures("variables")
async def test_a_port_that_is_taken_is_refused_by_its_name(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"--http = '127.0.0.1:{port}' .* another port: this one is taken"):
            await serve(
                load_settings(data_dir=tmp_path),
                SecurityContext(tenant="ours"),
                address=Address(host="127.0.0.1", port=port),
            )
