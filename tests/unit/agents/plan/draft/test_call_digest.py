"""More calls and results than fit: what the next context tells of them, and that all of them can be had."""

import msgspec
import pytest
from support.tool_thread import POLICY, Talk, at_once, of_type, tool_engine

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.restoration import NamedArtifacts
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.tools import Distill
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.message import Format

CALLS = [f"call_{number}" for number in range(7)]
#: While calls wait there is room for them; with all of their results there is not.
SMALL = msgspec.structs.replace(
    POLICY, default_window_tokens=330, rehydration_reserve_tokens=0, distill=Distill(enabled=False)
)


def overflowing(tool: str = "book_berth", words: int = 60) -> Talk:
    """A thread whose newest group has more calls and results than its window holds."""
    talk = Talk(tool_engine(SMALL))
    talk.say("user", "book a berth in every port")
    talk.call(*CALLS, tool=tool, arguments={"port": "all"})
    for call_id in CALLS:
        assert talk.answer({call_id: " ".join([f"booked-{call_id}"] * words)}).result == "appended"
    return talk


def test_the_context_tells_which_calls_were_made() -> None:
    talk = overflowing()

    live = talk.view.live()
    assert talk.view.request_tokens <= 330
    told = next(entry for entry in live if entry.kind is EntryKind.POINTER)
    assert (told.role, told.calls, told.answers) == ("assistant", (), ())
    assert b"book_berth" in bytes(told.message)
    assert b"booked-call_5" in bytes(told.message)


def test_what_was_told_in_short_can_be_had_whole_now_and_after_the_store_was_lost() -> None:
    talk = overflowing()
    events = [decode_event(one.at(place), value_bytes_max=10_000_000) for place, one in enumerate(talk.published)]
    records = [one for outcome in talk.outcomes for one in of_type(outcome, CompactionRecord)]
    named = NamedArtifacts(SMALL, talk.engine.count_tokens)
    for record in records:
        named.note(record, 1_000)

    (decision,) = [one for one in records[-1].decisions if one.artifact_ids]
    # The calls, and all results but the last, which came when its call had left.
    assert decision.artifact_ids == tuple(artifact_id(event.message) for event in events[1:-1])
    for event in events[1:-1]:
        assert at_once(talk.artifacts.retrieve(SecurityContext(tenant="default"), artifact_id(event.message)))
        assert named.artifact_of(event) is not None
    assert named.artifact_of(events[0]) is None


@pytest.mark.parametrize("message_format", [one for one in Format if one is not Format.TAILRACE])
def test_every_provider_takes_what_tells_of_calls(message_format: Format) -> None:
    talk = overflowing()

    request = request_of(talk.view.messages(), message_format)

    assert not violations(request, message_format)
    assert "book_berth" in str(request)


@pytest.mark.parametrize(
    ("tool", "words"), [("mix_paint", 10), ("draw_blood", 40), ("plough_field", 80), ("tune_piano", 25)]
)
def test_the_next_message_goes_on_from_there(tool: str, words: int) -> None:
    talk = overflowing(tool, words)

    talk.say("assistant", "done with all of them")
    talk.say("user", "thank you")

    assert talk.view.request_tokens <= 330
    assert tool.encode() in b"".join(bytes(entry.message) for entry in talk.view.live())


def test_a_result_that_comes_after_its_call_was_told_is_a_message_of_its_own() -> None:
    talk = overflowing()

    last = talk.view.live()[-1]

    assert last.role == "user"
    assert b"[Late result of tool call call_6]" in bytes(last.message)
