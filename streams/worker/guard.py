"""What keeps a worker from going on where something of the log was lost.

It looks at its start and at each assignment.
"""

from collections.abc import Collection, Mapping

import msgspec

from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.commit_note import CommitNote, CommitNotes
from tailrace.streams.topics.log_problems import LogState, log_problems
from tailrace.streams.topics.log_states import log_states
from tailrace.streams.worker.commit import OwnedPartition
from tailrace.streams.worker.exit import ExitCode, fail_stop


class Guard:
    """Compares what the group has committed with what the topics hold, and keeps the notes for the next owner."""

    def __init__(self, settings: Settings) -> None:
        """Own nothing yet."""
        self._settings = settings
        self.notes = CommitNotes()
        self._states: dict[int, LogState] = {}

    async def admit(self) -> int:
        """Return how many partitions there are. Raises ConfigError where a worker must not run on the topics."""
        partitions = await topic_admin.usable_partitions(self._settings)
        states = await log_states(self._settings, range(partitions))
        topic_admin.refuse(log_problems(states, self._settings), self._settings)
        return partitions

    async def look(self, partitions: Collection[int]) -> None:
        """Look at partitions that are about to be ours. Ends the process where something of them is lost."""
        states = await log_states(self._settings, partitions)
        self._refuse(states)
        self._states = {state.partition: state for state in states}

    async def compare(self, recovered: Mapping[int, OwnedPartition]) -> dict[int, int]:
        """Compare the contexts that were read with the log. Ends the process where they are of another one.

        Returns where the input of partitions ends of which a record claims more: no worker wrote that, so they have to
        be read again without it. An event whose record is left out wrongly, because it came in between, is processed
        again, to the same end.
        """
        covered = {partition: _covered(owned) for partition, owned in recovered.items()}
        doubted = [partition for partition, offset in covered.items() if offset >= self._states[partition].input_end]
        # The log may have grown since it was looked at, and a former owner may have processed that.
        states = await log_states(self._settings, doubted)
        self._refuse([msgspec.structs.replace(state, covered=covered[state.partition]) for state in states])
        return {state.partition: state.input_end for state in states if covered[state.partition] >= state.input_end}

    def own(self, partitions: Mapping[int, OwnedPartition]) -> dict[int, int]:
        """Begin notes for partitions that are ours now; return how many records each of them has lost for good."""
        notes = {partition: _note(state, partitions[partition].term) for partition, state in self._states.items()}
        self.notes.own(notes)
        return {partition: note.lost_records for partition, note in notes.items()}

    def _refuse(self, states: Collection[LogState]) -> None:
        problems = log_problems(states, self._settings)
        if problems:
            fail_stop(ExitCode.CONFIG, "topics.unusable", problems=[str(problem) for problem in problems])


def _covered(owned: OwnedPartition) -> int:
    return max((view.covers.offset for view in owned.view.threads.values() if view.covers is not None), default=-1)


def _note(state: LogState, term: int) -> CommitNote:
    return CommitNote(
        contexts_begin=state.contexts_begin,
        contexts_end=state.contexts_end,
        term=term,
        lost_records=state.note.lost_records if state.note is not None else 0,
    )
