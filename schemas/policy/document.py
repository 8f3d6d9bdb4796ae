"""From a document to a policy.

Every value is looked at. Everything that is wrong is named, with its path and what is allowed.

Lax where the way in knows only text: numbers may be strings, lists JSON, and `"null"` takes a value back where one may
be missing, because neither TOML nor a variable of the environment has a word for it.
"""

import types
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import MISSING, ConfigError, PoisonEvent
from tailrace.schemas.policy.policy import Policy

ROOT = "policy"
#: Key of a document that names the one it builds on. Whoever reads files puts the two together first.
BASE = "base"

#: JSON's numbers are exact up to here, whoever reads them.
WHOLE_NUMBER_MAX = 2**53

_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}

#: What other values of a policy are judged by where this one was refused: a default that nobody wrote would refuse them
#: too.
_STAND_INS: dict[type[Struct], dict[str, Any]] = {Policy: {"upper_fraction": 1.0}}

#: Stands for a value that was refused; whatever holds it is refused without another word.
_REFUSED: Any = object()

_decode_json = decoder()


def read_policy(values: Mapping[str, Any]) -> Policy:
    """The policy that a document says. Raises a ConfigError for the first thing that is wrong with it."""
    policy, problems = examine_policy(values)
    if policy is None:
        raise problems[0]
    return policy


def examine_policy(values: Mapping[str, Any]) -> tuple[Policy | None, list[ConfigError]]:
    """The policy that a document says, or None and everything that is wrong with it."""
    reader = _Reader()
    policy = reader.read(values, Policy, ROOT)
    return (None if policy is _REFUSED else policy), reader.problems


class _Reader:
    """Reads values by the types of the Structs and collects what is wrong."""

    def __init__(self) -> None:
        self.problems: list[ConfigError] = []

    def read(self, value: Any, kind: Any, path: str) -> Any:
        """The value as a field of this type holds it."""
        kinds = _kinds(kind)
        if types.NoneType in kinds and (value is None or _takes_back(value, kinds)):
            return None
        structs = [option for option in kinds if isinstance(option, type) and issubclass(option, Struct)]
        if structs:
            return self._table(_decoded(value), structs, path)
        holder = next((option for option in kinds if get_origin(option) in _HOLDERS), None)
        if holder is not None:
            return _HOLDERS[get_origin(holder)](self, _decoded(value), get_args(holder), path)
        return self._leaf(value, kind, kinds, path)

    def _table(self, value: Any, structs: list[type[Struct]], path: str) -> Any:
        if not isinstance(value, Mapping):
            return self._refuse(path, value, f"a table with {_listed(_keys(structs))}")
        tag_field = structs[0].__struct_config__.tag_field
        struct = structs[0]
        if tag_field is not None:
            tags = {str(option.__struct_config__.tag): option for option in structs}
            tag = value.get(tag_field, MISSING)
            if not isinstance(tag, str) or tag not in tags:
                return self._refuse(f"{path}.{tag_field}", tag, f"one of {_listed(tags)}")
            struct = tags[tag]
        fields = {field.name: field for field in msgspec.structs.fields(struct)}
        read_fields = {}
        for key, inner in value.items():
            if key in fields:
                read_fields[key] = self.read(inner, fields[key].type, f"{path}.{key}")
            elif key != tag_field:
                self._refuse(f"{path}.{key}", inner, _known_keys(str(key), _keys([struct])))
                read_fields[key] = _REFUSED
        for name, field in fields.items():
            if field.required and name not in read_fields:
                read_fields[name] = self._refuse(f"{path}.{name}", MISSING, _allowed(_kinds(field.type)))
        return self._build(struct, read_fields, path)

    def _build(self, struct: type[Struct], read_fields: dict[str, Any], path: str) -> Any:
        """The Struct; what it refuses is left out and it is built again, so that all that is wrong is said at once."""
        refused = any(value is _REFUSED for value in read_fields.values())
        stand_ins = _STAND_INS.get(struct, {})
        kept = {key: stand_ins.get(key, value) if value is _REFUSED else value for key, value in read_fields.items()}
        kept = {key: value for key, value in kept.items() if value is not _REFUSED}
        if refused and any(field.required and field.name not in kept for field in msgspec.structs.fields(struct)):
            return _REFUSED
        left_out: set[str] = set()
        while True:
            try:
                built = struct(**kept)
            except ConfigError as error:
                culprit = error.key.removeprefix(f"{ROOT}.").split(".")[0] if struct is Policy else _last(error.key)
                refused = True
                if culprit in left_out:
                    return _REFUSED  # What stands in its place doesn't fit either, but nobody wrote that.
                self.problems.append(_at(path, struct, error))
                if kept.pop(culprit, MISSING) is MISSING:
                    return _REFUSED
                left_out.add(culprit)
                if culprit in stand_ins:
                    kept[culprit] = stand_ins[culprit]
            else:
                return _REFUSED if refused else built

    def _list(self, value: Any, args: tuple[Any, ...], path: str) -> Any:
        if isinstance(value, str) or not isinstance(value, Sequence):
            return self._refuse(path, value, "a list")
        items = [self.read(item, args[0], f"{path}[{place}]") for place, item in enumerate(value)]
        return _REFUSED if any(item is _REFUSED for item in items) else tuple(items)

    def _dict(self, value: Any, args: tuple[Any, ...], path: str) -> Any:
        if not isinstance(value, Mapping):
            return self._refuse(path, value, "a table")
        if args[1] is Any:
            return self._json(value, path)
        items = {str(key): self.read(item, args[1], f"{path}.{key}") for key, item in value.items()}
        return _REFUSED if any(item is _REFUSED for item in items.values()) else items

    def _json(self, value: Any, path: str) -> Any:
        try:
            # A value of its own: nobody who holds the document can change the policy.
            return _decode_json(msgspec.json.encode(value))
        except (PoisonEvent, OverflowError, TypeError, ValueError, RecursionError):
            return self._refuse(path, value, "values that JSON can hold")

    def _leaf(self, value: Any, kind: Any, kinds: Sequence[Any], path: str) -> Any:
        try:
            read = msgspec.convert(value, kind, strict=False)
        except (msgspec.ValidationError, OverflowError):
            return self._refuse(path, value, _allowed(kinds))
        if isinstance(read, int) and abs(read) >= WHOLE_NUMBER_MAX:
            return self._refuse(path, value, "a whole number below 2^53")
        return read

    def _refuse(self, path: str, value: Any, allowed: str) -> Any:
        self.problems.append(ConfigError(path, value, allowed))
        return _REFUSED


