"""Laws of a thread under any conversation: what is kept, what goes together, and that the log tells the whole state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st
from support.conversations import AT_PROVIDER, IN_PIECES, Move, Published, Script, laws, moves, play, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.plan.last_resort import STRATEGY as FLOOR
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.server_calls import taken_up_ids
from tailrace.schemas.records.compaction import CompactionRecord, SpanDecision
from tailrace.schemas.records.context import (
    DERIVED_ID_PREFIX,
    RANKS_PER_GROUP,
    ChunkMark,
    Departed,
    Entry,
    EntryKind,
    Head,
    HeldCandidates,
    ReadySummary,
    SpentSummary,
    id_hash,
)
from tailrace.schemas.records.kafka_records import (
    ContextChange,
    Emission,
    OutputRecord,
    Tombstone,
    Topic,
    decode_message,
    encode,
)
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

conversations = (moves() | moves(IN_PIECES) | moves(AT_PROVIDER)).map(play)
#: Groups that producers name, around messages of every kind.
grouped_conversations = moves(
    ("user", "assistant", "answer", "grouped_user", "grouped_system", "grouped_assistant", "grouped_calls")
).map(play)


@dataclass(slots=True)
class Run:
    """One conversation, processed event by event."""

    engine: Engine = field(default_factory=small_engine)
    partition: PartitionView = field(default_factory=PartitionView)
    emissions: list[Emission] = field(default_factory=list)
    records: list[OutputRecord] = field(default_factory=list)

    def process(self, published: Published, offset: int) -> RecordOutcome:
        outcome = process(self.partition, published.at(offset), self.engine)
        self.emissions.extend(outcome.emissions)
        self.records.extend(encode(emission, 1) for emission in outcome.written)
        return outcome

    @property
    def view(self) -> ThreadView:
        """The thread that all moves belong to."""
        return self.partition.threads.get("thread", ThreadView())

    @property
    def said(self) -> list[Entry]:
        """Messages as they were said, in their order; one that was shortened as it came is not among them."""
        return [one for one in self.emissions if isinstance(one, Entry) and one.kind is EntryKind.VERBATIM]

    @property
    def came(self) -> list[Entry]:
        """Messages in the order in which they came; of one that was shortened at once, what stands for it."""
        said = {entry.id for entry in self.said}
        entries = [one for one in self.emissions if isinstance(one, Entry)]
        made = {one.id for one in entries} - said
        return [one for one in entries if one.id in said or (one.sources and one.sources[0] not in said | made)]

    @property
    def limit_tokens(self) -> int:
        window_tokens = self.view.window_tokens or self.engine.policy.default_window_tokens
        return self.engine.policy.limit_tokens(window_tokens, self.view.model)

    def stands_for(self) -> dict[str, Entry]:
        """Live entries by the ids of the messages that they are, or that they replace one for one."""
        replaced = {one.id: one.sources for one in self.emissions if isinstance(one, Entry) and one.sources}
        found: dict[str, Entry] = {}
        for entry in self.view.entries.values():
            key = entry.id
            while key in replaced:
                (key,) = replaced[key]
            found[key] = entry
        return found

    def decided(self) -> dict[str, list[SpanDecision]]:
        """Decisions of all records by the ids that they name."""
        found: dict[str, list[SpanDecision]] = {}
        for record in self.emissions:
            if isinstance(record, CompactionRecord):
                for decision in record.decisions:
                    for key in decision.span.ids:
                        found.setdefault(key, []).append(decision)
        return found

    @property
    def context_bytes(self) -> list[bytes]:
        return [bytes(entry.message) for entry in self.view.live()]


def steps(conversation: Sequence[Published], run: Run | None = None) -> Iterator[tuple[Run, RecordOutcome]]:
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
                entries = [one for one in outcome.emissions if isinstance(one, Entry)]
                own = [one for one in entries if one.kind is EntryKind.VERBATIM]
                assert len(own) == 1 or (not own and kinds.count("CompactionRecord") == 1)
                assert run.view.entries.keys() >= {one.id for one in entries}
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
        for message in run.view.messages():
            called.update(message.call_ids)
            assert called >= set(message.answered_ids)


@laws
@given(conversations | grouped_conversations)
def test_a_group_is_whole_or_gone(conversation: list[Published]) -> None:
    members: dict[int, set[str]] = {}
    for run, outcome in steps(conversation):
        for emission in outcome.emissions:
            if isinstance(emission, Entry) and emission.kind is EntryKind.VERBATIM:
                members.setdefault(emission.rank // RANKS_PER_GROUP, set()).add(emission.id)
        live = run.stands_for().keys()
        for ids in members.values():
            assert ids <= live or not ids & live


@laws
@given(moves() | moves(IN_PIECES) | moves(AT_PROVIDER))
def test_all_pieces_of_a_response_are_one_group(made: list[Move]) -> None:
    script = Script()
    for move in made:
        script.play(move)
    before = {key: ids[:place] for ids in script.responses for place, key in enumerate(ids)}
    groups: dict[str, int] = {}
    standing: set[str] = set()
    for run, outcome in steps(script.written):
        for entry in (one for one in outcome.emissions if isinstance(one, Entry)):
            key = entry.sources[0] if entry.sources else entry.id
            group = groups.setdefault(key, entry.rank // RANKS_PER_GROUP)
            # Pieces may be too much even for an empty context; then the rest finds nothing to join.
            if standing.issuperset(before.get(key, ())):
                assert {groups[one] for one in before.get(key, ())} <= {group}
        standing = set(run.view.entries)


#: Words come with the result of a call that is older than the first user message, and outlast it.
_LATE_WORDS = (
    *(Move("calls"), *(Move("grouped_system"),) * 2, *(Move("user"),) * 7, Move("small_model"), Move("stray_answer")),
    *(Move("response_items"), Move("response_items", pick=1), Move("anthropic_answer_with_words", words=30)),
    *(Move("same_call_again"), *(Move("user"),) * 4),
)


def _says_something(entry: Entry) -> bool:
    parts = msgspec.json.decode(entry.message, type=Message).parts
    return any(part.content.strip() for part in parts if isinstance(part, TextPart))


@laws
@example(play(_LATE_WORDS))
@given(conversations | grouped_conversations)
def test_system_first_user_and_pinned_messages_stay_unless_even_they_are_too_much(
    conversation: list[Published],
) -> None:
    kept: set[str] = set()
    user_seen = False
    run = whole(conversation)
    said = {entry.id for entry in run.said}
    for entry in run.came:
        # A blank message is nobody's first word.
        first_user = kind_of(entry) is GroupKind.USER and not user_seen and _says_something(entry)
        user_seen = user_seen or first_user
        if entry.id in said and (entry.role == "system" or entry.pinned or first_user):
            kept.add(entry.id)
    forced = {key for key, decisions in run.decided().items() if decisions[0].strategy == FLOOR}
    replaced = {one.id: one.sources[0] for one in run.emissions if isinstance(one, Entry) and one.sources}
    forced |= {replaced[key] for key in forced if key in replaced}
    assert kept - run.stands_for().keys() <= forced


def test_late_words_in_the_group_of_the_first_user_message_make_nobody_else_the_first() -> None:
    before = [Move("system"), Move("grouped_user"), Move("grouped_calls", pick=1), *[Move("user")] * 29]
    late = [Move("calls"), Move("calls"), Move("anthropic_answer_with_words"), Move("user"), Move("user", 60)]
    run = whole(play([*before, *late]))

    assert run.decided()
    assert "thread-2" in run.stands_for()


@laws
@given(conversations)
def test_a_context_fits_its_limit_or_the_reason_is_stated(conversation: list[Published]) -> None:
    for run, outcome in steps(conversation):
        if outcome.result != "appended" or run.view.request_tokens <= run.limit_tokens:
            continue
        reasons = [one.reason for one in outcome.emissions if isinstance(one, LifecycleEvent) and one.reason]
        note(f"{run.view.tokens=} {run.limit_tokens=} {reasons=}")
        assert len(run.view.groups) == 1
        # It is said once, and remembered.
        assert run.view.standing.stuck or any("can't be made smaller" in reason for reason in reasons if reason)


@laws
@given(conversations)
def test_record_departed_and_lifecycle_name_the_same_ids(conversation: list[Published]) -> None:
    for _, outcome in steps(conversation):
        records = [one for one in outcome.emissions if isinstance(one, CompactionRecord)]
        if not records:
            assert not [one for one in outcome.emissions if isinstance(one, Tombstone | Departed)]
            continue
        (record,) = records
        ids = [message_id for decision in record.decisions for message_id in decision.span.ids]
        tombstones = {one.message_id for one in outcome.emissions if isinstance(one, Tombstone)}
        assert tombstones <= set(ids)
        said = [message_id for message_id in ids if not message_id.startswith(DERIVED_ID_PREFIX)]
        assert [id_hash(message_id) for message_id in said] == [
            hashed for one in outcome.emissions if isinstance(one, Departed) for hashed in one.id_hashes
        ]
        audited = [
            key
            for one in outcome.emissions
            if isinstance(one, LifecycleEvent) and one.compaction_id == record.id
            for key in one.message_ids
        ]
        assert sorted(audited) == sorted(ids)


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
    assert all(run.view.knows(one.id) for one in run.said)


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
    ranks = []
    for run, outcome in steps(conversation):
        arrived = {one.rank for one in outcome.emissions if isinstance(one, Entry)} - set(ranks)
        ranks += sorted(arrived)
        live = [entry.rank for entry in run.view.entries.values()]
        assert len(live) == len(set(live))
    assert len(ranks) == len(set(ranks))
    highest = -1
    for rank in ranks:
        sequence, member = divmod(rank, RANKS_PER_GROUP)
        # A message may be too much even for an empty context; then it leaves a gap.
        assert sequence > highest if member == 0 else sequence <= highest
        highest = max(highest, sequence)


@laws
@given(conversations)
def test_between_compactions_the_context_only_grows_and_a_late_result_stands_behind_its_call(
    conversation: list[Published],
) -> None:
    before: list[bytes] = []
    epoch = -1
    for run, outcome in steps(conversation):
        after = run.context_bytes
        if run.view.epoch == epoch and outcome.result == "appended":
            (entry,) = [one for one in outcome.emissions if isinstance(one, Entry)]
            place = [one.id for one in run.view.live()].index(entry.id)
            assert after[:place] == before[:place]
            assert after[place + 1 :] == before[place:]
            assert place == len(before) or entry.answers or taken_up_ids(decode_message(entry.message))
        elif run.view.epoch == epoch:
            assert after == before
        before, epoch = after, run.view.epoch


@laws
@given(conversations)
def test_tokens_and_totals_are_the_sums_of_what_was_said(conversation: list[Published]) -> None:
    appended = 0
    for run, outcome in steps(conversation):
        view = run.view
        assert view.tokens == sum(entry.tokens for entry in view.entries.values())
        assert view.tokens == sum(group.tokens for group in view.groups.values())
        appended += outcome.result == "appended"
        assert view.totals.messages == appended
        assert view.totals.tokens >= sum(entry.tokens for entry in run.said)
        assert view.totals.compactions == sum(isinstance(one, CompactionRecord) for one in run.emissions)
        for head in outcome.emissions:
            if isinstance(head, Head):
                assert head.tokens == view.request_tokens
                assert head.totals == view.totals


@laws
@given(conversations)
def test_a_head_gives_the_limit_of_the_model_it_names(conversation: list[Published]) -> None:
    run = whole(conversation)
    for head in run.emissions:
        if isinstance(head, Head):
            assert head.limit_tokens == run.engine.policy.limit_tokens(head.window_tokens, head.model)


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
    before: set[str] = set()
    for run, outcome in steps(conversation):
        new = {entry.id for entry in outcome.emissions if isinstance(entry, Entry) and entry.compaction is None}
        records = [record for record in outcome.emissions if isinstance(record, CompactionRecord)]
        cut = {key for record in records for decision in record.decisions for key in decision.span.ids}
        messages = {key for key in before | new | cut if ":ledger:" not in key}
        for record in records:
            assert record.after_tokens == run.view.request_tokens
            freed_tokens = sum(decision.tokens - decision.after_tokens for decision in record.decisions)
            assert record.before_tokens - record.after_tokens == freed_tokens > 0
            counts_each(record, messages, run.view)
        before = set(run.view.entries)


def counts_each(record: CompactionRecord, messages: set[str], view: ThreadView) -> None:
    """Fail unless the receipt counts every message, as one that is still there or as one that can be had again."""
    made = {entry.id for entry in view.entries.values() if entry.compaction == record.id}
    assert record.receipt.retained == len(messages & view.entries.keys() - made)
    assert record.receipt.retained + record.receipt.recoverable == len(messages)
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
    run = Run(engine=small_engine(policy))
    for _ in steps(conversation, run):
        pass
    assert rebuilt(run.records).threads == run.partition.threads


def test_moves_make_conversations_that_are_compacted_several_times() -> None:
    """Guards the generator: laws about compactions would hold if there were none."""
    run = whole(play([Move(kind, 60, 1) for kind in ("user", "calls", "answer", "assistant") * 8]))
    assert run.view.totals.compactions > 3


def test_context_changes_are_a_closed_set() -> None:
    notes = {ReadySummary, SpentSummary, ChunkMark, HeldCandidates}
    assert set(ContextChange.__args__) == {Head, Entry, Departed, Tombstone} | notes
