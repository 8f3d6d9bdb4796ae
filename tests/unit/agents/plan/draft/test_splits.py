"""Split points: what each rule keeps word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drafts import AROUND, BUDGET, assistant, draft, exchange, user
from support.strategies import patient

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.draft.splits import before_split
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.steps import AnySplit, RecentFraction, RecentTurns, TailTokens, UserMessages

#: Five turns of a question, a tool and an answer; a group costs 10, 30 and 20 tokens.
TALK: list[MessageInput] = [
    message for turn in range(5) for message in [user(10 - AROUND), *exchange(f"c{turn}", 3), assistant(20 - AROUND)]
]


def taken(one: Draft, *splits: AnySplit) -> list[str]:
    """First messages of the groups that a step may take."""
    return [group.ids[0] for group in before_split(one, splits)]


def _beside_kept(tokens: int) -> Draft:
    """A draft whose target leaves so many tokens beside what is kept."""
    lower = draft(TALK).kept_tokens + tokens
    return draft(TALK, budget=TokenBudget(limit_tokens=2 * lower, upper_tokens=lower + 50, lower_tokens=lower))


def test_what_the_groups_of_these_tests_cost() -> None:
    assert [group.tokens for group in draft(TALK).groups[:3]] == [10, 30, 20]


def test_without_a_rule_everything_that_may_go_is_taken() -> None:
    assert taken(draft(TALK)) == [group.ids[0] for group in draft(TALK).groups if group.kept is None]


def test_user_messages_stay_newest_first_up_to_their_tokens() -> None:
    # m0 and m16 are kept anyway and take no room.
    assert "m4" not in taken(draft(TALK), UserMessages(tokens=30))
    assert [key for key in ("m4", "m8", "m12") if key in taken(draft(TALK), UserMessages(tokens=20))] == ["m4"]


def test_user_messages_take_no_more_than_their_part_of_what_kept_messages_leave() -> None:
    one = _beside_kept(40)
    half = UserMessages(tokens=1_000, fraction_max=0.5)

    assert [key for key in ("m4", "m8", "m12") if key not in taken(one, half)] == ["m8", "m12"]


def test_a_user_message_that_is_too_large_leaves_room_for_others() -> None:
    one = draft([user(), user(6), user(99), user(6), user()])

    assert taken(one, UserMessages(tokens=30)) == ["m2"]


def test_an_older_word_does_not_stay_where_a_newer_one_has_no_room() -> None:
    one = draft([user(), user(6), user(20), user(6), user()])

    assert taken(one, UserMessages(tokens=30)) == ["m1", "m2"]


def test_a_recent_fraction_begins_at_the_next_user_message() -> None:
    # Of 300 tokens, 87 reach to the tool of the fourth turn: a user speaks next in the fifth. Three more reach the
    # question.
    assert taken(draft(TALK), RecentFraction(fraction=0.29))[-1] == "m15"
    assert taken(draft(TALK), RecentFraction(fraction=0.3))[-1] == "m11"


def test_a_recent_fraction_without_a_user_message_is_cut_where_it_may_be_cut() -> None:
    one = draft([user(), assistant(96), *exchange("a", 17), *exchange("b", 17), assistant()])

    assert taken(one, RecentFraction(fraction=0.35)) == ["m1", "m2"]


def test_recent_turns_stay_whole_where_they_fit() -> None:
    assert taken(draft(TALK), RecentTurns(turns=2, turn_tokens_min=60)) == [
        "m1",
        "m3",
        "m4",
        "m5",
        "m7",
        "m8",
        "m9",
        "m11",
    ]


def test_of_a_turn_that_is_too_large_only_the_end_stays() -> None:
    split = RecentTurns(turns=2, fraction=0.01, turn_tokens_min=20, turn_tokens_max=49)

    assert taken(draft(TALK), split)[-3:] == ["m12", "m13", "m17"]


@pytest.mark.parametrize(
    ("split", "budget", "room_tokens"),
    [
        (RecentTurns(turns=1, fraction=0.1, turn_tokens_min=20, turn_tokens_max=200), BUDGET, 100),
        (RecentTurns(turns=1, fraction=0.1, turn_tokens_min=150, turn_tokens_max=200), BUDGET, 150),
        (RecentTurns(turns=1, fraction=0.9, turn_tokens_min=20, turn_tokens_max=200), BUDGET, 200),
        (RecentTurns(turns=1, fraction=0.9, turn_tokens_min=20, turn_tokens_max=999), BUDGET, 300),
    ],
    ids=["between", "at least", "at most", "half of the target"],
)
def test_what_a_turn_may_keep_is_clamped(split: RecentTurns, budget: TokenBudget, room_tokens: int) -> None:
    one = draft([user(), *(assistant(10 - AROUND) for _ in range(50)), assistant()], budget=budget)

    assert len(taken(one, split)) == 50 - room_tokens // 10


def test_the_tail_holds_the_newest_groups_that_fit() -> None:
    # The latest question and the newest answer are kept anyway and cost nothing.
    assert taken(draft(TALK), TailTokens(tokens=50))[-1] == "m13"
    assert taken(draft(TALK), TailTokens(tokens=49))[-1] == "m15"
    assert taken(draft(TALK), TailTokens(tokens=80))[-1] == "m12"


def test_the_tail_takes_no_more_than_its_part_of_what_kept_messages_leave() -> None:
    one = _beside_kept(100)

    assert taken(one, TailTokens(tokens=1_000, fraction_max=0.5)) == taken(draft(TALK), TailTokens(tokens=50))


def test_several_rules_keep_what_any_of_them_keeps() -> None:
    one = draft(TALK)
    tail, users = TailTokens(tokens=50), UserMessages(tokens=1_000)

    assert set(taken(one, tail, users)) == set(taken(one, tail)) & set(taken(one, users))


SPLITS = st.lists(
    st.one_of(
        st.builds(UserMessages, tokens=st.integers(1, 400)),
        st.builds(RecentFraction, fraction=st.floats(0.01, 1)),
        st.builds(RecentTurns, turns=st.integers(1, 6), fraction=st.floats(0.01, 1), turn_tokens_min=st.just(1)),
        st.builds(TailTokens, tokens=st.integers(1, 400)),
    ),
    max_size=3,
)
SIZES = st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.integers(1, 80)), min_size=1, max_size=20)


@patient
@given(SIZES, SPLITS)
def test_the_latest_user_message_is_never_taken_and_no_group_is_torn(
    sizes: list[tuple[str, int]], splits: list[AnySplit]
) -> None:
    said: list[MessageInput] = [user()]
    for place, (kind, size) in enumerate(sizes):
        said += {"user": [user(size)], "assistant": [assistant(size)], "tool": exchange(f"c{place}", size)}[kind]
    one = draft(said)

    groups = before_split(one, splits)

    assert all(group.kept is None for group in groups)
    assert any(group.kept == KeepReason.LATEST_USER for group in one.groups)
    assert groups == [group for group in one.groups if group in groups]


def test_more_turns_than_there_are_keep_all_of_them_and_take_no_longer() -> None:
    assert taken(draft(TALK), RecentTurns(turns=10**15)) == taken(draft(TALK), RecentTurns(turns=5))
