"""The arguments of a tool call as text: its path or its command, and whatever else is worth quoting."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tailrace.agents.language import cues
from tailrace.agents.messages.clip import clip
from tailrace.agents.messages.part_text import response_text
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.parts import Json, ToolCallPart, ToolCallResponsePart

#: How much is read of what a tool said or was told: its beginning and its end.
READ_CHARS = 2_000
_PATH_KEYS = ("file_path", "path", "notebook_path", "filename", "file_name", "file")
_COMMAND_KEYS = ("command", "cmd", "script")
#: Under these a tool for several things is told which one to do.
_OPERATION_KEYS = ("operation", "action", "op", "mode", "edit_mode", "method")
_OPERATES = frozenset(_OPERATION_KEYS)
_OPERATION = re.compile(r"[A-Za-z]{2,20}(?:[_-][A-Za-z]{1,20}){0,3}")
#: Keys of numbers that say how a call is to be made, and nothing of what it is about: how long, how much.
_HOW = re.compile(
    r"timeout|(?:^|_)(?:ms|secs|seconds|tokens|chars|bytes|lines)$|^-[A-Za-z]$|^(?:context|head_limit)$", re.IGNORECASE
)
#: How keys begin of what an edit takes away, and of how a result is to look.
_LEFT_OUT = ("old", "output_", "response_")
_PATH_STEPS = 3
_SUBJECT_CHARS_MAX = 40
#: Before what a command is for, as in a shell.
_REMARK = " # "
_PATCH_BEGINS = "*** Begin Patch"
_PATCHED_FILE = re.compile(r"^\*\*\* (Update|Add|Delete) File: (.+)$", re.MULTILINE)

_decode_json = decoder()


@dataclass(frozen=True, slots=True)
class CallText:
    """What a call says."""

    #: End of the path that it is about; empty if it names none.
    path: str
    command: str
    #: Everything else that it was told.
    argument_text: str
    patch: str = ""
    #: Which of several things the tool is to do.
    operation: str = ""


def _aim(call: ToolCallPart, arguments: dict[str, Json]) -> tuple[str, str, str]:
    """Return a call's path, its command, and the operation that it asks of a tool for several.

    Each is empty if the arguments name none.
    """
    path, command = _first(arguments, _PATH_KEYS), _first(arguments, _COMMAND_KEYS)
    operation = ""
    if path and command and _is_operation(command) and not cues.tool_runs(call.name):
        operation, command = command, ""
    elif not _OPERATES.isdisjoint(arguments):
        operation = _operation(arguments)
    return path, command, operation


def call_text(call: ToolCallPart) -> CallText:
    """Return what a call says; arguments that are no JSON are taken as they are."""
    arguments = _arguments(call)
    if not isinstance(arguments, dict):
        argument_text = " ".join(_leaves(arguments))
        return CallText("", "", bounded(argument_text), argument_text if _PATCH_BEGINS in argument_text else "")
    path, command, operation = _aim(call, arguments)
    argument_text = "\n".join(bounded(text) for text in _worth_quoting(arguments, path, command))
    patch = next((text for text in _leaves(arguments) if _PATCH_BEGINS in text), "")
    return CallText(_end_of(path), command, argument_text, patch, operation)


def _end_of(path: str) -> str:
    """Return the last steps of a path, or all of it where only the root would be left out.

    Without its root an absolute path would look like a relative one.
    """
    steps = path.rstrip("/").rsplit("/", _PATH_STEPS)
    return "/".join(steps[-_PATH_STEPS:]) if steps[0] else path.rstrip("/")


#: End of the path that a call is about, its command, and which of several things a tool is to do, each empty if it
#: names none; and its arguments.
CallTarget = tuple[str, str, str, dict[str, Json]]


def call_target(call: ToolCallPart) -> CallTarget:
    """Return the path, the command and the arguments of a call, at a fraction of the cost of `call_text`."""
    arguments = _arguments(call)
    # Looked at for every call: a mapping of another type than JSON's would take longer to tell than all that follows.
    if not isinstance(arguments, dict):
        return "", "", "", {}
    path, command, operation = _aim(call, arguments)
    if path and path.count("/") >= _PATH_STEPS:
        path = _end_of(path)
    return path, command, operation, arguments


def _operation(arguments: dict[str, Json]) -> str:
    """Which of several things a tool is to do; empty where it is told none that is known."""
    words = (arguments.get(key) for key in _OPERATION_KEYS)
    return next((word for word in words if isinstance(word, str) and _is_operation(word)), "")


def _is_operation(word: str) -> bool:
    return _OPERATION.fullmatch(word) is not None and cues.is_verb(word)


def holds_patch(call: ToolCallPart) -> bool:
    """Tell whether the arguments of a call may hold a patch of several files."""
    arguments = call.arguments
    if isinstance(arguments, str):
        return _PATCH_BEGINS in arguments
    return isinstance(arguments, dict) and any(
        isinstance(value, str) and _PATCH_BEGINS in value for value in arguments.values()
    )


def result_text(result: ToolCallResponsePart) -> str:
    """Return beginning and end of what a tool answered."""
    try:
        return bounded(response_text(result.response))
    except (UnicodeEncodeError, RecursionError):
        return ""  # can't be written as JSON: half of a surrogate pair, or nested as no tool nests its answers


def bounded(text: str) -> str:
    """Return beginning and end of a text."""
    return text if len(text) <= READ_CHARS else "\n".join(clip(text, READ_CHARS))


def subject_of(text: str) -> str:
    """Return the first words of what a tool was told."""
    words = " ".join(text[: 4 * _SUBJECT_CHARS_MAX].split())
    if len(words) <= _SUBJECT_CHARS_MAX:
        return words
    end = words.rfind(" ", 0, _SUBJECT_CHARS_MAX) + 1
    # A long word is cut: what is left without it may be no more than the name of a program.
    return words[:end].rstrip() if end > _SUBJECT_CHARS_MAX // 2 else words[: _SUBJECT_CHARS_MAX - 1] + "…"


def patched_files(patch: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a patch does to each file, the end of its path, and that part of the patch."""
    headings = list(_PATCHED_FILE.finditer(patch))
    ends = [*(match.start() for match in headings[1:]), len(patch)]
    for match, end in zip(headings, ends, strict=False):
        path = "/".join(match[2].strip().split("/")[-_PATH_STEPS:])
        yield match[1], path, bounded(_added(patch[match.end() : end]))


