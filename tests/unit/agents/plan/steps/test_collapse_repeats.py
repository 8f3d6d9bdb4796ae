"""Results that come again: the newest stays whole."""

import pytest
from support import drafts
from support.drafts import assistant, calls, draft, exchange, result, take, user, words
from support.tool_thread import Talk, own_entry

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.wording import REPEATED_PREFIX, repeated_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.planner import draft_of
from tailrace.agents.plan.situation import Situation
from tailrace.schemas.policy.steps import CollapseRepeats
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Determinism
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart

FILE, OTHER = words(60, "file"), words(60, "other")
STEP = CollapseRepeats()
NOTE = "note"


def texts(one: Draft) -> list[str]:
    """Texts of the draft, with each note that names an artifact as `NOTE`."""
    return [NOTE if text.startswith(REPEATED_PREFIX) else text for text in drafts.texts(one)]


def test_the_newest_stays_whole_and_older_ones_say_so() -> None:
    talk = [
        user(),
        *exchange("a", FILE),
        *exchange("b", OTHER),
        *exchange("c", FILE),
        *exchange("d", FILE),
        assistant(),
    ]

    one = take(STEP, draft(talk))

    assert texts(one) == ["user0", "", NOTE, "", OTHER, "", NOTE, "", FILE, "assistant0"]
    assert {item.action for item in one.groups[1].items if item.entry.answers} == {Action.CLEAR}


def test_whichever_tool_it_is_from() -> None:
    talk = [user(), *exchange("a", FILE, tool="read"), *exchange("b", FILE, tool="shell"), assistant()]

    assert texts(take(STEP, draft(talk)))[2] == NOTE


def test_an_older_one_that_is_kept_stays() -> None:
    talk = [user(), calls("a"), result("a", FILE, pinned=True), *exchange("b", FILE), *exchange("c", FILE), assistant()]

    assert texts(take(STEP, draft(talk)))[2::2] == [FILE, NOTE, FILE]


def test_short_results_are_not_worth_a_note() -> None:
    talk = [
        user(),
        *exchange("a", "ok"),
        *exchange("b", words(30)),
        *exchange("c", words(30)),
        *exchange("d", "ok"),
        user(),
    ]

    assert texts(take(STEP, draft(talk))) == texts(draft(talk))
    assert texts(take(CollapseRepeats(tokens_min=30), draft(talk)))[2:6:2] == ["ok", NOTE]


def test_of_several_results_in_one_message_only_the_repeated_one_becomes_a_note() -> None:
    answers = MessageInput(
        Message(role="user", parts=tuple(ToolCallResponsePart(id=key, response=f"{key} {FILE}") for key in "ab"))
    )
    talk = [user(), calls("a", "b"), answers, *exchange("c", f"b {FILE}"), user()]

    one = take(STEP, draft(talk))

    responses = [
        part.response for part in one.groups[1].items[1].message.parts if isinstance(part, ToolCallResponsePart)
    ]
    assert responses == [f"a {FILE}", repeated_text(artifact_id(answers.message))]


def test_blocks_are_compared_by_their_content() -> None:
    block = {"type": "text", "text": FILE}
    same = {"text": FILE, "type": "text"}
    talk = [user(), *exchange("a", [block]), *exchange("b", [same]), assistant()]

    assert texts(take(STEP, draft(talk)))[2] == NOTE


def marked(*marks: dict[str, str] | None) -> list[str]:
    """What becomes of results that say the same, with these marks."""
    one = Talk()
    one.say("user", "Read it.")
    for given in marks:
        one.use(FILE, tools=[{"determinism": given}] if given is not None else [])
    one.say("assistant", "Done.")
    entries = one.view.live()
    made = Situation(
        entries=entries, budget=drafts.BUDGET, policy=drafts.POLICY, count=drafts.count, version=one.view.version
    )
    return texts(take(STEP, draft_of(made)))[2:-1:2]


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([None, None], [NOTE, FILE]),
        ([{"etag": "a"}, {"etag": "a"}], [NOTE, FILE]),
        # The same lines were shown of a file that has another version now.
        ([{"etag": "a"}, {"etag": "b"}], [FILE, FILE]),
        ([{"content_hash": "a"}, {"content_hash": "b"}], [FILE, FILE]),
        ([{"modified_at": "1"}, {"modified_at": "2"}], [FILE, FILE]),
        ([{"etag": "a", "content_version": "1"}, {"etag": "a", "content_version": "2"}], [FILE, FILE]),
        # That they say the same was seen, and no mark speaks against it.
        ([{"etag": "a"}, {"content_version": "2"}], [NOTE, FILE]),
        ([{"content_hash": "a"}, None], [NOTE, FILE]),
        # Changed, and changed back.
        ([{"etag": "a"}, {"etag": "b"}, {"etag": "a"}], [NOTE, FILE, FILE]),
    ],
)
def test_what_was_changed_between_is_not_the_same_however_alike(
    marks: list[dict[str, str] | None], expected: list[str]
) -> None:
    assert marked(*marks) == expected


def test_each_result_of_a_message_has_its_own_mark() -> None:
    one = Talk()
    one.call("a", "b")
    one.answer({"a": FILE, "b": FILE}, tools=[{"call_id": "b", "determinism": {"etag": "1"}}])

    assert own_entry(one.outcomes[-1]).determinism == (Determinism(), Determinism(etag="1"))
    assert own_entry(one.use(FILE)).determinism == ()
