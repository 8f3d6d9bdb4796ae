"""What the state of a partition forbids, and what its note says to the next owner."""

from typing import Any

import msgspec
import pytest

from tailrace.schemas.errors import Fatal
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics.commit_note import CommitNote, CommitNotes, note_text, read_note
from tailrace.streams.topics.log_problems import LogState, log_problems

WHOLE = LogState(
    partition=3,
    committed=100,
    note=CommitNote(contexts_begin=0, contexts_end=250, term=4),
    input_begin=0,
    input_end=120,
    contexts_begin=0,
    contexts_end=260,
)


@pytest.fixture
def settings() -> Settings:
    return load_settings(topics={"prefix": "p."})


def state(**fields: Any) -> LogState:
    return msgspec.structs.replace(WHOLE, **fields)


@pytest.mark.parametrize(
    "fine",
    [
        WHOLE,
        state(committed=None, note=None, contexts_end=0),
        state(committed=0, note=None, contexts_end=0),
        state(input_begin=100),
        state(note=None),
        state(note=CommitNote(), contexts_end=0),
        state(covered=119),
        state(note=None, covered=119),
        state(covered=120),
    ],
)
def test_a_partition_that_lacks_nothing_is_no_problem(fine: LogState, settings: Settings) -> None:
    assert log_problems([fine], settings) == []


@pytest.mark.parametrize(
    ("broken", "topic", "words", "fix"),
    [
        (state(input_begin=101), "p.conversations", "offsets 100 to 100", "accept-loss"),
        (state(committed=None, note=None, input_begin=7), "p.conversations", "offsets 0 to 6", "accept-loss"),
        (state(input_end=99), "p.conversations", "ends at offset 99, and group offset 100", "TAILRACE_GROUP"),
        (state(note=None, covered=120), "p.conversations", "input up to offset 120 into account", "TAILRACE_GROUP"),
        (state(contexts_end=249), "p.contexts", "holds offsets 0 to 249", "rebuild contexts"),
        (state(contexts_begin=1), "p.contexts", "holds offsets 1 to 260", "rebuild contexts"),
        (state(note=None, contexts_end=0), "p.contexts", "has no records", "rebuild contexts"),
        (state(note=CommitNote(rebuilding=True)), "p.contexts", "being made again", "rebuild contexts"),
    ],
)
def test_what_is_lost_is_said_with_its_place_and_what_to_do(
    broken: LogState, topic: str, words: str, fix: str, settings: Settings
) -> None:
    (problem,) = log_problems([broken], settings)
    assert problem.topic == topic
    assert problem.what.startswith("partition 3: ")
    assert words in problem.what
    assert fix in problem.fix


def test_of_a_thousand_partitions_the_first_are_told_and_how_many_more_there_are(settings: Settings) -> None:
    found = log_problems([state(partition=number, contexts_end=0) for number in range(1000)], settings)
    assert len(found) == 6
    assert "995 more partitions" in found[-1].what


def test_a_note_is_read_back_and_other_texts_are_none() -> None:
    note = CommitNote(contexts_begin=2, contexts_end=90, term=7, lost_records=3, rebuilding=True)
    assert read_note(note_text(note)) == note
    for text in ("", "null", "[1]", '{"contexts_end": "x"}', '{"a":' * 5000, "reset by hand"):
        assert read_note(text) is None


def test_notes_follow_what_is_delivered_and_a_topic_that_begins_anew_ends_the_process() -> None:
    notes = CommitNotes()
    notes.own({0: CommitNote(contexts_end=10, term=2)})
    notes.delivered(0, 10, 5)
    notes.delivered(0, -1, 5)  # the broker had that batch already
    notes.delivered(0, 17, 1)  # markers and records of others lie between
    notes.delivered(9, 0, 1)
    assert read_note(notes.text(0)) == CommitNote(contexts_end=18, term=2)
    assert notes.text(9) == ""
    with pytest.raises(Fatal, match="rebuild contexts"):
        notes.delivered(0, 3, 1)
