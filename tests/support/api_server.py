"""An API process as users start it, for tests: it has a port of its own and is ended when its test is done."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from ops.environment import variables_of
from tailrace.streams.settings.settings import Settings

#: Generous: the machine may be busy with other tests.
WAIT_SECONDS = 120
_LISTENING = re.compile(r"http://[^\s\"]+")


@dataclass(frozen=True, slots=True)
class RunningApi:
    """Where a process listens, and the process."""

    url: str
    process: "subprocess.Popen[str]"

    def client(self, **options: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.url, timeout=WAIT_SECONDS, **options)


def variables(settings: Settings) -> dict[str, str]:
    """Settings as variables of a process."""
    return {
        **variables_of(settings),
        "TAILRACE_CLIENT__CONTEXT_WAIT_MS": str(settings.client.context_wait_ms),
        "TAILRACE_CLIENT__PUBLISH_WAIT_MS": str(settings.client.publish_wait_ms),
        "TAILRACE_POLICY": json.dumps(settings.policy),
        "TAILRACE_API__PORT": "0",
    }


@contextmanager
def running_api(settings: Settings, more: Mapping[str, str] = {}) -> Iterator[RunningApi]:
    """Yield a process that listens, and has read what is there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tailrace.streams.cli", "api"],
        env={**os.environ, **variables(settings), **more},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # Nobody reads on where it listens: keep the pipe from filling up.
        drain = threading.Thread(target=lambda: process.stderr and process.stderr.read(), daemon=True)
        watchdog = threading.Timer(WAIT_SECONDS, process.kill)
        watchdog.start()
        try:
            url = _url(process)
            drain.start()
            while httpx2.get(f"{url}/readyz", timeout=WAIT_SECONDS).status_code != 200:
                time.sleep(0.05)
            watchdog.cancel()
            yield RunningApi(url, process)
        finally:
            watchdog.cancel()
            process.terminate()
            process.wait(WAIT_SECONDS)
            if drain.ident is not None:
                drain.join()


def _url(process: "subprocess.Popen[str]") -> str:
    said = []
    for line in process.stderr or ():
        said.append(line)
        found = _LISTENING.search(line) if "api.listening" in line else None
        if found:
            return found.group()
    raise AssertionError("the API ended before it listened:\n" + "".join(said))
