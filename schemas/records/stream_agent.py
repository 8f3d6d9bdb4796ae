"""What a stream agent reads and writes, as data.

Each says it in its own file, and the page about them is made from it.
"""

from msgspec import Struct

from tailrace.schemas.records.kafka_records import Topic


class StreamAgent(Struct, frozen=True, kw_only=True):
    """One agent on the stream: what makes it act, and the topics that it reads and writes."""

    name: str
    #: When it acts and what it does, in a few words.
    does: str
    reads: tuple[Topic, ...]
    writes: tuple[Topic, ...]
