"""Which call a result answers, and that a message of many calls is read once for all of them."""

from support.live_thread import LiveThread, policy_with

from tailrace.agents.engine.open_calls import OpenCalls


def thread() -> LiveThread:
    thread = LiveThread(policy_with(default_window_tokens=100_000))
    thread.say(3)
    return thread


def test_a_message_of_calls_is_read_once_however_many_results_it_gets() -> None:
    waiting = thread()
    waiting.call("a", "b")
    calls = OpenCalls(waiting.view)

    first, again, other = calls.find("a"), calls.find("a"), calls.find("b")

    assert first is not None
    assert again is not None
    assert other is not None
    assert first.part is again.part
    assert (first.part.id, other.part.id) == ("a", "b")
    assert first.created_at_ms == other.created_at_ms


def test_only_calls_that_wait_are_found() -> None:
    waiting = thread()
    waiting.call("a", "b")
    waiting.answer("a", "it stands at 37 mm")

    assert OpenCalls(waiting.view).find("a") is None
    assert OpenCalls(waiting.view).find("b") is not None
    assert OpenCalls(waiting.view).find("never made") is None
