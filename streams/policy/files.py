"""Policies from files: the ready-made ones that come with Tailrace, and those that people write on top of one.

A document may name another as its `base`, by its name or as a file. What it says itself comes first: tables are merged
key by key, lists are replaced whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from os.path import normpath
from pathlib import Path
from typing import Any, Final

import msgspec

from tailrace.schemas.decoder import decode_each_key_once, decode_toml
from tailrace.schemas.errors import ConfigError, PoisonEvent
from tailrace.schemas.policy.document import BASE, ROOT, examine_policy
from tailrace.schemas.policy.policy import Policy

#: The policy that holds where nothing is set.
DEFAULT_NAME: Final = "default"
_BASE_KEY: Final = f"{ROOT}.{BASE}"
#: Policies that may stand on each other: more is a circle.
_LAYERS_MAX: Final = 10

#: A file with a table of this name is around a policy: settings, or what `tailrace policy show --json` prints. These
#: keys of a policy may stand beside it there; others would be overlooked.
_BESIDE: Final = frozenset({"name", "models", "summarizer"})
_POLICY_KEYS: Final = frozenset(field.encode_name for field in msgspec.structs.fields(Policy)) | {BASE}

_SUFFIXES: Final = (".toml", ".json")
_DEFAULT_ABOUT: Final = (
    "What holds where nothing is set: repeats, media and tool results shrink first, then old turns are summarised."
)


@dataclass(frozen=True, slots=True)
class Layer:
    """One document of those that a policy is made from, without its `base`."""

    #: Where it comes from: the name of a ready-made policy, or a file.
    origin: str
    values: Mapping[str, Any]
    #: What it is, as the comment in front of it says.
    about: str = ""


def ready_made_names() -> list[str]:
    """Names that `base` may hold, the default first."""
    files = (file.name for file in _folder().iterdir())
    return [DEFAULT_NAME, *sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml"))]


def ready_made(name: str, key: str = _BASE_KEY) -> Layer:
    """The ready-made policy of this name. Raises a ConfigError that lists those that there are.

    `key` is what an error names: where the name comes from.
    """
    if name == DEFAULT_NAME:
        return Layer(DEFAULT_NAME, {}, _DEFAULT_ABOUT)
    if name not in ready_made_names():
        allowed = f"one of {', '.join(ready_made_names())}, or the path of a {' or '.join(_SUFFIXES)} file"
        raise ConfigError(key, name, allowed)
    text = (_folder() / f"{name}.toml").read_text(encoding="utf-8")
    return Layer(name, decode_toml(text), _comment(text))


def find_layer(name_or_file: str, folder: Path, key: str = _BASE_KEY) -> Layer:
    """The document that a name or a path means; a path is relative to `folder`."""
    if "/" in name_or_file or "\\" in name_or_file or name_or_file.endswith(_SUFFIXES):
        return read_file(folder / Path(name_or_file).expanduser(), key)
    return ready_made(name_or_file, key)


def read_file(file: Path, key: str = _BASE_KEY) -> Layer:
    """The document in a file: JSON where its name says so, TOML otherwise. Raises a ConfigError for anything else."""
    form, decode = ("JSON", decode_each_key_once) if file.suffix == ".json" else ("TOML", decode_toml)
    try:
        text = file.read_text(encoding="utf-8-sig")  # editors of Windows put a mark in front
    except OSError as error:
        raise ConfigError(key, str(file), f"a file that can be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(key, str(file), f"a {form} file: {error}") from error
    try:
        values = decode(text)
    except PoisonEvent as error:
        raise ConfigError(key, str(file), f"a {form} file: {error}") from error
    if not isinstance(values, dict):
        raise ConfigError(key, str(file), f"a {form} file with a table of keys at its top")
    if isinstance(values.get(ROOT), dict):
        stray = sorted(values.keys() & (_POLICY_KEYS - _BESIDE))
        if stray:
            raise ConfigError(
                key, str(file), f"a {form} file whose keys of a policy are all in [{ROOT}]; move {stray[0]} there"
            )
        values = values[ROOT]
    return Layer(str(file), values, _comment(text) if form == "TOML" else "")


def layers(top: Layer, folder: Path) -> list[Layer]:
    """The document and those that it stands on, itself first. A base is relative to the document that names it."""
    stack: list[Layer] = []
    layer: Layer | None = top
    while layer is not None:
        values = dict(layer.values)
        base = values.pop(BASE, None)
        stack.append(Layer(layer.origin, values, layer.about))
        key = _BASE_KEY if layer is top else f"{layer.origin}: {_BASE_KEY}"
        layer = _base(base, folder, key)
        if layer is None:
            break
        if any(normpath(layer.origin) == normpath(seen.origin) for seen in stack):
            chain = " → ".join([*(seen.origin for seen in stack), layer.origin])
            raise ConfigError(key, base, f"policies that don't lead back to one of themselves, not {chain}")
        if len(stack) == _LAYERS_MAX:
            chain = " → ".join(seen.origin for seen in stack)
            raise ConfigError(key, base, f"at most {_LAYERS_MAX} policies on top of each other, not {chain}")
        folder = Path(layer.origin).parent
    return stack


def _base(base: Any, folder: Path, key: str) -> Layer | None:
    if base is None:
        return None
    if not isinstance(base, str):
        raise ConfigError(key, base, "the name of a policy, or the path of a file")
    return find_layer(base, folder, key)


def merged(stack: Sequence[Layer]) -> dict[str, Any]:
    """What the documents say together; the first says the last word."""
    values: dict[str, Any] = {}
    for layer in reversed(stack):
        values = merge(values, layer.values)
    return values


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """What two documents say together; the second says the last word."""
    both = {
        key: merge(below[key], value)
        for key, value in above.items()
        if isinstance(value, Mapping) and isinstance(below.get(key), Mapping)
    }
    return {**below, **above, **both}


def examine(top: Layer, folder: Path) -> tuple[Policy | None, list[ConfigError]]:
    """The policy of a document with all that it stands on, or None and everything that is wrong."""
    try:
        stack = layers(top, folder)
    except ConfigError as error:
        return None, [error]
    for place in range(len(stack) - 1, 0, -1):
        # What is wrong below is said of the file that it is in.
        _, problems = _examine(merged(stack[place:]))
        if problems:
            origin = stack[place].origin
            return None, [error.told_of(origin) for error in problems]
    return _examine(merged(stack))


def _examine(values: Mapping[str, Any]) -> tuple[Policy | None, list[ConfigError]]:
    """The policy of one document: its values and, once they can be read, what its conditions say."""
    policy, problems = examine_policy(values)
    # The default is known to fire as it should.
    if policy is not None and values:
        from tailrace.agents.triggers.problems import trigger_problems  # noqa: PLC0415  a client has no use for it

        problems = trigger_problems(policy)
    return (None if problems else policy), problems


def make_policy(top: Layer, folder: Path) -> Policy:
    """The policy of a document with all that it stands on. Raises a ConfigError for the first thing that is wrong."""
    policy, problems = examine(top, folder)
    if policy is None:
        raise problems[0]
    return policy


def open_policy(name_or_file: str, folder: Path, key: str = _BASE_KEY) -> Policy:
    """The ready-made policy of this name, or the one in this file. Raises a ConfigError that names the file."""
    layer = find_layer(name_or_file, folder, key)
    policy, problems = examine(layer, Path(layer.origin).parent)
    if policy is None:
        # What is wrong below names its file already.
        raise problems[0].told_of(layer.origin) if problems[0].key.startswith(ROOT) else problems[0]
    return policy


def _folder() -> Any:
    return resources.files("tailrace.streams.policy") / "ready_made"


def _comment(text: str) -> str:
    """The comment in front of a document."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return "\n".join(lines)
