"""Laws of triggers under any interleaving of messages, signals, ticks, crashes and changes of hands.

Beside the worker that all of this happens to runs one to which nothing happens; at every point both have the same
state, and a reader of the records has it too. PROPERTY_EXAMPLES=2000 for a thorough run.
"""

import os
from collections.abc import Sequence
from random import Random

from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.conversations import ALL, ORDERLY, THREAD, Move, Published, Script, random_moves, small_engine
from support.signal_moves import NONSENSE, policy_of, random_signal, raw_signal, signal, tick
from support.strategies import patient

from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.reactive import believed_limit
from tailrace.agents.triggers.temporal import CACHE, CALL, CRON, EVERY, FLIGHT, IDLE, Timer, timers_of
from tailrace.agents.view.thread_view import ThreadView
from tailrace.agents.view.trigger_memory import SEEN_MAX, in_flight
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Head
from tailrace.schemas.records.kafka_records import ContextChange, InputRecord, OutputRecord, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.signal import CallStarted, Compact, Overflow

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)
#: These follow from when something was said or done, which only grows.
NEVER_BACK = frozenset({IDLE, EVERY, CRON, CACHE})
BEGIN_MS = 1_700_000_000_000

#: By their seeds: what hypothesis itself draws at random is seldom far from its smallest value.
chances = st.integers(0, 2**32 - 1).map(Random)
kinds = st.sampled_from(ORDERLY) | st.sampled_from(ALL)
moves = st.builds(Move, kind=kinds, words=st.sampled_from((0, 3, 10, 30, 60)), pick=st.integers(0, 7))


def log_compacted(records: Sequence[OutputRecord], chance: Random) -> list[OutputRecord]:
    """Some form that Kafka's log compaction may give to the topic."""
    last = {record.key: index for index, record in enumerate(records)}
    return [record for index, record in enumerate(records) if last[record.key] == index or chance.random() < 0.5]


def read(records: Sequence[OutputRecord]) -> PartitionView:
    partition = PartitionView()
    for record in records:
        partition.apply_record(record.key or b"", record.value, record.headers)
    return partition


