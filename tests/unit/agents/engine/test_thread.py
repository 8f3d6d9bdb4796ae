"""One event on one thread: when it compacts, when it stands, when it waits, and what a crash in between may leave."""

import json
from itertools import pairwise
from typing import Any

import pytest
from support.conversations import Published, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import budget_of, carry_out, conversation, plan_for
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Conflict
from tailrace.schemas.policy.policy import AgentPolicy, Policy
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Departed, Entry, EntryKind, Head
from tailrace.schemas.records.kafka_records import ContextChange, Emission, Tombstone
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

BARE = {"output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0, "scope": "total"}


def policy(**fields: Any) -> Policy:
    return Policy(**{**BARE, "default_window_tokens": 1_000, **fields})


class Thread:
    """A thread that is told things."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.partition = PartitionView()
        self.offset = -1

    def say(self, words: int, role: str = "user", **fields: Any) -> RecordOutcome:
        self.offset += 1
        message = {"role": role, "content": " ".join(["word"] * words)}
        value = {"id": f"m{self.offset}", "native": message, "format": "openai.chat", **fields}
        return process(self.partition, Published(b"t", json.dumps(value).encode()).at(self.offset), self.engine)

    @property
    def view(self) -> ThreadView:
        return self.partition.threads["t"]


def kinds(outcome: RecordOutcome) -> list[LifecycleKind]:
    return [one.kind for one in outcome.emissions if isinstance(one, LifecycleEvent)]


def test_a_provider_that_counts_more_than_we_do_brings_the_compaction_forward() -> None:
    plain, reported = (Thread(small_engine(policy())) for _ in range(2))
    for thread in (plain, reported):
        for _ in range(3):
            thread.say(100)
    plain.say(100, "assistant")
    reported.say(100, "assistant", usage={"input_tokens": 900, "output_tokens": 100})
    assert LifecycleKind.COMPLETED not in kinds(plain.say(20))
    assert LifecycleKind.COMPLETED in kinds(reported.say(20))


def test_the_anchor_can_be_switched_off() -> None:
    thread = Thread(small_engine(policy(usage_anchor=False)))
    thread.say(100)
    thread.say(100, "assistant", usage={"input_tokens": 10_000})
    assert kinds(thread.say(20)) == []


def test_a_huge_system_prompt_does_not_cause_a_compaction_at_every_turn() -> None:
    thread = Thread(small_engine(policy(scope="growth")))
    thread.say(600, "system")
    compactions = [LifecycleKind.COMPLETED in kinds(thread.say(20, role)) for role in ("user", "assistant") * 30]
    assert 2 <= sum(compactions) <= 15


@pytest.mark.parametrize("role", ["system", "user"])
@pytest.mark.parametrize("words", [820, 845, 870, 885])
def test_what_is_kept_and_nearly_fills_the_limit_does_not_cause_a_compaction_at_every_turn(
    words: int, role: str
) -> None:
    thread = Thread(small_engine(policy()))
    thread.say(words, role, pinned=True)
    compactions = [LifecycleKind.COMPLETED in kinds(thread.say(4, role)) for role in ("user", "assistant") * 40]
    assert 1 <= sum(compactions) <= 8
    assert thread.view.tokens <= 1_000


def test_a_large_message_of_the_moment_cuts_no_system_prompt_that_leaves_room_without_it() -> None:
    thread = Thread(small_engine(policy()))
    thread.say(400, "system")
    for role in ("user", "assistant") * 6:
        thread.say(20, role)
    thread.say(400)
    assert thread.view.live()[0].kind is EntryKind.VERBATIM


@pytest.mark.parametrize("system_words", [300, 600, 800, 900])
def test_below_the_limit_a_compaction_frees_a_tenth_of_it_however_large_the_system_prompt(system_words: int) -> None:
    for scope in ("growth", "total"):
        thread = Thread(small_engine(policy(scope=scope)))
        thread.say(system_words, "system")
        outcomes = [thread.say(8, role) for role in ("user", "assistant") * 60]
        records = [one for outcome in outcomes for one in outcome.emissions if isinstance(one, CompactionRecord)]
        assert records
        assert all(one.before_tokens - one.after_tokens >= 100 or one.before_tokens > 1_000 for one in records)
        assert thread.view.tokens <= 1_000


def test_what_a_provider_counts_too_much_is_said_and_does_not_empty_a_context() -> None:
    thread = Thread(small_engine(policy()))
    thread.say(10)
    thread.say(10, "assistant", usage={"input_tokens": 990, "output_tokens": 10})
    outcomes = [thread.say(20) for _ in range(20)]
    reasons = [one.reason or "" for outcome in outcomes for one in outcome.emissions if isinstance(one, LifecycleEvent)]
    assert any("the provider's own count leaves" in reason for reason in reasons)
    assert any(LifecycleKind.COMPLETED in kinds(outcome) for outcome in outcomes)
    assert 100 <= thread.view.tokens <= 250


def test_a_compaction_in_vain_is_said_once_and_tried_again_only_when_the_context_has_grown() -> None:
    thread = Thread(small_engine(policy()))
    said = [kinds(thread.say(40, pinned=True)) for _ in range(24)]
    noops = [number for number, found in enumerate(said) if LifecycleKind.NOOP in found]
    assert noops
    assert all(later - earlier > 1 for earlier, later in pairwise(noops))
    assert thread.view.tokens <= 1_000


def test_a_checkpoint_asks_first_but_holds_the_limit() -> None:
    thread = Thread(small_engine(policy(strategy="checkpoint")))
    outcomes = [thread.say(60) for _ in range(20)]
    flagged = [number for number, outcome in enumerate(outcomes) if LifecycleKind.FLAGGED in kinds(outcome)]
    completed = [number for number, outcome in enumerate(outcomes) if LifecycleKind.COMPLETED in kinds(outcome)]
    assert flagged[0] < completed[0]
    assert not [one for one in outcomes[flagged[0]].emissions if isinstance(one, CompactionRecord)]
    assert thread.view.tokens <= 1_000


def test_a_thread_keeps_the_strategy_of_the_agent_that_began_it() -> None:
    agents = {"planner": AgentPolicy(strategy="checkpoint")}
    thread = Thread(small_engine(policy(agents=agents)))
    thread.say(10, agent="planner/search")
    flagged = [LifecycleKind.FLAGGED in kinds(thread.say(60, agent="other")) for _ in range(15)]
    assert any(flagged)


def compaction_of(thread: Thread) -> list[Emission]:
    while True:
        before = thread.view.copy() if "t" in thread.partition.threads else ThreadView()
        outcome = thread.say(60)
        if any(isinstance(one, CompactionRecord) for one in outcome.emissions):
            thread.partition.threads["t"] = before
            return list(outcome.emissions)


def test_what_a_given_up_plan_left_behind_is_void_and_goes() -> None:
    """A worker wrote the entries of a compaction and died; its successor has another policy and another plan."""
    thread = Thread(small_engine(policy()))
    died = compaction_of(thread)
    view = thread.view
    left = [one for one in died if isinstance(one, Entry | Departed)]
    assert any(isinstance(one, Entry) and one.compaction for one in left)
    for change in left:
        view.apply(change)

    thread.offset -= 1
    thread.engine = small_engine(policy(strategy="drop"))
    outcome = thread.say(60)

    assert outcome.result == "appended"
    void = {one.id for one in left if isinstance(one, Entry) and one.compaction}
    assert not void & thread.view.entries.keys()
    assert void <= {one.message_id for one in outcome.emissions if isinstance(one, Tombstone)}
    assert thread.view.knows("m0") is True


def test_a_message_that_is_shortened_as_it_comes_is_not_taken_for_known_before_its_head_is_there() -> None:
    thread = Thread(small_engine(policy()))
    thread.say(10)
    before = thread.view.copy()
    outcome = thread.say(3_000)
    (head,) = [one for one in outcome.emissions if isinstance(one, Head)]
    for emission in outcome.emissions:
        if emission is head:
            break
        if isinstance(emission, ContextChange):
            before.apply(emission)
    assert not before.knows("m1")
    before.apply(head)
    assert before.knows("m1")
    assert before.tokens <= 1_000


def test_a_plan_holds_for_one_version_of_a_thread_only() -> None:
    engine = small_engine(policy())
    messages = [Message(role="user", parts=(TextPart(content="word " * 60),)) for _ in range(20)]
    talk, longer = conversation(messages, engine), conversation([*messages, *messages], engine)
    plan = plan_for(talk, engine, budget_of(500, engine, talk.view))
    assert carry_out(talk, plan, engine).tokens <= 500
    with pytest.raises(Conflict, match="plan again"):
        carry_out(longer, plan, engine)


def test_the_same_plan_carried_out_twice_gives_the_same_record() -> None:
    engine = small_engine(policy())
    messages = [Message(role="user", parts=(TextPart(content="word " * 60),)) for _ in range(20)]
    talk = conversation(messages, engine)
    one, other = (carry_out(talk, plan_for(talk, engine, budget_of(500, engine, talk.view)), engine) for _ in range(2))
    assert one.record == other.record
    assert one.view == other.view
    again = plan_for(conversation(one.messages, engine), engine, budget_of(500, engine, one.view))
    assert not again.changes
