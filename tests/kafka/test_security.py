"""Login and encryption against a real broker: what our settings say is what Kafka asks for."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth
from support.patience import LONG_MS, LONG_SECONDS

from tailrace.schemas.errors import Unavailable
from tailrace.streams import Client
from tailrace.streams.kafka import clients
from tailrace.streams.local_kafka import local_broker_process
from tailrace.streams.local_kafka.java import find_java
from tailrace.streams.local_kafka.kafka_cache import classpath
from tailrace.streams.local_kafka.kafka_probe import ask_metadata
from tailrace.streams.local_kafka.local_broker_files import BrokerFiles, BrokerMemory, write_files
from tailrace.streams.local_kafka.loopback import HOST, free_port
from tailrace.streams.settings.settings import Settings, cache_dir, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

USER, WORD = "me", "simple"
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"

LISTENERS = """
listeners=PLAINTEXT://{host}:{plain},CONTROLLER://{host}:{controller},LOGIN://{host}:{login},SAFE://{host}:{safe},TLS://{host}:{tls}
advertised.listeners=PLAINTEXT://{host}:{plain},LOGIN://{host}:{login},SAFE://{host}:{safe},TLS://{host}:{tls}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOGIN:SASL_PLAINTEXT,SAFE:SASL_SSL,TLS:SSL
listener.name.login.sasl.enabled.mechanisms=PLAIN
listener.name.login.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
user_{user}="{word}";
listener.name.safe.sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512
listener.name.safe.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.safe.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.tls.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location={keystore}
ssl.truststore.type=PEM
ssl.truststore.location={certificate}
"""


@dataclass(frozen=True)
class SecureBroker:
    """Three ways in: a login in the clear, a login over TLS, TLS with a certificate of the client."""

    login: str
    safe: str
    tls: str
    certificate: Path
    key: Path

    def settings(self, broker: str, **security: object) -> Settings:
        return load_settings(broker=broker, topics={"prefix": "safe.", "partitions": 1}, security=security)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureBroker]:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make certificates with")
    folder = tmp_path_factory.mktemp("secure")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    new = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", "2")
    names = ("-addext", f"subjectAltName=IP:{HOST}", "-keyout", key, "-out", certificate)
    subprocess.run((*new, *names), check=True, capture_output=True)
    keystore = folder / "keystore.pem"
    keystore.write_text(key.read_text() + certificate.read_text())
    ports = {name: free_port() for name in ("plain", "controller", "login", "safe", "tls")}
    files = BrokerFiles(data_dir=folder / "broker")
    files.data_dir.mkdir()
    write_files(files, BrokerMemory(port=ports["plain"], controller_port=ports["controller"]))
    # Of keys that stand twice, Java takes the last.
    with files.properties.open("a") as properties:
        properties.write(
            LISTENERS.format(host=HOST, keystore=keystore, certificate=certificate, user=USER, word=WORD, **ports)
        )
    java = find_java(os.environ).path
    env = {**os.environ, "CLASSPATH": os.pathsep.join(map(str, classpath(cache_dir())))}
    users = [f"{mechanism}=[name={USER},password={WORD}]" for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512")]
    format_storage = (java, "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", files.properties)
    added = [word for user in users for word in ("--add-scram", user)]
    subprocess.run((*format_storage, *added), env=env, check=True, capture_output=True)
    command = (java, f"-Dlog4j2.configurationFile={files.log4j2}", f"-Dtailrace.log_file={files.log}", "-Xmx256m")
    pid = local_broker_process.spawn((*command, "kafka.Kafka", files.properties), env=env, console=files.console)
    try:
        while not ((metadata := ask_metadata(HOST, ports["plain"], seconds_max=5)) and metadata.ready):
            assert local_broker_process.is_running(pid, files.properties), files.console.read_text()
            time.sleep(0.1)
        yield SecureBroker(
            *(f"{HOST}:{ports[name]}" for name in ("login", "safe", "tls")), certificate=certificate, key=key
        )
    finally:
        local_broker_process.terminate(pid, files.properties, grace_seconds=30)


def ways_in(secure: SecureBroker) -> dict[str, Settings]:
    login = {"sasl_username": USER, "sasl_password": WORD}
    return {
        "SASL_PLAINTEXT, PLAIN": secure.settings(secure.login, protocol="SASL_PLAINTEXT", **login),
        **{
            f"SASL_SSL, {mechanism}": secure.settings(
                secure.safe, protocol="SASL_SSL", sasl_mechanism=mechanism, ssl_ca_file=secure.certificate, **login
            )
            for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512")
        },
        "SSL, own certificate": secure.settings(
            secure.tls,
            protocol="SSL",
            ssl_ca_file=secure.certificate,
            ssl_certificate_file=secure.certificate,
            ssl_key_file=secure.key,
        ),
    }


WAYS = ("SASL_PLAINTEXT, PLAIN", "SASL_SSL, SCRAM-SHA-256", "SASL_SSL, SCRAM-SHA-512", "SSL, own certificate")


@pytest.mark.parametrize("way", WAYS)
async def test_our_clients_and_fausts_get_in(secure: SecureBroker, way: str) -> None:
    settings = ways_in(secure)[way]
    await topic_admin.apply(settings)
    async with clients.producer(settings) as producer:
        await producer.send_and_wait(settings.topic("conversations"), b"{}")
    auth = credentials_to_aiokafka_auth(clients.faust_credentials(settings))
    async with AIOKafkaProducer(bootstrap_servers=settings.broker, **auth) as through_faust:
        await through_faust.send_and_wait(settings.topic("conversations"), b"{}")


@pytest.mark.parametrize("way", WAYS[:3])
async def test_a_wrong_password_is_the_reason_that_is_given(secure: SecureBroker, way: str) -> None:
    right = ways_in(secure)[way]
    wrong = secure.settings(right.broker or "", **{**right.security.model_dump(), "sasl_password": "wrong"})
    with pytest.raises(Unavailable, match=r"(?i)authentication"):
        await topic_admin.check(wrong)


async def test_a_certificate_that_nobody_vouches_for_is_the_reason_that_is_given(secure: SecureBroker) -> None:
    unknown = secure.settings(secure.safe, protocol="SASL_SSL", sasl_username=USER, sasl_password=WORD)
    with pytest.raises(Unavailable, match="certificate verify failed"):
        await topic_admin.check(unknown)


@pytest.mark.parametrize("way", ["login", "safe", "tls"])
async def test_a_client_without_security_is_told_in_time(secure: SecureBroker, way: str) -> None:
    with pytest.raises(Unavailable, match="TAILRACE_SECURITY__"):
        await topic_admin.check(secure.settings(getattr(secure, way)))


async def test_a_worker_and_a_client_work_over_a_login_with_tls(secure: SecureBroker, tmp_path: Path) -> None:
    settings = ways_in(secure)["SASL_SSL, SCRAM-SHA-512"]
    await topic_admin.apply(settings)
    environment = {
        **os.environ,
        "TAILRACE_BROKER": settings.broker or "",
        "TAILRACE_DATA_DIR": str(tmp_path),
        "TAILRACE_HTTP__PORT": "0",
        "TAILRACE_TOPICS__PREFIX": settings.topics.prefix,
        "TAILRACE_SECURITY__PROTOCOL": "SASL_SSL",
        "TAILRACE_SECURITY__SASL_MECHANISM": "SCRAM-SHA-512",
        "TAILRACE_SECURITY__SASL_USERNAME": USER,
        "TAILRACE_SECURITY__SASL_PASSWORD": WORD,
        "TAILRACE_SECURITY__SSL_CA_FILE": str(secure.certificate),
    }
    log = tmp_path / "worker.log"
    with log.open("wb") as errors:
        command = [sys.executable, "-m", "tailrace.streams.cli", "worker"]
        worker = subprocess.Popen(command, env=environment, stdout=errors, stderr=errors)
        try:
            async with Client(settings) as client:
                await client.publish("secret", {"role": "user", "content": "hi"})
                context = await client.context("secret", timeout_ms=LONG_MS)
        finally:
            worker.terminate()
            code = worker.wait(LONG_SECONDS)

    assert context.complete, log.read_text()
    assert context.request("openai.chat") == {"messages": [{"role": "user", "content": "hi"}]}
    assert code == 0, log.read_text()
    assert WORD not in log.read_text()
