"""However many tools a model calls at once, and however small its window is.

No result becomes a dead letter, and the context stays sendable.
"""

import json

import pytest
from support.conversations import Published
from support.live_thread import NAME, LiveThread, policy_with

from tailrace.agents.engine.partition import PartitionView, RecordOutcome
from tailrace.agents.messages.one_response import PIECES_MAX
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.context import Departed, id_hash
from tailrace.schemas.records.kafka_records import ContextChange, encode
from tailrace.schemas.records.message import Format

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)
#: What one call costs in these tests, and as much again its result.
CALL_TOKENS = 8


def thread_of(window_tokens: int) -> LiveThread:
    thread = LiveThread(policy_with(default_window_tokens=window_tokens), count=lambda message: _count(message.parts))
    thread.say(20)
    return thread


def _count(parts: tuple[object, ...]) -> int:
    return CALL_TOKENS * len(parts)


def sendable(thread: LiveThread) -> bool:
    limit_tokens = thread.view.head.limit_tokens if thread.view.head else 0
    fits = thread.view.request_tokens <= limit_tokens
    messages = thread.view.messages()
    return fits and not any(violations(request_of(messages, one), one) for one in FORMATS)


def results_together(call_ids: list[str], message_id: str = "all") -> Published:
    """All results in one message, as Anthropic's API wants them."""
    results = [{"type": "tool_result", "tool_use_id": one, "content": f"of {one}"} for one in call_ids]
    value = {"id": message_id, "native": {"role": "user", "content": results}, "format": "anthropic.messages"}
    return Published(NAME.encode(), json.dumps(value).encode())


def named(count: int) -> list[str]:
    return [f"call-{number}" for number in range(count)]


def in_pieces(thread: LiveThread, call_ids: list[str]) -> None:
    for call_id in call_ids:
        assert thread.call(call_id).result == "appended"


@pytest.mark.parametrize(("calls", "window_tokens"), [(1, 1_000), (129, 1_000), (200, 1_000), (3_000, 16_000)])
def test_every_result_of_one_message_of_calls_is_taken(calls: int, window_tokens: int) -> None:
    thread = thread_of(window_tokens)
    assert thread.call(*named(calls)).result == "appended"
    step = max(1, calls // 20)
    for number, call_id in enumerate(named(calls)):
        assert thread.answer(call_id, f"of {call_id}").result == "appended"
        assert number % step or sendable(thread)
    assert sendable(thread)
    assert thread.view.totals.messages == calls + 2


@pytest.mark.parametrize("calls", [129, 200])
def test_every_result_of_calls_that_came_one_by_one_is_taken(calls: int) -> None:
    thread = thread_of(1_000)
    in_pieces(thread, named(calls))
    for call_id in named(calls):
        assert thread.answer(call_id, f"of {call_id}").result == "appended"
        assert sendable(thread)


@pytest.mark.parametrize("calls", [129, 200, 3_000])
def test_one_message_may_bring_the_results_of_all_calls(calls: int) -> None:
    thread = thread_of(200_000)
    thread.call(*named(calls))
    assert thread.publish(results_together(named(calls))).result == "appended"
    assert not thread.view.open_calls
    assert sendable(thread)


def test_one_message_may_bring_the_results_of_more_calls_than_make_one_response() -> None:
    thread = thread_of(200_000)
    in_pieces(thread, named(PIECES_MAX + 72))
    assert thread.publish(results_together(named(PIECES_MAX + 72))).result == "appended"
    assert all(f"of {call_id}" in thread.texts[-1] for call_id in named(PIECES_MAX + 72))
    assert sendable(thread)


def test_one_message_may_bring_results_of_several_responses() -> None:
    """No provider takes that: what belongs to the newest stays a result, the rest is told."""
    thread = thread_of(1_000)
    thread.call("a")
    thread.say(3)
    thread.call("b", "c")
    assert thread.publish(results_together(["a", "b", "c"])).result == "appended"
    assert thread.view.live()[-1].answers == ("b", "c")
    assert "of a" in thread.texts[-1]
    assert sendable(thread)
    assert thread.answer("a", "at last").result == "appended"
    assert not thread.view.open_calls
    assert sendable(thread)


def test_who_recovers_knows_the_calls_that_left_without_results() -> None:
    thread = thread_of(1_000)
    outcomes = [thread.call(*named(200))]
    departed = [one for outcome in outcomes for one in outcome.emissions if isinstance(one, Departed)]
    assert {one for each in departed for one in each.call_hashes} == {id_hash(one) for one in named(200)}
    successor = recovered(outcomes)
    assert successor.threads[NAME].dead_calls == thread.view.dead_calls
    thread.partition = successor
    assert thread.answer("call-0", "of call-0").result == "appended"
    assert "of call-0" in thread.texts[-1]


def recovered(outcomes: list[RecordOutcome]) -> PartitionView:
    """What a successor makes of the contexts topic."""
    partition = PartitionView()
    for outcome in outcomes:
        for change in outcome.emissions:
            if isinstance(change, ContextChange):
                record = encode(change, term=1)
                partition.apply_record(record.key or b"", record.value, record.headers)
    return partition
