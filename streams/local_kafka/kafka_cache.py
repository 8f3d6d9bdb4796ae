"""Keeps the jars of the local broker in a cache folder and fills it from Maven's repository through jgo.

jgo alone is not enough: it only warns about a wrong checksum, leaves half a file behind when it is interrupted, and its
`build` fetches a whole Java 11 to look into the jars. So every file is fetched into a side folder, compared with its
pinned SHA-256 and only then renamed into place: a file in the cache is a right file, and a second try goes on where the
first stopped.
"""

import hashlib
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tailrace.schemas.errors import Unavailable
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.local_kafka.kafka_jars import JARS, KAFKA_VERSION, Jar

_ATTEMPTS_MAX: Final = 3
# Half of the time of a small file is waiting for the server; eight at once fill a home connection.
_DOWNLOADS_AT_ONCE: Final = 8
_REQUEST_SECONDS_MAX: Final = 30
# Another process may be downloading over a slow line: 45 MB at 0.3 Mbit/s.
_LOCK_SECONDS_MAX: Final = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadProgress:
    """How far a download is; the totals are what is missing, not what is cached."""

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int


def jars_dir(cache_dir: Path) -> Path:
    """Return the folder of this Kafka version inside the cache."""
    return cache_dir.expanduser().absolute() / f"kafka-{KAFKA_VERSION}"


def missing_jars(cache_dir: Path) -> tuple[Jar, ...]:
    """Return the jars that are not in the cache yet; a file of the wrong size counts as missing."""
    folder = jars_dir(cache_dir)
    return tuple(jar for jar in JARS if _size_bytes(folder / jar.file_name) != jar.size_bytes)


def classpath(
    cache_dir: Path,
    *,
    on_download: Callable[[DownloadProgress], None] = lambda _: None,
    on_notice: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Return the paths of all jars, after downloading the missing ones; needs no network once they are there.

    Raises Unavailable when a jar can't be had or is not the pinned one.
    """
    folder = jars_dir(cache_dir)
    if missing_jars(cache_dir):
        waiting = f"Waiting for another process that is filling {folder}"
        with exclusive(folder / "lock", seconds_max=_LOCK_SECONDS_MAX, on_wait=lambda: on_notice(waiting)):
            # Asked again: the process we waited for may have done all the work.
            if missing := missing_jars(cache_dir):
                _download(missing, folder, on_download)
    return tuple(folder / jar.file_name for jar in JARS)


def _download(jars: tuple[Jar, ...], folder: Path, on_download: Callable[[DownloadProgress], None]) -> None:
    incoming_dir = folder / "incoming"
    shutil.rmtree(incoming_dir, ignore_errors=True)
    meter = _Meter(jars, on_download)
    context = _maven_context(incoming_dir, meter)
    with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE, thread_name_prefix="kafka-jars") as pool:
        futures = [pool.submit(_download_one, jar, context, folder) for jar in jars]
        try:
            for jar, future in zip(jars, futures, strict=True):
                future.result()
                meter.finished(jar)
        finally:
            # After a failure or Ctrl-C, what has not begun need not begin.
            pool.shutdown(cancel_futures=True)
    shutil.rmtree(incoming_dir, ignore_errors=True)


def _download_one(jar: Jar, context: Any, folder: Path) -> None:
    group, name, version = jar.coordinate.split(":")
    artifact = context.project(group, name).at_version(version).artifact()
    reason = ""
    for _ in range(_ATTEMPTS_MAX):
        # jgo takes whatever lies there for the whole file.
        artifact.cached_path.unlink(missing_ok=True)
        try:
            path: Path = artifact.resolve()
        except (OSError, RuntimeError) as error:  # requests' errors are OSErrors; a refused status is a RuntimeError
            reason = str(error)
            continue
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        if sha256 == jar.sha256:
            path.replace(folder / jar.file_name)
            return
        reason = f"its SHA-256 is {sha256}, not {jar.sha256}: a proxy or mirror changed it, or the line broke"
    raise Unavailable(
        f"Can't download {jar.coordinate} for the local Kafka broker: {reason}. Check the network and try again "
        f"(what is "
        "already there is kept), name a mirror in the [repositories] section of jgo's settings, or set TAILRACE_BROKER "
        "to a broker that is running already"
    )


def _maven_context(incoming_dir: Path, meter: "_Meter") -> Any:
    with missing_extras_named():
        # Only here: a cache that is full, or a broker elsewhere, needs no jgo.
        from jgo.config import GlobalSettings  # noqa: PLC0415
        from jgo.constants import MAVEN_CENTRAL_URL  # noqa: PLC0415
        from jgo.maven import MavenContext, PythonResolver  # noqa: PLC0415
    return MavenContext(
        resolver=PythonResolver(progress_callback=meter.track),
        repo_cache=incoming_dir,
        # jgo's own settings file names mirrors; an entry called "central" replaces the public repository.
        remote_repos={"central": MAVEN_CENTRAL_URL} | GlobalSettings.load().repositories,
        timeout=_REQUEST_SECONDS_MAX,
    )


class _Meter:
    """Adds up what several downloads report from their threads."""

    def __init__(self, jars: tuple[Jar, ...], on_download: Callable[[DownloadProgress], None]) -> None:
        self._on_download = on_download
        self._sizes = {jar.file_name: jar.size_bytes for jar in jars}
        self._received = dict.fromkeys(self._sizes, 0)
        self._files_done = 0
        self._lock = threading.Lock()

    @contextmanager
    def track(self, file_name: str, _size_bytes: int) -> Iterator[Callable[[int], None]]:
        """Count one file from zero, again if it is tried again: jgo's callback."""
        with self._lock:
            self._received[file_name] = 0

        def add(count: int) -> None:
            with self._lock:
                self._received[file_name] += count
                self._report()

        yield add

    def finished(self, jar: Jar) -> None:
        """Count one file as whole, whatever was reported for it."""
        with self._lock:
            self._received[jar.file_name] = jar.size_bytes
            self._files_done += 1
            self._report()

    def _report(self) -> None:
        self._on_download(
            DownloadProgress(
                files_done=self._files_done,
                files_total=len(self._sizes),
                bytes_done=sum(self._received.values()),
                bytes_total=sum(self._sizes.values()),
            )
        )


def _size_bytes(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
