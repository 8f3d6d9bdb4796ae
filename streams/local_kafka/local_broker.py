"""A one-node Apache Kafka on this machine, without Docker or Maven.

For development, the demo and the tests: broker and controller in one Java process, on loopback only, detached from the
command that started it. Its records outlive it. Production brings its own broker.
"""

import base64
import os
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Final

import msgspec

from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import UMASK, make_folder
from tailrace.streams.local_kafka import local_broker_process as processes
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.local_kafka.java import find_java
from tailrace.streams.local_kafka.kafka_cache import DownloadProgress, classpath
from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION
from tailrace.streams.local_kafka.kafka_probe import ask_metadata
from tailrace.streams.local_kafka.local_broker_files import BrokerFiles, BrokerMemory, read_memory, write_files
from tailrace.streams.local_kafka.loopback import HOST, free_port, port_is_free

DEFAULT_PORT: Final = 19092

# Three seconds on an idle machine; a loaded one with many partitions to recover may take a minute.
_START_SECONDS_MAX: Final = 180
_STOP_SECONDS_MAX: Final = 30
# Somebody else's start may include the download.
_LOCK_SECONDS_MAX: Final = 1800
_PROBE_SECONDS_MAX: Final = 5
_POLL_SECONDS: Final = 0.1
_LOG_LINES_SHOWN: Final = 12

_JVM_OPTIONS: Final = (
    "-Xms128m",
    "-Xmx512m",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    # Without the second compiler. Measured on two cores: ready in 4.3 s instead of 7.7, and less CPU taken from the
    # workers beside it; consuming peaks a fifth lower, at 150,000 records/s, still more than Python workers take.
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djava.awt.headless=true",
)

