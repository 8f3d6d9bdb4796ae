"""Threads that benchmarks are made of: as long as asked for, whole, and the same for every library."""

import importlib
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]

CALL = {"id": "call", "type": "function", "function": {"name": "read", "arguments": "{}"}}
OPENAI = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "How high is the water?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call", "content": "2 m"},
    {"role": "assistant", "content": "Two metres."},
)
ANTHROPIC = (
    {"role": "user", "content": "And now?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "call", "name": "read", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call", "content": "3 m"}]},
)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module; `ops` is no package of ours and is found from the root alone."""
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("ops.bench.long_thread")


def thread(bench: ModuleType, messages: int) -> list[dict[str, Any]]:
    conversations = [bench.Conversation("one", None, OPENAI), bench.Conversation("two", "claude", ANTHROPIC)]
    made: list[dict[str, Any]] = bench.long_thread(conversations, messages)
    return made


def test_a_thread_is_as_long_as_asked_for_and_says_everything_in_openais_form(bench: ModuleType) -> None:
    made = thread(bench, 22)

    assert [message["role"] for message in made[:8]] == [message["role"] for message in OPENAI] + [
        *("user", "assistant", "tool")
    ]
    assert len(made) == 22
    assert made[7]["content"] == "3 m"


def test_no_call_is_answered_twice_however_often_conversations_begin_again(bench: ModuleType) -> None:
    made = thread(bench, 22)

    called = [call["id"] for message in made for call in message.get("tool_calls", [])]
    answered = [message["tool_call_id"] for message in made if message["role"] == "tool"]
    assert len(called) == 6
    assert len(set(called)) == 6
    assert answered == called


def test_only_the_first_message_is_a_system_message(bench: ModuleType) -> None:
    assert [number for number, message in enumerate(thread(bench, 22)) if message["role"] == "system"] == [0]


def test_conversations_without_messages_make_no_thread(bench: ModuleType) -> None:
    with pytest.raises(ValueError, match="no message"):
        bench.long_thread([bench.Conversation("empty", None, ())], 1)


def test_a_turn_is_an_answer_with_what_follows_it(bench: ModuleType) -> None:
    made = thread(bench, 16)

    sizes = bench.turns(made)
    assert sum(sizes) == 16
    begins = [0, *itertools.accumulate(sizes)][:-1]
    assert [made[begin]["role"] for begin in begins] == ["system", *["assistant"] * 6]
