"""Commands that read topics, tried on what a dance has left: none may stumble over what the fuzzer wrote."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping

#: They end with 0, or with 1 where a thread can't be shown, and say why.
COMMANDS = (("threads",), ("history", "thread"), ("dlq", "list"), ("cost",), ("rebuild",), ("topics", "check"))
_SECONDS_MAX = 120


async def read_as_users_do(environment: Mapping[str, str]) -> list[str]:
    """Run the commands one after the other. Returns what went wrong."""
    return [problem for words in COMMANDS if (problem := await asyncio.to_thread(_trouble, words, environment))]


def _trouble(words: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    command = [sys.executable, "-m", "tailrace.streams.cli", *words]
    try:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, timeout=_SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        return f"tailrace {' '.join(words)} did not end in {_SECONDS_MAX} s"
    end = done.stderr.decode(errors="replace")[-300:]
    if done.returncode in {0, 1} and "Traceback" not in end:
        return None
    return f"tailrace {' '.join(words)} ended with {done.returncode}: {end}"
