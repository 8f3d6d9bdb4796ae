"""What recall keeps of a message: all of its text, whatever the context holds of it, and no secret."""

import msgspec
import pytest
from support.fresh_secrets import SECRETS

from tailrace.agents.engine.claim_check import ClaimedText
from tailrace.agents.engine.open_calls import CalledTools
from tailrace.agents.engine.recall_documents import claim_document, document_sensitivity, message_document
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.event import Claim, Event, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    GenericPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)
from tailrace.schemas.records.recall import RecallKind

TOKEN = SECRETS["token"]


def event(*parts: AnyPart, role: str = "tool") -> Event:
    message = Message(role=role, parts=parts)
    return Event(
        id="m1", thread="t1", tenant="ours", message=message, created_at_ms=5, sensitivity=Sensitivity.CONFIDENTIAL
    )


def test_a_document_says_where_the_message_is_from() -> None:
    found = message_document(event(TextPart(content="gate 9 is open"), role="user"), 17, masked=True)

    assert (found.tenant, found.thread, found.id, found.kind) == ("ours", "t1", "m1", RecallKind.MESSAGE)
    assert (found.role, found.offset, found.created_at_ms) == ("user", 17, 5)
    assert (found.sensitivity, found.text) == (Sensitivity.CONFIDENTIAL, "gate 9 is open")


def test_calls_are_found_by_the_name_of_their_tool_and_what_they_were_told() -> None:
    call = ToolCallPart(id="a", name="read_level", arguments={"gate": 9})
    found = message_document(event(TextPart(content="I look"), call, role="assistant"), 1, masked=True)

    assert found.tool == "read_level"
    assert found.text == 'I look\nread_level({"gate":9})'


@pytest.mark.parametrize(
    "part",
    [
        TextPart(content=f"see {TOKEN}"),
        ReasoningPart(content=f"the user gave me {TOKEN}"),
        ToolCallPart(id="a", name="curl", arguments={"header": TOKEN}),
        ToolCallResponsePart(id="a", response=f"TOKEN={TOKEN}"),
        ToolCallResponsePart(id="a", response=[{"type": "text", "text": TOKEN}]),
        GenericPart(value={"later": TOKEN}),
        UriPart(uri=f"https://host.example/?key={TOKEN}", modality="image"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_no_part_tells_a_secret_unless_masking_is_off(part: AnyPart) -> None:
    assert TOKEN not in message_document(event(part), 1, masked=True).text
    assert TOKEN in message_document(event(part), 1, masked=False).text


def test_a_claimed_content_is_a_document_of_its_own() -> None:
    claimed = ClaimedText(Claim(artifact_id="f" * 16, size_bytes=9), f"level 17\nTOKEN={TOKEN}")

    found = claim_document(event(ToolCallResponsePart(id="a", response="")), claimed, 3, masked=True)

    assert (found.kind, found.id, found.offset) == (RecallKind.ARTIFACT, "f" * 16, 3)
    assert found.text.startswith("level 17\nTOKEN=[secret:")
    assert TOKEN not in found.text


RULES = {"vault*": ToolRule(sensitivity=Sensitivity.RESTRICTED), "look": ToolRule(sensitivity=Sensitivity.PUBLIC)}


def sensitivity(made: Event, names: dict[str, str]) -> Sensitivity:
    return document_sensitivity(made, RULES, lambda call_id: names.get(call_id, ""))


def test_a_document_is_as_sensitive_as_the_rule_of_its_tool_says() -> None:
    answer = event(ToolCallResponsePart(id="a", response="gate 9"))

    assert sensitivity(answer, {"a": "vault_read"}) is Sensitivity.RESTRICTED
    assert sensitivity(answer, {"a": "look"}) is Sensitivity.CONFIDENTIAL
    assert sensitivity(answer, {}) is Sensitivity.CONFIDENTIAL


def test_of_several_results_the_most_sensitive_counts_and_a_producer_may_name_the_tool() -> None:
    parts = (ToolCallResponsePart(id="a", response="1"), ToolCallResponsePart(id="b", response="2"))

    assert sensitivity(event(*parts), {"a": "look", "b": "vault"}) is Sensitivity.RESTRICTED
    named = msgspec.structs.replace(event(*parts), tools=(ToolEnvelope(call_id="a", name="vault"),))
    assert sensitivity(named, {"a": "look", "b": "look"}) is Sensitivity.RESTRICTED


def test_who_reads_a_log_knows_which_tool_a_result_is_from() -> None:
    called = CalledTools()
    for call_id, tool in (("a", "look"), ("b", "vault"), ("a", "vault")):
        called.note(event(ToolCallPart(id=call_id, name=tool), role="assistant"))

    assert [called.name("t1", call_id) for call_id in "abc"] == ["vault", "vault", ""]
    assert called.name("other", "a") == ""

    called.note(event(ToolCallResponsePart(id="a", response="")))
    called.note(event(ToolCallResponsePart(id="b", response="")))
    assert [called.name("t1", call_id) for call_id in "ab"] == ["look", ""]
    called.note(event(ToolCallResponsePart(id="a", response="")))
    called.note(event(ToolCallResponsePart(id="a", response="")))
    assert called.name("t1", "a") == ""