class Triggers(RuleBasedStateMachine):
    """One thread, and everything that can happen to it."""

    @initialize(chance=chances)
    def begin(self, chance: Random) -> None:
        policy = policy_of(chance)
        note(f"{policy.triggers} {policy.strategy} {policy.window_tokens}")
        self.engine = small_engine(policy)
        self.script = Script()
        #: The worker that things happen to, and the one that nothing happens to.
        self.partition, self.undisturbed = PartitionView(), PartitionView()
        self.published: list[Published] = []
        self.ticks: list[Published] = []
        #: Records of the contexts topic.
        self.records: list[OutputRecord] = []
        self.ids: set[str] = set()
        #: Ids of signals that counted, oldest first; of ticks all of them.
        self.taken: list[str] = []
        self.taken_ticks: set[str] = set()
        self.now_ms, self.term, self.signals = BEGIN_MS, 1, 0
        self.over_limit_said = False
        self.due: dict[str, int] = {}
        self.play(Move("user", 3), None)

    @property
    def view(self) -> ThreadView:
        return self.partition.threads.get(THREAD, ThreadView())

    @property
    def limit_tokens(self) -> int:
        view, policy = self.view, self.engine.policy
        return believed_limit(policy, view.standing, view.model, view.window_tokens or policy.default_window_tokens)

    def timers(self) -> list[Timer]:
        return list(timers_of(self.view, self.engine.policy.triggers))

    def publish(self, published: Published, *, written: int | None = None) -> RecordOutcome:
        """Process a record. With `written` its worker dies after so many records, and the next one goes on."""
        self.now_ms += 1
        offset = len(self.published)
        self.published.append(published)
        record = InputRecord(
            topic="conversations",
            partition=0,
            offset=offset,
            timestamp_ms=self.now_ms,
            key=published.key,
            value=published.value,
            headers=published.headers,
        )
        before = self.view.standing
        outcome = process(self.undisturbed, record, self.engine)
        if written is not None:
            self.write(process(self.partition, record, self.engine), written)
            self.change_hands()
        self.write(process(self.partition, record, self.engine), None)
        self.check(outcome, record, was_stuck=before.stuck)
        return outcome

    def write(self, outcome: RecordOutcome, count: int | None) -> None:
        """Write so many of the records of an outcome: what describes comes first, then the context."""
        records = [encode(one, self.term) for one in outcome.written]
        records.sort(key=lambda record: record.topic is Topic.CONTEXTS)
        self.records += [record for record in records[:count] if record.topic is Topic.CONTEXTS]

    def change_hands(self, chance: Random | None = None) -> None:
        """Another worker takes over from what is written, and sweeps up."""
        self.partition = read(self.records if chance is None else log_compacted(self.records, chance))
        self.term += 1
        for tombstone in self.partition.unswept():
            self.records.append(encode(tombstone, self.term))
            self.partition.apply(tombstone)

    @rule(chance=chances, count=st.integers(1, 8))
    def talk(self, chance: Random, count: int) -> None:
        """Several messages in a row, because a law about compactions says nothing about five messages."""
        for move in random_moves(chance, count):
            self.play(move, None)

    @rule(chance=chances, count=st.integers(4, 12))
    def talk_for_long(self, chance: Random, count: int) -> None:
        self.talk(chance, count)

    @rule(move=moves)
    def say(self, move: Move) -> None:
        self.play(move, None)

    @rule(move=moves, written=st.integers(0, 9))
    def say_to_a_worker_that_dies(self, move: Move, written: int) -> None:
        self.play(move, written)

    def play(self, move: Move, written: int | None) -> None:
        before = len(self.script.written)
        self.script.play(move)
        for published in self.script.written[before:]:
            self.publish(published, written=written)

    def next_id(self) -> str:
        self.signals += 1
        return f"s{self.signals}"

    @rule(chance=chances, written=st.none() | st.integers(0, 9))
    def send_signal(self, chance: Random, written: int | None) -> None:
        what = random_signal(chance)
        if isinstance(what, Overflow) and self.view.tokens <= 400:
            return  # no provider refuses that, and windows that small leave nothing to look at
        self.publish(signal(what, self.next_id()), written=written)

    @rule(chance=chances, count=st.integers(2, 6))
    def send_signals_between_messages(self, chance: Random, count: int) -> None:
        for _ in range(count):
            self.send_signal(chance, None)
            self.talk(chance, chance.randrange(4))

    @rule(chance=chances, words=st.sampled_from((30, 60)), later_ms=st.sampled_from((1, 300)))
    def talk_while_a_call_is_stuck(self, chance: Random, words: int, later_ms: int) -> None:
        """Nobody hears of the call again: neither its end nor the tick of its deadline comes."""
        self.publish(signal(CallStarted(call="silent", timeout_ms=1_000), self.next_id()))
        for _ in range(chance.randrange(3, 15)):
            self.play(Move("user", words), None)
            self.now_ms += later_ms
        self.now_ms += 1_000
        self.play(Move("user", words), None)

    @rule(calls=st.integers(1, 3), answers=st.integers(0, 2), written=st.none() | st.integers(0, 9))
    def use_the_id_of_a_call_again(self, calls: int, answers: int, written: int | None) -> None:
        for kind in ["same_call_again"] * calls + ["answer_same_call"] * answers:
            self.play(Move(kind, 3), written)

    @rule(words=st.integers(20, 60), pick=st.integers(0, 2))
    def leave_tools_unanswered(self, words: int, pick: int) -> None:
        """Until the context is full; then every deadline passes."""
        self.play(Move("calls", 3, pick), None)
        epoch = self.view.epoch
        for _ in range(40):
            full = self.view.tokens + words * 3 > self.limit_tokens
            if full or self.view.epoch != epoch:
                break
            self.play(Move("user", words), None)
        for timer in [timer for timer in self.timers() if timer.name.startswith(CALL)]:
            self.now_ms = max(self.now_ms, timer.due_ms)
            if timer in self.timers():
                self.publish(tick(timer))

    @rule(what=st.none() | st.sampled_from(NONSENSE))
    def ask_for_what_is_refused(self, what: object) -> None:
        theirs = signal(Compact(target_tokens=1), self.next_id(), tenant="a third party")
        outcome = self.publish(raw_signal(what, self.next_id()) if what is not None else theirs)
        assert outcome.result == "refused"

    @rule(pick=st.integers(0, 99))
    def send_again(self, pick: int) -> None:
        if self.published:
            self.publish(self.published[-1 - pick % len(self.published)])

    @rule(later_ms=st.sampled_from((1, 100, 1_000, 70_000)))
    def wait(self, later_ms: int) -> None:
        self.now_ms += later_ms

    @rule(pick=st.integers(0, 9), late_ms=st.sampled_from((0, 1, 5_000)), written=st.none() | st.integers(0, 9))
    def tick_when_due(self, pick: int, late_ms: int, written: int | None) -> None:
        timers = self.timers()
        if not timers:
            return
        timer = sorted(timers, key=lambda one: (one.due_ms, one.name))[pick % len(timers)]
        self.now_ms = max(self.now_ms, timer.due_ms + late_ms)
        self.ticks.append(tick(timer))
        outcome = self.publish(tick(timer), written=written)
        assert outcome.result == "noted", "a timer that is due was refused"
        assert timer not in self.timers(), "a timer went off and is still there"

    @rule(pick=st.integers(0, 9))
    def tick_too_early(self, pick: int) -> None:
        timers = [timer for timer in self.timers() if timer.due_ms > self.now_ms + 1]
        if timers:
            assert self.publish(tick(timers[pick % len(timers)])).result == "refused"

    @rule(pick=st.integers(0, 99), moved_ms=st.sampled_from((0, -1, 1)))
    def tick_for_nothing(self, pick: int, moved_ms: int) -> None:
        """A tick that came before, or one of a moment that the thread has no timer for."""
        if not moved_ms and self.ticks:
            again = self.ticks[pick % len(self.ticks)]
            assert self.publish(again).result == "overtaken"
        elif moved_ms and self.timers():
            timer = self.timers()[pick % len(self.timers())]
            moved = Timer(timer.name, timer.due_ms + moved_ms)
            if moved not in self.timers():
                assert self.publish(tick(moved)).result in {"overtaken", "refused"}

    @rule(chance=chances)
    def rebalance(self, chance: Random) -> None:
        self.change_hands(chance)

    @rule()
    def outlive_a_stuck_call(self) -> None:
        """A call that nobody ends holds a command back until its deadline, and not a moment longer."""
        self.publish(signal(CallStarted(call="stuck"), self.next_id()))
        asked = self.publish(signal(Compact(target_tokens=1), self.next_id()))
        assert not [one for one in asked.emissions if isinstance(one, CompactionRecord)]
        (timer,) = [one for one in self.timers() if one.name == FLIGHT]
        assert timer.due_ms <= self.now_ms + self.engine.policy.triggers.call_ms_max
        self.now_ms = timer.due_ms
        freed = self.publish(tick(timer))
        kinds = {one.kind for one in freed.emissions if isinstance(one, LifecycleEvent)}
        assert kinds & {LifecycleKind.COMPLETED, LifecycleKind.NOOP}, "what was asked for was forgotten"

    @precondition(lambda self: self.view.tokens > 400)
    @rule()
    def overflow_twice(self) -> None:
        """A provider that refuses again is not answered by a second compaction."""
        self.publish(signal(Overflow(), self.next_id()))
        assert self.publish(signal(Overflow(), self.next_id())).result == "refused"

    def check(self, outcome: RecordOutcome, record: InputRecord, *, was_stuck: bool) -> None:
        """Hold one event to the laws."""
        changes = [one for one in outcome.emissions if isinstance(one, ContextChange)]
        audit = [one for one in outcome.emissions if isinstance(one, LifecycleEvent)]
        compactions = [one for one in outcome.emissions if isinstance(one, CompactionRecord)]
        if outcome.result == "overtaken":
            assert not outcome.emissions, "who is late is not heard"
        if outcome.result == "refused":
            self.only_refuses(changes, audit)
        for written in [*audit, *compactions]:
            assert written.id not in self.ids, "the same id was written for two things"
            self.ids.add(written.id)
            assert written.at_ms == record.timestamp_ms
        assert all(one.after_tokens < one.before_tokens and one.rule and one.condition for one in compactions)
        stuck = [event for event in audit if event.kind is LifecycleKind.FAILED and event.compaction_id]
        assert not (stuck and was_stuck), "that a thread can't be made to fit is said once"
        if outcome.result == "noted":
            self.counts_once(dict(record.headers)["ce_id"])
        self.fits(audit, outcome)
        self.time_goes_on()

    def only_refuses(self, changes: Sequence[ContextChange], audit: Sequence[LifecycleEvent]) -> None:
        """What is refused leaves a line in the audit, and that the log was read so far."""
        assert len(changes) <= 1
        assert all(isinstance(change, Head) and change.tokens == self.view.request_tokens for change in changes)
        assert [event.kind for event in audit] == [LifecycleKind.REFUSED]
        assert audit[0].reason

    def counts_once(self, name: bytes | None) -> None:
        signal_id = (name or b"").decode()
        if signal_id.startswith("tick:"):
            assert signal_id not in self.taken_ticks, "a tick counted twice"
            self.taken_ticks.add(signal_id)
        else:
            assert signal_id not in self.taken[-SEEN_MAX:], "a signal counted twice"
            self.taken.append(signal_id)

    def fits(self, audit: Sequence[LifecycleEvent], outcome: RecordOutcome) -> None:
        view, limit_tokens = self.view, self.limit_tokens
        if view.request_tokens <= limit_tokens:
            self.over_limit_said = False
            return
        if any(one.reason and one.kind is not LifecycleKind.REFUSED for one in audit):
            self.over_limit_said = True
        unheard = outcome.result not in {"appended", "noted"}
        waits = in_flight(view.standing, self.now_ms) is not None
        assert waits or unheard or self.over_limit_said, (
            f"{view.tokens} tokens, {limit_tokens} allowed, nobody said why"
        )

    def time_goes_on(self) -> None:
        for timer in self.timers():
            if timer.name in NEVER_BACK:
                assert timer.due_ms >= self.due.get(timer.name, 0), f"{timer.name} went back"
                self.due[timer.name] = timer.due_ms
            if timer.name.startswith(CALL) or timer.name == FLIGHT:
                assert timer.due_ms > BEGIN_MS

    @invariant()
    def everybody_sees_the_same(self) -> None:
        assert self.partition.threads == self.undisturbed.threads, "what happened to the worker shows in its state"
        assert read(self.records).threads == self.partition.threads, "the records tell another state"

    @invariant()
    def every_provider_takes_the_context(self) -> None:
        messages = self.view.messages()
        for message_format in FORMATS:
            found = violations(request_of(messages, message_format), message_format)
            assert [one for one in found if one.rule != "nothing_to_send"] == []


Triggers.TestCase.settings = settings(
    patient,
    max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "30")),
    stateful_step_count=int(os.environ.get("PROPERTY_STEPS", "40")),
    print_blob=True,
)
test_triggers = Triggers.TestCase
