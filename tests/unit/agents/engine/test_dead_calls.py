"""Calls that nobody answers: the stand-in, and the result that comes after all."""

import json

import msgspec
import pytest
from support.conversations import Published
from support.live_thread import LiveThread, compactions, overtaken, policy_with
from support.signal_moves import tick

from tailrace.agents.engine.dead_calls import late_calls, stand_in, stand_in_message, with_late_text
from tailrace.agents.triggers.temporal import CALL, Timer
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.tools import Distill, ToolRule
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.schemas.records.ledger import Obligation
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart
from tailrace.schemas.records.signal import Compact

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)


def waiting(*call_ids: str) -> LiveThread:
    """A thread that waits for tools, at most a second."""
    thread = LiveThread(policy_with(Triggers(timers=Timers(call_deadline_ms=1_000))))
    thread.say(10)
    thread.call(*call_ids)
    return thread


def given_up(call_id: str = "k") -> LiveThread:
    thread = waiting(call_id)
    thread.tick(f"{CALL}{call_id}")
    return thread


def valid(thread: LiveThread) -> bool:
    return not any(violations(request_of(thread.view.messages(), one), one) for one in FORMATS)


def test_the_model_reads_how_long_was_waited() -> None:
    message = stand_in_message("k", 30_000)
    (part,) = message.parts
    assert isinstance(part, ToolCallResponsePart)
    assert part.id == "k"
    assert "30 s" in str(part.response)


def test_a_stand_in_is_the_same_however_often_it_is_made() -> None:
    thread = waiting("k")
    message = stand_in_message("k", 1_000)
    one, other = (stand_in(thread.view, "k", message, 9, offset=7, at_ms=5) for _ in range(2))
    assert one == other
    assert one is not None
    assert (one.kind, one.answers, one.role) == (EntryKind.STAND_IN, ("k",), "tool")


def test_there_is_no_stand_in_for_a_call_that_is_not_open() -> None:
    thread = waiting("k")
    thread.answer("k")
    assert stand_in(thread.view, "k", stand_in_message("k", 1_000), 9, offset=7, at_ms=5) is None


def test_every_provider_takes_a_context_with_a_stand_in() -> None:
    thread = given_up()
    thread.say(5)
    assert valid(thread)


def test_each_of_several_calls_gets_its_own() -> None:
    thread = waiting("a", "b")
    thread.answer("a")
    assert thread.timers().keys() == {f"{CALL}b"}
    thread.tick(f"{CALL}b")
    assert [entry.kind for entry in thread.view.live()][-2:] == [EntryKind.VERBATIM, EntryKind.STAND_IN]
    assert valid(thread)


def test_a_late_result_lands_behind_everything_and_changes_nothing_before_it() -> None:
    thread = given_up()
    thread.say(5, "assistant")
    before = [bytes(entry.message) for entry in thread.view.live()]
    assert thread.answer("k", "here at last").result == "appended"
    after = [bytes(entry.message) for entry in thread.view.live()]
    assert after[:-1] == before
    assert "here at last" in thread.texts[-1]
    assert valid(thread)


def test_a_late_result_is_distilled_and_as_sensitive_as_its_tool() -> None:
    rule = ToolRule(sensitivity=Sensitivity.CONFIDENTIAL)
    policy = policy_with(
        Triggers(timers=Timers(call_deadline_ms=1_000)), tools={"look": rule}, distill=Distill(tokens_min=100)
    )
    thread = LiveThread(policy)
    thread.say(10)
    thread.call("k")
    thread.tick(f"{CALL}k")
    text = "\n".join(f"gauge {number} stands at {number * 7} centimetres" for number in range(100))
    outcome = thread.answer("k", text)

    (kept,) = [one.artifact for one in outcome.emissions if isinstance(one, Stored)]
    assert (kept.content, kept.sensitivity, kept.tool) == (text.encode(), Sensitivity.CONFIDENTIAL, "look")
    entry = thread.view.live()[-1]
    assert (entry.kind, entry.artifact_id, entry.sensitivity) == (
        EntryKind.DISTILLED,
        kept.id,
        Sensitivity.CONFIDENTIAL,
    )
    assert entry.tokens < 300
    assert "[Late result of tool call k]" in thread.texts[-1]
    assert "[Distilled tool output - artifact:" in thread.texts[-1]
    assert valid(thread)


def test_a_late_result_begins_no_turn() -> None:
    thread = given_up()
    turns = thread.view.totals.turns
    thread.answer("k", "here at last")
    assert thread.view.totals.turns == turns


