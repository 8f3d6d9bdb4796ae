"""Calls of models, as the log tells of them."""

import msgspec
from support.conversations import Published, small_engine
from support.work_requests import request

from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.spend import compactor_calls
from tailrace.schemas.records.spend import Purpose
from tailrace.schemas.records.summary import ModelCall, SummaryKey, SummaryRejection


def said(partition: PartitionView, offset: int, **fields: object) -> RecordOutcome:
    body = {"id": f"m{offset}", "native": {"role": "assistant", "content": "ok"}, "format": "openai.chat", **fields}
    return process(partition, Published(b"t", msgspec.json.encode(body)).at(offset), small_engine())


def test_a_usage_report_is_a_call_of_the_agents_own() -> None:
    partition = PartitionView()
    usage = {"input_tokens": 900, "output_tokens": 40, "cache_read_tokens": 800, "cache_write_tokens": 60}
    (call,) = said(partition, 3, model="m", agent="a", usage=usage).spent
    assert (call.id, call.purpose, call.thread, call.agent) == ("t@3", Purpose.PRIMARY, "t", "a")
    assert (call.model, call.input_tokens, call.output_tokens) == ("m", 900, 40)
    assert (call.cache_read_tokens, call.cache_write_tokens) == (800, 60)


def test_the_model_of_the_thread_is_taken_where_the_message_names_none() -> None:
    partition = PartitionView()
    said(partition, 0, model="m")
    (call,) = said(partition, 1, usage={"output_tokens": 5}).spent
    assert (call.model, call.input_tokens, call.output_tokens) == ("m", 0, 5)


def test_no_report_no_call_and_none_for_what_comes_again() -> None:
    partition = PartitionView()
    assert said(partition, 0).spent == ()
    assert said(partition, 1, usage={}).spent == ()
    assert len(said(partition, 2, usage={"input_tokens": -5}).spent) == 1
    assert said(partition, 2, usage={"input_tokens": -5}).spent == ()


def test_what_a_refused_summary_cost_is_told_too() -> None:
    asked = request()
    call = ModelCall(id="c", provider="p", model="m", at_ms=1, input_tokens=10, output_tokens=2, cost_usd=0.5)
    key = SummaryKey(content_hash="h", schema_version=1, policy_version="p", model="p/m", prompt_version="v")
    refused = SummaryRejection(
        version=1,
        id="s",
        kind=asked.kind,
        thread=asked.thread,
        tenant=asked.tenant,
        request_id=asked.id,
        span=asked.span,
        key=key,
        reason="no",
        created_by="t",
        created_at_ms=1,
        calls=(call,),
    )
    (spent,) = compactor_calls(refused)
    assert (spent.purpose, spent.thread, spent.tenant, spent.cost_usd) == (Purpose.COMPACTOR, "harbour", "port", 0.5)
