"""Dead letters: records that could not be processed, key and value untouched, the reason in six headers.

The header names are those of Kafka Streams (KIP-1034), so that tools which know them work here too.
"""

from msgspec import Struct

EXCEPTION_HEADER = "__streams.errors.exception"
MESSAGE_HEADER = "__streams.errors.message"
STACKTRACE_HEADER = "__streams.errors.stacktrace"
TOPIC_HEADER = "__streams.errors.topic"
PARTITION_HEADER = "__streams.errors.partition"
OFFSET_HEADER = "__streams.errors.offset"

ERROR_HEADERS = (
    EXCEPTION_HEADER,
    MESSAGE_HEADER,
    STACKTRACE_HEADER,
    TOPIC_HEADER,
    PARTITION_HEADER,
    OFFSET_HEADER,
)

#: Kafka's headers: names may repeat, values may be null.
Headers = tuple[tuple[str, bytes | None], ...]

#: Reasons may quote what was wrong; a header is no place for all of it.
REASON_CHARACTERS_MAX = 2_000


class DeadLetter(Struct, frozen=True, kw_only=True):
    """A record that could not be processed, as it arrived, and why."""

    key: bytes | None
    value: bytes | None
    headers: Headers
    topic: str
    partition: int
    offset: int
    #: Stable name of the kind of failure: `PoisonEvent.code`.
    code: str
    error: str
    message: str
    #: Where in our code it was refused. Never holds text of the record.
    stacktrace: str = ""

    def to_headers(self) -> Headers:
        """Headers of the dead letter: the original ones, then the six that say what went wrong."""
        original = tuple(header for header in self.headers if header[0] not in ERROR_HEADERS)
        return (
            *original,
            (EXCEPTION_HEADER, self.error.encode()),
            (MESSAGE_HEADER, self.message[:REASON_CHARACTERS_MAX].encode(errors="replace")),
            (STACKTRACE_HEADER, self.stacktrace[:REASON_CHARACTERS_MAX].encode()),
            (TOPIC_HEADER, self.topic.encode()),
            (PARTITION_HEADER, str(self.partition).encode()),
            (OFFSET_HEADER, str(self.offset).encode()),
        )


def original_headers(headers: Headers) -> Headers:
    """Headers that the record had before it became a dead letter."""
    return tuple(header for header in headers if header[0] not in ERROR_HEADERS)
