"""The engine on a plain list of messages: before a write, on a stored transcript, in a test. No topic, no worker.

It is the same code that runs in the stream. The messages are appended one by one to a view, then one plan is made for
all of it, and carried out if that is asked for.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from operator import itemgetter
from typing import Any

import msgspec

from tailrace.agents.engine.compaction import commit
from tailrace.agents.engine.compaction_context import Occasion
from tailrace.agents.engine.engine import CountTokens, Engine
from tailrace.agents.engine.entrance import CountedEvent
from tailrace.agents.engine.open_calls import repeats_results
from tailrace.agents.engine.thread import step
from tailrace.agents.plan.plan import Plan
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.situation import Situation
from tailrace.agents.tokens.budget import TokenBudget, budget_for, with_marks
from tailrace.agents.tokens.counts import REPLY_PRIMING_TOKENS
from tailrace.agents.triggers.budget import over_budget
from tailrace.agents.triggers.firing_rule import approval_plan
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Conflict, Misplaced, PoisonEvent
from tailrace.schemas.policy.policy import RESERVES, Policy
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.records.compaction import CompactionRecord, Trigger
from tailrace.schemas.records.context import Entry, EntryKind, Head
from tailrace.schemas.records.event import DEFAULT_TENANT, Event, Usage
from tailrace.schemas.records.kafka_records import ContextChange, decode_message
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Message

#: No conversation reaches this, so nothing is compacted while messages are only being appended.
_NO_WINDOW_TOKENS = 1 << 60

_encode_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class MessageInput:
    """One message with what its producer may have said about it."""

    message: Message
    id: str | None = None
    model: str | None = None
    agent: str | None = None
    source: str | None = None
    pinned: bool = False
    usage: Usage | None = None
    created_at_ms: int = 0
    #: Counted beforehand; None counts it now.
    tokens: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any], **fields: Any) -> "MessageInput":
        """A message as any of the providers has it, with these fields. Raises `Invalid` for what is no message."""
        return cls(read_native(detect_format(data), data), **fields)


@dataclass(frozen=True, slots=True)
class RefusedMessage:
    """A message that does not belong into the conversation, such as a result without its call."""

    place: int
    reason: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as the engine sees it, and what it could not take."""

    view: ThreadView
    refused: tuple[RefusedMessage, ...] = ()
    model: str | None = None
    #: Messages of the view that are at hand, by id, so that nobody reads them from its bytes again.
    at_hand: Mapping[str, Message] = field(default_factory=dict)
    #: Hash of the messages of a list and all that is known of them. A live thread needs none: its log only grows.
    content: str = ""


@dataclass(frozen=True, slots=True)
class CompactedConversation:
    """The messages to send, and the decision with its record; no record where nothing was to be done."""

    view: ThreadView
    plan: Plan
    record: CompactionRecord | None = None
    lifecycle: tuple[LifecycleEvent, ...] = ()

    @property
    def messages(self) -> list[Message]:
        """The context in order."""
        return self.view.messages()

    @property
    def tokens(self) -> int:
        """What the context costs, with the start of the reply."""
        return self.view.request_tokens


@dataclass(slots=True)
class _Counting:
    """Counts for the model of the message that is being appended.

    A thread knows no model without its window, and here there is none.
    """

    count_tokens: CountTokens
    model: str | None = None

    def __call__(self, message: Message, _model: str | None) -> int:
        return self.count_tokens(message, self.model)


