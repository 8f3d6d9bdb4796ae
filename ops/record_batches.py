"""Builders of batches as aiokafka makes them of records: of a producer that is neither idempotent nor transactional."""

from aiokafka.record.default_records import DefaultRecordBatchBuilder

#: The format of records since Kafka 0.11.
_MAGIC = 2


def batch_builder(
    compression: int = 0, *, batch_bytes_max: int = 1 << 30, kind: type[DefaultRecordBatchBuilder] | None = None
) -> DefaultRecordBatchBuilder:
    """Return an empty builder; `compression` is the number that the protocol has for it."""
    return (kind or DefaultRecordBatchBuilder)(
        magic=_MAGIC,
        compression_type=compression,
        is_transactional=False,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=batch_bytes_max,
    )
