"""The floor: the oldest go first, summaries last."""

from support.drafts import AROUND, assistant, draft, exchange, live, take, user, words

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.steps import Truncate
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart


def towards(target_tokens: int) -> Draft:
    budget = TokenBudget(limit_tokens=1_000, upper_tokens=900, lower_tokens=target_tokens)
    talk = [user(1), assistant(100 - AROUND), *exchange("a", 73), assistant(100 - AROUND), user(1)]
    return draft(talk, budget=budget)


def test_no_more_goes_than_the_target_asks_for() -> None:
    for target_tokens, left in ((310, 6), (309, 5), (210, 5), (209, 3), (0, 2)):
        assert len(live(take(Truncate(), towards(target_tokens)))) == left


def test_a_call_goes_with_its_result() -> None:
    assert live(take(Truncate(), towards(150))) == ["m0", "m4", "m5"]


def test_a_summary_goes_when_nothing_else_is_left() -> None:
    for target_tokens, left in ((150, ["m0", "m1", "m5"]), (20, ["m0", "m5"])):
        one = towards(target_tokens)
        summary = Message(role="assistant", parts=(CompactionPart(content=words(40)),))
        one.execute(Proposal(Action.SUMMARIZE, ("m1",), "old", summary), "summarize")
        assert live(take(Truncate(), one)) == left
