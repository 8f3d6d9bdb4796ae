"""Says on a record who sends it, for the audit."""

from typing import TypeVar

from msgspec.structs import replace

from tailrace.schemas.records.actor import Actor, signed
from tailrace.streams.client.publication import Publication
from tailrace.streams.client.signal_record import SignalPublication

_Sent = TypeVar("_Sent", Publication, SignalPublication)


def sent_by(publication: _Sent, actor: Actor | None) -> _Sent:
    """What is published with the name of whoever publishes it; as it is for nobody."""
    if actor is None:
        return publication
    record = publication.record
    return replace(publication, record=replace(record, headers=signed(record.headers, actor)))
