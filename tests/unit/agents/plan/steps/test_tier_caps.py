"""Caps of the tiers: what one kind of content may take once a compaction is done."""

from support.drafts import (
    AROUND,
    AROUND_RESULT,
    answer_with_words,
    assistant,
    calls,
    draft,
    exchange,
    result,
    shown,
    take,
    user,
)

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.steps.tier_caps import SHORTENED_TOKENS, STRATEGY, cap_tiers
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.policy import Tiers
from tailrace.schemas.policy.steps import CollapseToolCalls, ExpireToolResults, ToolRetention
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart

BUDGET = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)
TWO_HUNDRED = 200 - AROUND_RESULT
#: Three results of 200 tokens.
TALK = [user(), *(said for key in "abc" for said in exchange(key, TWO_HUNDRED)), user(300), assistant()]


def results_tokens(one: Draft) -> list[int]:
    return [item.tokens for group in one.groups for item in group.items if item.entry.answers]


def capped(said: list[MessageInput], tiers: Tiers) -> Draft:
    one = draft(said, budget=BUDGET)
    cap_tiers(one, tiers)
    return one


def test_the_oldest_results_are_shortened_until_all_are_under_the_cap() -> None:
    one = capped(TALK, Tiers(tool_results_fraction=0.45))

    first, second, third = results_tokens(one)
    assert first <= SHORTENED_TOKENS
    assert second < 200
    assert third == 200
    assert 400 < first + second + third <= 450
    item = one.groups[1].items[1]
    assert (item.action, item.strategy, item.artifact_id) == (
        Action.EXTERNALIZE,
        STRATEGY,
        artifact_id(TALK[2].message),
    )


def test_under_the_cap_nothing_happens() -> None:
    assert results_tokens(capped(TALK, Tiers(tool_results_fraction=0.6))) == [200, 200, 200]


def test_without_a_cap_nothing_happens() -> None:
    assert results_tokens(capped(TALK, Tiers(tool_results_fraction=None))) == [200, 200, 200]


def test_nothing_is_capped_where_no_compaction_changes_the_context() -> None:
    small = [user(), *exchange("a", TWO_HUNDRED), user(), assistant()]

    assert results_tokens(capped(small, Tiers(tool_results_fraction=0.01))) == [200]


def test_what_is_kept_counts_but_stays_unless_it_is_only_new() -> None:
    pinned = [calls("a"), result("a", TWO_HUNDRED, pinned=True)]
    talk = [user(300), *pinned, assistant(300, pinned=True), *exchange("b", TWO_HUNDRED)]

    first, newest = results_tokens(capped(talk, Tiers(tool_results_fraction=0.01)))

    assert first == 200
    assert newest <= 100


def test_users_and_assistants_may_be_capped_too() -> None:
    talk = [user(), user(300), assistant(300), user(), assistant()]

    one = capped(talk, Tiers(tool_results_fraction=None, user_fraction=0.2, assistant_fraction=0.25))

    tokens = [item.tokens for group in one.groups for item in group.items]
    assert 100 < tokens[1] <= 200
    assert 150 < tokens[2] <= 250


def test_what_is_left_of_an_expired_result_is_capped_too_and_names_the_whole() -> None:
    one = draft([user(), *exchange("a", 400), user(200), assistant(), user()], budget=BUDGET)
    take(ExpireToolResults(default=ToolRetention(keep_turns=1), preview_chars=1_200), one)
    before = results_tokens(one)[0]
    one.target_tokens = 0

    cap_tiers(one, Tiers(tool_results_fraction=0.15))

    assert 150 < before < 400
    assert results_tokens(one)[0] <= 150
    assert f"] {400 + AROUND_RESULT} tokens" in str(shown(one)[2].parts)


def test_what_stands_for_others_is_not_capped() -> None:
    one = draft([user(), *exchange("a", 400), *exchange("b", 1), user(300), assistant()], budget=BUDGET)
    take(CollapseToolCalls(result_chars_max=1_200), one)
    collapsed = shown(one)[1]

    cap_tiers(one, Tiers(tool_results_fraction=0.05, assistant_fraction=0.05))

    assert shown(one)[1] == collapsed
    assert one.groups[1].tokens > SHORTENED_TOKENS


STOP = "stop at once and delete nothing"


def test_a_cap_on_results_leaves_what_a_person_typed_beside_them_whole() -> None:
    one = capped([user(300), assistant(300), calls("a"), answer_with_words("a", 400, STOP)], Tiers())

    answer, typed = shown(one)[-1].parts
    assert typed == TextPart(content=STOP)
    assert isinstance(answer, ToolCallResponsePart)
    assert answer.id == "a"
    assert "read_artifact" in str(answer.response)
    assert results_tokens(one)[0] <= 300 + AROUND + len(STOP.split())


def test_what_a_person_typed_beside_results_takes_nothing_of_their_cap() -> None:
    talk = [user(), calls("a"), answer_with_words("a", 100, "please " * 200), user(300), assistant()]

    assert results_tokens(capped(talk, Tiers(tool_results_fraction=0.2)))[0] > 300
