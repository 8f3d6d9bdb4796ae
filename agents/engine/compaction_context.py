"""When and why a thread is looked at, and the head that says what came of it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from tailrace.agents.tokens.learned_window import after_answer
from tailrace.agents.view.thread_view import ThreadView, noted
from tailrace.agents.view.trigger_memory import after_compaction, after_entry
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import (
    Calibration,
    CoversThrough,
    Entry,
    EntryKind,
    Head,
    RemovedRange,
    Standing,
    Totals,
    totals_with,
)

#: Artifacts that a head remembers to have been brought back: far more than a policy brings back in a few turns.
COOLING_MAX = 100


@dataclass(frozen=True, slots=True)
class Occasion:
    """The event that caused something, with what holds for the thread at that moment."""

    thread: str
    tenant: str
    trigger: Trigger
    event_id: str
    offset: int
    policy_hash: str
    limit_tokens: int
    window_tokens: int
    model: str | None = None
    agent: str | None = None
    parent_thread: str | None = None
    calibration: Calibration | None = None
    #: The message that is being added; None where nothing new was said.
    arriving: Entry | None = None
    #: What holds for the artifacts that it leaves behind.
    artifact_ttl_seconds: int | None = None
    tools: Mapping[str, ToolRule] = field(default_factory=dict)
    mask_secrets: bool = True
    #: How many items of a class the receipt names.
    receipt_listed_max: int = 20
    #: For how many turns what was brought back is remembered.
    cooldown_turns: int = 0
    #: When it was, by the broker's clock; what fired, and because of what.
    at_ms: int = 0
    rule: str | None = None
    condition: str | None = None
    #: What triggers remember from now on, where the event changed more of it than what is said does.
    standing: Standing | None = None
    #: Signals have ids of their own, which may be those of messages too.
    signalled: bool = False
    #: Rules are asked about a compaction once it is completed.
    ask_rules: bool = False
    #: Growth that is waited for before the next try, where this one stays above its lower mark; 0 waits for none.
    retry_tokens: int = 0


def next_head(  # noqa: PLR0913  one keyword for each field that differs
    view: ThreadView,
    occasion: Occasion,
    *,
    epoch: int,
    tokens: int,
    prefix_hash: str,
    removed: tuple[RemovedRange, ...] = (),
    compaction: str | None = None,
    compactions: int = 0,
    quiet_tokens: int = 0,
    ledger: str | None = None,
    stuck: bool = False,
) -> Head:
    """Head of the thread once what the occasion caused is written."""
    arriving = occasion.arriving
    message = arriving if arriving is not None and arriving.kind is not EntryKind.STAND_IN else None
    totals = _totals(view.totals, message, compactions)
    standing = view.standing if occasion.standing is None else occasion.standing
    if arriving is not None:
        standing = after_entry(standing, arriving)
        if standing.windows:
            context_tokens = view.tokens + arriving.tokens
            standing = after_answer(standing, arriving, occasion.model, view.calibration, context_tokens)
    if compactions:
        standing = replace(standing, asked_tokens=min(standing.asked_tokens, tokens)) if standing.windows else standing
        standing = after_compaction(standing, totals, occasion.at_ms, stuck=stuck, ask_rules=occasion.ask_rules)
    brought_back = noted(view.brought_back, arriving) if arriving else view.brought_back
    return Head(
        version=1,
        thread=occasion.thread,
        tenant=occasion.tenant,
        epoch=epoch,
        tokens=tokens,
        limit_tokens=occasion.limit_tokens,
        policy_version=occasion.policy_hash,
        covers_through=CoversThrough(event_id=occasion.event_id, offset=occasion.offset),
        prefix_hash=prefix_hash,
        totals=totals,
        model=occasion.model,
        window_tokens=occasion.window_tokens,
        parent_thread=view.head.parent_thread if view.head else occasion.parent_thread,
        removed=removed,
        compaction=compaction,
        agent=occasion.agent,
        quiet_tokens=quiet_tokens,
        calibration=occasion.calibration,
        ledger=ledger,
        brought_back=cooling_down(brought_back, totals.turns, occasion.cooldown_turns),
        standing=standing,
    )


def cooling_down(brought_back: Mapping[str, int], turn: int, cooldown_turns: int) -> dict[str, int]:
    """What must not be brought back again in this turn: of too much to remember, the newest."""
    cooling = [(name, last) for name, last in brought_back.items() if turn - last <= cooldown_turns]
    return dict(sorted(cooling, key=lambda item: item[1])[-COOLING_MAX:])


def _totals(totals: Totals, arriving: Entry | None, compactions: int) -> Totals:
    counted = totals if arriving is None else totals_with(totals, arriving)
    return replace(counted, compactions=totals.compactions + compactions)


def hash_of_prefix(live: Iterable[Entry]) -> str:
    """Hash of a context's messages in order, by their ids: equal as long as a prompt cache can be hit."""
    ids = "\0".join(entry.id for entry in live)
    return hashlib.blake2b(ids.encode(), digest_size=16).hexdigest()
