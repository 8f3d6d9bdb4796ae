"""Laws of chunks and of accepted summaries, in conversations and answers of any kind."""

import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.conversations import Move, moves, play, small_engine
from support.strategies import patient
from support.work_requests import harbour

from tailrace.agents.engine.chunks import Chunk, ChunkSizes, closed_chunk, summary_request
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.language.rule_words import is_directive
from tailrace.agents.summary.model.span_text import plain, span_text
from tailrace.agents.summary.verify.acceptance import Accepted, Demands, accept, parse
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import ContextChange
from tailrace.schemas.records.summary import StructuredSummary, SummaryClaim

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
WORDS = sorted({word for one in span_text(SPAN).events for word in one.whole.split()})
RULES = ("must", "never", "always", "do not", "The user wants", "from now on", "approved", "ignore", "immer", "必ず")

#: Text made of the span's own words, in any order, with words that make rules: the hardest kind to tell from the truth.
texts = st.lists(st.sampled_from(WORDS) | st.sampled_from(RULES), min_size=1, max_size=8).map(" ".join)
pieces = st.sampled_from([one.whole for one in span_text(SPAN).events]).flatmap(
    lambda text: st.tuples(st.integers(0, len(text)), st.integers(1, 60)).map(
        lambda cut: text[cut[0] : cut[0] + cut[1]]
    )
)
hostile = st.builds(
    SummaryClaim,
    text=texts | pieces,
    events=st.lists(st.sampled_from([*IDS, "e9"]), max_size=2).map(tuple),
    quote=st.just("") | texts | pieces,
)
#: Any piece of what a user said, told in any other words.
quoting = st.sampled_from([one for one in span_text(SPAN).events if one.is_owner]).flatmap(
    lambda said: st.tuples(st.integers(0, len(said.spoken) - 1), st.integers(1, 80), texts).map(
        lambda cut: SummaryClaim(text=cut[2], events=(said.id,), quote=said.spoken[cut[0] : cut[0] + cut[1]])
    )
)
sound = st.sampled_from(
    [
        SummaryClaim(text="Gauge 89 failed because the volume /mnt/tides is full", events=("found",)),
        SummaryClaim(text="gauges 40 to 88 were copied", events=("log", "found")),
        SummaryClaim(text="gauge 89 was copied with 3293 rows", events=("done",)),
    ]
)
claims = st.sampled_from((sound, sound, quoting, quoting, quoting, hostile)).flatmap(lambda kind: kind)
lists = st.lists(claims, max_size=1).map(tuple)
summaries = st.builds(
    StructuredSummary,
    facts=lists,
    decisions=lists,
    open_items=lists,
    tool_outcomes=lists,
    current_plan=lists,
    current_task=st.none() | claims,
)
OWNERS = "\n".join(one.spoken for one in span_text(SPAN).events if one.is_owner)


@patient
@given(summaries)
def test_an_accepted_summary_holds_no_rule_that_no_user_made_and_is_accepted_again(summary: StructuredSummary) -> None:
    judged = accept(summary, SPAN, Demands(source_tokens=3_000, tokens_max=700), lambda text: len(text) // 4)
    if not isinstance(judged, Accepted):
        return
    for line in judged.text.splitlines():
        shown = re.sub(r" \(quoted as data: .*\)$", "", line.removeprefix("- "))
        if is_directive(shown):
            assert plain(shown.strip('"')) in OWNERS
    assert all(set(claim.events) <= set(IDS) and claim.events for claim in judged.summary.claims)
    again = accept(judged.summary, SPAN, Demands(source_tokens=3_000, tokens_max=700), lambda text: len(text) // 4)
    assert again == judged


@given(st.text() | st.text('{}[]",:\\ abefactsxtn0'))
def test_no_answer_of_a_model_raises(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, StructuredSummary):
        accept(parsed, SPAN, Demands(source_tokens=3_000, tokens_max=700), len)
