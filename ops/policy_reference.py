"""Writes docs/policy_reference.md from the Structs of schemas/policy.

Each key stands with its default, unit and allowed values. What a key means is the comment over it (`#:`). What a number
may be is asked of the Struct, which refuses a wrong one with what is allowed. So nothing of the page is written twice.
"""

import ast
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.ledger import LedgerRules, ReceiptRules
from tailrace.schemas.policy.policy import AgentPolicy, Keep, KeepRule, ModelLimit, Policy, Tiers
from tailrace.schemas.policy.steps import AnySplit, AnyStep, Step, ToolRetention
from tailrace.schemas.policy.tools import Chunks, Distill, Rehydrate, ToolRule
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.streams.policy.text import inline_toml

PAGE = "docs/policy_reference.md"

#: Headings of tables, and the Struct whose keys stand below.
TABLES: dict[str, type[Struct]] = {
    "The policy": Policy,
    "`[tiers]`": Tiers,
    "`[chunks]`": Chunks,
    "`[distill]`": Distill,
    "`[tools.NAME]`": ToolRule,
    "`[rehydrate]`": Rehydrate,
    "`[ledger]`": LedgerRules,
    "`[receipt]`": ReceiptRules,
    "`[triggers]`": Triggers,
    "`[[triggers.rules]]`": TriggerRule,
    "`[triggers.timers]`": Timers,
    "`[triggers.governor]`": Governor,
    "`[keep]`": Keep,
    "`[[keep.rules]]`": KeepRule,
    "`[models.NAME]`": ModelLimit,
    "`[agents.NAME]`": AgentPolicy,
}
STEPS: tuple[type[Step], ...] = get_args(AnyStep)
SPLITS: tuple[type[Struct], ...] = get_args(AnySplit)

#: Where the lines of docs/ end; only tables are wider.
_LINE_CHARACTERS_MAX = 120
#: Longer defaults are tables and lists of steps.
_DEFAULT_CHARS_MAX = 24
#: Unit of a number by a word in its name; the first that fits counts.
_UNITS = {
    "tokens": "tokens",
    "chars": "characters",
    "turns": "turns",
    "fraction": "part",
    "ratio": "part",
    "seconds": "seconds",
    "_ms": "milliseconds",
}
#: What a Struct is asked for to learn which numbers it takes: none takes this one if there is any bound.
_BELOW_EVERY_BOUND = -1
_WORDS = {bool: "true, false", str: "text"}

_INTRODUCTION = """# Every key of a policy

Made from the code by `make schemas`. How policies are written and what they do is told in [policies](policies.md);
`tailrace policy show` prints the one in force.

Fractions are of the limit: the window, times `window_fraction`, less all reserves, but never less than a quarter of the
window. Names of tools, sources and roles may be patterns like `git_*`. "Not set" is written `"null"` where a base has
set the key.
"""


class Key(NamedTuple):
    """One row of a table."""

    name: str
    default: str
    unit: str
    allowed: str
    meaning: str


def keys_of(struct: type[Struct]) -> list[Key]:
    """Return what the page says of each key of a Struct, in its order."""
    meanings = _meanings(struct)
    return [
        Key(field.name, _default(field), _unit(field), _allowed(struct, field), meanings.get(field.name, ""))
        for field in msgspec.structs.fields(struct)
    ]


@cache
def _meanings(struct: type[Struct]) -> dict[str, str]:
    """Return the comment over each key of a Struct as one line; pages that it names become links."""
    lines = inspect.getsource(struct).splitlines()
    (defined,) = ast.parse("\n".join(lines)).body
    assert isinstance(defined, ast.ClassDef)
    found = {}
    for node in defined.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            first = node.lineno - 1
            while lines[first - 1].strip().startswith("#:"):
                first -= 1
            text = " ".join(line.strip().removeprefix("#:").strip() for line in lines[first : node.lineno - 1])
            found[node.target.id] = re.sub(r"docs/(\w+)\.md", r"[\1](\1.md)", text)
    return found


