"""What moves: the client, the worker and the command line.

`from tailrace.streams import Client` is the way in from Python, `SyncClient` the same without an event loop, `compact`
the one that needs no broker. The names here are loaded when they are first used, so that importing one module of this
package stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tailrace.agents.engine.offline import MessageInput
    from tailrace.agents.engine.request import Injection
    from tailrace.streams.client.client import Client
    from tailrace.streams.client.context import Context, ContextSource
    from tailrace.streams.client.publication import Published
    from tailrace.streams.client.sync_client import SyncClient
    from tailrace.streams.library.compact import Compacted, compact

__all__ = [
    "Client",
    "Compacted",
    "Context",
    "ContextSource",
    "Injection",
    "MessageInput",
    "Published",
    "SyncClient",
    "compact",
]

_MODULES: Final = {
    "Client": "tailrace.streams.client.client",
    "Compacted": "tailrace.streams.library.compact",
    "Context": "tailrace.streams.client.context",
    "ContextSource": "tailrace.streams.client.context",
    "Injection": "tailrace.agents.engine.request",
    "Published": "tailrace.streams.client.publication",
    "MessageInput": "tailrace.agents.engine.offline",
    "SyncClient": "tailrace.streams.client.sync_client",
    "compact": "tailrace.streams.library.compact",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)
