"""The planner: from a context that is too large to a plan that makes it fit.

The steps of the policy are taken in turn on a draft until it is down at the lower mark. A step that raises or proposes
nonsense is skipped, and the plan says so. Then comes the floor: the oldest go; and where even what is kept exceeds the
limit, kept messages are shortened, in the order of `KeepReason`, each with a pointer to its whole text. So a plan fits,
whatever the policy says. Room that is left over in the end goes back to what was cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.plan.changes import SPANS_APART_MAX, changes_of
from tailrace.agents.plan.draft.custom_proposals import in_our_terms, words_of
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.groups import draft_groups
from tailrace.agents.plan.draft.keep import goes_first, lasting_tokens, mark_kept
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.splits import before_split
from tailrace.agents.plan.eviction import LEFT_REASON
from tailrace.agents.plan.last_resort import STRATEGY as FLOOR
from tailrace.agents.plan.last_resort import fit_kept, make_room
from tailrace.agents.plan.ledger_entry import PlanLedger
from tailrace.agents.plan.plan import Change, LedgerChange, Plan, SkippedStep
from tailrace.agents.plan.recent_turns import mark_recent
from tailrace.agents.plan.refill import settle
from tailrace.agents.plan.situation import Situation
from tailrace.agents.plan.steps.registry import may_take_words, propose, resolve, spare_words, step_name, steps_of
from tailrace.agents.plan.steps.summarize import leave_out
from tailrace.agents.plan.steps.tier_caps import cap_tiers
from tailrace.agents.tokens.budget import below_marks, left_over, with_marks
from tailrace.agents.tokens.counts import RememberingCount
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import AnyStep, Custom, Summarize, Truncate
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import Entry, EntryKind

#: Of what is kept messages leave, the rest of a conversation gets at least this part.
ROOM_FRACTION = 0.3
#: Where somebody asked for less than that, a summary still gets this much room: a number must not cost a thread its
#: memory.
SUMMARY_ROOM_TOKENS = 400
#: What one compaction may list: its record names every message that it changes, and topics take records of 8 MB.
LISTED_BYTES_MAX = 6_000_000
#: What a span takes in a record beside its ids and its reason.
_SPAN_BYTES = 300

_LEDGER = EntryKind.LEDGER

_encode_json = msgspec.json.Encoder().encode


def make_plan(situation: Situation) -> Plan:
    """Plan for a context that is over its upper mark. Deterministic: the same situation gives the same plan."""
    if situation.forced:
        tokens = sum([entry.tokens for entry in situation.entries]) + situation.overhead_tokens
        situation = replace(situation, budget=below_marks(situation.budget, tokens))
    attempt = _attempt(situation, words_leave=False)
    if attempt.ended:
        # What people say has to leave after all: then the ledger needs its room from the start.
        attempt = _attempt(situation, words_leave=True)
    draft, ledger, skipped = attempt.draft, attempt.ledger, attempt.skipped
    written = _finished(ledger, draft, situation, skipped) if ledger is not None else None
    if written is not None and ledger is not None:
        leave_out(draft, ledger.shown)
    if situation.policy.early_stop and draft.tokens != draft.before_tokens:
        written = settle(draft, situation.policy.tiers, ledger, written)
    return _plan(situation, draft, skipped, attempt.stuck, written)


@dataclass(slots=True)
class _Attempt:
    """A draft with all steps taken.

    `ended` where a message of people leaves or is cut, and the ledger has not read it.
    """

    draft: Draft
    ledger: PlanLedger | None
    skipped: list[SkippedStep]
    stuck: str | None = None
    ended: bool = False


def _attempt(situation: Situation, *, words_leave: bool) -> _Attempt:
    draft = draft_of(situation)
    skipped: list[SkippedStep] = []
    _make_room(draft, situation.policy)
    ledger = _ledger_in(draft, situation, skipped, words_leave=words_leave)
    attempt = _Attempt(draft, ledger, skipped)
    draft.target_tokens = _target(draft)
    recent_tokens = mark_recent(draft, situation.policy.keep)
    _drop_sources(draft, situation.policy)
    attempt.ended = not _take_steps(draft, situation, skipped, ledger)
    if attempt.ended:
        return attempt
    cap_tiers(draft, situation.policy.tiers)
    # What is kept may have been capped, and then asks for less room beside it.
    draft.target_tokens = min(draft.target_tokens, _target(draft, recent_tokens))
    if draft.excess_tokens > 0:
        _condense(draft, situation, skipped, ledger)
    if draft.excess_tokens > 0:
        _take(Truncate(), draft, situation, skipped)
    attempt.stuck = fit_kept(draft)
    # Whatever cut a message of theirs, be it a cap or the floor.
    attempt.ended = ledger is not None and not ledger.knows_words and not ledger.words_stay(draft)
    return attempt


def _take_steps(draft: Draft, situation: Situation, skipped: list[SkippedStep], ledger: PlanLedger | None) -> bool:
    """Take the steps of the policy; False where one may take what people say, and the ledger has not read it."""
    for step in steps_of(situation.policy, situation.agent):
        if situation.policy.early_stop and draft.excess_tokens <= 0:
            break
        if ledger is not None and not ledger.knows_words and may_take_words(step, draft):
            return False
        if isinstance(step, Summarize):
            # What stays is capped first, so that the summary gets what that leaves.
            cap_tiers(draft, situation.policy.tiers, but=before_split(draft, step.keep))
        _take(step, draft, situation, skipped)
        if ledger is not None and isinstance(step, Summarize):
            ledger.settle(draft)
    return True


def _condense(draft: Draft, situation: Situation, skipped: list[SkippedStep], ledger: PlanLedger | None) -> None:
    """Summarise all that may go where the oldest would have to be dropped.

    Among those are the summaries of all that came before.
    """
    steps = steps_of(situation.policy, situation.agent)
    step = next((step for step in reversed(steps) if isinstance(step, Summarize)), None)
    if step is None:
        return
    _take(msgspec.structs.replace(step, keep=(), whole=True), draft, situation, skipped)
    if ledger is not None:
        ledger.settle(draft)


def _make_room(draft: Draft, policy: Policy) -> None:
    """Shorten what is kept where it must be; beside a shorter system prompt the marks lie elsewhere."""
    limit_tokens = draft.budget.limit_tokens
    # What stays for good may leave so little to all else that every turn or two would have to be compacted away.
    left_tokens = limit_tokens - draft.overhead_tokens - lasting_tokens(draft.groups)
    crowded = left_tokens < int(limit_tokens * policy.progress_fraction)
    if draft.kept_tokens > limit_tokens or (crowded and draft.before_tokens > limit_tokens):
        prefix_tokens = _system_tokens(draft)
        make_room(draft, policy.keep.fraction_max)
        if _system_tokens(draft) != prefix_tokens:
            draft.budget = with_marks(draft.budget, policy, _system_tokens(draft))


def _system_tokens(draft: Draft) -> int:
    items = [item for group in draft.groups for item in group.items]
    return sum(item.tokens for item in items if kind_of(item.entry) is GroupKind.SYSTEM)


def _target(draft: Draft, recent_tokens: int = 0) -> int:
    """The lower mark, or what somebody asked for.

    More where what is kept takes nearly all of that, so that a summary fits beside it.
    """
    # The last turns have their room within the target: they push nothing up.
    kept_tokens, budget = draft.kept_tokens - recent_tokens, draft.budget
    beside_tokens = int((budget.limit_tokens - kept_tokens) * ROOM_FRACTION)
    if budget.asked_tokens is not None:
        return max(budget.asked_tokens, kept_tokens + min(beside_tokens, SUMMARY_ROOM_TOKENS))
    return max(budget.lower_tokens, kept_tokens + beside_tokens)


def draft_of(situation: Situation) -> Draft:
    """A draft in which nothing is decided yet but what stays."""
    # The ledger is no message: it is kept by itself, and no step may take it.
    entries = [entry for entry in situation.entries if entry.kind is not _LEDGER]
    groups = draft_groups(entries, masked=situation.policy.mask_secrets, messages=situation.messages)
    tokens = sum([entry.tokens for entry in situation.entries]) + situation.overhead_tokens
    tokens += sum([item.waiting_tokens for group in groups for item in group.items])
    former = _ledger_of(situation)
    turn = max([entry.turn for entry in entries], default=0)
    mark_kept(
        groups,
        situation.policy.keep,
        turn=turn,
        arriving=situation.arriving,
        limit_tokens=situation.budget.limit_tokens,
    )
    return Draft(
        groups=groups,
        budget=situation.budget,
        target_tokens=situation.budget.lower_tokens,
        count=RememberingCount(situation.count),
        overhead_tokens=situation.overhead_tokens,
        before_tokens=tokens,
        tokens=tokens - (former.tokens if former is not None else 0),
        turn=turn,
        summary_role=situation.policy.summary_role,
        ready=situation.ready,
    )


def _ledger_of(situation: Situation) -> Entry | None:
    return next((entry for entry in situation.entries if entry.kind is _LEDGER), None)


def _ledger_in(
    draft: Draft, situation: Situation, skipped: list[SkippedStep], *, words_leave: bool
) -> PlanLedger | None:
    """The ledger of the plan. What goes wrong in it costs only this ledger.

    A plan that fails would stop every thread of its partition.
    """
    policy = situation.policy
    former = _ledger_of(situation)
    if policy.ledger.enabled:
        rules, forbidden, candidates = policy.ledger, policy.receipt.forbid, situation.candidates
        # What must be shown needs all the room that it may ever need.
        words_leave = words_leave or bool(forbidden) or not spare_words(steps_of(policy, situation.agent), draft)
        try:
            return PlanLedger(draft, former, rules, forbidden, candidates=candidates, words_leave=words_leave)
        except Exception as error:  # noqa: BLE001  people write what nobody thinks of
            skipped.append(SkippedStep("ledger", words_of(error)))
    if former is not None:  # it stays as it is
        draft.overhead_tokens += former.tokens
        draft.tokens += former.tokens
    return None


def _finished(
    ledger: PlanLedger, draft: Draft, situation: Situation, skipped: list[SkippedStep]
) -> LedgerChange | None:
    try:
        return ledger.finish(draft)
    except Exception as error:  # noqa: BLE001  as above
        skipped.append(SkippedStep("ledger", words_of(error)))
    former = _ledger_of(situation)
    draft.tokens += former.tokens if former is not None else 0
    return None


def _drop_sources(draft: Draft, policy: Policy) -> None:
    ids = [message_id for group in draft.free() if goes_first(group, policy.keep) for message_id in group.ids]
    if ids:
        draft.execute(Proposal(Action.DROP, tuple(ids), "its source goes first"), "sources")


def _take(step: AnyStep, draft: Draft, situation: Situation, skipped: list[SkippedStep]) -> None:
    """Take one step; whatever goes wrong in it costs only the step."""
    name, custom = step_name(step), isinstance(step, Custom)
    try:
        proposals = propose(step, draft, situation.custom)
        freed = [draft.execute(in_our_terms(proposal, draft) if custom else proposal, name) for proposal in proposals]
        if custom and freed and not any(freed):
            skipped.append(SkippedStep(name, f"none of its {len(freed)} proposals frees anything"))
    except Exception as error:  # noqa: BLE001  a strategy may be anybody's code, and must not fail the run
        skipped.append(SkippedStep(name, words_of(error)))


def _plan(
    situation: Situation, draft: Draft, skipped: list[SkippedStep], stuck: str | None, ledger: LedgerChange | None
) -> Plan:
    changes = changes_of(draft)
    unfinished = False
    if _listed_bytes(changes) > LISTED_BYTES_MAX:
        changes, ledger = _first_part(situation), None
        unfinished = bool(changes)
        stuck = "more messages have to go than one record can name; the oldest went, and the next compaction goes on"
    after_tokens = draft.before_tokens - sum(change.before_tokens - change.after_tokens for change in changes)
    after_tokens += ledger.tokens - ledger.before_tokens if ledger is not None else 0
    plan = Plan(
        budget=situation.budget,
        before_tokens=draft.before_tokens,
        after_tokens=after_tokens,
        changes=changes,
        strategy=_strategy(situation, changes),
        skipped=tuple(skipped),
        warnings=tuple(_warnings(draft, situation.policy)),
        reason=stuck or left_over(situation.budget, after_tokens),
        missed=_missed(draft, after_tokens),
        expected_version=situation.version,
        unfinished=unfinished,
        ledger=ledger,
    )
    # Who asks for a compaction gets one however small, but none that makes the context larger: a ledger may cost more
    # than what leaves.
    wanted = unfinished or (situation.forced and after_tokens < draft.before_tokens)
    return plan if plan.acts and wanted else _worthwhile(plan, situation.policy)


def _warnings(draft: Draft, policy: Policy) -> Iterator[str]:
    for (first, second, winner), count in sorted(draft.overlaps.items()):
        yield f"{count} messages: {first}, then {second}; {winner} holds"
    pointed = [item for group in draft.groups for item in group.items if item.reason == LEFT_REASON]
    gone = sum(len(item.ids) for item in (*draft.dropped, *pointed) if item.strategy == FLOOR)
    if gone:
        yield f"{gone} messages that are kept did not fit even shortened, and have left"
    kept_tokens, limit_tokens = draft.kept_tokens, draft.budget.limit_tokens
    if kept_tokens > limit_tokens * (1 - policy.progress_fraction):
        yield (
            f"what is kept takes {kept_tokens} of {limit_tokens} tokens: "
            "a compaction can free little, and the next is near"
        )


def _missed(draft: Draft, after_tokens: int) -> str | None:
    """Why the context is larger than somebody asked for."""
    asked_tokens = draft.budget.asked_tokens
    if asked_tokens is None or after_tokens <= asked_tokens:
        return None
    return (
        f"it was to come down to {asked_tokens:,} tokens, {after_tokens:,} are left: "
        f"{draft.kept_tokens:,} are always kept, and what tells of the rest needs some room beside them"
    )


def _first_part(situation: Situation) -> tuple[Change, ...]:
    """The oldest that may go, as many as one record can name."""
    draft = draft_of(situation)
    room_bytes = LISTED_BYTES_MAX - _SPAN_BYTES * SPANS_APART_MAX
    ids: list[str] = []
    for group in draft.free():
        room_bytes -= sum(_id_bytes(message_id) for message_id in group.ids)
        if room_bytes < 0:
            break
        ids += group.ids
    if ids:
        draft.execute(Proposal(Action.DROP, tuple(ids), "the oldest of more than one record can name"), "truncate")
    return changes_of(draft)


def _listed_bytes(changes: Sequence[Change]) -> int:
    """About what the record of these changes takes."""
    names = [name for change in changes for name in (*change.ids, *change.artifact_ids)]
    reasons = "".join([change.reason for change in changes])
    return _SPAN_BYTES * len(changes) + len(reasons.encode()) + len(_encode_json(names))


def _id_bytes(message_id: str) -> int:
    return len(_encode_json(message_id)) + 1


def _strategy(situation: Situation, changes: Sequence[Change]) -> str:
    """The strategy that a record names: where a compactor was asked and has done nothing, what did its work."""
    resolved = resolve(situation.policy, situation.agent)
    at_work = dict.fromkeys(change.strategy for change in changes)
    if resolved.strategy == "delegate" and at_work and resolved.compactor not in at_work:
        return ", ".join(at_work)
    return resolved.strategy or "composed"


def _worthwhile(plan: Plan, policy: Policy) -> Plan:
    """The plan, or one that does nothing and says why: a changed prefix has its price."""
    freed = max(0, plan.before_tokens - plan.after_tokens)
    must = plan.before_tokens > plan.budget.limit_tokens
    least = max(1, int(policy.progress_fraction * plan.budget.limit_tokens))
    missing = plan.ledger.missing if plan.ledger is not None else ()
    if plan.acts and (must or (freed >= least and not missing)):
        return plan
    stuck = plan.reason if must else None
    reason = (
        stuck
        or left_over(plan.budget, plan.before_tokens)
        or (
            f"it would no longer say all {', '.join(missing)}, which the policy forbids"
            if missing
            else f"only {freed:,} of {plan.before_tokens:,} tokens could be freed, less than {least:,}"
            if plan.changes
            else plan.reason or _nothing(plan)
        )
    )
    return Plan(
        budget=plan.budget,
        before_tokens=plan.before_tokens,
        after_tokens=plan.before_tokens,
        strategy=plan.strategy,
        skipped=plan.skipped,
        reason=reason,
        expected_version=plan.expected_version,
        given_up=plan.changes,
        given_up_tokens=freed,
    )


def _nothing(plan: Plan) -> str:
    """Why a plan without changes has none."""
    asked_tokens = plan.budget.asked_tokens
    if asked_tokens is not None and plan.before_tokens <= asked_tokens:
        return f"{plan.before_tokens:,} tokens are no more than the {asked_tokens:,} that were asked for"
    return f"nothing of {plan.before_tokens:,} tokens may go"
