"""Settings of `tailrace mcp`."""

from pathlib import Path
from typing import Final

from tailrace.schemas.errors import MISSING, ConfigError
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.section import SettingSection

#: Nobody guesses that many.
_TOKEN_CHARS_MIN: Final = 16
_FORM: Final = f"at least {_TOKEN_CHARS_MIN} characters without spaces; `openssl rand -hex 32` makes one"
_HIDDEN: Final = "***"


class McpSettings(SettingSection, frozen=True, kw_only=True):
    """Who may ask `tailrace mcp` over HTTP."""

    #: Callers send it as `Authorization: Bearer ...`. Needed on every host that is not loopback.
    token: SecretText | None = None
    #: The same in a file of its own, as secrets are mounted.
    token_file: Path | None = None


def token_of(settings: McpSettings) -> str | None:
    """The token that callers must send, if one is set.

    Raises ConfigError that names the setting, and never shows a token.
    """
    if settings.token is not None and settings.token_file is not None:
        raise ConfigError("mcp.token_file", str(settings.token_file), "one of mcp.token and mcp.token_file, not both")
    if settings.token is not None:
        return _checked("mcp.token", settings.token.get_secret_value())
    if settings.token_file is None:
        return None
    try:
        text = settings.token_file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("mcp.token_file", str(settings.token_file), "a file that can be read") from error
    return _checked("mcp.token_file", text.strip())


def needed_token(host: str) -> ConfigError:
    """The error for a host that others can reach, and no token."""
    return ConfigError(
        "mcp.token", MISSING, f"{_FORM}. Set TAILRACE_MCP__TOKEN or mcp.token_file: others can reach {host}"
    )


def _checked(key: str, token: str) -> str:
    if len(token) < _TOKEN_CHARS_MIN or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(key, _HIDDEN, _FORM)
    return token
