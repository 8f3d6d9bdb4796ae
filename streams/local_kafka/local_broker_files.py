"""The files that make a folder a Kafka broker: its settings, its logging, and what we remember about it.

Pure text, so that what the broker is told can be read and tested without starting one. All settings that matter are
written out: a default that changes with a Kafka release must not change our tests.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import ConfigError, PoisonEvent
from tailrace.streams.local_kafka.loopback import HOST

# Values of 5 MB must reach a worker, to be refused there with a reason; a broker's own limit is 1 MB.
_MESSAGE_BYTES_MAX: Final = 8 * 1024 * 1024

_SETTINGS: Final = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    # A misspelt topic is an error, not a new topic with one partition.
    "auto.create.topics.enable": "false",
    # One node can hold one replica of each internal topic.
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "share.coordinator.state.topic.replication.factor": 1,
    "share.coordinator.state.topic.min.isr": 1,
    # 50 partitions each, the defaults, make the first consumer of a fresh broker wait.
    "offsets.topic.num.partitions": 8,
    "transaction.state.log.num.partitions": 8,
    # Workers start one after the other on a laptop: waiting for more of them only delays the first.
    "group.initial.rebalance.delay.ms": 0,
    # Tests of dead workers should not have to wait the default six seconds.
    "group.min.session.timeout.ms": 1000,
    "message.max.bytes": _MESSAGE_BYTES_MAX,
    "replica.fetch.max.bytes": _MESSAGE_BYTES_MAX,
    # The default of 128 MB is a quarter of our heap; 32 MB still hold a million keys.
    "log.cleaner.dedupe.buffer.size": 32 * 1024 * 1024,
    "num.network.threads": 2,
    "num.io.threads": 4,
}

LOG4J2: Final = """\
# Written at every start. `tailrace broker logs` shows the file.
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = ${sys:tailrace.log_file}
appender.file.filePattern = ${sys:tailrace.log_file}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c{1} %m%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10 MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 2
rootLogger.level = INFO
rootLogger.appenderRef.file.ref = file
# Print every setting of the broker, a thousand lines, at each start.
logger.config.name = kafka.server.KafkaConfig
logger.config.level = WARN
logger.abstract_config.name = org.apache.kafka.common.config.AbstractConfig
logger.abstract_config.level = WARN
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerFiles:
    """Where everything of one local broker lies."""

    data_dir: Path

    @property
    def properties(self) -> Path:
        """Kafka's settings; on the broker's command line, so it also tells our process from others."""
        return self.data_dir / "server.properties"

    @property
    def log4j2(self) -> Path:
        """Kafka's logging settings."""
        return self.data_dir / "log4j2.properties"

    @property
    def records(self) -> Path:
        """The partitions, which outlive the process."""
        return self.data_dir / "records"

    @property
    def log(self) -> Path:
        """What Kafka logs."""
        return self.data_dir / "broker.log"

    @property
    def console(self) -> Path:
        """What the Java process prints before or besides its log, from its last start."""
        return self.data_dir / "console.log"

    @property
    def pid(self) -> Path:
        """The process that was started last."""
        return self.data_dir / "broker.pid"

    @property
    def memory(self) -> Path:
        """What is remembered between starts."""
        return self.data_dir / "broker.json"

    @property
    def lock(self) -> Path:
        """Held while the broker is started or stopped."""
        return self.data_dir / "lock"


class BrokerMemory(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of the last start: clients find the broker where it was."""

    port: int
    controller_port: int


_decode_memory = decoder(BrokerMemory)


def read_memory(files: BrokerFiles) -> BrokerMemory | None:
    """Return what the last start wrote, or None if there was none or its file is damaged."""
    try:
        return _decode_memory(files.memory.read_bytes())
    except (OSError, PoisonEvent):
        return None


def write_files(files: BrokerFiles, memory: BrokerMemory) -> None:
    """Write settings, logging and memory; the broker reads the first two when it starts."""
    files.properties.write_text(server_properties(files, memory), encoding="ascii")
    files.log4j2.write_text(LOG4J2, encoding="ascii")
    files.memory.write_bytes(msgspec.json.encode(memory) + b"\n")


def server_properties(files: BrokerFiles, memory: BrokerMemory) -> str:
    """Return Kafka's settings file for a broker that only this machine can reach."""
    if "," in str(files.records):
        raise ConfigError("data_dir", str(files.data_dir), "a path without a comma, which Kafka takes for a list")
    broker, controller = f"{HOST}:{memory.port}", f"{HOST}:{memory.controller_port}"
    settings = _SETTINGS | {
        "listeners": f"PLAINTEXT://{broker},CONTROLLER://{controller}",
        "advertised.listeners": f"PLAINTEXT://{broker}",
        "controller.quorum.voters": f"{_SETTINGS['node.id']}@{controller}",
        # Java reads this file as Latin-1, with the escapes that JSON has too.
        "log.dirs": json.dumps(str(files.records))[1:-1],
    }
    return "".join(f"{key}={value}\n" for key, value in sorted(settings.items()))
