"""The keys that artifacts are encrypted with: one to write, all of them to read.

Keys stand in `artifacts.keys` or in the file that `artifacts.keys_file` names, as `id:base64` separated by spaces,
commas or lines. `openssl rand -base64 32` makes one. No key is ever part of an error, a log line or a representation.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.settings import ArtifactSettings

#: AES-256.
_KEY_BYTES: Final = 32
_KEY_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HIDDEN: Final = "***"
_FORM: Final = "`id:base64` of 32 bytes each, separated by spaces, commas or lines; `openssl rand -base64 32` makes one"


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys by their ids; `key_id` names the one to write with, None writes without encryption."""

    key_id: str | None = None
    keys: Mapping[str, AESGCM] = field(default_factory=dict, repr=False)


def make_keyring(settings: ArtifactSettings) -> Keyring:
    """The keys that are set. Raises ConfigError that names the setting, and never shows a key."""
    keys: dict[str, AESGCM] = {}
    if settings.keys_file is not None:
        try:
            text = settings.keys_file.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError("artifacts.keys_file", str(settings.keys_file), "a file that can be read") from error
        keys |= _parsed("artifacts.keys_file", text)
    if settings.keys is not None:
        keys |= _parsed("artifacts.keys", settings.keys.get_secret_value())
    return Keyring(_writing_key(settings.key_id, list(keys)), keys)


def _parsed(setting: str, text: str) -> dict[str, AESGCM]:
    keys: dict[str, AESGCM] = {}
    for entry in re.split(r"[\s,]+", text.strip()):
        key_id, _, encoded = entry.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            key = b""
        if not _KEY_ID.fullmatch(key_id) or len(key) != _KEY_BYTES:
            # Without the cause: its text may hold a piece of a key.
            raise ConfigError(setting, _HIDDEN, f"{_FORM}; number {len(keys) + 1} is not of that form") from None
        if key_id in keys:
            raise ConfigError(setting, _HIDDEN, f"each id once; {key_id} is there twice")
        keys[key_id] = AESGCM(key)
    return keys


def _writing_key(asked: str | None, key_ids: list[str]) -> str | None:
    if asked is None and len(key_ids) > 1:
        raise ConfigError("artifacts.key_id", None, f"the key to write with: one of {', '.join(key_ids)}")
    if asked is not None and asked not in key_ids:
        raise ConfigError(
            "artifacts.key_id", asked, f"an id in artifacts.keys: {', '.join(key_ids) or 'there are none'}"
        )
    return asked or next(iter(key_ids), None)