_HOLDERS: dict[Any, Any] = {tuple: _Reader._list, dict: _Reader._dict}  # noqa: SLF001  a table of the class's own methods


def _kinds(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)


def _decoded(value: Any) -> Any:
    """What a text says as JSON: the only way to put a list or a table into a variable of the environment."""
    if not isinstance(value, str):
        return value
    try:
        return _decode_json(value)
    except PoisonEvent:
        return value


def _takes_back(value: Any, kinds: Sequence[Any]) -> bool:
    return isinstance(value, str) and value.lower() == "null" and str not in kinds


def _keys(structs: Sequence[type[Struct]]) -> list[str]:
    tagged = structs[0].__struct_config__.tag_field
    own = [] if len(structs) > 1 else list(structs[0].__struct_fields__)
    return [*([tagged] if tagged else []), *([BASE] if structs[0] is Policy else []), *own]


def _allowed(kinds: Sequence[Any]) -> str:
    words = [_WORDS[kind] for kind in kinds if kind in _WORDS]
    values = [str(value) for kind in kinds for value in _members(kind)]
    words += [f"one of {_listed(values)}" if len(values) > 1 else values[0]] if values else []
    words += ['"null" for none'] if types.NoneType in kinds and str not in kinds else []
    return " or ".join(words)


def _members(kind: Any) -> Sequence[Any]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return [member.value for member in kind] if isinstance(kind, type) and issubclass(kind, Enum) else ()


def _listed(names: Any) -> str:
    return ", ".join(names)


def _known_keys(key: str, allowed_keys: Sequence[str]) -> str:
    near = get_close_matches(key, allowed_keys, n=1)
    meant = f"did you mean {near[0]}? Only" if near else "only"
    return f"{meant} known keys: {_listed(allowed_keys)}"


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _at(path: str, struct: type[Struct], error: ConfigError) -> ConfigError:
    """The same error with the place in the document; a Struct knows only its own name."""
    if struct is Policy:
        return error
    name = _last(error.key)
    return ConfigError(f"{path}.{name}" if name in struct.__struct_fields__ else path, error.value, error.allowed)
