"""Ways out of a worker. Stopping without an acknowledgement is always safe: the next owner replays.

`fail_stop` ends the process at once, past every `finally`: Faust would acknowledge there what was never processed
(faust#189), and a clean shutdown could hang on what has just failed.
"""

import logging
import os
import sys
from enum import IntEnum
from typing import NoReturn

import structlog

log = structlog.get_logger("tailrace.exit")


class ExitCode(IntEnum):
    """Exit codes of a worker, as sysexits.h names them where it has a name."""

    OK = 0
    #: A bug of ours: something that can't happen did.
    SOFTWARE = 70
    #: Broker, disk or deadline: starting again is expected to help.
    TEMPORARY = 75
    #: Settings or topics that can't work; starting again won't help.
    CONFIG = 78


def fail_stop(code: ExitCode, event: str, **fields: object) -> NoReturn:
    """End the process now, acknowledging nothing."""
    log.critical(event, exit_code=int(code), **fields)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
