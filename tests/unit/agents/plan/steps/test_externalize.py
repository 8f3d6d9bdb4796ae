"""Large messages become pointers with a preview, in their role and in their pair."""

import msgspec
import pytest
from support.drafts import AROUND, assistant, calls, draft, exchange, result, shown, take, text, texts, user, words

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.wording import pointer_text
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import Externalize, TailTokens
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import (
    BlobPart,
    CompactionPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

STEP = Externalize(tokens_min=100, preview_tokens=10, keep=())


def test_a_large_text_becomes_a_pointer_with_its_beginning_and_keeps_its_role() -> None:
    large = user(200)
    talk = [user(), large, assistant(200), user()]

    one = take(STEP, draft(talk))

    name = artifact_id(large.message)
    prefix = pointer_text(name, 200 + AROUND)
    assert [message.role for message in shown(one)] == ["user", "user", "assistant", "user"]
    assert texts(one)[1].startswith(f"{prefix}\nuser0 user1 user2")
    assert 5 < len(texts(one)[1].removeprefix(prefix).split()) < 15
    item = one.groups[1].items[0]
    assert (item.action, item.artifact_id) == (Action.EXTERNALIZE, name)


def test_a_large_result_stays_the_answer_of_its_call() -> None:
    talk = [user(), *exchange("a", 200), assistant()]

    one = take(STEP, draft(talk))

    assert shown(one)[1] == talk[1].message
    assert shown(one)[2].answered_ids == ("a",)
    assert text(shown(one)[2]).startswith(pointer_text(artifact_id(talk[2].message), 212))


@pytest.mark.parametrize(("words_of", "gone"), [(96, True), (95, False)])
def test_small_messages_stay(words_of: int, gone: bool) -> None:  # noqa: FBT001  a parameter of the test
    one = take(STEP, draft([user(), assistant(words_of), assistant()]))

    assert (one.groups[1].items[0].action is Action.EXTERNALIZE) is gone


SUMMARY = Message(role="assistant", parts=(CompactionPart(content=words(150)),))


def test_calls_and_summaries_stay() -> None:
    talk = [user(), calls("a", arguments={"x": words(200)}), assistant(300), user(), user(), user()]
    one = draft(talk)
    one.execute(Proposal(Action.SUMMARIZE, ("m2",), "long", SUMMARY), "summarize")

    take(STEP, one)

    assert shown(one)[1:3] == [talk[1].message, SUMMARY]


def test_summaries_of_earlier_compactions_stay() -> None:
    one = draft([user(), assistant(150), user(), assistant()])
    item = one.groups[1].items[0]
    item.entry = msgspec.structs.replace(
        item.entry, kind=EntryKind.SUMMARY, message=msgspec.Raw(msgspec.json.encode(SUMMARY))
    )

    assert shown(take(STEP, one))[1] == SUMMARY


def test_what_the_split_keeps_stays() -> None:
    talk = [user(), assistant(200), assistant(200), assistant()]
    step = Externalize(tokens_min=100, keep=(TailTokens(tokens=250, fraction_max=0.4),))

    one = take(step, draft(talk))

    assert [item.action for group in one.groups for item in group.items][1:3] == [Action.EXTERNALIZE, Action.INCLUDE]


def test_results_in_one_message_have_previews_of_their_own_and_short_ones_stay() -> None:
    answers = tuple(
        ToolCallResponsePart(id=key, response=f"{key} " * size) for key, size in zip("abc", (90, 90, 3), strict=True)
    )
    message = Message(role="user", parts=(*answers, TextPart(content="and go on")))
    talk = [user(), calls("a", "b", "c"), MessageInput(message), user(), assistant()]

    parts = shown(take(STEP, draft(talk)))[2].parts

    pointer = pointer_text(artifact_id(message), draft(talk).groups[1].items[1].tokens)
    assert [getattr(part, "response", "")[: len(pointer) + 4] for part in parts[:2]] == [
        f"{pointer}\na a",
        f"{pointer}\nb b",
    ]
    assert parts[2:] == message.parts[2:]


def test_pictures_and_thoughts_go_with_the_message_and_only_pictures_are_mentioned() -> None:
    parts = (
        ReasoningPart(content=words(99, "thought")),
        BlobPart(content="aaaa", modality="image"),
        TextPart(content=words(99, "said")),
    )
    said = MessageInput(Message(role="assistant", parts=parts, content_shape=ContentShape.LIST))

    (part,) = shown(take(Externalize(tokens_min=100, preview_tokens=40, keep=()), draft([user(), said, assistant()])))[
        1
    ].parts

    assert isinstance(part, TextPart)
    assert "[image: not shown]" in part.content
    assert "thought" not in part.content


def test_what_a_large_message_says_beside_its_call_stays_with_the_call() -> None:
    call = Message(role="assistant", parts=(TextPart(content=words(200)), ToolCallPart(id="a", name="look")))
    talk = [user(), MessageInput(call), result("a", 1), user()]

    assert shown(take(STEP, draft(talk)))[1] == call
