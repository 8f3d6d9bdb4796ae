"""docs/policies.md says what the code does: every key with its default and unit, every ready-made policy, and an example that runs."""

import re
import sys
import types
from enum import StrEnum
from importlib import invalidate_caches
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from msgspec import Struct

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact
from tailrace.agents.tokens.budget import budget_for
from tailrace.agents.tokens.counts import count_message
from tailrace.agents.tokens.estimate import EstimatingCounter
from tailrace.schemas.policy.document import read_policy
from tailrace.schemas.policy.ledger import LedgerRules, ReceiptRules
from tailrace.schemas.policy.policy import AgentPolicy, Keep, KeepRule, ModelLimit, Policy, Tiers
from tailrace.schemas.policy.steps import AnySplit, AnyStep, ToolRetention
from tailrace.schemas.policy.tools import Chunks, Distill, Rehydrate, ToolRule
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.policy.files import Layer, make_policy, open_policy, ready_made_names
from tailrace.streams.policy.text import _inline
from tailrace.streams.strategies.custom_strategies import strategies_for

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "policies.md").read_text(encoding="utf-8")

#: Headings of the page, and the Struct whose keys stand below.
TABLES: dict[str, type[Struct]] = {
    "The policy": Policy,
    "`[tiers]`": Tiers,
    "`[chunks]`": Chunks,
    "`[distill]`": Distill,
    "`[tools.NAME]`": ToolRule,
    "`[rehydrate]`": Rehydrate,
    "`[ledger]`": LedgerRules,
    "`[receipt]`": ReceiptRules,
    "`[triggers]`": Triggers,
    "`[[triggers.rules]]`": TriggerRule,
    "`[triggers.timers]`": Timers,
    "`[triggers.governor]`": Governor,
    "`[keep]`": Keep,
    "`[[keep.rules]]`": KeepRule,
    "`[models.NAME]`": ModelLimit,
    "`[agents.NAME]`": AgentPolicy,
    "Retention": ToolRetention,
    **{f"`{struct.__struct_config__.tag}`": struct for struct in (*get_args(AnyStep), *get_args(AnySplit))},
}
#: Defaults that are longer are tables and lists of their own.
DEFAULT_CHARS_MAX = 24
#: Unit of a number by a word in its name; the first that fits counts.
UNITS = {
    "tokens": "tokens",
    "chars": "characters",
    "turns": "turns",
    "fraction": "0 to 1",
    "ratio": "0 to 1",
    "seconds": "seconds",
    "_ms": "milliseconds",
}


def section(heading: str) -> str:
    """Text between a heading and the next."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/policies.md has no section {heading}"
    return found[1]


def rows(heading: str) -> list[list[str]]:
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def unit(name: str, kind: Any) -> str:
    kinds = get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)
    words = [str(value) for one in kinds if get_origin(one) is Literal for value in get_args(one)]
    words += [str(value) for one in kinds if isinstance(one, type) and issubclass(one, StrEnum) for value in one]
    if int in kinds or float in kinds:
        words.insert(0, next((said for word, said in UNITS.items() if word in name), "number"))
    plain = {bool: "true, false", str: "text", tuple: "list", dict: "table"}
    words += [said for one, said in plain.items() if one in kinds or one in map(get_origin, kinds)]
    words += ["table"] if any(isinstance(one, type) and issubclass(one, Struct) for one in kinds) else []
    return ", ".join(words)


def default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if value is None:
        return "not set"
    text = _inline(value)
    return f"`{text}`" if len(text) <= DEFAULT_CHARS_MAX else "see below"


@pytest.mark.parametrize("heading", TABLES)
def test_every_key_is_on_the_page_with_its_default_and_unit(heading: str) -> None:
    expected = [
        [f"`{field.name}`", default(field), unit(field.name, field.type)]
        for field in msgspec.structs.fields(TABLES[heading])
    ]
    found = rows(heading)
    assert [row[:3] for row in found] == expected
    assert all(row[3] for row in found), "say what the key is for"


@pytest.mark.parametrize("step", get_args(AnyStep), ids=lambda step: str(step.__struct_config__.tag))
def test_every_step_stands_on_the_page_with_its_rung(step: Any) -> None:
    assert section(f"`{step.__struct_config__.tag}`").startswith(f"\nRung {step.aggressiveness}. ")


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
