"""What moves: the client, the worker and the command line.

`from tailrace.streams import Client` is the way in from Python, `SyncClient` the same without an event loop, `compact`
the one that needs no broker. The names here are loaded when they are first used, so that importing one module of this
package stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tailrace.streams.extras import missing_extras_named

if TYPE_CHECKING:
    from tailrace.agents.engine.offline import MessageInput
    from tailrace.agents.engine.request import Injection
    from tailrace.streams.client.client import Client
    from tailrace.streams.client.context import Context, ContextSource
    from tailrace.streams.client.publication import Published
    from tailrace.streams.client.sync_client import SyncClient
    from tailrace.streams.http_client.async_client import AsyncHttpClient
    from tailrace.streams.http_client.client import HttpClient
    from tailrace.streams.library.compact import Compacted, compact

__all__ = [
    "AsyncHttpClient",
    "Client",
    "Compacted",
    "Context",
    "ContextSource",
    "HttpClient",
    "Injection",
    "MessageInput",
    "Published",
    "SyncClient",
    "compact",
]

_MODULES: Final = {
    "AsyncHttpClient": "tailrace.streams.http_client.async_client",
    "Client": "tailrace.streams.client.client",
    "Compacted": "tailrace.streams.library.compact",
    "Context": "tailrace.streams.client.context",
    "ContextSource": "tailrace.streams.client.context",
    "HttpClient": "tailrace.streams.http_client.client",
    "Injection": "tailrace.agents.engine.request",
    "Published": "tailrace.streams.client.publication",
    "MessageInput": "tailrace.agents.engine.offline",
    "SyncClient": "tailrace.streams.client.sync_client",
    "compact": "tailrace.streams.library.compact",
}


#: Names that need more than a client brings.
_EXTRAS: Final = {"AsyncHttpClient": "http", "HttpClient": "http"}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with missing_extras_named(_EXTRAS.get(name)):
        return getattr(import_module(module), name)
