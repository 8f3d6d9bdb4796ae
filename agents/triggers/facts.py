"""What conditions can ask about a thread, answered from its view at one event."""

from collections.abc import Collection, Mapping
from typing import Final

from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.view.thread_view import ThreadView
from tailrace.agents.view.trigger_memory import in_flight
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Entry, Standing

#: Where the facts are that conditions ask for most: read there, each costs a third of what a property costs.
PATHS: Final[Mapping[str, str]] = {
    "limit": "budget.limit_tokens",
    "upper": "budget.upper_tokens",
    "prefix_tokens": "view.system_tokens",
    "turns": "view.totals.turns",
}
#: The same where a message has just come, which is nearly always.
ARRIVAL_PATHS: Final[Mapping[str, str]] = {
    **PATHS,
    "event": "'tool_output' if entry.answers else 'message' if entry.calls or entry.role != 'assistant' else "
    "'turn_closed'",
    "tool_tokens": "view.tool_tokens + entry.tokens if entry.answers else view.tool_tokens",
    "turns_since_compaction": "view.totals.turns - standing.compacted.turns",
    "messages_since_compaction": "view.totals.messages - standing.compacted.messages + 1",
    "tokens_since_compaction": "view.totals.entered_tokens - standing.compacted.entered_tokens + entry.tokens",
    "age_ms": "at_ms - standing.began_at_ms if 0 < standing.began_at_ms < at_ms else 0",
}
#: What follows from that, as a condition: what it decides is never asked.
AT_ARRIVAL: Final = (
    "idle_ms == 0 and announced_tokens == 0"
    ' and (event == "message" or event == "tool_output" or event == "turn_closed")'
)


def event_name(role: str, calls: Collection[str], answers: Collection[str]) -> str:
    """Name of the event that a message is: what it means for the turn counts for more than that it is a message."""
    if answers:
        return "tool_output"
    return "turn_closed" if role == "assistant" and not calls else "message"


class ThreadFacts:
    """A thread at one event. What is not a plain number is computed when it is asked for."""

    __slots__ = (
        "agent",
        "at_ms",
        "budget",
        "entry",
        "happened",
        "model",
        "policy",
        "standing",
        "total_tokens",
        "view",
        "window_tokens",
    )

    def __init__(  # noqa: PLR0913  one keyword for each thing that is known
        self,
        view: ThreadView,
        *,
        happened: str | None,
        at_ms: int,
        total_tokens: int,
        budget: TokenBudget,
        window_tokens: int,
        standing: Standing,
        policy: Policy,
        entry: Entry | None = None,
        model: str | None = None,
        agent: str | None = None,
    ) -> None:
        """Take the state that conditions are asked about.

        `entry` is the message that has just come in and is in neither view nor standing yet; it is the event, unless
        something else `happened`.
        """
        self.view = view
        self.happened = "message" if happened is None and entry is None else happened
        self.at_ms = at_ms
        self.total_tokens = total_tokens
        self.budget = budget
        self.window_tokens = window_tokens
        self.standing = standing
        self.policy = policy
        self.entry = entry
        self.model = model
        self.agent = agent

    @property
    def event(self) -> str:
        """What has just happened."""
        if self.happened is not None or self.entry is None:
            return self.happened or "message"
        return event_name(self.entry.role, self.entry.calls, self.entry.answers)

    @property
    def tenant(self) -> str | None:
        """Whose thread it is."""
        if self.entry is not None:
            return self.entry.tenant
        return self.view.head.tenant if self.view.head is not None else None

    @property
    def limit_tokens(self) -> int:
        """What the context may cost."""
        return self.budget.limit_tokens

    @property
    def upper_tokens(self) -> int:
        """The upper mark."""
        return self.budget.upper_tokens

    @property
    def prefix_tokens(self) -> int:
        """What the system messages cost."""
        return self.view.system_tokens

    @property
    def tool_tokens(self) -> int:
        """What tool results cost."""
        arriving = self.entry.tokens if self.entry is not None and self.entry.answers else 0
        return arriving + self.view.tool_tokens

    @property
    def announced_tokens(self) -> int:
        """What is about to be added."""
        return self.standing.announced_tokens if self.entry is None else 0

    @property
    def messages(self) -> int:
        """How many messages the context has."""
        return len(self.view.entries) + (self.entry is not None)

    @property
    def turns(self) -> int:
        """How many turns the thread has had."""
        return self.view.totals.turns

    @property
    def open_calls(self) -> int:
        """How many tool calls wait for their results."""
        if self.entry is None:
            return len(self.view.open_calls)
        return len((self.view.open_calls.keys() | set(self.entry.calls)) - set(self.entry.answers))

    @property
    def turns_since_compaction(self) -> int:
        """Turns since the last compaction."""
        return self.view.totals.turns - self.standing.compacted.turns

    @property
    def messages_since_compaction(self) -> int:
        """Messages since the last compaction."""
        return self.view.totals.messages - self.standing.compacted.messages + (self.entry is not None)

    @property
    def tokens_since_compaction(self) -> int:
        """Tokens that came since the last compaction."""
        arriving = self.entry.tokens if self.entry is not None else 0
        return self.view.totals.entered_tokens - self.standing.compacted.entered_tokens + arriving

    @property
    def idle_ms(self) -> int:
        """How long nothing was said."""
        return self._since(self.standing.said_at_ms) if self.entry is None else 0

    @property
    def age_ms(self) -> int:
        """How old the thread is."""
        return self._since(self.standing.began_at_ms)

    @property
    def since_compaction_ms(self) -> int:
        """How long ago the last compaction was."""
        return self._since(self.standing.compacted_at_ms or self.standing.began_at_ms)

    @property
    def cache_left_ms(self) -> int:
        """How long the provider's prompt cache stays warm."""
        called_at_ms = self.at_ms if self._speaks else self.standing.called_at_ms
        ttl_ms = self.policy.triggers.timers.cache_ttl_ms
        return max(0, called_at_ms + ttl_ms - self.at_ms) if called_at_ms else 0

    @property
    def cache_hot(self) -> bool:
        """Whether the provider's prompt cache is warm."""
        return self.cache_left_ms > 0

    @property
    def in_flight(self) -> bool:
        """Whether a model call is under way."""
        return not self._speaks and in_flight(self.standing, self.at_ms) is not None

    @property
    def needs_follow_up(self) -> bool:
        """Whether the model is called again without anybody saying anything."""
        last = self._last
        return self.open_calls > 0 or (last is not None and bool(last.answers))

    @property
    def pending_input(self) -> bool:
        """Whether somebody waits for an answer."""
        last = self._last
        return last is not None and last.role == "user" and not last.answers

    @property
    def _speaks(self) -> bool:
        """Whether a model has just spoken: its call is over, and its cache warm."""
        return self.entry is not None and self.entry.role == "assistant"

    @property
    def _last(self) -> Entry | None:
        if self.entry is not None:
            return self.entry
        return max(self.view.entries.values(), key=lambda entry: entry.rank, default=None)

    def _since(self, at_ms: int) -> int:
        return max(0, self.at_ms - at_ms) if at_ms else 0
