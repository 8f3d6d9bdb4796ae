"""How clients log in to the broker: the security settings as aiokafka and Faust want them.

One place for both, so that a broker that `tailrace doctor` reaches is a broker that workers and clients reach.
"""

import ssl
from pathlib import Path
from typing import Any, Final

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.settings import SecuritySettings, Settings

_SASL_KEYS: Final = ("sasl_username", "sasl_password")
_SSL_KEYS: Final = ("ssl_ca_file", "ssl_certificate_file", "ssl_key_file", "ssl_key_password")


def connection_options(settings: Settings) -> dict[str, Any]:
    """Keyword arguments about security for every aiokafka producer, consumer and admin client.

    Raises ConfigError that names the key when something is missing, unreadable or would be ignored.
    """
    security = settings.security
    _refuse_ignored_keys(security)
    options: dict[str, Any] = {"security_protocol": security.protocol}
    if _uses_sasl(security):
        options["sasl_mechanism"] = security.sasl_mechanism
        options["sasl_plain_username"], options["sasl_plain_password"] = _login(security)
    if _uses_ssl(security):
        options["ssl_context"] = _ssl_context(security)
    return options


def faust_credentials(settings: Settings) -> Any:
    """Value for `faust.App(broker_credentials=...)`; None for a broker without encryption and login."""
    # Faust takes long to import, and only workers need it.
    from faust import SASLCredentials, SSLCredentials  # noqa: PLC0415

    options = connection_options(settings)
    # Always with a context of ours: SSLCredentials() without one raises TypeError in Faust 0.15.3.
    context = options.get("ssl_context")
    if "sasl_mechanism" in options:
        return SASLCredentials(
            username=options["sasl_plain_username"],
            password=options["sasl_plain_password"],
            mechanism=options["sasl_mechanism"],
            ssl_context=context,
        )
    return SSLCredentials(context) if context else None


def _uses_sasl(security: SecuritySettings) -> bool:
    return security.protocol.startswith("SASL_")


def _uses_ssl(security: SecuritySettings) -> bool:
    return security.protocol.endswith("SSL")


def _refuse_ignored_keys(security: SecuritySettings) -> None:
    """Raise for settings that the protocol leaves without effect: the operator believes the connection is safe."""
    unused = (() if _uses_sasl(security) else _SASL_KEYS) + (() if _uses_ssl(security) else _SSL_KEYS)
    for key in unused:
        if getattr(security, key) is not None:
            wanted = "SASL_PLAINTEXT or SASL_SSL" if key in _SASL_KEYS else "SSL or SASL_SSL"
            raise ConfigError("security.protocol", security.protocol, f"{wanted}, because security.{key} is set")


def _login(security: SecuritySettings) -> tuple[str, str]:
    for key in _SASL_KEYS:
        if not getattr(security, key):
            variable = f"TAILRACE_SECURITY__{key.upper()}"
            raise ConfigError(f"security.{key}", None, f"set it ({variable}): security.protocol is {security.protocol}")
    password = security.sasl_password.get_secret_value() if security.sasl_password else ""
    return security.sasl_username or "", password


def _ssl_context(security: SecuritySettings) -> ssl.SSLContext:
    for key in _SSL_KEYS[:3]:
        _check_readable(f"security.{key}", getattr(security, key))
    try:
        context = ssl.create_default_context(cafile=security.ssl_ca_file)
    except ssl.SSLError as error:
        raise ConfigError(
            "security.ssl_ca_file", str(security.ssl_ca_file), f"a PEM file with certificates ({error})"
        ) from error
    _load_client_certificate(context, security)
    return context


def _check_readable(key: str, path: Path | None) -> None:
    if path is None:
        return
    try:
        path.open("rb").close()
    except OSError as error:
        raise ConfigError(key, str(path), f"the path of a readable PEM file ({error.strerror})") from error


def _load_client_certificate(context: ssl.SSLContext, security: SecuritySettings) -> None:
    certificate, key = security.ssl_certificate_file, security.ssl_key_file
    if certificate is None:
        if key is not None:
            raise ConfigError("security.ssl_certificate_file", None, "set it: security.ssl_key_file is set")
        return
    password = security.ssl_key_password.get_secret_value() if security.ssl_key_password else ""
    try:
        # Never without a password: OpenSSL would ask for it on the terminal of a worker.
        context.load_cert_chain(certificate, key, password)
    except ssl.SSLError as error:
        allowed = (
            f"the private key of security.ssl_certificate_file, as PEM, opened by security.ssl_key_password ({error})"
        )
        raise ConfigError("security.ssl_key_file", str(key or certificate), allowed) from error
