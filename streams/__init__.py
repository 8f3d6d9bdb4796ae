"""What moves: the client, the worker and the command line.

`from tailrace.streams import Client` is the way in from Python. The names here are loaded when they are first used, so
that importing one module of this package stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tailrace.streams.client.client import Client
    from tailrace.streams.client.context import Context, ContextSource
    from tailrace.streams.client.publication import Published

__all__ = ["Client", "Context", "ContextSource", "Published"]

_MODULES: Final = {
    "Client": "tailrace.streams.client.client",
    "Context": "tailrace.streams.client.context",
    "ContextSource": "tailrace.streams.client.context",
    "Published": "tailrace.streams.client.publication",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)
