from pathlib import Path

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.streams.local_kafka.local_broker import LocalBroker, status
from tailrace.streams.local_kafka.local_broker_files import (
    BrokerFiles,
    BrokerMemory,
    read_memory,
    server_properties,
    write_files,
)

MEMORY = BrokerMemory(port=19092, controller_port=19093)


def settings_of(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines())


def test_every_listener_is_on_loopback() -> None:
    settings = settings_of(server_properties(BrokerFiles(data_dir=Path("/data")), MEMORY))

    assert settings["listeners"] == "PLAINTEXT://127.0.0.1:19092,CONTROLLER://127.0.0.1:19093"
    assert settings["advertised.listeners"] == "PLAINTEXT://127.0.0.1:19092"
    assert settings["controller.quorum.voters"] == "1@127.0.0.1:19093"


@pytest.mark.parametrize(
    ("folder", "written"),
    [
        ("/plain", "/plain/records"),
        ("/with space", "/with space/records"),
        ("/back\\slash", "/back\\\\slash/records"),
        ("/ü", "/\\u00fc/records"),
        ("/😀", "/\\ud83d\\ude00/records"),
    ],
)
def test_paths_are_escaped_as_java_reads_them(folder: str, written: str) -> None:
    settings = settings_of(server_properties(BrokerFiles(data_dir=Path(folder)), MEMORY))

    assert settings["log.dirs"] == written


def test_a_folder_with_a_comma_is_refused() -> None:
    with pytest.raises(ConfigError, match="comma"):
        server_properties(BrokerFiles(data_dir=Path("/a,b")), MEMORY)


def test_what_is_remembered_is_read_back(tmp_path: Path) -> None:
    files = BrokerFiles(data_dir=tmp_path)
    write_files(files, MEMORY)

    assert read_memory(files) == MEMORY


@pytest.mark.parametrize("damaged", ["", "{", '{"port": "x"}', "[]"])
def test_a_damaged_memory_is_no_memory(tmp_path: Path, damaged: str) -> None:
    files = BrokerFiles(data_dir=tmp_path)
    files.memory.write_text(damaged)

    assert read_memory(files) is None


@pytest.mark.parametrize("pid", ["", "no number", "999999999"])
def test_a_broker_that_never_ran_or_is_gone_is_not_running(tmp_path: Path, pid: str) -> None:
    broker = LocalBroker(data_dir=tmp_path, cache_dir=tmp_path)
    broker.files.pid.write_text(pid)

    assert not status(broker).running
