"""Tailrace as an MCP server: what left a context, and the contexts themselves, for every program that speaks MCP.

Tenant and clearance belong to the server: whoever starts it decides what its callers see, and no argument of a call
changes that. Standard output belongs to the protocol; everything else goes to standard error.

Needs the extra `mcp`; only `streams/cli/mcp.py` imports it, when it is asked to.
"""

import errno
import importlib.metadata
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
import structlog
import uvicorn
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from tailrace.schemas.errors import ConfigError, Invalid, TailraceError
from tailrace.schemas.providers.tool import TOOLS
from tailrace.schemas.providers.tools import MCP, tool_definitions
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.message import Format
from tailrace.streams.settings.mcp import needed_token, token_of
from tailrace.streams.settings.settings import Settings
from tailrace.streams.tools.mcp_guard import McpGuard, is_loopback
from tailrace.streams.tools.thread_answers import CompactCall, ContextCall, ThreadAnswers
from tailrace.streams.tools.tool_calls import ToolAnswer, ToolCalls
from tailrace.streams.worker.http import listening_socket

log = structlog.get_logger("tailrace.mcp")

_Call = TypeVar("_Call", ContextCall, CompactCall)

#: Requests that are under way when the server is stopped get this long.
_SHUTDOWN_SECONDS: Final = 3
_MODELS_TOOLS: Final = frozenset(tool.name for tool in TOOLS)
_THREAD_TOOLS: Final = frozenset({"context", "compact"})
_READ_ONLY: Final = {"readOnlyHint": True, "openWorldHint": False}
#: What leaves a context can be read back, so nothing is destroyed.
_CHANGES: Final = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
_INSTRUCTIONS: Final = (
    "Conversations are kept inside their model's context window; what had to leave can be read back. "
    "read_artifact returns a "
    "text by its id, recall finds what was said, context returns a conversation ready to send to a model, "
    "compact makes it "
    "smaller now."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen; port 0 takes any."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTools:
    """The tools of one server, with the caller that it acts for."""

    calls: ToolCalls
    threads: ThreadAnswers
    caller: SecurityContext
    #: The conversation that a call means which names none.
    thread: str | None

    def listed(self) -> list[types.Tool]:
        """Return the tools as clients see them."""
        ours = (*tool_definitions(MCP), *_thread_tools(self.thread))
        return [types.Tool.model_validate(definition) for definition in ours]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Return the answer to a call; whatever can't be answered is one too."""
        if name in _MODELS_TOOLS:
            return await self.calls.reply(name, arguments, context=self.caller, thread=self.thread)
        try:
            return ToolAnswer(await self._thread_call(name, arguments))
        except TailraceError as error:
            tool = name if name in _THREAD_TOOLS else "unknown"
            log.warning("tool_call.refused", tool=tool, reason=type(error).__name__, tenant=self.caller.tenant)
            return ToolAnswer(f"This call can't be answered: {error}.", type(error).__name__)

    async def _thread_call(self, name: str, arguments: Mapping[str, Any]) -> str:
        # Models write null or nothing for what they leave out.
        values = {key: value for key, value in arguments.items() if value is not None and value != ""}
        named = values if self.thread is None else {"thread": self.thread, **values}
        match name:
            case "context":
                answer = await self.threads.context(_parsed(named, ContextCall), self.caller)
            case "compact":
                answer = await self.threads.compact(_parsed(named, CompactCall), self.caller)
            case _:
                names = ", ".join(tool.name for tool in self.listed())
                raise Invalid(f"there is no such tool. There are: {names}")
        return msgspec.json.encode(answer).decode()


def make_server(tools: McpTools) -> Server[Any]:
    """Return the server, ready to be run on any transport."""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.listed())

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        answer = await tools.call(params.name, params.arguments or {})
        text = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(content=[text], is_error=answer.refused is not None)

    return Server(
        "tailrace",
        version=importlib.metadata.version("tailrace"),
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve(
    settings: Settings, caller: SecurityContext, *, thread: str | None = None, address: Address | None = None
) -> None:
    """Serve until the client goes away, on standard input and output; with an address, over HTTP until a signal comes.

    Raises ConfigError where the address can't be had, or others can reach it and no token is set.
    """
    token = token_of(settings.mcp)
    if address is not None and token is None and not is_loopback(address.host):
        raise needed_token(address.host)
    async with ToolCalls(settings) as calls:
        server = make_server(McpTools(calls=calls, threads=ThreadAnswers(settings), caller=caller, thread=thread))
        if address is None:
            async with stdio_server() as (read_stream, write_stream):
                await server.run(read_stream, write_stream, server.create_initialization_options())
        else:
            await _serve_http(server, address, token)


async def _serve_http(server: Server[Any], address: Address, token: str | None) -> None:
    listener = _listener(address)
    port = listener.getsockname()[1]
    shown = f"[{address.host}]" if ":" in address.host else address.host
    log.info("mcp.listening", url=f"http://{shown}:{port}/mcp", token=token is not None)
    # The guard looks at every host and every path; the protocol's own check knows three names, and no token.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(transport_security=unchecked, stateless_http=True)
    guarded = McpGuard(app, host=address.host, token=token)
    config = uvicorn.Config(guarded, log_config=None, access_log=False, timeout_graceful_shutdown=_SHUTDOWN_SECONDS)
    await uvicorn.Server(config).serve(sockets=[listener])


def _listener(address: Address) -> socket.socket:
    try:
        return listening_socket(address.host, address.port)
    except OSError as error:
        taken = (
            "another port: this one is taken"
            if error.errno == errno.EADDRINUSE
            else f"an address of this machine ({error})"
        )
        raise ConfigError("--http", f"{address.host}:{address.port}", f"{taken}; port 0 takes any") from error


def _parsed(arguments: Mapping[str, Any], kind: type[_Call]) -> _Call:
    try:
        # Not strict: models write numbers as strings.
        return msgspec.convert(arguments, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(str(error)) from error


def _thread_tools(thread: str | None) -> tuple[dict[str, Any], ...]:
    """The tools about threads. The thread must be named unless the server has one of its own."""
    named = {"type": "string", "description": "The id of the conversation."}
    if thread is not None:
        named["description"] += f" Leave it out for {thread}."
    required = [] if thread is not None else ["thread"]
    formats = {"type": "string", "enum": [str(name) for name in Format], "description": "The API that it is for."}
    budget = {
        "type": "integer",
        "minimum": 1,
        "description": "What it is to come down to, in tokens; by default what the policy says. If it can't, "
        "`reason` says why.",
    }
    dry_run = {"type": "boolean", "description": "Only show what would be done."}
    reason = {"type": "string", "description": "Why; it stands in the audit trail."}
    return (
        {
            "name": "context",
            "description": "Return a conversation as it would be sent to a model now: inside the window, what "
            "left it replaced "
            "by summaries and pointers. `request` holds the arguments of the call.",
            "inputSchema": {"type": "object", "properties": {"thread": named, "format": formats}, "required": required},
            "annotations": _READ_ONLY,
        },
        {
            "name": "compact",
            "description": "Make the context of a conversation smaller now, and return what became of that. What "
            "leaves it can be "
            "read back. With dry_run nothing is changed: returns what would go, why, and the messages that would "
            "be left.",
            "inputSchema": {
                "type": "object",
                "properties": {"thread": named, "budget_tokens": budget, "dry_run": dry_run, "reason": reason},
                "required": required,
            },
            "annotations": _CHANGES,
        },
    )
