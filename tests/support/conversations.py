"""Conversations for tests: any list of moves becomes the records of one thread, as real producers would publish them.

A move says what happens next and leaves the details to the script, which knows what is open. So hypothesis can leave
out any move and the rest still makes sense, and a seeded random generator can make the same conversations.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from support.estimate import EstimatingCounter
from support.strategies import patient

from tailrace.agents.engine.engine import Engine
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.schemas.records.message import Message

#: For laws over whole conversations: PROPERTY_EXAMPLES=2000 for a thorough run.
laws = settings(patient, max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "35")), print_blob=True)

TOPIC = "tailrace.conversations"
THREAD = "thread"
#: Windows of the models that moves name; the default is between the two.
WINDOWS = {"small": 250, "large": 900}

_counter = EstimatingCounter()


def _count(message: Message, _model: str | None) -> int:
    return count_message(message, _counter)


def small_engine(policy: Policy | None = None) -> Engine:
    """An engine under which a conversation of a few dozen moves is compacted several times."""
    small = Policy(default_window_tokens=500, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    return Engine(policy=policy or small, count_tokens=_count, catalogue=lambda model: WINDOWS.get(model, 500))


@dataclass(frozen=True, slots=True)
class Move:
    """What happens next. `words` is the length of what is said, `pick` chooses among what there is to choose from."""

    kind: str
    words: int = 0
    pick: int = 0


@dataclass(frozen=True, slots=True)
class Published:
    """A record as a producer publishes it."""

    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()

    def at(self, offset: int, partition: int = 0) -> InputRecord:
        """The record at its place in the log."""
        return InputRecord(
            topic=TOPIC,
            partition=partition,
            offset=offset,
            timestamp_ms=1_700_000_000_000 + offset,
            key=self.key,
            value=self.value,
            headers=self.headers,
        )


@dataclass(slots=True)
class Script:
    """Writes the records of one thread, move by move."""

    thread: str = THREAD
    written: list[Published] = field(default_factory=list)
    #: Calls of each message that has any open, oldest first.
    open_calls: list[list[str]] = field(default_factory=list)
    #: Ids of the messages of each response that came in pieces.
    responses: list[list[str]] = field(default_factory=list)
    #: Calls that the provider is still at, what its program called last, and requests for approval that nobody has
    #: answered.
    server_calls: list[str] = field(default_factory=list)
    program_call: str = ""
    approvals: list[str] = field(default_factory=list)
    _ids: int = 0
    _calls: int = 0

    def play(self, move: Move) -> None:
        """Write what the move asks for; nothing where there is nothing to do."""
        _MOVES[move.kind](self, move)

    def envelope(self, move: Move, message: dict[str, Any], message_format: str | None = None, **fields: Any) -> None:
        """Write an envelope around a provider's message, or around one of our own where no format is given."""
        body = {"native": message, "format": message_format} if message_format else {"message": message}
        value = {"id": self.next_id(), **fields, **body}
        self.written.append(Published(self.thread.encode(), json.dumps(value).encode()))

    def respond(self, move: Move, pieces: Sequence[dict[str, Any]], message_format: str, calls: list[str]) -> None:
        """Write a message for each piece of one response, which makes these calls."""
        first = self._ids + 1
        for piece in pieces:
            self.envelope(move, piece, message_format)
        self.responses.append([f"{self.thread}-{number}" for number in range(first, self._ids + 1)])
        self.open_calls.append(calls)

    def next_id(self) -> str:
        self._ids += 1
        return f"{self.thread}-{self._ids}"

    def new_calls(self, count: int) -> list[str]:
        first = self._calls
        self._calls += count
        return [f"call-{number}" for number in range(first, self._calls)]

    def take_calls(self, pick: int, count: int) -> list[str]:
        """Take up to `count` open calls of one message."""
        if not self.open_calls:
            return []
        calls = self.open_calls[pick % len(self.open_calls)]
        taken, calls[:] = calls[:count], calls[count:]
        self.open_calls = [left for left in self.open_calls if left]
        return taken


def text(words: int) -> str:
    """Text of so many words."""
    return " ".join(f"word{number}" for number in range(words))


def _said(role: str, **fields: Any) -> Callable[[Script, Move], None]:
    def play(script: Script, move: Move) -> None:
        script.envelope(move, {"role": role, "content": text(move.words)}, "openai.chat", **fields)

    return play


