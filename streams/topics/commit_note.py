"""What a worker notes beside every offset that it commits: where the contexts stood that its state is made of.

Kafka keeps a text with each committed offset. It costs nothing for an event, and it is where the next owner looks
first. So a `contexts` topic that was created anew, or cut at either end, is noticed before anybody works with what is
left of it.
"""

import msgspec
from msgspec import Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Fatal, PoisonEvent


class CommitNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of one partition. Offsets are those of `contexts`."""

    contexts_begin: int = 0
    #: Behind the last record that belongs to what is committed.
    contexts_end: int = 0
    #: The term under which they were written.
    term: int = 0
    #: Input that was cut before it was read, and whose loss somebody has accepted; ever.
    lost_records: int = 0
    #: The contexts are being made again: what is there now is not whole.
    rebuilding: bool = False


_encode = msgspec.json.Encoder().encode
_decode = decoder(CommitNote)


def note_text(note: CommitNote) -> str:
    """The note as Kafka keeps it."""
    return _encode(note).decode()


def read_note(text: str) -> CommitNote | None:
    """The note of a committed offset; None where somebody else has committed it, such as Kafka's own tools."""
    try:
        return _decode(text)
    except PoisonEvent:
        return None


class CommitNotes:
    """The notes of the partitions that are ours, brought up to date by what is delivered."""

    def __init__(self) -> None:
        """Own nothing yet."""
        self._notes: dict[int, CommitNote] = {}

    def own(self, notes: dict[int, CommitNote]) -> None:
        """Begin with these partitions, and with no others."""
        self._notes = notes

    def delivered(self, partition: int, first_offset: int, records: int) -> None:
        """Take in where contexts arrived.

        Raises Fatal where they lie before what was there: the topic is another one.
        """
        note = self._notes.get(partition)
        if note is None or first_offset < 0:
            return  # not ours any more; or a batch that was sent twice, whose first delivery told where it is
        if first_offset < note.contexts_end:
            raise Fatal(
                f"contexts of partition {partition} arrived at offset {first_offset}, before offset "
                f"{note.contexts_end} where "
                "the topic ended: it was created anew, and no longer holds what was written before. "
                "Run: tailrace rebuild contexts"
            )
        self._notes[partition] = msgspec.structs.replace(note, contexts_end=first_offset + records)

    def text(self, partition: int) -> str:
        """What to commit beside an offset of this partition."""
        note = self._notes.get(partition)
        return "" if note is None else note_text(note)
