"""Files and folders for their owner alone: what holds words of conversations, and what holds keys.

Ours are made so from their first byte on, whatever the umask is, and what an earlier release has made is tightened when
it is opened. SQLite gives the files beside a database the mode that the database has.
"""

import os
import stat
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700
GROUP_AND_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
#: Files that SQLite has beside a database.
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
#: What other programs that we start get for their files.
UMASK: Final = GROUP_AND_OTHERS


def make_folder(path: Path) -> None:
    """Make a folder for its owner alone, and those above it that are missing; one that is there is tightened."""
    for folder in (*reversed(path.absolute().parents), path):
        if not folder.exists():
            folder.mkdir(_FOLDER_MODE, exist_ok=True)
    _tighten(path)


def make_database(path: Path) -> None:
    """Make the file of a database, still empty, in a folder of its own; one that is there is tightened."""
    make_folder(path.parent)
    try:
        # Only a new file is opened here: to close one that this process has open elsewhere would end SQLite's locks on
        # it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    except FileExistsError:
        for file in with_beside(path):
            _tighten(file)


def opener(path: str, flags: int) -> int:
    """Open a file that is for its owner alone; to be given to `open`."""
    descriptor = os.open(path, flags, FILE_MODE)
    status = os.fstat(descriptor)
    if is_ours(status) and status.st_mode & GROUP_AND_OTHERS:
        os.fchmod(descriptor, FILE_MODE)
    return descriptor


def _tighten(path: Path) -> None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    # A folder that everybody may write to, as /tmp, is not ours although it may belong to us.
    if is_ours(status) and status.st_mode & GROUP_AND_OTHERS and not status.st_mode & stat.S_ISVTX:
        path.chmod(stat.S_IMODE(status.st_mode) & ~GROUP_AND_OTHERS)


def is_ours(status: os.stat_result) -> bool:
    """Tell whether a file belongs to whom this process runs as."""
    return status.st_uid == os.geteuid()


def with_beside(path: Path) -> list[Path]:
    """Return the files that a database may consist of."""
    return [path.with_name(f"{path.name}{ending}") for ending in _BESIDE]
