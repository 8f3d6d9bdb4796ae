"""Texts that are made to be slow: the words of every pattern of the project, over and over.

Each compiled pattern is taken apart, and what it matches is put together from its own letters. Repeated, that is the
text on which a pattern has most to do, and on which one that goes over the same place again and again shows.
"""

import importlib
import pkgutil
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from re import _constants, _parser  # type: ignore[attr-defined]  # the only way to what a pattern consists of
from typing import Any, Final

#: What no pattern names: letters, signs, ends of lines, other scripts.
GENERIC: Final = (
    "a", "=", ":", "-", ".", "_", " ", "\n", "\\", '"', "a ", "a. ", "1 ", "1,", "a\n", "- a\n", "> a\n", "| a ", "`",
    "```\n", "*", "((", "[", '{"a":', "<a>", "\t", "\u00e4", "\u65e5\u672c", "a@b.c ", "http://a.b/c ", "/a/b",
    "no ", "-u ", "pwd=", "password=", "password=abc1 ", "value=", 'token:"', "name: DB_PASSWORD\nvalue: ", "? ", "; ",
    "\r\n", "\x00", "x" * 80 + "\n", "+a\n",
)  # fmt: skip
_UNIT_CHARS_MAX: Final = 120
_CATEGORIES: Final = {"DIGIT": "7", "SPACE": " ", "WORD": "a"}
_PACKAGES: Final = ("schemas", "agents", "streams")


@dataclass(frozen=True, slots=True)
class Named:
    """A pattern, the module that it was first found in, and what it is called there."""

    module: str
    pattern: "re.Pattern[Any]"
    #: Empty where it lies in a table.
    name: str = ""


def patterns() -> list[Named]:
    """Return every compiled pattern that a module of ours holds, each once."""
    found: dict[re.Pattern[Any], Named] = {}
    for module in _modules():
        for name, value in vars(importlib.import_module(module)).items():
            for pattern in _held([value], depth=4):
                called = "" if isinstance(value, dict | list | tuple | set | frozenset) else name
                found.setdefault(pattern, Named(module, pattern, called))
    return list(found.values())


def units(pattern: "re.Pattern[Any]", most: int | None = None) -> Iterator[str]:
    """Yield texts made from what a pattern matches; of more than `most`, those that lie evenly apart.

    The whole of it, and its beginning up to each repeat, by which it looks again from every place; and what each repeat
    goes over, by which it looks to the end each time.
    """
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(text, pattern.flags & ~re.UNICODE)
    parted = list(_parts(tree))
    for parts, seed, repeats in parted[:: -(-len(parted) // (most or len(parted)))]:
        unit = "".join(_Words(random.Random(seed), repeats).of(parts))[-_UNIT_CHARS_MAX:]
        if unit:
            yield unit.encode("utf-8", "replace").decode()


def _parts(tree: Any) -> Iterator[tuple[Any, int, int]]:
    """Yield parts of a pattern, with a seed and how often their repeats go on, those of branches after the others."""
    items = list(tree)
    yield items, 1, 0
    yield items, 1, 3
    for place, (operation, argument) in enumerate(items):
        name = str(operation)
        if name.endswith("REPEAT"):
            yield items[: place + 1], 1, 0
            yield items[: place + 1], 2, 2
            yield items[place : place + 1], 3, 1
        for inner in inner_parts(name, argument):
            yield from _parts(inner)


def inner_parts(name: str, argument: Any) -> list[Any]:
    """Return what stands inside of a part of a pattern, by the name of what it does."""
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [argument[2]]
    if name == "BRANCH":
        return list(argument[1])
    if name == "SUBPATTERN":
        return [argument[3]]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    return [argument] if name == "ATOMIC_GROUP" else []


def _modules() -> Iterator[str]:
    for package in _PACKAGES:
        top = importlib.import_module(f"tailrace.{package}")
        for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
            if not module.name.endswith("__main__"):
                yield module.name


def _held(values: Iterable[object], depth: int) -> Iterator["re.Pattern[Any]"]:
    for value in values:
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(owner := getattr(value, "__self__", None), re.Pattern):
            yield owner  # a method of it: `compile(…).match`
        elif depth and isinstance(value, dict):
            yield from _held(value.values(), depth - 1)
        elif depth and isinstance(value, list | tuple | set | frozenset):
            yield from _held(value, depth - 1)


#: What stands inside of a part that is nothing by itself.
_INNER: Final[dict[str, Callable[[random.Random, Any], Any]]] = {
    "BRANCH": lambda chance, argument: chance.choice(argument[1]),
    "SUBPATTERN": lambda _, argument: argument[3],
    "ATOMIC_GROUP": lambda _, argument: argument,
    "ASSERT": lambda _, argument: argument[1],
}


@dataclass(slots=True)
class _Words:
    """Puts a match together, part by part."""

    chance: random.Random
    repeats: int

    def of(self, tree: Any) -> Iterator[str]:
        for operation, argument in tree:
            yield from self._part(str(operation), argument)

    def _part(self, operation: str, argument: Any) -> Iterator[str]:
        match operation:
            case "LITERAL":
                yield chr(argument)
            case "NOT_LITERAL":
                yield "x" if argument != ord("x") else "y"
            case "ANY":
                yield "x"
            case "IN":
                yield self._one_of(argument)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = argument
                for _ in range(min(least + self.repeats, 40 if most is _constants.MAXREPEAT else most, 40)):
                    yield from self.of(inner)
            case _ if operation in _INNER:
                yield from self.of(_INNER[operation](self.chance, argument))
            case _:
                pass

    def _one_of(self, members: list[tuple[Any, Any]]) -> str:
        if str(members[0][0]) == "NEGATE":
            return "x"
        operation, argument = self.chance.choice(members)
        match str(operation):
            case "LITERAL":
                return chr(argument)
            case "RANGE":
                return chr(self.chance.randint(*argument))
            case _:
                kind = str(argument).removeprefix("CATEGORY_")
                return _CATEGORIES.get(kind, "." if kind.startswith("NOT_WORD") else "a")
