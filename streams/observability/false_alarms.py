"""What Faust, mode and aiokafka log as errors although nobody has to act.

An error in our log means that somebody has to act. These libraries also use that word for what belongs to a rebalance,
a broker that starts again or a coordinator that moves, and try again themselves. Where trying again doesn't help, the
watchdog ends the worker and says so. Each line of the table names the place upstream and why it passes; it can go when
that place logs a warning. Whoever adds one looks the place up first.
"""

import logging
import ssl
from dataclasses import dataclass
from typing import Final

from aiokafka.errors import KafkaError


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """One place that logs an error, by its logger and by what stands in the message before values are put into it."""

    logger: str
    says: str
    #: Module and function upstream.
    place: str
    reason: str
    #: The errors in the message are part of a rebalance: that the same call must not be repeated means nothing.
    rejoins: bool = False

    def fits(self, record: logging.LogRecord) -> bool:
        """Tell whether this record comes from the place, and tells of nothing that will not pass."""
        if record.name != self.logger or self.says not in str(record.msg):
            return False
        return self.rejoins or not any(_stays(value) for value in _values(record))


_CLIENT: Final = "aiokafka"
_GROUP: Final = "aiokafka.consumer.group_coordinator"
_FETCHER: Final = "aiokafka.consumer.fetcher"
_COORDINATOR: Final = f"{_GROUP}:GroupCoordinator"

FALSE_ALARMS: Final = (
    FalseAlarm(
        _CLIENT,
        'Unable connect to "%s:%s"',
        "aiokafka.client:AIOKafkaClient.bootstrap",
        "the next broker is asked; where none answers, the command says so",
    ),
    FalseAlarm(
        _CLIENT,
        "Unable connect to node with id",
        "aiokafka.client:AIOKafkaClient._get_conn",
        "a broker that starts again; whoever wanted the connection tries again",
    ),
    FalseAlarm(
        _CLIENT,
        "Unable to update metadata from",
        "aiokafka.client:AIOKafkaClient._metadata_update",
        "asked again after a moment",
    ),
    FalseAlarm(
        "aiokafka.cluster",
        "Error fetching metadata for topic",
        "aiokafka.cluster:ClusterMetadata.update_metadata",
        "a partition between two leaders",
    ),
    FalseAlarm(
        _GROUP,
        "Group Coordinator Request failed",
        f"{_COORDINATOR}.ensure_coordinator_known",
        "the first moments of a group, or a coordinator that moves: asked again",
    ),
    FalseAlarm(
        _GROUP, "Error sending %s to node %s", f"{_COORDINATOR}._send_req", "the coordinator is looked up again"
    ),
    FalseAlarm(
        _GROUP,
        "Heartbeat session expired",
        f"{_COORDINATOR}._heartbeat_routine",
        "the coordinator is looked up again; the lease guards what is sent meanwhile",
    ),
    FalseAlarm(_GROUP, "Heartbeat send request failed", f"{_COORDINATOR}._do_heartbeat", "sent again"),
    FalseAlarm(
        _GROUP,
        "OffsetCommit failed for group %s due to group",
        f"{_COORDINATOR}._do_commit_offsets",
        "a rebalance came first: what is not committed is replayed",
        rejoins=True,
    ),
    FalseAlarm(
        _GROUP,
        "OffsetCommit failed before join",
        f"{_COORDINATOR}._on_join_prepare",
        "a rebalance came first: what is not committed is replayed",
        rejoins=True,
    ),
    FalseAlarm(
        _GROUP,
        "LeaveGroup request failed",
        f"{_COORDINATOR}._maybe_leave_group",
        "the group finds out after the session timeout",
        rejoins=True,
    ),
    FalseAlarm(_FETCHER, "Failed fetch messages from", f"{_FETCHER}:Fetcher._proc_fetch_request", "fetched again"),
    FalseAlarm(_FETCHER, "Failed fetch offsets from", f"{_FETCHER}:Fetcher._update_fetch_positions", "asked again"),
    FalseAlarm(
        # A service of mode logs under the module of its class.
        "tailrace.streams.worker.faust_app",
        "Thread keepalive is not responding",
        "mode.threads:ServiceThread._keepalive2",
        "a loop was busy for three seconds; the watchdog knows whether there is progress",
    ),
)


class AlarmFilter(logging.Filter):
    """Makes a warning of an error that is none, and leaves it out where not even warnings are wanted."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether the record is to be logged."""
        if record.levelno < logging.ERROR or not any(alarm.fits(record) for alarm in FALSE_ALARMS):
            return True
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return logging.getLogger().isEnabledFor(logging.WARNING)


def _values(record: logging.LogRecord) -> tuple[object, ...]:
    return record.args if isinstance(record.args, tuple) else ()


def _stays(value: object) -> bool:
    """Tell whether this is an error that no second try makes good: a login, a certificate, a permission."""
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, ssl.SSLError) or (issubclass(kind, KafkaError) and not getattr(kind, "retriable", False))
