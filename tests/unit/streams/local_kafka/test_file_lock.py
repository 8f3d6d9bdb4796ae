import subprocess
import sys
from pathlib import Path

import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams.local_kafka.file_lock import exclusive

HOLD = """
import sys
from pathlib import Path
from tailrace.streams.local_kafka.file_lock import exclusive
with exclusive(Path(sys.argv[1]), seconds_max=60):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_held_by_another_process_is_waited_for_and_free_when_that_ends(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "lock"
    waits: list[bool] = []
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Unavailable, match="Another process"), exclusive(path, seconds_max=0.3):
            pass
        # Killed, not asked: the lock must not outlive its holder.
        with exclusive(path, seconds_max=60, on_wait=lambda: (waits.append(True), holder.kill())[0]):
            pass

    assert waits == [True]
