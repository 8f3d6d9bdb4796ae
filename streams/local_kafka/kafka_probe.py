"""Asks a plaintext broker, without a client, whether it is there and leads its partitions.

An open port says little: Kafka listens seconds before it answers, and answers before the partitions it
recovered have a leader. One Metadata request tells all three apart.
"""

import socket
import struct
from dataclasses import dataclass
from io import BytesIO

from aiokafka.protocol.metadata import MetadataRequest_v1, MetadataResponse_v1

_ALL_TOPICS = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a broker says about its cluster."""

    brokers: int
    topics: int
    partitions_without_leader: int

    @property
    def ready(self) -> bool:
        """Whether a client could work now."""
        return self.brokers > 0 and self.partitions_without_leader == 0


def ask_metadata(host: str, port: int, *, seconds_max: float) -> Metadata | None:
    """Return what the broker answers, or None if nobody answers in time."""
    request = MetadataRequest_v1(_ALL_TOPICS)
    payload = request.build_request_header(correlation_id=1, client_id="tailrace-probe").encode() + request.encode()
    try:
        with socket.create_connection((host, port), timeout=seconds_max) as connection:
            connection.sendall(struct.pack(">i", len(payload)) + payload)
            with connection.makefile("rb") as stream:
                (size_bytes,) = struct.unpack(">i", stream.read(4))
                answer = BytesIO(stream.read(size_bytes))
        request.parse_response_header(answer)
        response = MetadataResponse_v1.decode(answer)
    except (OSError, struct.error, ValueError):
        return None
    leaders = [partition[2] for topic in response.topics for partition in topic[3]]
    return Metadata(
        brokers=len(response.brokers), topics=len(response.topics), partitions_without_leader=leaders.count(-1)
    )