Notice = Callable[[str], None]
OnDownload = Callable[[DownloadProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalBroker:
    """Which broker is meant: the folder of its data, the port if it matters, and the cache that Kafka's jars go to.

    Without a port it comes back where it was last, or on DEFAULT_PORT, or if that is taken on a free one.
    """

    data_dir: Path
    cache_dir: Path
    port: int | None = None

    @property
    def files(self) -> BrokerFiles:
        """Where everything of this broker lies, by its one real path: the running process is recognised by it."""
        return BrokerFiles(data_dir=self.data_dir.expanduser().resolve())


class BrokerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a local broker; `ready` means that it answers and leads all its partitions."""

    running: bool
    ready: bool
    pid: int | None
    bootstrap_servers: str | None
    port: int | None
    controller_port: int | None
    version: str
    data_dir: str
    log_file: str


def status(broker: LocalBroker) -> BrokerStatus:
    """Return whether the broker runs, where, and where its files are."""
    files = broker.files
    pid, memory = _running_pid(files), read_memory(files)
    metadata = ask_metadata(HOST, memory.port, seconds_max=_PROBE_SECONDS_MAX) if memory and pid else None
    return BrokerStatus(
        running=pid is not None,
        ready=metadata is not None and metadata.ready,
        pid=pid,
        bootstrap_servers=f"{HOST}:{memory.port}" if memory and pid else None,
        port=memory.port if memory else None,
        controller_port=memory.controller_port if memory else None,
        version=KAFKA_VERSION,
        data_dir=str(files.data_dir),
        log_file=str(files.log),
    )


def start(
    broker: LocalBroker, *, on_notice: Notice = lambda _: None, on_download: OnDownload = lambda _: None
) -> BrokerStatus:
    """Return the status of the broker once it is ready; start it first if it doesn't run.

    Downloads Kafka the first time. Raises Unavailable when there is no Java, no network for the first time, when the
    port that was asked for is taken, or when the broker dies or doesn't answer; its last log lines are then in the
    message.
    """
    files = broker.files
    with _alone(files, on_notice):
        current = status(broker)
        if current.running and broker.port not in (None, current.port):
            raise Unavailable(
                f"The broker of {files.data_dir} runs already, on port {current.port}: stop it to move it to "
                f"{broker.port}"
            )
        if not current.running:
            _launch(broker, on_notice=on_notice, on_download=on_download)
        elif not current.ready:
            _wait_until_ready(files)
    return status(broker)


def stop(broker: LocalBroker, *, on_notice: Notice = lambda _: None) -> bool:
    """End the broker and return whether it ran; its records stay."""
    files = broker.files
    if not files.pid.exists():
        return False
    with _alone(files, on_notice):
        pid = _running_pid(files)
        if pid is not None and not processes.terminate(pid, files.properties, grace_seconds=_STOP_SECONDS_MAX):
            on_notice(
                f"The broker did not end within {_STOP_SECONDS_MAX} s and was killed; it recovers at its next start"
            )
        files.pid.unlink(missing_ok=True)
    return pid is not None


def _launch(broker: LocalBroker, *, on_notice: Notice, on_download: OnDownload) -> None:
    files = broker.files
    java = find_java(os.environ)
    jars = classpath(broker.cache_dir, on_download=on_download, on_notice=on_notice)
    write_files(files, _choose_ports(broker, read_memory(files), on_notice))
    # By environment and not by option: the command line stays readable in ps.
    env = {**os.environ, "CLASSPATH": os.pathsep.join(str(jar) for jar in jars)}
    if not (files.records / "meta.properties").exists():
        _format(java.path, files, env)
    command = (
        java.path,
        *_JVM_OPTIONS,
        f"-Dlog4j2.configurationFile={files.log4j2}",
        f"-Dtailrace.log_file={files.log}",
        "kafka.Kafka",
        files.properties,
    )
    pid = processes.spawn(command, env=env, console=files.console)
    try:
        files.pid.write_text(f"{pid}\n")
        _wait_until_ready(files)
    except BaseException:
        # Half a start, also one that was interrupted, leaves nothing behind.
        processes.terminate(pid, files.properties, grace_seconds=_STOP_SECONDS_MAX)
        raise


def _format(java: Path, files: BrokerFiles, env: Mapping[str, str]) -> None:
    # Kafka's ids are 16 bytes in URL-safe base64; one that begins with a dash would be taken for an option.
    cluster_id = "T" + base64.urlsafe_b64encode(uuid.uuid4().bytes).decode()[1:22]
    tool = (java, "kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", cluster_id, "-c", files.properties)
    try:
        subprocess.run(  # noqa: S603  our own command line
            tool,
            env=dict(env),
            stdout=PIPE,
            stderr=STDOUT,
            text=True,
            check=True,
            umask=UMASK,
            timeout=_START_SECONDS_MAX,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"Kafka can't prepare {files.records}: {error}\n{error.output}") from error


def _wait_until_ready(files: BrokerFiles) -> None:
    deadline = time.monotonic() + _START_SECONDS_MAX
    while True:
        pid, memory = _running_pid(files), read_memory(files)
        if pid is None or memory is None:
            raise Unavailable(f"The broker ended while it started.\n{_last_words(files)}")
        metadata = ask_metadata(HOST, memory.port, seconds_max=_PROBE_SECONDS_MAX)
        if metadata is not None and metadata.ready:
            return
        if time.monotonic() > deadline:
            raise Unavailable(f"The broker did not answer within {_START_SECONDS_MAX} s.\n{_last_words(files)}")
        time.sleep(_POLL_SECONDS)


def _last_words(files: BrokerFiles) -> str:
    lines = [line for file in (files.console, files.log) for line in processes.last_lines(file, _LOG_LINES_SHOWN)]
    return "\n".join([f"Last lines of {files.console} and {files.log}:", *(f"  {line}" for line in lines)])


def _choose_ports(broker: LocalBroker, memory: BrokerMemory | None, on_notice: Notice) -> BrokerMemory:
    if broker.port is not None:
        if not port_is_free(broker.port):
            raise Unavailable(f"Port {broker.port} of {HOST} is taken by another process. Name another one with --port")
        port = broker.port
    else:
        port = memory.port if memory else DEFAULT_PORT
        if not port_is_free(port):
            taken, port = port, free_port()
            on_notice(f"Port {taken} is taken by another process: the broker uses {port} from now on")
    controller_port = memory.controller_port if memory else port + 1
    if controller_port == port or not port_is_free(controller_port):
        controller_port = free_port()
    return BrokerMemory(port=port, controller_port=controller_port)


def _running_pid(files: BrokerFiles) -> int | None:
    try:
        pid = int(files.pid.read_text())
    except (OSError, ValueError):
        return None
    return pid if processes.is_running(pid, files.properties) else None


def _alone(files: BrokerFiles, on_notice: Notice) -> AbstractContextManager[None]:
    make_folder(files.data_dir)  # with all that was ever said
    waiting = f"Waiting for another process that starts or stops the broker of {files.data_dir}"
    return exclusive(files.lock, seconds_max=_LOCK_SECONDS_MAX, on_wait=lambda: on_notice(waiting))
