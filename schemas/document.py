"""From a document to a Struct: every value is looked at, and all that is wrong is listed, each with its path.

Lax where the way in knows only text: numbers may be strings, lists and tables JSON, and `"null"` takes a value back
where one may be missing, because neither TOML nor a variable of the environment has a word for it.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import MISSING, ConfigError, PoisonEvent

#: JSON's numbers are exact up to here, whoever reads them.
WHOLE_NUMBER_MAX = 2**53

_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
#: What a bound of a type says, in the order in which it is said.
_BOUNDS = {
    "ge": "at least {}",
    "gt": "above {}",
    "le": "at most {}",
    "min_length": "at least {} characters",
    "max_length": "at most {} characters",
    "pattern": "of the form {}",
}

#: Stands for a value that was refused; whatever holds it is refused without another word.
_REFUSED: Any = object()

_decode_json = decoder()


class Special(NamedTuple):
    """What a kind of document has that the types of its Structs don't say."""

    #: Types whose values are made from a text.
    texts: Mapping[type, Callable[[str], Any]] = types.MappingProxyType({})
    #: Keys of a table that are no fields: whoever reads files takes them out.
    other_keys: Mapping[type[Struct], Sequence[str]] = types.MappingProxyType({})
    #: What other values of a table are judged by where this one was refused: a default that nobody wrote would refuse
    #: them too.
    stand_ins: Mapping[type[Struct], Mapping[str, Any]] = types.MappingProxyType({})


def examine_document(
    values: Mapping[str, Any], kind: type[Struct], root: str, special: Special
) -> tuple[Any, list[ConfigError]]:
    """The Struct that a document says, or None and everything that is wrong with it. Paths begin with `root`."""
    reader = _Reader(special)
    read = reader.read(values, kind, root)
    return (None if read is _REFUSED else read), reader.problems


