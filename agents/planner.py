"""The planner: from a context that is too large to a plan that makes it fit.

The steps of the policy are taken in turn on a draft until it is down at the lower mark. A step that raises or proposes
nonsense is skipped, and the plan says so. Then comes the floor: the oldest go; and where even what is kept exceeds the limit,
kept messages are shortened, in the order of `KeepReason`, each with a pointer to its whole text. So a plan fits, whatever the
policy says.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tailrace.agents.budget import TokenBudget
from tailrace.agents.draft import Draft, Item, draft_groups
from tailrace.agents.floor import fit_kept, make_room
from tailrace.agents.keep import mark_kept, source_rule
from tailrace.agents.plan import Change, Plan, Skipped
from tailrace.agents.proposal import Proposal
from tailrace.agents.reducers.tier_caps import cap_tiers
from tailrace.agents.strategies import Strategies, propose, resolve, step_name, steps_of
from tailrace.schemas.compaction import Action
from tailrace.schemas.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.message import Message
from tailrace.schemas.policy import Policy
from tailrace.schemas.policy_steps import AnyStep, Truncate

#: Of what is kept messages leave, the rest of a conversation gets at least this part.
ROOM_FRACTION = 0.3
#: Messages that one compaction may change: it lists their ids in single records, and a record has a largest size.
CHANGED_MESSAGES_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Situation:
    """A context and everything that a plan for it depends on."""

    entries: Sequence[Entry]
    budget: TokenBudget
    policy: Policy
    count: Callable[[Message], int]
    overhead_tokens: int = 0
    #: Group of the message that is being added.
    arriving: int | None = None
    agent: str | None = None
    custom: Strategies = field(default_factory=dict)
    version: tuple[int, int] = (-1, -1)
    #: Compact however little there is to gain: somebody asked for it.
    forced: bool = False


def make_plan(situation: Situation) -> Plan:
    """Plan for a context that is over its upper mark. Deterministic: the same situation gives the same plan."""
    draft = draft_of(situation)
    skipped: list[Skipped] = []
    make_room(draft, situation.policy.keep.fraction_max)
    draft.target_tokens = _target(draft)
    _drop_sources(draft, situation.policy)
    for step in steps_of(situation.policy, situation.agent):
        if situation.policy.early_stop and draft.excess_tokens <= 0:
            break
        _take(step, draft, situation, skipped)
    cap_tiers(draft, situation.policy.tiers)
    if draft.excess_tokens > 0:
        _take(Truncate(), draft, situation, skipped)
    stuck = fit_kept(draft)
    return _plan(situation, draft, skipped, stuck)


def _target(draft: Draft) -> int:
    """The lower mark; more where what is kept takes nearly all of that, so that a summary fits beside it."""
    kept_tokens = draft.kept_tokens
    beside_tokens = int((draft.budget.limit_tokens - kept_tokens) * ROOM_FRACTION)
    return max(draft.budget.lower_tokens, kept_tokens + beside_tokens)


def draft_of(situation: Situation) -> Draft:
    """A draft in which nothing is decided yet but what stays."""
    groups = draft_groups(situation.entries, masked=situation.policy.mask_secrets)
    tokens = sum(item.tokens for group in groups for item in group.items) + situation.overhead_tokens
    turn = max((item.entry.turn for group in groups for item in group.items), default=0)
    mark_kept(groups, situation.policy.keep, turn=turn, arriving=situation.arriving)
    return Draft(
        groups=groups,
        budget=situation.budget,
        target_tokens=situation.budget.lower_tokens,
        count=situation.count,
        overhead_tokens=situation.overhead_tokens,
        before_tokens=tokens,
        tokens=tokens,
        turn=turn,
        summary_role=situation.policy.summary_role,
    )


def _drop_sources(draft: Draft, policy: Policy) -> None:
    if not policy.keep.sources:
        return
    ids = [
        message_id
        for group in draft.free()
        if all(source_rule(item.entry.source, policy.keep) == "drop" for item in group.items)
        for message_id in group.ids
    ]
    if ids:
        draft.execute(Proposal(Action.DROP, tuple(ids), "its source goes first"), "sources")


def _take(step: AnyStep, draft: Draft, situation: Situation, skipped: list[Skipped]) -> None:
    """Take one step; whatever goes wrong in it costs only the step."""
    name = step_name(step)
    try:
        for proposal in propose(step, draft, situation.custom):
            draft.execute(proposal, name)
    except Exception as error:  # noqa: BLE001  a strategy may be anybody's code, and must not fail the run
        skipped.append(Skipped(name, f"{type(error).__name__}: {error}"))


def _plan(situation: Situation, draft: Draft, skipped: list[Skipped], stuck: str | None) -> Plan:
    changes = _at_most(_changes(draft))
    plan = Plan(
        budget=situation.budget,
        before_tokens=draft.before_tokens,
        after_tokens=draft.before_tokens - sum(change.before_tokens - change.after_tokens for change in changes),
        changes=changes,
        strategy=_strategy(situation),
        skipped=tuple(skipped),
        warnings=tuple(
            f"{count} messages: {first}, then {second}; {winner} holds"
            for (first, second, winner), count in sorted(draft.overlaps.items())
        ),
        reason=stuck,
        expected_version=situation.version,
    )
    return plan if situation.forced and changes else _worthwhile(plan, situation.policy)


def _strategy(situation: Situation) -> str:
    return resolve(situation.policy, situation.agent).strategy or "composed"


def _worthwhile(plan: Plan, policy: Policy) -> Plan:
    """The plan, or one that does nothing and says why: a changed prefix has its price."""
    freed = plan.before_tokens - plan.after_tokens
    must = plan.before_tokens > plan.budget.limit_tokens
    least = int(policy.progress_fraction * plan.budget.limit_tokens)
    if plan.changes and (must or freed >= least or plan.after_tokens <= plan.budget.lower_tokens):
        return plan
    reason = (
        f"only {freed} of {plan.before_tokens} tokens could be freed, less than {least}"
        if plan.changes
        else plan.reason or f"nothing of {plan.before_tokens} tokens may go"
    )
    return Plan(
        budget=plan.budget,
        before_tokens=plan.before_tokens,
        after_tokens=plan.before_tokens,
        strategy=plan.strategy,
        skipped=plan.skipped,
        reason=reason,
        expected_version=plan.expected_version,
    )


def _changes(draft: Draft) -> tuple[Change, ...]:
    items = [item for group in draft.groups for item in group.items if item.action is not Action.INCLUDE]
    spans = [_change([item]) for item in items]
    spans += [_change(members) for members in _by_group(draft.dropped)]
    return tuple(sorted(spans, key=lambda change: change.first.rank))


def _at_most(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The oldest changes, as many as records can list; the next compaction does the rest."""
    messages = 0
    for place, change in enumerate(changes):
        messages += len(change.ids)
        if messages > CHANGED_MESSAGES_MAX:
            return changes[:place]
    return changes


def _by_group(items: Iterable[Item]) -> list[list[Item]]:
    """Dropped messages by their group: a span is never wider than what belongs together."""
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(item.entry.rank // RANKS_PER_GROUP, []).append(item)
    return list(groups.values())


def _change(items: Sequence[Item]) -> Change:
    first = items[0]
    return Change(
        action=first.action,
        ids=tuple(message_id for item in items for message_id in item.ids),
        first=first.entry,
        last_turn=max(item.last_turn for item in items),
        before_tokens=sum(item.before_tokens for item in items),
        after_tokens=sum(item.tokens for item in items),
        replacement=first.replacement,
        strategy=first.strategy,
        reason=first.reason,
        artifact_id=first.artifact_id,
        recorded=any(item.recorded for item in items),
    )
