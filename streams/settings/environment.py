"""What the environment says: `TAILRACE_*` variables, as a file would say it.

Sections are joined with two underscores: `TAILRACE_TOPICS__PREFIX` is `prefix` under `[topics]`. A whole section may
stand in one variable, as JSON.
"""

import os
from collections.abc import Collection
from typing import Any, Final, get_origin

from msgspec import Struct
from msgspec.structs import fields

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import ConfigError, PoisonEvent

_PREFIX: Final = "TAILRACE_"
_HIDDEN: Final = "***"

_decode_json = decoder()


def environment_values(settings: type[Struct]) -> dict[str, Any]:
    """Return what variables say of these settings, nested as in a file."""
    values: dict[str, Any] = {}
    # A whole section comes before its own keys, which win.
    for variable in sorted(os.environ):
        path = variable.removeprefix(_PREFIX).lower().split("__")
        if variable.startswith(_PREFIX) and path[0] in settings.__struct_fields__:
            text = os.environ[variable]
            _put(values, path, _table(text) if _is_table(settings, path) else text)
    return values


def unknown_variables(settings: type[Struct], others: Collection[str]) -> list[ConfigError]:
    """Return errors for `TAILRACE_*` variables that mean nothing."""
    names = {f"{_PREFIX}{name.upper()}" for name in settings.__struct_fields__}
    # Their values stay hidden: one may be a password under a name that is slightly wrong.
    return [
        ConfigError(variable, _HIDDEN, f"one of {', '.join(sorted(names))}")
        for variable in sorted(os.environ)
        if variable.startswith(_PREFIX) and variable.partition("__")[0] not in names and variable not in others
    ]


def _put(values: dict[str, Any], path: list[str], value: Any) -> None:
    for section in path[:-1]:
        inner = values.setdefault(section, {})
        if not isinstance(inner, dict):
            return  # What stands in the place of the section is refused.
        values = inner
    values[path[-1]] = value


def _is_table(kind: Any, path: list[str]) -> bool:
    """Tell whether the settings have a table there: a section, or one with free keys, or whatever is inside of such."""
    for step in path:
        if not _is_section(kind):
            return True
        kind = {field.name: field.type for field in fields(kind)}.get(step)
    return _is_section(kind) or get_origin(kind) is dict


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _table(text: str) -> Any:
    """Return the table that a text says as JSON; any other text as it is."""
    try:
        value = _decode_json(text)
    except PoisonEvent:
        return text
    return value if isinstance(value, dict) else text
