"""Makes the sample conversations.

Runs the commands of the templates and writes streams/demo/samples/*.json and *.jsonl.

    .venv/bin/python -m ops.samples.record [NAME ...]

The dialogue is written by hand in *.toml beside this file; every tool output in it is what a command printed in a copy
of this repository. A template names what its dialogue relies on, and the recording stops where that isn't so.
"""

import argparse
import base64
import hashlib
import json
import re
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ops.samples.sandbox import ROOT, Sandbox, fresh_sandbox
from ops.samples.template import Call, Template, Turn, read_template
from ops.samples.tools import ANSWER_CHARS_MAX, Answer, answer, trimmed

TEMPLATES = Path(__file__).parent
#: Where the package has them.
SAMPLES = ROOT / "streams" / "samples"

_PLACEHOLDER = re.compile(r"<<([a-z_]+)>>")

#: A call, its id, and what was answered, if anything.
Answered = tuple[Call, str, Answer | None]


class Recorder:
    """Plays one template in a sandbox and collects the messages."""

    def __init__(self, template: Template, sandbox: Sandbox) -> None:
        """Prepare the sandbox as the template asks."""
        self._template = template
        self._sandbox = sandbox
        self._learnt: dict[str, str] = {}
        self._calls = 0
        for path, content in template.files.items():
            file = sandbox.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        self._commands = {name: text.replace("{samples}", str(TEMPLATES)) for name, text in template.commands.items()}
        for command in template.setup:
            sandbox.run(command)

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages in the template's format."""
        write = _WRITERS[self._template.format]
        found: list[dict[str, Any]] = []
        for turn in self._template.turns:
            filled = replace(turn, text=self._filled(turn.text), think=self._filled(turn.think))
            found += write(filled, [self._answered(call) for call in turn.calls])
        return found

    def _answered(self, call: Call) -> Answered:
        self._calls += 1
        call_id = hashlib.sha256(f"{self._template.thread}/{self._calls}".encode()).hexdigest()[:22]
        call = replace(call, arguments={key: self._filled(value) for key, value in call.arguments.items()})
        if call.open:
            return call, call_id, None
        got = answer(self._sandbox, call.tool, call.arguments, self._commands)
        self._check(call, got)
        for name, pattern in call.learn.items():
            match = re.search(pattern, got.text, re.MULTILINE)
            if match is None:
                raise SystemExit(self._complaint(call, got, f"nothing for {name!r} ({pattern})"))
            self._learnt[name] = match.group(1)
        return call, call_id, Answer(trimmed(got.text, call.chars_max or ANSWER_CHARS_MAX), got.exit_code)

    def _check(self, call: Call, got: Answer) -> None:
        if got.exit_code != call.exit:
            raise SystemExit(self._complaint(call, got, f"exit code {got.exit_code}, not {call.exit}"))
        for pattern in call.expect:
            if not re.search(pattern, got.text, re.MULTILINE):
                raise SystemExit(self._complaint(call, got, f"no {pattern!r}"))

    def _complaint(self, call: Call, got: Answer, what: str) -> str:
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        return f"{self._template.thread}: {call.tool} {arguments[:500]}\n{got.text}\n-> {what}; the dialogue needs it"

    def _filled(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return _PLACEHOLDER.sub(lambda match: self._learnt[match.group(1)], value)


def _openai_messages(turn: Turn, answers: list[Answered]) -> list[dict[str, Any]]:
    if turn.speaker != "agent":
        content: Any = turn.text
        if turn.picture:
            url = f"data:image/png;base64,{base64.b64encode(_picture()).decode()}"
            content = [{"type": "text", "text": turn.text}, {"type": "image_url", "image_url": {"url": url}}]
        return [{"role": turn.speaker, "content": content}]
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.refusal:
        message["refusal"] = turn.refusal
    if not answers:
        return [message]
    message["tool_calls"] = [
        {
            "id": f"call_{call_id}",
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call, call_id, _ in answers
    ]
    results = [
        {"role": "tool", "tool_call_id": f"call_{call_id}", "content": got.text} for _, call_id, got in answers if got
    ]
    return [message, *results]


def _anthropic_messages(turn: Turn, answers: list[Answered]) -> list[dict[str, Any]]:
    if turn.speaker != "agent":
        return [{"role": turn.speaker, "content": turn.text}]
    blocks: list[dict[str, Any]] = []
    if turn.think:
        blocks.append({"type": "thinking", "thinking": turn.think, "signature": _signature(turn.think)})
    if turn.text:
        blocks.append({"type": "text", "text": turn.text})
    blocks += [
        {"type": "tool_use", "id": f"toolu_01{call_id}", "name": call.tool, "input": dict(call.arguments)}
        for call, call_id, _ in answers
    ]
    results = [_tool_result(f"toolu_01{call_id}", got) for _, call_id, got in answers if got]
    messages = [{"role": "assistant", "content": blocks}]
    return [*messages, {"role": "user", "content": results}] if results else messages


def _tool_result(call_id: str, got: Answer) -> dict[str, Any]:
    # Both forms that the API takes: text for errors, blocks for the rest.
    if got.exit_code:
        return {"type": "tool_result", "tool_use_id": call_id, "content": got.text, "is_error": True}
    return {"type": "tool_result", "tool_use_id": call_id, "content": [{"type": "text", "text": got.text}]}


def _signature(thinking: str) -> str:
    """Return what looks like the provider's signature: as long, and as opaque, but of no use there."""
    digests = b"".join(hashlib.sha512(f"{index}{thinking}".encode()).digest() for index in range(3))
    return base64.b64encode(digests).decode()


def _picture() -> bytes:
    """Return a PNG of 32 by 16 pixels: orange sky over blue water."""
    width, height = 32, 16
    sky, water = bytes((240, 140, 40)), bytes((30, 70, 150))
    rows = b"".join(b"\0" + (sky if row < height // 2 else water) * width for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    parts = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


_WRITERS: Mapping[str, Callable[[Turn, list[Answered]], list[dict[str, Any]]]] = {
    "openai.chat": _openai_messages,
    "anthropic.messages": _anthropic_messages,
}


def record(path: Path) -> None:
    """Play one template and write its two files: the messages, and what they are."""
    template = read_template(path)
    with fresh_sandbox() as sandbox:
        messages = Recorder(template, sandbox).messages()
    about = {name: getattr(template, name) for name in ("thread", "model", "title", "language")}
    lines = [json.dumps(line, ensure_ascii=False) for line in messages]
    SAMPLES.mkdir(exist_ok=True)
    target = SAMPLES / f"{path.stem}.jsonl"
    target.with_suffix(".json").write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {len(messages)} messages, {target.stat().st_size:,} bytes")


def main() -> None:
    """Record the named templates, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="templates without .toml; all if none is named")
    names = parser.parse_args().names
    for path in sorted(TEMPLATES.glob("*.toml")):
        if not names or path.stem in names:
            record(path)


if __name__ == "__main__":
    main()