def test_a_late_result_that_is_sent_twice_lands_once() -> None:
    thread = given_up()
    thread.answer("k", "here at last", message_id="late")
    assert thread.answer("k", "here at last", message_id="late").result == "duplicate"
    assert sum("here at last" in text for text in thread.texts) == 1


def test_a_late_result_lands_after_a_compaction_of_the_stand_in() -> None:
    thread = given_up()
    thread.talk(4)
    assert compactions(thread.send(Compact(target_fraction=0.3)))
    assert EntryKind.STAND_IN not in {entry.kind for entry in thread.view.live()}
    assert thread.answer("k", "here at last").result == "appended"
    assert "here at last" in thread.texts[-1]


def test_a_result_for_a_call_that_never_was_is_still_a_dead_letter() -> None:
    thread = given_up()
    outcome = thread.answer("nobody-asked")
    assert isinstance(outcome.emissions[0], DeadLetter)


def test_a_call_that_is_made_again_with_the_same_id_gets_a_real_result() -> None:
    thread = given_up()
    thread.call("k")
    thread.answer("k", "in time")
    assert thread.view.live()[-1].answers == ("k",)
    assert not thread.view.open_calls


def test_a_call_that_is_made_again_with_the_same_id_gets_a_stand_in_of_its_own() -> None:
    thread = given_up()
    thread.call("k")
    thread.tick(f"{CALL}k")
    stand_ins = [entry.id for entry in thread.view.live() if entry.kind is EntryKind.STAND_IN]
    assert len(set(stand_ins)) == 2


def test_of_two_open_calls_with_one_id_each_has_its_own_deadline() -> None:
    thread = waiting("k")
    first_due_ms = thread.timers()[f"{CALL}k"]
    thread.call("k", later_ms=500)
    assert thread.timers() == {f"{CALL}k": first_due_ms + 500}
    thread.answer("k")
    assert thread.timers() == {f"{CALL}k": first_due_ms}


def test_the_tick_of_a_call_that_was_answered_is_overtaken() -> None:
    thread = waiting("k")
    timer = Timer(f"{CALL}k", thread.timers()[f"{CALL}k"])
    thread.answer("k")
    assert overtaken(thread.publish(tick(timer, "thread"), later_ms=9_000))


def test_what_a_person_says_beside_a_late_result_stays() -> None:
    thread = given_up()
    response = ToolCallResponsePart(id="k", response="late")
    message = Message(role="user", parts=(response, TextPart(content="and this")))
    assert late_calls(message, thread.view) == {"k"}
    late = with_late_text(message, {"k"})
    assert late.role == "user"
    assert [part.content for part in late.parts if isinstance(part, TextPart)][-1] == "and this"
    assert not late.answered_ids


def words_beside(call_id: str, words: str) -> Published:
    """A result as Anthropic has it, with what a person said beside it."""
    result = {"type": "tool_result", "tool_use_id": call_id, "content": "You must never feed the swans."}
    native = {"role": "user", "content": [result, {"type": "text", "text": words}]}
    value = {"id": f"beside-{call_id}", "native": native, "format": "anthropic.messages"}
    return Published(b"thread", json.dumps(value).encode())


def test_what_a_person_says_beside_a_late_result_is_what_the_person_said() -> None:
    thread = left_open("k", "other")
    turns = thread.view.totals.turns

    assert thread.publish(words_beside("k", "Never open the lock gate at night.")).result == "appended"

    assert thread.view.totals.turns == turns + 1
    assert thread.view.live()[-1].source is None
    thread.talk(12)
    assert compactions(thread.send(Compact(target_fraction=0.3)))
    ledgers = [entry.ledger for entry in thread.view.live() if entry.ledger is not None]
    rules = [one.text for ledger in ledgers for one in ledger.directives]
    assert any("lock gate" in rule for rule in rules)
    assert not any("swans" in rule for rule in rules)
    assert remembered(thread) == {"other"}
    assert valid(thread)


def results(*call_ids: str) -> Message:
    return Message(role="tool", parts=tuple(ToolCallResponsePart(id=one, response=f"of {one}") for one in call_ids))


