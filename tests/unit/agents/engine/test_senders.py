"""A record that names its sender has a line in the audit, whatever becomes of it."""

from dataclasses import replace

from support.conversations import Published
from support.live_thread import LiveThread, audit, talked
from support.signal_moves import signal

from tailrace.schemas.records.actor import Actor, signed
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import Announce, CallEnded
from tailrace.streams.client.publication import make_publication

BOT = Actor(name="bot", tenant="acme")


def message(text: str, message_id: str = "m1", thread: str = "thread") -> Published:
    body = {"role": "user", "content": text}
    record = make_publication("conversations", thread, body, {"id": message_id}, value_bytes_max=100_000).record
    return Published(record.key, record.value, record.headers)


def by(record: Published, actor: Actor) -> Published:
    return replace(record, headers=signed(record.headers, actor))


def received(thread: LiveThread, record: Published) -> LifecycleEvent:
    lines = [line for line in audit(thread.publish(record)) if line.kind is LifecycleKind.RECEIVED]
    (line,) = lines
    return line


def test_a_message_and_a_signal_name_who_sent_them() -> None:
    thread = LiveThread()
    line = received(thread, by(message("hi"), BOT))
    assert (line.actor, line.tenant, line.thread, line.event_id) == ("bot", "acme", "thread", "m1")
    assert (line.reason, line.at_ms) == ("a message", thread.now_ms)
    assert received(thread, by(signal(Announce(tokens=5), "s", "thread"), BOT)).reason == "a signal"


def test_what_is_refused_known_or_unreadable_names_its_sender_too() -> None:
    thread = talked()
    assert received(thread, by(signal(CallEnded(call="none"), "s", "thread"), BOT)).actor == "bot"
    first = received(thread, by(message("hi"), BOT))
    again = received(thread, by(message("hi"), BOT))
    assert first.id != again.id
    assert received(thread, replace(by(message("hi", "m2"), BOT), value=b"{")).actor == "bot"


def test_a_dead_letter_that_is_sent_again_names_the_letter() -> None:
    letter = Actor(name="operator", tenant="acme", letter="3-17")
    assert received(LiveThread(), by(message("hi"), letter)).reason == "dead letter 3-17, sent again"


def test_a_record_that_is_read_again_after_a_crash_has_one_line() -> None:
    thread = LiveThread()
    record = by(message("hi"), BOT)
    line = received(thread, record)
    thread.offset -= 1
    assert audit(thread.publish(record, later_ms=0)) == []
    assert line.id == "thread/m1@0/received"


def test_without_a_sender_or_a_thread_nobody_is_named() -> None:
    thread = LiveThread()
    assert audit(thread.publish(message("hi"))) == []
    assert audit(thread.publish(replace(by(message("hi"), BOT), key=None))) == []
    assert audit(thread.publish(replace(by(message("hi"), BOT), key=b"\xff"))) == []
