"""Bearer tokens: who has one, for which tenant, in which role.

Compared in constant time, and never kept as they are.
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import ConfigError, Invalid
from tailrace.schemas.ingest import check_id
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.settings.http import ApiSettings

#: The tenant of a token that is for all of them.
EVERY_TENANT: Final = "*"
#: Shorter ones can be guessed.
TOKEN_CHARACTERS_MIN: Final = 24
_FORM: Final = "name:tenant:role:token"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as the process knows it: its hash, and who has it."""

    sha256: bytes
    caller: ApiCaller


class Tokens:
    """All tokens that are known."""

    def __init__(self, tokens: tuple[AccessToken, ...]) -> None:
        """Take them."""
        self._tokens = tokens

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self._tokens)

    def caller(self, text: str) -> ApiCaller | None:
        """Return who has this token; None where nobody has. Takes as long for every text."""
        sha256 = hashlib.sha256(text.encode(errors="replace")).digest()
        caller = None
        for token in self._tokens:
            if hmac.compare_digest(token.sha256, sha256):
                caller = token.caller
        return caller


def load_tokens(settings: ApiSettings) -> Tokens:
    """The tokens of the settings. Raises a ConfigError that names the entry and shows nothing of the token."""
    entries: list[tuple[str, str]] = []
    if settings.tokens is not None:
        entries += [("api.tokens", entry) for entry in _entries(settings.tokens.get_secret_value())]
    if settings.tokens_file is not None:
        try:
            text = settings.tokens_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                "api.tokens_file", str(settings.tokens_file), f"a text file that can be read: {error}"
            ) from error
        entries += [(f"api.tokens_file {settings.tokens_file}", entry) for entry in _entries(text)]
    tokens = [_token(entry, f"{where}, entry {place}") for place, (where, entry) in enumerate(entries, start=1)]
    _refuse_twins(tokens)
    return Tokens(tuple(tokens))


def _entries(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from line.partition("#")[0].replace(",", " ").split()


def _token(entry: str, where: str) -> AccessToken:
    name, *rest = entry.split(":", 3)
    if len(rest) != len(_FORM.split(":")) - 1:
        raise ConfigError(where, "***", f"{_FORM}, for example agents:acme:writer:…")
    tenant, role, secret = rest
    if role not in set(AccessRole):
        raise ConfigError(f"{where} ({name})", role, f"a role: {', '.join(AccessRole)}")
    if len(secret) < TOKEN_CHARACTERS_MIN:
        raise ConfigError(
            f"{where} ({name})",
            f"a token of {len(secret)} characters",
            f"at least {TOKEN_CHARACTERS_MIN}; `openssl rand -hex 24` makes one",
        )
    try:
        check_id(name, "name")
        check_id(tenant, "tenant")
    except Invalid as error:
        raise ConfigError(where, "***", str(error)) from error
    caller = ApiCaller(name=name, tenant=None if tenant == EVERY_TENANT else tenant, role=AccessRole(role))
    return AccessToken(hashlib.sha256(secret.encode()).digest(), caller)


def _refuse_twins(tokens: list[AccessToken]) -> None:
    for what, values in (
        ("name", [token.caller.name for token in tokens]),
        ("token", [token.sha256 for token in tokens]),
    ):
        if len(set(values)) < len(values):
            raise ConfigError("api.tokens", "***", f"entries that each have a {what} of their own")
