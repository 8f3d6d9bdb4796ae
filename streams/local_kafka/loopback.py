"""Ports on loopback, the only address that what we start on this machine listens on."""

import random
import socket
from typing import Final

from tailrace.schemas.errors import Unavailable

HOST: Final = "127.0.0.1"

# Below the range that outgoing connections take their ports from. Inside it, a client that retries while the
# broker restarts may be given the broker's own port: it connects to itself, and the broker can't come back.
_FREE_PORTS: Final = range(20_000, 30_000)
_TRIES_MAX: Final = 200


def free_port() -> int:
    """Return a port that nobody listens on, outside the range of outgoing connections."""
    for port in random.sample(_FREE_PORTS, k=_TRIES_MAX):
        if port_is_free(port):
            return port
    raise Unavailable(f"No free port found on {HOST} between {_FREE_PORTS.start} and {_FREE_PORTS.stop - 1}")


def port_is_free(port: int) -> bool:
    """Whether a server could listen on this port now."""
    with socket.socket() as probe:
        # As servers do: a port whose last connections linger in TIME_WAIT is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