def _added(part: str) -> str:
    """What a part of a patch adds; all of it where it adds nothing."""
    lines = [line[1:] for line in part.split("\n") if line.startswith("+")]
    return "\n".join(lines) or part


def _arguments(call: ToolCallPart) -> Json:
    if not isinstance(call.arguments, str):
        return call.arguments
    try:
        return _decode_json(call.arguments)
    except PoisonEvent:
        return call.arguments


def _first(arguments: Mapping[str, Json], keys: tuple[str, ...]) -> str:
    """Text of the first of these keys that the arguments have; empty if they have none."""
    for key in keys:
        if key not in arguments:
            continue
        value = arguments[key]
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return " ".join(value)
    return ""


def _worth_quoting(arguments: Mapping[str, Json], path: str, command: str) -> Iterator[str]:
    """Texts of the arguments without the path, without what an edit takes away, and without switches.

    Beside a command only prose is worth quoting, as a remark on its first line: the rest is how to run it.
    """
    texts = [
        " ".join(_leaves(value))
        for key, value in arguments.items()
        if not (key.startswith(_LEFT_OUT) or isinstance(value, bool) or (path and value == path))
        and not (isinstance(value, int | float) and _HOW.search(key))
    ]
    if not command:
        yield from filter(None, texts)
        return
    first, _, rest = command.partition("\n")
    remarks = [text for text in texts if " " in text and text != command]
    yield _REMARK.join([first, *remarks])
    if rest:
        yield rest


def _leaves(value: Json) -> list[str]:
    leaves: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(reversed(item.values()))
        elif isinstance(item, list):
            stack.extend(reversed(item))
        elif item is not None:
            leaves.append(item if isinstance(item, str) else str(item))
    return leaves
