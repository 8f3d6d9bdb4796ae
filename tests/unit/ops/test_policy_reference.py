"""docs/policy_reference.md has every key of every Struct of a policy, says what it is for, and its bounds are true."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """Return the module; `ops` is no package of ours and is found from the root alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        return importlib.import_module("ops.policy_reference")


def structs_of(kind: Any) -> Iterator[type[Struct]]:
    """Yield the Structs that a type holds, at any depth."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from structs_of(field.type)
    for inner in get_args(kind):
        yield from structs_of(inner)


#: Every Struct that a policy can hold, in an order that stays.
STRUCTS = sorted(set(structs_of(Policy)), key=lambda struct: struct.__name__)


def refuses(struct: type[Struct], key: str, value: float) -> bool:
    try:
        struct(**{key: value})
    except ConfigError as error:
        return error.key.rpartition(".")[2] == key
    return False


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_struct_of_a_policy_has_its_keys_on_the_page(reference: ModuleType, struct: type[Struct]) -> None:
    table = reference._rows(struct)

    assert table in reference.page()
    assert all(f"| `{name}` |" in table for name in struct.__struct_fields__)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_key_says_what_it_is_for(reference: ModuleType, struct: type[Struct]) -> None:
    unsaid = [key.name for key in reference.keys_of(struct) if not (key.meaning and key.allowed)]

    assert unsaid == [], f"write a comment `#: ...` over the key of {struct.__name__}"


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_numbers_are_refused_just_outside_of_their_bounds(reference: ModuleType, struct: type[Struct]) -> None:
    for key in reference.keys_of(struct):
        least = re.match(r"(\d+) or more", key.allowed)
        if least:
            assert not refuses(struct, key.name, int(least[1]))
            assert refuses(struct, key.name, int(least[1]) - 1)
        elif key.allowed == "above 0, at most 1":
            assert [refuses(struct, key.name, value) for value in (0.0, 1.0, 1.01)] == [True, False, True]
        else:
            assert key.allowed != "any number", f"{key.name} takes any number: {struct.__name__} has to refuse some"
