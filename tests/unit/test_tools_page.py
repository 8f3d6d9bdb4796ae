"""docs/tools.md runs: its loops answer the calls of a model, and its MCP configuration starts a server that exists."""

import json
import re
import sqlite3
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import sqlite_utils
from typer.main import get_command

from tailrace.schemas.providers.tools import tool_definitions
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.cli import app
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
LOOPS = re.findall(r"<!-- run by tests/unit/test_tools_page.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
(CONFIGURATION,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
PASSAGE = '[1. thread t1, turn 2, user; read_artifact("m1") returns all of it]\nThe lock opens at nine.'


class Said(SimpleNamespace):
    """An object of a provider's package: attributes, and a way to become a dict."""

    def model_dump(self, **_options: Any) -> dict[str, Any]:
        return {"role": "assistant", "said": True}


class Model:
    """Calls `recall` first, then answers; keeps what it was sent."""

    def __init__(self, replies: list[Any]) -> None:
        self.replies = replies
        self.requests: list[dict[str, Any]] = []

    async def create(self, **request: Any) -> Any:
        self.requests.append({**request, "messages": list(request["messages"])})
        return self.replies.pop(0)


@pytest.fixture(autouse=True)
def _said(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> None:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder))
    connection = sqlite3.connect(bare_folder / RECALL_FILE)
    document = RecallDocument(
        tenant="default",
        thread="t1",
        id="m1",
        kind=RecallKind.MESSAGE,
        text="The lock opens at nine.",
        role="user",
        turn=2,
    )
    RecallIndex(sqlite_utils.Database(connection)).add([document])
    connection.commit()
    connection.close()


async def run(code: str, package: str, client: str, surface: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Run a loop of the page with a model of our own, and return the conversation that it leaves."""
    module = ModuleType(package)
    setattr(module, client, lambda: surface)
    monkeypatch.setitem(sys.modules, package, module)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/tools.md", "exec"), names)  # noqa: S102  our own page
    messages = [{"role": "user", "content": "When does the lock open?"}]
    assert await names["ask"](messages, "t1") == "At nine."
    return messages


async def test_the_loop_for_openai_answers_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = [loop for loop in LOOPS if "openai" in loop]
    call = SimpleNamespace(id="c1", function=SimpleNamespace(name="recall", arguments='{"query": "lock"}'))
    replies = [Said(tool_calls=[call], content=None), Said(tool_calls=None, content="At nine.")]
    model = Model([SimpleNamespace(choices=[SimpleNamespace(message=said)]) for said in replies])
    surface = SimpleNamespace(chat=SimpleNamespace(completions=model))

    messages = await run(code, "openai", "AsyncOpenAI", surface, monkeypatch)

    assert messages[2] == {"role": "tool", "tool_call_id": "c1", "content": PASSAGE}
    assert [len(request["messages"]) for request in model.requests] == [1, 3]
    assert model.requests[0]["tools"] == tool_definitions("openai.chat")


async def test_the_loop_for_anthropic_answers_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = [loop for loop in LOOPS if "anthropic" in loop]
    call = Said(type="tool_use", id="c1", name="recall", input={"query": "lock"})
    model = Model(
        [
            SimpleNamespace(content=[Said(type="text", text="I'll look."), call], stop_reason="tool_use"),
            SimpleNamespace(content=[Said(type="text", text="At nine.")], stop_reason="end_turn"),
        ]
    )

    messages = await run(code, "anthropic", "AsyncAnthropic", SimpleNamespace(messages=model), monkeypatch)

    answer = {"type": "tool_result", "tool_use_id": "c1", "content": PASSAGE}
    assert messages[2] == {"role": "user", "content": [answer]}
    assert [len(request["messages"]) for request in model.requests] == [1, 3]
    assert model.requests[0]["tools"] == tool_definitions("anthropic")


def test_the_mcp_configuration_names_a_command_and_options_that_exist() -> None:
    server = json.loads(CONFIGURATION)["mcpServers"]["tailrace"]
    name, *options = server["args"]
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {option for option in options if option.startswith("-")} <= known
