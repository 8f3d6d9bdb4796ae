"""Laws of the window that a client cuts by itself: it is what a worker would have made of the same messages."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from support.conversations import THREAD, Published, laws, moves, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.ingest import decode_event
from tailrace.streams.client.context import context_of
from tailrace.streams.client.local_window import LocalWindow
from tailrace.streams.client.publication import Publication

conversations = moves().map(play)


def publications(records: Sequence[Published]) -> list[Publication]:
    """What a client would have let through of these records, each under an id of its own."""
    found = []
    for number, record in enumerate(records):
        try:
            event = decode_event(record.at(number), value_bytes_max=1_000_000)
        except PoisonEvent:
            continue
        if not event.id.startswith("p0-o"):
            found.append(Publication(event, record.at(-1, -1)))
    return found


def worker_view(own: Sequence[Publication]) -> ThreadView:
    partition = PartitionView()
    for offset, publication in enumerate(own):
        process(
            partition,
            Published(publication.record.key, publication.record.value, publication.record.headers).at(offset),
            small_engine(),
        )
    return partition.threads.get(THREAD, ThreadView())


def said(view: ThreadView) -> list[bytes]:
    return [bytes(entry.message) for entry in view.live()]


@laws
@given(conversations, st.integers(0, 60))
def test_the_window_is_what_a_worker_makes_of_the_same_messages(records: list[Published], covered: int) -> None:
    own = publications(records)
    base = worker_view(own[:covered])
    before = said(base)
    window = LocalWindow(small_engine())
    window.rebase(base, 1)

    view = window.view(THREAD, own[covered:])

    assert said(view) == said(worker_view(own))
    assert view.totals == worker_view(own).totals
    assert view.covers == base.covers
    assert said(base) == before


@laws
@given(conversations, st.lists(st.integers(0, 60), max_size=5))
def test_growing_step_by_step_is_the_same_as_all_at_once(records: list[Published], stops: list[int]) -> None:
    own = publications(records)
    window = LocalWindow(small_engine())
    window.rebase(None, 1)
    for stop in sorted(stops):
        window.view(THREAD, own[:stop])

    assert said(window.view(THREAD, own)) == said(worker_view(own))


@laws
@given(conversations)
def test_no_window_holds_a_result_without_its_call_or_goes_over_a_budget_that_it_could_keep(
    records: list[Published],
) -> None:
    own = publications(records)
    window = LocalWindow(small_engine())
    window.rebase(None, 1)
    view = window.view(THREAD, own)
    context = context_of(THREAD, view, small_engine().policy)

    called: set[str] = set()
    for message in context.messages:
        assert set(message.answered_ids) <= called
        called |= set(message.call_ids)
    assert context.tokens == context_of(THREAD, worker_view(own), small_engine().policy).tokens


@laws
@given(conversations, st.integers(0, 60))
def test_a_base_that_moves_on_starts_the_window_anew(records: list[Published], covered: int) -> None:
    own = publications(records)
    window = LocalWindow(small_engine())
    window.rebase(None, 1)
    window.view(THREAD, own)
    window.rebase(worker_view(own[:covered]), 2)

    assert said(window.view(THREAD, own[covered:])) == said(worker_view(own))


def test_a_copy_of_a_view_leaves_the_original_alone() -> None:
    own = publications(play_simple(40))
    view = worker_view(own[:20])
    before = said(view)
    partition = PartitionView(threads={THREAD: view.copy()})
    for offset, publication in enumerate(own[20:], start=20):
        record = Published(publication.record.key, publication.record.value).at(offset)
        process(partition, record, small_engine())

    assert said(view) == before
    assert said(partition.threads[THREAD]) != before


def play_simple(count: int) -> list[Published]:
    values = (b'{"role":"user","content":"%d %s","id":"m%d"}' % (n, b"word " * 20, n) for n in range(count))
    return [Published(THREAD.encode(), value) for value in values]
