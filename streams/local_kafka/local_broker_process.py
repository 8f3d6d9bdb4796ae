"""Starts a process that outlives us, recognises it later and ends it.

A number in a file proves nothing: after a reboot the same pid belongs to something else. A process is ours only if a
path of ours stands on its command line, and nothing that is not ours is ever signalled.
"""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tailrace.streams.files.private import UMASK

_POLL_SECONDS: Final = 0.05
_KILL_SECONDS_MAX: Final = 10

# Children of this very process are asked directly: one that has ended stays a zombie until it is polled, and one that
# has just begun has no command line yet.
_children: dict[int, "subprocess.Popen[bytes]"] = {}


def spawn(command: Sequence[str | Path], *, env: Mapping[str, str], console: Path) -> int:
    """Start the command in a session of its own, where our Ctrl-C doesn't reach it, and return its pid."""
    with console.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603  our own command line
            command,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=UMASK,
        )
    _children[child.pid] = child
    return child.pid


def is_running(pid: int, mark: Path) -> bool:
    """Whether this pid is alive and has the mark on its command line."""
    if pid in _children:
        if _children[pid].poll() is None:
            return True
        del _children[pid]
    return str(mark) in command_line(pid)


def command_line(pid: int) -> tuple[str, ...]:
    """Return the arguments of a process, nothing if it has ended."""
    if Path("/proc/self/cmdline").exists():
        try:
            return tuple(Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="surrogateescape").split("\0"))
        except OSError:
            return ()
    # Without /proc the arguments come as one line; our mark is the last one.
    answer = subprocess.run(  # noqa: S603  ps with a number
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    line = answer.stdout.strip()
    return (line, *(line[at + 1 :] for at, character in enumerate(line) if character == " "))


def terminate(pid: int, mark: Path, *, grace_seconds: float) -> bool:
    """End our process: ask it, and after the grace kill it. Return whether asking was enough."""
    if _signal_and_wait(pid, mark, signal.SIGTERM, grace_seconds):
        return True
    _signal_and_wait(pid, mark, signal.SIGKILL, _KILL_SECONDS_MAX)
    return False


def last_lines(path: Path, count: int) -> list[str]:
    """Return the last lines of a text file, none if there is no file."""
    try:
        with path.open("rb") as file:
            # Enough for any count of log lines we show, whatever the size of the file.
            size_bytes_max = 400 * count
            file.seek(max(0, path.stat().st_size - size_bytes_max))
            return file.read().decode(errors="replace").splitlines()[-count:]
    except OSError:
        return []


def _signal_and_wait(pid: int, mark: Path, number: signal.Signals, seconds_max: float) -> bool:
    deadline = time.monotonic() + seconds_max
    if is_running(pid, mark):
        os.kill(pid, number)
    while is_running(pid, mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
