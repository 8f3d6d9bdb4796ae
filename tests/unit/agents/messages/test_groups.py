"""Atomic groups: which message joins which, and where it stands."""

import json

import pytest
from support.conversations import Move, Published, Script, play, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.messages.groups import GroupKind, is_reasoning_only, starts_turn
from tailrace.agents.messages.one_response import PIECES_MAX
from tailrace.agents.tokens.counts import REPLY_PRIMING_TOKENS
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.context import RANKS_PER_GROUP
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ReasoningPart, TextPart, ToolCallResponsePart


class Thread:
    """A thread to which messages are added one by one."""

    def __init__(self, under: Engine | None = None) -> None:
        self.engine = under or small_engine()
        self.partition = PartitionView()
        self.script = Script()
        self._offset = 0

    def add(self, kind: str, words: int = 3, pick: int = 0) -> RecordOutcome:
        first = len(self.script.written)
        self.script.play(Move(kind, words, pick))
        return [self.publish(record) for record in self.script.written[first:]][-1]

    def publish(self, published: Published) -> RecordOutcome:
        self._offset += 1
        return process(self.partition, published.at(self._offset), self.engine)

    @property
    def view(self) -> ThreadView:
        return self.partition.threads["thread"]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Numbers of the messages in each group."""
        found: dict[int, list[str]] = {}
        for entry in self.view.live():
            found.setdefault(entry.rank // RANKS_PER_GROUP, []).append(entry.id.removeprefix("thread-"))
        assert found.keys() == self.view.groups.keys()
        return [tuple(ids) for ids in found.values()]


def thread_of(*kinds: str) -> Thread:
    thread = Thread()
    for kind in kinds:
        thread.add(kind)
    return thread


def reason(outcome: RecordOutcome) -> str:
    (letter,) = (one for one in outcome.emissions if isinstance(one, DeadLetter))
    return letter.message


def test_every_plain_message_is_a_group_of_its_own() -> None:
    assert thread_of("system", "user", "assistant", "user").groups == [("1",), ("2",), ("3",), ("4",)]


def test_a_call_and_its_result_are_one_group() -> None:
    assert thread_of("user", "calls", "answer", "assistant").groups == [("1",), ("2", "3"), ("4",)]


def test_parallel_calls_and_all_their_results_are_one_group() -> None:
    thread = Thread()
    thread.add("calls", pick=2)
    for _ in range(3):
        thread.add("answer")
    assert thread.groups == [("1", "2", "3", "4")]
    assert not thread.view.open_calls


def test_a_late_result_stands_behind_its_call_and_what_came_between_stays_behind_it() -> None:
    thread = thread_of("calls", "user", "assistant", "answer")
    assert [entry.id for entry in thread.view.live()] == ["thread-1", "thread-4", "thread-2", "thread-3"]


def test_results_that_travel_as_one_user_message_close_all_their_calls() -> None:
    thread = Thread()
    thread.add("anthropic_calls", pick=2)
    thread.add("anthropic_answer")
    assert thread.groups == [("1", "2")]
    assert thread.view.totals.turns == 0


def test_reasoning_alone_waits_for_its_message() -> None:
    assert thread_of("user", "reasoning", "calls", "answer").groups == [("1",), ("2", "3", "4")]


def test_reasoning_waits_through_a_late_result_of_another_call() -> None:
    assert thread_of("calls", "reasoning", "answer", "assistant").groups == [("1", "3"), ("2", "4")]


def test_reasoning_that_a_person_interrupts_is_left_alone() -> None:
    assert thread_of("reasoning", "user", "assistant").groups == [("1",), ("2",), ("3",)]


def test_messages_that_a_producer_groups_stay_together_while_nothing_comes_between() -> None:
    thread = thread_of("grouped_user", "grouped_assistant", "user", "grouped_assistant")
    assert thread.groups == [("1", "2"), ("3",), ("4",)]


def test_a_result_without_a_call_is_refused_with_what_to_do() -> None:
    thread = thread_of("user")
    assert "publish the message with the call first" in reason(thread.add("stray_answer"))


def test_a_result_for_a_call_that_was_answered_is_a_delivery_that_was_repeated() -> None:
    thread = thread_of("calls", "answer")
    again = thread.script.written[-1]
    assert again.value is not None
    answer = Published(again.key, again.value.replace(b'"thread-2"', b'"another"'))
    assert thread.publish(answer).result == "duplicate"


def answering(*call_ids: str, words: str = "") -> Published:
    """One user message with a result for each call, and words beside them."""
    content: list[dict[str, str]] = [{"type": "tool_result", "tool_use_id": one, "content": one} for one in call_ids]
    if words:
        content.append({"type": "text", "text": words})
    return Published(b"thread", json.dumps({"role": "user", "content": content, "id": "results"}).encode())


def test_of_results_of_two_responses_in_one_message_the_newest_has_its_place_and_the_other_is_told() -> None:
    thread = thread_of("calls", "user", "calls")
    assert thread.publish(answering("call-0", "call-1")).result == "appended"
    assert thread.groups == [("1",), ("2",), ("3", "results")]
    assert thread.view.open_calls.keys() == {"call-0"}
    assert "call-0" in str(thread.view.messages()[-1].parts[-1])


@pytest.mark.parametrize(("pick", "pieces"), [(1, ("2", "3", "4")), (5, ("2", "3", "4", "5", "6")), (0, ("2", "3"))])
def test_calls_that_come_one_by_one_are_one_group_with_the_reasoning_before_them(
    pick: int, pieces: tuple[str, ...]
) -> None:
    thread = Thread()
    thread.add("user")
    thread.add("response_items", pick=pick)
    while thread.view.open_calls:
        thread.add("answer")
    thread.add("assistant")
    assert [group[: len(pieces)] for group in thread.groups] == [("1",), pieces, thread.groups[-1]]
    assert len(thread.groups[1]) == len(pieces) + pick % 3 + 1


def test_results_of_one_message_answer_the_calls_of_assistant_messages_in_a_row_and_the_words_stay_a_user_s() -> None:
    thread = thread_of("user", "split_calls")
    assert thread.publish(answering("call-0", "call-1", words="and stop after this")).result == "appended"
    assert thread.groups == [("1",), ("2", "3", "results")]
    assert not thread.view.open_calls
    assert thread.view.totals.turns == 2
    assert thread.view.groups[1].kind is GroupKind.USER


def test_a_chain_of_calls_and_results_is_a_group_for_each_call() -> None:
    assert thread_of("calls", "answer", "calls", "answer", "calls").groups == [("1", "2"), ("3", "4"), ("5",)]


def test_a_call_behind_the_first_result_is_another_step_unless_its_producer_groups_them() -> None:
    thread = Thread()
    thread.add("response_items", 0, 1)
    thread.add("answer")
    thread.add("calls")
    assert thread.groups == [("1", "2", "3"), ("4",)]
    assert thread_of("grouped_calls", "answer", "grouped_calls").groups == [("1", "2", "3")]


def test_a_producer_s_group_parts_what_would_be_one_response() -> None:
    assert thread_of("calls", "grouped_calls").groups == [("1",), ("2",)]
    assert thread_of("grouped_calls", "calls").groups == [("1", "2")]


def test_what_a_person_says_ends_a_response() -> None:
    assert thread_of("calls", "user", "calls").groups == [("1",), ("2",), ("3",)]


def test_words_behind_open_calls_are_part_of_the_response_and_reasoning_begins_the_next_one() -> None:
    assert thread_of("calls", "assistant", "calls").groups == [("1", "2", "3")]
    assert thread_of("calls", "reasoning", "calls", "calls").groups == [("1",), ("2", "3", "4")]


def test_words_behind_what_reasoning_led_to_are_a_group_of_their_own() -> None:
    assert thread_of("reasoning", "assistant", "assistant", "calls").groups == [("1", "2"), ("3",), ("4",)]


def test_a_response_goes_on_through_a_late_result_of_another() -> None:
    thread = thread_of("calls", "user", "calls", "answer", "calls")
    assert thread.groups == [("1", "4"), ("2",), ("3", "5")]


def test_a_response_without_end_is_parted() -> None:
    thread = thread_of(*["calls"] * PIECES_MAX)
    assert thread.view.totals.groups == 1
    thread.add("calls")
    thread.add("calls")
    assert thread.view.totals.groups == 2
    assert thread.groups[-1] == (str(PIECES_MAX + 1), str(PIECES_MAX + 2))


def test_a_call_id_that_is_used_again_belongs_to_the_newest_call() -> None:
    thread = thread_of("same_call_again", "answer_same_call", "user", "same_call_again", "answer_same_call")
    assert thread.groups == [("1", "2"), ("3",), ("4", "5")]


def test_a_call_id_that_is_open_twice_is_answered_twice() -> None:
    thread = thread_of("same_call_again", "same_call_again", "answer_same_call", "answer_same_call")
    assert thread.groups == [("1", "4"), ("2", "3")]
    assert not thread.view.open_calls


def test_a_turn_that_paused_is_one_group_with_the_message_that_goes_on_with_it() -> None:
    thread = thread_of("user", "paused", "server_result", "assistant", "paused", "server_result")
    assert thread.groups == [("1",), ("2", "3"), ("4",), ("5", "6")]
    assert not thread.view.open_calls


def test_a_program_at_the_provider_is_one_group_with_all_that_it_calls_and_its_result() -> None:
    thread = thread_of("user", "program", "answer", "program", "answer", "server_result", "calls")
    assert thread.groups == [("1",), ("2", "3", "4", "5", "6"), ("7",)]


def test_what_takes_up_a_provider_s_call_late_stands_behind_it() -> None:
    thread = thread_of("paused", "user", "grouped_assistant", "server_result")
    assert [entry.id for entry in thread.view.live()] == ["thread-1", "thread-4", "thread-2", "thread-3"]


def test_a_provider_s_call_without_a_result_holds_nothing_up() -> None:
    thread = thread_of("paused", "assistant", "user", "assistant")
    assert thread.groups == [("1",), ("2",), ("3",), ("4",)]
    assert thread.view.request_tokens == thread.view.tokens + REPLY_PRIMING_TOKENS


def test_an_approval_goes_with_its_request_and_is_nobody_s_word() -> None:
    thread = thread_of("user", "approval_request", "approval", "assistant")
    assert thread.groups == [("1",), ("2", "3"), ("4",)]
    assert thread.view.totals.turns == 1
    assert thread.view.groups[1].kind is GroupKind.ASSISTANT_TEXT


def test_a_result_of_a_provider_s_call_that_has_left_is_a_message_of_its_own() -> None:
    thread = thread_of("user")
    thread.script.server_calls.append("long-gone")
    thread.add("server_result")
    assert thread.groups == [("1",), ("2",)]


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (("grouped_user", "grouped_calls"), GroupKind.USER),
        (("grouped_assistant", "grouped_system"), GroupKind.SYSTEM),
        (("grouped_calls", "grouped_assistant"), GroupKind.TOOL_CALL),
        (("grouped_assistant", "grouped_assistant"), GroupKind.ASSISTANT_TEXT),
        (("anthropic_calls", "anthropic_answer"), GroupKind.TOOL_CALL),
        (("anthropic_calls", "anthropic_answer_with_words"), GroupKind.USER),
    ],
)
def test_a_group_is_of_the_strongest_kind_among_its_members(kinds: tuple[str, ...], kind: GroupKind) -> None:
    (group,) = thread_of(*kinds).view.groups.values()
    assert group.kind is kind


def test_turns_count_what_people_say() -> None:
    thread = thread_of("system", "user", "calls", "answer", "assistant", "user", "anthropic_calls", "anthropic_answer")
    assert thread.view.totals.turns == 2
    assert [entry.turn for entry in thread.view.live()] == [0, 1, 1, 1, 1, 2, 2, 2]


def test_words_beside_results_begin_a_turn_and_stay_with_the_call() -> None:
    thread = thread_of("user", "anthropic_calls", "anthropic_answer_with_words", "assistant")
    assert thread.groups == [("1",), ("2", "3"), ("4",)]
    assert [entry.turn for entry in thread.view.live()] == [1, 1, 2, 2]


def test_what_a_program_writes_in_a_user_s_name_is_nobody_s_word_and_begins_no_turn() -> None:
    thread = thread_of("user")
    value = b'{"id": "p", "source": "program", "native": {"role": "user", "content": "cwd: /srv"}}'
    thread.publish(Published(b"thread", value))
    assert thread.view.totals.turns == 1
    assert [group.kind for group in thread.view.groups.values()] == [GroupKind.USER, GroupKind.ASSISTANT_TEXT]


def test_a_result_without_a_call_in_a_compacted_thread_is_refused_with_the_truth() -> None:
    thread = Thread(small_engine())
    for _ in range(20):
        thread.add("user", 30)
        thread.add("assistant", 30)
    assert thread.view.totals.compactions
    value = b'{"id": "r", "native": {"role": "tool", "tool_call_id": "never made", "content": "7 m"}}'
    said = reason(thread.publish(Published(b"thread", value)))
    assert "has left the context" in said
    assert "publish what the tool found as a new message" in said


def test_a_message_of_reasoning_and_text_is_no_reasoning_alone() -> None:
    reasoning, text = ReasoningPart(content="hm"), TextPart(content="so")
    assert is_reasoning_only(Message(role="assistant", parts=(reasoning,)))
    assert not is_reasoning_only(Message(role="assistant", parts=(reasoning, text)))
    assert not is_reasoning_only(Message(role="assistant"))
    assert not is_reasoning_only(Message(role="user", parts=(reasoning,)))


def test_a_tool_result_in_a_user_message_begins_no_turn() -> None:
    assert starts_turn(Message(role="user"))
    assert not starts_turn(Message(role="user", parts=(ToolCallResponsePart(id="1"),)))
    assert not starts_turn(Message(role="user", parts=(ToolCallResponsePart(id="1"), TextPart(content=" \n"))))
    assert starts_turn(Message(role="user", parts=(ToolCallResponsePart(id="1"), TextPart(content="stop"))))
    assert not starts_turn(Message(role="assistant"))


def test_the_script_of_these_tests_numbers_its_messages() -> None:
    assert [one.value and one.value[:17] for one in play([Move("user"), Move("user")])] == [
        b'{"id": "thread-1"',
        b'{"id": "thread-2"',
    ]
