"""Where a client logs to: it is a guest in somebody's application, and must not write to its standard output."""

import logging
from typing import Any

import structlog


def client_log(name: str = "tailrace.client") -> Any:
    """Return the logger: the application's structlog where it has set one up, else standard logging."""
    if structlog.is_configured():
        return structlog.get_logger(name)
    return structlog.wrap_logger(
        logging.getLogger(name),
        processors=[structlog.stdlib.filter_by_level, structlog.processors.KeyValueRenderer(key_order=["event"])],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
