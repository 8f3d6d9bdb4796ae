"""Silence closes a chunk: once, on a tick, whatever the call that is under way, and without touching the context."""

from support.live_thread import LiveThread, compactions, overtaken, policy_with
from support.signal_moves import tick

from tailrace.agents.engine.early_summaries import ask_ahead
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.triggers.temporal import CALL, CHUNK, IDLE, Timer
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.records.context import ChunkMark, Head
from tailrace.schemas.records.signal import CallStarted
from tailrace.schemas.records.work import WorkRequest

SOON_MS = 1_000


def thread_with(**timers: int) -> LiveThread:
    """A thread whose chunks close by their size at 800 tokens: silence closes one from 200 on."""
    triggers = Triggers(timers=Timers(chunk_ms=SOON_MS, **timers))
    chunks = Chunks(enabled=True, tokens_min=800, tokens_max=900)
    return LiveThread(policy_with(triggers, default_window_tokens=100_000, chunks=chunks))


def requests(outcome: RecordOutcome) -> list[WorkRequest]:
    return [one for one in outcome.emissions if isinstance(one, WorkRequest)]


def test_what_is_open_is_asked_about_once_nothing_was_said_for_a_while() -> None:
    thread = thread_with()
    thread.talk(2)
    said_at_ms = thread.now_ms
    assert thread.timers() == {CHUNK: said_at_ms + SOON_MS}
    before = thread.texts
    outcome = thread.tick(CHUNK)

    (request,) = requests(outcome)
    assert len(request.span.ids) == 4
    assert [type(one) for one in outcome.emissions] == [WorkRequest, ChunkMark, Head]
    assert (outcome.result, thread.texts) == ("noted", before)
    assert thread.timers() == {}
    assert ask_ahead(thread.view, thread.offset, thread.policy) == []


def test_the_next_chunk_begins_behind_the_one_that_silence_closed() -> None:
    thread = thread_with()
    thread.talk(2)
    (first,) = requests(thread.tick(CHUNK))
    thread.talk(2)
    (second,) = requests(thread.tick(CHUNK))

    assert not set(first.span.ids) & set(second.span.ids)
    assert thread.view.chunk_group == thread.view.totals.groups


def test_too_little_stays_open_for_what_is_said_next() -> None:
    thread = thread_with()
    thread.talk(1, words=40)
    assert requests(thread.tick(CHUNK)) == []
    assert thread.timers() == {}
    thread.talk(1)
    (request,) = requests(thread.tick(CHUNK))
    assert len(request.span.ids) == 4


def test_a_tick_from_before_the_last_word_closes_nothing() -> None:
    thread = thread_with()
    thread.talk(2)
    timer = Timer(CHUNK, thread.timers()[CHUNK])
    thread.say(1)
    assert overtaken(thread.publish(tick(timer, "thread"), later_ms=SOON_MS))
    assert thread.view.chunk_group == 0


def test_silence_during_a_call_closes_a_chunk_all_the_same() -> None:
    thread = thread_with()
    thread.talk(2)
    thread.send(CallStarted(call="c", timeout_ms=60_000))
    assert len(requests(thread.tick(CHUNK))) == 1


def test_what_silence_closed_is_not_asked_about_again_when_a_call_is_given_up_in_it() -> None:
    thread = thread_with(call_deadline_ms=5 * SOON_MS)
    thread.talk(2)
    thread.call("k")
    (request,) = requests(thread.tick(CHUNK))
    assert len(request.span.ids) == 4
    assert requests(thread.tick(f"{CALL}k")) == []
    assert not thread.view.open_calls


def test_the_summary_is_asked_for_before_the_idle_thread_is_compacted() -> None:
    triggers = Triggers(timers=Timers(chunk_ms=SOON_MS, idle_ms=2 * SOON_MS))
    thread = LiveThread(policy_with(triggers, chunks=Chunks(enabled=True, tokens_min=900, tokens_max=950)))
    thread.talk(4)
    assert not compactions(chunk := thread.tick(CHUNK))
    assert len(requests(chunk)) == 1
    assert compactions(thread.tick(IDLE))


def test_without_chunks_silence_asks_for_nothing() -> None:
    thread = LiveThread(policy_with(Triggers(timers=Timers(chunk_ms=SOON_MS))))
    thread.talk(2)
    assert requests(thread.tick(CHUNK)) == []
