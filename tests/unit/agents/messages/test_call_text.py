"""What a tool was told, as text."""

import json
from typing import Any

import pytest

from tailrace.agents.messages.call_text import (
    READ_CHARS,
    call_target,
    call_text,
    patched_files,
    result_text,
    subject_of,
)
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart


def call(arguments: Any) -> ToolCallPart:
    return ToolCallPart(id="c", name="tool", arguments=arguments)


def test_an_edit_is_about_its_path_and_tells_what_is_new() -> None:
    arguments = {
        "file_path": "/deep/in/the/gates/weir.py",
        "old_string": "level = 8",
        "new_string": "level = 9",
        "all": False,
    }

    for said in (call_text(call(arguments)), call_text(call(json.dumps(arguments)))):
        assert (said.path, said.argument_text) == ("the/gates/weir.py", "level = 9")


def test_beside_a_command_only_prose_is_told() -> None:
    said = call_text(call({"cmd": ["git", "status"], "timeout": 3000, "cwd": "/gates", "why": "Look for changes"}))

    assert (said.command, said.argument_text) == ("git status", "git status # Look for changes")


@pytest.mark.parametrize("arguments", ["not {json", '"text"', None, ["a", 1], "\ud800", "[" * 5_000])
def test_odd_arguments_are_text(arguments: Any) -> None:
    assert call_text(call(arguments)).path == ""


def test_a_patch_names_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: a/b/c/weir.py\n+level = 9\n*** Delete File: old.py\n*** End Patch"

    assert call_text(call({"input": patch})).patch == patch
    assert [(verb, path) for verb, path, _ in patched_files(patch)] == [("Update", "b/c/weir.py"), ("Delete", "old.py")]


def test_of_a_long_result_beginning_and_end_are_read() -> None:
    text = result_text(ToolCallResponsePart(id="c", response="first\n" + "middle\n" * 9_000 + "last"))

    assert text.startswith("first")
    assert text.endswith("last")
    assert len(text) <= READ_CHARS + 1


def test_blocks_of_a_result_are_read_and_media_is_not() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 99}}

    text = result_text(ToolCallResponsePart(id="c", response=[{"type": "text", "text": "level 9"}, image]))

    assert "level 9" in text
    assert "iVBOR" not in text


def test_the_subject_is_the_first_whole_words() -> None:
    assert subject_of("go  test\n./gates") == "go test ./gates"
    assert subject_of("one " * 40) == " ".join(["one"] * 10)


def test_numbers_that_say_how_long_or_how_much_are_no_subject() -> None:
    polled = call({"session_id": 4711, "chars": "", "yield_time_ms": 1000, "max_output_tokens": 4000, "timeout": 5})

    assert call_text(polled).argument_text == "4711"
    assert call_text(call({"amount": 300, "pump": "north"})).argument_text == "300\nnorth"


@pytest.mark.parametrize(
    ("path", "shown"), [("/srv/locks/weir.py", "/srv/locks/weir.py"), ("/srv/old/locks/weir.py", "old/locks/weir.py")]
)
def test_a_path_from_the_root_does_not_become_another(path: str, shown: str) -> None:
    assert call_text(call({"file_path": path})).path == shown
    assert call_target(call({"file_path": path}))[0] == shown
