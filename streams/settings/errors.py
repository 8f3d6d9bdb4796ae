"""What is said about settings that can't be used: which key, where it is, what is allowed, and never a secret."""

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.places import holds
from tailrace.streams.settings.toml_lines import TomlLines

_HIDDEN: Final = "***"
#: Fields that an error may show, by section; of the sections that are not in it, it may show all.
ShownFields = Mapping[str, Collection[str]]


def config_error(details: Mapping[str, Any], shown: ShownFields) -> ConfigError:
    """Return an error of ours for one of pydantic's."""
    key = ".".join(str(part) for part in details["loc"]) or "settings"
    value = _HIDDEN if _may_be_secret(key, shown) else details.get("input")
    if details["type"] == "extra_forbidden":
        return ConfigError(key, value, "only known settings; `tailrace config show` lists them")
    return ConfigError(key, value, details["msg"].removeprefix("Value error, "))


def without_secrets(section: type[BaseModel], *hidden: str) -> frozenset[str]:
    """Return the fields of a section that hold no secrets, without those that are hidden too."""
    fields = section.model_fields.items()
    return frozenset(name for name, info in fields if "SecretStr" not in str(info.annotation)) - set(hidden)


def _may_be_secret(key: str, shown: ShownFields) -> bool:
    """Tell whether a value must not be shown: secrets, and whatever is wrong about a section that holds them."""
    section, _, name = key.partition(".")
    return section in shown and name not in shown[section]


def unknown_variables(settings: Iterable[str], others: Collection[str]) -> list[ConfigError]:
    """Return errors for `TAILRACE_*` variables that mean nothing: pydantic-settings only checks nested ones."""
    names = {f"TAILRACE_{name.upper()}" for name in settings}
    # Their values stay hidden: one may be a password under a name that is slightly wrong.
    return [
        ConfigError(variable, _HIDDEN, f"one of {', '.join(sorted(names))}")
        for variable in sorted(os.environ)
        if variable.startswith("TAILRACE_") and variable.partition("__")[0] not in names and variable not in others
    ]


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
