"""Return why a worker must not go on in a partition.

Its input was cut before it was read, or its contexts are not those that were written.

Pure: `log_states` asks the broker.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.commit_note import CommitNote
from tailrace.streams.topics.topic_plan import Problem

#: Partitions that an error tells of; of a whole topic that was lost the first say enough.
_PARTITIONS_SHOWN: Final = 5


class LogState(Struct, frozen=True, kw_only=True):
    """A partition as the broker has it: what the group has read of its input, and which records there are."""

    partition: int
    #: The next offset to read; None where the group has committed none.
    committed: int | None
    note: CommitNote | None
    input_begin: int
    input_end: int
    contexts_begin: int
    contexts_end: int
    #: Highest offset of the input that contexts take into account, where they were read.
    covered: int | None = None

    @property
    def cut_records(self) -> int:
        """How many offsets at the beginning are gone that the group has not read."""
        return max(0, self.input_begin - (self.committed or 0))


def log_problems(states: Iterable[LogState], settings: Settings) -> list[Problem]:
    """Return what forbids a worker to run on these partitions; of one that has several problems the first."""
    problems = [problem for state in states if (problem := _problem(state, settings)) is not None]
    shown = problems[:_PARTITIONS_SHOWN]
    if len(problems) > len(shown):
        more = f"and {len(problems) - len(shown)} more partitions have problems like these"
        shown.append(Problem(topic=problems[-1].topic, what=more, fix=problems[-1].fix))
    return shown


def _problem(state: LogState, settings: Settings) -> Problem | None:
    for topic, look, fix in _LOOKS:
        what = look(state)
        if what is not None:
            return Problem(topic=settings.topic(topic), what=f"partition {state.partition}: {what}", fix=fix)
    return None


def _input_is_another(state: LogState) -> str | None:
    if state.committed is None or state.committed <= state.input_end:
        return None
    return (
        f"ends at offset {state.input_end}, and group offset {state.committed} was read: it was emptied or created anew"
    )


def _contexts_are_of_another_log(state: LogState) -> str | None:
    # Where a worker has noted how far it came in this very log, a record that claims more is none of ours, and stops
    # nobody.
    if state.note is not None or state.covered is None or state.covered < state.input_end:
        return None
    return (
        f"ends at offset {state.input_end}, and contexts take input up to offset {state.covered} into account: "
        f"the topic was "
        "emptied or created anew, and what comes now would pass for what was processed before"
    )


def _input_was_cut(state: LogState) -> str | None:
    if not state.cut_records:
        return None
    first, last = state.committed or 0, state.input_begin - 1
    return (
        f"offsets {first} to {last} were deleted before they were read: the group has read up to offset {first}, "
        f"and the "
        f"log begins at {state.input_begin}"
    )


def _contexts_are_unfinished(state: LogState) -> str | None:
    return "is being made again, or that was interrupted" if state.note is not None and state.note.rebuilding else None


def _contexts_were_lost(state: LogState) -> str | None:
    note = state.note
    if note is None:
        # Somebody else has set the offset: only a topic without anything tells of itself that it lacks something.
        lost = bool(state.committed) and state.contexts_begin == state.contexts_end
        return f"has no records, and input up to offset {state.committed} was read" if lost else None
    if note.contexts_begin == state.contexts_begin and note.contexts_end <= state.contexts_end:
        return None
    return (
        f"holds offsets {state.contexts_begin} to {state.contexts_end}, and what was read of the input went into "
        f"{note.contexts_begin} to {note.contexts_end}: the topic was created anew or cut, and threads lack messages"
    )


_ANEW: Final = "Restore the topic; or begin anew with another TAILRACE_GROUP and another TAILRACE_TOPICS__PREFIX"
#: In the order in which problems have to be dealt with: what to look at, and what to do.
_LOOKS: Final[tuple[tuple[Topic, Callable[[LogState], str | None], str], ...]] = (
    (Topic.CONVERSATIONS, _input_is_another, _ANEW),
    (Topic.CONVERSATIONS, _contexts_are_of_another_log, _ANEW),
    (
        Topic.CONVERSATIONS,
        _input_was_cut,
        (
            "Restore the topic if you can. To go on without what is lost, with all workers stopped: "
            "tailrace topics accept-loss"
        ),
    ),
    (Topic.CONTEXTS, _contexts_are_unfinished, "With all workers stopped, run: tailrace rebuild contexts"),
    (Topic.CONTEXTS, _contexts_were_lost, "With all workers stopped, run: tailrace rebuild contexts"),
)
