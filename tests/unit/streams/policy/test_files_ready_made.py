"""Each ready-made policy, on a generated conversation, does what the system that it is named after does."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.entrance import CountedEvent
from tailrace.agents.engine.offline import CompactedConversation, carry_out, conversation, plan_for
from tailrace.agents.engine.thread import step
from tailrace.agents.messages.wording import PRUNED_PREFIX
from tailrace.agents.plan.policy_warnings import policy_warnings
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.agents.tokens.counts import count_message
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.generation.json_schema import documents
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.event import DEFAULT_TENANT, Event
from tailrace.schemas.records.kafka_records import ContextChange
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.streams.policy.files import open_policy, ready_made, ready_made_names

WINDOW = 128_000
SCHEMA = Draft202012Validator(documents()["policy"])


class FourCharacters:
    """Counts a token for every four characters, so that sizes in these tests can be said in tokens."""

    encoding = "four"

    def count_text(self, text: str) -> int:
        return len(text) // 4


def count(message: Message, _model: str | None = None) -> int:
    return count_message(message, FourCharacters())


def policy(name: str) -> Policy:
    return open_policy(name, Path())


def text(tokens: int, about: str) -> str:
    """Text that costs about so many tokens, and is different for each subject."""
    return " ".join(f"{about} step {number} done" for number in range(1 + tokens // 3))[: tokens * 4]


@dataclass(frozen=True)
class Turn:
    """What one turn costs: what the user says, and what a tool answers."""

    user_tokens: int = 50
    result_tokens: int = 2_000
    tool: str = "grep"


def talk(*turns: Turn) -> list[Message]:
    """A system prompt, and for each turn a question, a call, its result and an answer."""
    messages = [Message(role="system", parts=(TextPart(content="You are careful."),))]
    for number, turn in enumerate(turns):
        call = ToolCallPart(id=f"call-{number}", name=turn.tool, arguments='{"q": "x"}')
        result = ToolCallResponsePart(id=call.id, response=text(turn.result_tokens, f"line{number}"))
        messages += [
            Message(role="user", parts=(TextPart(content=text(turn.user_tokens, f"ask{number}")),)),
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(result,)),
            Message(role="assistant", parts=(TextPart(content=text(100, f"answer{number}")),)),
        ]
    return messages


@dataclass(frozen=True)
class Outcome:
    """A conversation after a compaction, with what it was before."""

    before: list[Message]
    budget: TokenBudget
    done: CompactedConversation

    @property
    def after(self) -> list[Message]:
        return self.done.messages

    @property
    def verbatim(self) -> list[Message]:
        return [message for message in self.after if message in self.before]

    @property
    def summaries(self) -> list[Message]:
        return [message for message in self.after if any(isinstance(part, CompactionPart) for part in message.parts)]

    @property
    def steps(self) -> set[str]:
        """Steps that changed something in the end."""
        return {change.strategy for change in self.done.plan.changes}

    @property
    def pruned(self) -> list[int]:
        """Places of the results that are stubs now."""
        return [place for place, result in enumerate(results(self.after)) if result.startswith(PRUNED_PREFIX)]


def compact(name: str, messages: list[Message], window_tokens: int = WINDOW) -> Outcome:
    engine = Engine(policy(name), count)
    said = conversation(messages, engine)
    budget = budget_for(engine.policy, window_tokens, prefix_tokens=said.view.system_tokens)
    return Outcome(messages, budget, carry_out(said, plan_for(said, engine, budget), engine))


def results(messages: list[Message]) -> list[str]:
    parts = (part for message in messages for part in message.parts)
    return [part.response for part in parts if isinstance(part, ToolCallResponsePart)]


def tokens(messages: list[Message]) -> int:
    return sum(count(message) for message in messages)


def users(messages: list[Message]) -> list[Message]:
    """What people said; a summary that travels as a user message is no such thing."""
    return [message for message in messages if message.role == "user" and isinstance(message.parts[0], TextPart)]


@pytest.mark.parametrize("name", ready_made_names())
def test_every_file_is_a_policy_under_its_own_name_that_says_whose_behaviour_it_is(name: str) -> None:
    assert policy(name).name == name
    assert policy_warnings(policy(name)) == []
    assert SCHEMA.is_valid(msgspec.json.decode(msgspec.json.encode(policy(name))))
    about = ready_made(name).about
    assert name == "default" or ("Not expressed:" in about and about.split("\n")[0].endswith("."))


def test_the_ready_made_policies_are_different_from_each_other() -> None:
    hashes = {policy(name).hash for name in ready_made_names()}
    assert len(hashes) == len(ready_made_names()) == 9


@pytest.mark.parametrize("name", ready_made_names())
def test_every_ready_made_policy_brings_a_long_conversation_under_its_lower_mark(name: str) -> None:
    outcome = compact(name, talk(*[Turn()] * 80))
    assert outcome.done.plan.skipped == ()
    assert tokens(outcome.before) > outcome.budget.upper_tokens
    assert outcome.done.tokens <= outcome.budget.lower_tokens


@pytest.mark.parametrize(
    ("name", "fraction"),
    [
        ("agent-framework", 0.8 * (1 - 4_096 / WINDOW)),
        ("codex", 0.9),
        ("gemini-cli", 0.5),
        ("kaged", 0.85),
        ("opencode", 1 - 20_000 / WINDOW),
    ],
)
def test_the_upper_mark_is_where_the_system_has_it(name: str, fraction: float) -> None:
    assert budget_for(policy(name), WINDOW).upper_tokens == pytest.approx(fraction * WINDOW, abs=1)


@pytest.mark.parametrize("name", ready_made_names())
def test_below_the_upper_mark_nothing_is_touched(name: str) -> None:
    outcome = compact(name, talk(*[Turn()] * 20))
    assert outcome.after == outcome.before


def test_codex_leaves_the_user_messages_and_a_summary() -> None:
    outcome = compact("codex", talk(*[Turn(user_tokens=100)] * 60))
    assert users(outcome.after) == users(outcome.before)
    assert len(outcome.summaries) == 1
    # The newest group stays in every policy.
    others = [message for message in outcome.verbatim if message.role not in {"user", "system"}]
    assert others == outcome.before[-1:]


def test_codex_keeps_the_newest_20k_tokens_of_what_people_said() -> None:
    outcome = compact("codex", talk(*[Turn(user_tokens=1_000, result_tokens=1_000)] * 60))
    kept = users(outcome.after)
    assert kept == users(outcome.before)[-len(kept) :]
    # The latest takes nothing of the 20k: it would stay anyway.
    assert 18_900 < tokens(kept[:-1]) <= 20_000


def test_gemini_cli_keeps_the_newest_30_percent_from_a_user_message_on() -> None:
    outcome = compact("gemini-cli", talk(*[Turn(user_tokens=900, result_tokens=200)] * 60))
    tail = outcome.verbatim[1:]
    assert tail == outcome.before[-len(tail) :]
    assert tail[0].role == "user"
    assert 0.26 < tokens(tail) / tokens(outcome.before) <= 0.30
    assert len(outcome.summaries) == 1
    assert len(outcome.after) == 1 + 1 + len(tail)


def test_gemini_cli_masks_results_beyond_the_newest_50k_and_that_may_be_enough() -> None:
    outcome = compact("gemini-cli", talk(*[Turn()] * 50))
    assert outcome.summaries == []
    assert outcome.pruned == list(range(len(outcome.pruned)))
    kept = [result for result in results(outcome.after) if not result.startswith(PRUNED_PREFIX)]
    assert 47_000 < sum(len(result) // 4 for result in kept) <= 50_000


def test_opencode_prunes_all_results_but_the_newest_40k_tokens() -> None:
    outcome = compact("opencode", talk(*[Turn()] * 55))
    assert outcome.summaries == []
    assert outcome.pruned == list(range(len(outcome.pruned)))
    kept = [result for result in results(outcome.after) if not result.startswith(PRUNED_PREFIX)]
    assert 37_000 < sum(len(result) // 4 for result in kept) <= 40_000
    assert outcome.done.record is None


def test_opencode_prunes_nothing_where_less_than_20k_tokens_would_be_freed() -> None:
    outcome = compact("opencode", talk(*[Turn(user_tokens=1_000, result_tokens=1_000)] * 54))
    assert sum(len(result) // 4 for result in results(outcome.before)) < 60_000
    assert outcome.pruned == []
    assert len(outcome.summaries) == 1


def test_opencode_never_prunes_a_skill() -> None:
    outcome = compact("opencode", talk(*[Turn(tool="skill")] * 10, *[Turn()] * 46))
    assert outcome.pruned
    assert min(outcome.pruned) == 10


def test_opencode_keeps_the_last_two_turns_each_within_8k_tokens() -> None:
    big = Turn(user_tokens=100, result_tokens=9_000)
    outcome = compact("opencode", talk(*[Turn(user_tokens=1_500, result_tokens=200)] * 60, big, Turn()))
    assert len(outcome.summaries) == 1
    # Of the turn before the last, 9,000 tokens of a result don't fit; what came after it does.
    assert outcome.verbatim[1:] == [outcome.before[-5], *outcome.before[-4:]]


def test_openhands_summarises_the_oldest_until_half_of_the_limit_is_left() -> None:
    outcome = compact("openhands", talk(*[Turn()] * 70))
    assert outcome.verbatim[:2] == outcome.before[:2]
    assert outcome.after[2] == outcome.summaries[0]
    tail = outcome.verbatim[2:]
    assert tail == outcome.before[-len(tail) :]
    assert 0.45 < outcome.done.tokens / outcome.budget.limit_tokens <= 0.5


def stream(name: str, messages: list[Message]) -> ThreadView:
    """The context after every message was published, one after the other."""
    engine = Engine(policy(name), count)
    view = ThreadView()
    for place, message in enumerate(messages):
        event = Event(id=f"m{place}", thread="t", message=message, created_at_ms=place, tenant=DEFAULT_TENANT)
        for emission in step(view, CountedEvent(event, place, count(message), None), engine):
            if isinstance(emission, ContextChange):
                view.apply(emission)
    return view


@pytest.mark.parametrize("name", ["codex", "gemini-cli", "opencode", "openhands"])
def test_an_earlier_summary_goes_into_the_next(name: str) -> None:
    view = stream(name, talk(*[Turn(user_tokens=1_500, result_tokens=500)] * 200))
    assert view.totals.compactions > 1
    assert [entry.kind for entry in view.live()].count(EntryKind.SUMMARY) == 1


def test_kaged_tells_the_oldest_in_a_summary_and_keeps_the_last_turns() -> None:
    outcome = compact("kaged", talk(*[Turn(user_tokens=1_900, result_tokens=200)] * 55))
    assert outcome.pruned == []
    assert outcome.steps == {"summarize"}
    (told,) = [message for message in outcome.after if message not in outcome.before]
    assert "[Context Summary - Turns" in str(told.parts)
    assert sum(change.after_tokens for change in outcome.done.plan.changes) <= 1_500
    assert outcome.after[:2] == outcome.before[:2]
    assert outcome.after[-len(outcome.before[-15:]) :] == outcome.before[-15:]
    assert outcome.done.tokens <= 0.6 * WINDOW


def test_kaged_prunes_first_and_never_what_was_read() -> None:
    outcome = compact("kaged", talk(*[Turn(tool="read", result_tokens=500)] * 10, *[Turn()] * 50))
    assert outcome.pruned[0] == 10
    assert {change.action for change in outcome.done.plan.changes} == {Action.CLEAR}


@pytest.mark.parametrize(("window_tokens", "upper_tokens"), [(200_000, 170_000), (80_000, 63_616), (8_000, 4_000)])
def test_kaged_compacts_at_a_fraction_or_with_little_headroom_left(window_tokens: int, upper_tokens: int) -> None:
    assert budget_for(policy("kaged"), window_tokens).upper_tokens == upper_tokens


def test_agent_framework_collapses_tool_calls_and_keeps_the_last_four() -> None:
    outcome = compact("agent-framework", talk(*[Turn()] * 50))
    assert results(outcome.after) == results(outcome.before)[-4:]
    assert users(outcome.after) == users(outcome.before)
    collapsed = [message for message in outcome.after if message not in outcome.before]
    assert len(collapsed) == 46
    assert all(message.role == "assistant" and "grep" in str(message.parts) for message in collapsed)


def test_agent_framework_removes_tool_calls_before_dialogue_goes() -> None:
    outcome = compact("agent-framework", talk(*[Turn(result_tokens=1)] * 4, *[Turn(result_tokens=25_000)] * 4))
    assert outcome.steps == {"collapse_tool_calls", "remove_tool_calls"}
    assert results(outcome.after) == results(outcome.before)[-1:]
    assert users(outcome.after) == users(outcome.before)


def test_agent_framework_drops_the_oldest_groups_where_all_that_is_not_enough() -> None:
    outcome = compact("agent-framework", talk(*[Turn(user_tokens=1_900, result_tokens=100)] * 54))
    assert "truncate" in outcome.steps
    assert users(outcome.after) == users(outcome.before)[-len(users(outcome.after)) :]


def test_reducer_chain_only_expires_results_where_that_is_enough() -> None:
    outcome = compact("reducer-chain", talk(*[Turn()] * 50))
    assert outcome.steps == {"expire_tool_results"}
    assert results(outcome.after)[:-3] == ["[result expired]"] * 47
    assert results(outcome.after)[-3:] == results(outcome.before)[-3:]
    assert len(outcome.after) == len(outcome.before)


def test_reducer_chain_summarises_the_front_of_what_is_still_too_much() -> None:
    outcome = compact("reducer-chain", talk(*[Turn(user_tokens=1_900, result_tokens=100)] * 54))
    assert "summarize" in outcome.steps
    assert outcome.after[2] == outcome.summaries[0]
    assert outcome.after[-1] == outcome.before[-1]


def test_ladder_takes_the_rungs_in_order_until_it_fits() -> None:
    large = compact("ladder", talk(*[Turn()] * 50))
    assert large.steps == {"externalize"}
    assert results(large.after)[-3:] == results(large.before)[-3:]
    assert all("artifact" in result for result in results(large.after)[:-3])
    small = compact("ladder", talk(*[Turn(user_tokens=800, result_tokens=900)] * 50))
    assert small.steps == {"summarize"}
    assert small.after[-12:] == small.before[-12:]
    assert policy("ladder").order == "ladder"
    assert [step.aggressiveness for step in policy("ladder").steps] == [1, 2, 3, 4]


def test_a_compaction_record_carries_the_hash_of_the_policy() -> None:
    record = compact("codex", talk(*[Turn()] * 80)).done.record
    assert record is not None
    assert record.policy_version == policy("codex").hash
