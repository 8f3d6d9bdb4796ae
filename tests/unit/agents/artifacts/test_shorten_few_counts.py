"""What has to be cut is counted a few times, whatever it is.

A counter may take a second for a text that is all one word.
"""

import pytest

from tailrace.agents.artifacts.shorten import shorten
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, compact, with_limit
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.tokens.counts import RememberingCount
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

FLOODS = {
    "one character": "-" * 120_000,
    "encoded": "".join("QmFzZTY0"[number * number % 8] for number in range(120_000)),
    "a line of code": "function(e){return e||null};" * 4_300,
    "rulers": "\n".join(f"| {'-' * 60} | {'-' * 60} |" for _ in range(900)),
    "prose": "The works were built in 1911. Never open the gate at night. " * 2_000,
}
#: Characters that a plan may count for each that there is; arrival takes one.
TIMES_MAX = 3


class Counter:
    """Counts tokens, and what it was asked to count. Half of the floods are cheaper than their beginning tells."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, message: Message, _model: str | None = None) -> int:
        chars = sum(len(text_of(part)) for part in message.parts)
        self.asked.append(chars)
        return 4 + int(chars**0.97) // 3


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def conversation(role: str, flood: str) -> list[Message]:
    if role != "tool":
        return [
            said("system", flood if role == "system" else "You help."),
            said("user", flood if role == "user" else "Begin."),
        ]
    call = ToolCallPart(id="c1", name="cat", arguments={"path": "a"})
    typed = (ToolCallResponsePart(id="c1", response="-"), TextPart(content=flood))
    return [said("user", "Begin."), Message(role="assistant", parts=(call,)), Message(role="user", parts=typed)]


@pytest.mark.parametrize("role", ["system", "user", "tool"])
@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("budget_tokens", [4_000, 900, 300])
def test_a_flood_is_cut_after_few_counts(role: str, flood: str, budget_tokens: int) -> None:
    counter = Counter()
    policy = with_limit(Policy(), budget_tokens)

    done = compact(
        [MessageInput(one) for one in conversation(role, FLOODS[flood])],
        Engine(policy, counter),
        budget_tokens=budget_tokens,
    )

    assert done.plan.after_tokens <= budget_tokens
    assert sum(counter.asked) <= TIMES_MAX * len(FLOODS[flood])
    assert sum(chars >= len(FLOODS[flood]) for chars in counter.asked) <= 2


def test_what_a_message_costs_is_not_counted_again_to_cut_it() -> None:
    counter = Counter()
    message = said("user", FLOODS["prose"])
    tokens = counter(message)

    shorter = shorten(message, 500, tokens, counter)

    assert counter(shorter) <= 500
    assert max(counter.asked[1:]) < len(FLOODS["prose"]) // 2


def test_the_same_message_is_counted_once_and_an_equal_one_again() -> None:
    counter = Counter()
    count = RememberingCount(counter)
    one, other = said("user", "Begin."), said("user", "Begin.")

    assert count(one) == count(one) == count(other)
    assert len(counter.asked) == 2
