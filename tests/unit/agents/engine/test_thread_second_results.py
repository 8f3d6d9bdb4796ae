"""A call id that comes again: with a call of its own, or with a second result for the same call.

Nothing is lost, and every provider takes it.
"""

from support.live_thread import LiveThread, compactions

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import conversation
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.signal import Compact

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)


def wrong(thread: LiveThread) -> list[object]:
    return [one for form in FORMATS for one in violations(request_of(thread.view.messages(), form), form)]


def answered(*call_ids: str) -> LiveThread:
    thread = LiveThread()
    thread.say(5)
    thread.call(*call_ids)
    for call_id in call_ids:
        thread.answer(call_id, f"first of {call_id}")
    return thread


def test_an_id_that_every_turn_uses_again_is_a_call_of_its_own_each_time() -> None:
    thread = LiveThread()
    for number in range(4):
        thread.say(5)
        thread.call("call_0")
        thread.answer("call_0", f"result {number}")
        thread.say(5, "assistant")

    assert [number for number in range(4) if any(f"result {number}" in text for text in thread.texts)] == [0, 1, 2, 3]
    assert not any("late" in text for text in thread.texts)
    assert not wrong(thread)


def test_the_same_result_once_more_has_no_effect() -> None:
    thread = answered("k")
    before = thread.texts

    outcome = thread.answer("k", "first of k")

    assert outcome.result == "duplicate"
    assert thread.texts == before


def test_another_result_of_the_same_call_stands_behind_all_else_and_begins_no_turn() -> None:
    thread = answered("k")
    thread.say(3, "assistant")
    before, turns = thread.texts, thread.view.totals.turns

    thread.answer("k", "second of k")

    assert thread.texts[:-1] == before
    assert "second of k" in thread.texts[-1]
    assert thread.view.totals.turns == turns
    assert not wrong(thread)


def test_a_second_result_waits_for_no_other_call() -> None:
    """Between the results of calls that were made together."""
    thread = LiveThread()
    thread.say(5)
    thread.call("a", "b")
    thread.answer("a", "first of a")
    thread.answer("a", "second of a")
    thread.answer("b", "first of b")

    assert all(any(words in text for text in thread.texts) for words in ("first of a", "second of a", "first of b"))
    assert not wrong(thread)


def test_the_same_words_may_answer_the_next_call_of_that_id() -> None:
    thread = answered("k")
    thread.call("k")

    assert thread.answer("k", "first of k").result != "duplicate"
    assert not wrong(thread)


def test_a_result_whose_call_has_left_is_a_dead_letter() -> None:
    thread = answered("k")
    thread.say(5, "assistant")
    thread.talk(6)
    assert compactions(thread.send(Compact(target_tokens=20)))

    outcome = thread.answer("k", "second of k")

    assert any(isinstance(one, DeadLetter) for one in outcome.emissions)


def test_a_list_says_which_result_it_left_out() -> None:
    called = {"id": "k", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    found = {"role": "tool", "tool_call_id": "k", "content": "dry"}
    talk = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [called]},
        found,
        found,
    ]
    read = [read_native(Format.OPENAI_CHAT, message) for message in talk]

    done = conversation(
        [*read, read_native(Format.OPENAI_CHAT, {**found, "content": "wet"})], Engine(Policy(), lambda *_: 5)
    )

    assert [one.place for one in done.refused] == [3]
    assert "wet" in str(done.view.messages()[-1])
