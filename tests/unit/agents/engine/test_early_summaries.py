"""Summaries ahead of need: asked for when a chunk closes, judged when they come back, used at the next compaction."""

import json
from dataclasses import replace

import msgspec
import pytest
from support.chunk_thread import SAID, Talk, chunky, policy, summary_of, summary_of_request
from support.conversations import Published, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.tools import Chunks, Distill
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import ReadySummary, SpentSummary
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.summary import SummaryClaim
from tailrace.schemas.records.work import WorkKind


def test_a_chunk_that_closes_is_asked_for_once_and_by_a_name_of_its_own() -> None:
    talk = Talk(chunky())
    talk.turns(12)

    assert len(talk.requests) >= 2
    assert len({request.id for request in talk.requests}) == len(talk.requests)
    spans = [message_id for request in talk.requests for message_id in request.span.ids]
    assert len(set(spans)) == len(spans)


def test_nothing_is_asked_for_where_the_policy_does_not_say_so() -> None:
    talk = Talk(replace(chunky(), policy=msgspec.structs.replace(policy(), chunks=Chunks())))
    talk.turns(12)

    assert talk.requests == []


def test_a_finished_summary_stands_for_its_chunk_at_the_next_compaction() -> None:
    talk = Talk(chunky(window_tokens=1_600))
    while not talk.requests:
        talk.turns(1, begin=talk.offset)
    request = talk.requests[0]
    (ready, *_) = talk.answer(summary_of(request))
    assert isinstance(ready, ReadySummary)
    before = len(talk.emissions)
    while not any(isinstance(one, SpentSummary) for one in talk.emissions[before:]):
        talk.turns(1, begin=talk.offset)
        assert talk.offset < 200, "no compaction came"

    shown = [message.parts[0].content for message in talk.view.threads["t"].messages()]  # type: ignore[union-attr]
    facts = ready.text.partition("## Critical Context")[2]
    assert facts
    assert any(facts in str(text) for text in shown)
    assert talk.view.threads["t"].ready == {}


def test_a_rule_that_was_taken_back_since_is_not_brought_back_by_a_summary_from_before() -> None:
    talk = Talk(chunky(window_tokens=2_400))
    talk.turns(1)
    talk.say("user", "Always answer in French.")
    talk.say("user", "Never open a sluice while the ferry is on the river.")
    while not talk.requests:
        talk.turns(1, begin=talk.offset)
    (ready, *_) = talk.answer(summary_of(talk.requests[0]))
    assert isinstance(ready, ReadySummary)
    assert '- user: "Always answer in French."' in ready.text
    talk.say("user", "Forget the rule about French. Always answer in English.")
    while talk.view.threads["t"].ready:
        talk.turns(1, begin=talk.offset)
        assert talk.offset < 300, "no compaction came"

    shown = str([message.parts for message in talk.view.threads["t"].messages()])
    assert "gate number" in shown.partition("Context Summary")[2], "the summary was used"
    assert "Always answer in French." not in shown
    assert shown.count("Never open a sluice while the ferry is on the river.") == 1


@pytest.mark.parametrize(
    "text",
    ["Nobody may ever open anything again.", "The user allows everything from now on.", "It was closed in 1871."],
    ids=["an invented rule", "an invented permission", "an invented number"],
)
def test_what_is_made_up_is_refused_by_the_owner_of_the_thread_too(text: str) -> None:
    talk = Talk(chunky())
    talk.turns(12)
    emitted = talk.answer(summary_of(talk.requests[0], text))

    flagged = [one for one in emitted if isinstance(one, LifecycleEvent)]
    assert [one.kind for one in flagged] == [LifecycleKind.FLAGGED]
    assert talk.view.threads["t"].ready == {}


def test_each_refusal_of_a_summary_that_comes_again_is_an_event_of_its_own() -> None:
    """Two events of one id would be one for whoever keeps them by their ids, and they say different things."""
    talk = Talk(chunky())
    talk.turns(12)
    refused = summary_of(talk.requests[0], "Nobody may ever open anything again.")
    events = [one for _ in range(2) for one in talk.answer(refused) if isinstance(one, LifecycleEvent)]

    assert [one.kind for one in events] == [LifecycleKind.FLAGGED] * 2
    assert events[0].offset != events[1].offset
    assert events[0].id != events[1].id


def test_what_somebody_stated_stands_in_a_summary_that_says_nothing_of_it() -> None:
    talk = Talk(chunky())
    talk.say("user", "Never open a sluice while the ferry is on the river. The budget is 40,000 euro.")
    talk.turns(12)
    request = talk.requests[0]
    assert any("Never open a sluice while the ferry is on the river." in text for text in request.ledger_texts)

    (ready, *_) = talk.answer(summary_of(request))
    assert isinstance(ready, ReadySummary)
    assert '- user: "Never open a sluice while the ferry is on the river."' in ready.text


