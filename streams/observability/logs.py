"""Structured logs: one event with fields on each line, for our own code and for Faust's. Never any message text."""

import logging
import sys
from typing import Any

import structlog

from tailrace.streams.observability.false_alarms import AlarmFilter
from tailrace.streams.settings.settings import LogSettings

#: Loggers of libraries that say at INFO what nobody needs, or quote records.
_QUIET = {
    "aiokafka": logging.WARNING,
    "faust": logging.WARNING,
    "mode": logging.WARNING,
    "tailrace.streams.worker.faust_app": logging.WARNING,
    "uvicorn": logging.WARNING,
}


#: A library that can't reach the broker says so many times a second; once in a while is enough.
_REPEAT_SECONDS = 30.0


class _Throttle(logging.Filter):
    """Lets a message of a library through once in a while; our own events always."""

    def __init__(self) -> None:
        super().__init__()
        self._said_at: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("tailrace.") and "faust_app" not in record.name:
            return True
        key = (record.name, str(record.msg))
        if record.created - self._said_at.get(key, 0.0) < _REPEAT_SECONDS:
            return False
        self._said_at[key] = record.created
        return True


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
    handler.addFilter(AlarmFilter())
    handler.addFilter(_Throttle())
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
