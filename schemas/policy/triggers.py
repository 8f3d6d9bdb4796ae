"""What a policy says of triggers.

When a thread is looked at besides the marks of its budget, and what keeps that from running away.
"""

from msgspec import Struct

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.steps import positive


class TriggerRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Compact when this condition holds."""

    #: Stands in the audit trail when the rule fires.
    name: str
    #: A condition, such as `total >= limit and (needs_follow_up or pending_input)`.
    when: str


class Timers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When time alone is a reason to look at a thread; None never is."""

    #: Compact once nothing was said for so long.
    idle_ms: int | None = None
    #: Compact at most so often, if something was said since.
    every_ms: int | None = None
    #: Compact at these moments, if something was said since: five fields, as in `0 3 * * *`.
    cron: str | None = None
    #: Time zone of `cron`.
    zone: str = "UTC"
    #: How long the provider keeps a prompt in its cache after a call.
    cache_ttl_ms: int = 300_000
    #: Compact so long before the cache expires: a changed prefix costs nothing then.
    before_cache_expiry_ms: int | None = None
    #: A tool call without a result gets a stand-in after so long.
    call_deadline_ms: int | None = None
    #: Close what is in no chunk yet once nothing was said for so long; needs `[chunks]`.
    chunk_ms: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "idle_ms", "every_ms", "cache_ttl_ms", "before_cache_expiry_ms")
        positive(self, "call_deadline_ms", "chunk_ms")
        if self.before_cache_expiry_ms is not None and self.before_cache_expiry_ms >= self.cache_ttl_ms:
            allowed = f"less than cache_ttl_ms ({self.cache_ttl_ms})"
            raise ConfigError("before_cache_expiry_ms", self.before_cache_expiry_ms, allowed)

    @property
    def any(self) -> bool:
        """Whether there is a timer at all."""
        compacting = (self.idle_ms, self.every_ms, self.cron, self.before_cache_expiry_ms)
        return any(setting is not None for setting in (*compacting, self.call_deadline_ms, self.chunk_ms))


class Governor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What keeps triggers from running away. What must fit its limit is compacted all the same."""

    #: Least time between two compactions of a thread.
    cooldown_ms: int = 0
    #: After so many tries in a row that came to nothing, a thread is left alone for `breaker_ms`.
    failures_max: int = 3
    #: How long a thread is left alone after `failures_max` tries in vain.
    breaker_ms: int = 600_000

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "cooldown_ms", "breaker_ms", zero=True)
        positive(self, "failures_max")


class Triggers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All triggers besides the marks of the budget, which always hold."""

    #: Conditions under which a thread is compacted.
    rules: tuple[TriggerRule, ...] = ()
    #: A condition: while it holds, a compaction waits that is not needed to fit, as in `cache_hot and total <= limit`.
    hold: str | None = None
    #: When time alone is a reason.
    timers: Timers = Timers()
    #: A call or a stream under way holds compactions back for at most so long.
    call_ms_max: int = 600_000
    #: What keeps triggers from running away.
    governor: Governor = Governor()

    def names(self, event: str) -> bool:
        """Tell whether a rule names an event."""
        return any(event in rule.when for rule in self.rules)

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        positive(self, "call_ms_max")
        names = [rule.name for rule in self.rules]
        for name in names:
            if not name or names.count(name) > 1:
                raise ConfigError("rules", name, "a name for each rule, none of them twice")
