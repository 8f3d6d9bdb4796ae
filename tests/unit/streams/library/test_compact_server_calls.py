"""Calls that the provider answers itself, in several messages: both halves are sent, or neither."""

from typing import Any

import pytest

from tailrace.schemas.providers.check import violations
from tailrace.schemas.records.message import Format
from tailrace.streams import compact
from tailrace.streams.policy.files import ready_made_names

BUDGETS_TOKENS = (200, 400, 700, 1_200, 2_000, 4_000)

Talk = list[dict[str, Any]]


def use(number: int, name: str) -> dict[str, Any]:
    return {"type": "server_tool_use", "id": f"srv_{number}", "name": name, "input": {"query": "dam " * 30}}


def paused(number: int) -> Talk:
    page = {"type": "web_search_result", "url": "https://x.org", "title": "t", "encrypted_content": "ab12" * 60}
    result = {"type": "web_search_tool_result", "tool_use_id": f"srv_{number}", "content": [page]}
    return [
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "I look it up. " * 20}, use(number, "web_search")],
        },
        {"role": "assistant", "content": [result, {"type": "text", "text": "It is deep. " * 20}]},
    ]


def program(number: int) -> Talk:
    caller = {"type": "code_execution_20250825", "tool_id": f"srv_{number}"}
    talk: Talk = []
    for step in range(2):
        call_id = f"call_{number}_{step}"
        call = {"type": "tool_use", "id": call_id, "name": "query", "input": {"pool": step}, "caller": caller}
        blocks = [call] if step else [use(number, "code_execution"), call]
        result = {"type": "tool_result", "tool_use_id": call_id, "content": "row " * 150}
        talk += [{"role": "assistant", "content": blocks}, {"role": "user", "content": [result]}]
    output = {"type": "code_execution_result", "stdout": "Total 4", "stderr": "", "return_code": 0, "content": []}
    done = {"type": "code_execution_tool_result", "tool_use_id": f"srv_{number}", "content": output}
    return [*talk, {"role": "assistant", "content": [done, {"type": "text", "text": "The sum is 4."}]}]


def sent_halves(sent: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the ids of the provider's calls that a request opens, and of those that it answers.

    An answer counts where the call stands before it.
    """
    opened, answered = [], []
    for message in sent["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            caller_id = block.get("caller", {}).get("tool_id")
            assert caller_id is None or caller_id in opened
            if block["type"] == "server_tool_use":
                opened.append(block["id"])
            elif block["type"].endswith("_tool_result"):
                assert block["tool_use_id"] in opened
                answered.append(block["tool_use_id"])
    return opened, answered


@pytest.mark.parametrize("policy", ready_made_names())
@pytest.mark.parametrize("asked", [True, False], ids=["asked on", "ended"])
@pytest.mark.parametrize("one", [paused, program])
def test_a_provider_s_call_is_sent_with_its_result_or_not_at_all(one: Any, policy: str, *, asked: bool) -> None:
    talk: Talk = [{"role": "user", "content": "Research the dam."}]
    for number in range(6):
        talk += [*one(number), *([{"role": "user", "content": f"And pool {number}?"}] if asked else [])]

    for budget_tokens in BUDGETS_TOKENS:
        sent = compact(talk, policy, budget_tokens=budget_tokens).request(Format.ANTHROPIC_MESSAGES)
        opened, answered = sent_halves(sent)
        assert opened == answered
        assert violations(sent, Format.ANTHROPIC_MESSAGES) == []
    opened, answered = sent_halves(compact(talk, policy, budget_tokens=100_000).request(Format.ANTHROPIC_MESSAGES))
    assert opened == answered == [f"srv_{number}" for number in range(6)]


@pytest.mark.parametrize("policy", ready_made_names())
def test_an_approval_is_sent_with_its_request_or_not_at_all(policy: str) -> None:
    items: Talk = [{"type": "message", "role": "user", "content": "Use the shop."}]
    for number in range(6):
        request = {"type": "mcp_approval_request", "id": f"mcpr_{number}", "server_label": "shop", "name": "buy"}
        made = {"type": "mcp_call", "id": f"mcp_{number}", "server_label": "shop", "name": "buy", "arguments": "{}"}
        items += [
            {**request, "arguments": '{"x": "%s"}' % ("pump " * 60)},
            {"type": "mcp_approval_response", "approval_request_id": f"mcpr_{number}", "approve": True},
            {**made, "approval_request_id": f"mcpr_{number}", "output": "bought " * 40},
            {"type": "message", "role": "user", "content": f"And pump {number}?"},
        ]

    for budget_tokens in (*BUDGETS_TOKENS, 100_000):
        sent = compact(items, policy, budget_tokens=budget_tokens).request(Format.OPENAI_RESPONSES)
        kinds = ("mcp_approval_request", "mcp_approval_response", "mcp_call")
        asked, answered, made = (
            [item.get("approval_request_id", item.get("id", "")) for item in sent["input"] if item.get("type") == kind]
            for kind in kinds
        )
        assert asked == answered == made
        assert violations(sent, Format.OPENAI_RESPONSES) == []


def test_a_turn_that_paused_last_is_sent_as_it_came() -> None:
    talk: Talk = [{"role": "user", "content": "Research the dam."}, paused(0)[0]]
    assert compact(talk).request(Format.ANTHROPIC_MESSAGES) == {"messages": talk}
    waits: Talk = [{"role": "user", "content": "Add up."}, *program(0)[:2]]
    assert compact(waits).request(Format.ANTHROPIC_MESSAGES) == {"messages": waits}


def test_a_call_that_the_provider_never_answered_is_left_out_once_a_person_speaks() -> None:
    talk: Talk = [{"role": "user", "content": "Research."}, paused(0)[0], {"role": "user", "content": "Never mind."}]
    assert sent_halves(compact(talk).request(Format.ANTHROPIC_MESSAGES)) == ([], [])
