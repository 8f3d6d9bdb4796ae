"""Every setting with its value and where that comes from: what `tailrace config show` prints.

Secrets are never in it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from tailrace.schemas.policy.document import BASE
from tailrace.streams.settings.environment import environment_values
from tailrace.streams.settings.places import holds
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.section import SettingSection
from tailrace.streams.settings.settings import Settings, config_file, file_values

_HIDDEN: Final = "***"


class Setting(Struct, frozen=True, kw_only=True):
    """One setting. `key` is as in the file, sections joined with dots; `origin` is environment, default or the file."""

    key: str
    value: Any
    origin: str


def all_settings(settings: Settings) -> list[Setting]:
    """Return every setting in the order of the file's sections, with its origin."""
    file = config_file()
    sources: list[tuple[str, Mapping[str, Any]]] = [("environment", environment_values(Settings))]
    if file is not None:
        sources.append((str(file), file_values()))
    sources += [(f"policy {layer.origin}", {"policy": layer.values}) for layer in settings.policy_layers[1:]]
    return [
        Setting(key=".".join(path), value=value, origin=_origin(path, sources)) for path, value in _values(settings, ())
    ]


def nested(settings: list[Setting]) -> dict[str, Any]:
    """Return the values as the file would hold them: sections inside one object."""
    root: dict[str, Any] = {}
    for setting in settings:
        *sections, name = setting.key.split(".")
        place = root
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = setting.value
    return root


def _values(section: Settings | SettingSection, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in section.__struct_fields__:
        value = getattr(section, name)
        here = (*path, name)
        if isinstance(value, SettingSection):
            yield from _values(value, here)
        elif isinstance(section, Settings) and name == "policy":
            # What counts is the policy that the agents get, with what `base` and the defaults add.
            yield (*here, BASE), value.get(BASE)
            yield from _fields(section.compaction_policy, here)
        else:
            yield here, _shown(value)


def _fields(struct: Struct, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Fields of a table, those of the tables inside it each for itself; lists and free keys stay whole."""
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if isinstance(value, Struct):
            yield from _fields(value, (*path, name))
        else:
            yield (*path, name), msgspec.to_builtins(value)


def _shown(value: Any) -> Any:
    if isinstance(value, SecretText):
        return _HIDDEN
    return value if value is None or isinstance(value, bool | int | float | str | dict) else str(value)


def _origin(path: tuple[str, ...], sources: list[tuple[str, Mapping[str, Any]]]) -> str:
    return next((name for name, values in sources if holds(values, path)), "default")
