"""Laws of a thread under any conversation: what is kept, what goes together, and that the log tells the whole state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from conversations import Move, Published, laws, moves, play, rules
from hypothesis import given, note
from hypothesis import strategies as st

from tailrace.agents.budget_trigger import marks
from tailrace.agents.groups import GroupKind
from tailrace.agents.partition import Outcome, PartitionView, Rules, process
from tailrace.agents.tokens import REPLY_PRIMING_TOKENS
from tailrace.agents.view import ThreadView, id_hash
from tailrace.schemas.compaction import CompactionRecord
from tailrace.schemas.context import RANKS_PER_GROUP, Departed, Entry, Head
from tailrace.schemas.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import ContextChange, Emission, OutputRecord, Tombstone, Topic, encode

conversations = moves().map(play)
#: Groups that producers name, around messages of every kind.
grouped_conversations = moves(
    ("user", "assistant", "answer", "grouped_user", "grouped_system", "grouped_assistant", "grouped_calls")
).map(play)


@dataclass(slots=True)
class Run:
    """One conversation, processed event by event."""

    rules: Rules = field(default_factory=rules)
    partition: PartitionView = field(default_factory=PartitionView)
    emissions: list[Emission] = field(default_factory=list)
    records: list[OutputRecord] = field(default_factory=list)

    def process(self, published: Published, offset: int) -> Outcome:
        outcome = process(self.partition, published.at(offset), self.rules)
        self.emissions.extend(outcome.emissions)
        self.records.extend(encode(emission, 1) for emission in outcome.emissions)
        return outcome

    @property
    def view(self) -> ThreadView:
        """The thread that all moves belong to."""
        return self.partition.threads.get("thread", ThreadView())

    @property
    def context_bytes(self) -> list[bytes]:
        return [bytes(entry.message) for entry in self.view.live()]


def steps(conversation: Sequence[Published], run: Run | None = None) -> Iterator[tuple[Run, Outcome]]:
    """Yield the run and the outcome after each event."""
    run = run or Run()
    for offset, published in enumerate(conversation):
        yield run, run.process(published, offset)


def whole(conversation: Sequence[Published]) -> Run:
    run = Run()
    for _ in steps(conversation, run):
        pass
    return run


def rebuilt(records: Sequence[OutputRecord]) -> PartitionView:
    """The state that a reader of these records has."""
    partition = PartitionView()
    for record in records:
        if record.topic is Topic.CONTEXTS and record.key is not None:
            partition.apply_record(record.key, record.value, record.headers)
    return partition


@laws
@given(conversations)
def test_the_state_is_what_a_reader_rebuilds_from_the_records(conversation: list[Published]) -> None:
    reader, read = PartitionView(), 0
    for run, _ in steps(conversation):
        for record in run.records[read:]:
            if record.topic is Topic.CONTEXTS and record.key is not None:
                reader.apply_record(record.key, record.value, record.headers)
        read = len(run.records)
        assert reader.threads == run.partition.threads


@laws
@given(conversations)
def test_the_same_input_gives_the_same_bytes(conversation: list[Published]) -> None:
    assert whole(conversation).records == whole(conversation).records


@laws
@given(conversations)
def test_every_event_is_appended_known_or_a_dead_letter(conversation: list[Published]) -> None:
    for run, outcome in steps(conversation):
        kinds = [type(emission).__name__ for emission in outcome.emissions]
        match outcome.result:
            case "appended":
                assert kinds.count("Entry") == 1
                assert run.view.entries.keys() >= {one.id for one in outcome.emissions if isinstance(one, Entry)}
            case "duplicate":
                assert kinds == ["Head"]
            case "dead_letter":
                assert kinds[0] == "DeadLetter"
                assert kinds[1:] in ([], ["Head"])
            case _:
                pytest.fail(f"an event is {outcome.result} though nothing was replayed")


@laws
@given(conversations, st.data())
def test_an_event_that_is_replayed_changes_nothing(conversation: list[Published], data: st.DataObject) -> None:
    """Replays begin anywhere and go up to the end, as after a crash without a commit."""
    run = whole(conversation)
    before, records = rebuilt(run.records), list(run.records)
    start = data.draw(st.integers(0, len(conversation)))
    for offset in range(start, len(conversation)):
        run.process(conversation[offset], offset)
    again = run.records[len(records) :]
    assert {record.topic for record in again} <= {Topic.DLQ}
    assert {(record.key, record.value, record.headers) for record in again} <= {
        (record.key, record.value, record.headers) for record in records
    }
    assert run.partition.threads == before.threads


@laws
@given(conversations)
def test_no_tool_result_stands_without_its_call_before_it(conversation: list[Published]) -> None:
    for run, _ in steps(conversation):
        called: set[str] = set()
        for entry in run.view.live():
            called.update(entry.calls)
            assert called >= set(entry.answers)


@laws
@given(conversations | grouped_conversations)
def test_a_group_is_whole_or_gone(conversation: list[Published]) -> None:
    members: dict[int, set[str]] = {}
    for run, outcome in steps(conversation):
        for emission in outcome.emissions:
            if isinstance(emission, Entry):
                members.setdefault(emission.rank // RANKS_PER_GROUP, set()).add(emission.id)
        live = run.view.entries.keys()
        for ids in members.values():
            assert ids <= live or not ids & live


@laws
@given(conversations | grouped_conversations)
def test_system_first_user_and_pinned_messages_stay_for_ever(conversation: list[Published]) -> None:
    kept: set[str] = set()
    user_seen = False
    for run, outcome in steps(conversation):
        for entry in outcome.emissions:
            if not isinstance(entry, Entry):
                continue
            first_user = entry.role == "user" and not entry.answers and not user_seen
            user_seen = user_seen or first_user
            if entry.role == "system" or entry.pinned or first_user:
                kept.add(entry.id)
        assert kept <= run.view.entries.keys()


@laws
@given(conversations)
def test_a_context_over_the_upper_mark_has_a_reason_in_the_lifecycle(conversation: list[Published]) -> None:
    explained = False
    for run, outcome in steps(conversation):
        kinds = {one.kind for one in outcome.emissions if isinstance(one, LifecycleEvent) and one.reason}
        limits = marks(run.rules.policy, run.view.window_tokens or run.rules.policy.default_window_tokens)
        over = run.view.tokens + REPLY_PRIMING_TOKENS > limits.upper_tokens
        explained = over and (explained or bool(kinds & {LifecycleKind.NOOP, LifecycleKind.FAILED}))
        note(f"{run.view.tokens=} {limits=} {kinds=}")
        assert explained or not over


@laws
@given(conversations)
def test_a_context_over_its_limit_has_nothing_left_to_drop(conversation: list[Published]) -> None:
    for run, outcome in steps(conversation):
        if outcome.result != "appended":
            continue
        limits = marks(run.rules.policy, run.view.window_tokens or run.rules.policy.default_window_tokens)
        if run.view.tokens + REPLY_PRIMING_TOKENS <= limits.limit_tokens:
            continue
        groups = sorted(run.view.groups.values(), key=lambda group: group.sequence)
        users = [group.sequence for group in groups if group.kind is GroupKind.USER]
        arrived = next(one.rank // RANKS_PER_GROUP for one in outcome.emissions if isinstance(one, Entry))
        stays = {*users[:1], *users[-1:], arrived, groups[-1].sequence}
        for group in groups:
            always = group.pinned or group.open_calls or group.kind is GroupKind.SYSTEM
            assert always or group.sequence in stays


@laws
@given(conversations)
def test_record_tombstones_departed_and_lifecycle_name_the_same_ids(conversation: list[Published]) -> None:
    for _, outcome in steps(conversation):
        records = [one for one in outcome.emissions if isinstance(one, CompactionRecord)]
        if not records:
            assert not [one for one in outcome.emissions if isinstance(one, Tombstone | Departed)]
            continue
        (record,) = records
        ids = [message_id for decision in record.decisions for message_id in decision.span.ids]
        assert ids == [one.message_id for one in outcome.emissions if isinstance(one, Tombstone)]
        assert [id_hash(message_id) for message_id in ids] == [
            hashed for one in outcome.emissions if isinstance(one, Departed) for hashed in one.id_hashes
        ]
        dropped = [
            one
            for one in outcome.emissions
            if isinstance(one, LifecycleEvent) and one.kind is LifecycleKind.DROPPED and one.compaction_id == record.id
        ]
        assert [list(one.message_ids) for one in dropped] == [ids]


@laws
@given(conversations)
def test_an_id_leaves_the_context_in_one_record_only(conversation: list[Published]) -> None:
    run = whole(conversation)
    ids = [
        message_id
        for record in run.emissions
        if isinstance(record, CompactionRecord)
        for decision in record.decisions
        for message_id in decision.span.ids
    ]
    assert len(ids) == len(set(ids))
    assert not set(ids) & run.view.entries.keys()


@laws
@given(conversations)
def test_a_message_that_has_left_is_still_recognised(conversation: list[Published]) -> None:
    run = whole(conversation)
    assert all(run.view.knows(one.id) for one in run.emissions if isinstance(one, Entry))


@laws
@given(conversations)
def test_ids_of_records_and_lifecycle_events_are_unique(conversation: list[Published]) -> None:
    run = whole(conversation)
    ids = [one.id for one in run.emissions if isinstance(one, CompactionRecord | LifecycleEvent)]
    assert len(ids) == len(set(ids))


@laws
@given(conversations)
def test_ranks_are_unique_and_grow_in_the_order_of_arrival_but_for_members_of_a_group(
    conversation: list[Published],
) -> None:
    run = whole(conversation)
    entries = [one for one in run.emissions if isinstance(one, Entry)]
    ranks = [entry.rank for entry in entries]
    assert len(ranks) == len(set(ranks))
    highest = -1
    for rank in ranks:
        sequence, member = divmod(rank, RANKS_PER_GROUP)
        assert sequence == highest + 1 if member == 0 else sequence <= highest
        highest = max(highest, sequence)


@laws
@given(conversations)
def test_between_compactions_the_context_only_grows_and_a_late_result_stands_behind_its_call(
    conversation: list[Published],
) -> None:
    before: list[bytes] = []
    compactions = 0
    for run, outcome in steps(conversation):
        after = run.context_bytes
        if run.view.totals.compactions == compactions and outcome.result == "appended":
            (entry,) = [one for one in outcome.emissions if isinstance(one, Entry)]
            place = [one.id for one in run.view.live()].index(entry.id)
            assert after[:place] == before[:place]
            assert after[place + 1 :] == before[place:]
            assert place == len(before) or entry.answers
        elif run.view.totals.compactions == compactions:
            assert after == before
        before, compactions = after, run.view.totals.compactions


@laws
@given(conversations)
def test_tokens_and_totals_are_the_sums_of_what_was_said(conversation: list[Published]) -> None:
    for run, outcome in steps(conversation):
        view, entries = run.view, [one for one in run.emissions if isinstance(one, Entry)]
        assert view.tokens == sum(entry.tokens for entry in view.entries.values())
        assert view.tokens == sum(group.tokens for group in view.groups.values())
        assert view.totals.messages == len(entries)
        assert view.totals.tokens == sum(entry.tokens for entry in entries)
        assert view.totals.compactions == sum(isinstance(one, CompactionRecord) for one in run.emissions)
        for head in outcome.emissions:
            if isinstance(head, Head):
                assert head.tokens == view.tokens + REPLY_PRIMING_TOKENS
                assert head.totals == view.totals


@laws
@given(conversations)
def test_a_head_gives_the_limit_of_the_model_it_names(conversation: list[Published]) -> None:
    run = whole(conversation)
    for head in run.emissions:
        if isinstance(head, Head):
            assert head.limit_tokens == run.rules.policy.limit_tokens(head.window_tokens)


@laws
@given(conversations)
def test_what_a_thread_covers_never_goes_back(conversation: list[Published]) -> None:
    covered = -1
    for offset, (run, _) in enumerate(steps(conversation)):
        covers = run.view.covers
        if covers is not None:
            assert covered <= covers.offset <= offset
            covered = covers.offset


@laws
@given(conversations)
def test_a_compaction_makes_the_context_smaller_and_says_by_how_much(conversation: list[Published]) -> None:
    for run, outcome in steps(conversation):
        for record in outcome.emissions:
            if isinstance(record, CompactionRecord):
                assert record.after_tokens < record.before_tokens
                assert record.before_tokens - record.after_tokens == sum(one.tokens for one in record.decisions)
                assert record.after_tokens == run.view.tokens + REPLY_PRIMING_TOKENS
                assert record.receipt.retained == len(run.view.entries)
                assert record.receipt.lost == 0


@laws
@given(conversations, st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_any_policy_keeps_the_laws_of_the_log(conversation: list[Published], one: float, other: float) -> None:
    lower, upper = sorted((one, other))
    policy = Policy(
        default_window_tokens=300,
        output_reserve_tokens=0,
        safety_tokens=0,
        lower_fraction=lower,
        upper_fraction=upper + 0.05,
    )
    run = Run(rules=rules(policy))
    for _ in steps(conversation, run):
        pass
    assert rebuilt(run.records).threads == run.partition.threads


def test_moves_make_conversations_that_are_compacted_several_times() -> None:
    """Guards the generator: laws about compactions would hold if there were none."""
    run = whole(play([Move(kind, 60, 1) for kind in ("user", "calls", "answer", "assistant") * 8]))
    assert run.view.totals.compactions > 3


def test_context_changes_are_a_closed_set() -> None:
    assert set(ContextChange.__args__) == {Head, Entry, Departed, Tombstone}
