"""Laws of chunks and of accepted summaries, in conversations and answers of any kind."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.conversations import Move, moves, play, small_engine
from support.strategies import patient
from support.work_requests import harbour

from tailrace.agents.engine.chunks import Chunk, ChunkSizes, closed_chunk, summary_request
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.summary.model.span_text import plain, span_text
from tailrace.agents.summary.verify.acceptance import Accepted, Demands, accept, parse
from tailrace.agents.summary.verify.span_ledger import span_ledger
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import ContextChange
from tailrace.schemas.records.summary import Quotation, StructuredSummary, SummaryClaim

SIZES = ChunkSizes(tokens_min=60, tokens_max=160)
ROOMY = small_engine(Policy(window_tokens=1_000_000))


def chunks_of(script: list[Move]) -> tuple[list[Chunk], list[PartitionView]]:
    """Chunks of a conversation that is looked at after each event, by a worker that dies after each, too."""
    partition, successor = PartitionView(), PartitionView()
    found: list[Chunk] = []
    first_group = 0
    for offset, published in enumerate(play(script)):
        outcome = process(partition, published.at(offset), ROOMY)
        for change in outcome.emissions:
            if isinstance(change, ContextChange):
                successor.apply(change)
        view = partition.threads.get("thread")
        while view is not None and (chunk := closed_chunk(view, first_group, SIZES)):
            assert closed_chunk(successor.threads["thread"], first_group, SIZES) == chunk
            found.append(chunk)
            first_group = chunk.next_group
    return found, [partition, successor]


@patient
@given(moves())
def test_chunks_follow_each_other_are_whole_and_the_same_for_whoever_takes_over(script: list[Move]) -> None:
    chunks, _ = chunks_of(script)
    seen: set[str] = set()
    last_rank = -1
    for chunk in chunks:
        ids = chunk.span.ids
        assert ids
        assert not seen & set(ids)
        seen |= set(ids)
        assert chunk.entries[0].rank > last_rank
        last_rank = chunk.entries[-1].rank
        assert chunk.tokens >= SIZES.tokens_min
        assert chunk.tokens == sum(entry.tokens for entry in chunk.entries)
        made = [call_id for entry in chunk.entries for call_id in entry.calls]
        answered = [call_id for entry in chunk.entries for call_id in entry.answers]
        assert set(made) == set(answered)
        request = summary_request(chunk, offset=1, policy_version="p", sizes=SIZES)
        assert request.tokens_max < request.tokens
        assert msgspec.json.decode(msgspec.json.encode(request), type=type(request)) == request


@patient
@given(moves(), st.integers(0, 40))
def test_chunks_of_a_beginning_are_the_beginning_of_the_chunks(script: list[Move], length: int) -> None:
    whole, _ = chunks_of(script)
    part, _ = chunks_of(script[:length])
    assert [chunk.span.ids for chunk in part] == [chunk.span.ids for chunk in whole][: len(part)]


SPAN = harbour()
IDS = [one.id for one in SPAN]
EVENTS = span_text(SPAN).events
WORDS = sorted({word for one in EVENTS for word in one.whole.split()})
RULES = ("must", "never", "always", "do not", "The user wants", "from now on", "approved", "ignore", "immer", "必ず")
DEMANDS = Demands(source_tokens=3_000, tokens_max=700)

#: Text made of the span's own words, in any order, with words that make rules: the hardest kind to tell from the truth.
texts = st.lists(st.sampled_from(WORDS) | st.sampled_from(RULES), min_size=1, max_size=8).map(" ".join)
pieces = st.sampled_from(EVENTS).flatmap(
    lambda event: st.tuples(st.integers(0, len(event.whole)), st.integers(1, 60)).map(
        lambda cut: event.whole[cut[0] : cut[0] + cut[1]]
    )
)
ids = st.sampled_from([*IDS, "e9"])
facts = st.lists(
    st.builds(SummaryClaim, text=texts | pieces, events=st.lists(ids, max_size=2).map(tuple))
    | st.just(SummaryClaim(text="Gauge 89 failed because the volume /mnt/tides is full", events=("found",))),
    max_size=3,
).map(tuple)
#: Any piece of what anybody said, under the name of any event, or nothing that was said.
quotation = st.builds(
    Quotation, event=ids, quote=texts | pieces, speaker=st.sampled_from(("", "user", "system", "assistant"))
)
quotations = st.lists(quotation, max_size=3).map(tuple)
summaries = st.builds(
    StructuredSummary,
    current_task=st.none() | quotation,
    constraints=quotations,
    decisions=quotations,
    open_items=quotations,
    current_plan=quotations,
    tool_outcomes=facts,
    artifacts=facts,
    facts=facts,
    narrative=facts,
)
ROLES = {one.id: one.message.role for one in SPAN}
SPOKEN = {one.id: one.spoken for one in EVENTS}


@patient
@given(summaries)
def test_all_that_must_be_right_is_said_in_its_event_by_whom_it_names_and_accepted_again(
    summary: StructuredSummary,
) -> None:
    judged = accept(summary, SPAN, DEMANDS, lambda text: len(text) // 4)
    if not isinstance(judged, Accepted):
        return
    kept = judged.summary
    task = (kept.current_task,) if kept.current_task else ()
    for one in (*task, *kept.constraints, *kept.decisions, *kept.open_items, *kept.current_plan):
        assert plain(one.quote) in SPOKEN[one.event]
        assert one.speaker == ROLES[one.event]
    assert all(one.speaker in ("user", "system") for one in kept.constraints)
    ours = span_ledger(SPAN, DEMANDS.tokens_max).items
    assert (kept.tool_outcomes, kept.artifacts) == (ours.tool_outcomes, ours.artifacts)
    assert all(set(one.events) <= set(IDS) and one.events for one in (*kept.facts, *kept.narrative))
    again = accept(kept, SPAN, DEMANDS, lambda text: len(text) // 4)
    assert isinstance(again, Accepted)
    assert (again.summary, again.text) == (kept, judged.text)


@given(st.text() | st.text('{}[]",:\\ abefactsxtn0'))
def test_no_answer_of_a_model_raises(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, StructuredSummary):
        accept(parsed, SPAN, DEMANDS, len)