def _bare(script: Script, move: Move) -> None:
    value = {"role": "user", "content": text(move.words), "id": script.next_id()}
    script.written.append(Published(script.thread.encode(), json.dumps(value).encode()))


def _without_id(script: Script, move: Move) -> None:
    value = {"role": "user", "content": text(move.words)}
    script.written.append(Published(script.thread.encode(), json.dumps(value).encode()))


def _cloud_event(script: Script, move: Move) -> None:
    headers = (
        ("ce_specversion", b"1.0"),
        ("ce_type", b"io.tailrace.message.v1"),
        ("ce_source", b"/test"),
        ("ce_id", script.next_id().encode()),
    )
    value = {"message": {"role": "user", "parts": [{"type": "text", "content": text(move.words)}]}}
    script.written.append(Published(script.thread.encode(), json.dumps(value).encode(), headers))


def _reasoning(script: Script, move: Move) -> None:
    script.envelope(move, {"role": "assistant", "parts": [{"type": "reasoning", "content": text(move.words)}]})


def _calls(**fields: Any) -> Callable[[Script, Move], None]:
    def play(script: Script, move: Move) -> None:
        calls = script.new_calls(move.pick % 3 + 1)
        functions = [
            {"id": call, "type": "function", "function": {"name": "look", "arguments": json.dumps({"at": text(2)})}}
            for call in calls
        ]
        message = {"role": "assistant", "content": None, "tool_calls": functions}
        script.envelope(move, message, "openai.chat", **fields)
        script.open_calls.append(calls)

    return play


def _same_call_again(script: Script, move: Move) -> None:
    """A model that numbers its calls from 0 in every message."""
    function = {"id": "call_0", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    script.envelope(move, {"role": "assistant", "content": None, "tool_calls": [function]}, "openai.chat")


def _answer_same_call(script: Script, move: Move) -> None:
    message = {"role": "tool", "tool_call_id": "call_0", "content": text(move.words)}
    script.envelope(move, message, "openai.chat")


def _anthropic_calls(script: Script, move: Move) -> None:
    calls = script.new_calls(move.pick % 3 + 1)
    blocks = [{"type": "tool_use", "id": call, "name": "look", "input": {"at": text(2)}} for call in calls]
    thinking = {"type": "thinking", "thinking": text(move.words), "signature": "s"}
    script.envelope(move, {"role": "assistant", "content": [thinking, *blocks]}, "anthropic.messages")
    script.open_calls.append(calls)


def _response_items(script: Script, move: Move) -> None:
    """Parallel calls as OpenAI's responses have them.

    Reasoning, what is said beside it, and each call are items of their own.
    """
    calls = script.new_calls(move.pick % 3 + 1)
    reasoning = {"type": "reasoning", "id": f"rs-{calls[0]}", "summary": [], "encrypted_content": text(move.words)}
    spoken = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text(move.words)}]}
    before = [*([reasoning] if move.words else []), *([spoken] if move.words and move.pick > 3 else [])]
    items = [
        {"type": "function_call", "id": f"fc-{call}", "call_id": call, "name": "look", "arguments": "{}"}
        for call in calls
    ]
    script.respond(move, [*before, *items], "openai.responses", calls)


def _split_calls(script: Script, move: Move) -> None:
    """Parallel calls in assistant messages in a row, as a runtime writes them that has a line for each block."""
    calls = script.new_calls(move.pick % 2 + 2)
    blocks = [[{"type": "tool_use", "id": call, "name": "look", "input": {"at": text(2)}}] for call in calls]
    if move.words and move.pick > 3:
        blocks.insert(1, [{"type": "text", "text": text(move.words)}])
    pieces = [{"role": "assistant", "content": content} for content in blocks]
    script.respond(move, pieces, "anthropic.messages", calls)


def _answer(script: Script, move: Move) -> None:
    for call in script.take_calls(move.pick, 1):
        message = {"role": "tool", "tool_call_id": call, "content": text(move.words)}
        script.envelope(move, message, "openai.chat")


def _anthropic_answer(script: Script, move: Move) -> None:
    calls = script.take_calls(move.pick, 3)
    if calls:
        results = [{"type": "tool_result", "tool_use_id": call, "content": text(move.words)} for call in calls]
        script.envelope(move, {"role": "user", "content": results}, "anthropic.messages")


