"""The steps of a policy: each names a way to make a context smaller, with its numbers.

`agents/plan/steps` does the work. Steps run in the order in which the policy lists them, cheap before dear, until the
context is down at its lower mark.
"""

from typing import Any, ClassVar

from msgspec import Struct

from tailrace.schemas.errors import ConfigError

#: The rungs of the ladder, in the order in which they are taken. The lowest is for what costs no more than a note.
NOTE, EXTERNALIZE, SUMMARIZE, CLEAR, DROP = range(5)


def positive(owner: Struct, *keys: str, zero: bool = False) -> None:
    """Raise a ConfigError for the first of these fields that is negative, or zero where that makes no sense."""
    least = 0 if zero else 1
    for key in keys:
        value = getattr(owner, key)
        if value is not None and value < least:
            raise ConfigError(f"policy.{_name(owner)}.{key}", value, f"{least} or more")


def fraction(owner: Struct, *keys: str) -> None:
    """Raise a ConfigError for the first of these fields that is no fraction."""
    for key in keys:
        value = getattr(owner, key)
        if value is not None and not 0 < value <= 1:
            raise ConfigError(f"policy.{_name(owner)}.{key}", value, "above 0, at most 1")


def _name(owner: Struct) -> str:
    return str(owner.__struct_config__.tag or type(owner).__name__.lower())


class Split(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="by"):
    """Where the part begins that stays word for word. Several together keep what any of them keeps."""


class UserMessages(Split, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="user_messages"):
    """What people said, newest first, up to `tokens`; never more than `fraction_max` of the target."""

    #: Tokens of what people said.
    tokens: int = 20_000
    #: At most this part of the lower mark.
    fraction_max: float = 0.3

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens")
        fraction(self, "fraction_max")


class RecentFraction(Split, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="recent_fraction"):
    """The newest part of the context, from the next user message on."""

    #: How much of the context.
    fraction: float = 0.3

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        fraction(self, "fraction")


class RecentTurns(Split, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="recent_turns"):
    """The last turns; of each at most `fraction` of the limit, within the two bounds, cut where a cut is legal."""

    #: How many turns.
    turns: int = 2
    #: Room of one turn, as a part of the limit.
    fraction: float = 0.25
    #: Room of one turn at least.
    turn_tokens_min: int = 2_000
    #: Room of one turn at most.
    turn_tokens_max: int = 8_000

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "turns", "turn_tokens_min", "turn_tokens_max")
        fraction(self, "fraction")
        if self.turn_tokens_min > self.turn_tokens_max:
            allowed = f"at most turn_tokens_max ({self.turn_tokens_max})"
            raise ConfigError("policy.recent_turns.turn_tokens_min", self.turn_tokens_min, allowed)


class TailTokens(Split, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="tail_tokens"):
    """The newest groups, up to `tokens`; never more than `fraction_max` of the target."""

    #: Tokens of the newest groups.
    tokens: int = 20_000
    #: At most this part of the lower mark.
    fraction_max: float = 0.3

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens")
        fraction(self, "fraction_max")


AnySplit = UserMessages | RecentFraction | RecentTurns | TailTokens


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="use"):
    """Base of all steps."""

    #: Rung of the ladder on which the step stands.
    aggressiveness: ClassVar[int] = CLEAR


class CollapseRepeats(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="collapse_repeats"):
    """Tool results with the same content: the newest stays, each older one becomes a note."""

    aggressiveness: ClassVar[int] = NOTE

    #: Smaller results are left alone.
    tokens_min: int = 50

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min")


class ReferenceMedia(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reference_media"):
    """Images, sound and documents older than some turns become references."""

    aggressiveness: ClassVar[int] = EXTERNALIZE

    #: Media of the last turns stay.
    keep_turns: int = 2

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "keep_turns", zero=True)


class PruneToolResults(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="prune_tool_results"):
    """Old tool results become a note, if that is worth it; the newest are protected. No compaction, so no record."""

    aggressiveness: ClassVar[int] = NOTE

    #: The newest results that stay.
    protect_tokens: int = 40_000
    #: Nothing is pruned for less.
    savings_tokens_min: int = 20_000
    #: Results that stay however old.
    protected_tools: tuple[str, ...] = ("read", "skill")
    #: Results of the last turns stay as well.
    keep_turns: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "protect_tokens", "savings_tokens_min", "keep_turns", zero=True)


class DistillToolResults(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="distill_tool_results"):
    """Tool results of earlier turns become distillations that say where the whole is; their calls stay."""

    aggressiveness: ClassVar[int] = EXTERNALIZE

    #: Results of the last turns stay.
    keep_turns: int = 1
    #: Smaller results are left alone.
    tokens_min: int = 400
    #: Size of a distillation by the size of the result.
    ratio: float = 0.25
    #: Largest distillation.
    tokens_max: int = 1_000

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "tokens_max")
        positive(self, "keep_turns", zero=True)
        fraction(self, "ratio")


