"""The letter about a record that can't be processed: what it was, where it was refused, and why."""

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import InputRecord


def dead_letter(record: InputRecord, error: PoisonEvent, value_bytes_max: int) -> DeadLetter:
    """Letter about a record.

    A value that no record of ours can hold stays where it is, in the log that is never edited.
    """
    size_bytes = len(record.value or b"")
    fits = size_bytes <= value_bytes_max
    note = "" if fits else f" (the value of {size_bytes} bytes is only in the source topic)"
    return DeadLetter(
        key=record.key,
        value=record.value if fits else None,
        headers=record.headers,
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        code=error.code,
        error=f"tailrace.schemas.errors.{type(error).__name__}",
        message=f"{error}{note}",
        stacktrace=_where(error),
    )


def _where(error: PoisonEvent) -> str:
    """Place in our code where a record was refused: file names, lines and functions, no values."""
    lines = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        lines.append(f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno} in {code.co_qualname}")
        traceback = traceback.tb_next
    return "\n".join(lines)