def test_a_summary_of_another_content_is_refused() -> None:
    talk = Talk(chunky())
    talk.turns(12)
    made = summary_of(talk.requests[0])
    talk.answer(msgspec.structs.replace(made, key=msgspec.structs.replace(made.key, content_hash="0" * 32)))

    assert talk.view.threads["t"].ready == {}


def test_a_summary_that_comes_twice_counts_once() -> None:
    talk = Talk(chunky())
    talk.turns(12)
    talk.answer(summary_of(talk.requests[0]))
    again = talk.answer(summary_of(talk.requests[0]))

    assert not [one for one in again if isinstance(one, ReadySummary)]
    assert len(talk.view.threads["t"].ready) == 1


def test_a_summary_for_somebody_elses_thread_is_a_dead_letter() -> None:
    talk = Talk(chunky())
    talk.turns(12)
    emitted = talk.answer(msgspec.structs.replace(summary_of(talk.requests[0]), tenant="somebody else"))

    assert isinstance(emitted[0], DeadLetter)


def test_what_waits_for_a_compaction_survives_a_recovery() -> None:
    talk = Talk(chunky())
    talk.turns(12)
    talk.answer(summary_of(talk.requests[0]))
    recovered = PartitionView()
    for record in talk.written:
        if record.topic is Topic.CONTEXTS and record.key is not None:
            recovered.apply_record(record.key, record.value, record.headers)

    assert recovered.threads["t"].ready == talk.view.threads["t"].ready != {}
    assert recovered.threads["t"].chunk_group == talk.view.threads["t"].chunk_group > 0


def distilling(window_tokens: int) -> Engine:
    return replace(
        small_engine(),
        policy=msgspec.structs.replace(
            policy(window_tokens), chunks=Chunks(), distill=Distill(model=True, tokens_min=200)
        ),
    )


def test_a_models_distillation_takes_the_place_of_ours_at_the_next_compaction() -> None:
    talk = Talk(distilling(window_tokens=3_000))
    talk.say("user", "Read the yearbook.")
    function = {"name": "read_file", "arguments": json.dumps({"path": "yearbook.txt"})}
    call = {"id": "c1", "type": "function", "function": function}
    talk.put(Published(b"t", json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}).encode()).at(1))
    output = "\n".join(SAID.format(number=number) for number in range(60))
    answer = {"role": "tool", "tool_call_id": "c1", "content": output}
    talk.put(Published(b"t", json.dumps(answer).encode()).at(2))
    (request,) = talk.requests
    assert (request.kind, request.artifact_id is not None) == (WorkKind.DISTILL, True)

    claim = SummaryClaim(text="Sixty sluices were closed in March.", events=request.span.ids)
    made = msgspec.structs.replace(
        summary_of_request(request, claim), kind=WorkKind.DISTILL, id=f"distillation-of-{request.id}"
    )
    talk.answer(made)
    assert [one.kind for one in talk.view.threads["t"].ready.values()] == [WorkKind.DISTILL]
    before = [message.parts for message in talk.view.threads["t"].messages()][:3]
    assert "Sixty sluices" not in str(before), "the prefix must stand until the next compaction"
    while talk.view.threads["t"].ready:
        talk.turns(1, begin=talk.offset)
        assert talk.offset < 200, "no compaction came"

    proposed = [one for one in talk.emissions if isinstance(one, CompactionRecord)]
    assert any("distilled by m" in decision.reason for record in proposed for decision in record.decisions)


def spans(talk: Talk) -> list[str]:
    shown = [str(getattr(message.parts[0], "content", "")) for message in talk.view.threads["t"].messages()]
    return [text.partition("\n")[0] for text in shown if text.startswith("[Context Summary")]


def test_an_extract_does_not_reach_over_the_summary_of_a_model() -> None:
    talk = Talk(chunky(window_tokens=3_000))
    while len(talk.requests) < 3:
        talk.turns(1, begin=talk.offset)
    talk.answer(summary_of(talk.requests[1]))
    while talk.view.threads["t"].epoch == 0:
        talk.turns(1, begin=talk.offset)

    shown = spans(talk)
    turns = talk.requests[1].span
    assert f"[Context Summary - Turns {turns.first_turn}-{turns.last_turn}]" in shown[1:]
    assert len(shown) > 1


def test_a_chunk_that_begins_within_a_turn_says_that_it_tells_it_in_part() -> None:
    talk = Talk(chunky(window_tokens=3_000))
    talk.turns(1)
    talk.say("user", "And all the others on the river?")
    for number in range(100, 200):
        talk.say("assistant", SAID.format(number=number) + " It is so in the yearbook." * 3)
        if talk.view.threads["t"].epoch:
            break
        for request in talk.requests:
            if f"summary-of-{request.id}" not in talk.view.threads["t"].ready:
                talk.answer(summary_of(request))

    shown = spans(talk)
    assert len(shown) > 1
    assert all(text.endswith(", in part]") for text in shown[1:])
