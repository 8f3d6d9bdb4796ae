"""A policy as text: as TOML that reads back as the same policy, and as one line for each key to compare two of them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from tailrace.schemas.policy.policy import PATTERN_TABLES, Policy

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
#: Neither TOML nor the environment has a word for what is missing; a policy reads this one.
_NOTHING: Final = '"null"'


def policy_toml(policy: Policy) -> str:
    """The whole policy as TOML, defaults included.

    What is not set stands in a comment; the first line is name and hash.
    """
    return "\n".join([f"# {inline_toml(policy.name)[1:-1]} {policy.hash}", *_table(policy, "")]) + "\n"


def _table(struct: Struct, path: str) -> Iterator[str]:
    """Lines of a table: its plain keys first, because TOML counts all that follows a heading to that heading."""
    tables = []
    for field in msgspec.structs.fields(type(struct)):
        value = getattr(struct, field.name)
        name = f"{path}.{field.name}" if path else field.name
        if isinstance(value, Struct):
            tables.append((f"[{name}]", value, name))
        elif _holds_structs(value) and isinstance(value, Mapping):
            tables += [(f"[{name}.{_key(key)}]", inner, f"{name}.{_key(key)}") for key, inner in value.items()]
        elif _holds_structs(value) and not path:
            tables += [(f"[[{name}]]", inner, name) for inner in value]
        elif value is None and field.default is None:
            yield f"# {field.name}: not set"
        else:
            yield f"{field.name} = {inline_toml(value)}"
    for heading, inner, name in tables:
        yield ""
        yield heading
        yield from _tag(inner)
        yield from _table(inner, name) if not heading.startswith("[[") else _plain(inner)


def _plain(struct: Struct) -> Iterator[str]:
    """Lines of a step: whatever is nested in it stays on its line."""
    for key, value in _set_fields(struct).items():
        yield f"{key} = {inline_toml(value)}"


def _set_fields(struct: Struct) -> dict[str, Any]:
    """Fields that say something; what may be missing and is missing is left out."""
    fields = msgspec.structs.fields(type(struct))
    values = {field.name: getattr(struct, field.name) for field in fields}
    unset = {field.name for field in fields if values[field.name] is None and field.default is None}
    return {name: value for name, value in values.items() if name not in unset}


def _tag(struct: Struct) -> list[str]:
    config = struct.__struct_config__
    return [f"{config.tag_field} = {inline_toml(config.tag)}"] if config.tag_field else []


def _holds_structs(value: Any) -> bool:
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return bool(items) and all(isinstance(item, Struct) for item in items)


def inline_toml(value: Any) -> str:
    """One value on one line."""
    if isinstance(value, Struct):
        pairs = [*_tag(value), *(f"{key} = {inline_toml(inner)}" for key, inner in _set_fields(value).items())]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, Mapping):
        pairs = [f"{_key(key)} = {inline_toml(inner)}" for key, inner in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(inline_toml(item) for item in value)}]"
    if value is None:
        return _NOTHING
    # JSON's strings and numbers are TOML's, but for the one control character that only TOML escapes.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else inline_toml(key)


def policy_lines(policy: Policy) -> dict[str, str]:
    """Every key that is set, with its value.

    Steps go by their names: one more in front does not change all behind it.
    """
    return dict(_lines(policy, ""))


def _lines(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner, inner_path = getattr(value, name), f"{path}.{name}" if path else name
            if name in PATTERN_TABLES and isinstance(inner, Mapping) and len(inner) > 1:
                yield inner_path, inline_toml(list(inner))
            yield from _lines(inner, inner_path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            lines = list(_lines(inner, f"{path}.{_key(key)}"))
            # A table in which nothing is set is there all the same.
            yield from lines or [(f"{path}.{_key(key)}", "{}")]
    elif _holds_structs(value):
        names = _names(value)
        yield path, inline_toml(names)
        for name, inner in zip(names, value, strict=True):
            yield from _lines(inner, f"{path}.{name}")
    elif value is not None:
        yield path, inline_toml(value)


def _names(structs: Sequence[Struct]) -> list[str]:
    """Names of steps, splits or rules; a second of the same name gets a number."""
    seen: Counter[str] = Counter()
    names = []
    for struct in structs:
        name = str(struct.__struct_config__.tag or "rule")
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return names


def differences(first: Policy, second: Policy) -> list[tuple[str, str | None, str | None]]:
    """Keys in which two policies differ, with the value in each; None where it is not set."""
    ours, theirs = policy_lines(first), policy_lines(second)
    places = {name: place for place, name in enumerate(Policy.__struct_fields__)}
    keys = sorted(ours.keys() | theirs.keys(), key=lambda key: (places[key.partition(".")[0]], key))
    return [(key, ours.get(key), theirs.get(key)) for key in keys if ours.get(key) != theirs.get(key)]
