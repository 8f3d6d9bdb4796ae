"""Contexts after a compaction, as models read them: each kept as a file that people have read.

A change of a context is a change of what models see. If it is meant, write the files again and read the difference:

    GOLDEN=write .venv/bin/pytest tests/golden && git diff tests/golden
"""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from tailrace.schemas.providers.check import violations
from tailrace.schemas.records.message import Format
from tailrace.streams import Compacted, compact

FOLDER = Path(__file__).parent
POLICIES = ("default", "codex", "ladder")
FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)


def _conversation(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = msgspec.json.decode((FOLDER / "conversations" / f"{name}.json").read_bytes())
    return loaded


#: Conversations, each with the budgets that it is brought down to.
CASES = [
    (file.stem, budget_tokens)
    for file in sorted((FOLDER / "conversations").glob("*.json"))
    for budget_tokens in _conversation(file.stem)["budgets"]
]
WRITE = os.environ.get("GOLDEN") == "write"


pytestmark = pytest.mark.usefixtures("bare_folder")


class _Readable(yaml.SafeDumper):
    """Writes texts of several lines as such, so that a diff shows words and not escapes."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Readable.add_representer(str, _text)


def written(done: Compacted) -> str:
    plan = done.plan
    document = {
        "tokens": f"{plan.before_tokens} before, {plan.after_tokens} after, limit {plan.budget.limit_tokens}",
        "changes": [
            f"{change.action} {len(change.ids)} by {change.strategy}, {change.before_tokens} -> {change.after_tokens}"
            for change in plan.changes
        ],
        **{str(target): done.request(target) for target in FORMATS},
    }
    return str(yaml.dump(document, Dumper=_Readable, allow_unicode=True, sort_keys=False, width=110))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("conversation", "budget_tokens"), CASES)
def test_the_context_is_the_one_that_was_read(conversation: str, budget_tokens: int, policy: str) -> None:
    done = compact(_conversation(conversation)["messages"], policy, budget_tokens=budget_tokens)
    text = written(done)
    file = FOLDER / "contexts" / f"{conversation}.{budget_tokens}.{policy}.yaml"
    if WRITE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    assert done.tokens <= done.plan.budget.limit_tokens
    assert {str(target): violations(done.request(target), target) for target in FORMATS} == {
        str(target): [] for target in FORMATS
    }
    assert file.is_file(), f"{file.name} is not there yet: GOLDEN=write .venv/bin/pytest tests/golden, then read it"
    golden = file.read_text(encoding="utf-8")
    assert text == golden, (
        f"{file.name} reads differently. If that is meant: GOLDEN=write .venv/bin/pytest tests/golden"
    )


def test_every_golden_file_belongs_to_a_conversation() -> None:
    expected = {f"{conversation}.{budget}.{policy}.yaml" for conversation, budget in CASES for policy in POLICIES}
    assert {file.name for file in (FOLDER / "contexts").iterdir()} == expected