def _anthropic_answer_with_words(script: Script, move: Move) -> None:
    """A person types while tools are at work: words and results travel in one message."""
    calls = script.take_calls(move.pick, move.pick % 3 + 1)
    if calls:
        results = [{"type": "tool_result", "tool_use_id": call, "content": text(move.words)} for call in calls]
        words = {"type": "text", "text": f"beside {text(move.pick)}"}
        script.envelope(move, {"role": "user", "content": [*results, words]}, "anthropic.messages")


def _picture(script: Script, move: Move) -> None:
    """Somebody shows something: the bytes are longer than any text here."""
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'iVBORw0KGgo' * 40}"}}
    content = [{"type": "text", "text": text(move.words)}, image]
    script.envelope(move, {"role": "user", "content": content}, "openai.chat")


def _reported(script: Script, move: Move) -> None:
    """An answer with its provider's own count, which may be far from ours."""
    usage = {"input_tokens": move.words * (move.pick + 1), "output_tokens": move.words}
    message = {"role": "assistant", "content": text(move.words)}
    script.envelope(move, message, "openai.chat", usage=usage, model=("small", "large")[move.pick % 2])


def _foreign_words(script: Script, move: Move) -> None:
    """Scripts, signs and controls beyond ASCII."""
    signs = ("größer", "水位", "\u202eflow", "\x00\x1b[0m", "👩\u200d🔧", "\u0301\u0301", "\ud83d")
    words = " ".join(signs[(number + move.pick) % len(signs)] for number in range(move.words))
    script.envelope(move, {"role": "user", "content": words}, "openai.chat")


def _paused(script: Script, move: Move) -> None:
    """A turn that pauses while a tool runs at the provider: its result begins the next message."""
    if script.server_calls:
        return
    (call,) = script.new_calls(1)
    use = {"type": "server_tool_use", "id": call, "name": "web_search", "input": {"query": text(move.pick)}}
    content = [{"type": "text", "text": f"so {text(move.words)}"}, use]
    script.envelope(move, {"role": "assistant", "content": content}, "anthropic.messages")
    script.server_calls.append(call)


def _program(script: Script, move: Move) -> None:
    """A program at the provider that calls a tool of ours, or goes on calling them."""
    begins = not script.server_calls
    calls = script.new_calls(2 if begins else 1)
    program = calls[0] if begins else script.server_calls[-1]
    use = {"type": "server_tool_use", "id": program, "name": "code_execution", "input": {"code": text(move.words)}}
    caller = {"type": "code_execution_20250825", "tool_id": program}
    called = {"type": "tool_use", "id": calls[-1], "name": "look", "input": {"at": text(2)}, "caller": caller}
    content = [use, called] if begins else [called]
    script.envelope(move, {"role": "assistant", "content": content}, "anthropic.messages")
    script.open_calls.append(calls[-1:])
    script.server_calls, script.program_call = [program], calls[-1]


def _server_result(script: Script, move: Move) -> None:
    # A program goes on once its calls have their results.
    if script.server_calls and not any(script.program_call in calls for calls in script.open_calls):
        call = script.server_calls.pop()
        found = [{"type": "web_search_result", "url": "https://x.org", "encrypted_content": text(move.words)}]
        result = {"type": "web_search_tool_result", "tool_use_id": call, "content": found}
        content = [result, {"type": "text", "text": f"found {text(move.pick)}"}]
        script.envelope(move, {"role": "assistant", "content": content}, "anthropic.messages")


def _approval_request(script: Script, move: Move) -> None:
    (call,) = script.new_calls(1)
    item = {"type": "mcp_approval_request", "id": call, "server_label": "shop", "name": "buy"}
    script.envelope(move, {**item, "arguments": json.dumps({"what": text(move.words)})}, "openai.responses")
    script.approvals.append(call)


def _approval(script: Script, move: Move) -> None:
    if script.approvals:
        call = script.approvals.pop(move.pick % len(script.approvals))
        item = {"type": "mcp_approval_response", "approval_request_id": call, "approve": move.pick > 1}
        script.envelope(move, item, "openai.responses")


def _stray_answer(script: Script, move: Move) -> None:
    message = {"role": "tool", "tool_call_id": "nobody-asked", "content": text(move.words)}
    script.envelope(move, message, "openai.chat")


