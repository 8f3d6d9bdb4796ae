"""One partition of `requests`: what follows from its contexts, and what of it the topic does not have yet."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import OverBudget, Unsendable
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.request_record import RequestRecord
from tailrace.streams.client.context import context_of
from tailrace.streams.client.context_partition import ContextPartition

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(slots=True)
class WrittenRequests:
    """The threads of a partition, and a hash of the last record that was written of each."""

    policy: Policy
    format: Format
    contexts: ContextPartition = field(default_factory=lambda: ContextPartition(keep_all=True))
    _changed: dict[str, None] = field(default_factory=dict)
    _written: dict[str, bytes] = field(default_factory=dict)

    def note_written(self, record: ConsumerRecord) -> None:
        """Take into account what the topic has of a thread."""
        if record.key is not None and record.value is not None:
            self._written[record.key.decode(errors="replace")] = _hash(record.value)

    def take(self, record: ConsumerRecord) -> None:
        """Take a record of the contexts into account."""
        thread = self.contexts.take(record)
        if thread is not None:
            self._changed[thread] = None

    def due(self) -> Iterator[tuple[str, bytes]]:
        """Yield thread and value of each record that is to be written, once."""
        changed, self._changed = self._changed, {}
        for thread in changed:
            view = self.contexts.view.threads.get(thread)
            if view is None or view.head is None or thread in self.contexts.unreadable:
                continue
            value = _encode(self._record(thread))
            if self._written.get(thread) != (digest := _hash(value)):
                self._written[thread] = digest
                yield thread, value

    def _record(self, thread: str) -> RequestRecord:
        view = self.contexts.view.threads[thread]
        context = context_of(thread, view, self.policy, message_format=self.format)
        problem = None
        try:
            request = context.request()
        except (OverBudget, Unsendable) as error:
            problem, request = str(error), context.request(check=False)
        return RequestRecord(
            thread=thread,
            tenant=context.tenant,
            model=context.model,
            format=self.format,
            request=request,
            problem=problem,
            tokens=context.tokens,
            limit_tokens=context.limit_tokens,
            epoch=context.epoch,
            covers_through=context.covers_through,
        )


def _hash(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=16).digest()
