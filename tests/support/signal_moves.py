"""Signals for tests, as runtimes, people and workers would publish them.

They travel in one log with the messages of `conversations`.
"""

import json
from random import Random
from typing import Any

import msgspec
from support.conversations import THREAD, Published

from tailrace.agents.triggers.temporal import Timer
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
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


def signal(what: AnySignal, signal_id: str, thread: str = THREAD, tenant: str = DEFAULT_TENANT) -> Published:
    """A signal as a record."""
    return raw_signal(signal_to_json(what, tenant), signal_id, thread)


def raw_signal(data: Any, signal_id: str, thread: str = THREAD) -> Published:
    """Anything that claims to be a signal, as a record."""
    headers = (
        ("ce_specversion", b"1.0"),
        ("ce_type", SIGNAL_TYPE.encode()),
        ("ce_source", b"/test"),
        ("ce_id", signal_id.encode()),
    )
    return Published(thread.encode(), json.dumps(data).encode(), headers)


def tick(timer: Timer, thread: str = THREAD) -> Published:
    """The tick that any worker sends for a timer: its id is the same whoever sends it."""
    return signal(Tick(timer=timer.name, due_ms=timer.due_ms), f"tick:{timer.name}:{timer.due_ms}", thread)


#: What nobody should send, each for a reason of its own.
NONSENSE: tuple[Any, ...] = (
    {},
    {"kind": "explode"},
    {"kind": ["compact"]},
    {"kind": "announce", "tokens": "many"},
    {"kind": "announce", "tokens": -1},
    {"kind": "announce", "tokens": 10**30},
    {"kind": "compact", "target_fraction": 0},
    {"kind": "compact", "target_tokens": 5, "target_fraction": 0.5},
    {"kind": "compact", "type": "announce", "tokens": 3},
    {"kind": "call_started", "call": "c", "timeout_ms": 0},
    {"kind": "tick", "timer": "idle", "due_ms": "soon"},
    {"kind": "overflow", "window_tokens": 0},
    {"kind": "overflow", "window_tokens": 1},
    {"kind": "overflow", "sent_tokens": 10**12},
    {"kind": "overflow", "epoch": -1},
    {"kind": "switch_model"},
    {"kind": "compact", "tenant": 7},
    {"kind": "compact", "target_tokens": 10**400},
    {"kind": "tick", "timer": "idle", "due_ms": 10**400},
    {"kind": "tick", "timer": "idle", "due_ms": -1},
    {"kind": "tick", "timer": "\x00" * 10_000, "due_ms": 1},
    {"kind": "compact", "x" * 10_000: 1},
)

#: Calls that runtimes say are under way; few, so that ends meet their beginnings.
CALLS = ("c1", "c2")


def random_signal(chance: Random) -> AnySignal:
    """Any signal but a tick, which only a thread knows."""
    return chance.choice(
        (
            Compact(),
            Compact(target_fraction=chance.choice((0.1, 0.4, 1.0)), reason="a person asked"),
            Compact(target_tokens=chance.choice((1, 60, 10_000)), strategy=chance.choice((None, "drop"))),
            Announce(tokens=chance.choice((0, 100, 400, 5_000))),
            CallStarted(call=chance.choice(CALLS), timeout_ms=chance.choice((None, 1, 2_000))),
            CallStarted(call=chance.choice(CALLS)),
            CallEnded(call=chance.choice(CALLS)),
            CallEnded(call=chance.choice(CALLS)),
            Overflow(),
            Overflow(window_tokens=chance.choice((300, 700, 9_000)), sent_tokens=chance.choice((None, 1_500))),
            Overflow(epoch=chance.choice((0, 1, 3, 50)), window_tokens=chance.choice((None, 400))),
            Overflow(model=chance.choice(("small", "large")), sent_tokens=chance.choice((None, 300))),
            SwitchModel(model=chance.choice(("small", "large", "unheard-of"))),
            SubagentFinished(child="child"),
        )
    )


#: Conditions that hold often, seldom and at certain events.
_RULES = (
    TriggerRule(name="full", when="total >= 70% of limit and (needs_follow_up or pending_input)"),
    TriggerRule(name="closed", when='event == "turn_closed" and turns_since_compaction >= 2'),
    TriggerRule(name="tools", when="tool_tokens > 30% of limit and open_calls == 0"),
    TriggerRule(name="ticked", when='event == "tick" or event == "subagent_finished"'),
    TriggerRule(name="always", when="messages > 3"),
    TriggerRule(name="once more", when='event == "compaction_completed" and messages > 2'),
    TriggerRule(name="chunk", when='event == "chunk_closed" or event == "turn_closed" and turns > 9'),
)


def triggers_of(chance: Random) -> Triggers:
    """Any triggers, with numbers that a short test meets."""
    maybe = chance.choice
    return Triggers(
        rules=tuple(chance.sample(_RULES, chance.choice((0, 1, 2, 3, 4)))),
        hold=maybe((None, "cache_hot and total <= limit", "open_calls > 0")),
        timers=Timers(
            idle_ms=maybe((None, 1_000)),
            every_ms=maybe((None, 1_500)),
            cron=maybe((None, "* * * * *")),
            cache_ttl_ms=3_000,
            before_cache_expiry_ms=maybe((None, 500)),
            call_deadline_ms=maybe((None, 400, 2_500)),
            chunk_ms=maybe((None, None, 700)),
        ),
        call_ms_max=maybe((1_000, 4_000)),
        governor=Governor(
            cooldown_ms=maybe((0, 0, 2_000)), failures_max=maybe((1, 3)), breaker_ms=maybe((0, 1_000, 9_000))
        ),
    )


def policy_of(chance: Random) -> Policy:
    """A policy with triggers, under which a conversation of a few dozen moves is compacted several times."""
    triggers = triggers_of(chance)
    # Beside other rules, one about what a step has brought about is hardly ever reached.
    afterwards = chance.random() < 0.25
    if afterwards:
        triggers = msgspec.structs.replace(triggers, rules=_RULES[-2:], hold=None)
    return Policy(
        default_window_tokens=1_200,
        window_tokens=chance.choice((None, None, 1_000)),
        upper_fraction=chance.choice((0.85, 0.85, 1.0)),
        lower_fraction=0.1 if afterwards else chance.choice((0.6, 0.3)),
        output_reserve_tokens=0,
        safety_tokens=0,
        rehydration_reserve_tokens=0,
        strategy="checkpoint" if chance.random() < 0.1 else "composed",
        triggers=triggers,
        chunks=Chunks(enabled=afterwards or chance.random() < 0.5, tokens_min=100, tokens_max=300),
    )
