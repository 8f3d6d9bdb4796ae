"""The engine on a plain list: in as many plans as it takes, and within exactly the budget that was given."""

from pathlib import Path

import pytest
from support.drafts import assistant, calls, count, result, system, text, user

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, compact, with_limit
from tailrace.agents.plan import planner
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.policy.files import open_policy

LIMIT_TOKENS = 2_000


def short_messages(number: int) -> list[MessageInput]:
    return [
        system("be brief"),
        *(said for place in range(number // 2) for said in (user(f"is it {place}"), assistant())),
    ]


@pytest.mark.parametrize("name", ["default", "codex", "kaged"])
def test_tens_of_thousands_of_short_messages_come_out_under_budget_in_one_record(name: str) -> None:
    done = compact(short_messages(25_000), Engine(open_policy(name, Path()), count), budget_tokens=LIMIT_TOKENS)

    assert done.plan.before_tokens > 100_000
    assert done.tokens <= done.plan.budget.lower_tokens
    assert done.plan.reason is None
    assert done.record is not None
    named = [key for decision in done.record.decisions for key in decision.span.ids]
    assert len(named) == len(set(named)) > 20_000


@pytest.mark.parametrize("name", ["default", "codex", "kaged"])
def test_what_one_record_can_t_name_takes_several_plans(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "LISTED_BYTES_MAX", 10_000)
    monkeypatch.setattr(planner, "SPANS_APART_MAX", 10)

    done = compact(short_messages(6_000), Engine(open_policy(name, Path()), count), budget_tokens=LIMIT_TOKENS)

    assert done.tokens <= done.plan.budget.upper_tokens
    assert not done.plan.unfinished
    assert done.view.epoch > 2


def test_a_budget_is_the_limit_but_for_what_is_injected_into_each_request() -> None:
    policy = Policy(injection_reserve_tokens=300, output_reserve_tokens=9_000)

    assert with_limit(policy, 1_000).limit_tokens(1_000) == 700


def test_a_system_prompt_larger_than_the_budget_is_shortened_once() -> None:
    engine = Engine(Policy(), count)
    talk = [system(40_000), *(said for _ in range(20) for said in (user(100), assistant(100)))]

    once = compact(talk, engine, budget_tokens=8_000)
    twice = compact(once.messages, engine, budget_tokens=8_000)

    assert once.tokens <= once.plan.budget.limit_tokens
    assert twice.messages == once.messages


def test_a_late_result_that_is_shortened_stays_a_message_of_its_own() -> None:
    talk = [user("Read it"), calls("x"), result("x", 150), user("hurry"), result("x", 60)]
    engine = Engine(Policy(), count)

    once = compact(talk, engine, budget_tokens=80)
    twice = compact(once.messages, engine, budget_tokens=80)

    assert not [message for message in once.messages if message.answered_ids]
    assert "[Late result of tool call x]" in text(once.messages[-1])
    assert "[Externalized Content" in text(once.messages[-1])
    assert twice.messages == once.messages
