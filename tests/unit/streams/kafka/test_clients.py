import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth

from tailrace.schemas.errors import ConfigError, Unavailable
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.clients import bootstrap_servers, connection_options, faust_credentials
from tailrace.streams.settings.settings import Settings, load_settings

KEY_WORD = "word"
LOGIN = {"sasl_username": "me", "sasl_password": "secret"}


pytestmark = pytest.mark.usefixtures("bare_folder")


def settings(**security: object) -> Settings:
    return load_settings(security=security)


@dataclass(frozen=True)
class Certificate:
    certificate: Path
    key: Path
    encrypted_key: Path


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    made = Certificate(folder / "certificate.pem", folder / "key.pem", folder / "encrypted.pem")
    new = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-keyout", made.key)
    subprocess.run((*new, "-out", made.certificate), check=True, capture_output=True)
    encrypt = ("openssl", "rsa", "-aes256", "-passout", f"pass:{KEY_WORD}", "-in", made.key, "-out", made.encrypted_key)
    subprocess.run(encrypt, check=True, capture_output=True)
    return made


def test_without_security_only_the_protocol_is_set() -> None:
    assert connection_options(settings()) == {"security_protocol": "PLAINTEXT"}
    assert faust_credentials(settings()) is None


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
@pytest.mark.parametrize("protocol", ["SASL_PLAINTEXT", "SASL_SSL", "SSL"])
def test_faust_gives_aiokafka_the_same_as_our_own_clients_get(protocol: str, mechanism: str) -> None:
    chosen = settings(protocol=protocol, **({**LOGIN, "sasl_mechanism": mechanism} if protocol != "SSL" else {}))
    ours = connection_options(chosen)
    through_faust = dict(credentials_to_aiokafka_auth(faust_credentials(chosen)))
    for options in (ours, through_faust):
        context = options.pop("ssl_context", None)
        assert (context is not None) == protocol.endswith("SSL")
        if context:
            assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)
    assert ours == through_faust
    if protocol != "SSL":
        assert ours["sasl_mechanism"] == mechanism
        assert (ours["sasl_plain_username"], ours["sasl_plain_password"]) == ("me", "secret")


@pytest.mark.parametrize("missing", ["sasl_username", "sasl_password"])
def test_a_missing_login_is_named_with_its_variable(missing: str) -> None:
    login = {key: value for key, value in LOGIN.items() if key != missing}
    with pytest.raises(ConfigError, match=f"TAILRACE_SECURITY__{missing.upper()}") as caught:
        connection_options(settings(protocol="SASL_SSL", **login))
    assert caught.value.key == f"security.{missing}"


@pytest.mark.parametrize(
    ("security", "key"),
    [
        (LOGIN, "sasl_username"),
        ({"protocol": "SSL", **LOGIN}, "sasl_username"),
        ({"ssl_ca_file": "ca.pem"}, "ssl_ca_file"),
        ({"protocol": "SASL_PLAINTEXT", **LOGIN, "ssl_key_password": "x"}, "ssl_key_password"),
    ],
)
def test_settings_that_the_protocol_would_ignore_are_refused(security: dict[str, str], key: str) -> None:
    with pytest.raises(ConfigError, match=key) as caught:
        connection_options(settings(**security))
    assert caught.value.key == "security.protocol"


@pytest.mark.parametrize("key", ["ssl_ca_file", "ssl_certificate_file", "ssl_key_file"])
def test_files_that_are_not_there_are_named(key: str, tmp_path: Path, tls: Certificate) -> None:
    files = {"ssl_ca_file": tls.certificate, "ssl_certificate_file": tls.certificate, "ssl_key_file": tls.key}
    with pytest.raises(ConfigError, match="No such file") as caught:
        connection_options(settings(protocol="SSL", **{**files, key: tmp_path / "nothing.pem"}))
    assert caught.value.key == f"security.{key}"


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    with pytest.raises(ConfigError, match=r"security\.ssl_ca_file"):
        connection_options(settings(protocol="SSL", ssl_ca_file=file))


def test_a_certificate_of_ones_own_is_loaded(tls: Certificate) -> None:
    chosen = settings(
        protocol="SSL",
        ssl_ca_file=tls.certificate,
        ssl_certificate_file=tls.certificate,
        ssl_key_file=tls.encrypted_key,
        ssl_key_password=KEY_WORD,
    )
    assert connection_options(chosen)["ssl_context"].cert_store_stats()["x509"] == 1


@pytest.mark.parametrize("password", [None, "wrong"])
def test_an_encrypted_key_never_asks_for_its_password(tls: Certificate, password: str | None) -> None:
    chosen = settings(
        protocol="SSL",
        ssl_certificate_file=tls.certificate,
        ssl_key_file=tls.encrypted_key,
        **({"ssl_key_password": password} if password else {}),
    )
    with pytest.raises(ConfigError, match=r"security\.ssl_key_password"):
        connection_options(chosen)


def test_a_key_without_its_certificate_is_refused(tls: Certificate) -> None:
    with pytest.raises(ConfigError, match=r"security\.ssl_certificate_file"):
        connection_options(settings(protocol="SSL", ssl_key_file=tls.key))


def test_the_broker_that_is_set_is_used() -> None:
    assert bootstrap_servers(load_settings(broker="a:1,b:2")) == "a:1,b:2"


def test_without_any_broker_the_error_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"tailrace broker start.*TAILRACE_BROKER"):
        bootstrap_servers(load_settings(data_dir=tmp_path))


Open = Callable[..., AbstractAsyncContextManager[Any]]


@pytest.fixture
async def silent_port() -> AsyncIterator[int]:
    """Yield a port where everyone is let in and nobody is answered."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("open_client", [clients.producer, clients.consumer, clients.admin])
async def test_a_broker_that_never_answers_ends_in_an_error_in_time(open_client: Open, silent_port: int) -> None:
    chosen = load_settings(broker=f"127.0.0.1:{silent_port}")
    async with asyncio.timeout(120):
        with pytest.raises(Unavailable, match=rf"127\.0\.0\.1:{silent_port} \(no answer within 0\.2 s\)"):
            async with open_client(chosen, seconds_max=0.2):
                pytest.fail("there is nothing to be connected to")


@pytest.mark.parametrize("open_client", [clients.producer, clients.consumer, clients.admin])
async def test_an_unreachable_broker_is_named_with_the_reason(open_client: Open) -> None:
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:1 \(.*Connect call failed.*tailrace broker status"):
        async with open_client(load_settings(broker="127.0.0.1:1")):
            pytest.fail("nobody listens there")


async def test_a_broker_that_goes_away_while_another_s_client_starts_is_told_as_one_that_can_not_be_used() -> None:
    """Faust starts clients of its own, which raise what aiokafka raises."""
    servers = "127.0.0.1:1"
    client = AIOKafkaConsumer(bootstrap_servers=servers)
    with pytest.raises(Unavailable, match=f"no Kafka broker can be used at {servers}"):
        async with clients.reachable(load_settings(broker=servers)):
            await client.start()
    await client.stop()
