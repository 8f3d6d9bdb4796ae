"""A client that nobody answered waits its whole time only once in a while, or once something was written."""

import pytest

from tailrace.streams.client.fallback import FallbackReason
from tailrace.streams.client.silence import BROKER_SILENT, FeedPlace, Silence

HERE = FeedPlace(partition=3, position=70)
USUAL_MS = 2_000


def wait_ms(silence: Silence, place: FeedPlace, now_seconds: float) -> int:
    return silence.wait_ms(place, USUAL_MS, now_seconds=now_seconds)


@pytest.mark.parametrize("reason", [FallbackReason.BEHIND, FallbackReason.UNDELIVERED, FallbackReason.UNREACHABLE])
def test_silence_is_believed_for_a_while_and_on_its_partition(reason: FallbackReason) -> None:
    silence = Silence()
    assert wait_ms(silence, HERE, 0.0) == USUAL_MS

    silence.note(HERE, reason, now_seconds=2.0)

    assert wait_ms(silence, HERE, 3.0) < USUAL_MS / 10
    assert silence.wait_ms(HERE, 5, now_seconds=3.0) == 5
    assert wait_ms(silence, FeedPlace(partition=4, position=70), 3.0) == USUAL_MS
    assert wait_ms(silence, HERE, 60.0) == USUAL_MS


def test_what_a_worker_writes_and_any_answer_ends_it() -> None:
    silence = Silence()
    silence.note(HERE, FallbackReason.BEHIND, now_seconds=2.0)
    assert wait_ms(silence, HERE._replace(position=71), 3.0) == USUAL_MS

    silence.end(HERE)

    assert wait_ms(silence, HERE, 3.0) == USUAL_MS


def test_a_thread_that_is_still_being_read_is_no_silence() -> None:
    silence = Silence()
    silence.note(HERE, FallbackReason.LOADING, now_seconds=2.0)

    assert wait_ms(silence, HERE, 3.0) == USUAL_MS


def test_without_a_connection_the_first_one_ends_it() -> None:
    silence = Silence()
    silence.note(FeedPlace(), FallbackReason.UNREACHABLE, now_seconds=2.0)

    assert wait_ms(silence, FeedPlace(), 3.0) < USUAL_MS
    assert wait_ms(silence, HERE, 3.0) == USUAL_MS


@pytest.mark.parametrize(
    ("reason", "is_short"),
    [(FallbackReason.BEHIND, False), (FallbackReason.UNDELIVERED, True)],
    ids=["worker", "broker"],
)
def test_who_waits_for_the_broker_is_not_hurried_by_a_silent_worker(reason: FallbackReason, *, is_short: bool) -> None:
    silence = Silence()
    silence.note(HERE, reason, now_seconds=2.0)

    assert (silence.wait_ms(HERE, USUAL_MS, now_seconds=3.0, reasons=BROKER_SILENT) < USUAL_MS) is is_short
    assert wait_ms(silence, HERE, 3.0) < USUAL_MS
