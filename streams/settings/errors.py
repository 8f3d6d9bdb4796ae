"""What is said about settings that can't be used: which key, where it is, what is allowed, and never a secret."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from msgspec.structs import fields

from tailrace.schemas.errors import MISSING, ConfigError
from tailrace.streams.settings.places import holds
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.section import SettingSection
from tailrace.streams.settings.toml_lines import TomlLines

_HIDDEN: Final = "***"
#: Fields that an error may show, by section; of the sections that are not in it, it may show all.
ShownFields = Mapping[str, Collection[str]]


def hide_secrets(error: ConfigError, shown: ShownFields) -> ConfigError:
    """Return the error without its value, where that may be a secret."""
    if error.value is MISSING or not _may_be_secret(error.key, shown):
        return error
    return ConfigError(error.key, _HIDDEN, error.allowed)


def without_secrets(section: type[SettingSection], *hidden: str) -> frozenset[str]:
    """Return the fields of a section that hold no secrets, without those that are hidden too."""
    return frozenset(field.name for field in fields(section) if SecretText not in get_args(field.type)) - set(hidden)


def _may_be_secret(key: str, shown: ShownFields) -> bool:
    """Tell whether a value must not be shown: secrets, and whatever is wrong about a section that holds them."""
    section, _, name = key.partition(".")
    return section in shown and name not in shown[section]


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file with settings, and what comes before it."""

    path: Path
    values: Mapping[str, Any]
    above: Sequence[Mapping[str, Any]]

    def located(self, errors: Sequence[ConfigError]) -> list[ConfigError]:
        """Return the errors, those about what is in the file with its name and the line, in the order of the lines."""
        if not any(self._holds(error) for error in errors):
            return list(errors)
        lines = TomlLines(self.path.read_text(encoding="utf-8"))
        numbers = [lines.line_of(_path(error)) if self._holds(error) else None for error in errors]
        placed = sorted(zip(numbers, errors, strict=True), key=lambda pair: pair[0] or 0)
        return [error.told_of(f"{self.path}:{number}") if number else error for number, error in placed]

    def _holds(self, error: ConfigError) -> bool:
        path = _path(error)
        return holds(self.values, path) and not any(holds(values, path) for values in self.above)


def _path(error: ConfigError) -> list[str]:
    """The steps of a key such as `policy.steps[0].use`."""
    return [step for step in re.split(r"[.\[\]]+", error.key) if step]
