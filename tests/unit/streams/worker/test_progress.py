"""Progress: what may be committed, and when."""

from tailrace.streams.worker.progress import Progress


def owning(**positions: int) -> Progress:
    progress = Progress()
    progress.assign(1, {int(name.removeprefix("p")): offset for name, offset in positions.items()})
    return progress


def test_nothing_is_owned_before_the_first_assignment() -> None:
    progress = Progress()
    assert progress.next_offset(0) is None
    assert progress.uncommitted() == {}


def test_the_position_that_reading_starts_from_comes_next_and_is_committed_already() -> None:
    progress = owning(p0=7)
    assert progress.next_offset(0) == 7
    assert progress.uncommitted() == {}


def test_a_finished_batch_can_be_committed() -> None:
    progress = owning(p0=7, p1=3)
    assert progress.advance(1, {0: 9})
    assert progress.uncommitted() == {0: 9}
    assert progress.next_offset(0) == 9


def test_what_is_committed_is_not_committed_again() -> None:
    progress = owning(p0=7)
    progress.advance(1, {0: 9})
    progress.committed({0: 9})
    assert progress.uncommitted() == {}


def test_progress_made_during_a_commit_is_left_for_the_next_one() -> None:
    progress = owning(p0=7)
    progress.advance(1, {0: 9})
    progress.advance(1, {0: 12})
    progress.committed({0: 9})
    assert progress.uncommitted() == {0: 12}


def test_a_batch_of_another_generation_moves_nothing() -> None:
    progress = owning(p0=7)
    assert not progress.advance(2, {0: 9})
    assert not progress.advance(0, {0: 9})
    assert progress.next_offset(0) == 7


def test_progress_never_goes_back() -> None:
    progress = owning(p0=7)
    progress.advance(1, {0: 9})
    progress.advance(1, {0: 8})
    assert progress.next_offset(0) == 9
    progress.committed({0: 9})
    progress.committed({0: 8})
    assert progress.uncommitted() == {}


def test_a_partition_that_is_not_ours_makes_no_progress() -> None:
    progress = owning(p0=7)
    progress.advance(1, {5: 100})
    progress.committed({5: 100})
    assert progress.next_offset(5) is None
    assert progress.uncommitted() == {}


def test_what_was_lost_is_not_committed() -> None:
    progress = owning(p0=7)
    progress.advance(1, {0: 9})
    progress.assign(2, {1: 0})
    assert progress.uncommitted() == {}
    assert progress.next_offset(0) is None


def test_a_new_assignment_starts_from_what_the_broker_knows() -> None:
    progress = owning(p0=7)
    progress.advance(1, {0: 9})
    progress.assign(2, {0: 7})
    assert progress.next_offset(0) == 7
