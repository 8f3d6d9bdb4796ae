"""The laws of the engine over two thousand conversations, each under a policy of its own.

Speed comes from a seeded generator instead of hypothesis, and from counting characters; each case checks every law
after every event. ENGINE_SEED=17 repeats one case, ENGINE_CASES=100000 runs more, and `make fuzz` runs new ones until
it is stopped.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest
from support.conversations import Move, Published, play, random_moves

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact, conversation, with_limit
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.messages.groups import is_reasoning_only, is_system
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.plan.draft.summary_spans import Turns
from tailrace.agents.plan.last_resort import STRATEGY as FLOOR
from tailrace.agents.tokens.budget import budget_for
from tailrace.agents.tokens.counts import NO_RESULT_TOKENS, REPLY_PRIMING_TOKENS
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.policy import Keep, Policy, Tiers
from tailrace.schemas.policy.steps import (
    AnySplit,
    AnyStep,
    CollapseRepeats,
    CollapseToolCalls,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    RecentFraction,
    RecentTurns,
    ReferenceMedia,
    RemoveToolCalls,
    ShortenArguments,
    SlidingWindow,
    Summarize,
    TailTokens,
    ToolRetention,
    Truncate,
    UserMessages,
)
from tailrace.schemas.providers.call_answers import NO_RESULT
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.providers.server_calls import half_ids, opened_ids, taken_up_ids
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, RANKS_PER_GROUP, Entry, EntryKind, Head
from tailrace.schemas.records.kafka_records import ContextChange, Emission, OutputRecord, Topic, decode_message, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.demo.sample_conversations import load_samples
from tailrace.streams.policy.files import open_policy, ready_made_names

_one = os.environ.get("ENGINE_SEED")
CASES = int(os.environ.get("ENGINE_CASES", "2000"))
FIRST = int(os.environ.get("ENGINE_FIRST", "0"))
SEEDS = [int(_one)] if _one else range(FIRST, FIRST + CASES)
#: One test for each case would cost more than the case.
PORTIONS = [SEEDS[start : start + 500] for start in range(0, len(SEEDS), 500)]

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)

#: Kinds of entries that are messages as they came.
SAID = (EntryKind.VERBATIM, EntryKind.DISTILLED)

_SPAN = re.compile(r"\[Context Summary - Turns (\d+)-(\d+)(, in part)?\]")
_encode_json = msgspec.json.Encoder().encode


def count(message: Message, _model: str | None = None) -> int:
    """A quarter of the bytes that the parts take as JSON: cheap, and it grows with every part."""
    return 4 + len(_encode_json(message.parts)) // 4


_SPLITS: tuple[AnySplit, ...] = (
    UserMessages(tokens=80),
    RecentFraction(fraction=0.3),
    RecentTurns(turns=2, turn_tokens_min=20, turn_tokens_max=80),
    TailTokens(tokens=120),
)


def _steps(chance: Random) -> tuple[AnyStep, ...]:
    split = tuple(chance.sample(_SPLITS, chance.randint(0, 2)))
    steps: list[AnyStep] = [
        CollapseRepeats(tokens_min=1),
        ReferenceMedia(keep_turns=chance.randint(0, 2)),
        PruneToolResults(protect_tokens=chance.randint(0, 60), savings_tokens_min=chance.randint(0, 60)),
        ExpireToolResults(
            default=ToolRetention(keep_turns=chance.choice((None, 0, 1, 3)), keep_last=chance.choice((None, 0, 2))),
            never_evict=chance.choice(((), ("look",), ("l*",))),
            preview_chars=chance.choice((0, 20)),
        ),
        ShortenArguments(keep_turns=chance.randint(0, 1), value_chars_max=chance.choice((1, 5, 50))),
        Externalize(tokens_min=chance.choice((1, 20)), preview_tokens=chance.choice((0, 10)), keep=split),
        Summarize(keep=split, ratio=chance.choice((0.1, 0.5)), tokens_max=chance.choice((40, 200))),
        CollapseToolCalls(keep_last=chance.randint(0, 2), result_chars_max=10),
        RemoveToolCalls(keep_last=chance.randint(0, 2)),
        SlidingWindow(turns=chance.choice((None, 1, 3)), groups=chance.randint(2, 9)),
        Truncate(),
    ]
    return tuple(chance.sample(steps, chance.randint(0, 4)))


def policy_of(chance: Random) -> Policy:
    """Any policy, over windows in which a conversation of thirty messages is compacted a few times."""
    upper = chance.choice((0.5, 0.85, 1.0))
    return Policy(
        default_window_tokens=chance.choice((120, 300, 600, 1_500)),
        output_reserve_tokens=0,
        safety_tokens=0,
        rehydration_reserve_tokens=0,
        upper_fraction=upper,
        lower_fraction=upper * chance.choice((0.3, 0.7, 0.95)),
        progress_fraction=chance.choice((0.0, 0.1)),
        scope=chance.choice(("growth", "total")),
        tiers=Tiers(tool_results_fraction=chance.choice((None, 0.1, 0.3))),
        keep=Keep(
            system=chance.random() < 0.9,
            first_user=chance.random() < 0.9,
            sources=chance.choice(({}, {"clock": "drop", "rag": "keep"}, {"rag": "protect"})),
        ),
        strategy=chance.choice(("composed", "composed", "composed", "drop", "summarize", "checkpoint")),
        steps=_steps(chance) if chance.random() < 0.8 else Policy().steps,
        early_stop=chance.random() < 0.7,
        order=chance.choice(("listed", "ladder")),
        aggressiveness_max=chance.choice((0, 2, 4, 4, 4)),
    )


@dataclass(slots=True)
class Case:
    """One conversation under one policy, with what the laws look back at."""

    engine: Engine
    partition: PartitionView = field(default_factory=PartitionView)
    reader: PartitionView = field(default_factory=PartitionView)
    said: dict[str, Entry] = field(default_factory=dict)
    #: What each derived entry replaces one for one.
    replaces: dict[str, str] = field(default_factory=dict)
    recorded: Counter[str] = field(default_factory=Counter)
    pruned: set[str] = field(default_factory=set)
    forced: set[str] = field(default_factory=set)
    written: list[OutputRecord] = field(default_factory=list)
    before: list[bytes] = field(default_factory=list)
    epoch: int = -1

    @property
    def view(self) -> ThreadView:
        return self.partition.threads.get("thread", ThreadView())

    def take(self, record: Published, offset: int) -> RecordOutcome:
        """Process one event and note what it caused."""
        outcome = process(self.partition, record.at(offset), self.engine)
        for emission in outcome.emissions:
            self._note(emission)
        for emission in outcome.written:
            written = encode(emission, 1)
            self.written.append(written)
            if written.topic is Topic.CONTEXTS and written.key is not None:
                self.reader.apply_record(written.key, written.value, written.headers)
        return outcome

    def _note(self, emission: Emission) -> None:
        match emission:
            case Entry() if emission.kind in SAID:
                self.said[emission.id] = emission
            case Entry():
                if emission.sources:
                    self.replaces[emission.id] = emission.sources[0]
            case CompactionRecord():
                for decision in emission.decisions:
                    self.recorded.update(decision.span.ids)
                    if decision.strategy == FLOOR:
                        self.forced.update(decision.span.ids)
            case LifecycleEvent(kind=LifecycleKind.CLEARED, compaction_id=None):
                self.pruned.update(emission.message_ids)
            case _:
                pass

    def origin(self, key: str) -> str:
        """The message that was said, behind any number of replacements."""
        while key in self.replaces:
            key = self.replaces[key]
        return key


def check(case: Case, outcome: RecordOutcome) -> None:
    """Every law, after one event."""
    view = case.view
    live = view.live()
    messages = view.messages()
    _fits(case, outcome)
    _no_orphan(messages)
    _provider_s_calls_are_whole(live)
    _every_id_is_somewhere(case, live)
    _in_order(live)
    for record in outcome.emissions:
        assert not isinstance(record, CompactionRecord) or record.after_tokens < record.before_tokens
    _kept_stay(case, live)
    assert case.reader.threads == case.partition.threads, "the log tells another state"
    _missing_results_are_counted(view, messages)
    _prefix_stands(case, outcome, [bytes(entry.message) for entry in live])
    summaries_tell_one_story(live)
    assert view.tokens == sum(entry.tokens for entry in live)
    for entry in live:
        assert entry.kind in SAID or entry.id.startswith(DERIVED_ID_PREFIX)


def _in_order(live: Sequence[Entry]) -> None:
    """No two messages stand in one place, and groups stand in the order in which they began."""
    assert len({entry.rank for entry in live}) == len(live)
    began = [entry.offset for entry in live if entry.kind in SAID and entry.rank % RANKS_PER_GROUP == 0]
    assert began == sorted(began)


def _fits(case: Case, outcome: RecordOutcome) -> None:
    view, policy = case.view, case.engine.policy
    if outcome.result != "appended":
        return
    limit = policy.limit_tokens(view.window_tokens or policy.default_window_tokens, view.model)
    if view.request_tokens > limit:
        reasons = [one.reason or "" for one in outcome.emissions if isinstance(one, LifecycleEvent)]
        assert len(view.groups) == 1, f"{view.tokens} of {limit} tokens in {len(view.groups)} groups"
        # It is said once, and remembered.
        assert view.standing.stuck or any("can't be made smaller" in reason for reason in reasons), reasons


def _missing_results_are_counted(view: ThreadView, messages: Sequence[Message]) -> None:
    """What a request says for results that are not there yet is part of what its context costs."""
    sent = request_of(messages, Format.OPENAI_CHAT)["messages"]
    said = sum(message["role"] == "tool" and message["content"] == NO_RESULT for message in sent)
    assert view.request_tokens >= view.tokens + REPLY_PRIMING_TOKENS + NO_RESULT_TOKENS * said


def _no_orphan(messages: Sequence[Message]) -> None:
    called: set[str] = set()
    for message in messages:
        called.update(message.call_ids)
        assert called.issuperset(message.answered_ids), "a result stands without its call before it"


def _provider_s_calls_are_whole(live: Sequence[Entry]) -> None:
    """What takes up a call that the provider answers itself stands in one group with it, as long as both are there."""
    opened: dict[str, int] = {}
    for entry in live:
        message = decode_message(entry.message)
        group = entry.rank // RANKS_PER_GROUP
        for call_id in taken_up_ids(message):
            assert opened.get(call_id, group) == group, f"{entry.id} is parted from the call that it takes up"
        opened.update(dict.fromkeys(opened_ids(message), group))


def _every_id_is_somewhere(case: Case, live: Sequence[Entry]) -> None:
    """A message that was said is live, or what replaces it is, or exactly one record says what became of it."""
    assert all(times == 1 for times in case.recorded.values()), "an id is in two records"
    standing = {case.origin(entry.id) for entry in live}
    recorded = {case.origin(key) for key in case.recorded}
    missing = case.said.keys() - standing - recorded
    assert not missing, f"nobody knows what became of {missing}"
    assert not case.recorded.keys() & {entry.id for entry in live}, "a live message is in a record"


def _kept_stay(case: Case, live: Sequence[Entry]) -> None:
    kept = {key for key, entry in case.said.items() if entry.pinned}
    standing = {case.origin(entry.id) for entry in live}
    forced = {case.origin(key) for key in case.forced}
    assert kept <= standing | forced


def _prefix_stands(case: Case, outcome: RecordOutcome, after: list[bytes]) -> None:
    """Between two compactions only a new message comes in, at the end or behind its call, whoever answers that."""
    if case.view.epoch == case.epoch:
        if outcome.result != "appended":
            assert after == case.before
        else:
            (entry,) = [one for one in outcome.emissions if isinstance(one, Entry)]
            place = [one.id for one in case.view.live()].index(entry.id)
            assert after[:place] + after[place + 1 :] == case.before
            assert place == len(case.before) or entry.answers or taken_up_ids(decode_message(entry.message))
    case.before, case.epoch = after, case.view.epoch


def summaries_tell_one_story(live: Sequence[Entry]) -> None:
    """In a row they begin with later turns, and tell no turn twice unless one of two tells it in part."""
    for before, after in pairwise(spans_of(live)):
        assert before.first <= after.first
        assert before.last < after.first or before.in_part or after.in_part


def spans_of(live: Sequence[Entry]) -> list[Turns]:
    """The turns that summaries name, in the order in which they stand."""
    texts = [text_of(decode_message(entry.message).parts[0]) for entry in live if entry.kind is EntryKind.SUMMARY]
    named = [found for text in texts if (found := _SPAN.match(text))]
    return [Turns(int(found[1]), int(found[2]), in_part=bool(found[3])) for found in named]


def cases(seeds: Sequence[int]) -> Iterator[tuple[int, list[Published], Policy]]:
    for seed in seeds:
        chance = Random(seed)
        moves: list[Move] = random_moves(chance, chance.choice((6, 14, 24)))
        yield seed, play(moves), policy_of(chance)


def run(published: Sequence[Published], policy: Policy) -> Case:
    windows = {"small": policy.default_window_tokens // 2, "large": policy.default_window_tokens * 2}
    engine = Engine(policy=policy, count_tokens=count, catalogue=lambda model: windows.get(model, 500))
    case = Case(engine)
    for offset, record in enumerate(published):
        check(case, case.take(record, offset))
    return case


@pytest.mark.parametrize("seeds", PORTIONS, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_every_law_holds_after_every_event(seeds: Sequence[int]) -> None:
    for seed, published, policy in cases(seeds):
        try:
            case = run(published, policy)
            _last(case, published)
        except BaseException as error:
            error.add_note(f"repeat with ENGINE_SEED={seed}")
            raise


def _last(case: Case, published: Sequence[Published]) -> None:
    """What is checked once: rendering, replay, and that nothing is left to do."""
    messages = case.view.messages()
    for message_format in FORMATS:
        found = violations(request_of(messages, message_format), message_format)
        # Of blank messages alone there is nothing to send, and the validator says so.
        assert [one for one in found if one.rule != "nothing_to_send"] == []
    records = list(case.written)
    for offset, record in enumerate(published):
        again = process(case.partition, record.at(offset), case.engine)
        assert not [one for one in again.emissions if isinstance(one, ContextChange) and not isinstance(one, Head)]
    assert case.reader.threads == case.partition.threads, "replaying the log changed something"
    assert len(case.written) == len(records)


def _messages(published: Sequence[Published]) -> list[Message]:
    """What is said in these records; what is no event says nothing."""
    found = []
    for offset, record in enumerate(published):
        with suppress(PoisonEvent):
            found.append(decode_event(record.at(offset), value_bytes_max=1_000_000).message)
    return found


@pytest.mark.parametrize("seeds", PORTIONS, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_compacting_the_result_again_changes_nothing(seeds: Sequence[int]) -> None:
    """Return messages as a runtime holds them.

    Results stand behind their calls, reasoning in one message with what it led to and what the provider did.

    Without a ledger: a list of messages can't say that one of them is the ledger, as a thread does.
    """
    for seed, published, policy in cases(seeds):
        engine = Engine(msgspec.structs.replace(policy, ledger=LedgerRules(enabled=False)), count)
        said = _messages(published)
        spoken = [message for message in said if not is_reasoning_only(message) and not half_ids(message)]
        messages = conversation(spoken, engine).view.messages()
        for budget_tokens in (policy.default_window_tokens, 50):
            once = compact(messages, engine, budget_tokens=budget_tokens)
            twice = compact(once.messages, engine, budget_tokens=budget_tokens)
            assert twice.messages == once.messages, f"repeat with ENGINE_SEED={seed}, {budget_tokens} tokens"


_MAY_BE_KEPT = ("system", "developer", "user")
_TAKING_ALL: tuple[AnyStep, ...] = (
    CollapseRepeats(tokens_min=1),
    ExpireToolResults(default=ToolRetention(keep_turns=0)),
    ShortenArguments(keep_turns=0, value_chars_max=1),
    Summarize(keep=(), whole=True),
    SlidingWindow(groups=1),
)


def test_the_last_turns_stay_word_for_word_where_they_fit() -> None:
    """Even by steps that take all they get.

    Without a ledger and reports of usage, so that the room can be told from outside.
    """
    # All at once: few turns are small beside the window, and not in every portion as many.
    seeds = [seed for portion in PORTIONS[::2] for seed in portion]
    held = 0
    for seed, published, drawn in cases(seeds):
        keep = msgspec.structs.replace(drawn.keep, recent_turns=1 + seed % 3, recent_fraction_max=0.95, sources={})
        policy = msgspec.structs.replace(
            drawn, keep=keep, steps=_TAKING_ALL, early_stop=False, ledger=LedgerRules(enabled=False), usage_anchor=False
        )
        case = Case(Engine(policy=policy, count_tokens=count, catalogue=lambda _: 500))
        for offset, record in enumerate(published):
            before, epoch = dict(case.view.entries), case.view.epoch
            outcome = case.take(record, offset)
            came = {one.id: one for one in outcome.emissions if isinstance(one, Entry) and one.kind in SAID}
            if case.view.epoch > epoch >= 0:
                # What arrives and is cut at once is nowhere whole, but it counts.
                cut_tokens = sum(map(count, _messages([record]))) if not came else 0
                last = _last_turns({**before, **came}, cut_tokens, case.view, policy)
                assert last <= case.view.entries.keys(), f"repeat with ENGINE_SEED={seed}"
                held += bool(last)
    assert held >= len(seeds) // 100


def _last_turns(entries: dict[str, Entry], cut_tokens: int, view: ThreadView, policy: Policy) -> set[str]:
    """Messages that have to stay: those of the last turns, if these fit beside all that anything could keep.

    Judged on the safe side.
    """
    first_turn = view.totals.turns - policy.keep.recent_turns + 1
    by_number: dict[int, list[Entry]] = {}
    for entry in entries.values():
        by_number.setdefault(entry.rank // RANKS_PER_GROUP, []).append(entry)
    groups = list(by_number.values())
    newest = max(group[0].rank for group in groups)
    last_tokens = cut_tokens + sum(_tokens(group) for group in groups if _reaches_into(group, first_turn))
    kept_tokens = cut_tokens + sum(_tokens(group) for group in groups if _may_be_kept(group, newest))
    system_tokens = sum(entry.tokens for entry in entries.values() if is_system(entry))
    window = view.window_tokens or policy.default_window_tokens
    target = budget_for(policy, window, model=view.model, prefix_tokens=system_tokens).lower_tokens
    free_tokens = target - REPLY_PRIMING_TOKENS - kept_tokens
    if last_tokens > int(free_tokens * policy.keep.recent_fraction_max):
        return set()
    whole = [group for group in groups if all(entry.turn >= first_turn for entry in group)]
    return {entry.id for group in whole for entry in group if _has_to_stay(entry)}


def _open_calls(group: Sequence[Entry]) -> set[str]:
    return {call for entry in group for call in entry.calls} - {call for entry in group for call in entry.answers}


def _tokens(group: Sequence[Entry]) -> int:
    return sum(entry.tokens for entry in group) + NO_RESULT_TOKENS * len(_open_calls(group))


def _reaches_into(group: Sequence[Entry], first_turn: int) -> bool:
    return any(entry.turn >= first_turn for entry in group)


def _may_be_kept(group: Sequence[Entry], newest_rank: int) -> bool:
    return (
        bool(_open_calls(group))
        or group[0].rank == newest_rank
        or any(entry.pinned or entry.role in _MAY_BE_KEPT for entry in group)
    )


def _has_to_stay(entry: Entry) -> bool:
    """A result that a person spoke beside may be cut for its tier, and a summary be summarised."""
    return entry.kind in SAID and not (entry.answers and entry.role == "user")


@pytest.mark.parametrize("seeds", PORTIONS, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_the_same_input_gives_the_same_bytes(seeds: Sequence[int]) -> None:
    for seed, published, policy in cases(seeds[::10]):
        assert _written(published, policy) == _written(published, policy), f"repeat with ENGINE_SEED={seed}"


def _written(published: Sequence[Published], policy: Policy) -> list[OutputRecord]:
    case = Case(Engine(policy=policy, count_tokens=count, catalogue=lambda _: 500))
    for offset, record in enumerate(published):
        case.take(record, offset)
    return case.written


def test_the_cases_compact_in_every_way() -> None:
    """Guards the generator: a law about what never happens says nothing."""
    kinds: Counter[str] = Counter()
    strategies: Counter[str] = Counter()
    for _, published, policy in cases(range(800)):
        partition = PartitionView()
        engine = Engine(policy=policy, count_tokens=count, catalogue=lambda _: 500)
        for offset, record in enumerate(published):
            for emission in process(partition, record.at(offset), engine).emissions:
                if isinstance(emission, LifecycleEvent):
                    kinds[emission.kind] += 1
                if isinstance(emission, CompactionRecord):
                    strategies.update(decision.strategy for decision in emission.decisions)
    assert {"externalized", "summarized", "cleared", "dropped", "noop", "completed"} <= kinds.keys()
    assert len(strategies) >= 8, strategies


@pytest.mark.parametrize("name", ready_made_names())
@pytest.mark.parametrize("budget_tokens", [1_500, 6_000])
def test_the_laws_hold_for_recorded_conversations_under_every_ready_made_policy(name: str, budget_tokens: int) -> None:
    policy = with_limit(open_policy(name, Path()), budget_tokens)
    compactions = 0
    for sample in load_samples():
        published = [
            Published(b"thread", _encode_json({"id": f"m{number}", "native": message}))
            for number, message in enumerate(sample.messages)
        ]
        case = run(published, policy)
        _last(case, published)
        compactions += case.view.totals.compactions
    assert compactions > 5