class ToolRetention(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long results stay: those of the last `keep_turns` turns, or the last `keep_last`; None sets no bound."""

    #: Age at which a result expires.
    keep_turns: int | None = None
    #: So many results of the tool stay.
    keep_last: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "keep_turns", "keep_last", zero=True)


class ExpireToolResults(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="expire_tool_results"):
    """Tool results beyond their retention become a stub; their calls stay. Tools may be patterns like `git_*`."""

    #: Retention of all tools that `tools` doesn't name.
    default: ToolRetention = ToolRetention(keep_turns=3)
    #: Retention by the name of the tool; the first that fits counts.
    tools: dict[str, ToolRetention] = {}
    #: Tools whose results this step leaves alone; a summary or a cap may still take them.
    never_evict: tuple[str, ...] = ()
    #: What stands in the place of a result.
    stub: str = "[result expired]"
    #: How much of the result stays in front of the stub, cut at a line; 0 for none.
    preview_chars: int = 0
    #: Where room is left in the end, the newest come back whole, and one more in part.
    when_needed: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "preview_chars", zero=True)


class ShortenArguments(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="shorten_arguments"):
    """Long arguments of calls older than some turns are cut, field by field; they stay valid JSON."""

    #: Calls of the last turns stay as they are.
    keep_turns: int = 1
    #: Longest value that stays whole.
    value_chars_max: int = 500
    #: Where room is left in the end, the newest come back whole.
    when_needed: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "keep_turns", zero=True)
        positive(self, "value_chars_max")


class Externalize(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="externalize"):
    """Large messages before the split become pointers with a preview; the whole text stays an artifact."""

    aggressiveness: ClassVar[int] = EXTERNALIZE

    #: Smaller messages stay.
    tokens_min: int = 1_000
    #: How much of a message the pointer shows.
    preview_tokens: int = 150
    #: Splits: what stays word for word; `tail_tokens` by default.
    keep: tuple[AnySplit, ...] = (TailTokens(),)

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min")
        positive(self, "preview_tokens", zero=True)


class Summarize(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="summarize"):
    """What lies before the split becomes one summary at its place. Earlier summaries stay until they are too many."""

    aggressiveness: ClassVar[int] = SUMMARIZE

    #: Splits: what stays word for word; `tail_tokens` and `user_messages` by default.
    keep: tuple[AnySplit, ...] = (TailTokens(), UserMessages())
    #: Take all before the split, earlier summaries too, instead of as much as the lower mark asks for.
    whole: bool = False
    #: Size of a summary by the size of what it stands for.
    ratio: float = 0.25
    #: Largest summary.
    tokens_max: int = 8_192
    #: Part of the target that all summaries may take before they are summarised themselves.
    summaries_fraction: float = 0.3

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_max")
        fraction(self, "ratio", "summaries_fraction")


class ReadySummaries(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ready_summaries"):
    """Chunks before the split whose summary a model has finished become that summary."""

    aggressiveness: ClassVar[int] = SUMMARIZE

    #: Splits: what stays word for word, as in `summarize`.
    keep: tuple[AnySplit, ...] = (TailTokens(), UserMessages())


class CollapseToolCalls(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="collapse_tool_calls"):
    """Old calls with their results become one short message each that names the tools and how their results begin."""

    aggressiveness: ClassVar[int] = SUMMARIZE

    #: So many groups of calls stay.
    keep_last: int = 1
    #: How much of a result is shown.
    result_chars_max: int = 200

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "keep_last", zero=True)
        positive(self, "result_chars_max")


class RemoveToolCalls(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="remove_tool_calls"):
    """Calls with their results go, but for the last few; `tools` names which, as patterns."""

    aggressiveness: ClassVar[int] = DROP

    #: So many groups of calls stay.
    keep_last: int = 1
    #: Which calls; a group goes if all its calls are among them.
    tools: tuple[str, ...] = ("*",)

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "keep_last", zero=True)


class SlidingWindow(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="sliding_window"):
    """Only the last turns, groups or tokens stay, whichever bound is met first."""

    aggressiveness: ClassVar[int] = DROP

    #: The last turns stay.
    turns: int | None = None
    #: The last groups stay.
    groups: int | None = None
    #: The newest tokens stay.
    tokens: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "turns", "groups", "tokens")
        if self.turns is None and self.groups is None and self.tokens is None:
            raise ConfigError("policy.sliding_window", "no bound", "turns, groups or tokens")


class Truncate(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="truncate"):
    """The oldest groups go until the target is met. Every policy ends with this step, named or not."""

    aggressiveness: ClassVar[int] = DROP


class Custom(Step, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="custom"):
    """A strategy of your own, from the entry points `tailrace.strategies`."""

    aggressiveness: ClassVar[int] = DROP

    #: Its entry point.
    name: str
    #: Handed to the strategy.
    options: dict[str, Any] = {}


AnyStep = (
    CollapseRepeats
    | ReferenceMedia
    | PruneToolResults
    | DistillToolResults
    | ExpireToolResults
    | ShortenArguments
    | Externalize
    | ReadySummaries
    | Summarize
    | CollapseToolCalls
    | RemoveToolCalls
    | SlidingWindow
    | Truncate
    | Custom
)
