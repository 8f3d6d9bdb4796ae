"""A server that speaks the APIs of OpenAI and Anthropic on the loopback, streaming and not, as their SDKs expect it.

It is strict: a request that the provider would refuse is answered with 400 and what is wrong. A script says what the
model answers; the server keeps every request, so a test can look at what would have reached the provider.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tailrace.schemas.providers.check import violations
from tailrace.schemas.records.message import Format

FORMATS = {
    "/v1/chat/completions": Format.OPENAI_CHAT,
    "/v1/responses": Format.OPENAI_RESPONSES,
    "/v1/messages": Format.ANTHROPIC_MESSAGES,
}


@dataclass(frozen=True, slots=True)
class Said:
    """What the model says: a text, calls of tools, or both."""

    text: str = ""
    #: Id, name and arguments.
    calls: Sequence[tuple[str, str, dict[str, Any]]] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.content)


Script = Callable[[Received], Said]


@dataclass(slots=True)
class Provider:
    """The server, and what it has received."""

    base_url: str
    script: Script
    received: list[Received] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    #: Requests of more characters than this are refused as too long.
    chars_max: int = 10**9
    #: The exact response to a request, before any script: status and body.
    raw: Callable[[Received], tuple[int, str, bytes] | None] = lambda _: None
    #: What is written to the connection in place of any response, piece by piece, before it is closed.
    wire: Callable[[Received], Iterable[bytes] | None] = lambda _: None


@contextmanager
def provider_server(script: Script) -> Iterator[Provider]:
    """Serve until the context is left."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_address[1]}", script)
    server.provider = provider  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._send(200, "application/json", json.dumps({"object": "list", "data": [{"id": "gpt-4o"}]}).encode())

    def do_POST(self) -> None:
        provider: Provider = self.server.provider  # type: ignore[attr-defined]
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, content)
        provider.received.append(received)
        if (wire := provider.wire(received)) is not None:
            self._break_off(wire)
            return
        if (raw := provider.raw(received)) is not None:
            self._send(*raw)
            return
        if len(content) > provider.chars_max:
            self._refuse("This model's maximum context length is exceeded: context_length_exceeded", received)
            return
        wrong = violations(_conversation(received.body), FORMATS[self.path])
        if wrong:
            self._refuse("; ".join(f"{one.path} {one.text}" for one in wrong), received)
            return
        said = provider.script(received)
        kind, answer = _ANSWERS[self.path](received.body, said, len(provider.received))
        self._send(200, kind, answer)

    def _break_off(self, wire: Iterable[bytes]) -> None:
        for piece in wire:
            self.wfile.write(piece)
            self.wfile.flush()
        self.close_connection = True

    def _refuse(self, text: str, received: Received) -> None:
        self.server.provider.refused.append(text)  # type: ignore[attr-defined]
        error = {"type": "invalid_request_error", "message": text, "code": "context_length_exceeded"}
        self._send(400, "application/json", json.dumps({"type": "error", "error": error}).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.send_header("x-request-id", f"req-{len(self.server.provider.received)}")  # type: ignore[attr-defined]
        self.end_headers()
        half = len(content) // 2
        for piece in (content[:half], content[half:]):
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        pass


def _conversation(body: dict[str, Any]) -> dict[str, Any]:
    given = body.get("input")
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    fields = {"messages": body.get("messages"), "system": body.get("system"), "input": given}
    return {name: value for name, value in fields.items() if value is not None}


def _chat(body: dict[str, Any], said: Said, number: int) -> tuple[str, bytes]:
    calls = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for call_id, name, arguments in said.calls
    ]
    usage = {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": 9, "total_tokens": 9}
    base = {"id": f"chatcmpl-{number}", "created": 1, "model": body["model"]}
    reason = "tool_calls" if calls else "stop"
    if not body.get("stream"):
        message = {"role": "assistant", "content": said.text or None, "refusal": None, "annotations": []}
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        whole = {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
        return "application/json", json.dumps(whole).encode()
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": said.text[start : start + 7]} for start in range(0, len(said.text), 7)]
    for index, call in enumerate(calls):
        arguments = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]})
        for start in range(0, len(arguments), 5):
            piece = {"index": index, "function": {"arguments": arguments[start : start + 5]}}
            deltas.append({"tool_calls": [piece]})
    chunks = [
        {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    chunks.append(
        {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    )
    if (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**base, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "text/event-stream", "".join([*lines, "data: [DONE]\n\n"]).encode()


def _responses(body: dict[str, Any], said: Said, number: int) -> tuple[str, bytes]:
    output: list[dict[str, Any]] = []
    if said.text:
        content = [{"type": "output_text", "text": said.text, "annotations": []}]
        output.append(
            {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": content}
        )
    output += [
        {
            "type": "function_call",
            "id": f"fc_{number}_{index}",
            "call_id": call_id,
            "name": name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        for index, (call_id, name, arguments) in enumerate(said.calls)
    ]
    tokens = len(json.dumps(body)) // 4
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 9,
    }
    whole = {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": body["model"],
        "output": output,
        "usage": usage,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": body.get("tools") or [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
    }
    if not body.get("stream"):
        return "application/json", json.dumps(whole).encode()
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    ]
    for index, item in enumerate(output):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": whole})
    lines = [
        f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': place})}\n\n"
        for place, event in enumerate(events)
    ]
    return "text/event-stream", "".join(lines).encode()


def _messages(body: dict[str, Any], said: Said, number: int) -> tuple[str, bytes]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    blocks += [
        {"type": "tool_use", "id": call_id, "name": name, "input": arguments} for call_id, name, arguments in said.calls
    ]
    usage = {
        "input_tokens": len(json.dumps(body)) // 4,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "output_tokens": 9,
    }
    reason = "tool_use" if said.calls else "end_turn"
    base = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"]}
    if not body.get("stream"):
        whole = {**base, "content": blocks, "stop_reason": reason, "stop_sequence": None, "usage": usage}
        return "application/json", json.dumps(whole).encode()
    start = {**base, "content": [], "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(blocks):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        if block["type"] == "text":
            pieces = [block["text"][place : place + 7] for place in range(0, len(block["text"]), 7)]
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
        else:
            text = json.dumps(block["input"])
            deltas = [
                {"type": "input_json_delta", "partial_json": text[place : place + 5]}
                for place in range(0, len(text), 5)
            ]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 9},
        }
    )
    events.append({"type": "message_stop"})
    lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return "text/event-stream", "".join(lines).encode()


_ANSWERS = {"/v1/chat/completions": _chat, "/v1/responses": _responses, "/v1/messages": _messages}
