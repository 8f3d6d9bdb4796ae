"""Signals as JSON: what is read, what is written, what is refused."""

from typing import Any

import pytest

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.signal import (
    CALL_MS_MAX,
    SIGNAL_KINDS,
    TOKENS_MAX,
    Announce,
    AnySignal,
    CallEnded,
    CallStarted,
    Compact,
    Overflow,
    SubagentFinished,
    SwitchModel,
    Tick,
    signal_of,
    signal_to_json,
)

ALL: tuple[AnySignal, ...] = (
    Compact(target_fraction=0.5, strategy="drop", reason="why not"),
    Announce(tokens=0),
    CallStarted(call="c", timeout_ms=CALL_MS_MAX),
    CallEnded(call="c"),
    Overflow(model="m", window_tokens=300, sent_tokens=400),
    SwitchModel(model="m"),
    SubagentFinished(child="x"),
    Tick(timer="idle", due_ms=5),
)


def read(data: dict[str, Any]) -> Any:
    return signal_of(data, signal_id="s", thread="t", logged_at_ms=9)


def test_there_is_an_example_of_every_kind() -> None:
    assert [signal_to_json(what, "t")["kind"] for what in ALL] == list(SIGNAL_KINDS)


@pytest.mark.parametrize("what", ALL, ids=lambda what: type(what).__name__)
def test_what_is_written_is_read_again(what: AnySignal) -> None:
    signal = read(signal_to_json(what, "acme"))
    assert signal.what == what
    assert (signal.id, signal.thread, signal.tenant, signal.logged_at_ms) == ("s", "t", "acme", 9)
    assert signal.kind in SIGNAL_KINDS


def test_a_signal_without_a_tenant_is_of_the_default_one() -> None:
    assert read({"kind": "compact"}).tenant == "default"


def test_an_id_beside_the_kind_is_no_field_of_the_signal() -> None:
    assert read({"kind": "compact", "id": "mine"}).what == Compact()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "a signal is one of compact, announce"),
        ({"kind": "explode"}, "'explode'"),
        ({"kind": None}, "a signal is one of"),
        ({"kind": {"deep": 1}}, "a signal is one of"),
        ({"kind": "compact", "type": "announce", "tokens": 3}, "type is no field"),
        ({"kind": "compact", "colour": "red"}, "colour"),
        ({"kind": "compact", "tenant": 7}, "tenant must be a string, got int"),
        ({"kind": "compact", "target_tokens": 0}, "target_tokens must be from 1 to 1000000000"),
        ({"kind": "compact", "target_fraction": 1.5}, "target_fraction must be above 0"),
        ({"kind": "compact", "target_fraction": float("nan")}, "target_fraction must be above 0"),
        ({"kind": "compact", "target_tokens": 1, "target_fraction": 0.5}, "exclude each other"),
        ({"kind": "compact", "strategy": "hope"}, "strategy"),
        ({"kind": "compact", "reason": "x" * 1_001}, "reason"),
        ({"kind": "announce"}, "tokens"),
        ({"kind": "announce", "tokens": "3"}, "Expected `int`, got `str`"),
        ({"kind": "announce", "tokens": -1}, "tokens must be from 0"),
        ({"kind": "announce", "tokens": TOKENS_MAX + 1}, "tokens must be from 0"),
        ({"kind": "call_started"}, "call"),
        ({"kind": "call_started", "call": "c", "timeout_ms": 0}, "timeout_ms must be from 1"),
        ({"kind": "call_started", "call": "c", "timeout_ms": CALL_MS_MAX + 1}, "timeout_ms must be from 1"),
        ({"kind": "call_ended", "call": "c" * 257}, "call"),
        ({"kind": "overflow", "window_tokens": 0}, "window_tokens must be from 256"),
        ({"kind": "overflow", "sent_tokens": -3}, "sent_tokens must be from 1"),
        ({"kind": "switch_model", "model": 5}, "model"),
        ({"kind": "subagent_finished"}, "child"),
        ({"kind": "tick", "timer": "idle"}, "due_ms"),
        ({"kind": "tick", "timer": "idle", "due_ms": 1.5}, "due_ms"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_with_what_is_wrong(data: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid) as caught:
        read(data)
    assert said in str(caught.value)


def test_a_kind_that_nobody_knows_is_not_quoted_at_length() -> None:
    with pytest.raises(Invalid) as caught:
        read({"kind": "x" * 10_000})
    assert len(str(caught.value)) < 300
