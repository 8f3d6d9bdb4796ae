"""A call of somebody else's code in a process of its own, which can be ended from outside whatever that code does.

The process is forked: it has all that the caller has, as it was then, and nothing that it changes is seen by the caller
but the bytes that it answers with. It is ended where it takes too long, by the caller and by an alarm of its own, which
also rings where the caller is gone. That alarm has no handler, so it ends even a regular expression that never returns.
Other threads of the caller don't exist in it: code that waits for one of them takes too long.
"""

import gc
import os
import selectors
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn

#: More than this nobody answers who means it.
ANSWER_BYTES_MAX: Final = 8 << 20
#: What the process may use beside what it has from the beginning: enough for any draft, and little enough for any
#: machine.
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

    Raises TimeoutError where it takes longer, ChildProcessError with what became of the process where it ends without
    an answer, and another OSError where there is no room for a process.
    """
    _flush()  # what waits there would be written twice
    reader, writer = os.pipe()
    try:
        with _process(work, reader, writer, timeout_seconds + ALARM_SECONDS) as process:
            os.close(writer)
            writer = -1
            answer = _read(reader, process, time.monotonic() + timeout_seconds)
    finally:
        os.close(reader)
        if writer >= 0:
            os.close(writer)
    if answer is None:
        raise ChildProcessError(_fate(process.status))
    return answer


class _Process:
    """A process that was forked."""

    def __init__(self, number: int) -> None:
        self.number = number
        #: How it ended; None while it runs, and where somebody else has asked for that.
        self.status: int | None = None

    def end(self) -> None:
        """End it and all that it has started."""
        for kill in (os.killpg, os.kill):  # it may not have come so far as to have a group
            with suppress(ProcessLookupError, PermissionError):
                kill(self.number, signal.SIGKILL)
        with suppress(ChildProcessError):
            self.status = os.waitpid(self.number, 0)[1]


@contextmanager
def _process(work: Callable[[], bytes], reader: int, writer: int, alarm_seconds: float) -> Iterator[_Process]:
    """A process that works, as long as it is wanted."""
    # A signal that came before the process has its own handlers would run the caller's in it; in the caller, it would
    # leave the process alone.
    waiting = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    process: _Process | None = None
    try:
        number = os.fork()
        if number == 0:
            _work_and_exit(work, reader, writer, alarm_seconds)
        process = _Process(number)
        signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
        yield process
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
        if process is not None:
            process.end()


def _read(reader: int, process: _Process, deadline: float) -> bytes | None:
    """The answer; None where the process ends before all of it is there."""
    received = bytearray()
    with selectors.DefaultSelector() as selector, _watch(process) as ended:
        selector.register(reader, selectors.EVENT_READ)
        if ended is not None:
            # The pipe says so too, unless somebody else holds it: what the process has started, or what another thread
            # has forked.
            selector.register(ended, selectors.EVENT_READ)
        while True:
            left_seconds = deadline - time.monotonic()
            ready = {key.fd for key, _ in selector.select(left_seconds)} if left_seconds > 0 else set()
            if not ready:
                raise TimeoutError
            piece = os.read(reader, _READ_BYTES) if reader in ready else b""
            received += piece
            if len(received) >= _LENGTH.size:
                (length,) = _LENGTH.unpack_from(received)
                if len(received) >= _LENGTH.size + length:
                    return bytes(received[_LENGTH.size : _LENGTH.size + length])
                if length > ANSWER_BYTES_MAX:
                    return None
            if not piece:
                return None


@contextmanager
def _watch(process: _Process) -> Iterator[int | None]:
    """What can be waited on for the end of a process; None where the system has no such thing."""
    ended: int | None = None
    with suppress(AttributeError, OSError):
        ended = os.pidfd_open(process.number)
    try:
        yield ended
    finally:
        if ended is not None:
            os.close(ended)


def _fate(status: int | None) -> str:
    number = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0
    if number in (0, signal.SIGKILL):
        return "ended its process without an answer"
    names = {signal_.value: signal_.name for signal_ in signal.Signals}
    return f"its process was ended by {names.get(number, f'signal {number}')}"


def _work_and_exit(work: Callable[[], bytes], reader: int, writer: int, alarm_seconds: float) -> NoReturn:
    """Work in the new process.

    Nothing of the caller's is cleaned up here, and nothing is written twice: it ends at once.
    """
    code = 1
    try:
        os.close(reader)
        _part_from_caller()
        signal.setitimer(signal.ITIMER_REAL, alarm_seconds)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        _bound_memory()
        answer = work()
        _flush()  # what that code has printed
        if len(answer) <= ANSWER_BYTES_MAX:
            _write(writer, _LENGTH.pack(len(answer)) + answer)
            code = 0
    finally:
        os._exit(code)


def _part_from_caller() -> None:
    """Leave the caller's group, handlers, input and output: none of them may be used twice."""
    os.setpgid(0, 0)
    # Whatever garbage there is, its finalizers are the caller's.
    gc.disable()
    signal.set_wakeup_fd(-1)
    for signal_number in signal.valid_signals():
        if signal_number == signal.SIGALRM or callable(signal.getsignal(signal_number)):
            signal.signal(signal_number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if nothing:
        os.close(nothing)
    # Of a command, what it writes there is the answer, and nobody else's to write.
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # there may be none, or one that is closed
            stream.flush()


def _write(writer: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(writer, left) :]


def _bound_memory() -> None:
    """Limit how much more memory the process may use, where the system tells how much it has.

    So the system ends this process, and no other, when a strategy takes too much.
    """
    import resource  # noqa: PLC0415  there is none where nothing can be forked

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = pages * resource.getpagesize() + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *(limit for limit in (soft, hard) if limit >= 0)]), hard))
