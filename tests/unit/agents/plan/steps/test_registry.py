"""From names to steps: inheritance, named strategies, the ladder, and what comes from others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from support.drafts import assistant, draft, user

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.steps.registry import ANALYZE, propose, resolve, step_name, steps_of
from tailrace.schemas.errors import Nonsense
from tailrace.schemas.policy.policy import AgentPolicy, Policy
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseRepeats,
    Custom,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    ReadySummaries,
    Summarize,
    Truncate,
)
from tailrace.schemas.records.compaction import Action

ONE, TWO = (Summarize(ratio=0.1),), (Truncate(),)


def test_every_step_of_a_policy_has_its_work() -> None:
    assert set(get_args(AnyStep)) - {Custom} == ANALYZE.keys()


@pytest.mark.parametrize("step_type", [step for step in get_args(AnyStep) if step is not Custom])
def test_a_step_is_named_as_the_policy_names_it(step_type: type) -> None:
    step = step_type(groups=1) if "groups" in step_type.__struct_fields__ else step_type()
    name = ANALYZE[step_type].__module__.rpartition(".")[2]

    assert step_name(step) == name


def test_a_custom_step_has_the_name_of_its_strategy() -> None:
    assert step_name(Custom(name="mine")) == "mine"


# Inheritance

FAMILY = Policy(
    strategy="summarize",
    compactor="theirs",
    steps=ONE,
    agents={
        "planner": AgentPolicy(strategy="drop"),
        "planner/search": AgentPolicy(steps=TWO),
        "writer": AgentPolicy(parent="planner/search", compactor="mine"),
        "quiet": AgentPolicy(steps=()),
    },
)


@pytest.mark.parametrize(
    ("agent", "strategy", "steps", "compactor"),
    [
        (None, "summarize", ONE, "theirs"),
        ("", "summarize", ONE, "theirs"),
        ("stranger", "summarize", ONE, "theirs"),
        ("planner", "drop", ONE, "theirs"),
        ("planner/search", "drop", TWO, "theirs"),
        ("planner/search/deep/er", "drop", TWO, "theirs"),
        ("planner/other", "drop", ONE, "theirs"),
        ("writer", "drop", TWO, "mine"),
        ("writer/sub", "drop", TWO, "mine"),
        ("quiet", "summarize", (), "theirs"),
    ],
)
def test_an_agent_has_its_own_then_its_parents_then_the_policys(
    agent: str | None, strategy: str, steps: tuple[AnyStep, ...], compactor: str
) -> None:
    assert resolve(FAMILY, agent) == AgentPolicy(strategy=strategy, steps=steps, compactor=compactor)  # type: ignore[arg-type]


# Named strategies

STEPS = (ExpireToolResults(), Summarize(ratio=0.1))


@pytest.mark.parametrize(
    ("policy", "steps"),
    [
        (Policy(steps=STEPS), STEPS),
        (Policy(steps=STEPS, strategy="drop"), ()),
        (Policy(steps=STEPS, strategy="drop", summarizer="extractive"), (Summarize(ratio=0.1),)),
        (Policy(steps=(), strategy="drop", summarizer="extractive"), (ReadySummaries(), Summarize())),
        (Policy(steps=STEPS, strategy="summarize"), (Summarize(ratio=0.1),)),
        (Policy(steps=STEPS, strategy="delegate", compactor="mine"), (Custom(name="mine"),)),
        (Policy(steps=STEPS, strategy="checkpoint"), ()),
    ],
    ids=[
        "composed",
        "drop",
        "drop with a summary",
        "drop with the usual summary",
        "summarize",
        "delegate",
        "checkpoint",
    ],
)
def test_a_named_strategy_stands_for_steps(policy: Policy, steps: tuple[AnyStep, ...]) -> None:
    assert steps_of(policy, None) == steps


LADDER = (Truncate(), ExpireToolResults(), Summarize(), Externalize(), PruneToolResults(), CollapseRepeats())


def test_steps_are_taken_as_listed() -> None:
    assert steps_of(Policy(steps=LADDER), None) == LADDER


def test_or_by_their_rung_and_as_listed_on_the_same_rung() -> None:
    names = [step_name(step) for step in steps_of(Policy(steps=LADDER, order="ladder"), None)]

    assert names == [
        "prune_tool_results",
        "collapse_repeats",
        "externalize",
        "summarize",
        "expire_tool_results",
        "truncate",
    ]


@pytest.mark.parametrize(("highest", "left"), [(0, 2), (1, 3), (2, 4), (3, 5), (4, 6)])
def test_no_step_above_the_highest_rung_is_taken(highest: int, left: int) -> None:
    assert len(steps_of(Policy(steps=LADDER, aggressiveness_max=highest), None)) == left


# Strategies of others


@dataclass
class Fixed:
    """Proposes what it was given."""

    proposals: Iterable[Any]
    options: list[Mapping[str, Any]] = field(default_factory=list)

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> Iterable[Proposal]:
        self.options.append(options)
        return self.proposals


def asked(*proposals: Any) -> list[Proposal]:
    return propose(Custom(name="mine", options={"depth": 2}), draft([user(), assistant()]), {"mine": Fixed(proposals)})


def test_a_custom_strategy_gets_its_options() -> None:
    strategy = Fixed(())
    propose(Custom(name="mine", options={"depth": 2}), draft([user()]), {"mine": strategy})

    assert strategy.options == [{"depth": 2}]


def test_a_strategy_that_is_not_installed_is_nonsense_that_says_what_is() -> None:
    with pytest.raises(Nonsense, match="no strategy 'mine' is installed; known: other"):
        propose(Custom(name="mine"), draft([user()]), {"other": Fixed(())})


def test_what_it_proposes_is_passed_on() -> None:
    proposals = [Proposal(Action.DROP, ("m1",), "why"), Proposal(Action.DROP, ("m0",), "why")]

    assert asked(*proposals) == proposals


def test_anything_else_is_nonsense() -> None:
    with pytest.raises(Nonsense, match="returned str instead of proposals"):
        asked("drop it all")
