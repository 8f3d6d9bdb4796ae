"""docs/policies.md says what the code does: every ready-made policy, every key that it names, and examples that run."""

import re
import sys
from importlib import invalidate_caches
from pathlib import Path

import msgspec
import pytest
from support.estimate import EstimatingCounter

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact
from tailrace.agents.tokens.budget import budget_for
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.document import read_policy
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.policy.files import Layer, make_policy, open_policy, ready_made_names
from tailrace.streams.strategies.custom_strategies import strategies_for

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "policies.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """Text between a heading and the next."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/policies.md has no section {heading}"
    return found[1]


def rows(heading: str) -> list[list[str]]:
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_what_people_set_first_is_in_the_reference() -> None:
    reference = (Path(__file__).resolve().parents[2] / "docs" / "policy_reference.md").read_text(encoding="utf-8")
    names = [name for row in rows("What people set first") for name in re.findall(r"`([^`]+)`", row[1])]

    assert len(names) > 10
    missing = [name for name in names if f"| `{name}` |" not in reference and f"## `{name}`" not in reference]
    assert missing == []


def test_the_ready_made_policies_are_on_the_page_with_their_marks() -> None:
    window = 200_000
    expected = []
    for name in ready_made_names():
        budget = budget_for(open_policy(name, Path()), window)
        expected.append([f"`{name}`", f"{budget.upper_tokens:,}", f"{budget.lower_tokens:,}"])
    assert [row[:3] for row in rows("Ready-made policies")] == expected


def test_the_examples_of_policies_can_be_used() -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    policies = [text for text in examples if "[project" not in text]
    assert len(policies) >= 2
    for text in policies:
        values = msgspec.toml.decode(text)
        make_policy(Layer("example", values.get("policy", values)), Path())


def test_the_example_of_a_strategy_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (metadata,) = [text for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[project" in text]
    points = msgspec.toml.decode(metadata)["project"]["entry-points"]["tailrace.strategies"]
    info = tmp_path / "example-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 1.0\n")
    lines = [f"{name} = {target}" for name, target in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[tailrace.strategies]", *lines]))
    (module,) = {target.partition(":")[0] for target in points.values()}
    (tmp_path / f"{module}.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()

    assert len(code.splitlines()) <= 15
    policy = read_policy({"steps": [{"use": "custom", "name": name} for name in points]})
    custom = strategies_for(policy, timeout_seconds=30)
    texts = [(role, words) for _ in range(40) for role, words in (("user", "word " * 60), ("assistant", "Done."))]
    messages = [Message(role=role, parts=(TextPart(content=text),)) for role, text in texts]
    engine = Engine(policy, lambda message, _: count_message(message, EstimatingCounter()), custom=custom)
    done = compact(messages, engine, budget_tokens=2_500)
    sys.modules.pop(module)

    assert done.plan.skipped == ()
    by_example = [change for change in done.plan.changes if change.strategy in points]
    # All small talk but that of the last three turns, which stay.
    assert len(by_example) == 37
