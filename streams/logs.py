"""Structured logs: one event with fields on each line, for our own code and for Faust's. Never any message text."""

import logging
import sys
from typing import Any

import structlog

from tailrace.streams.settings import LogSettings

#: Loggers of libraries that say at INFO what nobody needs, or quote records.
_QUIET = {
    "aiokafka": logging.WARNING,
    "faust": logging.WARNING,
    "mode": logging.WARNING,
    "tailrace.streams.faust_app": logging.WARNING,
    "uvicorn": logging.WARNING,
}


def configure(settings: LogSettings) -> None:
    """Send everything to standard error, as JSON unless a person is looking."""
    readable = settings.format == "text" or (settings.format == "auto" and sys.stderr.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer() if readable else structlog.processors.JSONRenderer()
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level.upper())
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(max(level, root.level))
