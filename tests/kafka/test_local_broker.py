"""The life of a local broker, on a real one that belongs to this module alone: it is stopped and damaged here."""

import json
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from typer.testing import CliRunner

from tailrace.schemas.errors import Unavailable
from tailrace.streams.cli.broker import app
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.kafka_probe import ask_metadata
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.local_broker_process import command_line
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import cache_dir

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalBroker]:
    # A name that has to be escaped in Java's properties files, and survives ps and /proc.
    data_dir = tmp_path_factory.mktemp("own broker ü")
    broker = LocalBroker(data_dir=data_dir, cache_dir=cache_dir(), port=free_port())
    try:
        yield broker
    finally:
        local_broker.stop(broker)


async def create_topic(bootstrap_servers: str, name: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap_servers)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(name, num_partitions=2, replication_factor=1)])
    finally:
        await admin.close()


async def produce(bootstrap_servers: str, topic: str, *values: bytes) -> None:
    async with AIOKafkaProducer(bootstrap_servers=bootstrap_servers, max_request_size=8_000_000) as producer:
        for value in values:
            await producer.send_and_wait(topic, value)


async def consume(bootstrap_servers: str, topic: str, count: int) -> list[bytes]:
    async with AIOKafkaConsumer(
        topic, bootstrap_servers=bootstrap_servers, group_id=f"g-{uuid.uuid4()}", auto_offset_reset="earliest"
    ) as consumer:
        return sorted([(await anext(consumer)).value for _ in range(count)])


async def test_records_survive_a_stop(local: LocalBroker) -> None:
    before = local_broker.start(local)
    assert before.bootstrap_servers is not None
    await create_topic(before.bootstrap_servers, "kept")
    await produce(before.bootstrap_servers, "kept", b"one", b"two")

    assert local_broker.stop(local)
    assert not local_broker.status(local).running
    after = local_broker.start(local)

    assert after.ready
    assert after.bootstrap_servers == before.bootstrap_servers
    assert after.pid != before.pid
    assert await consume(before.bootstrap_servers, "kept", 2) == [b"one", b"two"]


async def test_a_value_of_five_megabytes_passes(local: LocalBroker) -> None:
    status = local_broker.start(local)
    assert status.bootstrap_servers is not None
    await create_topic(status.bootstrap_servers, "large")

    await produce(status.bootstrap_servers, "large", b"x" * 5_000_000)

    assert [len(value) for value in await consume(status.bootstrap_servers, "large", 1)] == [5_000_000]


def test_a_second_start_is_a_no_op(local: LocalBroker) -> None:
    first = local_broker.start(local)

    assert local_broker.start(local) == first


def test_a_link_to_the_folder_means_the_same_broker(local: LocalBroker, tmp_path: Path) -> None:
    first = local_broker.start(local)
    link = tmp_path / "link"
    link.symlink_to(local.data_dir, target_is_directory=True)

    assert local_broker.start(replace(local, data_dir=link)) == first


def test_starts_at_once_share_one_broker(local: LocalBroker) -> None:
    local_broker.stop(local)
    # In processes of their own, as two commands would.
    script = (
        "import sys; from pathlib import Path; from tailrace.streams.local_kafka import local_broker as b;"
        "print(b.start(b.LocalBroker(data_dir=Path(sys.argv[1]), cache_dir=Path(sys.argv[2]), "
        "port=int(sys.argv[3]))).pid)"
    )
    command = [sys.executable, "-c", script, str(local.data_dir), str(local.cache_dir), str(local.port)]
    commands = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]

    outputs = [command.communicate() for command in commands]

    assert outputs == [(f"{local_broker.status(local).pid}\n", "")] * 2


def test_a_broker_survives_the_process_that_started_it_and_is_only_on_loopback(local: LocalBroker) -> None:
    status = local_broker.start(local)
    assert status.pid is not None
    assert status.port is not None

    assert os.getsid(status.pid) == status.pid
    with socket.socket() as outside:
        # Another loopback address than 127.0.0.1 stands for "any other interface".
        assert outside.connect_ex(("127.0.0.2", status.port)) != 0


def test_a_pid_file_of_a_foreign_process_is_stale_and_the_process_is_left_alone(local: LocalBroker) -> None:
    local_broker.stop(local)
    local.files.pid.write_text(f"{os.getpid()}\n")

    assert not local_broker.status(local).running
    assert not local_broker.stop(local)
    local.files.pid.write_text(f"{os.getpid()}\n")
    status = local_broker.start(local)

    assert status.ready
    assert status.pid != os.getpid()
    assert command_line(os.getpid())


def test_a_port_that_was_asked_for_and_is_taken_is_refused(local: LocalBroker) -> None:
    local_broker.stop(local)
    assert local.port is not None
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", local.port))
        other.listen()

        with pytest.raises(Unavailable, match=f"Port {local.port} .* is taken"):
            local_broker.start(local)


def test_a_remembered_port_that_is_taken_is_replaced_and_said(local: LocalBroker) -> None:
    local_broker.start(local)
    local_broker.stop(local)
    assert local.port is not None
    notices: list[str] = []
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", local.port))
        other.listen()
        status = local_broker.start(replace(local, port=None), on_notice=notices.append)
    local_broker.stop(local)

    assert status.ready
    assert status.port != local.port
    assert notices == [f"Port {local.port} is taken by another process: the broker uses {status.port} from now on"]


def test_a_broker_that_dies_shows_its_last_lines(local: LocalBroker, tmp_path: Path) -> None:
    damaged = replace(local, data_dir=tmp_path / "damaged", port=free_port())
    damaged.files.records.mkdir(parents=True)
    (damaged.files.records / "meta.properties").write_text("version=1\ncluster.id=other\nnode.id=99\n")

    with pytest.raises(Unavailable, match=r"(?s)ended while it started.*node id 99"):
        local_broker.start(damaged)

    assert not local_broker.status(damaged).running


def test_the_command_line_starts_shows_and_stops(local: LocalBroker) -> None:
    local_broker.stop(local)
    runner = CliRunner()
    folder = ["--data-dir", str(local.data_dir)]

    assert runner.invoke(app, ["status", *folder]).exit_code == 3
    started = runner.invoke(app, ["start", *folder, "--port", str(local.port)])
    shown = runner.invoke(app, ["status", *folder, "--json"])
    logged = runner.invoke(app, ["logs", *folder, "--lines", "200"])
    stopped = runner.invoke(app, ["stop", *folder])

    assert started.exit_code == 0, started.output
    assert f"127.0.0.1:{local.port}" in started.output
    status = json.loads(shown.stdout)
    assert shown.exit_code == 0
    assert status["running"] is True
    assert status["bootstrap_servers"] == f"127.0.0.1:{local.port}"
    assert {"pid", "version", "data_dir", "log_file"} <= status.keys()
    assert "Kafka Server started" in logged.output
    assert stopped.exit_code == 0
    assert runner.invoke(app, ["status", *folder, "--json"]).exit_code == 3


def test_the_broker_that_tests_share_comes_back_where_it_was(broker: Any) -> None:
    host, port = broker.bootstrap_servers.split(":")
    before = ask_metadata(host, int(port), seconds_max=10)
    assert before is not None

    broker.restart()

    assert ask_metadata(host, int(port), seconds_max=10) == before
    assert before.ready