def _repeat(script: Script, move: Move) -> None:
    """A producer that did not hear the acknowledgement sends again."""
    if script.written:
        script.written.append(script.written[-1 - move.pick % len(script.written)])


def _poison(script: Script, move: Move) -> None:
    values = (b"", b"no json", b"[]", b"\xff", b'{"role": 1}', None, b'{"message": 7}', b'{"id": "x"}')
    script.written.append(Published(script.thread.encode(), values[move.pick % len(values)]))


def _keyless(script: Script, move: Move) -> None:
    script.written.append(Published(None, b'{"role": "user", "content": "to nobody"}'))


_MOVES: dict[str, Callable[[Script, Move], None]] = {
    "user": _said("user"),
    "bare_user": _bare,
    "user_without_id": _without_id,
    "cloud_event": _cloud_event,
    "system": _said("system"),
    "pinned": _said("user", pinned=True),
    "assistant": _said("assistant"),
    "reasoning": _reasoning,
    "calls": _calls(),
    "anthropic_calls": _anthropic_calls,
    "response_items": _response_items,
    "split_calls": _split_calls,
    "answer": _answer,
    "anthropic_answer": _anthropic_answer,
    "anthropic_answer_with_words": _anthropic_answer_with_words,
    "grouped_user": _said("user", group="step"),
    "grouped_system": _said("system", group="step"),
    "grouped_assistant": _said("assistant", group="step"),
    "grouped_calls": _calls(group="step"),
    "same_call_again": _same_call_again,
    "answer_same_call": _answer_same_call,
    "small_model": _said("assistant", model="small"),
    "large_model": _said("assistant", model="large"),
    "picture": _picture,
    "paused": _paused,
    "program": _program,
    "server_result": _server_result,
    "approval_request": _approval_request,
    "approval": _approval,
    "reported": _reported,
    "foreign_words": _foreign_words,
    "by_program": _said("user", source="program"),
    "clock": _said("user", source="clock"),
    "found": _said("user", source="rag"),
    "prompt_of_program": _said("system", source="program"),
    "stray_answer": _stray_answer,
    "repeat": _repeat,
    "wrong_tenant": _said("user", tenant="somebody else"),
    "poison": _poison,
    "keyless": _keyless,
}

#: Models that call in parallel, a message for each piece, while results come in any order and windows change.
IN_PIECES = (
    "user",
    "assistant",
    "reasoning",
    "calls",
    "response_items",
    "split_calls",
    "grouped_calls",
    "answer",
    "anthropic_answer",
    "anthropic_answer_with_words",
    "small_model",
    "large_model",
)
#: Tools that run at the provider, and what they wait for.
AT_PROVIDER = (
    "user",
    "assistant",
    "reasoning",
    "paused",
    "program",
    "server_result",
    "approval_request",
    "approval",
    "answer",
    "anthropic_answer_with_words",
    "grouped_assistant",
    "small_model",
    "large_model",
)
#: What most producers do most of the time; the rest is rare, or goes wrong.
ORDERLY = tuple(_MOVES)[: tuple(_MOVES).index("picture")]
ALL = tuple(_MOVES)


def play(moves: Iterable[Move], thread: str = THREAD) -> list[Published]:
    """Records of a thread in which these moves are made."""
    script = Script(thread)
    for move in moves:
        script.play(move)
    return script.written


def moves(kinds: Sequence[str] = ALL) -> st.SearchStrategy[list[Move]]:
    """Strategy for lists of moves.

    Mostly long ones, because a law about compactions says nothing about five messages.
    """
    words = st.sampled_from((0, 3, 10, 30, 60)) | st.integers(0, 60)
    one = st.builds(Move, kind=st.sampled_from(kinds), words=words, pick=st.integers(0, 7))
    return (
        st.lists(one, max_size=10) | st.lists(one, min_size=20, max_size=40) | st.lists(one, min_size=30, max_size=40)
    )


def random_moves(chance: Random, count: int) -> list[Move]:
    """Moves of a mostly orderly conversation."""
    return [
        Move(
            kind=chance.choice(ORDERLY if chance.random() < 0.8 else ALL),
            words=chance.choice((0, 3, 10, 30, 60)),
            pick=chance.randrange(8),
        )
        for _ in range(count)
    ]
