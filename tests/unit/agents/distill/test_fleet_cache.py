"""Distillations that workers share: used where they are right, made anew where anything about them is not."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from support.conversations import Published
from support.tool_thread import POLICY, Talk, at_once, lines, of_type, own_entry, shown_text, tool_engine

from tailrace.agents.distill import local_cache
from tailrace.agents.distill.distill import ToolOutput
from tailrace.agents.distill.fleet_cache import (
    SHARED_SECONDS_MAX,
    SHARED_TYPE,
    SharedFound,
    decode_shared,
    distill_shared,
    encode_shared,
)
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import New, RecordOutcome, read
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.schemas.records.message import Message

CHARS_MIN = 2_000
LARGE = lines(400)
MARK = "what another worker has written"


def sharing(policy: Policy = POLICY) -> Engine:
    return replace(tool_engine(policy), shared_chars_min=CHARS_MIN)


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Iterator[None]:
    local_cache._made.clear()
    yield
    local_cache._made.clear()


def shared(outcome: RecordOutcome) -> list[Stored]:
    return [one for one in of_type(outcome, Stored) if one.artifact.media_type == SHARED_TYPE]


def successor(one: Talk, **changes: Any) -> Talk:
    """Another worker with the same store, which finds what was shared, with these changes."""
    other = Talk(one.engine)
    for (tenant, name), (known, content) in one.artifacts.kept.items():
        if known.media_type == SHARED_TYPE:
            kept = msgspec.structs.replace(decode_shared(content), **changes)
            other.artifacts.kept[tenant, name] = known, encode_shared(kept)
    local_cache._made.clear()
    return other


def test_what_one_worker_has_distilled_another_one_uses() -> None:
    first = Talk(sharing())
    made = first.use(LARGE)
    second = successor(first, text=MARK)
    found = second.use(LARGE)

    assert ([len(shared(one)) for one in (made, found)], made.shared_hits, found.shared_hits) == ([1, 0], 0, 1)
    # That it was not made again is seen by what it says.
    assert shown_text(own_entry(found)).endswith(MARK)
    # The output is kept whole either way.
    assert len(of_type(found, Stored)) == 1


def test_it_is_kept_for_workers_alone_and_not_for_ever() -> None:
    policy = msgspec.structs.replace(POLICY, artifact_ttl_seconds=60)
    (kept,) = shared(Talk(sharing()).use(LARGE))
    (brief,) = shared(Talk(sharing(policy)).use(LARGE))

    assert (kept.artifact.sensitivity, kept.tenant) == (Sensitivity.RESTRICTED, "default")
    assert (kept.ttl_seconds, brief.ttl_seconds) == (SHARED_SECONDS_MAX, 60)


@pytest.mark.parametrize("output", [lines(60), lines(3)], ids=["distilled", "small"])
def test_shorter_outputs_are_not_asked_for(output: str) -> None:
    assert len(output) < 2 * CHARS_MIN
    one = Talk(replace(tool_engine(), shared_chars_min=2 * CHARS_MIN))

    assert not shared(one.use(output))


def test_an_output_that_stays_as_it_is_is_not_asked_for() -> None:
    pinned, plain = ({"pinned": True}, {})
    wanted = []
    for fields in (pinned, plain):
        talk = Talk(sharing())
        talk.call("c")
        part = {"type": "tool_call_response", "id": "c", "response": LARGE}
        value = {"id": "answer", "message": {"role": "tool", "parts": [part]}, **fields}
        pending = read(talk.partition, Published(b"thread", json.dumps(value).encode()).at(1), talk.engine)
        assert isinstance(pending, New)
        wanted.append(pending.needs)
    assert wanted[0] is None
    assert wanted[1] is not None
    assert [shared.of for shared in wanted[1].shared] == ["c"]


@pytest.mark.parametrize(
    "changes",
    [{"content_hash": "of something else"}, {"chars_max": 7}, {"distiller_version": -1}],
    ids=lambda changes: next(iter(changes)),
)
def test_what_was_made_of_anything_else_is_not_believed(changes: dict[str, Any]) -> None:
    first = Talk(sharing())
    made = first.use(LARGE)
    second = successor(first, text=MARK, **changes)
    found = second.use(LARGE)

    assert shown_text(own_entry(found)) == shown_text(own_entry(made))
    assert found.shared_hits == 0


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 2}', b"\xff", b"[" * 100_000])
def test_what_cannot_be_read_is_made_again(content: bytes) -> None:
    first = Talk(sharing())
    made = first.use(LARGE)
    second = Talk(first.engine)
    ((key, (known, _)),) = [item for item in first.artifacts.kept.items() if item[1][0].media_type == SHARED_TYPE]
    second.artifacts.kept[key] = known, content

    assert shown_text(own_entry(second.use(LARGE))) == shown_text(own_entry(made))


def test_another_tenant_has_its_own() -> None:
    first = Talk(sharing())
    first.use(LARGE)
    second = successor(first, text=MARK)
    message = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "look", "arguments": {}}]}
    second.tell(message, tenant="theirs")
    found = second.answer({"c": LARGE}, tenant="theirs")

    assert MARK not in shown_text(own_entry(found))
    assert [one.tenant for one in shared(found)] == ["theirs"]


@pytest.mark.parametrize(
    "use", [{"tool": "watch"}, {"arguments": {"path": "b.txt"}}, {"model": "gpt-4o"}], ids=["tool", "told", "model"]
)
def test_another_tool_call_or_model_may_give_another_distillation(use: dict[str, Any]) -> None:
    first = Talk(sharing())
    first.use(LARGE)
    second = successor(first, text=MARK)

    assert second.use(LARGE, **use).shared_hits == 0


def test_another_policy_may_give_another_distillation() -> None:
    first = Talk(sharing())
    first.use(LARGE)
    second = successor(first, text=MARK)
    second.engine = sharing(msgspec.structs.replace(POLICY, mask_secrets=False))

    assert second.use(LARGE).shared_hits == 0


def test_the_content_of_a_claim_is_shared_by_its_name() -> None:
    name = "00112233445566ff"
    claim = {"artifact_id": name, "size_bytes": len(LARGE)}
    talks = [Talk(sharing())]
    for _ in range(2):
        one = talks[-1]
        new = NewArtifact(id=name, media_type="text/plain", content=LARGE.encode(), created_at_ms=1)
        at_once(one.artifacts.store(SecurityContext(tenant="default"), [new]))
        one.use("[stored elsewhere]", claim=claim)
        talks.append(successor(one, text=MARK))
    made, found = (one.outcomes[-1] for one in talks[:2])

    assert [len(shared(made)), found.shared_hits] == [1, 1]
    (record,) = of_type(found, Distillation)
    assert record.text.endswith(MARK)


def test_half_a_character_is_distilled_and_not_shared() -> None:
    output = ToolOutput("\ud800" + LARGE)
    event = Event(id="e", thread="t", message=Message(role="tool"), created_at_ms=1)
    made, kept = distill_shared(
        output, chars_max=len(LARGE), shared=SharedFound("c", "distilled-1"), event=event, ttl_seconds=None
    )

    assert (made.text[0], kept) == ("\ud800", ())
