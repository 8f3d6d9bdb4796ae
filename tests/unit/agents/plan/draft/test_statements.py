"""What people state is read once one of their messages may leave, and then as if it had been read from the start."""

from dataclasses import replace
from itertools import product

import msgspec
import pytest
from support.drafts import (
    answer_with_words,
    assistant,
    calls,
    count,
    draft,
    exchange,
    situation,
    system,
    user,
    words,
)

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, compact
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.draft.statements import PlanStatements
from tailrace.agents.plan.plan import Change
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.situation import Situation
from tailrace.agents.plan.steps.registry import may_take_words, spare_words
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.policy import Keep, Policy, Tiers
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseRepeats,
    Custom,
    ExpireToolResults,
    ReadySummaries,
    ReferenceMedia,
    ShortenArguments,
    SlidingWindow,
    Summarize,
    TailTokens,
    Truncate,
    UserMessages,
)
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.ledger import Directive, DirectiveKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import BlobPart, TextPart

RULE = "Never open gate 7 at night."
#: m2 states a rule; m0 and m5 are the first and the latest of the user.
TALK = [user("Help me."), assistant(9), user(RULE), *exchange("a", 40), user("Go on."), assistant(9)]


def statements(held: tuple[Directive, ...] = ()) -> tuple[PlanStatements, Draft]:
    one = draft(TALK)
    items = [item for group in one.groups for item in group.items]
    return PlanStatements(items, held, (), is_first=not held), one


def test_what_the_agent_did_and_said_may_leave_while_all_that_people_say_stays() -> None:
    stated, one = statements()
    one.execute(Proposal(Action.DROP, ("m1", "m3", "m4"), "because", None), "drop")

    assert stated.stay(one)
    assert (stated.are_read, stated.directives.items) == (False, [])


@pytest.mark.parametrize("action", [Action.DROP, Action.EXTERNALIZE])
def test_a_message_of_people_that_leaves_or_is_cut_does_not_stay(action: Action) -> None:
    stated, one = statements()
    shorter = Message(role="user", parts=(TextPart(content="Never"),)) if action is Action.EXTERNALIZE else None
    one.execute(Proposal(action, ("m2",), "because", shorter, "a1" if shorter else None), "step")

    assert not stated.stay(one)


def test_what_is_read_is_what_people_and_a_ledger_state() -> None:
    old = Directive(kind=DirectiveKind.RULE, text="Always ask before you open a gate.", source="gone")
    stated, _ = statements((old,))
    stated.read()

    assert stated.are_read
    assert {rule.text for rule in stated.directives.items} == {old.text, RULE}


@pytest.mark.parametrize(
    ("step", "may"),
    [
        (CollapseRepeats(), False),
        (ReferenceMedia(), False),
        (ExpireToolResults(), False),
        (ShortenArguments(), False),
        (ReadySummaries(), False),  # there are none
        (Summarize(keep=(UserMessages(),)), False),
        (Summarize(keep=(TailTokens(tokens=20),)), True),
        (SlidingWindow(groups=2), True),
        (Truncate(), True),
        (Custom(name="mine"), True),
    ],
)
def test_which_steps_may_take_what_people_say(step: AnyStep, may: bool) -> None:  # noqa: FBT001  a table
    assert may_take_words(step, draft(TALK)) is may


@pytest.mark.parametrize(
    ("steps", "spared"),
    [
        ((), False),  # the oldest go
        ((ExpireToolResults(),), False),
        ((ExpireToolResults(), Summarize(keep=(UserMessages(),))), True),
        ((Summarize(keep=(UserMessages(),)), Truncate()), False),
    ],
)
def test_which_policies_may_do_without_taking_what_people_say(steps: tuple[AnyStep, ...], spared: bool) -> None:  # noqa: FBT001  a table
    assert spare_words(steps, draft(TALK)) is spared


@pytest.mark.parametrize(("place", "may"), [(1, True), (8, False)])
def test_a_picture_of_people_that_has_grown_old_cuts_what_they_said(place: int, may: bool) -> None:  # noqa: FBT001  a table
    picture = BlobPart(content="aaaa", modality="image", mime_type="image/png")
    shown = MessageInput(Message(role="user", parts=(TextPart(content="Look."), picture)))

    assert may_take_words(ReferenceMedia(), draft([*TALK[:place], shown, *TALK[place:], user("And?")])) is may


