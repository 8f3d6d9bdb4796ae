"""Where a client logs to: it is a guest in somebody's application, and must not write to its standard output."""

import logging
import sys
from dataclasses import dataclass
from typing import Any


def client_log(name: str = "tailrace.client") -> Any:
    """Return the logger: the application's structlog where it has set one up, else standard logging."""
    # Not imported for this alone: it brings rich along, and takes longer than all the rest of the client.
    structlog = sys.modules.get("structlog")
    if structlog is not None and structlog.is_configured():
        return structlog.get_logger(name)
    return _StandardLog(logging.getLogger(name))


@dataclass(frozen=True, slots=True)
class _StandardLog:
    """Events with fields as lines of standard logging: `event='client.fallback' thread='t1'`."""

    logger: logging.Logger

    def info(self, event: str, **fields: object) -> None:
        """Log what happened."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log what should not have happened, and needs nobody."""
        self._log(logging.WARNING, event, fields)

    def _log(self, level: int, event: str, fields: dict[str, object]) -> None:
        if self.logger.isEnabledFor(level):
            self.logger.log(
                level, "%s", " ".join(f"{key}={value!r}" for key, value in {"event": event, **fields}.items())
            )
