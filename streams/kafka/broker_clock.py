"""The clock of the Kafka cluster, read without writing anything.

Kafka has no request for the time. But a KRaft cluster that is asked for the state of its quorum stamps its leader's own
line with the time of the answer (KIP-836), and that is the cluster's clock. aiokafka doesn't know this request.
"""

import time
from typing import Any, Final

import structlog
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import IncompatibleBrokerVersion, KafkaError, NoError, for_code
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import CompactArray, CompactString, Int16, Int32, Int64, Schema, TaggedFields
from msgspec import Struct

from tailrace.schemas.errors import Unavailable
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings

log = structlog.get_logger("tailrace.clock")

#: Clocks that NTP keeps are closer than this.
WORTH_TELLING_MS: Final = 1_000
_METADATA_TOPIC: Final = "__cluster_metadata"
_TAGS: Final = ("tags", TaggedFields)


class Skew(Struct, frozen=True, kw_only=True):
    """How far the cluster's clock is ahead of ours, give or take `error_ms`, the time the question took."""

    ahead_ms: int
    error_ms: int


class BrokerClock:
    """The cluster's clock, as ours and their difference tell it.

    Either may be set while we run: so it is measured again and again.
    """

    __slots__ = ("ahead_ms",)

    def __init__(self, ahead_ms: int = 0) -> None:
        """Begin with this difference: until it is measured, none."""
        self.ahead_ms = ahead_ms

    def now_ms(self) -> int:
        """Read it."""
        return _own_ms() + self.ahead_ms

    async def set(self, settings: Settings) -> bool:
        """Measure the difference, which stays as it is where nobody answers.

        Returns False where the cluster doesn't tell its time.
        """
        try:
            async with clients.admin(settings) as client:
                skew = await measure_skew(client)
        except (KafkaError, Unavailable, OSError) as error:
            log.warning("clock.unknown", error=repr(error))
            return True
        if skew is None:
            log.info("clock.own", reason="the cluster doesn't tell its time: no KRaft, or no permission")
            return False
        # Rather too little: what is early by the cluster's clock would have to be done again.
        ahead_ms = skew.ahead_ms - skew.error_ms
        if abs(ahead_ms - self.ahead_ms) >= WORTH_TELLING_MS:
            log.warning("clock.moved", ahead_ms=ahead_ms, before_ms=self.ahead_ms)
        self.ahead_ms = ahead_ms
        return True


async def measure_skew(client: AIOKafkaAdminClient) -> Skew | None:
    """Return the difference of the clocks; None where the cluster has no quorum to ask, or doesn't let us ask it."""
    before_ms = _own_ms()
    try:
        response = await client._send_request(_DescribeQuorum())  # noqa: SLF001  aiokafka has no public way for requests of others
    except (IncompatibleBrokerVersion, NotImplementedError):
        return None
    after_ms = _own_ms()
    cluster_ms = _leader_time_ms(response)
    if cluster_ms is None:
        return None
    return Skew(ahead_ms=cluster_ms - (before_ms + after_ms) // 2, error_ms=(after_ms - before_ms + 1) // 2)


def _own_ms() -> int:
    return time.time_ns() // 1_000_000


def _leader_time_ms(response: Any) -> int | None:
    if for_code(response.error_code) is not NoError:
        return None
    for _topic, partitions, _ in response.topics:
        for _index, code, leader, _epoch, _watermark, voters, _observers, _ in partitions:
            if for_code(code) is not NoError:
                return None
            for replica, _end, _fetched_ms, caught_up_ms, _ in voters:
                if replica == leader and caught_up_ms > 0:
                    return int(caught_up_ms)
    return None


_REPLICAS: Final = CompactArray(
    ("replica_id", Int32),
    ("log_end_offset", Int64),
    ("last_fetch_timestamp", Int64),
    ("last_caught_up_timestamp", Int64),
    _TAGS,
)


class _DescribeQuorumResponse(Response):  # type: ignore[misc]  # aiokafka ships no types
    API_KEY = 55
    API_VERSION = 1
    SCHEMA = Schema(
        ("error_code", Int16),
        (
            "topics",
            CompactArray(
                ("topic_name", CompactString("utf-8")),
                (
                    "partitions",
                    CompactArray(
                        ("partition_index", Int32),
                        ("error_code", Int16),
                        ("leader_id", Int32),
                        ("leader_epoch", Int32),
                        ("high_watermark", Int64),
                        ("current_voters", _REPLICAS),
                        ("observers", _REPLICAS),
                        _TAGS,
                    ),
                ),
                _TAGS,
            ),
        ),
        _TAGS,
    )


class _DescribeQuorumRequest(RequestStruct):  # type: ignore[misc]  # aiokafka ships no types
    API_KEY = 55
    API_VERSION = 1
    FLEXIBLE_VERSION = True
    RESPONSE_TYPE = _DescribeQuorumResponse
    SCHEMA = Schema(
        (
            "topics",
            CompactArray(
                ("topic_name", CompactString("utf-8")),
                ("partitions", CompactArray(("partition_index", Int32), _TAGS)),
                _TAGS,
            ),
        ),
        _TAGS,
    )


class _DescribeQuorum(Request[_DescribeQuorumRequest]):  # type: ignore[misc]  # aiokafka ships no types
    API_KEY = 55

    def build(self, request_struct_class: type[_DescribeQuorumRequest]) -> _DescribeQuorumRequest:
        return request_struct_class([(_METADATA_TOPIC, [(0, {})], {})], {})