PLACES = ("mill", "weir", "ferry", "forge", "quarry", "chapel", "orchard", "tannery", "bridge", "stable")


def long_talk(asides: int) -> list[MessageInput]:
    """Turns of a person who states a rule in each, with more or less beside it, and of an agent who works."""
    turns = [system("You look after the gates.")]
    for number, place in enumerate(PLACES):
        turns += [
            user(f"Never open the {place} gate after {number + 3} pm. " + "It is old. " * asides),
            *exchange(f"c{number}", 60),
            assistant(f"The {place} is done, and I went on to the next of them. " * 4),
        ]
    return turns


@pytest.mark.parametrize(("budget_tokens", "asides"), [*product(range(550, 1_000, 30), (0, 6, 12))])
def test_every_rule_is_in_the_context_whether_its_message_leaves_or_not(budget_tokens: int, asides: int) -> None:
    done = compact(long_talk(asides), Engine(Policy(), count), budget_tokens=budget_tokens)
    written = msgspec.json.encode(done.messages).decode()

    assert done.tokens <= budget_tokens
    assert [number for number, place in enumerate(PLACES) if f"{place} gate after {number + 3} pm" not in written] == []


# Whatever takes a message of people, the plan is the one that reads what they state from the start

KEEPS_USERS = Summarize(keep=(UserMessages(tokens=5_000, fraction_max=1.0),))
HOOKED = [user("Help me."), user(RULE, source="hook"), *long_talk(0)[1:], user("Go on."), assistant(9)]
CUT = {
    "a source that goes first": (HOOKED, Policy(keep=Keep(sources={"hook": "drop"}), steps=(KEEPS_USERS,))),
    "a cap": (long_talk(9), Policy(tiers=Tiers(user_fraction=0.05), steps=(KEEPS_USERS,))),
    "a prompt that is too long": ([system(f"{RULE} {words(600)}"), *long_talk(0)[1:]], Policy(steps=(KEEPS_USERS,))),
    "words beside a result": (
        [*long_talk(0), calls("late"), answer_with_words("late", 200, RULE), *long_talk(0)[1:9], user("Go on.")],
        Policy(steps=(ExpireToolResults(), KEEPS_USERS)),
    ),
}
LIMITS = [*range(300, 1_100, 40)]


def in_need(name: str, limit_tokens: int) -> Situation:
    said, policy = CUT[name]
    ids = [replace(one, message=_with_ids(one.message, place)) for place, one in enumerate(said)]
    budget = TokenBudget(limit_tokens, int(limit_tokens * 0.85), int(limit_tokens * 0.6))
    return situation(ids, policy, budget=budget)


def _with_ids(message: Message, place: int) -> Message:
    """The same message with calls of its own: turns are said twice here."""
    if message.call_ids or message.answered_ids:
        place -= bool(message.answered_ids)
        parts = [
            msgspec.structs.replace(part, id=f"c{place}") if hasattr(part, "id") else part for part in message.parts
        ]
        return msgspec.structs.replace(message, parts=tuple(parts))
    return message


@pytest.mark.parametrize("name", CUT)
def test_a_plan_leaves_all_words_or_is_as_if_it_had_read_them_from_the_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = {limit: make_plan(in_need(name, limit)) for limit in LIMITS}
    monkeypatch.setattr("tailrace.agents.plan.planner.spare_words", lambda _steps, _draft: False)
    reading = {limit: make_plan(in_need(name, limit)) for limit in LIMITS}

    taken = {limit for limit, plan in plans.items() if any(_is_said(change) for change in plan.changes)}
    assert taken
    assert {limit: plans[limit] for limit in taken} == {limit: reading[limit] for limit in taken}


def _is_said(change: Change) -> bool:
    return change.first.role in {"user", "system"}


@pytest.mark.parametrize("name", CUT)
def test_statements_that_can_not_be_read_cost_a_plan_only_its_ledger(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("odd words")

    monkeypatch.setattr("tailrace.agents.ledger.book.Book.note_directives", fail)
    plans = [make_plan(in_need(name, limit)) for limit in LIMITS]

    skipped = {step.strategy for plan in plans for step in plan.skipped}
    assert skipped == {"ledger"}
    assert all(plan.after_tokens <= plan.budget.limit_tokens or plan.reason for plan in plans)
