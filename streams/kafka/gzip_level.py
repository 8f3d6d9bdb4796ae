"""The level of gzip, for programs that send many batches.

aiokafka compresses by gzip at level 9 and takes no other, unlike Kafka's own clients (KIP-390). Level 1 costs a third
of it and makes a worker's batches a fifth larger; readers notice nothing. This can go when aiokafka's producer takes a
level.
"""

import sys
import zlib
from typing import Any, Final

from aiokafka.record.default_records import DefaultRecordBatchBuilder

#: zlib's fastest: each higher level takes more time than its bytes are worth on a worker's way.
GZIP_LEVEL: Final = 1
#: zlib's largest window, with a header and a checksum as gzip has them.
_WINDOW_BITS: Final = 16 + zlib.MAX_WBITS


def gzip_batch(payload: bytes | bytearray | memoryview) -> bytes:
    """Compress a batch. Takes what aiokafka's own function is called with."""
    return zlib.compress(payload, GZIP_LEVEL, _WINDOW_BITS)


def lower_gzip_level() -> None:
    """Let all producers of this process compress at our level.

    Not for a client, which lives in the process of somebody's agent.
    """
    module: Any = sys.modules[DefaultRecordBatchBuilder.__module__]
    module.gzip_encode = gzip_batch
