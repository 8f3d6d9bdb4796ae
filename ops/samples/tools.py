"""The tools that agents of the samples call: a shell, four for files, and any command that a template names.

They do what they say in a sandbox. An answer is what such tools answer: text, and whether it is an error.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ops.samples.sandbox import Sandbox

#: Longer answers lose their middle, as in most agents; a call may ask for more.
ANSWER_CHARS_MAX = 6_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered."""

    text: str
    exit_code: int = 0


def answer(sandbox: Sandbox, name: str, arguments: Mapping[str, Any], commands: Mapping[str, str]) -> Answer:
    """Run a tool. `commands` are those of the template: they get the arguments as JSON on standard input."""
    if name in commands:
        outcome = sandbox.run(commands[name], stdin=json.dumps(arguments, ensure_ascii=False))
        return Answer(outcome.text.rstrip("\n"), outcome.exit_code)
    if name not in _TOOLS:
        raise SystemExit(f"a template calls {name!r}; there are {', '.join([*_TOOLS, *commands])}")
    return _TOOLS[name](sandbox, **arguments)


def trimmed(text: str, chars_max: int) -> str:
    """Return the text, cut at line ends in its middle if it is too long."""
    if len(text) <= chars_max:
        return text
    head = text[: chars_max * 2 // 3].rpartition("\n")[0]
    tail = text[-(chars_max // 3) :].partition("\n")[2]
    left_out = text[len(head) : len(text) - len(tail)].strip("\n")
    lines = left_out.count("\n") + 1
    return f"{head}\n[{lines} lines, {len(left_out)} characters left out]\n{tail}"


def _bash(sandbox: Sandbox, command: str) -> Answer:
    outcome = sandbox.run(command)
    text = outcome.text.rstrip("\n")
    if outcome.exit_code:
        return Answer(f"{text}\n[exit code {outcome.exit_code}]".lstrip("\n"), outcome.exit_code)
    return Answer(text or "(no output)")


def _run_python(sandbox: Sandbox, code: str) -> Answer:
    outcome = sandbox.run("python -", stdin=code)
    return Answer(outcome.text.rstrip("\n") or "(no output)", outcome.exit_code)


def _read_file(sandbox: Sandbox, path: str, start: int = 1, end: int | None = None) -> Answer:
    file = sandbox.root / path
    if not file.is_file():
        return Answer(f"error: {path} does not exist", 1)
    lines = file.read_text(encoding="utf-8").splitlines()
    shown = lines[start - 1 : end]
    return Answer("\n".join(f"{start + index:>5}  {line}".rstrip() for index, line in enumerate(shown)))


def _write_file(sandbox: Sandbox, path: str, content: str) -> Answer:
    file = sandbox.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return Answer(f"wrote {path}: {content.count(chr(10))} lines, {len(content.encode())} bytes")


def _edit_file(sandbox: Sandbox, path: str, old: str, new: str) -> Answer:
    file = sandbox.root / path
    if not file.is_file():
        return Answer(f"error: {path} does not exist", 1)
    text = file.read_text(encoding="utf-8")
    found = text.count(old)
    if found != 1:
        return Answer(f"error: the old text occurs {found} times in {path}, it must occur once", 1)
    file.write_text(text.replace(old, new), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    return Answer(f"edited {path} at line {line}")


_TOOLS: dict[str, Callable[..., Answer]] = {
    "bash": _bash,
    "run_python": _run_python,
    "read_file": _read_file,
    "write_file": _write_file,
    "edit_file": _edit_file,
}
