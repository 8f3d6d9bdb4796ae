"""From names to work: which function does a step of the policy, and which steps a named strategy stands for."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import before_split
from tailrace.agents.plan.draft.statements import STATING
from tailrace.agents.plan.steps import (
    collapse_repeats,
    collapse_tool_calls,
    distill_tool_results,
    expire_tool_results,
    externalize,
    prune_tool_results,
    ready_summaries,
    reference_media,
    remove_tool_calls,
    shorten_arguments,
    sliding_window,
    summarize,
    truncate,
)
from tailrace.schemas.errors import Nonsense
from tailrace.schemas.policy.policy import AgentPolicy, Policy
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseRepeats,
    CollapseToolCalls,
    Custom,
    DistillToolResults,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    ReadySummaries,
    ReferenceMedia,
    RemoveToolCalls,
    ShortenArguments,
    SlidingWindow,
    Summarize,
    Truncate,
)

#: Steps that take only calls and results.
_WORDLESS = (
    CollapseRepeats,
    PruneToolResults,
    DistillToolResults,
    ExpireToolResults,
    ShortenArguments,
    CollapseToolCalls,
    RemoveToolCalls,
)

Analyze = Callable[[Any, Draft], Iterable[Proposal]]

ANALYZE: dict[type, Analyze] = {
    CollapseRepeats: collapse_repeats.analyze,
    ReferenceMedia: reference_media.analyze,
    PruneToolResults: prune_tool_results.analyze,
    DistillToolResults: distill_tool_results.analyze,
    ExpireToolResults: expire_tool_results.analyze,
    ShortenArguments: shorten_arguments.analyze,
    Externalize: externalize.analyze,
    ReadySummaries: ready_summaries.analyze,
    Summarize: summarize.analyze,
    CollapseToolCalls: collapse_tool_calls.analyze,
    RemoveToolCalls: remove_tool_calls.analyze,
    SlidingWindow: sliding_window.analyze,
    Truncate: truncate.analyze,
}


class Strategy(Protocol):
    """A way to make a context smaller that somebody else wrote. Must be pure: the same draft, the same proposals."""

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> Iterable[Proposal]:
        """Propose; must not change the draft."""


Strategies = Mapping[str, Strategy]


def propose(step: AnyStep, draft: Draft, custom: Strategies) -> list[Proposal]:
    """What a step proposes for the draft as it stands. Raises whatever a custom strategy raises."""
    if not isinstance(step, Custom):
        return list(ANALYZE[type(step)](step, draft))
    strategy = custom.get(step.name)
    if strategy is None:
        raise Nonsense(f"no strategy {step.name!r} is installed; known: {', '.join(sorted(custom)) or 'none'}")
    proposals = list(strategy.analyze(draft, step.options))
    for proposal in proposals:
        if not isinstance(proposal, Proposal):
            raise Nonsense(f"strategy {step.name!r} returned {type(proposal).__name__} instead of proposals")
    return proposals


def may_take_words(step: AnyStep, draft: Draft) -> bool:
    """Tell whether a step may take messages of people or a system prompt out of the draft as it stands."""
    if isinstance(step, _WORDLESS) or (isinstance(step, ReadySummaries) and not draft.ready):
        return False
    if isinstance(step, ReferenceMedia):
        words = (group for group in draft.free() if group.kind in STATING)
        return any(reference_media.proposals_for(words, step, draft.turn))
    if isinstance(step, Summarize | ReadySummaries):
        return any(group.kind in STATING for group in before_split(draft, step.keep))
    return True


def spare_words(steps: Iterable[AnyStep], draft: Draft) -> bool:
    """Tell whether steps may bring a draft down without what people say.

    One of them summarises the rest, and none takes more than that.
    """
    taken = [*steps]
    return any(isinstance(step, Summarize) for step in taken) and not any(may_take_words(step, draft) for step in taken)


def step_name(step: AnyStep) -> str:
    """Name of a step in records and audit: that of the strategy, where it is a custom one."""
    return step.name if isinstance(step, Custom) else str(step.__struct_config__.tag)


def resolve(policy: Policy, agent: str | None) -> AgentPolicy:
    """Strategy, steps and compactor of an agent; see `Policy.for_agent`."""
    return policy.for_agent(agent)


def steps_of(policy: Policy, agent: str | None) -> tuple[AnyStep, ...]:
    """The steps to take for a thread of this agent, in order; the floor comes after them."""
    resolved = resolve(policy, agent)
    steps = _NAMED[resolved.strategy or "composed"](resolved, policy)
    steps = tuple(step for step in steps if step.aggressiveness <= policy.aggressiveness_max)
    if policy.order == "ladder":
        steps = tuple(sorted(steps, key=lambda step: step.aggressiveness))
    return steps


#: What the named strategies do. Each ends at the floor, which the planner adds.
_NAMED: dict[str, Callable[[AgentPolicy, Policy], tuple[AnyStep, ...]]] = {
    "composed": lambda agent, _: agent.steps or (),
    "drop": lambda agent, policy: _summaries(agent) if policy.summarizer else (),
    "summarize": lambda agent, _: _summaries(agent),
    "delegate": lambda agent, _: (Custom(name=agent.compactor or ""),),
    # Waits for approval; what must fit is cut all the same.
    "checkpoint": lambda _agent, _policy: (),
}


def _summaries(agent: AgentPolicy) -> tuple[AnyStep, ...]:
    """The steps of the policy that write summaries; one with the usual numbers where it has none."""
    named = tuple(step for step in agent.steps or () if isinstance(step, ReadySummaries | Summarize))
    return named or (ReadySummaries(), Summarize())
