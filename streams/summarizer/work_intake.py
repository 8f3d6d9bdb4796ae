"""From a record of the `work` topic to a request, or to a dead letter."""

from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import Invalid, PoisonEvent, TailraceError, UnknownVersion
from tailrace.schemas.ingest import event_type
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import WORK_TYPE, decode_work
from tailrace.schemas.records.work import WorkRequest


def read_request(record: ConsumerRecord) -> WorkRequest:
    """The request in a record. Raises a PoisonEvent that says what is wrong."""
    if event_type(record) != WORK_TYPE:
        raise UnknownVersion(f"ce_type is not {WORK_TYPE!r}, which is what this release reads")
    if not record.value:
        raise Invalid("the value is empty; it must be a request")
    try:
        request = decode_work(record.value)
    except PoisonEvent as error:
        raise type(error)(f"not a request: {error}") from error
    if not request.messages or request.tokens_max < 1:
        raise Invalid("a request has messages to read, and room for an answer")
    return request


def dead_letter(record: ConsumerRecord, error: TailraceError) -> DeadLetter:
    """Letter about a request that was not answered; `tailrace dlq replay` sends it back to be tried again."""
    return DeadLetter(
        key=record.key,
        value=record.value,
        headers=tuple(record.headers),
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        code=error.code if isinstance(error, PoisonEvent) else "unanswered",
        error=f"{type(error).__module__}.{type(error).__name__}",
        message=str(error),
    )
