"""Looks at the topics while a worker runs: what becomes of them, neither Faust nor aiokafka says for minutes.

New partitions are read after five, and the records of a topic that is gone are asked for again and again. Here a worker
ends within seconds, with what happened and what to do.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

import structlog

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topic_plan import ExistingTopic, problems
from tailrace.streams.worker.exit import ExitCode, fail_stop

log = structlog.get_logger("tailrace.topics")

#: How often the topics are looked at, and how long a look may take.
LOOK_SECONDS: Final = 10.0
_ANSWER_SECONDS_MAX: Final = 20.0
#: A consumer that has seen its topic gone looks for it again after so long; by itself after five minutes. Longer than
#: two looks, which can say more about what has happened.
METADATA_AGE_MS_MAX: Final = 30_000
#: A change counts once it was seen so often in a row: a command that changes all topics takes a moment.
_SEEN_MIN: Final = 2

_APPLY: Final = "With all workers stopped, run: tailrace topics apply"
#: What to do about a topic that was deleted, where making it again is not all.
_FIXES: Final[dict[Topic, str]] = {
    Topic.CONVERSATIONS: "Restore the topic; or begin anew with another TAILRACE_GROUP and another "
    "TAILRACE_TOPICS__PREFIX",
    Topic.CONTEXTS: f"{_APPLY}, then: tailrace rebuild contexts",
}


@dataclass(frozen=True, slots=True)
class TopicChange:
    """Why a worker can't go on, and what to do."""

    what: str
    fix: str
    #: Whether starting again is all that is to be done.
    start_again: bool = False


def change_of(existing: Mapping[str, ExistingTopic], settings: Settings, partitions: int) -> TopicChange | None:
    """Return what became of the topics since the worker began with so many partitions; None where it can go on."""
    # Kafka takes no partitions away: a topic that has fewer is another one.
    gone = [topic for topic in Topic if _partitions(existing.get(settings.topic(topic))) < partitions]
    if gone:
        names = ", ".join(settings.topic(topic) for topic in gone)
        return TopicChange(f"deleted, or created anew with fewer partitions: {names}", _FIXES.get(gone[0], _APPLY))
    counts = {topic.partitions for topic in existing.values()}
    if counts == {partitions}:
        return None
    most = max(counts)
    if len(counts) == 1:
        what = (
            f"the topics have {most} partitions, and had {partitions}. Messages of a thread may go to another "
            f"partition than "
            "before, and it starts anew there"
        )
        return TopicChange(what, "Nothing: a worker that starts again reads all of them", start_again=True)
    unequal = [
        f"{name} has {topic.partitions}" for name, topic in sorted(existing.items()) if topic.partitions != partitions
    ]
    what = (
        f"all topics had {partitions} partitions, and now {', '.join(unequal)}: what is in the others would stay unread"
    )
    fix = (
        f"Run: TAILRACE_TOPICS__PARTITIONS={most} tailrace topics apply --add-partitions, then start the "
        f"workers again. "
        "This moves threads: those whose messages go to another partition from now on start anew there"
    )
    return TopicChange(what, fix)


def _partitions(topic: ExistingTopic | None) -> int:
    return 0 if topic is None else topic.partitions


async def watch_topics(settings: Settings, partitions: int) -> NoReturn:
    """Look for ever. Ends the process where the topics are no longer those that the worker began with."""
    seen: tuple[TopicChange | None, int] = (None, 0)
    shown: list[str] = []
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS_MAX):
                existing = await topic_admin.describe(settings)
        except Exception as error:  # noqa: BLE001  the watch must outlive what it watches
            log.warning("topics.unknown", error=repr(error))
            continue
        change = change_of(existing, settings, partitions)
        seen = (change, seen[1] + 1 if change == seen[0] else 1)
        if change is not None and seen[1] >= _SEEN_MIN:
            code = ExitCode.TEMPORARY if change.start_again else ExitCode.CONFIG
            fail_stop(code, "topics.changed", what=change.what, do=change.fix)
        # Somebody has changed a topic in a way that this worker bears and the next one that starts doesn't.
        listed = [] if change is not None else [str(problem) for problem in problems(existing, settings)]
        if listed and listed != shown:
            log.error("topics.unusable", problems=listed)
        shown = listed