class _Reader:
    """Reads values by the types of the Structs and collects what is wrong."""

    def __init__(self, special: Special) -> None:
        self.problems: list[ConfigError] = []
        self._special = special

    def read(self, value: Any, kind: Any, path: str) -> Any:
        """The value as a field of this type holds it."""
        kinds = _kinds(kind)
        if types.NoneType in kinds and (value is None or self._takes_back(value, kinds)):
            return None
        structs = [option for option in kinds if isinstance(option, type) and issubclass(option, Struct)]
        if structs:
            return self._table(_decoded(value), structs, path)
        holder = next((option for option in kinds if get_origin(option) in _HOLDERS), None)
        if holder is not None:
            return _HOLDERS[get_origin(holder)](self, _decoded(value), get_args(holder), path)
        return self._leaf(value, kind, kinds, path)

    def _table(self, value: Any, structs: list[type[Struct]], path: str) -> Any:
        if isinstance(value, tuple(structs)):
            return value
        if not isinstance(value, Mapping):
            return self._refuse(path, value, f"a table with {_listed(self._keys(structs))}")
        tag_field = structs[0].__struct_config__.tag_field
        struct = structs[0]
        if tag_field is not None:
            tags = {str(option.__struct_config__.tag): option for option in structs}
            tag = value.get(tag_field, MISSING)
            if not isinstance(tag, str) or tag not in tags:
                return self._refuse(_inside(path, tag_field), tag, f"one of {_listed(tags)}")
            struct = tags[tag]
        fields = {field.name: field for field in msgspec.structs.fields(struct)}
        read_fields = {}
        for key, inner in value.items():
            if key in fields:
                read_fields[key] = self.read(inner, fields[key].type, _inside(path, key))
            elif key != tag_field:
                self._refuse(_inside(path, key), inner, _known_keys(str(key), self._keys([struct])))
                read_fields[key] = _REFUSED
        for name, field in fields.items():
            if field.required and name not in read_fields:
                read_fields[name] = self._refuse(_inside(path, name), MISSING, self._allowed(_kinds(field.type)))
        return self._build(struct, read_fields, path)

    def _build(self, struct: type[Struct], read_fields: dict[str, Any], path: str) -> Any:
        """The Struct; what it refuses is left out and it is built again, so that all that is wrong is said at once."""
        refused = any(value is _REFUSED for value in read_fields.values())
        stand_ins = self._special.stand_ins.get(struct, {})
        kept = {key: stand_ins.get(key, value) if value is _REFUSED else value for key, value in read_fields.items()}
        kept = {key: value for key, value in kept.items() if value is not _REFUSED}
        if refused and any(field.required and field.name not in kept for field in msgspec.structs.fields(struct)):
            return _REFUSED
        left_out: set[str] = set()
        while True:
            try:
                built = struct(**kept)
            except ConfigError as error:
                inner = _path_inside(path, error.key)
                culprit = _last(error.key) if inner is None else inner.partition(".")[0]
                refused = True
                if culprit in left_out:
                    return _REFUSED  # What stands in its place doesn't fit either, but nobody wrote that.
                self.problems.append(error if inner is not None else _at(path, struct, error))
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
        items = {str(key): self.read(item, args[1], _inside(path, key)) for key, item in value.items()}
        return _REFUSED if any(item is _REFUSED for item in items.values()) else items

    def _json(self, value: Any, path: str) -> Any:
        try:
            # A value of its own: nobody who holds the document can change the policy.
            return _decode_json(msgspec.json.encode(value))
        except (PoisonEvent, OverflowError, TypeError, ValueError, RecursionError):
            return self._refuse(path, value, "values that JSON can hold")

    def _leaf(self, value: Any, kind: Any, kinds: Sequence[Any], path: str) -> Any:
        made = next((option for option in kinds if option in self._special.texts), None)
        if made is not None:
            return self._made(value, made, path)
        try:
            read = msgspec.convert(value, kind, strict=False)
        except (msgspec.ValidationError, OverflowError):
            return self._refuse(path, value, self._allowed(kinds))
        if isinstance(read, int) and abs(read) >= WHOLE_NUMBER_MAX:
            return self._refuse(path, value, "a whole number below 2^53")
        return read

    def _made(self, value: Any, kind: type, path: str) -> Any:
        if isinstance(value, kind):
            return value
        return self._special.texts[kind](value) if isinstance(value, str) else self._refuse(path, value, _WORDS[str])

    def _takes_back(self, value: Any, kinds: Sequence[Any]) -> bool:
        return isinstance(value, str) and value.lower() == "null" and not self._may_be_text(kinds)

    def _may_be_text(self, kinds: Sequence[Any]) -> bool:
        return any(_base(kind) is str or kind in self._special.texts for kind in kinds)

    def _keys(self, structs: Sequence[type[Struct]]) -> list[str]:
        tagged = structs[0].__struct_config__.tag_field
        own = [] if len(structs) > 1 else list(structs[0].__struct_fields__)
        return [*([tagged] if tagged else []), *self._special.other_keys.get(structs[0], ()), *own]

    def _allowed(self, kinds: Sequence[Any]) -> str:
        words = [_words(kind) for kind in kinds if _base(kind) in _WORDS]
        words += [_WORDS[str] for kind in kinds if kind in self._special.texts]
        values = [str(value) for kind in kinds for value in _members(kind)]
        words += [f"one of {_listed(values)}" if len(values) > 1 else values[0]] if values else []
        words += ['"null" for none'] if types.NoneType in kinds and not self._may_be_text(kinds) else []
        return " or ".join(words)

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
    """The same error with the place in the document; most Structs know only their own name."""
    name = _last(error.key)
    return ConfigError(_inside(path, name) if name in struct.__struct_fields__ else path, error.value, error.allowed)


def _inside(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _path_inside(path: str, whole: str) -> str | None:
    """Return the path from a table on, where it leads into it."""
    beginning = _inside(path, "")
    return whole.removeprefix(beginning) if whole.startswith(beginning) else None


def _base(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _words(kind: Any) -> str:
    """What a value of a type is, with its bounds."""
    bounds = [bound for bound in get_args(kind)[1:] if isinstance(bound, Meta)]
    pairs = [(words, getattr(bound, name)) for bound in bounds for name, words in _BOUNDS.items()]
    limits = " and ".join(words.format(limit) for words, limit in pairs if limit is not None)
    return f"{_WORDS[_base(kind)]}, {limits}" if limits else _WORDS[_base(kind)]