@dataclass(slots=True)
class _Log:
    """Appends messages to a view, as a topic would."""

    engine: Engine
    counting: _Counting
    thread: str
    #: Ids that producers chose: no message without one may get one of these.
    chosen_ids: frozenset[str]
    view: ThreadView
    refused: list[RefusedMessage]
    at_hand: dict[str, Message]
    content: "hashlib.blake2b" = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def append(self, place: int, item: MessageInput) -> None:
        event = Event(
            id=item.id or self._free_id(place),
            thread=self.thread,
            message=item.message,
            created_at_ms=item.created_at_ms,
            tenant=DEFAULT_TENANT,
            agent=item.agent,
            source=item.source,
            pinned=item.pinned,
            usage=item.usage,
        )
        if self.view.knows(event.id):
            self.refused.append(RefusedMessage(place, f"a message with the id {event.id!r} was there before"))
            return
        if repeats_results(self.view, item.message):
            self.refused.append(RefusedMessage(place, "the same result of the same call was there before"))
            return
        self.counting.model = item.model
        tokens = self.engine.count_tokens(item.message, None) if item.tokens is None else item.tokens
        try:
            emissions = step(self.view, CountedEvent(event, place, tokens, None), self.engine)
        except PoisonEvent as error:
            self.refused.append(RefusedMessage(place, error.what if isinstance(error, Misplaced) else str(error)))
            return
        for emission in emissions:
            if isinstance(emission, ContextChange):
                self.view.apply(emission)
            if isinstance(emission, Entry):
                self.content.update(_encode_json(emission))
            if isinstance(emission, Entry) and emission.id == event.id and _holds(emission, item.message):
                self.at_hand[event.id] = item.message

    def _free_id(self, place: int) -> str:
        # By its place, so that the same messages have the same ids; with a number behind it where somebody chose that
        # one.
        tries = (f"m{place}" if number == 1 else f"m{place}-{number}" for number in count(1))
        return next(free for free in tries if free not in self.chosen_ids and not self.view.knows(free))


def _holds(entry: Entry, message: Message) -> bool:
    """Whether an entry holds a message as it came: neither distilled, nor as the text that a late result becomes."""
    return entry.kind is EntryKind.VERBATIM and entry.answers == message.answered_ids


def conversation(
    messages: Iterable[MessageInput | Message], engine: Engine, *, thread: str = "transcript", model: str | None = None
) -> Conversation:
    """Append all messages and compact nothing. Costs O(1) for each message, plus counting it."""
    return go_on(Conversation(ThreadView(), model=model), messages, engine, thread=thread)


def go_on(
    before: Conversation,
    messages: Iterable[MessageInput | Message],
    engine: Engine,
    *,
    thread: str = "transcript",
    place: int = 0,
) -> Conversation:
    """The conversation with more messages behind what it holds, the first of them at this place.

    `before` stays as it is.
    """
    policy = msgspec.structs.replace(engine.policy, window_tokens=_NO_WINDOW_TOKENS, cap_tokens=None, models={})
    entries = [item if isinstance(item, MessageInput) else MessageInput(item) for item in messages]
    counting = _Counting(engine.count_tokens)
    log = _Log(
        Engine(policy, counting, custom=engine.custom),
        counting,
        thread,
        frozenset(entry.id for entry in entries if entry.id),
        before.view.copy(),
        [*before.refused],
        {**before.at_hand},
    )
    log.content.update(before.content.encode())
    for at, entry in enumerate(entries, start=place):
        log.append(at, entry if entry.model is not None else replace(entry, model=before.model))
    return Conversation(log.view, tuple(log.refused), before.model, log.at_hand, log.content.hexdigest())


def with_limit(policy: Policy, limit_tokens: int) -> Policy:
    """The policy with a limit of exactly this many tokens, whatever the model, its window and the reserves.

    Only what is injected into each request is still kept free: it is sent with the rest.
    """
    reserved = {key: 0 for key in RESERVES if key != "injection_reserve_tokens"}
    return msgspec.structs.replace(
        policy,
        **reserved,
        window_tokens=limit_tokens,
        window_fraction=1.0,
        cap_tokens=None,
        headroom_tokens=None,
        models={},
    )


def budget_of(tokens: int, engine: Engine, view: ThreadView, *, fills: bool = False) -> TokenBudget:
    """Budget of exactly this many tokens, with the marks of the policy.

    One that `fills` leaves no more than what a compaction must free.
    """
    policy = with_limit(engine.policy, tokens)
    budget = budget_for(policy, tokens, prefix_tokens=view.system_tokens)
    return with_marks(replace(budget, fills=True), policy, view.system_tokens) if fills else budget


