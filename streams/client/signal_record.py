"""From a signal to the record that travels, checked by the worker's own code before it is sent.

A signal is nothing that was said: no context holds it. Some change what the next context has to be, and that context
waits for them.
"""

import time
from typing import Final

import uuid_utils
from msgspec import Struct

from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, InputRecord
from tailrace.schemas.records.plain_values import json_bytes
from tailrace.schemas.records.signal import (
    Announce,
    AnySignal,
    Compact,
    Overflow,
    SwitchModel,
    signal_of,
    signal_to_json,
)
from tailrace.streams.client.publication import NOWHERE, cloud_event_headers

#: After one of these the context as it was must not be sent any more.
CHANGING: Final = Announce | Compact | Overflow | SwitchModel


class SignalPublication(Struct, frozen=True, kw_only=True):
    """A signal that is ready to send; its record stands nowhere yet."""

    id: str
    thread: str
    record: InputRecord

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it the same signal; a message may have the same id."""
        return "signal", self.thread, self.id

    @property
    def size_bytes(self) -> int:
        """Size of its value."""
        return len(self.record.value or b"")


def make_signal(
    topic: str, thread: str, what: AnySignal, *, tenant: str, signal_id: str | None = None
) -> SignalPublication:
    """Return the signal as a checked record. Raises Invalid where a worker would refuse it for its shape."""
    now_ms = time.time_ns() // 1_000_000
    chosen_id = check_id(signal_id or str(uuid_utils.uuid7()), "id")
    data = signal_to_json(what, check_id(tenant, "tenant"))
    signal_of(data, signal_id=chosen_id, thread=check_id(thread, "thread"), logged_at_ms=now_ms)
    record = InputRecord(
        topic=topic,
        partition=NOWHERE,
        offset=NOWHERE,
        timestamp_ms=now_ms,
        key=thread.encode(),
        value=json_bytes(data),
        headers=cloud_event_headers(SIGNAL_TYPE, chosen_id, thread, now_ms),
    )
    return SignalPublication(id=chosen_id, thread=thread, record=record)
