"""The policy: it decides when a context is compacted, how far and by which steps.

It is one document; its hash is in every record. The comment over a key is what docs/policy_reference.md says of it:
`make schemas` writes that page from this folder.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.ledger import LedgerRules, ReceiptRules
from tailrace.schemas.policy.steps import (
    DROP,
    AnyStep,
    CollapseRepeats,
    ExpireToolResults,
    ReadySummaries,
    ReferenceMedia,
    ShortenArguments,
    Summarize,
    ToolRetention,
    fraction,
    positive,
)
from tailrace.schemas.policy.tools import Chunks, Distill, Rehydrate, ToolRule
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.strategy_name import StrategyName

#: Version of the document's form; a document of a later form is refused instead of half understood.
POLICY_VERSION = 1

#: A window above this gets an absolute headroom, one below a relative one.
LARGE_WINDOW_TOKENS = 200_000
LARGE_WINDOW_HEADROOM_TOKENS = 20_000
SMALL_WINDOW_HEADROOM_FRACTION = 0.20

DEFAULT_STEPS: tuple[AnyStep, ...] = (
    CollapseRepeats(),
    ReadySummaries(),
    ExpireToolResults(default=ToolRetention(keep_turns=1), preview_chars=200, when_needed=True),
    ReferenceMedia(),
    ShortenArguments(when_needed=True),
    Summarize(),
)


class Tiers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one kind of content may take of the limit at most once a compaction is done; None sets no cap."""

    #: Results of tools.
    tool_results_fraction: float | None = 0.30
    #: Text of the assistant.
    assistant_fraction: float | None = None
    #: What people said.
    user_fraction: float | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        fraction(self, *self.__struct_fields__)


class ModelLimit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is different for one model."""

    #: Instead of the policy's, where it is lower.
    cap_tokens: int | None = None
    #: Instead of the policy's.
    output_reserve_tokens: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "cap_tokens")
        positive(self, "output_reserve_tokens", zero=True)


class KeepRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message that meets all of these is kept. Names may be patterns like `git_*`; `contains` is plain text."""

    #: Its role.
    role: str | None = None
    #: Its source.
    source: str | None = None
    #: Its agent.
    agent: str | None = None
    #: A tool that its group calls.
    tool: str | None = None
    #: A piece of its text.
    contains: str | None = None

    def __post_init__(self) -> None:
        """Refuse a rule that would keep everything."""
        if all(getattr(self, key) is None for key in self.__struct_fields__):
            raise ConfigError("policy.keep.rules", "{}", f"at least one of {', '.join(self.__struct_fields__)}")


#: Tables by patterns of which the first that fits counts, wherever in a policy they stand: their order is part of what
#: they say.
PATTERN_TABLES = frozenset({"sources", "tools"})

#: What becomes of messages of a source: kept but shortened before others, never touched but at the very last, or first
#: to go.
SourceRule = Literal["keep", "protect", "drop"]


