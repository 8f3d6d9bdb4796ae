"""The processes of a dance: started, killed, frozen, ended, and started again when they have stopped themselves."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO


@dataclass(slots=True)
class Troupe:
    """Processes, by place, each with its command. A place whose process has ended gets a new one at `revive`."""

    #: What follows behind `tailrace`.
    commands: tuple[tuple[str, ...], ...]
    environment: Mapping[str, str]
    folder: Path
    exits: Counter[str] = field(default_factory=Counter)
    _processes: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    _frozen: set[int] = field(default_factory=set)
    _logs: list[IO[bytes]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.commands)

    def revive(self) -> None:
        """Start a process wherever there is none."""
        for place in range(self.size):
            process = self._processes.get(place)
            if process is None or process.poll() is not None:
                if process is not None:
                    self.exits[f"exit {process.returncode}"] += 1
                self._processes[place] = self._start(place)

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        log = (self.folder / f"process-{place}.log").open("ab")
        self._logs.append(log)
        command = [sys.executable, "-m", "tailrace.streams.cli", *self.commands[place]]
        return subprocess.Popen(command, env={**os.environ, **self.environment}, stdout=log, stderr=log)

    def kill(self, place: int) -> None:
        """SIGKILL: no chance to say anything."""
        self._processes[place].kill()
        self._processes[place].wait()

    def freeze(self, place: int) -> None:
        """SIGSTOP: alive, silent, with whatever it was about to send."""
        self._processes[place].send_signal(signal.SIGSTOP)
        self._frozen.add(place)

    def thaw(self, place: int) -> None:
        """SIGCONT: it wakes up and doesn't know that its partitions are gone."""
        self._processes[place].send_signal(signal.SIGCONT)
        self._frozen.discard(place)

    def end(self, place: int, limit_seconds: float) -> None:
        """SIGTERM: must leave by itself, in time."""
        process = self._processes[place]
        process.terminate()
        try:
            process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            self.exits["did not stop on SIGTERM"] += 1
            process.kill()
            process.wait()

    def close(self, limit_seconds: float) -> None:
        """End all."""
        for place in list(self._frozen):
            self.thaw(place)
        for place, process in self._processes.items():
            if process.poll() is None:
                self.end(place, limit_seconds)
            self.exits[f"exit {process.returncode}"] += 1
        for log in self._logs:
            log.close()
