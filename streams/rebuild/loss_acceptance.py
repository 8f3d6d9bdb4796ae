"""Goes on behind input that was deleted before it was read.

Somebody has decided that it is lost, and that is kept on record.
"""

import time

import msgspec
from msgspec import Struct

from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.commit_note import CommitNote
from tailrace.streams.topics.group_commit import commit_for_group
from tailrace.streams.topics.log_problems import LogState
from tailrace.streams.topics.log_states import log_states
from tailrace.streams.topics.topic_plan import problems


class Loss(Struct, frozen=True, kw_only=True):
    """Input of one partition that nobody will read."""

    topic: str
    partition: int
    first_offset: int
    last_offset: int

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"{self.topic}: partition {self.partition}: offsets {self.first_offset} to {self.last_offset} are lost; "
            f"workers go on at offset {self.last_offset + 1}"
        )


async def accept_loss(settings: Settings) -> list[Loss]:
    """Move the group to where each log begins now, and return what is lost by that.

    It is written to `lifecycle` and into the group's notes, from where workers show it as a metric. Raises Unavailable
    while workers run, and ConfigError where the topics can't be worked with at all.
    """
    existing = await topic_admin.describe(settings)
    topic_admin.refuse(problems(existing, settings), settings)
    states = await log_states(settings, topic_admin.partitions_of(existing))
    cut = [state for state in states if state.cut_records]
    await commit_for_group(settings, {state.partition: (state.input_begin, _note(state)) for state in cut})
    losses = [_loss(state, settings) for state in cut]
    # Behind the commit, which is refused while workers run: the trail must not tell of what was not done.
    async with clients.producer(settings, acks="all", enable_idempotence=True) as producer:
        for state, loss in zip(cut, losses, strict=True):
            record = encode(_event(loss, settings), _note(state).term)
            topic = settings.topic(Topic.LIFECYCLE)
            await producer.send_and_wait(
                topic, record.value, record.key, partition=state.partition, headers=list(record.headers)
            )
    return losses


def _loss(state: LogState, settings: Settings) -> Loss:
    return Loss(
        topic=settings.topic(Topic.CONVERSATIONS),
        partition=state.partition,
        first_offset=state.committed or 0,
        last_offset=state.input_begin - 1,
    )


def _note(state: LogState) -> CommitNote:
    before = state.note or CommitNote(contexts_begin=state.contexts_begin, contexts_end=state.contexts_end)
    return msgspec.structs.replace(before, lost_records=before.lost_records + state.cut_records)


def _event(loss: Loss, settings: Settings) -> LifecycleEvent:
    name = f"lost/{loss.topic}/{loss.partition}/{loss.first_offset}-{loss.last_offset}"
    return LifecycleEvent(
        version=1,
        id=name,
        kind=LifecycleKind.LOST,
        # It is about all threads of the partition, and which messages were lost nobody knows.
        thread="",
        tenant=DEFAULT_TENANT,
        trigger=Trigger.MANUAL,
        event_id=name,
        offset=loss.first_offset,
        before_tokens=0,
        after_tokens=0,
        limit_tokens=0,
        policy_version=settings.compaction_policy.hash,
        reason=str(loss),
        at_ms=time.time_ns() // 1_000_000,
    )
