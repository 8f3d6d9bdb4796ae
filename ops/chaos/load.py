"""Seeded conversations to dance with: tool calls, parallel ones, late results and missing ones, duplicates, poison, and signals of every kind."""

import json
import random
from dataclasses import dataclass, field

from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE
from tailrace.schemas.records.signal import (
    Announce,
    AnySignal,
    CallEnded,
    CallStarted,
    Compact,
    Overflow,
    SubagentFinished,
    SwitchModel,
    Tick,
    signal_to_json,
)

#: Models that threads switch between, and their windows.
WINDOWS = {"weir-small": 1_600, "weir-large": 2_000}
WORDS = (
    "river",
    "gate",
    "level",
    "turbine",
    "spill",
    "intake",
    "pressure",
    "valve",
    "night",
    "shift",
    "log",
    "sensor",
    "flow",
    "weir",
    "channel",
)


@dataclass(frozen=True, slots=True)
class Load:
    """One record to publish."""

    thread: str
    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(slots=True)
class _Thread:
    name: str
    said: int = 0
    signals: int = 0
    open_calls: list[str] = field(default_factory=list)
    sent_ids: list[str] = field(default_factory=list)


def conversations(*, events: int, threads: int, seed: int) -> list[Load]:
    """`events` records over `threads` threads, interleaved; the same seed gives the same list. Some end with a call that never ends."""
    chance = random.Random(seed)
    pool = [_Thread(f"dance-{number:04d}") for number in range(threads)]
    stuck = pool[: threads // 10]
    return [
        *(_next(chance.choice(pool), chance) for _ in range(events - len(stuck))),
        *(_signal(thread, CallStarted(call="never ends"), chance) for thread in stuck),
    ]


def _next(thread: _Thread, chance: random.Random) -> Load:
    roll = chance.random()
    if roll < 0.01:
        return Load(thread.name, b"\xff not json at all")
    if roll < 0.02 and thread.sent_ids:
        return _load(thread, _text("user", "sent twice"), chance.choice(thread.sent_ids))
    if roll < 0.12:
        return _signal(thread, _what(chance), chance)
    return _load(thread, _message(thread, chance, roll))


def _message(thread: _Thread, chance: random.Random, roll: float) -> dict[str, object]:
    if thread.said == 0:
        return _text("system", "You watch over the weir. " + _words(chance, 20))
    if thread.open_calls and roll < 0.7:
        call_id = thread.open_calls.pop(0)
        if chance.random() < 0.9:  # the others are never answered
            return _result(call_id, _words(chance, chance.randrange(5, 120)))
    if roll < 0.35:
        return _text("user", _words(chance, chance.randrange(3, 40)))
    if roll < 0.6:
        return _calls(thread, chance)
    return _text("assistant", _words(chance, chance.randrange(3, 60)))


def _load(thread: _Thread, message: dict[str, object], event_id: str | None = None) -> Load:
    thread.said += 1
    new_id = event_id or f"{thread.name}-{thread.said}"
    thread.sent_ids.append(new_id)
    headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", new_id.encode()),
        ("ce_source", b"/dance"),
        ("ce_type", b"io.tailrace.message.v1"),
    )
    return Load(thread.name, json.dumps(message).encode(), headers)


def _signal(thread: _Thread, what: AnySignal, chance: random.Random) -> Load:
    thread.signals += 1
    # Now and then with the id of the one before.
    name = f"{thread.name}-s{thread.signals - (chance.random() < 0.05)}"
    headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", name.encode()),
        ("ce_source", b"/dance"),
        ("ce_type", SIGNAL_TYPE.encode()),
    )
    tenant = DEFAULT_TENANT if chance.random() < 0.97 else "somebody else"
    return Load(thread.name, json.dumps(signal_to_json(what, tenant)).encode(), headers)


def _what(chance: random.Random) -> AnySignal:
    call = chance.choice(("call-a", "call-b"))
    return chance.choice(
        (
            Compact(target_fraction=0.4, reason="the dance asks for it"),
            Announce(tokens=chance.choice((50, 600, 5_000))),
            CallStarted(call=call, timeout_ms=chance.choice((200, 1_000))),
            CallStarted(call=call),
            CallEnded(call=call),
            Overflow(window_tokens=chance.choice((None, 1_500))),
            SubagentFinished(child="helper"),
            SwitchModel(model=chance.choice(tuple(WINDOWS))),
            Tick(timer="idle", due_ms=chance.randrange(10**12)),
        )
    )


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def _text(role: str, content: str) -> dict[str, object]:
    return {"role": role, "content": content}


def _calls(thread: _Thread, chance: random.Random) -> dict[str, object]:
    ids = [f"call-{thread.said}-{number}" for number in range(chance.choice((1, 1, 2, 3)))]
    thread.open_calls.extend(ids)
    calls = [{"id": one, "type": "function", "function": {"name": "gauge", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(call_id: str, content: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}
