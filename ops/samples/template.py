"""A conversation as it is written by hand: TOML, with the tool calls named and their answers left to the recorder.

Top level: thread, model, title, language, format, commands (tool name to shell command), files and setup (what the
sandbox needs before it begins) and turns. A turn has one of system, user, agent; an agent's may have `think`,
`refusal`, and calls: `bash` for one or several commands, `call` for any tool. A call has its arguments, and what steers
recording:

- `exit`      the exit code to expect, 0 if absent: a dialogue that speaks of a failure needs the failure
- `expect`    regular expressions that the answer must match, for the same reason
- `learn`     names for groups of regular expressions; `<<name>>` in later texts is replaced by what was found
- `chars_max` how much of a long answer is kept
- `open`      the call is never run and never answered
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CALL_CONTROLS = ("tool", "exit", "expect", "learn", "chars_max", "open")
_SPEAKERS = ("system", "user", "agent")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a template."""

    tool: str
    arguments: Mapping[str, Any]
    exit: int = 0
    expect: tuple[str, ...] = ()
    learn: Mapping[str, str] = field(default_factory=dict)
    chars_max: int | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a template, and the calls it makes."""

    speaker: str
    text: str
    think: str = ""
    refusal: str = ""
    picture: bool = False
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """One conversation."""

    thread: str
    model: str
    title: str
    language: str
    format: str
    commands: Mapping[str, str]
    files: Mapping[str, str]
    setup: tuple[str, ...]
    turns: tuple[Turn, ...]


def read_template(path: Path) -> Template:
    """Return the conversation that a file describes."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    turns = data.pop("turn")
    files = {file["path"]: file["content"] for file in data.pop("file", [])}
    commands, setup = data.pop("commands", {}), tuple(data.pop("setup", []))
    read = tuple(_turn(turn, f"{path.name}: turn {number}") for number, turn in enumerate(turns, 1))
    return Template(**data, commands=commands, files=files, setup=setup, turns=read)


def _turn(data: dict[str, Any], where: str) -> Turn:
    speakers = [name for name in _SPEAKERS if name in data]
    if len(speakers) != 1:
        raise SystemExit(f"{where} must have one of {', '.join(_SPEAKERS)}, it has {', '.join(speakers) or 'none'}")
    text = data.pop(speakers[0]).strip("\n")
    shells = data.pop("bash", [])
    if isinstance(shells, str):
        shells = [shells]
    calls = [{"tool": "bash", "command": command} for command in shells] + data.pop("call", [])
    # Most turns make one call; what steers it may then stand in the turn.
    if len(calls) == 1:
        calls[0] |= {name: data.pop(name) for name in _CALL_CONTROLS if name in data}
    think = data.pop("think", "").strip("\n")
    return Turn(speaker=speakers[0], text=text, think=think, calls=tuple(map(_call, calls)), **data)


def _call(data: dict[str, Any]) -> Call:
    arguments = {name: value for name, value in data.items() if name not in _CALL_CONTROLS}
    controls = {name: value for name, value in data.items() if name in _CALL_CONTROLS}
    expect = controls.pop("expect", ())
    return Call(arguments=arguments, expect=(expect,) if isinstance(expect, str) else tuple(expect), **controls)
