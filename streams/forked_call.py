"""A call of somebody else's code in a process of its own, which can be ended from outside whatever that code does.

The process is forked: it has all that the caller has, as it was then, and nothing that it changes is seen by the caller but the bytes
that it answers with. It is ended where it takes too long, by the caller and by an alarm of its own, which also rings where the caller is gone. That
alarm has no handler, so it ends even a regular expression that never returns. Other threads of the caller don't exist in it: code that waits for
one of them takes too long.
"""

import gc
import os
import selectors
import signal
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

#: More than this nobody answers who means it.
ANSWER_BYTES_MAX: Final = 64 << 20
#: What the process may use beside what it has from the beginning: enough for any draft, and little enough for any machine.
MEMORY_BYTES: Final = 1 << 30
#: How much later than its caller's patience the alarm of the process rings.
ALARM_SECONDS: Final = 1.0
_READ_BYTES: Final = 1 << 16
_LENGTH: Final = struct.Struct("!Q")


def can_fork() -> bool:
    """Tell whether this system can do it."""
    return hasattr(os, "fork")


def forked(work: Callable[[], bytes], *, timeout_seconds: float) -> bytes:
    """Return what the work returns, done in a process of its own.

    Raises TimeoutError where it takes longer, ChildProcessError with what became of the process where it ends without an answer, and
    another OSError where there is no room for a process.
    """
    for stream in (sys.stdout, sys.stderr):  # what waits there would be written twice
        with suppress(Exception):
            stream.flush()
    reader, writer = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
    if process == 0:
        _work_and_exit(work, reader, writer, timeout_seconds + ALARM_SECONDS)
    os.close(writer)
    try:
        answer = _read(reader, time.monotonic() + timeout_seconds)
    finally:
        os.close(reader)
        status = _end(process)
    if answer is None:
        raise ChildProcessError(_fate(status))
    return answer


def _read(reader: int, deadline: float) -> bytes | None:
    """The answer; None where the process ends before all of it is there."""
    received = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(reader, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            piece = os.read(reader, _READ_BYTES)
            received += piece
            if len(received) >= _LENGTH.size:
                (length,) = _LENGTH.unpack_from(received)
                if len(received) >= _LENGTH.size + length:
                    return bytes(received[_LENGTH.size :])
            if not piece:
                return None


def _end(process: int) -> int | None:
    """End the process, and return how it ended; None where somebody else has asked for that."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    try:
        return os.waitpid(process, 0)[1]
    except ChildProcessError:
        return None


def _fate(status: int | None) -> str:
    if status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
        return f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return "ended its process without an answer"


def _work_and_exit(work: Callable[[], bytes], reader: int, writer: int, alarm_seconds: float) -> NoReturn:
    """Work in the new process. Nothing of the caller's is cleaned up here, and nothing is written twice: it ends at once."""
    code = 1
    try:
        os.close(reader)
        # Whatever garbage there is, its finalizers are the caller's.
        gc.disable()
        # Handlers of the caller would speak for the caller.
        signal.set_wakeup_fd(-1)
        for one in signal.valid_signals():
            if one == signal.SIGALRM or callable(signal.getsignal(one)):
                signal.signal(one, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        signal.setitimer(signal.ITIMER_REAL, alarm_seconds)
        _bound_memory()
        answer = work()
        if len(answer) <= ANSWER_BYTES_MAX:
            _write(writer, _LENGTH.pack(len(answer)))
            _write(writer, answer)
            code = 0
        for stream in (sys.stdout, sys.stderr):  # what that code has printed
            with suppress(Exception):
                stream.flush()
    finally:
        os._exit(code)


def _write(writer: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(writer, left) :]


def _bound_memory() -> None:
    """Let the process use only so much more, where the system tells how much it has: none must be ended for its sake but itself."""
    import resource  # noqa: PLC0415  there is none where nothing can be forked

    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        used_bytes = pages * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = used_bytes + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
