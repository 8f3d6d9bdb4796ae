"""Results of earlier turns become distillations with a pointer; recent, small, anchoring and distilled ones stay."""

from typing import Any

import msgspec
import pytest
from support.drafts import assistant, calls, draft, exchange, result, shown, take, text, texts, user
from support.fresh_secrets import SECRETS
from support.tool_thread import lines

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import DistillToolResults
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart

STEP = DistillToolResults(tokens_min=100)
LARGE = lines(60)


def changed(one: Draft) -> list[str]:
    return [item.ids[0] for group in one.groups for item in group.items if item.action is Action.EXTERNALIZE]


def with_durability(one: Draft, durability: Durability) -> Draft:
    """The draft, its results as durable as that."""
    for _, item in one.results():
        item.entry = msgspec.structs.replace(item.entry, durability=durability)
    return one


def test_an_old_result_becomes_a_distillation_that_says_where_the_whole_is() -> None:
    talk = [user(), *exchange("a", LARGE, tool="read_levels"), user(), assistant()]

    one = take(STEP, draft(talk))

    name = artifact_id(talk[2].message)
    found = text(shown(one)[2])
    assert found.startswith(f"[Distilled tool output - artifact:{name}] ")
    assert "of read_levels, distilled as" in found
    assert f'read_artifact("{name}")' in found
    assert len(found) < len(LARGE) / 2
    assert shown(one)[2].answered_ids == ("a",)
    assert shown(one)[1] == talk[1].message
    assert changed(one) == ["m2"]
    assert one.groups[1].items[1].artifact_id == name


@pytest.mark.parametrize(("keep_turns", "expected"), [(0, ["m2", "m5"]), (1, ["m2", "m5"]), (2, ["m2"]), (3, [])])
def test_results_of_the_last_turns_stay(keep_turns: int, expected: list[str]) -> None:
    talk = [user(), *exchange("a", LARGE), user(), *exchange("b", LARGE), user()]

    assert changed(take(DistillToolResults(tokens_min=100, keep_turns=keep_turns), draft(talk))) == expected


def test_a_small_result_stays_even_beside_a_large_one_and_beside_an_image() -> None:
    picture = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}]
    answers: dict[str, Any] = {"a": LARGE, "b": lines(10), "c": picture, "d": [{"type": "text", "text": LARGE}]}
    parts = tuple(ToolCallResponsePart(id=key, response=response) for key, response in answers.items())
    talk = [user(), calls(*answers), MessageInput(Message(role="user", parts=parts)), user()]

    (_, _, message, _) = shown(take(STEP, draft(talk)))

    found = [part.response for part in message.parts if isinstance(part, ToolCallResponsePart)]
    assert found[1:3] == [lines(10), picture]
    assert all(one.startswith("[Distilled tool output") for one in (found[0], found[3]))


def test_only_small_results_beside_an_image_stay_all() -> None:
    picture = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}]
    parts = (ToolCallResponsePart(id="a", response=picture), ToolCallResponsePart(id="b", response=lines(10)))
    talk = [user(), calls("a", "b"), MessageInput(Message(role="user", parts=parts)), user()]

    assert changed(take(STEP, draft(talk))) == []


def test_what_everything_rests_on_stays() -> None:
    talk = [user(), *exchange("a", LARGE), user()]

    assert changed(take(STEP, with_durability(draft(talk), Durability.ANCHORING))) == []
    assert changed(take(STEP, with_durability(draft(talk), Durability.NON_REPLAYABLE))) == ["m2"]


def test_pinned_results_stay() -> None:
    talk = [user(), calls("a"), result("a", LARGE, pinned=True), user()]

    assert changed(take(STEP, draft(talk))) == []


def test_a_result_that_others_have_claimed_is_left_to_them() -> None:
    one = draft([user(), *exchange("a", LARGE), user()])
    claimed = Message(role="tool", parts=(ToolCallResponsePart(id="a", response="claimed by somebody else"),))
    one.execute(Proposal(Action.CLEAR, ("m2",), "mine", claimed), "other")

    assert shown(take(STEP, one))[2] == claimed


def test_secrets_are_masked_in_it() -> None:
    one = take(STEP, draft([user(), *exchange("a", f"{LARGE}\nerror: TOKEN={SECRETS['token']}"), user()]))

    assert SECRETS["token"] not in texts(one)[2]


@pytest.mark.parametrize("kind", [EntryKind.DISTILLED, EntryKind.STUB, EntryKind.POINTER])
def test_what_stands_for_more_already_is_not_distilled_again(kind: EntryKind) -> None:
    one = draft([user(), *exchange("a", LARGE), user()])
    item = one.groups[1].items[1]
    item.entry = msgspec.structs.replace(item.entry, kind=kind)

    assert changed(take(STEP, one)) == []
