"""Room that a plan has left over: what was cut gets it back, as far as the target allows."""

from support.drafts import draft, exchange, system, take, user

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.last_resort import make_room
from tailrace.agents.plan.refill import LEFT_TOKENS_MIN, give_back
from tailrace.agents.plan.steps.tier_caps import cap_tiers
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.policy import Tiers
from tailrace.schemas.policy.steps import ExpireToolResults, ToolRetention
from tailrace.schemas.records.compaction import Action

BUDGET = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)
TALK = [user(), *exchange("a", 200), *exchange("b", 200), *exchange("c", 200), user()]
EXPIRE = ExpireToolResults(default=ToolRetention(keep_turns=1), when_needed=True)
UNCAPPED = Tiers(tool_results_fraction=None)


def results(one: Draft) -> list[Item]:
    return [item for group in one.groups for item in group.items if item.entry.answers]


def actions(one: Draft) -> list[Action]:
    return [item.action for item in results(one)]


def test_the_newest_results_come_back_whole_and_the_sum_is_right() -> None:
    one = take(EXPIRE, draft(TALK, budget=BUDGET))

    give_back(one, UNCAPPED)

    assert actions(one)[1:] == [Action.INCLUDE, Action.INCLUDE]
    assert one.tokens == sum(group.tokens for group in one.groups) + one.overhead_tokens <= one.target_tokens


def test_what_is_restored_is_as_if_it_had_never_been_touched() -> None:
    one = take(EXPIRE, draft(TALK, budget=BUDGET))

    give_back(one, UNCAPPED)

    item = results(one)[-1]
    assert (item.replacement, item.artifact_id, item.strategy, item.reason) == (None, None, "", "")
    assert item.tokens == item.before_tokens


def test_a_capped_result_grows_as_far_as_there_is_room() -> None:
    one = draft([user(), *exchange("a", 500), user()], budget=BUDGET)
    one.target_tokens = 400
    cap_tiers(one, Tiers(tool_results_fraction=0.15))
    before = results(one)[0].tokens

    give_back(one, UNCAPPED)

    item = results(one)[0]
    assert item.action is Action.EXTERNALIZE
    assert before < item.tokens < item.before_tokens
    assert 400 - 2 * LEFT_TOKENS_MIN < one.tokens <= 400


def test_a_system_prompt_gets_its_words_back_before_anything_else() -> None:
    one = draft([system(900), *exchange("a", 100), user(100), user()], budget=BUDGET)
    make_room(one, 0.3)
    before = one.groups[0].tokens
    one.target_tokens = one.tokens + 200

    give_back(one, UNCAPPED)

    assert one.groups[0].tokens > before + 150


def test_no_room_is_given_beyond_the_upper_mark() -> None:
    one = take(EXPIRE, draft(TALK, budget=TokenBudget(limit_tokens=1_000, upper_tokens=150, lower_tokens=100)))
    one.target_tokens = 600

    give_back(one, UNCAPPED)

    assert Action.INCLUDE not in actions(one)
    assert one.tokens <= 150


def test_no_tier_grows_beyond_its_cap_while_others_can_use_the_room() -> None:
    one = draft([system(900), *TALK], budget=BUDGET)
    make_room(one, 0.3)
    take(EXPIRE, one)
    one.target_tokens = one.tokens + 400

    give_back(one, Tiers(tool_results_fraction=0.1))

    assert one.groups[0].tokens > 600
    assert sum(item.tokens for item in results(one)) <= 0.1 * BUDGET.limit_tokens


def test_what_nobody_else_can_use_goes_to_the_newest_that_a_cap_has_cut() -> None:
    one = take(EXPIRE, draft(TALK, budget=BUDGET))

    give_back(one, Tiers(tool_results_fraction=0.3))

    assert actions(one)[1:] == [Action.INCLUDE, Action.INCLUDE]
    assert one.target_tokens - LEFT_TOKENS_MIN * 2 < one.tokens <= one.target_tokens


def test_a_cleared_result_that_does_not_fit_whole_comes_back_in_part() -> None:
    one = take(EXPIRE, draft(TALK, budget=BUDGET))
    one.target_tokens = one.tokens + 100

    give_back(one, UNCAPPED)

    *older, newest = results(one)
    assert [item.action for item in older] == [Action.CLEAR, Action.CLEAR]
    assert (newest.action, newest.artifact_id) == (Action.EXTERNALIZE, newest.whole_id)
    assert newest.tokens < newest.before_tokens
    assert one.tokens <= one.target_tokens


def test_retention_that_is_no_matter_of_room_stays() -> None:
    strict = ExpireToolResults(default=ToolRetention(keep_turns=1))
    one = take(strict, draft(TALK, budget=BUDGET))

    give_back(one, UNCAPPED)

    assert actions(one) == [Action.CLEAR] * 3


def test_what_one_step_has_cut_for_good_no_other_brings_back() -> None:
    strict = ExpireToolResults(tools={"look": ToolRetention(keep_turns=1)}, default=ToolRetention())
    one = take(EXPIRE, take(strict, draft(TALK, budget=BUDGET)))
    cap_tiers(one, Tiers(tool_results_fraction=0.01))

    give_back(one, UNCAPPED)

    assert Action.INCLUDE not in actions(one)
