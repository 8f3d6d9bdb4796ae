"""The line of the audit that says who sent a record, where its headers name somebody."""

from typing import Final

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.ingest import check_id, event_type
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.actor import Actor, actor_of
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, InputRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind

_ID_HEADER: Final = "ce_id"


def sender_line(record: InputRecord, policy: Policy) -> LifecycleEvent | None:
    """Return the line; None where nobody is named, or no thread."""
    actor = actor_of(record.headers) if record.headers else None
    if actor is None:
        return None
    try:
        thread = check_id((record.key or b"").decode(), "thread")
    except (PoisonEvent, UnicodeDecodeError):
        return None
    event_id = next(
        (value.decode(errors="replace") for name, value in record.headers if name == _ID_HEADER and value), ""
    )
    return LifecycleEvent(
        version=1,
        # The offset, because the same message may be sent more than once.
        id=f"{thread}/{event_id}@{record.offset}/{LifecycleKind.RECEIVED}",
        kind=LifecycleKind.RECEIVED,
        thread=thread,
        tenant=actor.tenant,
        trigger=Trigger.MANUAL,
        event_id=event_id,
        offset=record.offset,
        before_tokens=0,
        after_tokens=0,
        limit_tokens=0,
        policy_version=policy.hash,
        reason=_what(record, actor),
        actor=actor.name,
        at_ms=record.timestamp_ms,
    )


def _what(record: InputRecord, actor: Actor) -> str:
    if actor.letter is not None:
        return f"dead letter {actor.letter}, sent again"
    return "a signal" if event_type(record) == SIGNAL_TYPE else "a message"
