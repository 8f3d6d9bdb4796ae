"""Seeded conversations to dance with.

Calls, many in parallel, late and missing results, duplicates, poison, signals of every kind, usage.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, SIGNAL_TYPE
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
#: Counts of calls in one message: the last are more than a small window holds.
CALL_COUNTS = (*(1,) * 24, *(2,) * 12, *(3,) * 12, 12, 40)
#: Most signals come alone; a runtime that tries again and again reports every refusal.
REPORTS = 12
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
    #: Calls whose results come when nobody waits for them any more.
    late_calls: list[str] = field(default_factory=list)
    sent_ids: list[str] = field(default_factory=list)


def conversations(*, events: int, threads: Sequence[str], seed: int) -> list[Load]:
    """`events` records of these threads, interleaved; the same seed gives the same list.

    Some end with a call that never ends.
    """
    chance = random.Random(seed)
    pool = [_Thread(name) for name in threads]
    stuck = pool[: len(threads) // 10]
    loads: list[Load] = []
    while len(loads) < events - len(stuck):
        loads += _next(chance.choice(pool), chance)
    ends = [_signal(thread, CallStarted(call="never ends"), chance) for thread in stuck]
    return [*loads[: events - len(stuck)], *ends]


def _next(thread: _Thread, chance: random.Random) -> list[Load]:
    roll = chance.random()
    if roll < 0.01:
        return [Load(thread.name, b"\xff not json at all")]
    if roll < 0.02 and thread.sent_ids:
        return [_load(thread, _text("user", "sent twice"), chance.choice(thread.sent_ids))]
    if roll < 0.021:
        return [_signal(thread, Overflow(), chance) for _ in range(REPORTS)]
    if roll < 0.12:
        return [_signal(thread, _what(chance), chance)]
    return [_load(thread, _message(thread, chance, roll))]


def _message(thread: _Thread, chance: random.Random, roll: float) -> dict[str, object]:
    if thread.said == 0:
        return _text("system", "You watch over the weir. " + _words(chance, 20))
    if thread.open_calls and roll < 0.7:
        call_id = thread.open_calls.pop(0)
        if chance.random() < 0.9:
            return _result(call_id, _words(chance, chance.randrange(5, 120)))
        # Half of the others are never answered.
        thread.late_calls.extend([call_id] * (chance.random() < 0.5))
    if thread.late_calls and roll < 0.14:
        return _result(thread.late_calls.pop(0), _words(chance, chance.randrange(5, 60)))
    if roll < 0.35:
        return _text("user", _words(chance, chance.randrange(3, 40)))
    if roll < 0.6:
        return _calls(thread, chance)
    answer = _text("assistant", _words(chance, chance.randrange(3, 60)))
    return _reported(answer, chance) if chance.random() < 0.2 else answer


def _load(thread: _Thread, message: dict[str, object], event_id: str | None = None) -> Load:
    thread.said += 1
    new_id = event_id or f"{thread.name}-{thread.said}"
    thread.sent_ids.append(new_id)
    headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", new_id.encode()),
        ("ce_source", b"/dance"),
        ("ce_type", MESSAGE_TYPE.encode()),
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
            _report(chance),
            _report(chance),
            SubagentFinished(child="helper"),
            SwitchModel(model=chance.choice(tuple(WINDOWS))),
            Tick(timer="idle", due_ms=chance.randrange(10**12)),
        )
    )


def _report(chance: random.Random) -> Overflow:
    """A refused request, as different providers and runtimes tell of it.

    The fewer details, the more has to be guessed.
    """
    return Overflow(
        model=chance.choice((None, *WINDOWS)),
        window_tokens=chance.choice((None, None, 1_200, 1_500)),
        sent_tokens=chance.choice((None, 1_700, 90_000)),
        epoch=chance.choice((None, 0, chance.randrange(6))),
    )


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def _text(role: str, content: str) -> dict[str, object]:
    return {"role": role, "content": content}


def _reported(answer: dict[str, object], chance: random.Random) -> dict[str, object]:
    """An answer with its model and its provider's own count, which may be far from ours."""
    usage = {"input_tokens": chance.randrange(100, 1_500), "output_tokens": chance.randrange(5, 80)}
    return {"native": answer, "format": "openai.chat", "model": chance.choice(tuple(WINDOWS)), "usage": usage}


def _calls(thread: _Thread, chance: random.Random) -> dict[str, object]:
    ids = [f"call-{thread.said}-{number}" for number in range(chance.choice(CALL_COUNTS))]
    thread.open_calls.extend(ids)
    calls = [{"id": one, "type": "function", "function": {"name": "gauge", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(call_id: str, content: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}