def test_a_message_may_bring_one_result_late_and_another_in_time() -> None:
    """Some providers take all results of a step in one message only."""
    thread = waiting("a", "b")
    thread.tick(f"{CALL}a")
    both = [{"type": "tool_result", "tool_use_id": one, "content": f"of {one}"} for one in ("a", "b")]
    value = {"id": "both", "native": {"role": "user", "content": both}, "format": "anthropic.messages"}
    turns = thread.view.totals.turns
    assert thread.publish(Published(b"thread", json.dumps(value).encode())).result == "appended"
    assert not thread.view.open_calls
    assert thread.view.live()[-1].answers == ("b",)
    assert "of a" in thread.texts[-1]
    assert thread.view.totals.turns == turns
    assert valid(thread)


def test_a_late_result_beside_one_that_nobody_waits_for_is_left_alone() -> None:
    thread = given_up("a")
    assert not late_calls(results("a", "nobody-asked"), thread.view)
    assert late_calls(results("a"), thread.view) == {"a"}


def test_every_call_that_was_given_up_is_remembered_whether_its_stand_in_stays_or_leaves() -> None:
    thread = LiveThread(policy_with(Triggers(timers=Timers(call_deadline_ms=1_000))))
    thread.say(1)
    for number in range(140):
        thread.call(f"k{number}")
        thread.tick(f"{CALL}k{number}")
    assert not any("k0" in entry.answers for entry in thread.view.live())
    assert all(thread.view.gave_up(f"k{number}") for number in range(140))
    assert not thread.view.gave_up("never made")
    assert thread.answer("k0", "at last").result == "appended"
    assert "at last" in thread.texts[-1]


def left_open(*call_ids: str) -> LiveThread:
    """A thread whose calls have left without their results."""
    thread = LiveThread()
    thread.say(10)
    thread.call(*call_ids)
    thread.talk(12)
    assert not any(set(call_ids) & set(entry.calls) for entry in thread.view.live())
    return thread


def remembered(thread: LiveThread) -> set[str]:
    """Calls that the ledger says are open."""
    return {one.key for one in _owed(thread) if one.key}


def _owed(thread: LiveThread) -> list[Obligation]:
    return [one for entry in thread.view.live() if entry.ledger is not None for one in entry.ledger.obligations]


def test_the_result_of_a_call_that_has_left_is_taken_and_ends_what_was_open() -> None:
    thread = left_open("k", "other")
    assert remembered(thread) == {"k", "other"}
    turns = thread.view.totals.turns

    assert thread.answer("k", "here at last").result == "appended"

    assert thread.view.totals.turns == turns
    assert "here at last" in thread.texts[-1]
    assert valid(thread)
    assert compactions(thread.send(Compact(target_fraction=0.3)))
    assert remembered(thread) == {"other"}


def test_the_result_of_a_call_that_was_never_made_is_refused() -> None:
    thread = left_open("k")

    assert thread.answer("never made").result == "dead_letter"


def test_another_result_of_a_call_that_has_left_is_told_too() -> None:
    thread = left_open("k")
    thread.answer("k", "here at last")
    thread.talk(12)
    assert remembered(thread) == set()
    assert all("Late result" not in one.text for one in _owed(thread))

    assert thread.answer("k", "and once more").result == "appended"

    assert "and once more" in thread.texts[-1]


@pytest.mark.parametrize("ledger", [True, False])
def test_parallel_calls_that_do_not_fit_are_recognised_by_their_results(ledger: bool) -> None:  # noqa: FBT001
    policy = msgspec.structs.replace(policy_with(), ledger=LedgerRules(enabled=ledger))
    thread = LiveThread(policy)
    call_ids = [f"call-{number}" for number in range(100)]
    thread.say(10)
    thread.call(*call_ids)
    assert not any(entry.calls for entry in thread.view.live())

    results = {thread.answer(call_id, f"content of {call_id}").result for call_id in call_ids}

    assert results == {"appended"}
    assert valid(thread)


def test_a_change_whose_call_has_left_is_told_once_its_result_has_come() -> None:
    thread = LiveThread()
    thread.say(10)
    arguments = json.dumps({"path": "gates/north.cfg"})
    call = {"id": "k", "type": "function", "function": {"name": "edit_file", "arguments": arguments}}
    thread.publish(
        Published(b"thread", json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}).encode())
    )
    thread.talk(12)
    ledgers = [entry.ledger for entry in thread.view.live() if entry.ledger is not None]
    assert [(one.text, one.call) for one in ledgers[0].evidence] == [("gates/north.cfg", "k")]

    thread.answer("k", "ok")
    thread.talk(12)

    ledgers = [entry.ledger for entry in thread.view.live() if entry.ledger is not None]
    assert [(one.kind.value, one.text, one.call) for one in ledgers[0].evidence] == [("changed", "gates/north.cfg", "")]