class Keep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stays, whatever the steps propose. Pinned messages and the latest user message stay always."""

    #: The system prompt.
    system: bool = True
    #: The first user message, which is mostly the task.
    first_user: bool = True
    #: A call without a result keeps its group for so many turns: one that nobody answers must not fill the window.
    open_call_turns: int = 2
    #: So many of the last turns stay word for word, each whole, where they fit; where not all of them do, the newest
    #: that do.
    recent_turns: int = 3
    #: Their part of what the target leaves beside all else that is kept; the ledger comes after them. A part, so that a
    #: small window has room for what came before.
    recent_fraction_max: float = 0.4
    #: Where all that is kept exceeds the limit, it is shortened to this part of it, so that a conversation fits beside;
    #: of what the latest user message leaves, as long as that one can stay whole.
    fraction_max: float = 0.7
    #: By the `source` of a message: `keep`, `protect` (the last to be shortened) or `drop` (the first to go, and never
    #: the first or latest user message); the first pattern that fits counts.
    sources: dict[str, SourceRule] = {}
    #: Messages that stay, by what they are or say.
    rules: tuple[KeepRule, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "open_call_turns", "recent_turns", zero=True)
        fraction(self, "fraction_max", "recent_fraction_max")


class AgentPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is different for the threads of one agent. All else comes from its parent, and from the policy."""

    #: Another agent; `a` is the parent of `a/b` unless this names another; parents must not lead back.
    parent: str | None = None
    #: As in the policy.
    strategy: StrategyName | None = None
    #: As in the policy.
    steps: tuple[AnyStep, ...] | None = None
    #: As in the policy.
    compactor: str | None = None


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """When to compact, how far and how. Fractions are of what is usable of the window."""

    #: Form of the document.
    version: int = POLICY_VERSION
    #: For people; the hash tells policies apart.
    name: str = "default"
    #: Above this a context is compacted: late enough to leave prompt caches alone for long, early enough for one more
    #: large message.
    upper_fraction: float = 0.85
    #: A compaction goes down to this, so that the next one is many turns away.
    lower_fraction: float = 0.60
    #: A compaction that frees less is left with its reason, unless the limit is passed: a changed prefix has its price;
    #: the two marks are at least so far apart.
    progress_fraction: float = 0.10
    #: `growth`: the marks divide what the system prompt leaves, so that a huge one can't cause a compaction at every
    #: turn; `total`: they divide the whole limit.
    scope: Literal["growth", "total"] = "growth"
    #: Compact too when less is free of the window; `auto` is 20k above windows of 200k and a fifth below; half of a
    #: small window at most.
    headroom_tokens: int | Literal["auto"] | None = None
    #: Window to plan for, whatever the model's own; not set takes the model's.
    window_tokens: int | None = None
    #: Window of a model that nobody knows.
    default_window_tokens: int = 128_000
    #: Part of the window that may be used at all: models get worse long before their window ends.
    window_fraction: float = 1.0
    #: A context is never larger, however large the window.
    cap_tokens: int | None = None
    #: Kept free for the answer.
    output_reserve_tokens: int = 4_096
    #: A system prompt that doesn't travel as a message.
    system_prompt_tokens: int = 0
    #: Tool definitions that don't travel as messages.
    tool_schema_tokens: int = 0
    #: Kept free for what counting can't see: chat templates, tool plumbing.
    formatting_tokens: int = 0
    #: Kept free for what is counted wrong.
    safety_tokens: int = 500
    #: Kept free for what is brought back on request.
    rehydration_reserve_tokens: int = 2_000
    #: Kept free for what a runtime adds to each request.
    injection_reserve_tokens: int = 0
    #: Caps for kinds of content.
    tiers: Tiers = Tiers()
    #: What is different for single models, by name.
    models: dict[str, ModelLimit] = {}
    #: Believe a provider's count of the last request where it is higher than ours; a quarter of the limit is kept for
    #: the context whatever it says, and the audit trail tells where that is too much.
    usage_anchor: bool = True
    #: What stays, whatever the steps propose.
    keep: Keep = Keep()
    #: `composed` takes the steps; `drop` summarises only with a `summarizer`, then drops; `summarize` takes the steps
    #: of that name; `delegate` asks the `compactor`; `checkpoint` waits for approval until the limit is passed.
    strategy: StrategyName = "composed"
    #: What is done, in this order; `tailrace policy show default` has the default.
    steps: tuple[AnyStep, ...] = DEFAULT_STEPS
    #: Stop at the first step that reaches the lower mark; otherwise every step is taken.
    early_stop: bool = True
    #: Take the steps as listed, or by their rung.
    order: Literal["listed", "ladder"] = "listed"
    #: Highest rung that is taken by choice: 1 externalize, 2 summarize, 3 clear, 4 drop. What must fit is cut all the
    #: same.
    aggressiveness_max: int = 4
    #: What `drop` asks for a summary first; not set drops without one.
    summarizer: Literal["extractive"] | None = None
    #: The strategy that `delegate` calls.
    compactor: str | None = None
    #: What differs for the threads of one agent, by name.
    agents: dict[str, AgentPolicy] = {}
    #: Role under which a summary is sent.
    summary_role: Literal["assistant", "user", "system"] = "assistant"
    #: Closed parts of a conversation that a model summarises ahead of need.
    chunks: Chunks = Chunks()
    #: Tool outputs that are made smaller as they arrive.
    distill: Distill = Distill()
    #: What holds for single tools, by name, which may be a pattern; the first that fits counts.
    tools: dict[str, ToolRule] = {}
    #: What comes back by itself when a message names it.
    rehydrate: Rehydrate = Rehydrate()
    #: What is kept of all that has left: directives, obligations, evidence.
    ledger: LedgerRules = LedgerRules()
    #: What a compaction reports as no longer said, and must not lose.
    receipt: ReceiptRules = ReceiptRules()
    #: When a thread is looked at besides the marks.
    triggers: Triggers = Triggers()
    #: How long artifacts are kept, and so how long what left a context can be brought back; not set keeps them.
    artifact_ttl_seconds: int | None = None
    #: Mask credentials in all that is made from messages: distillations, summaries, stubs, what recall shows.
    mask_secrets: bool = True

    def __post_init__(self) -> None:
        """Refuse a policy that could not work."""
        if self.version != POLICY_VERSION:
            raise ConfigError("policy.version", self.version, f"{POLICY_VERSION}, the form that this release reads")
        self._check_fractions()
        for key in ("window_tokens", "default_window_tokens", "cap_tokens", "artifact_ttl_seconds"):
            value = getattr(self, key)
            if value is not None and value < 1:
                raise ConfigError(f"policy.{key}", value, f"a positive number of {key.rpartition('_')[2]}")
        for key in (*RESERVES, "headroom_tokens"):
            value = getattr(self, key)
            if isinstance(value, int) and value < 0:
                raise ConfigError(f"policy.{key}", value, "0 or more tokens")
        if not 0 <= self.aggressiveness_max <= DROP:
            raise ConfigError("policy.aggressiveness_max", self.aggressiveness_max, f"0 to {DROP}")
        self._check_agents()

    def _check_fractions(self) -> None:
        for key in ("upper_fraction", "window_fraction"):
            value = getattr(self, key)
            if not 0 < value <= 1:
                raise ConfigError(f"policy.{key}", value, "above 0, at most 1")
        if not 0 < self.lower_fraction < self.upper_fraction:
            allowed = f"above 0, below policy.upper_fraction ({self.upper_fraction})"
            raise ConfigError("policy.lower_fraction", self.lower_fraction, allowed)
        if not 0 <= self.progress_fraction < 1:
            raise ConfigError("policy.progress_fraction", self.progress_fraction, "0 or more, below 1")

    def _check_agents(self) -> None:
        for name, agent in self.agents.items():
            if agent.parent is not None and agent.parent not in self.agents:
                agent_names = ", ".join(self.agents)
                raise ConfigError(
                    f"policy.agents.{name}.parent", agent.parent, f"an agent of the policy: {agent_names}"
                )
        for name in self.agents:
            lineage = list(self._lineage(name))
            if lineage and lineage[-1] in lineage[:-1]:
                chain = " > ".join(lineage)
                raise ConfigError(f"policy.agents.{name}.parent", chain, "parents that don't lead back to the agent")
        for key, owner in (("policy", None), *((f"policy.agents.{name}", name) for name in self.agents)):
            resolved = self.for_agent(owner)
            if resolved.strategy == "delegate" and not resolved.compactor:
                raise ConfigError(f"{key}.compactor", resolved.compactor, "the name of a strategy to delegate to")

    def for_agent(self, agent: str | None) -> AgentPolicy:
        """Strategy, steps and compactor of an agent: its own, then its parents', then the policy's.

        The parent of `planner/search` is `planner` unless the policy names another.
        """
        owners = [*(self.agents.get(name, _NOTHING) for name in self._lineage(agent)), self]

        def first(key: str) -> Any:
            return next((value for owner in owners if (value := getattr(owner, key)) is not None), None)

        return AgentPolicy(strategy=first("strategy"), steps=first("steps"), compactor=first("compactor"))

    def with_strategy(self, strategy: StrategyName) -> "Policy":
        """The policy with this strategy for every thread, whatever its agent has of its own."""
        agents = {name: msgspec.structs.replace(own, strategy=None) for name, own in self.agents.items()}
        return msgspec.structs.replace(self, strategy=strategy, agents=agents)

    def _lineage(self, agent: str | None) -> Iterator[str]:
        """Yield an agent and its parents, nearest first.

        Where these lead back, the one that they lead back to ends it.
        """
        seen: set[str] = set()
        while agent:
            yield agent
            if agent in seen:
                return
            seen.add(agent)
            agent = self.agents.get(agent, _NOTHING).parent or agent.rpartition("/")[0]

    def __eq__(self, other: object) -> bool:
        """Policies are equal if they decide alike; two tables may be equal where the order of their patterns is not."""
        return self._canonical == other._canonical if isinstance(other, Policy) else NotImplemented

    def __hash__(self) -> int:
        """Equal policies have equal versions."""
        return hash(self.hash)

    @cached_property
    def hash(self) -> str:
        """Short hash of the policy's content: equal policies have equal hashes."""
        return hashlib.sha256(self._canonical).hexdigest()[:12]

    @cached_property
    def _canonical(self) -> bytes:
        """The policy as JSON, keys of tables sorted; tables of patterns are lists, because their order counts."""
        written = msgspec.to_builtins(self, order="deterministic")
        for table, own_table in zip(_tables(written), _tables(msgspec.to_builtins(self)), strict=True):
            for key in PATTERN_TABLES & own_table.keys():
                if isinstance(own_table[key], dict) and len(own_table[key]) > 1:
                    table[key] = [[pattern, table[key][pattern]] for pattern in own_table[key]]
        return msgspec.json.encode(written)

    def limit_tokens(self, model_window_tokens: int, model: str | None = None) -> int:
        """Tokens that a context may have for a model with this window: never below a quarter of the window.

        The reserves are absolute numbers; a quarter keeps them from eating a small window whole. A cap is a cap.
        """
        own = self.models.get(model, _NO_LIMIT) if model else _NO_LIMIT
        window = self.window_tokens if self.window_tokens is not None else model_window_tokens
        window = int(window * self.window_fraction)
        reserved = self._reserved_tokens
        if own.output_reserve_tokens is not None:
            reserved += own.output_reserve_tokens - self.output_reserve_tokens
        limit = max(window - reserved, window // 4, 1)
        for cap in (self.cap_tokens, own.cap_tokens):
            if cap is not None and cap < limit:
                limit = cap
        return limit

    @cached_property
    def _reserved_tokens(self) -> int:
        return sum(getattr(self, key) for key in RESERVES)

    def headroom(self, model_window_tokens: int) -> int:
        """Tokens of the window that are to stay free before a compaction; 0 where the policy asks for none.

        Half of a small window at most: otherwise every message would start a compaction.
        """
        window = self.window_tokens if self.window_tokens is not None else model_window_tokens
        if self.headroom_tokens == "auto":
            large = window > LARGE_WINDOW_TOKENS
            return LARGE_WINDOW_HEADROOM_TOKENS if large else int(window * SMALL_WINDOW_HEADROOM_FRACTION)
        return min(self.headroom_tokens or 0, window // 2)


def _tables(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the tables of a policy that may hold tables of patterns."""
    yield document
    yield document["keep"]
    for owner in (document, *(document["agents"][name] for name in sorted(document["agents"]))):
        yield from owner["steps"] or ()


_NO_LIMIT = ModelLimit()
_NOTHING = AgentPolicy()
#: Everything that is taken off the window.
RESERVES = (
    "output_reserve_tokens",
    "system_prompt_tokens",
    "tool_schema_tokens",
    "formatting_tokens",
    "safety_tokens",
    "rehydration_reserve_tokens",
    "injection_reserve_tokens",
)
