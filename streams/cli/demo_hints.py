"""What the demo suggests to type next. Each line is tried by a test while a demo runs, and fits into 80 columns."""

import shlex
from pathlib import Path
from typing import Final

from tailrace.streams.demo.place import DemoPlace
from tailrace.streams.demo.process import DemoProcesses

#: The conversation with the most to tell.
_THREAD: Final = "coding-agent"


def hints(place: DemoPlace, processes: DemoProcesses) -> str:
    """Return the lines to type in another terminal."""
    door = processes.door.address
    return f"""
An agent that is given one of these becomes a thread here, and fits its window:
OPENAI_BASE_URL={door}/v1
ANTHROPIC_BASE_URL={door}

Type in another terminal, this first: it makes commands mean the demo
  . {short_path(place.environment_file)}

  tailrace context {_THREAD}                 what its model would be sent now
  tailrace history {_THREAD}                 what was compacted, when, why
  tailrace plan {_THREAD} --force --no-diff  what a compaction would do
  tailrace recall 'fold repeated lines'         what was said, also long ago
  tailrace watch --since 10m                    what happens to all, live
  tailrace publish --thread hello --text hi && tailrace context hello
  curl -s {door}/v1/threads/{_THREAD}/context
  curl -s {processes.worker.address}/metrics | grep ^tailrace_events_total

Ctrl-C ends the demo.
"""


def short_path(path: Path) -> str:
    """Return a path as a shell takes it, with ~ for the home folder where nothing has to be quoted."""
    text = str(path)
    home = str(Path.home())
    if text.startswith(f"{home}/") and shlex.quote(text) == text:
        return f"~{text.removeprefix(home)}"
    return shlex.quote(text)