def _default(field: FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if value is None:
        return "not set"
    text = inline_toml(value)
    return f"`{text}`" if len(text) <= _DEFAULT_CHARS_MAX else _long_default(value)


def _long_default(value: Any) -> str:
    """Name the steps or splits of a list; a table has a section of its own."""
    return ", ".join(f"`{_tag(type(item))}`" for item in value) if isinstance(value, tuple) else "its own table"


def _kinds(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)


def _unit(field: FieldInfo) -> str:
    if not {int, float} & set(_kinds(field.type)):
        return ""
    return next((unit for word, unit in _UNITS.items() if word in field.name), "number")


def _allowed(struct: type[Struct], field: FieldInfo) -> str:
    """Return what a key takes: a number by what the Struct says of one that is too small, all else by its type."""
    return " or ".join(_values(struct, field, _kinds(field.type)))


def _values(struct: type[Struct], field: FieldInfo, kinds: tuple[Any, ...]) -> Iterator[str]:
    if int in kinds or float in kinds:
        yield _range(struct, field)
    for kind in kinds:
        words = list(_members(kind))
        if words:
            yield ", ".join(f"`{word}`" for word in words)
        elif kind in _WORDS:
            yield _WORDS[kind]
        elif get_origin(kind) is tuple:
            yield _list(kind)
        elif get_origin(kind) is dict:
            yield _table(kind)
    if any(isinstance(kind, type) and issubclass(kind, Struct) for kind in kinds):
        yield "a table"


def _members(kind: Any) -> Iterator[str]:
    if get_origin(kind) is Literal:
        yield from map(str, get_args(kind))
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        yield from map(str, kind)


def _list(kind: Any) -> str:
    words = list(_members(get_args(kind)[0]))
    return f"a list of {', '.join(f'`{word}`' for word in words)}" if words else "a list"


def _table(kind: Any) -> str:
    words = list(_members(get_args(kind)[1]))
    return f"a table of {', '.join(f'`{word}`' for word in words)}" if words else "a table"


def _range(struct: type[Struct], field: FieldInfo) -> str:
    try:
        struct(**{field.name: _BELOW_EVERY_BOUND})
    except ConfigError as error:
        # The unit has a column of its own.
        return error.allowed.removesuffix(f" {_unit(field)}").replace("a positive number of", "1 or more")
    return "any number"


def _rows(struct: type[Struct]) -> str:
    rows = keys_of(struct)
    if not rows:
        return "It has no keys.\n"
    lines = "\n".join(f"| `{key.name}` | {key.default} | {key.unit} | {key.allowed} | {key.meaning} |" for key in rows)
    return f"| key | default | unit | allowed | meaning |\n|---|---|---|---|---|\n{lines}\n"


def _about(struct: type[Struct]) -> str:
    """Return the docstring of a Struct; None is Python's word for a key that is not set."""
    return " ".join((inspect.getdoc(struct) or "").split()).replace("None ", "what is not set ")


def _section(heading: str, struct: type[Struct], *, rung: str = "") -> str:
    about = textwrap.fill(rung + _about(struct), _LINE_CHARACTERS_MAX, break_on_hyphens=False)
    return f"{heading}\n\n{about}\n\n{_rows(struct)}"


def _tag(struct: type[Struct]) -> str:
    return str(struct.__struct_config__.tag)


def page() -> str:
    """Return the text of the page."""
    parts = [_INTRODUCTION, *(_section(f"## {heading}", struct) for heading, struct in TABLES.items())]
    parts.append(
        "## Steps\n\nEach has a name under `use`, and a rung on the ladder: 0 costs no more than a note, 1 "
        "externalizes, "
        '2 summarizes,\n3 clears, 4 drops. `order = "ladder"` takes the lower rungs first; `aggressiveness_max` leaves '
        "the higher ones out.\n"
    )
    parts += [_section(f"### `{_tag(step)}`", step, rung=f"Rung {step.aggressiveness}. ") for step in STEPS]
    parts.append(_section("### Retention, of `expire_tool_results`", ToolRetention))
    parts.append(
        "## Splits\n\nWhich part stays word for word while `externalize` and `summarize` take what lies before it. A "
        "step "
        "keeps what any of\nits splits keeps; a cut is only ever made between two groups. Each has a name under `by`.\n"
    )
    parts += [_section(f"### `{_tag(split)}`", split) for split in SPLITS]
    return "\n".join(parts)


def generate() -> dict[str, str]:
    """Return the text of the file, by its path in the repository."""
    return {PAGE: page()}