def plan_for(talk: Conversation, engine: Engine, budget: TokenBudget, *, forced: bool = False) -> Plan:
    """What a compaction to this budget would do; a plan without changes and with a reason where nothing is to be done.

    `forced` plans even below the upper mark, without the approval that a policy may ask for, and however little there
    is to gain: somebody wants it.
    """
    view = talk.view
    tokens = view.request_tokens
    firing = over_budget(tokens, budget, 0, 0)
    if firing is None and not forced:
        reason = f"{tokens} tokens are below the upper mark of {budget.upper_tokens}"
        return Plan(budget, tokens, tokens, reason=reason, expected_version=view.version)
    if firing is not None and not forced and engine.rule.asks_first(firing, view.agent):
        return replace(approval_plan(budget, tokens), expected_version=view.version)
    situation = Situation(
        entries=list(view.entries.values()),
        budget=budget,
        policy=engine.policy,
        count=lambda message: engine.count_tokens(message, talk.model),
        overhead_tokens=REPLY_PRIMING_TOKENS,
        agent=view.agent,
        custom=engine.custom,
        version=view.version,
        ready=tuple(view.ready.values()),
        candidates=view.candidates,
        forced=forced,
        messages=talk.at_hand,
    )
    return replace(make_plan(situation), expected_content=talk.content)


def planned_messages(talk: Conversation, plan: Plan) -> list[Message]:
    """The messages of the context as a plan would make it, in order.

    What carrying it out gives, without its entries and records.
    """
    gone = {message_id for change in plan.changes for message_id in change.ids}
    standing = [(change.first.rank, change.replacement) for change in plan.changes if change.replacement is not None]
    ledger = plan.ledger
    if ledger is not None:
        gone.update(ledger.former_ids)
        standing += [(ledger.rank, ledger.message)] if ledger.message is not None else []
    at_hand = talk.at_hand.get
    stay = [entry for entry in talk.view.live() if entry.id not in gone]
    standing += [(entry.rank, at_hand(entry.id) or decode_message(entry.message)) for entry in stay]
    return [message for _, message in sorted(standing, key=itemgetter(0))]


def carry_out(talk: Conversation, plan: Plan, engine: Engine) -> CompactedConversation:
    """Carry a plan out on the conversation it was made for.

    Raises `Conflict` for any other, where there is anything to do.
    """
    view = talk.view
    if not plan.acts or view.head is None:
        return CompactedConversation(view, plan)
    if plan.expected_content != talk.content:
        raise Conflict("the plan is for another conversation, or for what this one was before; plan again")
    emissions = commit(view, plan, _occasion(view.head, view, plan, engine))
    after = _applied(view, [emission for emission in emissions if isinstance(emission, ContextChange)])
    records = [emission for emission in emissions if isinstance(emission, CompactionRecord)]
    events = tuple(emission for emission in emissions if isinstance(emission, LifecycleEvent))
    return CompactedConversation(after, plan, records[0] if records else None, events)


def _occasion(head: Head, view: ThreadView, plan: Plan, engine: Engine) -> Occasion:
    covers = view.covers or head.covers_through
    return Occasion(
        thread=head.thread,
        tenant=head.tenant,
        trigger=Trigger.MANUAL,
        event_id=covers.event_id,
        offset=covers.offset,
        policy_hash=engine.policy.hash,
        limit_tokens=plan.budget.limit_tokens,
        window_tokens=view.window_tokens or engine.policy.default_window_tokens,
        model=view.model,
        agent=view.agent,
        calibration=view.calibration,
        artifact_ttl_seconds=engine.policy.artifact_ttl_seconds,
        tools=engine.policy.tools,
        mask_secrets=engine.policy.mask_secrets,
        receipt_listed_max=engine.policy.receipt.listed_max,
        cooldown_turns=engine.policy.rehydrate.cooldown_turns,
    )


def _applied(view: ThreadView, changes: Iterable[ContextChange]) -> ThreadView:
    after = view.copy()
    for change in changes:
        after.apply(change)
    return after


def bring_down(
    talk: Conversation, engine: Engine, budget: TokenBudget, *, forced: bool = False
) -> CompactedConversation:
    """Plan for this budget and carry it out; again where one plan can't name all that has to go.

    For `forced` see `plan_for`.
    """
    done = carry_out(talk, plan_for(talk, engine, budget, forced=forced), engine)
    while done.plan.unfinished:
        talk = replace(talk, view=done.view)
        done = carry_out(talk, plan_for(talk, engine, budget, forced=forced), engine)
    return done


def compact(
    messages: Sequence[MessageInput | Message], engine: Engine, *, budget_tokens: int, model: str | None = None
) -> CompactedConversation:
    """The whole way in one call: the messages that fit `budget_tokens`, with the decision."""
    talk = conversation(messages, engine, model=model)
    return bring_down(talk, engine, budget_of(budget_tokens, engine, talk.view))
